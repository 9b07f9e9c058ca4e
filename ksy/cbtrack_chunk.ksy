meta:
  id: cbtrack_chunk
  title: Coilbox replay track, a chunk after decompression
  application: Coilbox
  tags:
    - game
    - replay
  license: CC0-1.0
  ks-version: "0.11"
  endian: le
doc: |
  A list of columns. A column is an array of values of one type, and the
  columns of a chunk together are its tables: one row for each unit, for each
  transform key and so on. Columns of the same kind lie side by side, which is
  what lets zlib compress them.

  Columns are listed in rising order of id. The data of each starts at a
  multiple of 4 bytes, and 4 zero bytes follow the last. A reader ignores a
  column whose id or type it does not know. A column that is not listed has no
  values: where there should be one for each entry, that means 0.

  This layout ends at the stored values. What they stand for depends on the
  column, see `column_id`:

  * plain: the value itself;
  * time: frames since the key before of the same curve, the first key's since
    the first frame of the window;
  * difference with an escape: added to the value before, unless it is -32,768,
    which takes the next value of the column of wide values. The first key of
    every curve is written with the escape;
  * wrapping difference: added to the value before modulo 65,536, from 0 at the
    start of each curve. A signed result of 32,768 or more stands for that
    result minus 65,536.
doc-ref: 'Replay track format, Chunks'
seq:
  - id: num_columns
    type: u4
  - id: columns
    type: column
    repeat: expr
    repeat-expr: num_columns
types:
  column:
    doc: One entry of the directory, and the values it points at.
    doc-ref: 'Replay track format, Chunks'
    seq:
      - id: column_id
        type: u2
        enum: column_id
      - id: value_type
        type: u2
        enum: value_type
      - id: ofs_data
        type: u4
        doc: Offset of the values from the start of the chunk.
      - id: num_values
        type: u4
    instances:
      len_value:
        value: >-
          value_type == value_type::u1 ? 1 :
          value_type == value_type::u2 or value_type == value_type::s2 ? 2 : 4
        doc: Size of a value in bytes, where the type is known.
      is_known_type:
        value: value_type.to_i >= 1 and value_type.to_i <= 6
      data:
        io: _root._io
        pos: ofs_data
        size: num_values * len_value
        type:
          switch-on: value_type
          cases:
            'value_type::u1': values_u1
            'value_type::u2': values_u2
            'value_type::s2': values_s2
            'value_type::u4': values_u4
            'value_type::s4': values_s4
            'value_type::f4': values_f4
        if: is_known_type
        doc: The values, as they are stored.
        doc-ref: 'Replay track format, How a column stores values'
    -webide-representation: '{column_id}: {num_values:dec} x {value_type}'
  values_u1:
    doc: Stored as unsigned bytes.
    seq:
      - id: values
        type: u1
        repeat: eos
        doc: In the order of the column.
  values_u2:
    doc: Stored as unsigned 16-bit numbers.
    seq:
      - id: values
        type: u2
        repeat: eos
        doc: In the order of the column.
  values_s2:
    doc: Stored as signed 16-bit numbers.
    seq:
      - id: values
        type: s2
        repeat: eos
        doc: In the order of the column.
  values_u4:
    doc: Stored as unsigned 32-bit numbers.
    seq:
      - id: values
        type: u4
        repeat: eos
        doc: In the order of the column.
  values_s4:
    doc: Stored as signed 32-bit numbers.
    seq:
      - id: values
        type: s4
        repeat: eos
        doc: In the order of the column.
  values_f4:
    doc: Stored as 32-bit floats.
    seq:
      - id: values
        type: f4
        repeat: eos
        doc: In the order of the column.
enums:
  value_type:
    1: u1
    2: u2
    3: s2
    4: u4
    5: s4
    6: f4
  target_kind:
    0:
      id: nothing
      doc: No reference. Also what a kind that a reader does not know means.
    1:
      id: unit
      doc: The reference is an index in this window's units.
    2:
      id: feature
      doc: The reference is an index in the features chunk.
    4:
      id: projectile
      doc: The reference is an index in this window's projectiles.
    16:
      id: build
      doc: Building or repairing the unit of the reference.
    17:
      id: reclaim_unit
      doc: The reference is an index in this window's units.
    18:
      id: reclaim_feature
      doc: The reference is an index in the features chunk.
    19:
      id: resurrect
      doc: The reference is an index in the features chunk.
    20:
      id: capture
      doc: The reference is an index in this window's units.
    128:
      id: position
      doc: |
        Takes the next entry of columns 46 to 48, as every kind from 128 does.
    129:
      id: terraform
      doc: Takes the next entry of columns 46 to 48.
  number_code:
    0:
      id: metal
      doc: What the team holds.
    1: metal_storage
    2: metal_pull
    3: metal_income
    4: metal_expense
    5:
      id: metal_share
      doc: |
        0 to 1. What a team holds above this part of its storage goes to its
        allies.
    6: metal_sent
    7: metal_received
    8:
      id: metal_excess
      doc: What was wasted because storage was full.
    16:
      id: energy
      doc: What the team holds.
    17: energy_storage
    18: energy_pull
    19: energy_income
    20: energy_expense
    21:
      id: energy_share
      doc: |
        0 to 1. What a team holds above this part of its storage goes to its
        allies.
    22: energy_sent
    23: energy_received
    24:
      id: energy_excess
      doc: What was wasted because storage was full.
  column_id:
    1:
      id: unit_id
      doc: |
        u2, plain, one for each unit entry. The engine's unit id, which it uses
        again for later units.
    2:
      id: unit_serial
      doc: |
        u4, plain, one for each unit entry. Counts from 0 in order of first
        appearance in the match. This is what identifies a unit across windows.
    3:
      id: unit_definition
      doc: |
        u2, plain, one for each unit entry. Index in the unit definition names.
    4:
      id: unit_team
      doc: |
        u1, plain, one for each unit entry.
    5:
      id: unit_flags
      doc: |
        u1, plain, one for each unit entry. Bit 0: it existed before this
        window. Bit 1: it exists after this window.
    6:
      id: unit_first
      doc: |
        u2, plain, one for each unit entry. Offset of the first frame in this
        window at which it exists.
    7:
      id: unit_last
      doc: |
        u2, plain, one for each unit entry. Offset of the last frame in this
        window at which it exists.
    8:
      id: unit_num_transforms
      doc: |
        u2, plain, one for each unit entry. Number of transform keys, at least
        1.
    9:
      id: unit_num_statuses
      doc: |
        u2, plain, one for each unit entry. Number of status keys, at least 1.
    10:
      id: unit_num_targets
      doc: |
        u1, plain, one for each unit entry. Number of target tracks. Left out
        when 0 for every unit.
    11:
      id: unit_num_poses
      doc: |
        u2, plain, one for each unit entry. Number of pose tracks. Left out when
        0 for every unit.
    12:
      id: unit_num_queues
      doc: |
        u2, plain, one for each unit entry. Number of build queue keys. Left out
        when 0 for every unit.
    16:
      id: transform_time
      doc: |
        u2, time, one for each transform key.
    17:
      id: transform_x
      doc: |
        s2, difference with an escape, wide values in column 20, one for each
        transform key. Position in position steps; a straight line between keys.
    18:
      id: transform_y
      doc: |
        s2, difference with an escape, wide values in column 21, one for each
        transform key. Position in position steps; a straight line between keys.
    19:
      id: transform_z
      doc: |
        s2, difference with an escape, wide values in column 22, one for each
        transform key. Position in position steps; a straight line between keys.
    20:
      id: transform_x_wide
      doc: |
        s4, wide, one for each escape in column 17.
    21:
      id: transform_y_wide
      doc: |
        s4, wide, one for each escape in column 18.
    22:
      id: transform_z_wide
      doc: |
        s4, wide, one for each escape in column 19.
    23:
      id: transform_dropped
      doc: |
        u1, plain, one for each transform key. Which component of the rotation
        is dropped: 0 to 3 for x, y, z, w.
    24:
      id: transform_kept_a
      doc: |
        u2, wrapping difference, signed, one for each transform key. Kept
        component 1 of the rotation, in the order x, y, z, w without the dropped
        one.
    25:
      id: transform_kept_b
      doc: |
        u2, wrapping difference, signed, one for each transform key. Kept
        component 2 of the rotation, in the order x, y, z, w without the dropped
        one.
    26:
      id: transform_kept_c
      doc: |
        u2, wrapping difference, signed, one for each transform key. Kept
        component 3 of the rotation, in the order x, y, z, w without the dropped
        one.
    32:
      id: status_time
      doc: |
        u2, time, one for each status key.
    33:
      id: status_health
      doc: |
        u2, wrapping difference, unsigned, one for each status key. Health as a
        fraction of the unit's maximum at that frame, 65,535 for full; a
        straight line between keys.
    34:
      id: status_build
      doc: |
        u2, wrapping difference, unsigned, one for each status key. Build
        progress, 65,535 for complete; a straight line between keys.
    35:
      id: status_flags
      doc: |
        u1, plain, one for each status key. Bit 0: the unit is switched on.
        Holds until the next key.
    40:
      id: target_weapon
      doc: |
        u1, plain, one for each target track. Weapon number from 1, or 0 for
        builder work.
    41:
      id: target_num_keys
      doc: |
        u2, plain, one for each target track.
    42:
      id: target_time
      doc: |
        u2, time, one for each target key.
    43:
      id: target_kind
      doc: |
        u1, plain, one for each target key. A `target_kind`. Holds until the
        next key.
    44:
      id: target_reference
      doc: |
        u4, plain, one for each target key. Index of what is aimed at: in this
        window's units, in this window's projectiles or in the features chunk,
        as the kind says. 0 when the kind has none.
    45:
      id: target_power
      doc: |
        u1, plain, one for each target key. For builder work the build power in
        use, 255 for full. 0 for a weapon.
    46:
      id: target_x
      doc: |
        s4, plain, one for each target key whose kind is 128 or more. Position
        in position steps.
    47:
      id: target_y
      doc: |
        s4, plain, one for each target key whose kind is 128 or more. Position
        in position steps.
    48:
      id: target_z
      doc: |
        s4, plain, one for each target key whose kind is 128 or more. Position
        in position steps.
    56:
      id: pose_piece
      doc: |
        u2, plain, one for each pose track. Index into the posed piece names of
        the unit's definition.
    57:
      id: pose_num_keys
      doc: |
        u2, plain, one for each pose track.
    58:
      id: pose_time
      doc: |
        u2, time, one for each pose key.
    59:
      id: pose_angle_x
      doc: |
        s2, difference with an escape, wide values in column 62, one for each
        pose key. Turn about x relative to the parent piece in 65,536ths of a
        turn, not reduced to one turn; a straight line between keys.
    60:
      id: pose_angle_y
      doc: |
        s2, difference with an escape, wide values in column 63, one for each
        pose key. Turn about y relative to the parent piece in 65,536ths of a
        turn, not reduced to one turn; a straight line between keys.
    61:
      id: pose_angle_z
      doc: |
        s2, difference with an escape, wide values in column 64, one for each
        pose key. Turn about z relative to the parent piece in 65,536ths of a
        turn, not reduced to one turn; a straight line between keys.
    62:
      id: pose_angle_x_wide
      doc: |
        s4, wide, one for each escape in column 59.
    63:
      id: pose_angle_y_wide
      doc: |
        s4, wide, one for each escape in column 60.
    64:
      id: pose_angle_z_wide
      doc: |
        s4, wide, one for each escape in column 61.
    65:
      id: pose_offset_x
      doc: |
        s2, difference with an escape, wide values in column 68, one for each
        pose key. Offset from the piece's rest position in position steps; a
        straight line between keys.
    66:
      id: pose_offset_y
      doc: |
        s2, difference with an escape, wide values in column 69, one for each
        pose key. Offset from the piece's rest position in position steps; a
        straight line between keys.
    67:
      id: pose_offset_z
      doc: |
        s2, difference with an escape, wide values in column 70, one for each
        pose key. Offset from the piece's rest position in position steps; a
        straight line between keys.
    68:
      id: pose_offset_x_wide
      doc: |
        s4, wide, one for each escape in column 65.
    69:
      id: pose_offset_y_wide
      doc: |
        s4, wide, one for each escape in column 66.
    70:
      id: pose_offset_z_wide
      doc: |
        s4, wide, one for each escape in column 67.
    72:
      id: queue_time
      doc: |
        u2, time, one for each queue key.
    73:
      id: queue_num_items
      doc: |
        u1, plain, one for each queue key. The queue holds until the next key.
    74:
      id: item_definition
      doc: |
        u2, plain, one for each queue item. Index in the unit definition names.
    75:
      id: item_x
      doc: |
        s4, plain, one for each queue item. Position in position steps.
    76:
      id: item_z
      doc: |
        s4, plain, one for each queue item. Position in position steps.
    77:
      id: item_facing
      doc: |
        u1, plain, one for each queue item. 0 to 3.
    80:
      id: projectile_serial
      doc: |
        u4, plain, one for each projectile. Counts from 0 in order of first
        appearance in the match.
    81:
      id: projectile_definition
      doc: |
        u2, plain, one for each projectile. Index in the weapon definition
        names, or 65,535 for a piece of debris.
    82:
      id: projectile_team
      doc: |
        u1, plain, one for each projectile. 255 for none.
    83:
      id: projectile_flags
      doc: |
        u1, plain, one for each projectile. Bit 0: it existed before this
        window. Bit 1: it exists after this window.
    84:
      id: projectile_owner
      doc: |
        u2, plain, one for each projectile. The unit that fired it, as an index
        in this window's units, or 65,535.
    85:
      id: projectile_first
      doc: |
        u2, plain, one for each projectile. Offset of the first frame in this
        window at which it exists.
    86:
      id: projectile_last
      doc: |
        u2, plain, one for each projectile. Offset of the last frame in this
        window at which it exists.
    87:
      id: projectile_num_keys
      doc: |
        u2, plain, one for each projectile. There is a key at the first and at
        the last offset.
    88:
      id: projectile_time
      doc: |
        u2, time, one for each projectile key.
    89:
      id: projectile_x
      doc: |
        s2, difference with an escape, wide values in column 92, one for each
        projectile key. Position in position steps; a cubic between keys.
    90:
      id: projectile_y
      doc: |
        s2, difference with an escape, wide values in column 93, one for each
        projectile key. Position in position steps; a cubic between keys.
    91:
      id: projectile_z
      doc: |
        s2, difference with an escape, wide values in column 94, one for each
        projectile key. Position in position steps; a cubic between keys.
    92:
      id: projectile_x_wide
      doc: |
        s4, wide, one for each escape in column 89.
    93:
      id: projectile_y_wide
      doc: |
        s4, wide, one for each escape in column 90.
    94:
      id: projectile_z_wide
      doc: |
        s4, wide, one for each escape in column 91.
    95:
      id: projectile_velocity_x
      doc: |
        s2, difference with an escape, wide values in column 98, one for each
        projectile key. Velocity in velocity steps.
    96:
      id: projectile_velocity_y
      doc: |
        s2, difference with an escape, wide values in column 99, one for each
        projectile key. Velocity in velocity steps.
    97:
      id: projectile_velocity_z
      doc: |
        s2, difference with an escape, wide values in column 100, one for each
        projectile key. Velocity in velocity steps.
    98:
      id: projectile_velocity_x_wide
      doc: |
        s4, wide, one for each escape in column 95.
    99:
      id: projectile_velocity_y_wide
      doc: |
        s4, wide, one for each escape in column 96.
    100:
      id: projectile_velocity_z_wide
      doc: |
        s4, wide, one for each escape in column 97.
    104:
      id: number_team
      doc: |
        u1, plain, one for each number track. Team id, or 255 for a number of
        the game.
    105:
      id: number_code
      doc: |
        u2, plain, one for each number track. A `number_code`, or 256 plus an
        index in the names of the rules parameters.
    106:
      id: number_num_keys
      doc: |
        u2, plain, one for each number track.
    107:
      id: number_time
      doc: |
        u2, time, one for each number key.
    108:
      id: number_value
      doc: |
        f4, plain, one for each number key. A straight line between keys.
    112:
      id: terrain_frame
      doc: |
        u2, difference from the row before, one for each terrain row. Frames
        since the row before; the first row's since the window's first frame.
    113:
      id: terrain_x
      doc: |
        u2, wrapping difference from the row before, unsigned, one for each
        terrain row. Heightmap corner, 8 elmos apart.
    114:
      id: terrain_z
      doc: |
        u2, wrapping difference from the row before, unsigned, one for each
        terrain row. Heightmap corner, 8 elmos apart.
    115:
      id: terrain_before
      doc: |
        s4, difference from the row before, one for each terrain row. Height
        before the change in position steps.
    116:
      id: terrain_change
      doc: |
        s4, plain, one for each terrain row. Height after minus height before in
        position steps. Never 0.
    128:
      id: feature_id
      doc: |
        u2, plain, one for each feature. The engine's feature id.
    129:
      id: feature_definition
      doc: |
        u2, plain, one for each feature. Index in the feature definition names.
    130:
      id: feature_team
      doc: |
        u1, plain, one for each feature. 255 for none.
    131:
      id: feature_flags
      doc: |
        u1, plain, one for each feature. Bit 0: it was there before the first
        frame. Bit 1: it was still there after the last frame.
    132:
      id: feature_first
      doc: |
        u4, plain, one for each feature. First frame it exists.
    133:
      id: feature_last
      doc: |
        u4, plain, one for each feature. Last frame it exists.
    134:
      id: feature_x
      doc: |
        s4, plain, one for each feature. Position in position steps.
    135:
      id: feature_y
      doc: |
        s4, plain, one for each feature. Position in position steps.
    136:
      id: feature_z
      doc: |
        s4, plain, one for each feature. Position in position steps.
    137:
      id: feature_dropped
      doc: |
        u1, plain, one for each feature. Which component of the rotation is
        dropped: 0 to 3 for x, y, z, w.
    138:
      id: feature_kept_a
      doc: |
        u2, plain, the signed number in 16 bit two's complement, one for each
        feature. Kept component 1 of the rotation.
    139:
      id: feature_kept_b
      doc: |
        u2, plain, the signed number in 16 bit two's complement, one for each
        feature. Kept component 2 of the rotation.
    140:
      id: feature_kept_c
      doc: |
        u2, plain, the signed number in 16 bit two's complement, one for each
        feature. Kept component 3 of the rotation.
    160:
      id: text_lengths
      doc: |
        u2, plain, one for each of 4 texts. Engine version, game name and
        version, map name, name and version of the program that wrote the file.
        Length of each in bytes.
    161:
      id: text_bytes
      doc: |
        u1, plain, one for each byte counted in column 160. The UTF-8 of all of
        them end to end.
    162:
      id: unit_names_lengths
      doc: |
        u2, plain, one for each unit definition. Unit definition names. Length
        of each in bytes.
    163:
      id: unit_names_bytes
      doc: |
        u1, plain, one for each byte counted in column 162. The UTF-8 of all of
        them end to end.
    164:
      id: weapon_names_lengths
      doc: |
        u2, plain, one for each weapon definition. Weapon definition names.
        Length of each in bytes.
    165:
      id: weapon_names_bytes
      doc: |
        u1, plain, one for each byte counted in column 164. The UTF-8 of all of
        them end to end.
    166:
      id: feature_names_lengths
      doc: |
        u2, plain, one for each feature definition. Feature definition names.
        Length of each in bytes.
    167:
      id: feature_names_bytes
      doc: |
        u1, plain, one for each byte counted in column 166. The UTF-8 of all of
        them end to end.
    168:
      id: posed_definition
      doc: |
        u2, plain, one for each unit definition with posed pieces. Its index in
        the unit definition names.
    169:
      id: posed_num_pieces
      doc: |
        u2, plain, one for each unit definition with posed pieces.
    170:
      id: piece_names_lengths
      doc: |
        u2, plain, one for each posed piece. Posed piece names, grouped in the
        order of column 168. Length of each in bytes.
    171:
      id: piece_names_bytes
      doc: |
        u1, plain, one for each byte counted in column 170. The UTF-8 of all of
        them end to end.
    172:
      id: team_id
      doc: |
        u1, plain, one for each team.
    173:
      id: team_ally
      doc: |
        u1, plain, one for each team. Ally team.
    174:
      id: team_flags
      doc: |
        u1, plain, one for each team. Bit 0: an AI team.
    175:
      id: team_colour
      doc: |
        u1, plain, three times for each team. Red, green, blue.
    176:
      id: side_names_lengths
      doc: |
        u2, plain, one for each team. Side of the team. Length of each in bytes.
    177:
      id: side_names_bytes
      doc: |
        u1, plain, one for each byte counted in column 176. The UTF-8 of all of
        them end to end.
    178:
      id: leader_names_lengths
      doc: |
        u2, plain, one for each team. Name of the team's leader. Length of each
        in bytes.
    179:
      id: leader_names_bytes
      doc: |
        u1, plain, one for each byte counted in column 178. The UTF-8 of all of
        them end to end.
    180:
      id: map_size
      doc: |
        u4, plain, 2 values. Size of the map along x and z in elmos.
    181:
      id: footprint_x
      doc: |
        u2, plain, one for each unit definition. Footprint across the unit in
        elmos. Not there before recorder version 3.
    182:
      id: footprint_z
      doc: |
        u2, plain, one for each unit definition. Footprint along the way the
        unit faces in elmos. Not there before recorder version 3.
    183:
      id: team_parameter_names_lengths
      doc: |
        u2, plain, one for each team rules parameter. Names of the team rules
        parameters. Length of each in bytes.
    184:
      id: team_parameter_names_bytes
      doc: |
        u1, plain, one for each byte counted in column 183. The UTF-8 of all of
        them end to end.
    185:
      id: game_parameter_names_lengths
      doc: |
        u2, plain, one for each game rules parameter. Names of the game rules
        parameters. Length of each in bytes.
    186:
      id: game_parameter_names_bytes
      doc: |
        u1, plain, one for each byte counted in column 185. The UTF-8 of all of
        them end to end.
