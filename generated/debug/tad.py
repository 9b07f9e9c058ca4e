# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from . import tad_subpacket
from enum import IntEnum
import collections


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class Tad(KaitaiStruct):
    """A log of what the peers of a multiplayer game sent each other. From the first
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

    .. seealso::
       seed 004, Byte layouts


    .. seealso::
       fact sheet tad-format, 1. Container
    """

    class Flag(IntEnum):
        plain = 3
        compressed = 4

    class SectorKind(IntEnum):
        comment = 1
        lobby_chat = 2
        recorder_version = 3
        date = 4
        recorded_from = 5
        address = 6
        mod_id = 7
    SEQ_FIELDS = ["header", "sector_total", "sectors", "players", "statuses", "unit_data", "packets"]
    sector_total = None
    sectors = None
    def __init__(self, _io, _parent=None, _root=None):
        super(Tad, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._debug = collections.defaultdict(dict)

    def _read(self):
        self._debug['header']['start'] = self._io.pos()
        self.header = Tad.HeaderRecord(self._io, self, self._root)
        self.header._read()
        self._debug['header']['end'] = self._io.pos()
        if self.version >= 5:
            pass
            self._debug['sector_total']['start'] = self._io.pos()
            self.sector_total = Tad.SectorCountRecord(self._io, self, self._root)
            self.sector_total._read()
            self._debug['sector_total']['end'] = self._io.pos()

        if self.version >= 5:
            pass
            self._debug['sectors']['start'] = self._io.pos()
            self._debug['sectors']['arr'] = []
            self.sectors = []
            for i in range(self.sector_total.body.num_sectors):
                self._debug['sectors']['arr'].append({'start': self._io.pos()})
                _t_sectors = Tad.SectorRecord(self._io, self, self._root)
                try:
                    _t_sectors._read()
                finally:
                    self.sectors.append(_t_sectors)
                self._debug['sectors']['arr'][i]['end'] = self._io.pos()

            self._debug['sectors']['end'] = self._io.pos()

        self._debug['players']['start'] = self._io.pos()
        self._debug['players']['arr'] = []
        self.players = []
        for i in range(self.header.body.head.num_players):
            self._debug['players']['arr'].append({'start': self._io.pos()})
            _t_players = Tad.PlayerRecord(self._io, self, self._root)
            try:
                _t_players._read()
            finally:
                self.players.append(_t_players)
            self._debug['players']['arr'][i]['end'] = self._io.pos()

        self._debug['players']['end'] = self._io.pos()
        self._debug['statuses']['start'] = self._io.pos()
        self._debug['statuses']['arr'] = []
        self.statuses = []
        for i in range(self.header.body.head.num_players):
            self._debug['statuses']['arr'].append({'start': self._io.pos()})
            _t_statuses = Tad.StatusRecord(self._io, self, self._root)
            try:
                _t_statuses._read()
            finally:
                self.statuses.append(_t_statuses)
            self._debug['statuses']['arr'][i]['end'] = self._io.pos()

        self._debug['statuses']['end'] = self._io.pos()
        self._debug['unit_data']['start'] = self._io.pos()
        self.unit_data = Tad.UnitDataRecord(self._io, self, self._root)
        self.unit_data._read()
        self._debug['unit_data']['end'] = self._io.pos()
        self._debug['packets']['start'] = self._io.pos()
        self._debug['packets']['arr'] = []
        self.packets = []
        i = 0
        while not self._io.is_eof():
            self._debug['packets']['arr'].append({'start': self._io.pos()})
            _t_packets = Tad.PacketRecord(self._io, self, self._root)
            try:
                _t_packets._read()
            finally:
                self.packets.append(_t_packets)
            self._debug['packets']['arr'][len(self.packets) - 1]['end'] = self._io.pos()
            i += 1

        self._debug['packets']['end'] = self._io.pos()


    def _fetch_instances(self):
        pass
        self.header._fetch_instances()
        if self.version >= 5:
            pass
            self.sector_total._fetch_instances()

        if self.version >= 5:
            pass
            for i in range(len(self.sectors)):
                pass
                self.sectors[i]._fetch_instances()


        for i in range(len(self.players)):
            pass
            self.players[i]._fetch_instances()

        for i in range(len(self.statuses)):
            pass
            self.statuses[i]._fetch_instances()

        self.unit_data._fetch_instances()
        for i in range(len(self.packets)):
            pass
            self.packets[i]._fetch_instances()


    class Address(KaitaiStruct):
        """Address of a player in the lobby, private. Every byte is masked with
        0x2a; the text is at 0x50 in what that gives. One recorder masks only the
        text, so that the bytes before it read as 0x2a.
        """
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Address, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['value']['start'] = self._io.pos()
            self._raw__raw_value = self._io.read_bytes_full()
            self._raw_value = KaitaiStream.process_xor_one(self._raw__raw_value, 42)
            _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
            self.value = Tad.AddressBlob(_io__raw_value, self, self._root)
            self.value._read()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.value._fetch_instances()


    class AddressBlob(KaitaiStruct):
        """The unmasked bytes of an address."""
        SEQ_FIELDS = ["reserved", "dotted"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.AddressBlob, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes((self._io.size() if self._io.size() < 80 else 80))
            self._debug['reserved']['end'] = self._io.pos()
            self._debug['dotted']['start'] = self._io.pos()
            self.dotted = (KaitaiStream.bytes_terminate(self._io.read_bytes_full(), 0, False)).decode(u"windows-1252")
            self._debug['dotted']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Envelope(KaitaiStruct):
        """What the game puts around its messages. Byte i, from the flag, is masked
        with i, except for the first three and the last three.

        .. seealso::
           seed 004, 5. TA packet encryption and compression
        """
        SEQ_FIELDS = ["head", "masked", "tail"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Envelope, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['head']['start'] = self._io.pos()
            self.head = Tad.EnvelopeHead(self._io, self, self._root)
            self.head._read()
            self._debug['head']['end'] = self._io.pos()
            self._debug['masked']['start'] = self._io.pos()
            _on = self.head.flag
            if _on == Tad.Flag.plain:
                pass
                self._raw__raw_masked = self._io.read_bytes(self._io.size() - 6)
                self._raw_masked = KaitaiStream.process_xor_many(self._raw__raw_masked, self.mask)
                _io__raw_masked = KaitaiStream(BytesIO(self._raw_masked))
                self.masked = Tad.StatusPayload(_io__raw_masked, self, self._root)
                self.masked._read()
            else:
                pass
                self._raw__raw_masked = self._io.read_bytes(self._io.size() - 6)
                self._raw_masked = KaitaiStream.process_xor_many(self._raw__raw_masked, self.mask)
                _io__raw_masked = KaitaiStream(BytesIO(self._raw_masked))
                self.masked = Tad.Opaque(_io__raw_masked, self, self._root)
                self.masked._read()
            self._debug['masked']['end'] = self._io.pos()
            self._debug['tail']['start'] = self._io.pos()
            self.tail = self._io.read_bytes(3)
            self._debug['tail']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.head._fetch_instances()
            _on = self.head.flag
            if _on == Tad.Flag.plain:
                pass
                self.masked._fetch_instances()
            else:
                pass
                self.masked._fetch_instances()
            _ = self.first_byte
            if hasattr(self, '_m_first_byte'):
                pass


        @property
        def first_byte(self):
            """Where the id 0x20 stands, masked or not."""
            if hasattr(self, '_m_first_byte'):
                return self._m_first_byte

            if self._io.size() > 7:
                pass
                _pos = self._io.pos()
                self._io.seek(7)
                self._debug['_m_first_byte']['start'] = self._io.pos()
                self._m_first_byte = self._io.read_u1()
                self._debug['_m_first_byte']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_first_byte', None)

        @property
        def is_unwrapped(self):
            """Whether `ksreplay unwrap` took the mask off."""
            if hasattr(self, '_m_is_unwrapped'):
                return self._m_is_unwrapped

            self._m_is_unwrapped =  ((self._io.size() > 7) and (self.head.checksum == 0) and (self.first_byte == 32))
            return getattr(self, '_m_is_unwrapped', None)

        @property
        def mask(self):
            """The low byte of the index, from 3; 0 in an unwrapped recording."""
            if hasattr(self, '_m_mask'):
                return self._m_mask

            self._m_mask = (b"\x00" if self.is_unwrapped else b"\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F\x20\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2A\x2B\x2C\x2D\x2E\x2F\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\x3A\x3B\x3C\x3D\x3E\x3F\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4A\x4B\x4C\x4D\x4E\x4F\x50\x51\x52\x53\x54\x55\x56\x57\x58\x59\x5A\x5B\x5C\x5D\x5E\x5F\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6A\x6B\x6C\x6D\x6E\x6F\x70\x71\x72\x73\x74\x75\x76\x77\x78\x79\x7A\x7B\x7C\x7D\x7E\x7F\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8A\x8B\x8C\x8D\x8E\x8F\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9A\x9B\x9C\x9D\x9E\x9F\xA0\xA1\xA2\xA3\xA4\xA5\xA6\xA7\xA8\xA9\xAA\xAB\xAC\xAD\xAE\xAF\xB0\xB1\xB2\xB3\xB4\xB5\xB6\xB7\xB8\xB9\xBA\xBB\xBC\xBD\xBE\xBF\xC0\xC1\xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9\xCA\xCB\xCC\xCD\xCE\xCF\xD0\xD1\xD2\xD3\xD4\xD5\xD6\xD7\xD8\xD9\xDA\xDB\xDC\xDD\xDE\xDF\xE0\xE1\xE2\xE3\xE4\xE5\xE6\xE7\xE8\xE9\xEA\xEB\xEC\xED\xEE\xEF\xF0\xF1\xF2\xF3\xF4\xF5\xF6\xF7\xF8\xF9\xFA\xFB\xFC\xFD\xFE\xFF\x00\x01\x02")
            return getattr(self, '_m_mask', None)


    class EnvelopeHead(KaitaiStruct):
        """The fixed part of an envelope."""
        SEQ_FIELDS = ["flag", "checksum"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.EnvelopeHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['flag']['start'] = self._io.pos()
            self.flag = KaitaiStream.resolve_enum(Tad.Flag, self._io.read_u1())
            self._debug['flag']['end'] = self._io.pos()
            self._debug['checksum']['start'] = self._io.pos()
            self.checksum = self._io.read_u2le()
            self._debug['checksum']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Header(KaitaiStruct):
        """Versions 3 and 4 may lack the unit limit: sources differ and no such file
        is public. Where the two bytes at its place are both printable they are
        the start of the map's name, since as a limit they would be above 8,000.

        .. seealso::
           seed 004, 2. Header record


        .. seealso::
           fact sheet tad-format, 1.1 Header body
        """
        SEQ_FIELDS = ["head", "max_units", "map_name"]
        max_units = None
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Header, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['head']['start'] = self._io.pos()
            self.head = Tad.HeaderHead(self._io, self, self._root)
            self.head._read()
            self._debug['head']['end'] = self._io.pos()
            if self.has_max_units:
                pass
                self._debug['max_units']['start'] = self._io.pos()
                self.max_units = self._io.read_u2le()
                self._debug['max_units']['end'] = self._io.pos()

            self._debug['map_name']['start'] = self._io.pos()
            self.map_name = (KaitaiStream.bytes_terminate(self._io.read_bytes_full(), 0, False)).decode(u"windows-1252")
            self._debug['map_name']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.head._fetch_instances()
            if self.has_max_units:
                pass

            _ = self.limit_high
            if hasattr(self, '_m_limit_high'):
                pass

            _ = self.limit_low
            if hasattr(self, '_m_limit_low'):
                pass


        @property
        def has_max_units(self):
            if hasattr(self, '_m_has_max_units'):
                return self._m_has_max_units

            self._m_has_max_units =  ((self.head.version >= 5) or ( ((self._io.size() >= 13) and ((not (self.is_limit_printable)))) ))
            return getattr(self, '_m_has_max_units', None)

        @property
        def is_limit_printable(self):
            if hasattr(self, '_m_is_limit_printable'):
                return self._m_is_limit_printable

            self._m_is_limit_printable =  ((self._io.size() >= 13) and (self.limit_low >= 32) and (self.limit_low < 127) and (self.limit_high >= 32) and (self.limit_high < 127))
            return getattr(self, '_m_is_limit_printable', None)

        @property
        def limit_high(self):
            if hasattr(self, '_m_limit_high'):
                return self._m_limit_high

            if self._io.size() >= 13:
                pass
                _pos = self._io.pos()
                self._io.seek(12)
                self._debug['_m_limit_high']['start'] = self._io.pos()
                self._m_limit_high = self._io.read_u1()
                self._debug['_m_limit_high']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_limit_high', None)

        @property
        def limit_low(self):
            if hasattr(self, '_m_limit_low'):
                return self._m_limit_low

            if self._io.size() >= 13:
                pass
                _pos = self._io.pos()
                self._io.seek(11)
                self._debug['_m_limit_low']['start'] = self._io.pos()
                self._m_limit_low = self._io.read_u1()
                self._debug['_m_limit_low']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_limit_low', None)


    class HeaderHead(KaitaiStruct):
        """The fixed part of the header."""
        SEQ_FIELDS = ["magic", "version", "num_players"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.HeaderHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['magic']['start'] = self._io.pos()
            self.magic = self._io.read_bytes(8)
            self._debug['magic']['end'] = self._io.pos()
            if not self.magic == b"\x54\x41\x20\x44\x65\x6D\x6F\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x54\x41\x20\x44\x65\x6D\x6F\x00", self.magic, self._io, u"/types/header_head/seq/0")
            self._debug['version']['start'] = self._io.pos()
            self.version = self._io.read_u2le()
            self._debug['version']['end'] = self._io.pos()
            if not  ((self.version == 3) or (self.version == 4) or (self.version == 5) or (self.version == 7)) :
                raise kaitaistruct.ValidationNotAnyOfError(self.version, self._io, u"/types/header_head/seq/1")
            self._debug['num_players']['start'] = self._io.pos()
            self.num_players = self._io.read_u1()
            self._debug['num_players']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class HeaderRecord(KaitaiStruct):
        """First record of the file."""
        SEQ_FIELDS = ["len_record", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.HeaderRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_record']['start'] = self._io.pos()
            self.len_record = self._io.read_u2le()
            self._debug['len_record']['end'] = self._io.pos()
            if not self.len_record >= 13:
                raise kaitaistruct.ValidationLessThanError(13, self.len_record, self._io, u"/types/header_record/seq/0")
            self._debug['body']['start'] = self._io.pos()
            self._raw_body = self._io.read_bytes(self.len_record - 2)
            _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
            self.body = Tad.Header(_io__raw_body, self, self._root)
            self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.body._fetch_instances()


    class Opaque(KaitaiStruct):
        """Bytes that this layout does not open."""
        SEQ_FIELDS = ["bytes"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Opaque, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['bytes']['start'] = self._io.pos()
            self.bytes = self._io.read_bytes_full()
            self._debug['bytes']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Packet(KaitaiStruct):
        """What a player sent at one moment.

        .. seealso::
           seed 004, 1. Record framing
        """
        SEQ_FIELDS = ["head", "flag", "transport_sequence", "payload", "unopened"]
        head = None
        flag = None
        transport_sequence = None
        payload = None
        unopened = None
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Packet, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            if self._io.size() >= 3:
                pass
                self._debug['head']['start'] = self._io.pos()
                self.head = Tad.PacketHead(self._io, self, self._root)
                self.head._read()
                self._debug['head']['end'] = self._io.pos()

            if self._io.size() >= 4:
                pass
                self._debug['flag']['start'] = self._io.pos()
                self.flag = KaitaiStream.resolve_enum(Tad.Flag, self._io.read_u1())
                self._debug['flag']['end'] = self._io.pos()

            if self.has_transport_sequence:
                pass
                self._debug['transport_sequence']['start'] = self._io.pos()
                self.transport_sequence = self._io.read_u4le()
                self._debug['transport_sequence']['end'] = self._io.pos()

            if self.is_open:
                pass
                self._debug['payload']['start'] = self._io.pos()
                self._raw_payload = self._io.read_bytes_full()
                _io__raw_payload = KaitaiStream(BytesIO(self._raw_payload))
                self.payload = tad_subpacket.TadSubpacket(_io__raw_payload)
                self.payload._read()
                self._debug['payload']['end'] = self._io.pos()

            if (not (self.is_open)):
                pass
                self._debug['unopened']['start'] = self._io.pos()
                self.unopened = self._io.read_bytes_full()
                self._debug['unopened']['end'] = self._io.pos()



        def _fetch_instances(self):
            pass
            if self._io.size() >= 3:
                pass
                self.head._fetch_instances()

            if self._io.size() >= 4:
                pass

            if self.has_transport_sequence:
                pass

            if self.is_open:
                pass
                self.payload._fetch_instances()

            if (not (self.is_open)):
                pass

            _ = self.first_byte
            if hasattr(self, '_m_first_byte'):
                pass


        @property
        def first_byte(self):
            """First byte of the payload."""
            if hasattr(self, '_m_first_byte'):
                return self._m_first_byte

            if self._io.size() > self.ofs_payload:
                pass
                _pos = self._io.pos()
                self._io.seek(self.ofs_payload)
                self._debug['_m_first_byte']['start'] = self._io.pos()
                self._m_first_byte = self._io.read_u1()
                self._debug['_m_first_byte']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_first_byte', None)

        @property
        def has_transport_sequence(self):
            if hasattr(self, '_m_has_transport_sequence'):
                return self._m_has_transport_sequence

            self._m_has_transport_sequence =  ((self._root.version == 3) and (self.is_plain) and (self._io.size() >= 8))
            return getattr(self, '_m_has_transport_sequence', None)

        @property
        def is_marker(self):
            """Whether it starts like `in checksum?!?!>`, with or without its
            beginning `<error `: what the recorder stored in the place of a
            message whose checksum failed.
            """
            if hasattr(self, '_m_is_marker'):
                return self._m_is_marker

            self._m_is_marker =  ((self._io.size() > self.ofs_payload) and ( ((self.first_byte == 105) or (self.first_byte == 60)) ))
            return getattr(self, '_m_is_marker', None)

        @property
        def is_open(self):
            """Whether the payload can be read as subpackets."""
            if hasattr(self, '_m_is_open'):
                return self._m_is_open

            self._m_is_open =  ((self.is_plain) and ((not (self.is_marker))))
            return getattr(self, '_m_is_open', None)

        @property
        def is_plain(self):
            if hasattr(self, '_m_is_plain'):
                return self._m_is_plain

            self._m_is_plain =  ((self._io.size() >= 4) and (self.flag == Tad.Flag.plain))
            return getattr(self, '_m_is_plain', None)

        @property
        def ofs_payload(self):
            if hasattr(self, '_m_ofs_payload'):
                return self._m_ofs_payload

            self._m_ofs_payload = (8 if self.has_transport_sequence else 4)
            return getattr(self, '_m_ofs_payload', None)


    class PacketHead(KaitaiStruct):
        """The fixed part of a packet record."""
        SEQ_FIELDS = ["dt_ms", "sender"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.PacketHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['dt_ms']['start'] = self._io.pos()
            self.dt_ms = self._io.read_u2le()
            self._debug['dt_ms']['end'] = self._io.pos()
            self._debug['sender']['start'] = self._io.pos()
            self.sender = self._io.read_u1()
            self._debug['sender']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class PacketRecord(KaitaiStruct):
        """One recorded message with its length."""
        SEQ_FIELDS = ["len_record", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.PacketRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_record']['start'] = self._io.pos()
            self.len_record = self._io.read_u2le()
            self._debug['len_record']['end'] = self._io.pos()
            if not self.len_record >= 2:
                raise kaitaistruct.ValidationLessThanError(2, self.len_record, self._io, u"/types/packet_record/seq/0")
            self._debug['body']['start'] = self._io.pos()
            self._raw_body = self._io.read_bytes(self.len_record - 2)
            _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
            self.body = Tad.Packet(_io__raw_body, self, self._root)
            self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.body._fetch_instances()


    class Player(KaitaiStruct):
        """Who took part, watchers included.

        .. seealso::
           seed 004, 4. Player and status records
        """
        SEQ_FIELDS = ["head", "name"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Player, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['head']['start'] = self._io.pos()
            self.head = Tad.PlayerHead(self._io, self, self._root)
            self.head._read()
            self._debug['head']['end'] = self._io.pos()
            self._debug['name']['start'] = self._io.pos()
            self.name = (KaitaiStream.bytes_terminate(self._io.read_bytes_full(), 0, False)).decode(u"windows-1252")
            self._debug['name']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.head._fetch_instances()


    class PlayerHead(KaitaiStruct):
        """The fixed part of a player record."""
        SEQ_FIELDS = ["color", "side", "number"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.PlayerHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['color']['start'] = self._io.pos()
            self.color = self._io.read_u1()
            self._debug['color']['end'] = self._io.pos()
            self._debug['side']['start'] = self._io.pos()
            self.side = KaitaiStream.resolve_enum(tad_subpacket.TadSubpacket.Side, self._io.read_u1())
            self._debug['side']['end'] = self._io.pos()
            self._debug['number']['start'] = self._io.pos()
            self.number = self._io.read_u1()
            self._debug['number']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class PlayerRecord(KaitaiStruct):
        """One player with its length."""
        SEQ_FIELDS = ["len_record", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.PlayerRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_record']['start'] = self._io.pos()
            self.len_record = self._io.read_u2le()
            self._debug['len_record']['end'] = self._io.pos()
            if not self.len_record >= 5:
                raise kaitaistruct.ValidationLessThanError(5, self.len_record, self._io, u"/types/player_record/seq/0")
            self._debug['body']['start'] = self._io.pos()
            self._raw_body = self._io.read_bytes(self.len_record - 2)
            _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
            self.body = Tad.Player(_io__raw_body, self, self._root)
            self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.body._fetch_instances()


    class Sector(KaitaiStruct):
        """A note of the recorder about the recording.

        .. seealso::
           seed 004, 3. Extra sectors
        """
        SEQ_FIELDS = ["head", "content"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Sector, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['head']['start'] = self._io.pos()
            self.head = Tad.SectorHead(self._io, self, self._root)
            self.head._read()
            self._debug['head']['end'] = self._io.pos()
            self._debug['content']['start'] = self._io.pos()
            _on = self.head.kind
            if _on == Tad.SectorKind.address:
                pass
                self._raw_content = self._io.read_bytes_full()
                _io__raw_content = KaitaiStream(BytesIO(self._raw_content))
                self.content = Tad.Address(_io__raw_content, self, self._root)
                self.content._read()
            else:
                pass
                self._raw_content = self._io.read_bytes_full()
                _io__raw_content = KaitaiStream(BytesIO(self._raw_content))
                self.content = Tad.Text(_io__raw_content, self, self._root)
                self.content._read()
            self._debug['content']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.head._fetch_instances()
            _on = self.head.kind
            if _on == Tad.SectorKind.address:
                pass
                self.content._fetch_instances()
            else:
                pass
                self.content._fetch_instances()


    class SectorCount(KaitaiStruct):
        """Body of the record before the sectors."""
        SEQ_FIELDS = ["num_sectors"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.SectorCount, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['num_sectors']['start'] = self._io.pos()
            self.num_sectors = self._io.read_u4le()
            self._debug['num_sectors']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SectorCountRecord(KaitaiStruct):
        """Says how many sector records follow."""
        SEQ_FIELDS = ["len_record", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.SectorCountRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_record']['start'] = self._io.pos()
            self.len_record = self._io.read_u2le()
            self._debug['len_record']['end'] = self._io.pos()
            if not self.len_record >= 6:
                raise kaitaistruct.ValidationLessThanError(6, self.len_record, self._io, u"/types/sector_count_record/seq/0")
            self._debug['body']['start'] = self._io.pos()
            self._raw_body = self._io.read_bytes(self.len_record - 2)
            _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
            self.body = Tad.SectorCount(_io__raw_body, self, self._root)
            self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.body._fetch_instances()


    class SectorHead(KaitaiStruct):
        """The fixed part of a sector."""
        SEQ_FIELDS = ["kind"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.SectorHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['kind']['start'] = self._io.pos()
            self.kind = KaitaiStream.resolve_enum(Tad.SectorKind, self._io.read_u4le())
            self._debug['kind']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SectorRecord(KaitaiStruct):
        """One sector with its length."""
        SEQ_FIELDS = ["len_record", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.SectorRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_record']['start'] = self._io.pos()
            self.len_record = self._io.read_u2le()
            self._debug['len_record']['end'] = self._io.pos()
            if not self.len_record >= 6:
                raise kaitaistruct.ValidationLessThanError(6, self.len_record, self._io, u"/types/sector_record/seq/0")
            self._debug['body']['start'] = self._io.pos()
            self._raw_body = self._io.read_bytes(self.len_record - 2)
            _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
            self.body = Tad.Sector(_io__raw_body, self, self._root)
            self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.body._fetch_instances()


    class Status(KaitaiStruct):
        """Lobby settings of one player.

        .. seealso::
           seed 004, 4. Player and status records
        """
        SEQ_FIELDS = ["number", "envelope"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Status, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['number']['start'] = self._io.pos()
            self.number = self._io.read_u1()
            self._debug['number']['end'] = self._io.pos()
            self._debug['envelope']['start'] = self._io.pos()
            self._raw_envelope = self._io.read_bytes_full()
            _io__raw_envelope = KaitaiStream(BytesIO(self._raw_envelope))
            self.envelope = Tad.Envelope(_io__raw_envelope, self, self._root)
            self.envelope._read()
            self._debug['envelope']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.envelope._fetch_instances()


    class StatusPayload(KaitaiStruct):
        """What the envelope holds, less its last three bytes."""
        SEQ_FIELDS = ["sequence", "magic", "info", "rest"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.StatusPayload, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['sequence']['start'] = self._io.pos()
            self.sequence = self._io.read_s4le()
            self._debug['sequence']['end'] = self._io.pos()
            self._debug['magic']['start'] = self._io.pos()
            self.magic = self._io.read_bytes(1)
            self._debug['magic']['end'] = self._io.pos()
            if not self.magic == b"\x20":
                raise kaitaistruct.ValidationNotEqualError(b"\x20", self.magic, self._io, u"/types/status_payload/seq/1")
            self._debug['info']['start'] = self._io.pos()
            self.info = tad_subpacket.TadSubpacket.PlayerInfo(self._io)
            self.info._read()
            self._debug['info']['end'] = self._io.pos()
            self._debug['rest']['start'] = self._io.pos()
            self.rest = self._io.read_bytes_full()
            self._debug['rest']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.info._fetch_instances()


    class StatusRecord(KaitaiStruct):
        """Lobby settings of one player, with their length."""
        SEQ_FIELDS = ["len_record", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.StatusRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_record']['start'] = self._io.pos()
            self.len_record = self._io.read_u2le()
            self._debug['len_record']['end'] = self._io.pos()
            if not self.len_record >= 9:
                raise kaitaistruct.ValidationLessThanError(9, self.len_record, self._io, u"/types/status_record/seq/0")
            self._debug['body']['start'] = self._io.pos()
            self._raw_body = self._io.read_bytes(self.len_record - 2)
            _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
            self.body = Tad.Status(_io__raw_body, self, self._root)
            self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.body._fetch_instances()


    class Text(KaitaiStruct):
        """Text without end mark."""
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.Text, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = (self._io.read_bytes_full()).decode(u"windows-1252")
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class UnitDataEntries(KaitaiStruct):
        """The negotiation as far as the recorder keeps it, one entry a key.

        .. seealso::
           seed 004, 7. Unit sync, catalog provenance
        """
        SEQ_FIELDS = ["entries"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.UnitDataEntries, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['entries']['start'] = self._io.pos()
            self._debug['entries']['arr'] = []
            self.entries = []
            i = 0
            while not self._io.is_eof():
                self._debug['entries']['arr'].append({'start': self._io.pos()})
                _t_entries = Tad.UnitDataEntry(self._io, self, self._root)
                try:
                    _t_entries._read()
                finally:
                    self.entries.append(_t_entries)
                self._debug['entries']['arr'][len(self.entries) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['entries']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.entries)):
                pass
                self.entries[i]._fetch_instances()



    class UnitDataEntry(KaitaiStruct):
        """One 0x1a subpacket."""
        SEQ_FIELDS = ["magic", "entry"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.UnitDataEntry, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['magic']['start'] = self._io.pos()
            self.magic = self._io.read_bytes(1)
            self._debug['magic']['end'] = self._io.pos()
            if not self.magic == b"\x1A":
                raise kaitaistruct.ValidationNotEqualError(b"\x1A", self.magic, self._io, u"/types/unit_data_entry/seq/0")
            self._debug['entry']['start'] = self._io.pos()
            self.entry = tad_subpacket.TadSubpacket.UnitData(self._io)
            self.entry._read()
            self._debug['entry']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.entry._fetch_instances()


    class UnitDataRecord(KaitaiStruct):
        """The negotiated unit types, with their length."""
        SEQ_FIELDS = ["len_record", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Tad.UnitDataRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_record']['start'] = self._io.pos()
            self.len_record = self._io.read_u2le()
            self._debug['len_record']['end'] = self._io.pos()
            if not self.len_record >= 2:
                raise kaitaistruct.ValidationLessThanError(2, self.len_record, self._io, u"/types/unit_data_record/seq/0")
            self._debug['body']['start'] = self._io.pos()
            self._raw_body = self._io.read_bytes(self.len_record - 2)
            _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
            self.body = Tad.UnitDataEntries(_io__raw_body, self, self._root)
            self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.body._fetch_instances()


    @property
    def version(self):
        if hasattr(self, '_m_version'):
            return self._m_version

        self._m_version = self.header.body.head.version
        return getattr(self, '_m_version', None)
