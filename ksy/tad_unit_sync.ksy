meta:
  id: tad_unit_sync
  title: Total Annihilation unit sync, one whole 0x2c subpacket
  application: Total Annihilation
  file-extension: ta2c
  tags:
    - game
    - replay
  license: CC0-1.0
  ks-version: "0.11"
  endian: le
  bit-endian: le
doc: |
  The state that one player sends at one tick: any number of movement entries,
  an end mark, then the status of one slot, that with the number tick modulo
  the unit limit. All of it behind the tick is one stream of bits, least
  significant bit first.

  Two things that the bits need are not in them, and here a layout stops:

  - The width of a type index, 9 for catalogs of 256 to 511 types with row
    zero. Opened alone, this file reads 9. `sync_bits` takes any width.
  - Whether an entry is of the ground or of the air form, which depends on
    whether its type can fly. `as_ground` reads every entry as ground,
    `as_air` as air, without a way to change between them. One of the two is
    right for a sync whose entries are all of one kind, and `is_whole` is then
    true for it. For a mixed sync neither is right, and the package learns the
    families of the types from the whole file instead.

  A sync without entries reads the same both ways.
doc-ref:
  - seed 004, 7. Unit sync
  - fact sheet tad-format, 7. 0x2c bit grammar
seq:
  - id: magic
    contents: [0x2c]
  - id: len_subpacket
    type: u2
    valid:
      min: 7
    doc: Bytes of the whole subpacket, id included.
  - id: tick
    type: u4
    doc: The sender's game tick.
instances:
  as_ground:
    pos: 7
    type: sync_bits(9, false)
    doc: Every movement entry read in the ground form.
  as_air:
    pos: 7
    type: sync_bits(9, true)
    doc: Every movement entry read in the air form.
types:
  sync_bits:
    doc: |
      The bit stream. Each part is read only while enough bits are left, so
      that a wrong reading ends instead of failing.
    params:
      - id: num_type_bits
        type: u1
        doc: Bits of a type index.
      - id: is_air
        type: bool
        doc: Form of the movement entries.
    seq:
      - id: align_bit
        type: b1
        if: false
        doc: Never read; makes every runtime start on a whole byte.
      - id: start_marker
        size: 0
        doc: No bytes; see `align_bit`.
      - id: entries
        type: entry(_index)
        repeat: until
        repeat-until: _.is_last
        doc: Movement entries; the last one is the end mark.
      - id: presence
        type: flag
        if: is_ended
        doc: Whether a status follows; always set by the game.
      - id: status
        type: status
        if: has_status
    instances:
      num_bits:
        value: _io.size * 8
        doc: Bits of the whole subpacket.
      ofs_status:
        value: entries.last.ofs_next
        doc: Bit of the presence flag, from the start of the subpacket.
      is_ended:
        value: entries.last.is_end and num_bits - ofs_status >= 1 + num_type_bits
        doc: Whether the end mark was met, with room for a status.
      has_status:
        value: is_ended and presence.value
      is_whole:
        value: >-
          has_status and num_bits - status.ofs_next < 8
          and num_bits >= status.ofs_next
        doc: |
          Whether this reading left less than a byte, as the right one does;
          now and then a wrong one does, too.
  flag:
    doc: One bit.
    seq:
      - id: value
        type: b1
        doc: Whether it is set.
  word:
    doc: Sixteen bits.
    seq:
      - id: value
        type: b16
        doc: Unsigned.
  long:
    doc: Thirty-two bits, signed.
    seq:
      - id: raw
        type: b32
        doc: Unsigned.
    instances:
      value:
        value: 'raw < 0x80000000 ? raw : raw - 0x100000000'
        doc: Signed.
  type_index:
    doc: |
      Position in the sorted unit table, from 1; 0 for none. Kaitai knows bit
      fields of constant width only, so the width is made of pieces.
    params:
      - id: num_bits
        type: u1
    seq:
      - id: low
        type: b8
        doc: Bits 0 to 7.
      - id: bit8
        type: b1
        if: num_bits > 8
        doc: Worth 256.
      - id: bit9
        type: b1
        if: num_bits > 9
        doc: Worth 512.
      - id: bit10
        type: b1
        if: num_bits > 10
        doc: Worth 1024.
      - id: bit11
        type: b1
        if: num_bits > 11
        doc: Worth 2048.
    instances:
      value:
        value: >-
          low
          + (num_bits > 8 and bit8 ? 256 : 0)
          + (num_bits > 9 and bit9 ? 512 : 0)
          + (num_bits > 10 and bit10 ? 1024 : 0)
          + (num_bits > 11 and bit11 ? 2048 : 0)
        doc: The index.
  entry:
    -webide-representation: "slot {slot:dec} type {unit_type.value:dec}"
    doc: One movement entry, or the end mark.
    params:
      - id: index
        type: u2
    seq:
      - id: slot_field
        type: word
        if: num_left >= 16
        doc: Slot of the unit in the sender's block; all ones ends the list.
      - id: unit_type
        type: type_index(_parent.num_type_bits)
        if: has_body
      - id: ground
        type: ground_entry
        if: has_body and not _parent.is_air
      - id: air
        type: air_entry
        if: has_body and _parent.is_air
    instances:
      slot:
        value: slot_field.value
        if: num_left >= 16
        doc: Slot of the unit in the block, or the end mark.
      ofs_start:
        value: 'index == 0 ? 56 : _parent.entries[index - 1].ofs_next.as<s4>'
        doc: Bit of this entry, from the start of the subpacket.
      num_left:
        value: _parent.num_bits - ofs_start
      is_end:
        value: num_left >= 16 and slot == 0xffff
      has_body:
        value: num_left >= 16 + _parent.num_type_bits + 4 and slot != 0xffff
      ofs_body:
        value: 16 + _parent.num_type_bits + ofs_start
      ofs_next:
        value: >-
          not has_body ? ofs_start + 16 :
          _parent.is_air ? ofs_body + air.num_bits : ofs_body + ground.num_bits
      is_last:
        value: not has_body or _parent.num_bits < ofs_next
  ground_entry:
    doc: Where a ground unit is heading, as the start of its path.
    doc-ref: seed 004, 7. Unit sync, ground movement entry
    seq:
      - id: head
        type: ground_head
        doc: Whether it is blocked, and how many points follow.
      - id: points
        type: point
        repeat: expr
        repeat-expr: num_points
        if: has_points
        doc: World units; the first need not be where the unit is.
    instances:
      num_points:
        value: head.num_points
      has_points:
        value: _parent.num_left >= 19 + _parent._parent.num_type_bits + 32 * num_points
        doc: Whether the points fit into what is left.
      num_bits:
        value: 3 + 32 * num_points
  ground_head:
    doc: The fixed part of a ground entry.
    seq:
      - id: is_blocked
        type: b1
      - id: num_points
        type: b2
  point:
    doc: A point of a path, world units.
    seq:
      - id: raw_x
        type: b16
        doc: East, signed 16 bits.
      - id: raw_z
        type: b16
        doc: South, signed 16 bits.
    instances:
      x:
        value: 'raw_x < 0x8000 ? raw_x : raw_x - 0x10000'
      z:
        value: 'raw_z < 0x8000 ? raw_z : raw_z - 0x10000'
  air_entry:
    doc: What an aircraft is doing.
    doc-ref: seed 004, 7. Unit sync, air movement entry
    seq:
      - id: selector_field
        type: pair
        doc: 0 and 3 no payload, 1 a goal, 2 position and velocity.
      - id: goal
        type: air_goal
        if: selector == 1 and num_left >= 12
      - id: motion
        type: air_motion
        if: selector == 2 and num_left >= 213
      - id: mode
        type: pair
        if: num_left >= num_bits
        doc: 0 attached or parked, 1 grounded, 2 airborne.
    instances:
      selector:
        value: selector_field.value
        doc: Which payload follows.
      num_left:
        value: _parent.num_left - 16 - _parent._parent.num_type_bits
      num_bits:
        value: >-
          selector == 1 ? (num_left >= 12 ? 4 + goal.num_bits : 12) :
          selector == 2 ? (num_left >= 213 ? 4 + motion.num_bits : 213) : 4
  pair:
    doc: Two bits.
    seq:
      - id: value
        type: b2
        doc: 0 to 3.
  air_goal:
    doc: A goal of an aircraft; the flags say which fields follow.
    seq:
      - id: flags
        type: b8
        doc: |
          0 follow a target, 1 radially around it, 2 with its heading, 3
          altitude offset, 4 arrival radius, 5 a point of the terrain, 6
          heading, 7 freeze the goal.
      - id: raw_piece
        type: b16
        if: fits and has_target
        doc: Piece of the target, signed.
      - id: target
        type: b16
        if: fits and has_target
        doc: Unit id, 0 for none.
      - id: raw_radius
        type: b16
        if: fits and has_radius
        doc: Arrival radius in world units, signed.
      - id: raw_offset
        type: b16
        if: fits and has_offset
        doc: Vertical offset in world units, signed.
      - id: heading
        type: b16
        if: fits and has_heading
      - id: raw_x
        type: b32
        if: fits and has_point
      - id: raw_y
        type: b32
        if: fits and has_point
        doc: Up, signed 16.16 fixed point.
      - id: raw_z
        type: b32
        if: fits and has_point
        doc: South, signed 16.16 fixed point.
    instances:
      has_target:
        value: (flags & 1) != 0
      has_radius:
        value: (flags & 16) != 0
      has_offset:
        value: (flags & 8) != 0
      has_heading:
        value: (flags & 64) != 0
      has_point:
        value: (flags & 32) != 0
      num_bits:
        value: >-
          8 + (has_target ? 32 : 0) + (has_radius ? 16 : 0) + (has_offset ? 16 : 0)
          + (has_heading ? 16 : 0) + (has_point ? 96 : 0)
      fits:
        value: num_bits + 4 <= _parent.num_left
        doc: Whether the fields fit into what is left.
  air_motion:
    doc: Position and velocity of an aircraft.
    seq:
      - id: is_turning
        type: b1
      - id: raw_x
        type: b32
        doc: Signed 16.16 fixed point, like all of these.
      - id: raw_y
        type: b32
        doc: Up.
      - id: raw_z
        type: b32
        doc: South.
      - id: raw_velocity_x
        type: b32
        doc: World units a tick.
      - id: raw_velocity_y
        type: b32
        doc: World units a tick.
      - id: raw_velocity_z
        type: b32
        doc: World units a tick.
      - id: heading
        type: b16
        if: is_turning and _parent.num_left >= 213
        doc: Where it turns to.
    instances:
      num_bits:
        value: '193 + (is_turning ? 16 : 0)'
  status:
    doc: Status of the slot `tick` modulo the unit limit.
    doc-ref: seed 004, 7. Unit sync, scheduled status
    seq:
      - id: unit_type
        type: type_index(_parent.num_type_bits)
        doc: 0 for an empty slot, and then the end.
      - id: state
        type: status_state
        if: has_state
        doc: Health, construction, flags and mode.
      - id: attachment
        type: status_attachment
        if: has_state and state.is_attached and num_left >= 35 + 23
        doc: Only of an attached unit.
      - id: placement
        type: status_placement
        if: has_state and not state.is_attached and num_left >= 35 + 144
        doc: Only of a unit that is not attached.
      - id: speed
        type: long
        if: has_speed
        doc: |
          Signed 16.16 fixed point scalar; there when the unit has a mover,
          which only the bits left over tell.
    instances:
      num_left:
        value: _parent.num_bits - _parent.ofs_status - 1 - _parent.num_type_bits
        doc: Bits behind the type index.
      has_state:
        value: unit_type.value != 0 and num_left >= 35
      has_speed:
        value: has_state and not state.is_attached and num_left >= 35 + 144 + 32
      num_bits:
        value: >-
          unit_type.value == 0 ? 0 :
          not has_state ? 35 :
          state.is_attached ? 35 + 23 :
          has_speed ? 35 + 144 + 32 : 35 + 144
      ofs_next:
        value: _parent.num_bits - num_left + num_bits
  status_state:
    doc: What every status holds.
    seq:
      - id: raw_health
        type: b16
        doc: Signed.
      - id: construction
        type: b8
        doc: What remains to be built, 0 for nothing, 255 for all.
      - id: flags
        type: b8
        doc: Bit 0 active, bit 3 building.
      - id: mode
        type: b2
        doc: 0 attached or parked, 1 grounded, 2 airborne.
      - id: is_attached
        type: b1
    instances:
      health:
        value: 'raw_health < 0x8000 ? raw_health : raw_health - 0x10000'
  status_attachment:
    doc: Where an attached unit hangs.
    seq:
      - id: carrier
        type: b15
        doc: Unit id that this unit is attached to.
      - id: raw_piece
        type: b8
        doc: Piece of the carrier, signed.
  status_placement:
    doc: Where a unit stands.
    seq:
      - id: raw_x
        type: b32
        doc: Signed 16.16 fixed point, like all of these.
      - id: raw_y
        type: b32
        doc: Up.
      - id: raw_z
        type: b32
        doc: South.
      - id: heading
        type: b16
        doc: 65,536 to a turn.
      - id: pitch
        type: b16
        doc: 65,536 to a turn.
      - id: bank
        type: b16
        doc: 65,536 to a turn.
