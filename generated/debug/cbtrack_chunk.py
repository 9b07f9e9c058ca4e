# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum
import collections


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class CbtrackChunk(KaitaiStruct):
    """A list of columns. A column is an array of values of one type, and the
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

    .. seealso::
       Replay track format, Chunks
    """

    class ColumnId(IntEnum):
        unit_id = 1
        unit_serial = 2
        unit_definition = 3
        unit_team = 4
        unit_flags = 5
        unit_first = 6
        unit_last = 7
        unit_num_transforms = 8
        unit_num_statuses = 9
        unit_num_targets = 10
        unit_num_poses = 11
        unit_num_queues = 12
        transform_time = 16
        transform_x = 17
        transform_y = 18
        transform_z = 19
        transform_x_wide = 20
        transform_y_wide = 21
        transform_z_wide = 22
        transform_dropped = 23
        transform_kept_a = 24
        transform_kept_b = 25
        transform_kept_c = 26
        status_time = 32
        status_health = 33
        status_build = 34
        status_flags = 35
        target_weapon = 40
        target_num_keys = 41
        target_time = 42
        target_kind = 43
        target_reference = 44
        target_power = 45
        target_x = 46
        target_y = 47
        target_z = 48
        pose_piece = 56
        pose_num_keys = 57
        pose_time = 58
        pose_angle_x = 59
        pose_angle_y = 60
        pose_angle_z = 61
        pose_angle_x_wide = 62
        pose_angle_y_wide = 63
        pose_angle_z_wide = 64
        pose_offset_x = 65
        pose_offset_y = 66
        pose_offset_z = 67
        pose_offset_x_wide = 68
        pose_offset_y_wide = 69
        pose_offset_z_wide = 70
        queue_time = 72
        queue_num_items = 73
        item_definition = 74
        item_x = 75
        item_z = 76
        item_facing = 77
        projectile_serial = 80
        projectile_definition = 81
        projectile_team = 82
        projectile_flags = 83
        projectile_owner = 84
        projectile_first = 85
        projectile_last = 86
        projectile_num_keys = 87
        projectile_time = 88
        projectile_x = 89
        projectile_y = 90
        projectile_z = 91
        projectile_x_wide = 92
        projectile_y_wide = 93
        projectile_z_wide = 94
        projectile_velocity_x = 95
        projectile_velocity_y = 96
        projectile_velocity_z = 97
        projectile_velocity_x_wide = 98
        projectile_velocity_y_wide = 99
        projectile_velocity_z_wide = 100
        number_team = 104
        number_code = 105
        number_num_keys = 106
        number_time = 107
        number_value = 108
        terrain_frame = 112
        terrain_x = 113
        terrain_z = 114
        terrain_before = 115
        terrain_change = 116
        feature_id = 128
        feature_definition = 129
        feature_team = 130
        feature_flags = 131
        feature_first = 132
        feature_last = 133
        feature_x = 134
        feature_y = 135
        feature_z = 136
        feature_dropped = 137
        feature_kept_a = 138
        feature_kept_b = 139
        feature_kept_c = 140
        text_lengths = 160
        text_bytes = 161
        unit_names_lengths = 162
        unit_names_bytes = 163
        weapon_names_lengths = 164
        weapon_names_bytes = 165
        feature_names_lengths = 166
        feature_names_bytes = 167
        posed_definition = 168
        posed_num_pieces = 169
        piece_names_lengths = 170
        piece_names_bytes = 171
        team_id = 172
        team_ally = 173
        team_flags = 174
        team_colour = 175
        side_names_lengths = 176
        side_names_bytes = 177
        leader_names_lengths = 178
        leader_names_bytes = 179
        map_size = 180
        footprint_x = 181
        footprint_z = 182
        team_parameter_names_lengths = 183
        team_parameter_names_bytes = 184
        game_parameter_names_lengths = 185
        game_parameter_names_bytes = 186

    class NumberCode(IntEnum):
        metal = 0
        metal_storage = 1
        metal_pull = 2
        metal_income = 3
        metal_expense = 4
        metal_share = 5
        metal_sent = 6
        metal_received = 7
        metal_excess = 8
        energy = 16
        energy_storage = 17
        energy_pull = 18
        energy_income = 19
        energy_expense = 20
        energy_share = 21
        energy_sent = 22
        energy_received = 23
        energy_excess = 24

    class TargetKind(IntEnum):
        nothing = 0
        unit = 1
        feature = 2
        projectile = 4
        build = 16
        reclaim_unit = 17
        reclaim_feature = 18
        resurrect = 19
        capture = 20
        position = 128
        terraform = 129

    class ValueType(IntEnum):
        u1 = 1
        u2 = 2
        s2 = 3
        u4 = 4
        s4 = 5
        f4 = 6
    SEQ_FIELDS = ["num_columns", "columns"]
    def __init__(self, _io, _parent=None, _root=None):
        super(CbtrackChunk, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._debug = collections.defaultdict(dict)

    def _read(self):
        self._debug['num_columns']['start'] = self._io.pos()
        self.num_columns = self._io.read_u4le()
        self._debug['num_columns']['end'] = self._io.pos()
        self._debug['columns']['start'] = self._io.pos()
        self._debug['columns']['arr'] = []
        self.columns = []
        for i in range(self.num_columns):
            self._debug['columns']['arr'].append({'start': self._io.pos()})
            _t_columns = CbtrackChunk.Column(self._io, self, self._root)
            try:
                _t_columns._read()
            finally:
                self.columns.append(_t_columns)
            self._debug['columns']['arr'][i]['end'] = self._io.pos()

        self._debug['columns']['end'] = self._io.pos()


    def _fetch_instances(self):
        pass
        for i in range(len(self.columns)):
            pass
            self.columns[i]._fetch_instances()


    class Column(KaitaiStruct):
        """One entry of the directory, and the values it points at.

        .. seealso::
           Replay track format, Chunks
        """
        SEQ_FIELDS = ["column_id", "value_type", "ofs_data", "num_values"]
        def __init__(self, _io, _parent=None, _root=None):
            super(CbtrackChunk.Column, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['column_id']['start'] = self._io.pos()
            self.column_id = KaitaiStream.resolve_enum(CbtrackChunk.ColumnId, self._io.read_u2le())
            self._debug['column_id']['end'] = self._io.pos()
            self._debug['value_type']['start'] = self._io.pos()
            self.value_type = KaitaiStream.resolve_enum(CbtrackChunk.ValueType, self._io.read_u2le())
            self._debug['value_type']['end'] = self._io.pos()
            self._debug['ofs_data']['start'] = self._io.pos()
            self.ofs_data = self._io.read_u4le()
            self._debug['ofs_data']['end'] = self._io.pos()
            self._debug['num_values']['start'] = self._io.pos()
            self.num_values = self._io.read_u4le()
            self._debug['num_values']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            _ = self.data
            if hasattr(self, '_m_data'):
                pass
                _on = self.value_type
                if _on == CbtrackChunk.ValueType.f4:
                    pass
                    self._m_data._fetch_instances()
                elif _on == CbtrackChunk.ValueType.s2:
                    pass
                    self._m_data._fetch_instances()
                elif _on == CbtrackChunk.ValueType.s4:
                    pass
                    self._m_data._fetch_instances()
                elif _on == CbtrackChunk.ValueType.u1:
                    pass
                    self._m_data._fetch_instances()
                elif _on == CbtrackChunk.ValueType.u2:
                    pass
                    self._m_data._fetch_instances()
                elif _on == CbtrackChunk.ValueType.u4:
                    pass
                    self._m_data._fetch_instances()
                else:
                    pass


        @property
        def data(self):
            """The values, as they are stored.

            .. seealso::
               Replay track format, How a column stores values
            """
            if hasattr(self, '_m_data'):
                return self._m_data

            if self.is_known_type:
                pass
                io = self._root._io
                _pos = io.pos()
                io.seek(self.ofs_data)
                self._debug['_m_data']['start'] = io.pos()
                _on = self.value_type
                if _on == CbtrackChunk.ValueType.f4:
                    pass
                    self._raw__m_data = io.read_bytes(self.num_values * self.len_value)
                    _io__raw__m_data = KaitaiStream(BytesIO(self._raw__m_data))
                    self._m_data = CbtrackChunk.ValuesF4(_io__raw__m_data, self, self._root)
                    self._m_data._read()
                elif _on == CbtrackChunk.ValueType.s2:
                    pass
                    self._raw__m_data = io.read_bytes(self.num_values * self.len_value)
                    _io__raw__m_data = KaitaiStream(BytesIO(self._raw__m_data))
                    self._m_data = CbtrackChunk.ValuesS2(_io__raw__m_data, self, self._root)
                    self._m_data._read()
                elif _on == CbtrackChunk.ValueType.s4:
                    pass
                    self._raw__m_data = io.read_bytes(self.num_values * self.len_value)
                    _io__raw__m_data = KaitaiStream(BytesIO(self._raw__m_data))
                    self._m_data = CbtrackChunk.ValuesS4(_io__raw__m_data, self, self._root)
                    self._m_data._read()
                elif _on == CbtrackChunk.ValueType.u1:
                    pass
                    self._raw__m_data = io.read_bytes(self.num_values * self.len_value)
                    _io__raw__m_data = KaitaiStream(BytesIO(self._raw__m_data))
                    self._m_data = CbtrackChunk.ValuesU1(_io__raw__m_data, self, self._root)
                    self._m_data._read()
                elif _on == CbtrackChunk.ValueType.u2:
                    pass
                    self._raw__m_data = io.read_bytes(self.num_values * self.len_value)
                    _io__raw__m_data = KaitaiStream(BytesIO(self._raw__m_data))
                    self._m_data = CbtrackChunk.ValuesU2(_io__raw__m_data, self, self._root)
                    self._m_data._read()
                elif _on == CbtrackChunk.ValueType.u4:
                    pass
                    self._raw__m_data = io.read_bytes(self.num_values * self.len_value)
                    _io__raw__m_data = KaitaiStream(BytesIO(self._raw__m_data))
                    self._m_data = CbtrackChunk.ValuesU4(_io__raw__m_data, self, self._root)
                    self._m_data._read()
                else:
                    pass
                    self._m_data = io.read_bytes(self.num_values * self.len_value)
                self._debug['_m_data']['end'] = io.pos()
                io.seek(_pos)

            return getattr(self, '_m_data', None)

        @property
        def is_known_type(self):
            if hasattr(self, '_m_is_known_type'):
                return self._m_is_known_type

            self._m_is_known_type =  ((int(self.value_type) >= 1) and (int(self.value_type) <= 6))
            return getattr(self, '_m_is_known_type', None)

        @property
        def len_value(self):
            """Size of a value in bytes, where the type is known."""
            if hasattr(self, '_m_len_value'):
                return self._m_len_value

            self._m_len_value = (1 if self.value_type == CbtrackChunk.ValueType.u1 else (2 if  ((self.value_type == CbtrackChunk.ValueType.u2) or (self.value_type == CbtrackChunk.ValueType.s2))  else 4))
            return getattr(self, '_m_len_value', None)


    class ValuesF4(KaitaiStruct):
        """Stored as 32-bit floats."""
        SEQ_FIELDS = ["values"]
        def __init__(self, _io, _parent=None, _root=None):
            super(CbtrackChunk.ValuesF4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['values']['start'] = self._io.pos()
            self._debug['values']['arr'] = []
            self.values = []
            i = 0
            while not self._io.is_eof():
                self._debug['values']['arr'].append({'start': self._io.pos()})
                self.values.append(self._io.read_f4le())
                self._debug['values']['arr'][len(self.values) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['values']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.values)):
                pass



    class ValuesS2(KaitaiStruct):
        """Stored as signed 16-bit numbers."""
        SEQ_FIELDS = ["values"]
        def __init__(self, _io, _parent=None, _root=None):
            super(CbtrackChunk.ValuesS2, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['values']['start'] = self._io.pos()
            self._debug['values']['arr'] = []
            self.values = []
            i = 0
            while not self._io.is_eof():
                self._debug['values']['arr'].append({'start': self._io.pos()})
                self.values.append(self._io.read_s2le())
                self._debug['values']['arr'][len(self.values) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['values']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.values)):
                pass



    class ValuesS4(KaitaiStruct):
        """Stored as signed 32-bit numbers."""
        SEQ_FIELDS = ["values"]
        def __init__(self, _io, _parent=None, _root=None):
            super(CbtrackChunk.ValuesS4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['values']['start'] = self._io.pos()
            self._debug['values']['arr'] = []
            self.values = []
            i = 0
            while not self._io.is_eof():
                self._debug['values']['arr'].append({'start': self._io.pos()})
                self.values.append(self._io.read_s4le())
                self._debug['values']['arr'][len(self.values) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['values']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.values)):
                pass



    class ValuesU1(KaitaiStruct):
        """Stored as unsigned bytes."""
        SEQ_FIELDS = ["values"]
        def __init__(self, _io, _parent=None, _root=None):
            super(CbtrackChunk.ValuesU1, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['values']['start'] = self._io.pos()
            self._debug['values']['arr'] = []
            self.values = []
            i = 0
            while not self._io.is_eof():
                self._debug['values']['arr'].append({'start': self._io.pos()})
                self.values.append(self._io.read_u1())
                self._debug['values']['arr'][len(self.values) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['values']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.values)):
                pass



    class ValuesU2(KaitaiStruct):
        """Stored as unsigned 16-bit numbers."""
        SEQ_FIELDS = ["values"]
        def __init__(self, _io, _parent=None, _root=None):
            super(CbtrackChunk.ValuesU2, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['values']['start'] = self._io.pos()
            self._debug['values']['arr'] = []
            self.values = []
            i = 0
            while not self._io.is_eof():
                self._debug['values']['arr'].append({'start': self._io.pos()})
                self.values.append(self._io.read_u2le())
                self._debug['values']['arr'][len(self.values) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['values']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.values)):
                pass



    class ValuesU4(KaitaiStruct):
        """Stored as unsigned 32-bit numbers."""
        SEQ_FIELDS = ["values"]
        def __init__(self, _io, _parent=None, _root=None):
            super(CbtrackChunk.ValuesU4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['values']['start'] = self._io.pos()
            self._debug['values']['arr'] = []
            self.values = []
            i = 0
            while not self._io.is_eof():
                self._debug['values']['arr'].append({'start': self._io.pos()})
                self.values.append(self._io.read_u4le())
                self._debug['values']['arr'][len(self.values) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['values']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.values)):
                pass
