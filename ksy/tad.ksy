meta:
  id: tad
  title: Total Annihilation recording by the TA Demo Recorder
  application: Total Annihilation
  file-extension:
    - tad
    - ted
  tags:
    - game
    - replay
  license: CC0-1.0
  ks-version: "0.11"
  imports:
    - tad_subpacket
  encoding: windows-1252
  endian: le
doc: |
  A log of what the peers of a multiplayer game sent each other. From the first
  byte to the last the file is a run of records, each a length that counts its
  own two bytes and a body:

  | records | |
  |---|---|
  | 1 | header |
  | 1 + n | sectors (from version 5): how many, then each |
  | players | player |
  | players | status, a player's lobby settings in an encrypted envelope |
  | 1 | unit data, the negotiated unit types |
  | the rest | packets |

  A file that ends inside a record is an interrupted or growing recording; here
  its last record does not open, the others do.

  Packets and status envelopes with flag 4 are compressed in a way that Kaitai
  does not know; `ksreplay unwrap` writes the same recording without it.

  The header is a type of its own, as are the bodies of the other records,
  because the sizes of the records delimit them.
doc-ref:
  - seed 004, Byte layouts
  - fact sheet tad-format, 1. Container
seq:
  - id: header
    type: header_record
  - id: sector_total
    type: sector_count_record
    if: version >= 5
  - id: sectors
    type: sector_record
    repeat: expr
    repeat-expr: sector_total.body.num_sectors
    if: version >= 5
  - id: players
    type: player_record
    repeat: expr
    repeat-expr: header.body.head.num_players
  - id: statuses
    type: status_record
    repeat: expr
    repeat-expr: header.body.head.num_players
  - id: unit_data
    type: unit_data_record
    doc: The negotiated unit types.
  - id: packets
    type: packet_record
    repeat: eos
instances:
  version:
    value: header.body.head.version
types:
  header_record:
    doc: First record of the file.
    seq:
      - id: len_record
        type: u2
        valid:
          min: 13
      - id: body
        size: len_record - 2
        type: header
  header:
    doc: |
      Versions 3 and 4 may lack the unit limit: sources differ and no such file
      is public. Where the two bytes at its place are both printable they are
      the start of the map's name, since as a limit they would be above 8,000.
    doc-ref:
      - seed 004, 2. Header record
      - fact sheet tad-format, 1.1 Header body
    seq:
      - id: head
        type: header_head
        doc: The fixed part.
      - id: max_units
        type: u2
        if: has_max_units
        doc: Units that a player may own.
      - id: map_name
        size-eos: true
        type: strz
    instances:
      limit_low:
        pos: 11
        type: u1
        if: _io.size >= 13
      limit_high:
        pos: 12
        type: u1
        if: _io.size >= 13
      is_limit_printable:
        value: >-
          _io.size >= 13 and limit_low >= 0x20 and limit_low < 0x7f
          and limit_high >= 0x20 and limit_high < 0x7f
      has_max_units:
        value: head.version >= 5 or (_io.size >= 13 and not is_limit_printable)
  header_head:
    doc: The fixed part of the header.
    seq:
      - id: magic
        contents: ["TA Demo", 0]
      - id: version
        type: u2
        valid:
          any-of: [3, 4, 5, 7]
        doc: |
          3 from recorder 0.80b, 4 from 0.81a, 5 from 0.90b on, 7 from later
          ones when a mod is configured.
      - id: num_players
        type: u1
        doc: Player records and status records that follow.
  sector_count_record:
    doc: Says how many sector records follow.
    seq:
      - id: len_record
        type: u2
        valid:
          min: 6
      - id: body
        size: len_record - 2
        type: sector_count
  sector_count:
    doc: Body of the record before the sectors.
    seq:
      - id: num_sectors
        type: u4
        doc: Sector records that follow.
  sector_record:
    doc: One sector with its length.
    seq:
      - id: len_record
        type: u2
        valid:
          min: 6
      - id: body
        size: len_record - 2
        type: sector
  sector:
    -webide-representation: "{head.kind}"
    doc: A note of the recorder about the recording.
    doc-ref: seed 004, 3. Extra sectors
    seq:
      - id: head
        type: sector_head
        doc: The fixed part.
      - id: content
        size-eos: true
        type:
          switch-on: head.kind
          cases:
            'sector_kind::address': address
            _: text
        doc: Bytes of the sector.
  sector_head:
    doc: The fixed part of a sector.
    seq:
      - id: kind
        type: u4
        enum: sector_kind
  text:
    doc: Text without end mark.
    seq:
      - id: value
        size-eos: true
        type: str
        doc: Lines end with a carriage return.
  address:
    doc: |
      Address of a player in the lobby, private. Every byte is masked with
      0x2a; the text is at 0x50 in what that gives. One recorder masks only the
      text, so that the bytes before it read as 0x2a.
    seq:
      - id: value
        size-eos: true
        type: address_blob
        process: xor(0x2a)
        doc: The unmasked bytes.
  address_blob:
    doc: The unmasked bytes of an address.
    seq:
      - id: reserved
        size: '_io.size < 0x50 ? _io.size : 0x50'
      - id: dotted
        size-eos: true
        type: strz
        doc: Host address.
  player_record:
    doc: One player with its length.
    seq:
      - id: len_record
        type: u2
        valid:
          min: 5
      - id: body
        size: len_record - 2
        type: player
  player:
    -webide-representation: "{head.number:dec} {name}"
    doc: Who took part, watchers included.
    doc-ref: seed 004, 4. Player and status records
    seq:
      - id: head
        type: player_head
        doc: The fixed part.
      - id: name
        size-eos: true
        type: strz
  player_head:
    doc: The fixed part of a player record.
    seq:
      - id: color
        type: u1
        doc: The status has the true one.
      - id: side
        type: u1
        enum: tad_subpacket::side
        doc: What the player plays, or 2 for a watcher.
      - id: number
        type: u1
        doc: Stands for the player in the packets, from 1.
  status_record:
    doc: Lobby settings of one player, with their length.
    seq:
      - id: len_record
        type: u2
        valid:
          min: 9
      - id: body
        size: len_record - 2
        type: status
  status:
    doc: Lobby settings of one player.
    doc-ref: seed 004, 4. Player and status records
    seq:
      - id: number
        type: u1
      - id: envelope
        size-eos: true
        type: envelope
        doc: Indices of the mask count from here.
  envelope:
    doc: |
      What the game puts around its messages. Byte i, from the flag, is masked
      with i, except for the first three and the last three.
    doc-ref: seed 004, 5. TA packet encryption and compression
    seq:
      - id: head
        type: envelope_head
        doc: The fixed part.
      - id: masked
        size: _io.size - 6
        type:
          switch-on: head.flag
          cases:
            'flag::plain': status_payload
            _: opaque
        process: xor(mask)
        doc: The payload less its last three bytes.
      - id: tail
        size: 3
        doc: The last three bytes of the payload, never masked.
    instances:
      mask:
        value: >-
          is_unwrapped ? [0] :
          [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
          22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
          39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55,
          56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72,
          73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89,
          90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105,
          106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119,
          120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133,
          134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147,
          148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161,
          162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
          176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189,
          190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203,
          204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217,
          218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231,
          232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245,
          246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 0, 1, 2]
        doc: The low byte of the index, from 3; 0 in an unwrapped recording.
      first_byte:
        pos: 7
        type: u1
        if: _io.size > 7
        doc: Where the id 0x20 stands, masked or not.
      is_unwrapped:
        value: _io.size > 7 and head.checksum == 0 and first_byte == 0x20
        doc: Whether `ksreplay unwrap` took the mask off.
  envelope_head:
    doc: The fixed part of an envelope.
    seq:
      - id: flag
        type: u1
        enum: flag
      - id: checksum
        type: u2
        doc: Sum of the masked bytes.
  status_payload:
    doc: What the envelope holds, less its last three bytes.
    seq:
      - id: sequence
        type: s4
        doc: Number of the message; -1, since recorders make these anew.
      - id: magic
        contents: [0x20]
      - id: info
        type: tad_subpacket::player_info
        doc: The settings.
      - id: rest
        size-eos: true
        doc: The start of the player's team (0x24), which ends in `tail`.
  opaque:
    doc: Bytes that this layout does not open.
    seq:
      - id: bytes
        size-eos: true
        doc: As they are.
  unit_data_record:
    doc: The negotiated unit types, with their length.
    seq:
      - id: len_record
        type: u2
        valid:
          min: 2
      - id: body
        size: len_record - 2
        type: unit_data_entries
  unit_data_entries:
    doc: The negotiation as far as the recorder keeps it, one entry a key.
    doc-ref: seed 004, 7. Unit sync, catalog provenance
    seq:
      - id: entries
        type: unit_data_entry
        repeat: eos
  unit_data_entry:
    doc: One 0x1a subpacket.
    seq:
      - id: magic
        contents: [0x1a]
      - id: entry
        type: tad_subpacket::unit_data
  packet_record:
    doc: One recorded message with its length.
    seq:
      - id: len_record
        type: u2
        valid:
          min: 2
      - id: body
        size: len_record - 2
        type: packet
  packet_head:
    doc: The fixed part of a packet record.
    seq:
      - id: dt_ms
        type: u2
        doc: Milliseconds since the record before, as the recorder saw them.
      - id: sender
        type: u1
        doc: Number of the player who sent it.
  packet:
    -webide-representation: "{head.dt_ms:dec} ms from {head.sender:dec}"
    doc: What a player sent at one moment.
    doc-ref: seed 004, 1. Record framing
    seq:
      - id: head
        type: packet_head
        if: _io.size >= 3
      - id: flag
        type: u1
        enum: flag
        if: _io.size >= 4
        doc: Recorders write no record without it.
      - id: transport_sequence
        type: u4
        if: has_transport_sequence
        doc: |
          Only in version 3; of a compressed packet the first four bytes that
          come out.
      - id: payload
        size-eos: true
        type: tad_subpacket
        if: is_open
        doc: What was sent.
      - id: unopened
        size-eos: true
        if: not is_open
        doc: A compressed payload, or one that is not of subpackets.
    instances:
      is_plain:
        value: _io.size >= 4 and flag == flag::plain
      has_transport_sequence:
        value: _root.version == 3 and is_plain and _io.size >= 8
      ofs_payload:
        value: 'has_transport_sequence ? 8 : 4'
      first_byte:
        pos: ofs_payload
        type: u1
        if: _io.size > ofs_payload
        doc: First byte of the payload.
      is_marker:
        value: >-
          _io.size > ofs_payload and (first_byte == 0x69 or first_byte == 0x3c)
        doc: |
          Whether it starts like `in checksum?!?!>`, with or without its
          beginning `<error `: what the recorder stored in the place of a
          message whose checksum failed.
      is_open:
        value: is_plain and not is_marker
        doc: Whether the payload can be read as subpackets.
enums:
  flag:
    3: plain
    4:
      id: compressed
      doc: LZ77 with control bytes.
  sector_kind:
    1:
      id: comment
      doc: Free text; may repeat.
    2:
      id: lobby_chat
      doc: Lines that end with a carriage return. Private.
    3: recorder_version
    4: date
    5: recorded_from
    6:
      id: address
      doc: Private.
    7:
      id: mod_id
      doc: Decimal text, in version 7.
