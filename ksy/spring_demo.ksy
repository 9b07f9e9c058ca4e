meta:
  id: spring_demo
  title: Spring or Recoil demo file (decompressed)
  application: Spring RTS engine, Recoil engine
  file-extension:
    - sdf
    - sdfz
  tags:
    - game
    - replay
  license: CC0-1.0
  ks-version: "0.11"
  imports:
    - spring_packet
  encoding: UTF-8
  endian: le
doc: |
  A recorded game of a Spring (Recoil) engine game, as the engine writes it
  before compression. An `.sdfz` is this inside gzip: `ksreplay unwrap` takes it
  out so that the file opens here.

  | part              | size                                     |
  |-------------------|------------------------------------------|
  | header            | `len_header`                             |
  | start script      | `len_script`                             |
  | stream            | `len_stream`, or up to the end of file   |
  | winners           | 1 byte each, nothing when there are no teams |
  | player statistics | `num_players` x `len_player_stat`        |
  | team statistics   | 4 bytes a team, then all samples         |

  The stream says what players asked for, not what happened: a cancelled order is
  in it and a building that was finished is not.
doc-ref:
  - Coilbox, Replay data sources, "What is in a replay file" and "The trailer"
  - https://github.com/beyond-all-reason/RecoilEngine rts/System/LoadSave/demofile.h
seq:
  - id: header
    type:
      switch-on: layout
      cases:
        1: header_v1
        3: header_v3
        4: header_v4
        5: header_v5
instances:
  version:
    pos: 16
    type: s4
    doc: Version of the header.
  len_header:
    pos: 20
    type: s4
    doc: Where the script starts.
  layout:
    value: 'version == 2 ? (len_header == 116 ? 3 : 4) : version'
    doc: Which header type is read; version 2 had the fields of 3 or of 4.
  len_script:
    value: >-
      layout == 5 ? header.as<header_v5>.len_script :
      (layout == 4 ? header.as<header_v4>.len_script :
      (layout == 3 ? header.as<header_v3>.len_script : header.as<header_v1>.len_script))
  len_stream:
    value: >-
      layout == 5 ? header.as<header_v5>.len_stream :
      (layout == 4 ? header.as<header_v4>.len_stream :
      (layout == 3 ? header.as<header_v3>.len_stream : header.as<header_v1>.len_stream))
  num_players:
    value: >-
      layout == 5 ? header.as<header_v5>.num_players :
      (layout == 4 ? header.as<header_v4>.num_players :
      (layout == 3 ? header.as<header_v3>.num_players : header.as<header_v1>.num_players))
  num_teams:
    value: >-
      layout == 5 ? header.as<header_v5>.num_teams :
      (layout == 4 ? header.as<header_v4>.num_teams :
      (layout == 3 ? header.as<header_v3>.num_teams : header.as<header_v1>.num_teams))
  len_player_stat:
    value: >-
      layout == 5 ? header.as<header_v5>.len_player_stat :
      (layout == 4 ? header.as<header_v4>.len_player_stat :
      (layout == 3 ? header.as<header_v3>.len_player_stat : header.as<header_v1>.len_player_stat))
  len_player_stats:
    value: >-
      layout == 5 ? header.as<header_v5>.len_player_stats :
      (layout == 4 ? header.as<header_v4>.len_player_stats :
      (layout == 3 ? header.as<header_v3>.len_player_stats : header.as<header_v1>.len_player_stats))
  len_team_stat:
    value: >-
      layout == 5 ? header.as<header_v5>.len_team_stat :
      (layout == 4 ? header.as<header_v4>.len_team_stat :
      (layout == 3 ? header.as<header_v3>.len_team_stat : header.as<header_v1>.len_team_stat))
  len_team_stats:
    value: >-
      layout == 5 ? header.as<header_v5>.len_team_stats :
      (layout == 4 ? header.as<header_v4>.len_team_stats :
      (layout == 3 ? header.as<header_v3>.len_team_stats : header.as<header_v1>.len_team_stats))
  engine_text:
    pos: 24
    size: 'layout == 5 ? 256 : 16'
    type: version_text
    doc: The version text, split into its numbers.
  engine:
    value: 'engine_text.number'
    doc: Engine number that picks the layouts, see spring_packet.
  ofs_stream:
    value: 'len_header + len_script'
    doc: From the start of the file.
  is_crashed:
    value: 'len_stream == 0'
    doc: |
      The recorder never finished: no trailer, the stream ends with the file.
  ofs_trailer:
    value: 'is_crashed ? _io.size : ofs_stream + len_stream'
    doc: From the start of the file.
  script:
    pos: len_header
    size: len_script
    type: str
    doc: |
      Setup of the game as TDF text. The engine loads the copy in the GAMEDATA
      packet.
  stream:
    pos: ofs_stream
    size: 'ofs_trailer - ofs_stream'
    type: stream
  first_chunks:
    pos: ofs_stream
    type: chunk_pair
    if: 'ofs_trailer > ofs_stream + 16'
    doc: The first two chunks, to look at the second.
  is_client:
    value: >-
      ofs_trailer > ofs_stream + 16 and first_chunks.second.len_packet > 0 and
      first_chunks.second.packet.id == 5
    doc: |
      A client made the recording: its second packet is SETPLAYERNUM.
  num_winning_ally_teams:
    value: >-
      is_crashed or num_teams == 0 ? 0 :
      (layout == 5 ? header.as<header_v5>.len_winning_ally_teams :
      (layout == 4 and header.as<header_v4>.winning_ally_team > 0 and
      _io.size - ofs_trailer - len_player_stats - len_team_stats == header.as<header_v4>.winning_ally_team ?
      header.as<header_v4>.winning_ally_team : 0))
    doc: |
      Nothing is stored when num_teams is 0, whatever the header says. In
      development builds between 0.82 and 83 the last field of header version 4
      counts the winners of the trailer: there the file is longer by that much.
  winning_ally_teams:
    pos: ofs_trailer
    type: u1
    repeat: expr
    repeat-expr: num_winning_ally_teams
    if: 'not is_crashed'
    doc: Ally teams that have won.
  player_statistics_layout:
    value: '(engine < 940000 ? 0 : 1) + (is_client or layout != 5 ? 0 : 2)'
    doc: |
      0 and 2 mouse first, 1 and 3 orders first; 2 and 3 big-endian. Server
      recordings hold these records byte-swapped. Which it is follows from the
      kind of recording here; ksreplay compares with the PLAYERSTAT packets
      first.
  player_statistics:
    pos: 'ofs_trailer + num_winning_ally_teams'
    size: len_player_stat
    type: player_record
    repeat: expr
    repeat-expr: num_players
    if: 'not is_crashed and len_player_stats > 0'
    doc: One record a player, by player number.
  team_statistics:
    pos: 'ofs_trailer + num_winning_ally_teams + len_player_stats'
    size: len_team_stats
    type: team_statistics
    if: 'not is_crashed and len_team_stats > 0'
types:
  version_text:
    doc: |
      The numbers of a version text such as `104.0.1-1707-gc0fc18e BAR`, and the
      one number that layouts are chosen by.
    seq:
      - id: parts
        type: version_part
        repeat: until
        repeat-until: (_.terminator != 0x2e and _.terminator != 0x2d) or _io.eof
        doc: Runs of digits, up to the first that ends in neither a dot nor a dash.
    instances:
      p1:
        value: 'has_second ? parts[1].number : 0'
        doc: Second number.
      p2:
        value: 'has_third ? parts[2].number : 0'
        doc: Third number.
      is_old:
        value: 'parts[0].num_digits == 1 and parts[0].number == 0'
        doc: Engines before 83 counted 0.76, 0.77 up to 0.82.
      release:
        value: 'is_old ? p1 : parts[0].number'
        doc: The number of the release, such as 82, 104, 2025.
      has_second:
        value: parts.size > 1 and parts[0].terminator == 0x2e
        doc: A dot and a second number follow the first.
      has_third:
        value: has_second and parts.size > 2 and parts[1].terminator == 0x2e
        doc: A dot and a third number follow.
      has_fourth:
        value: has_third and parts.size > 3 and parts[2].terminator == 0x2e
        doc: A dot and a fourth number follow.
      commits:
        value: >-
          parts.size > 1 and parts[0].terminator == 0x2d ? parts[1].number :
          (has_second and parts.size > 2 and parts[1].terminator == 0x2d ? parts[2].number :
          (has_third and parts.size > 3 and parts[2].terminator == 0x2d ? parts[3].number :
          (has_fourth and parts.size > 4 and parts[3].terminator == 0x2d ? parts[4].number : 0)))
        doc: Commits since the release, for builds between releases.
      is_known:
        value: parts[0].num_digits > 0 and parts[0].num_digits < 5 and (not is_old or p1 > 0)
        doc: The text starts with a number of a sensible size.
      number:
        value: >-
          not is_known ? 99999999 :
          (is_old ? p1 * 10000 + (p2 > 99 ? 99 : p2) * 100 :
          (release >= 1000 ? release * 10000 + (p1 > 99 ? 99 : p1) * 100 + (p2 > 99 ? 99 : p2) :
          release * 10000 + (commits > 9999 ? 9999 : commits)))
        doc: Engine number, see spring_packet.
  version_part:
    doc: A run of digits and the byte that ends it.
    seq:
      - id: chars
        type: u1
        repeat: until
        repeat-until: _ < 0x30 or _ > 0x39 or _io.eof
        doc: The digits and the byte after them.
    instances:
      terminator:
        value: chars.last
        doc: The byte after the digits.
      num_digits:
        value: chars.size - 1
      number:
        value: >-
          (num_digits > 0 ? chars[num_digits - 1] - 48 : 0) +
          (num_digits > 1 ? chars[num_digits - 2] - 48 : 0) * 10 +
          (num_digits > 2 ? chars[num_digits - 3] - 48 : 0) * 100 +
          (num_digits > 3 ? chars[num_digits - 4] - 48 : 0) * 1000
        doc: Value of the last four digits.
  header_v1:
    doc: Header version 1, 128 bytes. Engines 0.76b1.
    seq:
      - id: magic
        contents: ["spring demofile", 0]
      - id: version
        type: s4
        doc: Version of this header.
      - id: len_header
        type: s4
        doc: |
          Where the script starts. More than the size of the fields that are
          known here means fields that are not: skip them.
      - id: engine_version
        size: 16
        type: strz
        doc: Version text of the engine, padded with NULs.
      - id: game_id
        size: 16
        doc: |
          The same for every recorder of one game; the GAMEID packet repeats
          it.
      - id: unix_time
        type: u8
        doc: Start of the recording, seconds since 1970, UTC.
      - id: ofs_script
        type: s4
        doc: From the start of the file.
      - id: len_script
        type: s4
      - id: ofs_stream
        type: s4
        doc: From the start of the file.
      - id: len_stream
        type: s4
        doc: |
          Bytes of the stream with its chunk headers. 0 when the recorder
          crashed or still runs: the stream then goes on to the end of the
          file and no trailer follows.
      - id: game_seconds
        type: s4
        doc: |
          A server writes its last frame / 30, a client the frame of the game
          over / 30, or 0 without one.
      - id: wallclock_seconds
        type: s4
        doc: |
          A server counts real seconds since its start, a client its game
          clock.
      - id: num_players
        type: s4
        doc: Spectators and those who joined late included.
      - id: ofs_player_stats
        type: s4
        doc: From the start of the file.
      - id: len_player_stats
        type: s4
      - id: len_player_stat
        type: s4
        doc: |
          Bytes from one record to the next; may be more than is known here.
      - id: num_teams
        type: s4
        doc: |
          A client writes the number of teams without Gaia, a server one less
          than that.
      - id: ofs_team_stats
        type: s4
        doc: From the start of the file.
      - id: len_team_stats
        type: s4
        doc: All sample counts and all samples.
      - id: len_team_stat
        type: s4
        doc: |
          Bytes from one sample to the next; may be more than is known here.
      - id: team_stat_period
        type: s4
        doc: Seconds between two samples.
      - id: winning_ally_team
        type: s4
        doc: -1 is none.
  header_v3:
    doc: Header version 3, 116 bytes. Engines 0.77b1 to 0.78.
    seq:
      - id: magic
        contents: ["spring demofile", 0]
      - id: version
        type: s4
        doc: Version of this header.
      - id: len_header
        type: s4
        doc: |
          Where the script starts. More than the size of the fields that are
          known here means fields that are not: skip them.
      - id: engine_version
        size: 16
        type: strz
        doc: Version text of the engine, padded with NULs.
      - id: game_id
        size: 16
        doc: |
          The same for every recorder of one game; the GAMEID packet repeats
          it.
      - id: unix_time
        type: u8
        doc: Start of the recording, seconds since 1970, UTC.
      - id: len_script
        type: s4
      - id: len_stream
        type: s4
        doc: |
          Bytes of the stream with its chunk headers. 0 when the recorder
          crashed or still runs: the stream then goes on to the end of the
          file and no trailer follows.
      - id: game_seconds
        type: s4
        doc: |
          A server writes its last frame / 30, a client the frame of the game
          over / 30, or 0 without one.
      - id: wallclock_seconds
        type: s4
        doc: |
          A server counts real seconds since its start, a client its game
          clock.
      - id: max_player_number
        type: s4
      - id: num_players
        type: s4
        doc: Spectators and those who joined late included.
      - id: len_player_stats
        type: s4
      - id: len_player_stat
        type: s4
        doc: |
          Bytes from one record to the next; may be more than is known here.
      - id: num_teams
        type: s4
        doc: |
          A client writes the number of teams without Gaia, a server one less
          than that.
      - id: len_team_stats
        type: s4
        doc: All sample counts and all samples.
      - id: len_team_stat
        type: s4
        doc: |
          Bytes from one sample to the next; may be more than is known here.
      - id: team_stat_period
        type: s4
        doc: Seconds between two samples.
      - id: winning_ally_team
        type: s4
        doc: -1 is none.
  header_v4:
    doc: Header version 4, 112 bytes. Engines 0.79.0 to 0.82.7.
    seq:
      - id: magic
        contents: ["spring demofile", 0]
      - id: version
        type: s4
        doc: Version of this header.
      - id: len_header
        type: s4
        doc: |
          Where the script starts. More than the size of the fields that are
          known here means fields that are not: skip them.
      - id: engine_version
        size: 16
        type: strz
        doc: Version text of the engine, padded with NULs.
      - id: game_id
        size: 16
        doc: |
          The same for every recorder of one game; the GAMEID packet repeats
          it.
      - id: unix_time
        type: u8
        doc: Start of the recording, seconds since 1970, UTC.
      - id: len_script
        type: s4
      - id: len_stream
        type: s4
        doc: |
          Bytes of the stream with its chunk headers. 0 when the recorder
          crashed or still runs: the stream then goes on to the end of the
          file and no trailer follows.
      - id: game_seconds
        type: s4
        doc: |
          A server writes its last frame / 30, a client the frame of the game
          over / 30, or 0 without one.
      - id: wallclock_seconds
        type: s4
        doc: |
          A server counts real seconds since its start, a client its game
          clock.
      - id: num_players
        type: s4
        doc: Spectators and those who joined late included.
      - id: len_player_stats
        type: s4
      - id: len_player_stat
        type: s4
        doc: |
          Bytes from one record to the next; may be more than is known here.
      - id: num_teams
        type: s4
        doc: |
          A client writes the number of teams without Gaia, a server one less
          than that.
      - id: len_team_stats
        type: s4
        doc: All sample counts and all samples.
      - id: len_team_stat
        type: s4
        doc: |
          Bytes from one sample to the next; may be more than is known here.
      - id: team_stat_period
        type: s4
        doc: Seconds between two samples.
      - id: winning_ally_team
        type: s4
        doc: -1 is none.
  header_v5:
    doc: Header version 5, 352 bytes. Engines 83.0 (November 2011) and later.
    seq:
      - id: magic
        contents: ["spring demofile", 0]
      - id: version
        type: s4
        doc: Version of this header.
      - id: len_header
        type: s4
        doc: |
          Where the script starts. More than the size of the fields that are
          known here means fields that are not: skip them.
      - id: engine_version
        size: 256
        type: strz
        doc: Version text of the engine, padded with NULs.
      - id: game_id
        size: 16
        doc: |
          The same for every recorder of one game; the GAMEID packet repeats
          it.
      - id: unix_time
        type: u8
        doc: Start of the recording, seconds since 1970, UTC.
      - id: len_script
        type: s4
      - id: len_stream
        type: s4
        doc: |
          Bytes of the stream with its chunk headers. 0 when the recorder
          crashed or still runs: the stream then goes on to the end of the
          file and no trailer follows.
      - id: game_seconds
        type: s4
        doc: |
          A server writes its last frame / 30, a client the frame of the game
          over / 30, or 0 without one.
      - id: wallclock_seconds
        type: s4
        doc: |
          A server counts real seconds since its start, a client its game
          clock.
      - id: num_players
        type: s4
        doc: Spectators and those who joined late included.
      - id: len_player_stats
        type: s4
      - id: len_player_stat
        type: s4
        doc: |
          Bytes from one record to the next; may be more than is known here.
      - id: num_teams
        type: s4
        doc: |
          A client writes the number of teams without Gaia, a server one less
          than that.
      - id: len_team_stats
        type: s4
        doc: All sample counts and all samples.
      - id: len_team_stat
        type: s4
        doc: |
          Bytes from one sample to the next; may be more than is known here.
      - id: team_stat_period
        type: s4
        doc: Seconds between two samples.
      - id: len_winning_ally_teams
        type: s4
        doc: |
          Bytes of winners. When num_teams is 0 none of them are in the file.
  stream:
    doc: The recorded network messages.
    seq:
      - id: chunks
        type: chunk
        repeat: eos
  chunk_head:
    doc: The fixed fields of a chunk.
    seq:
      - id: mod_game_time
        type: f4
        doc: Seconds since the recording began, the wait in the lobby included.
      - id: len_packet
        type: u4
        doc: Bytes of the message; 0 is legal and means nothing.
  chunk:
    doc: One network message with its time.
    seq:
      - id: mod_game_time
        type: f4
        doc: Seconds since the recording began, the wait in the lobby included.
      - id: len_packet
        type: u4
        doc: Bytes of the message; 0 is legal and means nothing.
      - id: packet
        size: len_packet
        type: packet
  chunk_pair:
    doc: Two chunks.
    seq:
      - id: first
        type: chunk
      - id: second
        type: chunk
  packet:
    doc: The bytes of one message. A message that breaks its layout costs only itself.
    instances:
      id:
        pos: 0
        type: u1
        if: _io.size > 0
        doc: The message's id, see spring_packet.
      message:
        pos: 0
        size-eos: true
        type: spring_packet::message(_root.engine)
        if: _io.size > 0
  player_record:
    doc: One player's counters; bytes beyond the known ones are not read.
    seq:
      - id: counters
        type:
          switch-on: _root.player_statistics_layout
          cases:
            0: spring_packet::player_statistics_mouse_first
            1: spring_packet::player_statistics
            2: player_statistics_mouse_first_be
            3: player_statistics_be
  player_statistics_be:
    doc: Counters of one player in a server recording, since engine 94.0.
    seq:
      - id: num_commands
        type: s4be
      - id: num_unit_commands
        type: s4be
        doc: Units that received them, added up.
      - id: mouse_pixels
        type: s4be
      - id: mouse_clicks
        type: s4be
      - id: key_presses
        type: s4be
  player_statistics_mouse_first_be:
    doc: Counters of one player in a server recording, up to engine 93.2.
    seq:
      - id: mouse_pixels
        type: s4be
      - id: mouse_clicks
        type: s4be
      - id: key_presses
        type: s4be
      - id: num_commands
        type: s4be
      - id: num_unit_commands
        type: s4be
        doc: Units that received them, added up.
  team_statistics:
    doc: All sample counts, then the samples of team 0, of team 1, and so on.
    seq:
      - id: num_samples
        type: u4
        repeat: expr
        repeat-expr: _root.num_teams
        doc: One count a team; all 0 in a server recording.
      - id: samples
        size: _root.len_team_stat
        type: spring_packet::team_statistics
        repeat: eos
        doc: Every sample of the file, team by team.
