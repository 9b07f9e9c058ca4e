meta:
  id: tad_subpacket
  title: Total Annihilation subpackets as the TA Demo Recorder stores them
  application: Total Annihilation
  file-extension: tadsub
  tags:
    - game
    - replay
  license: CC0-1.0
  ks-version: "0.11"
  encoding: windows-1252
  endian: le
doc: |
  A packet record of a `.tad` file holds, once it is inflated, a run of
  subpackets: one byte that says which, then the fields of that subpacket.
  Most have a fixed size; a few carry a length, and four (padding, chat,
  enemy chat, typed commands) are sized by what follows them.

  Unit syncs (0x2c) are stored in the recorder's shorter forms: 0xfe sets the
  tick of the sender, 0xfd is a sync without its tick, 0xff an idle sync.
  Each 0xfd and 0xff takes one tick.

  Lengths are those that real bytes prove: 0x20 is 186 bytes; what other
  readers take for 192 is that and a 0x24 of 6 bytes behind it.

  Offsets in the text count from the id byte, as the seed does.
doc-ref:
  - seed 004, 6. Subpacket taxonomy
  - fact sheet tad-format, 4. Length table
seq:
  - id: subpackets
    type: subpacket
    repeat: eos
types:
  subpacket:
    -webide-representation: "{kind}"
    doc: One subpacket, its id and its fields.
    seq:
      - id: kind
        type: u1
        enum: subpacket_id
      - id: body
        type:
          switch-on: kind
          cases:
            'subpacket_id::padding': padding
            'subpacket_id::ping': ping
            'subpacket_id::unknown_03': unknown_03
            'subpacket_id::chat': chat
            'subpacket_id::filler': filler
            'subpacket_id::filler_07': filler_07
            'subpacket_id::loading_started': loading_started
            'subpacket_id::build_started': build_started
            'subpacket_id::unknown_0a': unknown_0a
            'subpacket_id::damage': damage
            'subpacket_id::death': death
            'subpacket_id::shot': shot
            'subpacket_id::impact': impact
            'subpacket_id::feature': feature
            'subpacket_id::script': script
            'subpacket_id::unit_state': unit_state
            'subpacket_id::build_finished': build_finished
            'subpacket_id::sound': sound
            'subpacket_id::give_unit': give_unit
            'subpacket_id::start': start
            'subpacket_id::share': share
            'subpacket_id::unknown_17': unknown_17
            'subpacket_id::host_migration': host_migration
            'subpacket_id::speed': speed
            'subpacket_id::unit_data': unit_data
            'subpacket_id::reject': reject
            'subpacket_id::unknown_1c': unknown_1c
            'subpacket_id::unknown_1d': unknown_1d
            'subpacket_id::player_ready': player_ready
            'subpacket_id::unknown_1f': unknown_1f
            'subpacket_id::player_info': player_info
            'subpacket_id::unknown_21': unknown_21
            'subpacket_id::player_number': player_number
            'subpacket_id::alliance': alliance
            'subpacket_id::team': team
            'subpacket_id::unknown_25': unknown_25
            'subpacket_id::roster': roster
            'subpacket_id::unknown_27': unknown_27
            'subpacket_id::resources': resources
            'subpacket_id::snapshot_ack': snapshot_ack
            'subpacket_id::loading': loading
            'subpacket_id::unit_sync': unit_sync
            'subpacket_id::command': command
            'subpacket_id::extended': extended
            'subpacket_id::unknown_f6': unknown_f6
            'subpacket_id::enemy_chat': enemy_chat
            'subpacket_id::recorder_mark': recorder_mark
            'subpacket_id::recorder_data': recorder_data
            'subpacket_id::camera': camera
            'subpacket_id::sync_elided': sync_elided
            'subpacket_id::sync_base': sync_base
            'subpacket_id::sync_idle': sync_idle
            _: undecodable
  padding:
    doc: The rest of a run of zero bytes; the whole run is one subpacket.
    seq:
      - id: start_marker
        size: 0
        if: ofs_start >= 0
        doc: No bytes; pins the offset that the peek needs.
      - id: more
        type: zero_byte
        repeat: until
        repeat-until: _.is_last
        if: starts_with_zero
    instances:
      ofs_start:
        value: _io.pos
      num_left:
        value: _io.size - ofs_start
      next_byte:
        pos: ofs_start
        type: u1
        if: num_left > 0
        doc: The byte behind the id.
      starts_with_zero:
        value: 'num_left > 0 and next_byte == 0'
  zero_byte:
    doc: One zero byte and a look at the byte behind it.
    seq:
      - id: reserved
        contents: [0]
      - id: end_marker
        size: 0
        if: ofs_end >= 0
        doc: No bytes; pins the offset that the peek needs.
    instances:
      ofs_end:
        value: _io.pos
      next_byte:
        pos: ofs_end
        type: u1
        if: ofs_end < _io.size
        doc: The byte behind this one.
      is_last:
        value: 'ofs_end >= _io.size or next_byte != 0'
  ping:
    doc: Times two peers exchange to learn their delay (13 bytes).
    doc-ref: fact sheet tad-format, 5. Subpacket fields, 02
    seq:
      - id: time_requested
        type: u4
        doc: Tick count of the asking machine.
      - id: time_answered
        type: u4
        doc: Tick count of the answering machine; 0 in a request.
      - id: requester
        type: u4
        doc: Transport identity of the player who asked.
  unknown_03:
    doc: |
      Never seen. The recorder splits it at 7 bytes, the game's own table says
      3.
    doc-ref: seed 004, 6. Subpacket taxonomy, length strata
    seq:
      - id: reserved
        size: 6
  chat:
    doc: |
      A chat line `<name> text`, private. 64 bytes padded with NUL; an older
      recorder could store longer ones: when the last of the 64 bytes is not
      NUL, the text is the rest of the stream, less a camera subpacket of 5
      bytes at the end.
    doc-ref: seed 004, 6. Subpacket taxonomy, 0x05
    seq:
      - id: start_marker
        size: 0
        if: ofs_start >= 0
        doc: No bytes; pins the offset that the peek needs.
      - id: text
        size: len_text
        type: strz
    instances:
      ofs_start:
        value: _io.pos
      num_left:
        value: _io.size - ofs_start
      last_byte:
        pos: ofs_start + 63
        type: u1
        if: num_left >= 64
        doc: The last of the 64 bytes.
      tail_id:
        pos: _io.size - 5
        type: u1
        if: num_left >= 69
      is_overflow:
        value: 'num_left >= 64 and last_byte != 0'
        doc: Whether the text runs past its 64 bytes.
      len_text:
        value: >-
          num_left < 64 ? num_left :
          not is_overflow ? 64 :
          (num_left >= 69 and tail_id == 0xfc) ? num_left - 5 : num_left
  filler:
    doc: One byte without meaning, used to fill packets.
  filler_07:
    doc: One byte without meaning, used to fill packets.
  loading_started:
    doc: The sender begins to load the map.
  build_started:
    doc: |
      A unit begins to be (23 bytes). It may be sent twice for one unit. The
      first of each player is the commander. The positions are 16.16 fixed
      point from offset 5; readers that took 32-bit words at 7, 11 and 15 saw
      the whole part of one coordinate below the fraction of the next, which
      is the same number where fractions are zero.
    doc-ref:
      - seed 004, 6. Subpacket taxonomy, 0x09
      - fact sheet tad-format, 5. Subpacket fields, 09
    seq:
      - id: unit_type
        type: u2
        doc: Index in the sorted unit table, from 1.
      - id: unit_id
        type: u2
      - id: x
        type: s4
        doc: East, 16.16 fixed point, world units.
      - id: y
        type: s4
        doc: Up, 16.16 fixed point, world units.
      - id: z
        type: s4
        doc: South, 16.16 fixed point, world units.
      - id: rotation_x
        type: s2
        doc: 65,536 to a turn.
      - id: rotation_y
        type: s2
        doc: 65,536 to a turn.
      - id: rotation_z
        type: s2
        doc: 65,536 to a turn.
  unknown_0a:
    doc: Names a unit and, in every file seen, `00 00 ff 01` (7 bytes).
    doc-ref: fact sheet tad-format, 5. Subpacket fields, 0a
    seq:
      - id: unit_id
        type: u2
      - id: tail
        size: 4
        doc: Meaning unknown.
  damage:
    doc: Damage, paralysis or healing of one unit (9 bytes).
    doc-ref: seed 004, 6.1 Damage record
    seq:
      - id: victim
        type: u2
        doc: Unit id; receivers reject 0.
      - id: attacker
        type: u2
        doc: Unit id, 0 for no attacker.
      - id: amount
        type: u2
        doc: |
          Low word of the scaled amount: signed for ordinary damage, unsigned
          for paralysis and healing.
      - id: direction
        type: u1
        doc: High byte of the angle of impact, relative to the victim.
      - id: kind
        type: u1
        enum: damage_kind
  death:
    doc: A unit dies (11 bytes).
    doc-ref: seed 004, 6.2 Death record
    seq:
      - id: victim
        type: u2
        doc: Unit id.
      - id: attacker_player
        type: u4
        doc: Transport identity of the killer; all ones for none.
      - id: attacker
        type: u2
        doc: Unit id of the killer; may be 0.
      - id: severity
        type: s1
        doc: Severity of the death, 0 to 100, for scripts and the corpse.
      - id: cause_level
        type: u1
        doc: Cause in the high four bits, level of the corpse in the low four.
    instances:
      cause:
        value: cause_level >> 4
        doc: 4, 5 and 9 leave no corpse; 7 forces level 1.
      corpse_level:
        value: cause_level & 15
  shot:
    doc: |
      A projectile is made (36 bytes). For meteor weapons the second triple is
      a velocity and the fields behind the weapon are not set; only the weapon
      table tells which weapons those are.
    doc-ref: seed 004, 6.3 Projectile creation and impact
    seq:
      - id: origin_x
        type: s4
        doc: 16.16 fixed point, world units.
      - id: origin_y
        type: s4
        doc: 16.16 fixed point, world units.
      - id: origin_z
        type: s4
        doc: 16.16 fixed point, world units.
      - id: target_x
        type: s4
        doc: 16.16 fixed point; a velocity for meteor weapons.
      - id: target_y
        type: s4
        doc: 16.16 fixed point; a velocity for meteor weapons.
      - id: target_z
        type: s4
        doc: 16.16 fixed point; a velocity for meteor weapons.
      - id: weapon
        type: u1
        doc: Authored id of the weapon.
      - id: flags
        type: u1
        doc: Bit 0 says interceptor; the other bits are not initialised.
      - id: yaw
        type: u2
        doc: Angle of the weapon slot, 65,536 to a turn.
      - id: pitch
        type: u2
        doc: Angle of the weapon slot, 65,536 to a turn.
      - id: target_unit
        type: u2
        doc: Unit id, 0 for a point on the ground.
      - id: shooter
        type: u2
        doc: Unit id.
      - id: weapon_slot
        type: u1
        doc: Slot of the weapon on the shooter, from 0.
  impact:
    doc: |
      A projectile ends (14 bytes): the receiver takes the first projectile
      with this target and weapon. It holds no radius.
    doc-ref: seed 004, 6.3 Projectile creation and impact
    seq:
      - id: x
        type: s4
        doc: 16.16 fixed point, world units.
      - id: y
        type: s4
        doc: 16.16 fixed point, world units.
      - id: z
        type: s4
        doc: 16.16 fixed point, world units.
      - id: weapon
        type: u1
        doc: Authored id of the weapon.
  feature:
    doc: A map feature dies, burns, is reclaimed or damaged (6 bytes).
    doc-ref: seed 004, 6.4 Feature record
    seq:
      - id: code
        type: u1
        enum: feature_code
        doc: What happens; any other value is the id of the damaging weapon.
      - id: tile_x
        type: u2
      - id: tile_z
        type: u2
  script:
    doc: Starts an authored script of a unit (22 bytes).
    doc-ref: seed 004, 6.5 Script record
    seq:
      - id: unit_id
        type: u2
      - id: script
        type: s2
        doc: Index of the script in the unit's own table.
      - id: num_arguments
        type: u1
        doc: How many of the four words count.
      - id: argument1
        type: s4
        doc: A whole word; all four are sent.
      - id: argument2
        type: s4
        doc: A whole word.
      - id: argument3
        type: s4
        doc: A whole word.
      - id: argument4
        type: s4
        doc: A whole word.
  unit_state:
    doc: A unit is switched (4 bytes).
    doc-ref: seed 004, 6. Subpacket taxonomy, 0x11
    seq:
      - id: unit_id
        type: u2
      - id: state
        type: u1
        enum: unit_state_value
  build_finished:
    doc: A unit is complete (5 bytes).
    doc-ref: seed 004, 6. Subpacket taxonomy, 0x12
    seq:
      - id: unit_id
        type: u2
      - id: builder
        type: u2
        doc: Unit id of the builder.
  sound:
    doc: |
      Plays a sound (18 bytes). Tables of other readers say 19, which comes
      from the tail of a script subpacket; no file holds a real one.
    doc-ref: seed 004, 6. Subpacket taxonomy, 0x13
    seq:
      - id: selector
        type: u1
        doc: The position counts only when this is 0.
      - id: sound
        type: s4
        doc: Which sound.
      - id: x
        type: s4
        doc: 16.16 fixed point, world units.
      - id: y
        type: s4
        doc: 16.16 fixed point, world units.
      - id: z
        type: s4
        doc: 16.16 fixed point, world units.
  give_unit:
    doc: A unit goes to another player (24 bytes), known in part.
    doc-ref: fact sheet tad-format, 5. Subpacket fields, 14
    seq:
      - id: unit_id
        type: u2
      - id: new_owner
        type: u4
        doc: Transport identity.
      - id: reserved1
        size: 4
        doc: Meaning unknown.
      - id: health
        type: u2
      - id: reserved2
        size: 11
        doc: Meaning unknown.
  start:
    doc: The game starts.
  share:
    doc: Metal or energy goes to another player (17 bytes).
    doc-ref: fact sheet tad-format, 5. Subpacket fields, 16
    seq:
      - id: kind
        type: u4
        enum: resource_kind
        doc: The seed says one byte; three zero bytes follow it in every file.
      - id: sender
        type: u4
        doc: Transport identity.
      - id: receiver
        type: u4
        doc: Transport identity.
      - id: amount
        type: f4
        doc: How much of it.
  unknown_17:
    doc: Meaning unknown (2 bytes).
    seq:
      - id: value
        type: u1
        doc: Meaning unknown.
  host_migration:
    doc: Another player becomes host (2 bytes).
    seq:
      - id: number
        type: u1
        doc: Number of the new host.
  speed:
    doc: Pause and game speed (3 bytes).
    doc-ref:
      - seed 004, 9. Time model
      - fact sheet tad-format, 5. Subpacket fields, 19
    seq:
      - id: kind
        type: u1
        enum: speed_kind
      - id: value
        type: u1
        doc: For a pause 1 on, 0 off; for a speed its value plus 10.
  unit_data:
    doc: |
      One step of the negotiation of unit types (14 bytes): which keys both
      sides have, with which checksum, and which are used.
    doc-ref: seed 004, 7. Unit sync, catalog provenance
    seq:
      - id: sub
        type: u1
        enum: unit_data_sub
      - id: fill
        type: u4
        doc: 0, except in sub 9, where it is a CRC-32 of the header records.
      - id: key
        type: u4
        doc: Compatibility key of the unit type; all ones in sub 9.
      - id: value
        type: u4
        doc: |
          Sub 2: checksum of the content. Sub 3: selected, compatible and the
          unit limit. Sub 4: a counter.
    instances:
      is_selected:
        value: value & 0xff
        if: sub == unit_data_sub::status
      is_compatible:
        value: (value >> 8) & 0xff
        if: sub == unit_data_sub::status
      unit_limit:
        value: value >> 16
        if: sub == unit_data_sub::status
        doc: 0xffff for no limit.
  reject:
    doc: A player leaves or is dropped (6 bytes).
    doc-ref: fact sheet tad-format, 5. Subpacket fields, 1b
    seq:
      - id: player
        type: u4
        doc: Transport identity.
      - id: reason
        type: u1
        enum: reject_reason
  unknown_1c:
    doc: Only in the game's own length table (5 bytes).
    seq:
      - id: reserved
        size: 4
  unknown_1d:
    doc: Only in the game's own length table (9 bytes).
    seq:
      - id: reserved
        size: 8
  player_ready:
    doc: A player is ready to start (2 bytes).
    seq:
      - id: ordinal
        type: u1
        doc: The ordinal of the player plus 1.
  unknown_1f:
    doc: Meaning unknown (5 bytes).
    seq:
      - id: reserved
        size: 4
  player_info:
    doc: |
      What a player set up in the lobby (186 bytes). Recorders store it with
      the player's team (0x24) behind it, 6 bytes that the seed counts as part
      of a record of 192: its `player2Id @187` is that team's player.
    doc-ref:
      - seed 004, 4. Player and status records
      - fact sheet tad-format, 0. The five facts
    seq:
      - id: map_name
        size: 139
        type: strz
        doc: Bytes behind the NUL are not defined.
      - id: width
        type: u2
        doc: Width of the player's screen in the files seen, not of the map.
      - id: height
        type: u2
        doc: Height of the player's screen in the files seen, not of the map.
      - id: reserved1
        size: 1
        doc: Meaning unknown.
      - id: player
        type: u4
        doc: Transport identity of the player.
      - id: player_kind
        type: u1
        doc: 2 for a computer player.
      - id: side
        type: u1
        enum: side
      - id: color
        type: u1
        doc: The true colour; that of the player record may be a number only.
      - id: reserved2
        size: 4
        doc: Meaning unknown.
      - id: flags
        type: u1
        doc: 0x20 clicked in, 0x40 watcher, 0x80 watching is allowed.
      - id: options
        type: u1
        doc: |
          0x06 line of sight, 0x01 unmapped, 0x18 how the game ends, 0x20
          cheats.
      - id: reserved3
        size: 8
        doc: Meaning unknown.
      - id: max_units
        type: u2
        doc: Units a player may own.
      - id: version_major
        type: u1
      - id: version_minor
        type: u1
      - id: map_hash
        type: u4
      - id: reserved4
        size: 12
        doc: Meaning unknown.
    instances:
      is_clicked_in:
        value: (flags & 0x20) != 0
      is_watcher:
        value: (flags & 0x40) != 0
      is_watching_allowed:
        value: (flags & 0x80) != 0
      is_cheating_allowed:
        value: (options & 0x20) != 0
  unknown_21:
    doc: Meaning unknown (10 bytes).
    seq:
      - id: reserved
        size: 9
  player_number:
    doc: Gives a player a number (6 bytes).
    seq:
      - id: player
        type: u4
        doc: Transport identity.
      - id: number
        type: u1
  alliance:
    doc: A player allies with another, or ends it (14 bytes).
    doc-ref: seed 004, 6. Subpacket taxonomy, 0x23
    seq:
      - id: sender
        type: u4
        doc: Transport identity.
      - id: receiver
        type: u4
        doc: Transport identity.
      - id: is_allied
        type: u1
      - id: is_allied_back
        type: u4
        doc: State of the other direction.
  team:
    doc: Puts a player into a team (6 bytes).
    seq:
      - id: player
        type: u4
        doc: Transport identity.
      - id: team
        type: u1
        doc: 0 to 4; 5 for none.
  unknown_25:
    doc: Only in the game's own length table (5 bytes).
    seq:
      - id: reserved
        size: 4
  roster:
    doc: Transport identities of the ten seats (41 bytes).
    seq:
      - id: players
        type: u4
        repeat: expr
        repeat-expr: 10
  unknown_27:
    doc: Only in the game's own length table (17 bytes).
    seq:
      - id: reserved
        size: 16
  resources:
    doc: |
      Score and economy of the sender (58 bytes), every 120 ticks, once for
      each other player.
    doc-ref: seed 004, 8. Participant resource and score snapshot
    seq:
      - id: wants_reply
        type: u1
        doc: Asks for an acknowledgement (0x29).
      - id: kills
        type: s4
      - id: losses
        type: s4
      - id: commander_kills
        type: s4
      - id: commander_losses
        type: s4
      - id: metal
        type: f4
      - id: energy
        type: f4
      - id: metal_capacity
        type: f4
      - id: energy_capacity
        type: f4
      - id: energy_produced
        type: f4
        doc: Total since the start.
      - id: energy_requested
        type: f4
        doc: Total since the start, asked for rather than paid.
      - id: energy_wasted
        type: f4
        doc: Total since the start.
      - id: metal_produced
        type: f4
        doc: Total since the start.
      - id: metal_requested
        type: f4
        doc: Total since the start, asked for rather than paid.
      - id: metal_wasted
        type: f4
        doc: Total since the start.
  snapshot_ack:
    doc: Answers a snapshot that asked for it (3 bytes).
    doc-ref: seed 004, 8. Snapshot request and acknowledgement
    seq:
      - id: is_acknowledged
        type: u1
        doc: 0 makes the receiver ignore both.
      - id: is_seen
        type: u1
        doc: Whether the peer's own acknowledgement was seen.
  loading:
    doc: Progress of loading (2 bytes); 100 fills packets emptied by recorders.
    seq:
      - id: percent
        type: u1
  unit_sync:
    doc: |
      State of the sender's units at one tick, a bit stream. Its first bytes
      are those of `tad_unit_sync`, which opens a whole one.
    doc-ref: seed 004, 7. Unit sync
    seq:
      - id: len_subpacket
        type: u2
        valid:
          min: 7
        doc: Bytes of the whole subpacket, id included.
      - id: tick
        type: u4
      - id: body
        size: len_subpacket - 7
  command:
    doc: |
      In the middle of a packet 9 bytes without known meaning. At its start,
      with text behind it, a command that the recorder's owner typed
      (`.sharelos`): 0x2e is the full stop, and the text fills the packet.
      Private.
    doc-ref: fact sheet tad-format, 8. Quirks to accept
    seq:
      - id: start_marker
        size: 0
        if: ofs_start >= 0
        doc: No bytes; pins the offset that the peek needs.
      - id: text
        size: 'is_text ? _io.size - ofs_start : 8'
    instances:
      ofs_start:
        value: _io.pos
      first_byte:
        pos: ofs_start
        type: u1
        if: ofs_start < _io.size
        doc: The byte behind the id.
      is_text:
        value: >-
          ofs_start == 1 and _io.size > 1 and first_byte >= 0x20 and
          first_byte < 0x7f
  extended:
    doc: An extension of a later patch, never seen.
    doc-ref: seed 004, 6. Subpacket taxonomy, 0x42
    seq:
      - id: len_body
        type: u2
      - id: body
        size: len_body
  unknown_f6:
    doc: Meaning unknown (1 byte).
  enemy_chat:
    doc: |
      Chat to an enemy, relayed by the recorder (73 bytes), private. First
      versions of the recorder wrote shorter and longer ones.
    seq:
      - id: sender
        type: u4
        doc: Transport identity.
      - id: receiver
        type: u4
        doc: Transport identity.
      - id: line
        type: chat
        doc: Ends as a line of chat does.
  recorder_mark:
    doc: Mark of the recorder or replayer (1 byte).
  recorder_data:
    doc: |
      Data between recorders. A first version had no length byte and filled
      the packet.
    doc-ref: fact sheet tad-format, 4. Length table, fb
    seq:
      - id: len_data
        -walk-bias: 3
        type: u1
        doc: Bytes behind the subtype.
      - id: subtype
        type: u1
        enum: recorder_subtype
      - id: data
        size: len_data
        doc: What it holds depends on the subtype.
  camera:
    doc: |
      Where the recording player looks (5 bytes): for showing only, never to
      be taken for play.
    seq:
      - id: x
        type: u2
        doc: Corner of the screen, world units.
      - id: y
        type: u2
        doc: Corner of the screen, world units.
  sync_elided:
    doc: |
      A unit sync without its tick; the tick is the sender's counter, which
      goes up by one.
    doc-ref: seed 004, 7. Unit sync, smartpak
    seq:
      - id: len_expanded
        -walk-bias: -4
        type: u2
        valid:
          min: 7
        doc: |
          Bytes of the unit sync with its tick, id included; four more than
          are stored here.
      - id: body
        size: len_expanded - 7
  sync_base:
    doc: Sets the tick counter of the sender (5 bytes).
    doc-ref: seed 004, 7. Unit sync, smartpak
    seq:
      - id: tick
        type: u4
  sync_idle:
    doc: |
      A unit sync of 11 bytes, which says that nothing moves and the scheduled
      slot is empty; takes one tick.
    doc-ref: seed 004, 7. Unit sync, smartpak
  undecodable:
    doc: |
      An id without a known length ends what can be read; the rest of the
      stream is kept as it is.
    seq:
      - id: rest
        size-eos: true
        doc: Everything up to the end of the stream.
enums:
  subpacket_id:
    0x00:
      id: padding
      doc: A run of zero bytes.
    0x02: ping
    0x03: unknown_03
    0x05: chat
    0x06: filler
    0x07: filler_07
    0x08: loading_started
    0x09: build_started
    0x0a: unknown_0a
    0x0b: damage
    0x0c: death
    0x0d: shot
    0x0e: impact
    0x0f: feature
    0x10: script
    0x11: unit_state
    0x12: build_finished
    0x13: sound
    0x14: give_unit
    0x15: start
    0x16: share
    0x17: unknown_17
    0x18: host_migration
    0x19: speed
    0x1a: unit_data
    0x1b: reject
    0x1c: unknown_1c
    0x1d: unknown_1d
    0x1e: player_ready
    0x1f: unknown_1f
    0x20: player_info
    0x21: unknown_21
    0x22: player_number
    0x23: alliance
    0x24: team
    0x25: unknown_25
    0x26: roster
    0x27: unknown_27
    0x28: resources
    0x29: snapshot_ack
    0x2a: loading
    0x2c: unit_sync
    0x2e: command
    0x42: extended
    0xf6: unknown_f6
    0xf9: enemy_chat
    0xfa: recorder_mark
    0xfb: recorder_data
    0xfc: camera
    0xfd:
      id: sync_elided
      doc: A unit sync without its tick.
    0xfe:
      id: sync_base
      doc: Sets the tick.
    0xff:
      id: sync_idle
      doc: An idle unit sync.
  damage_kind:
    1: weapon
    2: paralyse
    6:
      id: cargo
      doc: Damage of a carrier handed down to its cargo.
    10: heal
  feature_code:
    0xfd: death
    0xfe: ignite
    0xff: reclaim
  unit_state_value:
    0: inactive
    1: active
    9:
      id: factory_building
      doc: A factory at work.
  resource_kind:
    2: metal
  speed_kind:
    0: pause
    1: speed
  unit_data_sub:
    0: reset
    1: count
    2:
      id: checksum
      doc: A key with the checksum of its content.
    3:
      id: status
      doc: A key that is used, or not.
    4: acknowledge
    9:
      id: recorder
      doc: The recorder's checksum of the header records.
  reject_reason:
    1: left
    6: dropped
  side:
    0: arm
    1: core
    2: watcher
  recorder_subtype:
    0: marker_text
    1: warp
    2: cheat_flags
    3: share_los
    4: battleroom_state
    5: mod_info
