meta:
  id: msgpack
  title: MessagePack value
  application: Crimsonland replays (.crd), unwrapped
  file-extension:
    - msgpack
    - mpk
  xref:
    justsolve: MessagePack
    wikidata: Q6821738
  tags:
    - serialization
  license: CC0-1.0
  ks-version: "0.11"
  encoding: UTF-8
  endian: be
doc: |
  One MessagePack value, whatever it holds. The payload of a Crimsonland
  replay is such a value: a map whose keys are, in order, `format_version`,
  `game_version`, `rules` (31 and later), `recorder`, `pilot` (32 and later),
  `seat_keys` (34 and later), `run`, `result` and `ticks`. `ksreplay unwrap`
  takes it out of the compression, and this layout then shows it.

  A value is a tag byte, for some tags a number or a length, and then text,
  bytes, elements or map entries. Which of the fields is there follows from
  the tag alone:

  | tag | value |
  |---|---|
  | 0x00..0x7f, 0xe0..0xff | small integer, in the tag itself |
  | 0x80..0x8f, 0xde, 0xdf | map |
  | 0x90..0x9f, 0xdc, 0xdd | array |
  | 0xa0..0xbf, 0xd9..0xdb | text |
  | 0xc0 | nil |
  | 0xc2, 0xc3 | false, true |
  | 0xc4..0xc6 | bytes |
  | 0xc7..0xc9, 0xd4..0xd8 | extension |
  | 0xca, 0xcb | float32, float64 |
  | 0xcc..0xcf, 0xd0..0xd3 | unsigned, signed integer |

  A replay is canonical: always the shortest form, no float32, no extension,
  bytes only for seat keys. This layout reads any form, so that a payload that
  breaks a rule can be looked at.
doc-ref:
  - https://github.com/msgpack/msgpack/blob/master/spec.md MessagePack specification
  - seed 001, "Payload"
seq:
  - id: value
    type: value
    doc: The whole payload. A canonical one ends where this value ends.
types:
  value:
    doc: |
      A value of any kind: its tag and what the tag announces.
    seq:
      - id: tag
        type: u1
        doc: What follows; for small integers and short lengths also how much.
      - id: number
        type:
          switch-on: tag
          cases:
            0xca: f4
            0xcb: f8
            0xcc: u1
            0xcd: u2
            0xce: u4
            0xcf: u8
            0xd0: s1
            0xd1: s2
            0xd2: s4
            0xd3: s8
        if: tag >= 0xca and tag <= 0xd3
        doc: The number, where it does not fit into the tag.
      - id: len_stored
        type:
          switch-on: tag
          cases:
            0xc4: u1
            0xc5: u2
            0xc6: u4
            0xc7: u1
            0xc8: u2
            0xc9: u4
            0xd9: u1
            0xda: u2
            0xdb: u4
            0xdc: u2
            0xdd: u4
            0xde: u2
            0xdf: u4
        if: (tag >= 0xc4 and tag <= 0xc9) or (tag >= 0xd9 and tag <= 0xdf)
        doc: Bytes, elements or entries that follow, where it does not fit into the tag.
      - id: extension_type
        type: s1
        if: is_extension
      - id: text
        size: len_data
        type: str
        if: is_text
      - id: data
        size: len_data
        if: is_bytes or is_extension
        doc: In a replay the 32 bytes of a seat key.
      - id: elements
        type: value
        repeat: expr
        repeat-expr: num_elements
        if: is_array
      - id: entries
        type: entry
        repeat: expr
        repeat-expr: num_elements
        if: is_map
    instances:
      is_map:
        value: (tag >= 0x80 and tag <= 0x8f) or tag == 0xde or tag == 0xdf
      is_array:
        value: (tag >= 0x90 and tag <= 0x9f) or tag == 0xdc or tag == 0xdd
      is_text:
        value: (tag >= 0xa0 and tag <= 0xbf) or (tag >= 0xd9 and tag <= 0xdb)
      is_bytes:
        value: tag >= 0xc4 and tag <= 0xc6
        doc: Whether `data` holds plain bytes (tags bin8, bin16, bin32).
      is_extension:
        value: (tag >= 0xc7 and tag <= 0xc9) or (tag >= 0xd4 and tag <= 0xd8)
      is_nil:
        value: tag == 0xc0
      is_small_integer:
        value: tag <= 0x7f or tag >= 0xe0
        doc: The tag is the value.
      len_data:
        value: >-
          tag >= 0xa0 and tag <= 0xbf
          ? tag & 0x1f
          : (tag >= 0xd4 and tag <= 0xd8 ? 1 << (tag - 0xd4) : len_stored)
        if: is_text or is_bytes or is_extension
        doc: Bytes of text or data.
      num_elements:
        value: 'tag >= 0x80 and tag <= 0x9f ? tag & 0x0f : len_stored'
        if: is_array or is_map
        doc: Elements of the array or entries of the map.
      small_integer:
        value: 'tag <= 0x7f ? tag : tag - 256'
        if: is_small_integer
      truth:
        value: tag == 0xc3
        if: tag == 0xc2 or tag == 0xc3
        doc: The value of a boolean.
  entry:
    doc: |
      A key of a map and what stands under it.
    seq:
      - id: key
        type: value
        doc: The name of the field. In a replay always text.
      - id: value
        type: value
        doc: What stands under the key.
