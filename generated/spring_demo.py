# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from . import spring_packet


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class SpringDemo(KaitaiStruct):
    """A recorded game of a Spring (Recoil) engine game, as the engine writes it
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

    .. seealso::
       Coilbox, Replay data sources, "What is in a replay file" and "The trailer"


    .. seealso::
       rts/System/LoadSave/demofile.h - https://github.com/beyond-all-reason/RecoilEngine
    """
    header = None
    def __init__(self, _io, _parent=None, _root=None):
        super(SpringDemo, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        _on = self.layout
        if _on == 1:
            pass
            self.header = SpringDemo.HeaderV1(self._io, self, self._root)
        elif _on == 3:
            pass
            self.header = SpringDemo.HeaderV3(self._io, self, self._root)
        elif _on == 4:
            pass
            self.header = SpringDemo.HeaderV4(self._io, self, self._root)
        elif _on == 5:
            pass
            self.header = SpringDemo.HeaderV5(self._io, self, self._root)


    def _fetch_instances(self):
        pass
        _on = self.layout
        if _on == 1:
            pass
            self.header._fetch_instances()
        elif _on == 3:
            pass
            self.header._fetch_instances()
        elif _on == 4:
            pass
            self.header._fetch_instances()
        elif _on == 5:
            pass
            self.header._fetch_instances()
        _ = self.engine_text
        if hasattr(self, '_m_engine_text'):
            pass
            self._m_engine_text._fetch_instances()

        _ = self.first_chunks
        if hasattr(self, '_m_first_chunks'):
            pass
            self._m_first_chunks._fetch_instances()

        _ = self.len_header
        if hasattr(self, '_m_len_header'):
            pass

        _ = self.player_statistics
        if hasattr(self, '_m_player_statistics'):
            pass
            for i in range(len(self._m_player_statistics)):
                pass
                self._m_player_statistics[i]._fetch_instances()


        _ = self.script
        if hasattr(self, '_m_script'):
            pass

        _ = self.stream
        if hasattr(self, '_m_stream'):
            pass
            self._m_stream._fetch_instances()

        _ = self.team_statistics
        if hasattr(self, '_m_team_statistics'):
            pass
            self._m_team_statistics._fetch_instances()

        _ = self.version
        if hasattr(self, '_m_version'):
            pass

        _ = self.winning_ally_teams
        if hasattr(self, '_m_winning_ally_teams'):
            pass
            for i in range(len(self._m_winning_ally_teams)):
                pass



    class Chunk(KaitaiStruct):
        """One network message with its time."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.Chunk, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.mod_game_time = self._io.read_f4le()
            self.len_packet = self._io.read_u4le()
            self._raw_packet = self._io.read_bytes(self.len_packet)
            _io__raw_packet = KaitaiStream(BytesIO(self._raw_packet))
            self.packet = SpringDemo.Packet(_io__raw_packet, self, self._root)


        def _fetch_instances(self):
            pass
            self.packet._fetch_instances()


    class ChunkHead(KaitaiStruct):
        """The fixed fields of a chunk."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.ChunkHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.mod_game_time = self._io.read_f4le()
            self.len_packet = self._io.read_u4le()


        def _fetch_instances(self):
            pass


    class ChunkPair(KaitaiStruct):
        """Two chunks."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.ChunkPair, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.first = SpringDemo.Chunk(self._io, self, self._root)
            self.second = SpringDemo.Chunk(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.first._fetch_instances()
            self.second._fetch_instances()


    class HeaderV1(KaitaiStruct):
        """Header version 1, 128 bytes. Engines 0.76b1."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.HeaderV1, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.magic = self._io.read_bytes(16)
            if not self.magic == b"\x73\x70\x72\x69\x6E\x67\x20\x64\x65\x6D\x6F\x66\x69\x6C\x65\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x73\x70\x72\x69\x6E\x67\x20\x64\x65\x6D\x6F\x66\x69\x6C\x65\x00", self.magic, self._io, u"/types/header_v1/seq/0")
            self.version = self._io.read_s4le()
            self.len_header = self._io.read_s4le()
            self.engine_version = (KaitaiStream.bytes_terminate(self._io.read_bytes(16), 0, False)).decode(u"UTF-8")
            self.game_id = self._io.read_bytes(16)
            self.unix_time = self._io.read_u8le()
            self.ofs_script = self._io.read_s4le()
            self.len_script = self._io.read_s4le()
            self.ofs_stream = self._io.read_s4le()
            self.len_stream = self._io.read_s4le()
            self.game_seconds = self._io.read_s4le()
            self.wallclock_seconds = self._io.read_s4le()
            self.num_players = self._io.read_s4le()
            self.ofs_player_stats = self._io.read_s4le()
            self.len_player_stats = self._io.read_s4le()
            self.len_player_stat = self._io.read_s4le()
            self.num_teams = self._io.read_s4le()
            self.ofs_team_stats = self._io.read_s4le()
            self.len_team_stats = self._io.read_s4le()
            self.len_team_stat = self._io.read_s4le()
            self.team_stat_period = self._io.read_s4le()
            self.winning_ally_team = self._io.read_s4le()


        def _fetch_instances(self):
            pass


    class HeaderV3(KaitaiStruct):
        """Header version 3, 116 bytes. Engines 0.77b1 to 0.78."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.HeaderV3, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.magic = self._io.read_bytes(16)
            if not self.magic == b"\x73\x70\x72\x69\x6E\x67\x20\x64\x65\x6D\x6F\x66\x69\x6C\x65\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x73\x70\x72\x69\x6E\x67\x20\x64\x65\x6D\x6F\x66\x69\x6C\x65\x00", self.magic, self._io, u"/types/header_v3/seq/0")
            self.version = self._io.read_s4le()
            self.len_header = self._io.read_s4le()
            self.engine_version = (KaitaiStream.bytes_terminate(self._io.read_bytes(16), 0, False)).decode(u"UTF-8")
            self.game_id = self._io.read_bytes(16)
            self.unix_time = self._io.read_u8le()
            self.len_script = self._io.read_s4le()
            self.len_stream = self._io.read_s4le()
            self.game_seconds = self._io.read_s4le()
            self.wallclock_seconds = self._io.read_s4le()
            self.max_player_number = self._io.read_s4le()
            self.num_players = self._io.read_s4le()
            self.len_player_stats = self._io.read_s4le()
            self.len_player_stat = self._io.read_s4le()
            self.num_teams = self._io.read_s4le()
            self.len_team_stats = self._io.read_s4le()
            self.len_team_stat = self._io.read_s4le()
            self.team_stat_period = self._io.read_s4le()
            self.winning_ally_team = self._io.read_s4le()


        def _fetch_instances(self):
            pass


    class HeaderV4(KaitaiStruct):
        """Header version 4, 112 bytes. Engines 0.79.0 to 0.82.7."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.HeaderV4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.magic = self._io.read_bytes(16)
            if not self.magic == b"\x73\x70\x72\x69\x6E\x67\x20\x64\x65\x6D\x6F\x66\x69\x6C\x65\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x73\x70\x72\x69\x6E\x67\x20\x64\x65\x6D\x6F\x66\x69\x6C\x65\x00", self.magic, self._io, u"/types/header_v4/seq/0")
            self.version = self._io.read_s4le()
            self.len_header = self._io.read_s4le()
            self.engine_version = (KaitaiStream.bytes_terminate(self._io.read_bytes(16), 0, False)).decode(u"UTF-8")
            self.game_id = self._io.read_bytes(16)
            self.unix_time = self._io.read_u8le()
            self.len_script = self._io.read_s4le()
            self.len_stream = self._io.read_s4le()
            self.game_seconds = self._io.read_s4le()
            self.wallclock_seconds = self._io.read_s4le()
            self.num_players = self._io.read_s4le()
            self.len_player_stats = self._io.read_s4le()
            self.len_player_stat = self._io.read_s4le()
            self.num_teams = self._io.read_s4le()
            self.len_team_stats = self._io.read_s4le()
            self.len_team_stat = self._io.read_s4le()
            self.team_stat_period = self._io.read_s4le()
            self.winning_ally_team = self._io.read_s4le()


        def _fetch_instances(self):
            pass


    class HeaderV5(KaitaiStruct):
        """Header version 5, 352 bytes. Engines 83.0 (November 2011) and later."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.HeaderV5, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.magic = self._io.read_bytes(16)
            if not self.magic == b"\x73\x70\x72\x69\x6E\x67\x20\x64\x65\x6D\x6F\x66\x69\x6C\x65\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x73\x70\x72\x69\x6E\x67\x20\x64\x65\x6D\x6F\x66\x69\x6C\x65\x00", self.magic, self._io, u"/types/header_v5/seq/0")
            self.version = self._io.read_s4le()
            self.len_header = self._io.read_s4le()
            self.engine_version = (KaitaiStream.bytes_terminate(self._io.read_bytes(256), 0, False)).decode(u"UTF-8")
            self.game_id = self._io.read_bytes(16)
            self.unix_time = self._io.read_u8le()
            self.len_script = self._io.read_s4le()
            self.len_stream = self._io.read_s4le()
            self.game_seconds = self._io.read_s4le()
            self.wallclock_seconds = self._io.read_s4le()
            self.num_players = self._io.read_s4le()
            self.len_player_stats = self._io.read_s4le()
            self.len_player_stat = self._io.read_s4le()
            self.num_teams = self._io.read_s4le()
            self.len_team_stats = self._io.read_s4le()
            self.len_team_stat = self._io.read_s4le()
            self.team_stat_period = self._io.read_s4le()
            self.len_winning_ally_teams = self._io.read_s4le()


        def _fetch_instances(self):
            pass


    class Packet(KaitaiStruct):
        """The bytes of one message. A message that breaks its layout costs only itself."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.Packet, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass
            _ = self.id
            if hasattr(self, '_m_id'):
                pass

            _ = self.message
            if hasattr(self, '_m_message'):
                pass
                self._m_message._fetch_instances()


        @property
        def id(self):
            """The message's id, see spring_packet."""
            if hasattr(self, '_m_id'):
                return self._m_id

            if self._io.size() > 0:
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_id = self._io.read_u1()
                self._io.seek(_pos)

            return getattr(self, '_m_id', None)

        @property
        def message(self):
            if hasattr(self, '_m_message'):
                return self._m_message

            if self._io.size() > 0:
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._raw__m_message = self._io.read_bytes_full()
                _io__raw__m_message = KaitaiStream(BytesIO(self._raw__m_message))
                self._m_message = spring_packet.SpringPacket.Message(self._root.engine, _io__raw__m_message)
                self._io.seek(_pos)

            return getattr(self, '_m_message', None)


    class PlayerRecord(KaitaiStruct):
        """One player's counters; bytes beyond the known ones are not read."""
        counters = None
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.PlayerRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            _on = self._root.player_statistics_layout
            if _on == 0:
                pass
                self.counters = spring_packet.SpringPacket.PlayerStatisticsMouseFirst(self._io)
            elif _on == 1:
                pass
                self.counters = spring_packet.SpringPacket.PlayerStatistics(self._io)
            elif _on == 2:
                pass
                self.counters = SpringDemo.PlayerStatisticsMouseFirstBe(self._io, self, self._root)
            elif _on == 3:
                pass
                self.counters = SpringDemo.PlayerStatisticsBe(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            _on = self._root.player_statistics_layout
            if _on == 0:
                pass
                self.counters._fetch_instances()
            elif _on == 1:
                pass
                self.counters._fetch_instances()
            elif _on == 2:
                pass
                self.counters._fetch_instances()
            elif _on == 3:
                pass
                self.counters._fetch_instances()


    class PlayerStatisticsBe(KaitaiStruct):
        """Counters of one player in a server recording, since engine 94.0."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.PlayerStatisticsBe, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.num_commands = self._io.read_s4be()
            self.num_unit_commands = self._io.read_s4be()
            self.mouse_pixels = self._io.read_s4be()
            self.mouse_clicks = self._io.read_s4be()
            self.key_presses = self._io.read_s4be()


        def _fetch_instances(self):
            pass


    class PlayerStatisticsMouseFirstBe(KaitaiStruct):
        """Counters of one player in a server recording, up to engine 93.2."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.PlayerStatisticsMouseFirstBe, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.mouse_pixels = self._io.read_s4be()
            self.mouse_clicks = self._io.read_s4be()
            self.key_presses = self._io.read_s4be()
            self.num_commands = self._io.read_s4be()
            self.num_unit_commands = self._io.read_s4be()


        def _fetch_instances(self):
            pass


    class Stream(KaitaiStruct):
        """The recorded network messages."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.Stream, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.chunks = []
            i = 0
            while not self._io.is_eof():
                self.chunks.append(SpringDemo.Chunk(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.chunks)):
                pass
                self.chunks[i]._fetch_instances()



    class TeamStatistics(KaitaiStruct):
        """All sample counts, then the samples of team 0, of team 1, and so on."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.TeamStatistics, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.num_samples = []
            for i in range(self._root.num_teams):
                self.num_samples.append(self._io.read_u4le())

            self._raw_samples = []
            self.samples = []
            i = 0
            while not self._io.is_eof():
                self._raw_samples.append(self._io.read_bytes(self._root.len_team_stat))
                _io__raw_samples = KaitaiStream(BytesIO(self._raw_samples[-1]))
                self.samples.append(spring_packet.SpringPacket.TeamStatistics(_io__raw_samples))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.num_samples)):
                pass

            for i in range(len(self.samples)):
                pass
                self.samples[i]._fetch_instances()



    class VersionPart(KaitaiStruct):
        """A run of digits and the byte that ends it."""
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.VersionPart, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.chars = []
            i = 0
            while True:
                _ = self._io.read_u1()
                self.chars.append(_)
                if  ((_ < 48) or (_ > 57) or (self._io.is_eof())) :
                    break
                i += 1


        def _fetch_instances(self):
            pass
            for i in range(len(self.chars)):
                pass


        @property
        def num_digits(self):
            if hasattr(self, '_m_num_digits'):
                return self._m_num_digits

            self._m_num_digits = len(self.chars) - 1
            return getattr(self, '_m_num_digits', None)

        @property
        def number(self):
            """Value of the last four digits."""
            if hasattr(self, '_m_number'):
                return self._m_number

            self._m_number = (((self.chars[self.num_digits - 1] - 48 if self.num_digits > 0 else 0) + (self.chars[self.num_digits - 2] - 48 if self.num_digits > 1 else 0) * 10) + (self.chars[self.num_digits - 3] - 48 if self.num_digits > 2 else 0) * 100) + (self.chars[self.num_digits - 4] - 48 if self.num_digits > 3 else 0) * 1000
            return getattr(self, '_m_number', None)

        @property
        def terminator(self):
            """The byte after the digits."""
            if hasattr(self, '_m_terminator'):
                return self._m_terminator

            self._m_terminator = self.chars[-1]
            return getattr(self, '_m_terminator', None)


    class VersionText(KaitaiStruct):
        """The numbers of a version text such as `104.0.1-1707-gc0fc18e BAR`, and the
        one number that layouts are chosen by.
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringDemo.VersionText, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.parts = []
            i = 0
            while True:
                _ = SpringDemo.VersionPart(self._io, self, self._root)
                self.parts.append(_)
                if  (( ((_.terminator != 46) and (_.terminator != 45)) ) or (self._io.is_eof())) :
                    break
                i += 1


        def _fetch_instances(self):
            pass
            for i in range(len(self.parts)):
                pass
                self.parts[i]._fetch_instances()


        @property
        def commits(self):
            """Commits since the release, for builds between releases."""
            if hasattr(self, '_m_commits'):
                return self._m_commits

            self._m_commits = (self.parts[1].number if  ((len(self.parts) > 1) and (self.parts[0].terminator == 45))  else (self.parts[2].number if  ((self.has_second) and (len(self.parts) > 2) and (self.parts[1].terminator == 45))  else (self.parts[3].number if  ((self.has_third) and (len(self.parts) > 3) and (self.parts[2].terminator == 45))  else (self.parts[4].number if  ((self.has_fourth) and (len(self.parts) > 4) and (self.parts[3].terminator == 45))  else 0))))
            return getattr(self, '_m_commits', None)

        @property
        def has_fourth(self):
            """A dot and a fourth number follow."""
            if hasattr(self, '_m_has_fourth'):
                return self._m_has_fourth

            self._m_has_fourth =  ((self.has_third) and (len(self.parts) > 3) and (self.parts[2].terminator == 46))
            return getattr(self, '_m_has_fourth', None)

        @property
        def has_second(self):
            """A dot and a second number follow the first."""
            if hasattr(self, '_m_has_second'):
                return self._m_has_second

            self._m_has_second =  ((len(self.parts) > 1) and (self.parts[0].terminator == 46))
            return getattr(self, '_m_has_second', None)

        @property
        def has_third(self):
            """A dot and a third number follow."""
            if hasattr(self, '_m_has_third'):
                return self._m_has_third

            self._m_has_third =  ((self.has_second) and (len(self.parts) > 2) and (self.parts[1].terminator == 46))
            return getattr(self, '_m_has_third', None)

        @property
        def is_known(self):
            """The text starts with a number of a sensible size."""
            if hasattr(self, '_m_is_known'):
                return self._m_is_known

            self._m_is_known =  ((self.parts[0].num_digits > 0) and (self.parts[0].num_digits < 5) and ( (((not (self.is_old))) or (self.p1 > 0)) ))
            return getattr(self, '_m_is_known', None)

        @property
        def is_old(self):
            """Engines before 83 counted 0.76, 0.77 up to 0.82."""
            if hasattr(self, '_m_is_old'):
                return self._m_is_old

            self._m_is_old =  ((self.parts[0].num_digits == 1) and (self.parts[0].number == 0))
            return getattr(self, '_m_is_old', None)

        @property
        def number(self):
            """Engine number, see spring_packet."""
            if hasattr(self, '_m_number'):
                return self._m_number

            self._m_number = (99999999 if (not (self.is_known)) else (self.p1 * 10000 + (99 if self.p2 > 99 else self.p2) * 100 if self.is_old else ((self.release * 10000 + (99 if self.p1 > 99 else self.p1) * 100) + (99 if self.p2 > 99 else self.p2) if self.release >= 1000 else self.release * 10000 + (9999 if self.commits > 9999 else self.commits))))
            return getattr(self, '_m_number', None)

        @property
        def p1(self):
            """Second number."""
            if hasattr(self, '_m_p1'):
                return self._m_p1

            self._m_p1 = (self.parts[1].number if self.has_second else 0)
            return getattr(self, '_m_p1', None)

        @property
        def p2(self):
            """Third number."""
            if hasattr(self, '_m_p2'):
                return self._m_p2

            self._m_p2 = (self.parts[2].number if self.has_third else 0)
            return getattr(self, '_m_p2', None)

        @property
        def release(self):
            """The number of the release, such as 82, 104, 2025."""
            if hasattr(self, '_m_release'):
                return self._m_release

            self._m_release = (self.p1 if self.is_old else self.parts[0].number)
            return getattr(self, '_m_release', None)


    @property
    def engine(self):
        """Engine number that picks the layouts, see spring_packet."""
        if hasattr(self, '_m_engine'):
            return self._m_engine

        self._m_engine = self.engine_text.number
        return getattr(self, '_m_engine', None)

    @property
    def engine_text(self):
        """The version text, split into its numbers."""
        if hasattr(self, '_m_engine_text'):
            return self._m_engine_text

        _pos = self._io.pos()
        self._io.seek(24)
        self._raw__m_engine_text = self._io.read_bytes((256 if self.layout == 5 else 16))
        _io__raw__m_engine_text = KaitaiStream(BytesIO(self._raw__m_engine_text))
        self._m_engine_text = SpringDemo.VersionText(_io__raw__m_engine_text, self, self._root)
        self._io.seek(_pos)
        return getattr(self, '_m_engine_text', None)

    @property
    def first_chunks(self):
        """The first two chunks, to look at the second."""
        if hasattr(self, '_m_first_chunks'):
            return self._m_first_chunks

        if self.ofs_trailer > self.ofs_stream + 16:
            pass
            _pos = self._io.pos()
            self._io.seek(self.ofs_stream)
            self._m_first_chunks = SpringDemo.ChunkPair(self._io, self, self._root)
            self._io.seek(_pos)

        return getattr(self, '_m_first_chunks', None)

    @property
    def is_client(self):
        """A client made the recording: its second packet is SETPLAYERNUM.
        """
        if hasattr(self, '_m_is_client'):
            return self._m_is_client

        self._m_is_client =  ((self.ofs_trailer > self.ofs_stream + 16) and (self.first_chunks.second.len_packet > 0) and (self.first_chunks.second.packet.id == 5))
        return getattr(self, '_m_is_client', None)

    @property
    def is_crashed(self):
        """The recorder never finished: no trailer, the stream ends with the file.
        """
        if hasattr(self, '_m_is_crashed'):
            return self._m_is_crashed

        self._m_is_crashed = self.len_stream == 0
        return getattr(self, '_m_is_crashed', None)

    @property
    def layout(self):
        """Which header type is read; version 2 had the fields of 3 or of 4."""
        if hasattr(self, '_m_layout'):
            return self._m_layout

        self._m_layout = ((3 if self.len_header == 116 else 4) if self.version == 2 else self.version)
        return getattr(self, '_m_layout', None)

    @property
    def len_header(self):
        """Where the script starts."""
        if hasattr(self, '_m_len_header'):
            return self._m_len_header

        _pos = self._io.pos()
        self._io.seek(20)
        self._m_len_header = self._io.read_s4le()
        self._io.seek(_pos)
        return getattr(self, '_m_len_header', None)

    @property
    def len_player_stat(self):
        if hasattr(self, '_m_len_player_stat'):
            return self._m_len_player_stat

        self._m_len_player_stat = (self.header.len_player_stat if self.layout == 5 else (self.header.len_player_stat if self.layout == 4 else (self.header.len_player_stat if self.layout == 3 else self.header.len_player_stat)))
        return getattr(self, '_m_len_player_stat', None)

    @property
    def len_player_stats(self):
        if hasattr(self, '_m_len_player_stats'):
            return self._m_len_player_stats

        self._m_len_player_stats = (self.header.len_player_stats if self.layout == 5 else (self.header.len_player_stats if self.layout == 4 else (self.header.len_player_stats if self.layout == 3 else self.header.len_player_stats)))
        return getattr(self, '_m_len_player_stats', None)

    @property
    def len_script(self):
        if hasattr(self, '_m_len_script'):
            return self._m_len_script

        self._m_len_script = (self.header.len_script if self.layout == 5 else (self.header.len_script if self.layout == 4 else (self.header.len_script if self.layout == 3 else self.header.len_script)))
        return getattr(self, '_m_len_script', None)

    @property
    def len_stream(self):
        if hasattr(self, '_m_len_stream'):
            return self._m_len_stream

        self._m_len_stream = (self.header.len_stream if self.layout == 5 else (self.header.len_stream if self.layout == 4 else (self.header.len_stream if self.layout == 3 else self.header.len_stream)))
        return getattr(self, '_m_len_stream', None)

    @property
    def len_team_stat(self):
        if hasattr(self, '_m_len_team_stat'):
            return self._m_len_team_stat

        self._m_len_team_stat = (self.header.len_team_stat if self.layout == 5 else (self.header.len_team_stat if self.layout == 4 else (self.header.len_team_stat if self.layout == 3 else self.header.len_team_stat)))
        return getattr(self, '_m_len_team_stat', None)

    @property
    def len_team_stats(self):
        if hasattr(self, '_m_len_team_stats'):
            return self._m_len_team_stats

        self._m_len_team_stats = (self.header.len_team_stats if self.layout == 5 else (self.header.len_team_stats if self.layout == 4 else (self.header.len_team_stats if self.layout == 3 else self.header.len_team_stats)))
        return getattr(self, '_m_len_team_stats', None)

    @property
    def num_players(self):
        if hasattr(self, '_m_num_players'):
            return self._m_num_players

        self._m_num_players = (self.header.num_players if self.layout == 5 else (self.header.num_players if self.layout == 4 else (self.header.num_players if self.layout == 3 else self.header.num_players)))
        return getattr(self, '_m_num_players', None)

    @property
    def num_teams(self):
        if hasattr(self, '_m_num_teams'):
            return self._m_num_teams

        self._m_num_teams = (self.header.num_teams if self.layout == 5 else (self.header.num_teams if self.layout == 4 else (self.header.num_teams if self.layout == 3 else self.header.num_teams)))
        return getattr(self, '_m_num_teams', None)

    @property
    def num_winning_ally_teams(self):
        """Nothing is stored when num_teams is 0, whatever the header says. In
        development builds between 0.82 and 83 the last field of header version 4
        counts the winners of the trailer: there the file is longer by that much.
        """
        if hasattr(self, '_m_num_winning_ally_teams'):
            return self._m_num_winning_ally_teams

        self._m_num_winning_ally_teams = (0 if  ((self.is_crashed) or (self.num_teams == 0))  else (self.header.len_winning_ally_teams if self.layout == 5 else (self.header.winning_ally_team if  ((self.layout == 4) and (self.header.winning_ally_team > 0) and (((self._io.size() - self.ofs_trailer) - self.len_player_stats) - self.len_team_stats == self.header.winning_ally_team))  else 0)))
        return getattr(self, '_m_num_winning_ally_teams', None)

    @property
    def ofs_stream(self):
        """From the start of the file."""
        if hasattr(self, '_m_ofs_stream'):
            return self._m_ofs_stream

        self._m_ofs_stream = self.len_header + self.len_script
        return getattr(self, '_m_ofs_stream', None)

    @property
    def ofs_trailer(self):
        """From the start of the file."""
        if hasattr(self, '_m_ofs_trailer'):
            return self._m_ofs_trailer

        self._m_ofs_trailer = (self._io.size() if self.is_crashed else self.ofs_stream + self.len_stream)
        return getattr(self, '_m_ofs_trailer', None)

    @property
    def player_statistics(self):
        """One record a player, by player number."""
        if hasattr(self, '_m_player_statistics'):
            return self._m_player_statistics

        if  (((not (self.is_crashed))) and (self.len_player_stats > 0)) :
            pass
            _pos = self._io.pos()
            self._io.seek(self.ofs_trailer + self.num_winning_ally_teams)
            self._raw__m_player_statistics = []
            self._m_player_statistics = []
            for i in range(self.num_players):
                self._raw__m_player_statistics.append(self._io.read_bytes(self.len_player_stat))
                _io__raw__m_player_statistics = KaitaiStream(BytesIO(self._raw__m_player_statistics[i]))
                self._m_player_statistics.append(SpringDemo.PlayerRecord(_io__raw__m_player_statistics, self, self._root))

            self._io.seek(_pos)

        return getattr(self, '_m_player_statistics', None)

    @property
    def player_statistics_layout(self):
        """0 and 2 mouse first, 1 and 3 orders first; 2 and 3 big-endian. Server
        recordings hold these records byte-swapped. Which it is follows from the
        kind of recording here; ksreplay compares with the PLAYERSTAT packets
        first.
        """
        if hasattr(self, '_m_player_statistics_layout'):
            return self._m_player_statistics_layout

        self._m_player_statistics_layout = (0 if self.engine < 940000 else 1) + (0 if  ((self.is_client) or (self.layout != 5))  else 2)
        return getattr(self, '_m_player_statistics_layout', None)

    @property
    def script(self):
        """Setup of the game as TDF text. The engine loads the copy in the GAMEDATA
        packet.
        """
        if hasattr(self, '_m_script'):
            return self._m_script

        _pos = self._io.pos()
        self._io.seek(self.len_header)
        self._m_script = (self._io.read_bytes(self.len_script)).decode(u"UTF-8")
        self._io.seek(_pos)
        return getattr(self, '_m_script', None)

    @property
    def stream(self):
        if hasattr(self, '_m_stream'):
            return self._m_stream

        _pos = self._io.pos()
        self._io.seek(self.ofs_stream)
        self._raw__m_stream = self._io.read_bytes(self.ofs_trailer - self.ofs_stream)
        _io__raw__m_stream = KaitaiStream(BytesIO(self._raw__m_stream))
        self._m_stream = SpringDemo.Stream(_io__raw__m_stream, self, self._root)
        self._io.seek(_pos)
        return getattr(self, '_m_stream', None)

    @property
    def team_statistics(self):
        if hasattr(self, '_m_team_statistics'):
            return self._m_team_statistics

        if  (((not (self.is_crashed))) and (self.len_team_stats > 0)) :
            pass
            _pos = self._io.pos()
            self._io.seek((self.ofs_trailer + self.num_winning_ally_teams) + self.len_player_stats)
            self._raw__m_team_statistics = self._io.read_bytes(self.len_team_stats)
            _io__raw__m_team_statistics = KaitaiStream(BytesIO(self._raw__m_team_statistics))
            self._m_team_statistics = SpringDemo.TeamStatistics(_io__raw__m_team_statistics, self, self._root)
            self._io.seek(_pos)

        return getattr(self, '_m_team_statistics', None)

    @property
    def version(self):
        """Version of the header."""
        if hasattr(self, '_m_version'):
            return self._m_version

        _pos = self._io.pos()
        self._io.seek(16)
        self._m_version = self._io.read_s4le()
        self._io.seek(_pos)
        return getattr(self, '_m_version', None)

    @property
    def winning_ally_teams(self):
        """Ally teams that have won."""
        if hasattr(self, '_m_winning_ally_teams'):
            return self._m_winning_ally_teams

        if (not (self.is_crashed)):
            pass
            _pos = self._io.pos()
            self._io.seek(self.ofs_trailer)
            self._m_winning_ally_teams = []
            for i in range(self.num_winning_ally_teams):
                self._m_winning_ally_teams.append(self._io.read_u1())

            self._io.seek(_pos)

        return getattr(self, '_m_winning_ally_teams', None)
