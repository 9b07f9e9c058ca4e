meta:
  id: spring_packet
  title: Spring or Recoil network message
  application: Spring RTS engine, Recoil engine
  license: CC0-1.0
  ks-version: "0.11"
  encoding: UTF-8
  endian: le
doc: |
  One message of a Spring (Recoil) demo stream: the payload of one chunk of
  `spring_demo`, id byte included.

  Opened alone, a file holding one message is read in the current layouts
  (engine 105.0 and later). Inside a demo, `spring_demo` works out a number for
  the engine from the header's version text and hands it to `message`, which
  picks the layout of that engine where layouts differ:

  | engine text               | number              | rule                 |
  |---------------------------|--------------------:|----------------------|
  | `0.82.7.1`                |              820700 | second part x 10000 + third x 100 |
  | `94.1`                    |              940000 | first part x 10000 + commits |
  | `104.0.1-1707-gc0fc18e`   |             1041707 | 104.0.1 adds its commits |
  | `105.1.1-2590-gb9462a0`   |             1052590 | the same             |
  | `2025.04.08`              |            20250408 | year, month, patch   |
  | anything else             |            99999999 | current              |

  Where the packet's own size tells two layouts apart, the size decides and the
  engine is not asked.

  The fixed fields of a message stand first, so that a reader of bulk data can
  view all messages of one kind as one array of records.

  Every size field named `len_packet` counts the whole message, id included. An
  id that is not in `message_id` is kept as raw bytes.
doc-ref:
  - Coilbox, Replay data sources, "The demo stream"
  - https://github.com/beyond-all-reason/RecoilEngine rts/Net/Protocol/BaseNetProtocol.cpp
seq:
  - id: packet
    type: message(99999999)
    doc: The one message of the file, in the current layout.
types:
  message:
    doc: The id and what belongs to it, in the layout of the engine given.
    params:
      - id: engine
        type: u4
        doc: Engine number, see the top of this file.
    seq:
      - id: id
        type: u1
        enum: message_id
      - id: body
        type:
          switch-on: id
          cases:
            message_id::keyframe: keyframe
            message_id::newframe: newframe
            message_id::quit: quit
            message_id::startplaying: startplaying
            message_id::setplayernum: setplayernum
            message_id::playername: playername
            message_id::chat: chat
            message_id::randseed: randseed
            message_id::gameid: gameid
            message_id::path_checksum: path_checksum
            message_id::command: command
            message_id::select: select
            message_id::pause: pause
            message_id::aicommand: aicommand
            message_id::aicommands: aicommands
            message_id::aishare: aishare
            message_id::memdump: memdump
            message_id::user_speed: user_speed
            message_id::internal_speed: internal_speed
            message_id::cpu_usage: cpu_usage
            message_id::direct_control: direct_control
            message_id::dc_update: dc_update
            message_id::attemptconnect_old: attemptconnect_old
            message_id::share: share
            message_id::setshare: setshare
            message_id::sendplayerstat: sendplayerstat
            message_id::playerstat: playerstat
            message_id::gameover: gameover
            message_id::map_draw_old: map_draw_old(engine)
            message_id::map_draw: map_draw
            message_id::syncresponse: syncresponse
            message_id::systemmsg: systemmsg
            message_id::startpos: startpos
            message_id::playerinfo: playerinfo
            message_id::playerleft: playerleft
            message_id::sd_chkrequest: sd_chkrequest
            message_id::sd_chkresponse: sd_chkresponse
            message_id::sd_blkrequest: sd_blkrequest
            message_id::sd_blkresponse: sd_blkresponse
            message_id::sd_reset: sd_reset
            message_id::gamestate_dump: gamestate_dump
            message_id::logmsg: logmsg
            message_id::luamsg: luamsg
            message_id::team: team
            message_id::gamedata: gamedata
            message_id::alliance: alliance
            message_id::ccommand: ccommand
            message_id::custom_data: custom_data
            message_id::teamstat: teamstat
            message_id::clientdata: clientdata
            message_id::attemptconnect: attemptconnect
            message_id::reject_connect: reject_connect
            message_id::ai_created: ai_created
            message_id::ai_state_changed: ai_state_changed
            message_id::request_teamstat: request_teamstat
            message_id::register_netmsg: register_netmsg
            message_id::unregister_netmsg: unregister_netmsg
            message_id::create_newplayer: create_newplayer
            message_id::aicommand_tracked: aicommand_tracked
            message_id::game_frame_progress: game_frame_progress
            message_id::ping: ping
            _: unknown_body
        if: old_layout == 0
        doc: Layout of current engines.
      - id: old_body
        type:
          switch-on: old_layout
          cases:
            1: newframe_numbered
            2: no_body
            3: command_plain
            4: command_counted
            5: aicommand_unowned
            6: aicommand_plain
            7: aicommand_counted
            8: aicommand_timed
            9: aicommands_unowned
            10: aicommands_listed
            11: setshare_unowned
            12: playerstat_mouse_first
            13: no_body
            14: sync_request
            15: syncresponse_unowned
            16: systemmsg_short
            17: startpos_unowned
            18: playerinfo_short
            19: luamsg_short
            20: team_short
            21: ai_created_wide
            22: ai_state_changed_wide
            23: aicommand_tracked_plain
            24: aicommand_tracked_counted
            25: aicommand_tracked_timed
        if: old_layout != 0
        doc: Layout of an older engine.
    instances:
      old_layout:
        value: >-
          (id == message_id::newframe and (_io.size == 5)) ? 1 : (
          (id == message_id::quit and (_io.size == 1)) ? 2 : (
          (id == message_id::command and (engine < 1040620)) ? 3 : (
          (id == message_id::command and (engine < 1041056)) ? 4 : (
          (id == message_id::aicommand and (engine < 830000)) ? 5 : (
          (id == message_id::aicommand and (engine < 1040620)) ? 6 : (
          (id == message_id::aicommand and (engine < 1041056)) ? 7 : (
          (id == message_id::aicommand and (engine < 1041482)) ? 8 : (
          (id == message_id::aicommands and (engine < 830000)) ? 9 : (
          (id == message_id::aicommands and (engine < 890000)) ? 10 : (
          (id == message_id::setshare and (_io.size == 10)) ? 11 : (
          (id == message_id::playerstat and (engine < 940000)) ? 12 : (
          (id == message_id::gameover and (_io.size == 1)) ? 13 : (
          (id == message_id::map_draw and (engine < 790000 and _io.size == 5)) ? 14 : (
          (id == message_id::syncresponse and (_io.size == 9)) ? 15 : (
          (id == message_id::systemmsg and (engine < 810000)) ? 16 : (
          (id == message_id::startpos and (_io.size == 15)) ? 17 : (
          (id == message_id::playerinfo and (_io.size == 8)) ? 18 : (
          (id == message_id::luamsg and (engine < 780000)) ? 19 : (
          (id == message_id::team and (_io.size == 4)) ? 20 : (
          (id == message_id::ai_created and (engine >= 810000 and engine < 830000)) ? 21 : (
          (id == message_id::ai_state_changed and (_io.size == 7)) ? 22 : (
          (id == message_id::aicommand_tracked and (engine < 1040620)) ? 23 : (
          (id == message_id::aicommand_tracked and (engine < 1041056)) ? 24 : (
          (id == message_id::aicommand_tracked and (engine < 1041482)) ? 25 : (
          0)))))))))))))))))))))))))
        doc: 0 for the current layout, otherwise which of the older ones.
  unknown_body:
    doc: A message that this layout does not know, kept as it is.
    seq:
      - id: body
        size-eos: true
  keyframe:
    doc: Every 16th frame, with its number.
    seq:
      - id: frame
        type: s4
        doc: Frame of the game from here on; always the previous one + 1.
  newframe:
    doc: |
      The next frame of the game: the frame number grows by one.
  quit:
    doc: The server stops.
    seq:
      - id: len_packet
        type: u2
      - id: reason
        type: strz
        eos-error: false
  startplaying:
    doc: The game is about to start; two in every game.
    seq:
      - id: countdown
        type: u4
        doc: Milliseconds until the game starts; 0 means that it starts now.
  setplayernum:
    doc: Only in recordings made by a client, as the second packet.
    seq:
      - id: player
        type: u1
        doc: The recorder's own player number.
  playername:
    doc: A player has connected under this name.
    seq:
      - id: len_packet
        type: u1
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: name
        type: strz
        eos-error: false
  chat:
    doc: A chat line.
    seq:
      - id: len_packet
        type: u1
      - id: player
        type: u1
        doc: Sender; 255 is the server or an autohost.
      - id: destination
        type: u1
        enum: chat_destination
        doc: A value below 252 is the number of the one player who may read it.
      - id: text
        type: strz
        eos-error: false
        doc: At most 127 bytes.
  randseed:
    doc: Seed of the synced random numbers.
    seq:
      - id: seed
        type: u4
  gameid:
    doc: Identity of the game, the same for every recorder.
    seq:
      - id: game_id
        size: 16
        doc: Equal to the header's.
  path_checksum:
    doc: Checksum of a player's path finding data.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: checksum
        type: u4
  command:
    doc: |
      An order to a player's current selection.
      Layout since February 2019 (engine 104.0.1-1056); earlier ones are
      `command_counted` and `command_plain`.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: command_id
        type: s4
        doc: A negative number is a build order for definition -command_id.
      - id: timeout
        type: s4
        doc: Frame at which the order lapses; 2147483647 is never.
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u4
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  select:
    doc: A player has selected these units.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: units
        type: s2
        repeat: expr
        repeat-expr: (len_packet - 4) / 2
        doc: Unit ids.
  pause:
    doc: The game is paused or goes on.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: paused
        type: u1
        doc: 1 pauses, 0 goes on.
  aicommand:
    doc: An order to one named unit, by a Lua widget or a skirmish AI.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
        doc: |
          Number of the skirmish AI; 255 marks an order of the player's own Lua
          widget.
      - id: ai_team
        type: u1
        doc: The AI's team, or 255.
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: timeout
        type: s4
        doc: Frame at which the order lapses; native AIs write real frames here.
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u4
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  aicommands:
    doc: Several orders to several units, by a Lua widget.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
        doc: |
          Always 255: only Lua makes this message.
      - id: pairwise
        type: u1
        doc: |
          Not 0 when command k goes to unit k; 0 when every command goes to
          every unit.
      - id: ref_command_id
        type: s4
        doc: |
          The id of every command, or 0 when each has its own. Signed: build
          orders are negative.
      - id: ref_options
        type: u1
        doc: The options of every command, or 255 when each has its own.
      - id: ref_num_params
        type: u2
        doc: |
          The parameter count of every command, or 65535 when each has its own.
      - id: num_units
        type: s2
      - id: units
        type: s2
        repeat: expr
        repeat-expr: num_units
      - id: num_commands
        type: s2
      - id: commands
        type: aicommands_entry(ref_command_id, ref_options, ref_num_params)
        repeat: expr
        repeat-expr: num_commands
  aicommands_entry:
    doc: |
      One order; the fields that the message states once for all are left out.
    params:
      - id: ref_command_id
        type: s4
        doc: The message's `ref_command_id`.
      - id: ref_options
        type: u1
        doc: The message's `ref_options`.
      - id: ref_num_params
        type: u2
        doc: The message's `ref_num_params`.
    seq:
      - id: own_command_id
        type: s4
        if: ref_command_id == 0
      - id: own_options
        type: u1
        if: ref_options == 0xff
      - id: own_num_params
        type: u2
        if: ref_num_params == 0xffff
        doc: This order's own parameter count.
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
    instances:
      command_id:
        value: 'ref_command_id == 0 ? own_command_id : ref_command_id'
      options:
        value: 'ref_options == 0xff ? own_options : ref_options'
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      num_params:
        value: 'ref_num_params == 0xffff ? own_num_params : ref_num_params'
  aishare:
    doc: A skirmish AI gives away resources and units.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
      - id: source_team
        type: u1
      - id: dest_team
        type: u1
      - id: metal
        type: f4
      - id: energy
        type: f4
      - id: units
        type: s2
        repeat: expr
        repeat-expr: (len_packet - 15) / 2
  memdump:
    doc: Retired debugging message.
  user_speed:
    doc: A player has asked for a game speed.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: speed
        type: f4
        doc: Wanted speed, 1 being 30 frames a second.
  internal_speed:
    doc: The server has changed the real game speed.
    seq:
      - id: speed
        type: f4
        doc: Real speed, 1 being 30 frames a second.
  cpu_usage:
    doc: Load of the server.
    seq:
      - id: cpu_usage
        type: f4
        doc: Share of one, 1 being all of it.
  direct_control:
    doc: A player takes or leaves direct control of a unit.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
  dc_update:
    doc: Steering of a directly controlled unit.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: status
        type: u1
        doc: Bits 0 forward, 1 back, 2 left, 3 right, 4 and 5 mouse buttons.
      - id: heading
        type: s2
      - id: pitch
        type: s2
  attemptconnect_old:
    doc: Retired form of ATTEMPTCONNECT, up to engine 0.82.
    seq:
      - id: body
        size-eos: true
        doc: |
          Not read: the layout differed from release to release.
  share:
    doc: A player gives away resources and units.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: to_team
        type: u1
      - id: share_units
        type: u1
        doc: Not 0 when the player's selected units go too.
      - id: metal
        type: f4
      - id: energy
        type: f4
  setshare:
    doc: A team sets its sharing levels.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: team
        type: u1
      - id: metal_share
        type: f4
        doc: Level from which metal is shared, 0 to 1.
      - id: energy_share
        type: f4
        doc: Level from which energy is shared, 0 to 1.
  sendplayerstat:
    doc: Retired request for PLAYERSTAT, up to engine 88.
  playerstat:
    doc: A client's counters at the end of the game.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: statistics
        type: player_statistics
  gameover:
    doc: A client has seen the end of the game; one a client.
    seq:
      - id: len_packet
        type: u1
      - id: player
        type: u1
        doc: The client that reports the end.
      - id: winning_ally_teams
        type: u1
        repeat: eos
  map_draw_old:
    doc: |
      A player draws on the map; engines before 2025.04.10.
      Coordinates are 16 bits wide up to 2025.01 and 32 bits wide in 2025.03.1
      to
      2025.04.09. Erase and line tell the width by their size, a point does not.
      The size byte wraps for long labels, so the size of the packet counts.
    params:
      - id: engine
        type: u4
        doc: Engine number, see the top of this file.
    seq:
      - id: len_packet
        type: u1
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: action
        type: u1
        enum: map_draw_action
      - id: body
        type:
          switch-on: 'action.to_i * 2 + (is_wide ? 1 : 0)'
          cases:
            0: map_draw_point_narrow(engine)
            1: map_draw_point_wide
            2: map_draw_erase_narrow
            3: map_draw_erase_wide
            4: map_draw_line_narrow
            5: map_draw_line_wide
    instances:
      is_wide:
        value: >-
          action == map_draw_action::erase ? _io.size == 12 : (action == map_draw_action::line ?
          _io.size == 21 : engine >= 20250301)
  map_draw:
    doc: |
      A player draws on the map; engine 2025.04.10 and later.
      Up to 0.78 the id meant SYNCREQUEST (5 bytes, `sync_request`).
    seq:
      - id: len_packet
        type: u1
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: action
        type: u1
        enum: map_draw_action
      - id: body
        type:
          switch-on: action
          cases:
            map_draw_action::point: map_draw_point_wide
            map_draw_action::erase: map_draw_erase_wide
            map_draw_action::line: map_draw_line_wide
  map_draw_point_narrow:
    doc: A marker with a label.
    params:
      - id: engine
        type: u4
        doc: Engine number, see the top of this file.
    seq:
      - id: x
        type: s2
        doc: Elmos from the west edge.
      - id: z
        type: s2
        doc: Elmos from the north edge.
      - id: from_lua
        type: u1
        if: engine >= 800000
        doc: Not 0 when a Lua widget drew it. Absent in engines 0.77 to 0.79.
      - id: label
        type: strz
        eos-error: false
        doc: Up to the end of the message.
  map_draw_erase_narrow:
    doc: Drawings near this place are removed.
    seq:
      - id: x
        type: s2
      - id: z
        type: s2
  map_draw_line_narrow:
    doc: A line between two places.
    seq:
      - id: x1
        type: s2
      - id: z1
        type: s2
      - id: x2
        type: s2
      - id: z2
        type: s2
      - id: from_lua
        type: u1
        if: not _io.eof
        doc: Absent in engines 0.77 to 0.79.
  map_draw_point_wide:
    doc: A marker with a label.
    seq:
      - id: x
        type: u4
        doc: Elmos from the west edge.
      - id: z
        type: u4
        doc: Elmos from the north edge.
      - id: from_lua
        type: u1
        doc: Not 0 when a Lua widget drew it. Absent in engines 0.77 to 0.79.
      - id: label
        type: strz
        eos-error: false
        doc: Up to the end of the message.
  map_draw_erase_wide:
    doc: Drawings near this place are removed.
    seq:
      - id: x
        type: u4
      - id: z
        type: u4
  map_draw_line_wide:
    doc: A line between two places.
    seq:
      - id: x1
        type: u4
      - id: z1
        type: u4
      - id: x2
        type: u4
      - id: z2
        type: u4
      - id: from_lua
        type: u1
  syncresponse:
    doc: A client's checksum of the synced state at a frame.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: frame
        type: s4
      - id: checksum
        type: u4
  systemmsg:
    doc: A line of the server for the chat window.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: text
        type: strz
        eos-error: false
  startpos:
    doc: |
      A start position; the last one of a team before frame 0 counts.
      Repeated while a player drags the marker. Not clamped into the start box.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: team
        type: u1
      - id: ready
        type: u1
        enum: ready_state
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  playerinfo:
    doc: A client's load and delay.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: cpu_usage
        type: f4
        doc: Share of one.
      - id: ping
        type: s4
        doc: Milliseconds; -1 while the engine does not know.
  playerleft:
    doc: A player is gone.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: reason
        type: u1
        enum: leave_reason
  sd_chkrequest:
    doc: |
      Sync debugger: asks for checksums (special builds only).
    seq:
      - id: frame
        type: s4
  sd_chkresponse:
    doc: |
      Sync debugger: checksums.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: flop
        type: u8
        doc: Count of floating point operations.
      - id: checksums
        type: u4
        repeat: eos
  sd_blkrequest:
    doc: |
      Sync debugger: asks for a block.
    seq:
      - id: begin
        type: u2
        doc: First of the blocks asked for.
      - id: length
        type: u2
        doc: Bytes of a block.
      - id: len_request
        type: u2
  sd_blkresponse:
    doc: |
      Sync debugger: a block.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: checksums
        type: u4
        repeat: eos
  sd_reset:
    doc: |
      Sync debugger: start again.
  gamestate_dump:
    doc: All clients write their state to disk.
    seq:
      - id: frame
        type: u4
        if: not _io.eof
        doc: Since engine 2025.04.03.
  logmsg:
    doc: A line of a client's log.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: level
        type: u1
        enum: log_level
      - id: text
        type: strz
        eos-error: false
  luamsg:
    doc: A message of the game's Lua code; nearly half of a stream.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: script
        type: u2
        enum: lua_script
      - id: mode
        type: u1
        doc: For LuaUI 97 (`a`) allies, 115 (`s`) spectators; otherwise 0.
      - id: payload
        size-eos: true
        doc: What it means is up to the game.
  team:
    doc: Something happens to a team.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: action
        type: u1
        enum: team_action
      - id: param1
        type: u1
        doc: |
          giveaway: receiving team; join_team and team_died: the team.
      - id: param2
        type: u1
        doc: |
          giveaway: giving team.
  gamedata:
    doc: |
      The setup that the engine really loads; the first packet of every stream.
      Not the form of engines before 0.79.
    seq:
      - id: len_packet
        type: u2
      - id: len_script
        type: u2
        doc: Size of the compressed script.
      - id: compressed_script
        size: len_script
        doc: A zlib stream.
      - id: map_checksum
        size: (_io.size - _io.pos - 4) / 2
        doc: SHA-512, or 4 bytes in engines up to 104.0.
      - id: mod_checksum
        size: (_io.size - _io.pos - 4)
        doc: The same for the game archive.
      - id: random_seed
        type: u4
    instances:
      script:
        pos: 5
        size: len_script
        process: zlib
        doc: The script's text.
  alliance:
    doc: A player makes or breaks an alliance.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ally_team
        type: u1
      - id: allied
        type: u1
        doc: 1 makes the alliance, 0 ends it.
  ccommand:
    doc: A console command, such as `speedcontrol 2` or `luarules ...`.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: s4
        doc: 255 is the server.
      - id: command
        type: strz
        eos-error: false
      - id: extra
        type: strz
        eos-error: false
        doc: The command's arguments.
  custom_data:
    doc: Retired; engines 0.82 to 94.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: kind
        type: u1
        doc: Which of the custom values it is.
      - id: value
        type: s4
        doc: The custom value.
  teamstat:
    doc: One statistics sample of a team, sent on request.
    seq:
      - id: team
        type: u1
      - id: statistics
        type: team_statistics
  clientdata:
    doc: A client's description of its machine.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: compressed_text
        size-eos: true
        doc: A zlib stream.
    instances:
      text:
        pos: 4
        size: _io.size - 4
        process: zlib
  attemptconnect:
    doc: A client wants to join.
    seq:
      - id: len_packet
        type: u2
      - id: network_version
        type: u2
      - id: name
        type: strz
        eos-error: false
      - id: password
        type: strz
        eos-error: false
      - id: version
        type: strz
        eos-error: false
      - id: platform
        type: strz
        eos-error: false
      - id: flags
        type: attemptconnect_flags
  attemptconnect_flags:
    doc: The end of ATTEMPTCONNECT.
    seq:
      - id: reconnect
        type: u1
        doc: Not 0 when the client comes back.
      - id: netloss
        type: u1
        doc: Not 0 when the client wants to be told of lost packets.
  reject_connect:
    doc: The server refuses a client.
    seq:
      - id: len_packet
        type: u2
      - id: reason
        type: strz
        eos-error: false
  ai_created:
    doc: A skirmish AI has been made.
    seq:
      - id: len_packet
        type: u1
      - id: player
        type: u1
        doc: The player who hosts the AI.
      - id: ai
        type: u1
      - id: team
        type: u1
      - id: name
        type: strz
        eos-error: false
  ai_state_changed:
    doc: A skirmish AI comes up or goes down.
    seq:
      - id: player
        type: u1
        doc: The player who hosts the AI.
      - id: ai
        type: u1
      - id: state
        type: u1
        enum: ai_state
  request_teamstat:
    doc: Asks for a team's statistics.
    seq:
      - id: team
        type: u1
      - id: sample
        type: u2
        doc: Index of the first sample wanted.
  register_netmsg:
    doc: Retired; engine 0.82 only.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: message
        type: u1
  unregister_netmsg:
    doc: Retired; engine 0.82 only.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: message
        type: u1
  create_newplayer:
    doc: A player who is not in the script joins.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: spectator
        type: u1
      - id: team
        type: u1
      - id: name
        type: strz
        eos-error: false
  aicommand_tracked:
    doc: AICOMMAND whose end the AI wants to hear of.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
      - id: ai_team
        type: u1
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: timeout
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u4
      - id: ai_command_id
        type: s4
        doc: The AI's own number for the order.
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  game_frame_progress:
    doc: How far the server is, every 150 frames; client recordings only.
    seq:
      - id: frame
        type: s4
        doc: The server's frame.
  ping:
    doc: Delay measurement.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: tag
        type: u1
        doc: Number that the answer repeats.
      - id: local_time
        type: f4
        doc: Seconds.
  sync_request:
    doc: SYNCREQUEST (id 32, engines up to 0.78).
    seq:
      - id: frame
        type: s4
  newframe_numbered:
    doc: NEWFRAME of 0.76, with its number.
    seq:
      - id: frame
        type: s4
  command_plain:
    doc: COMMAND up to 104.0.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: command_id
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: params
        type: f4
        repeat: eos
        doc: The order's parameters; what they mean depends on the command.
  command_counted:
    doc: COMMAND of July 2018 to February 2019.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: command_id
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u4
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  aicommand_unowned:
    doc: AICOMMAND up to 0.82.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: params
        type: f4
        repeat: eos
        doc: The order's parameters; what they mean depends on the command.
  aicommand_plain:
    doc: AICOMMAND of 83.0 to 104.0.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: params
        type: f4
        repeat: eos
        doc: The order's parameters; what they mean depends on the command.
  aicommand_counted:
    doc: AICOMMAND of July 2018 to February 2019.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u4
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  aicommand_timed:
    doc: AICOMMAND of February to October 2019.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: timeout
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u4
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  aicommand_tracked_plain:
    doc: AICOMMAND_TRACKED of 83.0 to 104.0.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: ai_command_id
        type: s4
      - id: params
        type: f4
        repeat: eos
        doc: The order's parameters; what they mean depends on the command.
  aicommand_tracked_counted:
    doc: AICOMMAND_TRACKED of July 2018 to February 2019.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u4
      - id: ai_command_id
        type: s4
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  aicommand_tracked_timed:
    doc: AICOMMAND_TRACKED of February to October 2019.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
      - id: unit
        type: s2
      - id: command_id
        type: s4
      - id: timeout
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u4
      - id: ai_command_id
        type: s4
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  aicommands_listed:
    doc: AICOMMANDS of 83.0 to 88.0.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u1
        doc: Since 83.0.
      - id: num_units
        type: s2
      - id: units
        type: s2
        repeat: expr
        repeat-expr: num_units
      - id: num_commands
        type: s2
      - id: commands
        type: aicommands_listed_entry
        repeat: expr
        repeat-expr: num_commands
  aicommands_unowned:
    doc: AICOMMANDS up to 0.82.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: num_units
        type: s2
      - id: units
        type: s2
        repeat: expr
        repeat-expr: num_units
      - id: num_commands
        type: s2
      - id: commands
        type: aicommands_listed_entry
        repeat: expr
        repeat-expr: num_commands
  aicommands_listed_entry:
    doc: One order of the old AICOMMANDS.
    seq:
      - id: command_id
        type: s4
      - id: options
        type: u1
        doc: |
          Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
          alt.
      - id: num_params
        type: u2
      - id: params
        type: f4
        repeat: expr
        repeat-expr: num_params
        doc: The order's parameters; what they mean depends on the command.
  setshare_unowned:
    doc: SETSHARE of 0.76 (10 bytes).
    seq:
      - id: team
        type: u1
      - id: metal_share
        type: f4
      - id: energy_share
        type: f4
  playerstat_mouse_first:
    doc: PLAYERSTAT up to 93.2.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: statistics
        type: player_statistics_mouse_first
  syncresponse_unowned:
    doc: SYNCRESPONSE of 0.79 to 83 (9 bytes).
    seq:
      - id: frame
        type: s4
      - id: checksum
        type: u4
  systemmsg_short:
    doc: SYSTEMMSG up to 0.80, with an 8-bit size.
    seq:
      - id: len_packet
        type: u1
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: text
        type: strz
        eos-error: false
  startpos_unowned:
    doc: STARTPOS of 0.76 (15 bytes).
    seq:
      - id: team
        type: u1
      - id: ready
        type: u1
        enum: ready_state
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  playerinfo_short:
    doc: PLAYERINFO of 0.79 to 0.81 (8 bytes).
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: cpu_usage
        type: f4
      - id: ping
        type: u2
        doc: Milliseconds.
  luamsg_short:
    doc: LUAMSG of 0.77, with an 8-bit script number.
    seq:
      - id: len_packet
        type: u2
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: script
        type: u1
      - id: mode
        type: u1
      - id: payload
        size-eos: true
  team_short:
    doc: TEAM up to 0.79 (4 bytes), with one parameter.
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: action
        type: u1
        enum: team_action
      - id: param1
        type: u1
  ai_created_wide:
    doc: AI_CREATED of 0.81 to 0.82, with a 32-bit AI number.
    seq:
      - id: len_packet
        type: u1
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u4
      - id: team
        type: u1
      - id: name
        type: strz
        eos-error: false
  ai_state_changed_wide:
    doc: AI_STATE_CHANGED of 0.81 to 0.82 (7 bytes).
    seq:
      - id: player
        type: u1
        doc: Number of the player; 255 is the server.
      - id: ai
        type: u4
      - id: state
        type: u1
        enum: ai_state
  no_body:
    doc: |
      Nothing after the id: QUIT up to 0.80 and GAMEOVER up to 0.82.
  player_statistics:
    doc: Counters of one player, since engine 94.0.
    seq:
      - id: num_commands
        type: s4
        doc: Orders given through the interface.
      - id: num_unit_commands
        type: s4
        doc: Units that received them, added up.
      - id: mouse_pixels
        type: s4
        doc: Way of the mouse pointer, in pixels.
      - id: mouse_clicks
        type: s4
      - id: key_presses
        type: s4
  player_statistics_mouse_first:
    doc: Counters of one player, up to engine 93.2.
    seq:
      - id: mouse_pixels
        type: s4
        doc: Way of the mouse pointer, in pixels.
      - id: mouse_clicks
        type: s4
      - id: key_presses
        type: s4
      - id: num_commands
        type: s4
        doc: Orders given through the interface.
      - id: num_unit_commands
        type: s4
        doc: Units that received them, added up.
  team_statistics:
    doc: One sample of a team; all numbers are running totals.
    seq:
      - id: frame
        type: s4
        doc: |
          Frame at which the sample was due; a file's last one may lie after its
          end.
      - id: metal_used
        type: f4
      - id: energy_used
        type: f4
      - id: metal_produced
        type: f4
      - id: energy_produced
        type: f4
      - id: metal_excess
        type: f4
      - id: energy_excess
        type: f4
      - id: metal_received
        type: f4
      - id: energy_received
        type: f4
      - id: metal_sent
        type: f4
      - id: energy_sent
        type: f4
      - id: damage_dealt
        type: f4
      - id: damage_received
        type: f4
      - id: units_produced
        type: s4
      - id: units_died
        type: s4
      - id: units_received
        type: s4
      - id: units_sent
        type: s4
      - id: units_captured
        type: s4
        doc: Units this team captured.
      - id: units_out_captured
        type: s4
        doc: Units this team lost to capture.
      - id: units_killed
        type: s4
enums:
  message_id:
    1:
      id: keyframe
      -orig-id: KEYFRAME
      doc: Every 16th frame, with its number.
    2:
      id: newframe
      -orig-id: NEWFRAME
      doc: |
        The next frame of the game: the frame number grows by one.
    3:
      id: quit
      -orig-id: QUIT
      doc: The server stops.
    4:
      id: startplaying
      -orig-id: STARTPLAYING
      doc: The game is about to start; two in every game.
    5:
      id: setplayernum
      -orig-id: SETPLAYERNUM
      doc: Only in recordings made by a client, as the second packet.
    6:
      id: playername
      -orig-id: PLAYERNAME
      doc: A player has connected under this name.
    7:
      id: chat
      -orig-id: CHAT
      doc: A chat line.
    8:
      id: randseed
      -orig-id: RANDSEED
      doc: Seed of the synced random numbers.
    9:
      id: gameid
      -orig-id: GAMEID
      doc: Identity of the game, the same for every recorder.
    10:
      id: path_checksum
      -orig-id: PATH_CHECKSUM
      doc: Checksum of a player's path finding data.
    11:
      id: command
      -orig-id: COMMAND
      doc: An order to a player's current selection.
    12:
      id: select
      -orig-id: SELECT
      doc: A player has selected these units.
    13:
      id: pause
      -orig-id: PAUSE
      doc: The game is paused or goes on.
    14:
      id: aicommand
      -orig-id: AICOMMAND
      doc: An order to one named unit, by a Lua widget or a skirmish AI.
    15:
      id: aicommands
      -orig-id: AICOMMANDS
      doc: Several orders to several units, by a Lua widget.
    16:
      id: aishare
      -orig-id: AISHARE
      doc: A skirmish AI gives away resources and units.
    17:
      id: memdump
      -orig-id: MEMDUMP
      doc: Retired debugging message.
    19:
      id: user_speed
      -orig-id: USER_SPEED
      doc: A player has asked for a game speed.
    20:
      id: internal_speed
      -orig-id: INTERNAL_SPEED
      doc: The server has changed the real game speed.
    21:
      id: cpu_usage
      -orig-id: CPU_USAGE
      doc: Load of the server.
    22:
      id: direct_control
      -orig-id: DIRECT_CONTROL
      doc: A player takes or leaves direct control of a unit.
    23:
      id: dc_update
      -orig-id: DC_UPDATE
      doc: Steering of a directly controlled unit.
    25:
      id: attemptconnect_old
      -orig-id: ATTEMPTCONNECT_OLD
      doc: Retired form of ATTEMPTCONNECT, up to engine 0.82.
    26:
      id: share
      -orig-id: SHARE
      doc: A player gives away resources and units.
    27:
      id: setshare
      -orig-id: SETSHARE
      doc: A team sets its sharing levels.
    28:
      id: sendplayerstat
      -orig-id: SENDPLAYERSTAT
      doc: Retired request for PLAYERSTAT, up to engine 88.
    29:
      id: playerstat
      -orig-id: PLAYERSTAT
      doc: A client's counters at the end of the game.
    30:
      id: gameover
      -orig-id: GAMEOVER
      doc: A client has seen the end of the game; one a client.
    31:
      id: map_draw_old
      -orig-id: MAPDRAW_OLD
      doc: A player draws on the map; engines before 2025.04.10.
    32:
      id: map_draw
      -orig-id: MAPDRAW
      doc: A player draws on the map; engine 2025.04.10 and later.
    33:
      id: syncresponse
      -orig-id: SYNCRESPONSE
      doc: A client's checksum of the synced state at a frame.
    35:
      id: systemmsg
      -orig-id: SYSTEMMSG
      doc: A line of the server for the chat window.
    36:
      id: startpos
      -orig-id: STARTPOS
      doc: A start position; the last one of a team before frame 0 counts.
    38:
      id: playerinfo
      -orig-id: PLAYERINFO
      doc: A client's load and delay.
    39:
      id: playerleft
      -orig-id: PLAYERLEFT
      doc: A player is gone.
    41:
      id: sd_chkrequest
      -orig-id: SD_CHKREQUEST
      doc: |
        Sync debugger: asks for checksums (special builds only).
    42:
      id: sd_chkresponse
      -orig-id: SD_CHKRESPONSE
      doc: |
        Sync debugger: checksums.
    43:
      id: sd_blkrequest
      -orig-id: SD_BLKREQUEST
      doc: |
        Sync debugger: asks for a block.
    44:
      id: sd_blkresponse
      -orig-id: SD_BLKRESPONSE
      doc: |
        Sync debugger: a block.
    45:
      id: sd_reset
      -orig-id: SD_RESET
      doc: |
        Sync debugger: start again.
    46:
      id: gamestate_dump
      -orig-id: GAMESTATE_DUMP
      doc: All clients write their state to disk.
    49:
      id: logmsg
      -orig-id: LOGMSG
      doc: A line of a client's log.
    50:
      id: luamsg
      -orig-id: LUAMSG
      doc: A message of the game's Lua code; nearly half of a stream.
    51:
      id: team
      -orig-id: TEAM
      doc: Something happens to a team.
    52:
      id: gamedata
      -orig-id: GAMEDATA
      doc: |
        The setup that the engine really loads; the first packet of every
        stream.
    53:
      id: alliance
      -orig-id: ALLIANCE
      doc: A player makes or breaks an alliance.
    54:
      id: ccommand
      -orig-id: CCOMMAND
      doc: A console command, such as `speedcontrol 2` or `luarules ...`.
    55:
      id: custom_data
      -orig-id: CUSTOM_DATA
      doc: Retired; engines 0.82 to 94.
    60:
      id: teamstat
      -orig-id: TEAMSTAT
      doc: One statistics sample of a team, sent on request.
    61:
      id: clientdata
      -orig-id: CLIENTDATA
      doc: A client's description of its machine.
    65:
      id: attemptconnect
      -orig-id: ATTEMPTCONNECT
      doc: A client wants to join.
    66:
      id: reject_connect
      -orig-id: REJECT_CONNECT
      doc: The server refuses a client.
    70:
      id: ai_created
      -orig-id: AI_CREATED
      doc: A skirmish AI has been made.
    71:
      id: ai_state_changed
      -orig-id: AI_STATE_CHANGED
      doc: A skirmish AI comes up or goes down.
    72:
      id: request_teamstat
      -orig-id: REQUEST_TEAMSTAT
      doc: Asks for a team's statistics.
    73:
      id: register_netmsg
      -orig-id: REGISTER_NETMSG
      doc: Retired; engine 0.82 only.
    74:
      id: unregister_netmsg
      -orig-id: UNREGISTER_NETMSG
      doc: Retired; engine 0.82 only.
    75:
      id: create_newplayer
      -orig-id: CREATE_NEWPLAYER
      doc: A player who is not in the script joins.
    76:
      id: aicommand_tracked
      -orig-id: AICOMMAND_TRACKED
      doc: AICOMMAND whose end the AI wants to hear of.
    77:
      id: game_frame_progress
      -orig-id: GAME_FRAME_PROGRESS
      doc: How far the server is, every 150 frames; client recordings only.
    78:
      id: ping
      -orig-id: PING
      doc: Delay measurement.
  ai_state:
    10: constructed
    20: initialising
    30: reloading
    40: alive
    50: dying
    60: dead
  chat_destination:
    252: allies
    253: spectators
    254: everyone
  leave_reason:
    0: lost_connection
    1: left
    2: kicked
  log_level:
    20: debug
    30: info
    35: notice
    40: warning
    50: error
    60: fatal
  lua_script:
    100: rules
    200: units
    300: gaia
    1100: rules_unsynced
    1200: units_unsynced
    1300: gaia_unsynced
    2000: ui
    3000: intro
    4000: menu
  map_draw_action:
    0: point
    1: erase
    2: line
  ready_state:
    0:
      id: updated
      doc: Moved, or not ready.
    1: readied
    2:
      id: forced
      doc: The server went on without the player.
    3:
      id: failed
      doc: No place was chosen.
  team_action:
    1: giveaway
    2: resign
    3: join_team
    4: team_died
