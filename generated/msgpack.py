# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class Msgpack(KaitaiStruct):
    """One MessagePack value, whatever it holds. The payload of a Crimsonland
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

    .. seealso::
       MessagePack specification - https://github.com/msgpack/msgpack/blob/master/spec.md


    .. seealso::
       seed 001, "Payload"
    """
    def __init__(self, _io, _parent=None, _root=None):
        super(Msgpack, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        self.value = Msgpack.Value(self._io, self, self._root)


    def _fetch_instances(self):
        pass
        self.value._fetch_instances()

    class Entry(KaitaiStruct):
        """A key of a map and what stands under it.
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(Msgpack.Entry, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.key = Msgpack.Value(self._io, self, self._root)
            self.value = Msgpack.Value(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.key._fetch_instances()
            self.value._fetch_instances()


    class Value(KaitaiStruct):
        """A value of any kind: its tag and what the tag announces.
        """
        number = None
        len_stored = None
        extension_type = None
        text = None
        data = None
        elements = None
        entries = None
        def __init__(self, _io, _parent=None, _root=None):
            super(Msgpack.Value, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.tag = self._io.read_u1()
            if  ((self.tag >= 202) and (self.tag <= 211)) :
                pass
                _on = self.tag
                if _on == 202:
                    pass
                    self.number = self._io.read_f4be()
                elif _on == 203:
                    pass
                    self.number = self._io.read_f8be()
                elif _on == 204:
                    pass
                    self.number = self._io.read_u1()
                elif _on == 205:
                    pass
                    self.number = self._io.read_u2be()
                elif _on == 206:
                    pass
                    self.number = self._io.read_u4be()
                elif _on == 207:
                    pass
                    self.number = self._io.read_u8be()
                elif _on == 208:
                    pass
                    self.number = self._io.read_s1()
                elif _on == 209:
                    pass
                    self.number = self._io.read_s2be()
                elif _on == 210:
                    pass
                    self.number = self._io.read_s4be()
                elif _on == 211:
                    pass
                    self.number = self._io.read_s8be()

            if  (( ((self.tag >= 196) and (self.tag <= 201)) ) or ( ((self.tag >= 217) and (self.tag <= 223)) )) :
                pass
                _on = self.tag
                if _on == 196:
                    pass
                    self.len_stored = self._io.read_u1()
                elif _on == 197:
                    pass
                    self.len_stored = self._io.read_u2be()
                elif _on == 198:
                    pass
                    self.len_stored = self._io.read_u4be()
                elif _on == 199:
                    pass
                    self.len_stored = self._io.read_u1()
                elif _on == 200:
                    pass
                    self.len_stored = self._io.read_u2be()
                elif _on == 201:
                    pass
                    self.len_stored = self._io.read_u4be()
                elif _on == 217:
                    pass
                    self.len_stored = self._io.read_u1()
                elif _on == 218:
                    pass
                    self.len_stored = self._io.read_u2be()
                elif _on == 219:
                    pass
                    self.len_stored = self._io.read_u4be()
                elif _on == 220:
                    pass
                    self.len_stored = self._io.read_u2be()
                elif _on == 221:
                    pass
                    self.len_stored = self._io.read_u4be()
                elif _on == 222:
                    pass
                    self.len_stored = self._io.read_u2be()
                elif _on == 223:
                    pass
                    self.len_stored = self._io.read_u4be()

            if self.is_extension:
                pass
                self.extension_type = self._io.read_s1()

            if self.is_text:
                pass
                self.text = (self._io.read_bytes(self.len_data)).decode(u"UTF-8")

            if  ((self.is_bytes) or (self.is_extension)) :
                pass
                self.data = self._io.read_bytes(self.len_data)

            if self.is_array:
                pass
                self.elements = []
                for i in range(self.num_elements):
                    self.elements.append(Msgpack.Value(self._io, self, self._root))


            if self.is_map:
                pass
                self.entries = []
                for i in range(self.num_elements):
                    self.entries.append(Msgpack.Entry(self._io, self, self._root))




        def _fetch_instances(self):
            pass
            if  ((self.tag >= 202) and (self.tag <= 211)) :
                pass
                _on = self.tag
                if _on == 202:
                    pass
                elif _on == 203:
                    pass
                elif _on == 204:
                    pass
                elif _on == 205:
                    pass
                elif _on == 206:
                    pass
                elif _on == 207:
                    pass
                elif _on == 208:
                    pass
                elif _on == 209:
                    pass
                elif _on == 210:
                    pass
                elif _on == 211:
                    pass

            if  (( ((self.tag >= 196) and (self.tag <= 201)) ) or ( ((self.tag >= 217) and (self.tag <= 223)) )) :
                pass
                _on = self.tag
                if _on == 196:
                    pass
                elif _on == 197:
                    pass
                elif _on == 198:
                    pass
                elif _on == 199:
                    pass
                elif _on == 200:
                    pass
                elif _on == 201:
                    pass
                elif _on == 217:
                    pass
                elif _on == 218:
                    pass
                elif _on == 219:
                    pass
                elif _on == 220:
                    pass
                elif _on == 221:
                    pass
                elif _on == 222:
                    pass
                elif _on == 223:
                    pass

            if self.is_extension:
                pass

            if self.is_text:
                pass

            if  ((self.is_bytes) or (self.is_extension)) :
                pass

            if self.is_array:
                pass
                for i in range(len(self.elements)):
                    pass
                    self.elements[i]._fetch_instances()


            if self.is_map:
                pass
                for i in range(len(self.entries)):
                    pass
                    self.entries[i]._fetch_instances()



        @property
        def is_array(self):
            if hasattr(self, '_m_is_array'):
                return self._m_is_array

            self._m_is_array =  (( ((self.tag >= 144) and (self.tag <= 159)) ) or (self.tag == 220) or (self.tag == 221))
            return getattr(self, '_m_is_array', None)

        @property
        def is_bytes(self):
            """Whether `data` holds plain bytes (tags bin8, bin16, bin32)."""
            if hasattr(self, '_m_is_bytes'):
                return self._m_is_bytes

            self._m_is_bytes =  ((self.tag >= 196) and (self.tag <= 198))
            return getattr(self, '_m_is_bytes', None)

        @property
        def is_extension(self):
            if hasattr(self, '_m_is_extension'):
                return self._m_is_extension

            self._m_is_extension =  (( ((self.tag >= 199) and (self.tag <= 201)) ) or ( ((self.tag >= 212) and (self.tag <= 216)) ))
            return getattr(self, '_m_is_extension', None)

        @property
        def is_map(self):
            if hasattr(self, '_m_is_map'):
                return self._m_is_map

            self._m_is_map =  (( ((self.tag >= 128) and (self.tag <= 143)) ) or (self.tag == 222) or (self.tag == 223))
            return getattr(self, '_m_is_map', None)

        @property
        def is_nil(self):
            if hasattr(self, '_m_is_nil'):
                return self._m_is_nil

            self._m_is_nil = self.tag == 192
            return getattr(self, '_m_is_nil', None)

        @property
        def is_small_integer(self):
            """The tag is the value."""
            if hasattr(self, '_m_is_small_integer'):
                return self._m_is_small_integer

            self._m_is_small_integer =  ((self.tag <= 127) or (self.tag >= 224))
            return getattr(self, '_m_is_small_integer', None)

        @property
        def is_text(self):
            if hasattr(self, '_m_is_text'):
                return self._m_is_text

            self._m_is_text =  (( ((self.tag >= 160) and (self.tag <= 191)) ) or ( ((self.tag >= 217) and (self.tag <= 219)) ))
            return getattr(self, '_m_is_text', None)

        @property
        def len_data(self):
            """Bytes of text or data."""
            if hasattr(self, '_m_len_data'):
                return self._m_len_data

            if  ((self.is_text) or (self.is_bytes) or (self.is_extension)) :
                pass
                self._m_len_data = (self.tag & 31 if  ((self.tag >= 160) and (self.tag <= 191))  else (1 << self.tag - 212 if  ((self.tag >= 212) and (self.tag <= 216))  else self.len_stored))

            return getattr(self, '_m_len_data', None)

        @property
        def num_elements(self):
            """Elements of the array or entries of the map."""
            if hasattr(self, '_m_num_elements'):
                return self._m_num_elements

            if  ((self.is_array) or (self.is_map)) :
                pass
                self._m_num_elements = (self.tag & 15 if  ((self.tag >= 128) and (self.tag <= 159))  else self.len_stored)

            return getattr(self, '_m_num_elements', None)

        @property
        def small_integer(self):
            if hasattr(self, '_m_small_integer'):
                return self._m_small_integer

            if self.is_small_integer:
                pass
                self._m_small_integer = (self.tag if self.tag <= 127 else self.tag - 256)

            return getattr(self, '_m_small_integer', None)

        @property
        def truth(self):
            """The value of a boolean."""
            if hasattr(self, '_m_truth'):
                return self._m_truth

            if  ((self.tag == 194) or (self.tag == 195)) :
                pass
                self._m_truth = self.tag == 195

            return getattr(self, '_m_truth', None)
