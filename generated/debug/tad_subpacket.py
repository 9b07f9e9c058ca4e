# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum
import collections


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class TadSubpacket(KaitaiStruct):
    """A packet record of a `.tad` file holds, once it is inflated, a run of
    subpackets: one byte that says which, then the fields of that subpacket.
    Most have a fixed size; a few carry a length, and four (padding, chat,
    enemy chat, typed commands) are sized by what follows them.

    Unit syncs (0x2c) are stored in the recorder's shorter forms: 0xfe sets the
    tick of the sender, 0xfd is a sync without its tick, 0xff an idle sync.
    Each 0xfd and 0xff takes one tick.

    Lengths are those that real bytes prove: 0x20 is 186 bytes; what other
    readers take for 192 is that and a 0x24 of 6 bytes behind it.

    Offsets in the text count from the id byte, as the seed does.

    .. seealso::
       seed 004, 6. Subpacket taxonomy


    .. seealso::
       fact sheet tad-format, 4. Length table
    """

    class DamageKind(IntEnum):
        weapon = 1
        paralyse = 2
        cargo = 6
        heal = 10

    class FeatureCode(IntEnum):
        death = 253
        ignite = 254
        reclaim = 255

    class RecorderSubtype(IntEnum):
        marker_text = 0
        warp = 1
        cheat_flags = 2
        share_los = 3
        battleroom_state = 4
        mod_info = 5

    class RejectReason(IntEnum):
        left = 1
        dropped = 6

    class ResourceKind(IntEnum):
        metal = 2

    class Side(IntEnum):
        arm = 0
        core = 1
        watcher = 2

    class SpeedKind(IntEnum):
        pause = 0
        speed = 1

    class SubpacketId(IntEnum):
        padding = 0
        ping = 2
        unknown_03 = 3
        chat = 5
        filler = 6
        filler_07 = 7
        loading_started = 8
        build_started = 9
        unknown_0a = 10
        damage = 11
        death = 12
        shot = 13
        impact = 14
        feature = 15
        script = 16
        unit_state = 17
        build_finished = 18
        sound = 19
        give_unit = 20
        start = 21
        share = 22
        unknown_17 = 23
        host_migration = 24
        speed = 25
        unit_data = 26
        reject = 27
        unknown_1c = 28
        unknown_1d = 29
        player_ready = 30
        unknown_1f = 31
        player_info = 32
        unknown_21 = 33
        player_number = 34
        alliance = 35
        team = 36
        unknown_25 = 37
        roster = 38
        unknown_27 = 39
        resources = 40
        snapshot_ack = 41
        loading = 42
        unit_sync = 44
        command = 46
        extended = 66
        unknown_f6 = 246
        enemy_chat = 249
        recorder_mark = 250
        recorder_data = 251
        camera = 252
        sync_elided = 253
        sync_base = 254
        sync_idle = 255

    class UnitDataSub(IntEnum):
        reset = 0
        count = 1
        checksum = 2
        status = 3
        acknowledge = 4
        recorder = 9

    class UnitStateValue(IntEnum):
        inactive = 0
        active = 1
        factory_building = 9
    SEQ_FIELDS = ["subpackets"]
    def __init__(self, _io, _parent=None, _root=None):
        super(TadSubpacket, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._debug = collections.defaultdict(dict)

    def _read(self):
        self._debug['subpackets']['start'] = self._io.pos()
        self._debug['subpackets']['arr'] = []
        self.subpackets = []
        i = 0
        while not self._io.is_eof():
            self._debug['subpackets']['arr'].append({'start': self._io.pos()})
            _t_subpackets = TadSubpacket.Subpacket(self._io, self, self._root)
            try:
                _t_subpackets._read()
            finally:
                self.subpackets.append(_t_subpackets)
            self._debug['subpackets']['arr'][len(self.subpackets) - 1]['end'] = self._io.pos()
            i += 1

        self._debug['subpackets']['end'] = self._io.pos()


    def _fetch_instances(self):
        pass
        for i in range(len(self.subpackets)):
            pass
            self.subpackets[i]._fetch_instances()


    class Alliance(KaitaiStruct):
        """A player allies with another, or ends it (14 bytes).

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x23
        """
        SEQ_FIELDS = ["sender", "receiver", "is_allied", "is_allied_back"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Alliance, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['sender']['start'] = self._io.pos()
            self.sender = self._io.read_u4le()
            self._debug['sender']['end'] = self._io.pos()
            self._debug['receiver']['start'] = self._io.pos()
            self.receiver = self._io.read_u4le()
            self._debug['receiver']['end'] = self._io.pos()
            self._debug['is_allied']['start'] = self._io.pos()
            self.is_allied = self._io.read_u1()
            self._debug['is_allied']['end'] = self._io.pos()
            self._debug['is_allied_back']['start'] = self._io.pos()
            self.is_allied_back = self._io.read_u4le()
            self._debug['is_allied_back']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class BuildFinished(KaitaiStruct):
        """A unit is complete (5 bytes).

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x12
        """
        SEQ_FIELDS = ["unit_id", "builder"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.BuildFinished, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['unit_id']['start'] = self._io.pos()
            self.unit_id = self._io.read_u2le()
            self._debug['unit_id']['end'] = self._io.pos()
            self._debug['builder']['start'] = self._io.pos()
            self.builder = self._io.read_u2le()
            self._debug['builder']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class BuildStarted(KaitaiStruct):
        """A unit begins to be (23 bytes). It may be sent twice for one unit. The
        first of each player is the commander. The positions are 16.16 fixed
        point from offset 5; readers that took 32-bit words at 7, 11 and 15 saw
        the whole part of one coordinate below the fraction of the next, which
        is the same number where fractions are zero.

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x09


        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 09
        """
        SEQ_FIELDS = ["unit_type", "unit_id", "x", "y", "z", "rotation_x", "rotation_y", "rotation_z"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.BuildStarted, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['unit_type']['start'] = self._io.pos()
            self.unit_type = self._io.read_u2le()
            self._debug['unit_type']['end'] = self._io.pos()
            self._debug['unit_id']['start'] = self._io.pos()
            self.unit_id = self._io.read_u2le()
            self._debug['unit_id']['end'] = self._io.pos()
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_s4le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['y']['start'] = self._io.pos()
            self.y = self._io.read_s4le()
            self._debug['y']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_s4le()
            self._debug['z']['end'] = self._io.pos()
            self._debug['rotation_x']['start'] = self._io.pos()
            self.rotation_x = self._io.read_s2le()
            self._debug['rotation_x']['end'] = self._io.pos()
            self._debug['rotation_y']['start'] = self._io.pos()
            self.rotation_y = self._io.read_s2le()
            self._debug['rotation_y']['end'] = self._io.pos()
            self._debug['rotation_z']['start'] = self._io.pos()
            self.rotation_z = self._io.read_s2le()
            self._debug['rotation_z']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Camera(KaitaiStruct):
        """Where the recording player looks (5 bytes): for showing only, never to
        be taken for play.
        """
        SEQ_FIELDS = ["x", "y"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Camera, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_u2le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['y']['start'] = self._io.pos()
            self.y = self._io.read_u2le()
            self._debug['y']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Chat(KaitaiStruct):
        """A chat line `<name> text`, private. 64 bytes padded with NUL; an older
        recorder could store longer ones: when the last of the 64 bytes is not
        NUL, the text is the rest of the stream, less a camera subpacket of 5
        bytes at the end.

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x05
        """
        SEQ_FIELDS = ["start_marker", "text"]
        start_marker = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Chat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            if self.ofs_start >= 0:
                pass
                self._debug['start_marker']['start'] = self._io.pos()
                self.start_marker = self._io.read_bytes(0)
                self._debug['start_marker']['end'] = self._io.pos()

            self._debug['text']['start'] = self._io.pos()
            self.text = (KaitaiStream.bytes_terminate(self._io.read_bytes(self.len_text), 0, False)).decode(u"windows-1252")
            self._debug['text']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            if self.ofs_start >= 0:
                pass

            _ = self.last_byte
            if hasattr(self, '_m_last_byte'):
                pass

            _ = self.tail_id
            if hasattr(self, '_m_tail_id'):
                pass


        @property
        def is_overflow(self):
            """Whether the text runs past its 64 bytes."""
            if hasattr(self, '_m_is_overflow'):
                return self._m_is_overflow

            self._m_is_overflow =  ((self.num_left >= 64) and (self.last_byte != 0))
            return getattr(self, '_m_is_overflow', None)

        @property
        def last_byte(self):
            """The last of the 64 bytes."""
            if hasattr(self, '_m_last_byte'):
                return self._m_last_byte

            if self.num_left >= 64:
                pass
                _pos = self._io.pos()
                self._io.seek(self.ofs_start + 63)
                self._debug['_m_last_byte']['start'] = self._io.pos()
                self._m_last_byte = self._io.read_u1()
                self._debug['_m_last_byte']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_last_byte', None)

        @property
        def len_text(self):
            if hasattr(self, '_m_len_text'):
                return self._m_len_text

            self._m_len_text = (self.num_left if self.num_left < 64 else (64 if (not (self.is_overflow)) else (self.num_left - 5 if  ((self.num_left >= 69) and (self.tail_id == 252))  else self.num_left)))
            return getattr(self, '_m_len_text', None)

        @property
        def num_left(self):
            if hasattr(self, '_m_num_left'):
                return self._m_num_left

            self._m_num_left = self._io.size() - self.ofs_start
            return getattr(self, '_m_num_left', None)

        @property
        def ofs_start(self):
            if hasattr(self, '_m_ofs_start'):
                return self._m_ofs_start

            self._m_ofs_start = self._io.pos()
            return getattr(self, '_m_ofs_start', None)

        @property
        def tail_id(self):
            if hasattr(self, '_m_tail_id'):
                return self._m_tail_id

            if self.num_left >= 69:
                pass
                _pos = self._io.pos()
                self._io.seek(self._io.size() - 5)
                self._debug['_m_tail_id']['start'] = self._io.pos()
                self._m_tail_id = self._io.read_u1()
                self._debug['_m_tail_id']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_tail_id', None)


    class Command(KaitaiStruct):
        """In the middle of a packet 9 bytes without known meaning. At its start,
        with text behind it, a command that the recorder's owner typed
        (`.sharelos`): 0x2e is the full stop, and the text fills the packet.
        Private.

        .. seealso::
           fact sheet tad-format, 8. Quirks to accept
        """
        SEQ_FIELDS = ["start_marker", "text"]
        start_marker = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Command, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            if self.ofs_start >= 0:
                pass
                self._debug['start_marker']['start'] = self._io.pos()
                self.start_marker = self._io.read_bytes(0)
                self._debug['start_marker']['end'] = self._io.pos()

            self._debug['text']['start'] = self._io.pos()
            self.text = self._io.read_bytes((self._io.size() - self.ofs_start if self.is_text else 8))
            self._debug['text']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            if self.ofs_start >= 0:
                pass

            _ = self.first_byte
            if hasattr(self, '_m_first_byte'):
                pass


        @property
        def first_byte(self):
            """The byte behind the id."""
            if hasattr(self, '_m_first_byte'):
                return self._m_first_byte

            if self.ofs_start < self._io.size():
                pass
                _pos = self._io.pos()
                self._io.seek(self.ofs_start)
                self._debug['_m_first_byte']['start'] = self._io.pos()
                self._m_first_byte = self._io.read_u1()
                self._debug['_m_first_byte']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_first_byte', None)

        @property
        def is_text(self):
            if hasattr(self, '_m_is_text'):
                return self._m_is_text

            self._m_is_text =  ((self.ofs_start == 1) and (self._io.size() > 1) and (self.first_byte >= 32) and (self.first_byte < 127))
            return getattr(self, '_m_is_text', None)

        @property
        def ofs_start(self):
            if hasattr(self, '_m_ofs_start'):
                return self._m_ofs_start

            self._m_ofs_start = self._io.pos()
            return getattr(self, '_m_ofs_start', None)


    class Damage(KaitaiStruct):
        """Damage, paralysis or healing of one unit (9 bytes).

        .. seealso::
           seed 004, 6.1 Damage record
        """
        SEQ_FIELDS = ["victim", "attacker", "amount", "direction", "kind"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Damage, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['victim']['start'] = self._io.pos()
            self.victim = self._io.read_u2le()
            self._debug['victim']['end'] = self._io.pos()
            self._debug['attacker']['start'] = self._io.pos()
            self.attacker = self._io.read_u2le()
            self._debug['attacker']['end'] = self._io.pos()
            self._debug['amount']['start'] = self._io.pos()
            self.amount = self._io.read_u2le()
            self._debug['amount']['end'] = self._io.pos()
            self._debug['direction']['start'] = self._io.pos()
            self.direction = self._io.read_u1()
            self._debug['direction']['end'] = self._io.pos()
            self._debug['kind']['start'] = self._io.pos()
            self.kind = KaitaiStream.resolve_enum(TadSubpacket.DamageKind, self._io.read_u1())
            self._debug['kind']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Death(KaitaiStruct):
        """A unit dies (11 bytes).

        .. seealso::
           seed 004, 6.2 Death record
        """
        SEQ_FIELDS = ["victim", "attacker_player", "attacker", "severity", "cause_level"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Death, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['victim']['start'] = self._io.pos()
            self.victim = self._io.read_u2le()
            self._debug['victim']['end'] = self._io.pos()
            self._debug['attacker_player']['start'] = self._io.pos()
            self.attacker_player = self._io.read_u4le()
            self._debug['attacker_player']['end'] = self._io.pos()
            self._debug['attacker']['start'] = self._io.pos()
            self.attacker = self._io.read_u2le()
            self._debug['attacker']['end'] = self._io.pos()
            self._debug['severity']['start'] = self._io.pos()
            self.severity = self._io.read_s1()
            self._debug['severity']['end'] = self._io.pos()
            self._debug['cause_level']['start'] = self._io.pos()
            self.cause_level = self._io.read_u1()
            self._debug['cause_level']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass

        @property
        def cause(self):
            """4, 5 and 9 leave no corpse; 7 forces level 1."""
            if hasattr(self, '_m_cause'):
                return self._m_cause

            self._m_cause = self.cause_level >> 4
            return getattr(self, '_m_cause', None)

        @property
        def corpse_level(self):
            if hasattr(self, '_m_corpse_level'):
                return self._m_corpse_level

            self._m_corpse_level = self.cause_level & 15
            return getattr(self, '_m_corpse_level', None)


    class EnemyChat(KaitaiStruct):
        """Chat to an enemy, relayed by the recorder (73 bytes), private. First
        versions of the recorder wrote shorter and longer ones.
        """
        SEQ_FIELDS = ["sender", "receiver", "line"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.EnemyChat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['sender']['start'] = self._io.pos()
            self.sender = self._io.read_u4le()
            self._debug['sender']['end'] = self._io.pos()
            self._debug['receiver']['start'] = self._io.pos()
            self.receiver = self._io.read_u4le()
            self._debug['receiver']['end'] = self._io.pos()
            self._debug['line']['start'] = self._io.pos()
            self.line = TadSubpacket.Chat(self._io, self, self._root)
            self.line._read()
            self._debug['line']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.line._fetch_instances()


    class Extended(KaitaiStruct):
        """An extension of a later patch, never seen.

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x42
        """
        SEQ_FIELDS = ["len_body", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Extended, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_body']['start'] = self._io.pos()
            self.len_body = self._io.read_u2le()
            self._debug['len_body']['end'] = self._io.pos()
            self._debug['body']['start'] = self._io.pos()
            self.body = self._io.read_bytes(self.len_body)
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Feature(KaitaiStruct):
        """A map feature dies, burns, is reclaimed or damaged (6 bytes).

        .. seealso::
           seed 004, 6.4 Feature record
        """
        SEQ_FIELDS = ["code", "tile_x", "tile_z"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Feature, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['code']['start'] = self._io.pos()
            self.code = KaitaiStream.resolve_enum(TadSubpacket.FeatureCode, self._io.read_u1())
            self._debug['code']['end'] = self._io.pos()
            self._debug['tile_x']['start'] = self._io.pos()
            self.tile_x = self._io.read_u2le()
            self._debug['tile_x']['end'] = self._io.pos()
            self._debug['tile_z']['start'] = self._io.pos()
            self.tile_z = self._io.read_u2le()
            self._debug['tile_z']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Filler(KaitaiStruct):
        """One byte without meaning, used to fill packets."""
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Filler, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Filler07(KaitaiStruct):
        """One byte without meaning, used to fill packets."""
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Filler07, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class GiveUnit(KaitaiStruct):
        """A unit goes to another player (24 bytes), known in part.

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 14
        """
        SEQ_FIELDS = ["unit_id", "new_owner", "reserved1", "health", "reserved2"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.GiveUnit, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['unit_id']['start'] = self._io.pos()
            self.unit_id = self._io.read_u2le()
            self._debug['unit_id']['end'] = self._io.pos()
            self._debug['new_owner']['start'] = self._io.pos()
            self.new_owner = self._io.read_u4le()
            self._debug['new_owner']['end'] = self._io.pos()
            self._debug['reserved1']['start'] = self._io.pos()
            self.reserved1 = self._io.read_bytes(4)
            self._debug['reserved1']['end'] = self._io.pos()
            self._debug['health']['start'] = self._io.pos()
            self.health = self._io.read_u2le()
            self._debug['health']['end'] = self._io.pos()
            self._debug['reserved2']['start'] = self._io.pos()
            self.reserved2 = self._io.read_bytes(11)
            self._debug['reserved2']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class HostMigration(KaitaiStruct):
        """Another player becomes host (2 bytes)."""
        SEQ_FIELDS = ["number"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.HostMigration, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['number']['start'] = self._io.pos()
            self.number = self._io.read_u1()
            self._debug['number']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Impact(KaitaiStruct):
        """A projectile ends (14 bytes): the receiver takes the first projectile
        with this target and weapon. It holds no radius.

        .. seealso::
           seed 004, 6.3 Projectile creation and impact
        """
        SEQ_FIELDS = ["x", "y", "z", "weapon"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Impact, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_s4le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['y']['start'] = self._io.pos()
            self.y = self._io.read_s4le()
            self._debug['y']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_s4le()
            self._debug['z']['end'] = self._io.pos()
            self._debug['weapon']['start'] = self._io.pos()
            self.weapon = self._io.read_u1()
            self._debug['weapon']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Loading(KaitaiStruct):
        """Progress of loading (2 bytes); 100 fills packets emptied by recorders."""
        SEQ_FIELDS = ["percent"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Loading, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['percent']['start'] = self._io.pos()
            self.percent = self._io.read_u1()
            self._debug['percent']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class LoadingStarted(KaitaiStruct):
        """The sender begins to load the map."""
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.LoadingStarted, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Padding(KaitaiStruct):
        """The rest of a run of zero bytes; the whole run is one subpacket."""
        SEQ_FIELDS = ["start_marker", "more"]
        start_marker = None
        more = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Padding, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            if self.ofs_start >= 0:
                pass
                self._debug['start_marker']['start'] = self._io.pos()
                self.start_marker = self._io.read_bytes(0)
                self._debug['start_marker']['end'] = self._io.pos()

            if self.starts_with_zero:
                pass
                self._debug['more']['start'] = self._io.pos()
                self._debug['more']['arr'] = []
                self.more = []
                i = 0
                while True:
                    self._debug['more']['arr'].append({'start': self._io.pos()})
                    _t_more = TadSubpacket.ZeroByte(self._io, self, self._root)
                    try:
                        _t_more._read()
                    finally:
                        _ = _t_more
                        self.more.append(_)
                    self._debug['more']['arr'][len(self.more) - 1]['end'] = self._io.pos()
                    if _.is_last:
                        break
                    i += 1
                self._debug['more']['end'] = self._io.pos()



        def _fetch_instances(self):
            pass
            if self.ofs_start >= 0:
                pass

            if self.starts_with_zero:
                pass
                for i in range(len(self.more)):
                    pass
                    self.more[i]._fetch_instances()


            _ = self.next_byte
            if hasattr(self, '_m_next_byte'):
                pass


        @property
        def next_byte(self):
            """The byte behind the id."""
            if hasattr(self, '_m_next_byte'):
                return self._m_next_byte

            if self.num_left > 0:
                pass
                _pos = self._io.pos()
                self._io.seek(self.ofs_start)
                self._debug['_m_next_byte']['start'] = self._io.pos()
                self._m_next_byte = self._io.read_u1()
                self._debug['_m_next_byte']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_next_byte', None)

        @property
        def num_left(self):
            if hasattr(self, '_m_num_left'):
                return self._m_num_left

            self._m_num_left = self._io.size() - self.ofs_start
            return getattr(self, '_m_num_left', None)

        @property
        def ofs_start(self):
            if hasattr(self, '_m_ofs_start'):
                return self._m_ofs_start

            self._m_ofs_start = self._io.pos()
            return getattr(self, '_m_ofs_start', None)

        @property
        def starts_with_zero(self):
            if hasattr(self, '_m_starts_with_zero'):
                return self._m_starts_with_zero

            self._m_starts_with_zero =  ((self.num_left > 0) and (self.next_byte == 0))
            return getattr(self, '_m_starts_with_zero', None)


    class Ping(KaitaiStruct):
        """Times two peers exchange to learn their delay (13 bytes).

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 02
        """
        SEQ_FIELDS = ["time_requested", "time_answered", "requester"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Ping, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['time_requested']['start'] = self._io.pos()
            self.time_requested = self._io.read_u4le()
            self._debug['time_requested']['end'] = self._io.pos()
            self._debug['time_answered']['start'] = self._io.pos()
            self.time_answered = self._io.read_u4le()
            self._debug['time_answered']['end'] = self._io.pos()
            self._debug['requester']['start'] = self._io.pos()
            self.requester = self._io.read_u4le()
            self._debug['requester']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class PlayerInfo(KaitaiStruct):
        """What a player set up in the lobby (186 bytes). Recorders store it with
        the player's team (0x24) behind it, 6 bytes that the seed counts as part
        of a record of 192: its `player2Id @187` is that team's player.

        .. seealso::
           seed 004, 4. Player and status records


        .. seealso::
           fact sheet tad-format, 0. The five facts
        """
        SEQ_FIELDS = ["map_name", "width", "height", "reserved1", "player", "player_kind", "side", "color", "reserved2", "flags", "options", "reserved3", "max_units", "version_major", "version_minor", "map_hash", "reserved4"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.PlayerInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['map_name']['start'] = self._io.pos()
            self.map_name = (KaitaiStream.bytes_terminate(self._io.read_bytes(139), 0, False)).decode(u"windows-1252")
            self._debug['map_name']['end'] = self._io.pos()
            self._debug['width']['start'] = self._io.pos()
            self.width = self._io.read_u2le()
            self._debug['width']['end'] = self._io.pos()
            self._debug['height']['start'] = self._io.pos()
            self.height = self._io.read_u2le()
            self._debug['height']['end'] = self._io.pos()
            self._debug['reserved1']['start'] = self._io.pos()
            self.reserved1 = self._io.read_bytes(1)
            self._debug['reserved1']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u4le()
            self._debug['player']['end'] = self._io.pos()
            self._debug['player_kind']['start'] = self._io.pos()
            self.player_kind = self._io.read_u1()
            self._debug['player_kind']['end'] = self._io.pos()
            self._debug['side']['start'] = self._io.pos()
            self.side = KaitaiStream.resolve_enum(TadSubpacket.Side, self._io.read_u1())
            self._debug['side']['end'] = self._io.pos()
            self._debug['color']['start'] = self._io.pos()
            self.color = self._io.read_u1()
            self._debug['color']['end'] = self._io.pos()
            self._debug['reserved2']['start'] = self._io.pos()
            self.reserved2 = self._io.read_bytes(4)
            self._debug['reserved2']['end'] = self._io.pos()
            self._debug['flags']['start'] = self._io.pos()
            self.flags = self._io.read_u1()
            self._debug['flags']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['reserved3']['start'] = self._io.pos()
            self.reserved3 = self._io.read_bytes(8)
            self._debug['reserved3']['end'] = self._io.pos()
            self._debug['max_units']['start'] = self._io.pos()
            self.max_units = self._io.read_u2le()
            self._debug['max_units']['end'] = self._io.pos()
            self._debug['version_major']['start'] = self._io.pos()
            self.version_major = self._io.read_u1()
            self._debug['version_major']['end'] = self._io.pos()
            self._debug['version_minor']['start'] = self._io.pos()
            self.version_minor = self._io.read_u1()
            self._debug['version_minor']['end'] = self._io.pos()
            self._debug['map_hash']['start'] = self._io.pos()
            self.map_hash = self._io.read_u4le()
            self._debug['map_hash']['end'] = self._io.pos()
            self._debug['reserved4']['start'] = self._io.pos()
            self.reserved4 = self._io.read_bytes(12)
            self._debug['reserved4']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass

        @property
        def is_cheating_allowed(self):
            if hasattr(self, '_m_is_cheating_allowed'):
                return self._m_is_cheating_allowed

            self._m_is_cheating_allowed = self.options & 32 != 0
            return getattr(self, '_m_is_cheating_allowed', None)

        @property
        def is_clicked_in(self):
            if hasattr(self, '_m_is_clicked_in'):
                return self._m_is_clicked_in

            self._m_is_clicked_in = self.flags & 32 != 0
            return getattr(self, '_m_is_clicked_in', None)

        @property
        def is_watcher(self):
            if hasattr(self, '_m_is_watcher'):
                return self._m_is_watcher

            self._m_is_watcher = self.flags & 64 != 0
            return getattr(self, '_m_is_watcher', None)

        @property
        def is_watching_allowed(self):
            if hasattr(self, '_m_is_watching_allowed'):
                return self._m_is_watching_allowed

            self._m_is_watching_allowed = self.flags & 128 != 0
            return getattr(self, '_m_is_watching_allowed', None)


    class PlayerNumber(KaitaiStruct):
        """Gives a player a number (6 bytes)."""
        SEQ_FIELDS = ["player", "number"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.PlayerNumber, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u4le()
            self._debug['player']['end'] = self._io.pos()
            self._debug['number']['start'] = self._io.pos()
            self.number = self._io.read_u1()
            self._debug['number']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class PlayerReady(KaitaiStruct):
        """A player is ready to start (2 bytes)."""
        SEQ_FIELDS = ["ordinal"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.PlayerReady, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['ordinal']['start'] = self._io.pos()
            self.ordinal = self._io.read_u1()
            self._debug['ordinal']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class RecorderData(KaitaiStruct):
        """Data between recorders. A first version had no length byte and filled
        the packet.

        .. seealso::
           fact sheet tad-format, 4. Length table, fb
        """
        SEQ_FIELDS = ["len_data", "subtype", "data"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.RecorderData, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_data']['start'] = self._io.pos()
            self.len_data = self._io.read_u1()
            self._debug['len_data']['end'] = self._io.pos()
            self._debug['subtype']['start'] = self._io.pos()
            self.subtype = KaitaiStream.resolve_enum(TadSubpacket.RecorderSubtype, self._io.read_u1())
            self._debug['subtype']['end'] = self._io.pos()
            self._debug['data']['start'] = self._io.pos()
            self.data = self._io.read_bytes(self.len_data)
            self._debug['data']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class RecorderMark(KaitaiStruct):
        """Mark of the recorder or replayer (1 byte)."""
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.RecorderMark, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Reject(KaitaiStruct):
        """A player leaves or is dropped (6 bytes).

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 1b
        """
        SEQ_FIELDS = ["player", "reason"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Reject, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u4le()
            self._debug['player']['end'] = self._io.pos()
            self._debug['reason']['start'] = self._io.pos()
            self.reason = KaitaiStream.resolve_enum(TadSubpacket.RejectReason, self._io.read_u1())
            self._debug['reason']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Resources(KaitaiStruct):
        """Score and economy of the sender (58 bytes), every 120 ticks, once for
        each other player.

        .. seealso::
           seed 004, 8. Participant resource and score snapshot
        """
        SEQ_FIELDS = ["wants_reply", "kills", "losses", "commander_kills", "commander_losses", "metal", "energy", "metal_capacity", "energy_capacity", "energy_produced", "energy_requested", "energy_wasted", "metal_produced", "metal_requested", "metal_wasted"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Resources, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['wants_reply']['start'] = self._io.pos()
            self.wants_reply = self._io.read_u1()
            self._debug['wants_reply']['end'] = self._io.pos()
            self._debug['kills']['start'] = self._io.pos()
            self.kills = self._io.read_s4le()
            self._debug['kills']['end'] = self._io.pos()
            self._debug['losses']['start'] = self._io.pos()
            self.losses = self._io.read_s4le()
            self._debug['losses']['end'] = self._io.pos()
            self._debug['commander_kills']['start'] = self._io.pos()
            self.commander_kills = self._io.read_s4le()
            self._debug['commander_kills']['end'] = self._io.pos()
            self._debug['commander_losses']['start'] = self._io.pos()
            self.commander_losses = self._io.read_s4le()
            self._debug['commander_losses']['end'] = self._io.pos()
            self._debug['metal']['start'] = self._io.pos()
            self.metal = self._io.read_f4le()
            self._debug['metal']['end'] = self._io.pos()
            self._debug['energy']['start'] = self._io.pos()
            self.energy = self._io.read_f4le()
            self._debug['energy']['end'] = self._io.pos()
            self._debug['metal_capacity']['start'] = self._io.pos()
            self.metal_capacity = self._io.read_f4le()
            self._debug['metal_capacity']['end'] = self._io.pos()
            self._debug['energy_capacity']['start'] = self._io.pos()
            self.energy_capacity = self._io.read_f4le()
            self._debug['energy_capacity']['end'] = self._io.pos()
            self._debug['energy_produced']['start'] = self._io.pos()
            self.energy_produced = self._io.read_f4le()
            self._debug['energy_produced']['end'] = self._io.pos()
            self._debug['energy_requested']['start'] = self._io.pos()
            self.energy_requested = self._io.read_f4le()
            self._debug['energy_requested']['end'] = self._io.pos()
            self._debug['energy_wasted']['start'] = self._io.pos()
            self.energy_wasted = self._io.read_f4le()
            self._debug['energy_wasted']['end'] = self._io.pos()
            self._debug['metal_produced']['start'] = self._io.pos()
            self.metal_produced = self._io.read_f4le()
            self._debug['metal_produced']['end'] = self._io.pos()
            self._debug['metal_requested']['start'] = self._io.pos()
            self.metal_requested = self._io.read_f4le()
            self._debug['metal_requested']['end'] = self._io.pos()
            self._debug['metal_wasted']['start'] = self._io.pos()
            self.metal_wasted = self._io.read_f4le()
            self._debug['metal_wasted']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Roster(KaitaiStruct):
        """Transport identities of the ten seats (41 bytes)."""
        SEQ_FIELDS = ["players"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Roster, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['players']['start'] = self._io.pos()
            self._debug['players']['arr'] = []
            self.players = []
            for i in range(10):
                self._debug['players']['arr'].append({'start': self._io.pos()})
                self.players.append(self._io.read_u4le())
                self._debug['players']['arr'][i]['end'] = self._io.pos()

            self._debug['players']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.players)):
                pass



    class Script(KaitaiStruct):
        """Starts an authored script of a unit (22 bytes).

        .. seealso::
           seed 004, 6.5 Script record
        """
        SEQ_FIELDS = ["unit_id", "script", "num_arguments", "argument1", "argument2", "argument3", "argument4"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Script, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['unit_id']['start'] = self._io.pos()
            self.unit_id = self._io.read_u2le()
            self._debug['unit_id']['end'] = self._io.pos()
            self._debug['script']['start'] = self._io.pos()
            self.script = self._io.read_s2le()
            self._debug['script']['end'] = self._io.pos()
            self._debug['num_arguments']['start'] = self._io.pos()
            self.num_arguments = self._io.read_u1()
            self._debug['num_arguments']['end'] = self._io.pos()
            self._debug['argument1']['start'] = self._io.pos()
            self.argument1 = self._io.read_s4le()
            self._debug['argument1']['end'] = self._io.pos()
            self._debug['argument2']['start'] = self._io.pos()
            self.argument2 = self._io.read_s4le()
            self._debug['argument2']['end'] = self._io.pos()
            self._debug['argument3']['start'] = self._io.pos()
            self.argument3 = self._io.read_s4le()
            self._debug['argument3']['end'] = self._io.pos()
            self._debug['argument4']['start'] = self._io.pos()
            self.argument4 = self._io.read_s4le()
            self._debug['argument4']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Share(KaitaiStruct):
        """Metal or energy goes to another player (17 bytes).

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 16
        """
        SEQ_FIELDS = ["kind", "sender", "receiver", "amount"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Share, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['kind']['start'] = self._io.pos()
            self.kind = KaitaiStream.resolve_enum(TadSubpacket.ResourceKind, self._io.read_u4le())
            self._debug['kind']['end'] = self._io.pos()
            self._debug['sender']['start'] = self._io.pos()
            self.sender = self._io.read_u4le()
            self._debug['sender']['end'] = self._io.pos()
            self._debug['receiver']['start'] = self._io.pos()
            self.receiver = self._io.read_u4le()
            self._debug['receiver']['end'] = self._io.pos()
            self._debug['amount']['start'] = self._io.pos()
            self.amount = self._io.read_f4le()
            self._debug['amount']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Shot(KaitaiStruct):
        """A projectile is made (36 bytes). For meteor weapons the second triple is
        a velocity and the fields behind the weapon are not set; only the weapon
        table tells which weapons those are.

        .. seealso::
           seed 004, 6.3 Projectile creation and impact
        """
        SEQ_FIELDS = ["origin_x", "origin_y", "origin_z", "target_x", "target_y", "target_z", "weapon", "flags", "yaw", "pitch", "target_unit", "shooter", "weapon_slot"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Shot, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['origin_x']['start'] = self._io.pos()
            self.origin_x = self._io.read_s4le()
            self._debug['origin_x']['end'] = self._io.pos()
            self._debug['origin_y']['start'] = self._io.pos()
            self.origin_y = self._io.read_s4le()
            self._debug['origin_y']['end'] = self._io.pos()
            self._debug['origin_z']['start'] = self._io.pos()
            self.origin_z = self._io.read_s4le()
            self._debug['origin_z']['end'] = self._io.pos()
            self._debug['target_x']['start'] = self._io.pos()
            self.target_x = self._io.read_s4le()
            self._debug['target_x']['end'] = self._io.pos()
            self._debug['target_y']['start'] = self._io.pos()
            self.target_y = self._io.read_s4le()
            self._debug['target_y']['end'] = self._io.pos()
            self._debug['target_z']['start'] = self._io.pos()
            self.target_z = self._io.read_s4le()
            self._debug['target_z']['end'] = self._io.pos()
            self._debug['weapon']['start'] = self._io.pos()
            self.weapon = self._io.read_u1()
            self._debug['weapon']['end'] = self._io.pos()
            self._debug['flags']['start'] = self._io.pos()
            self.flags = self._io.read_u1()
            self._debug['flags']['end'] = self._io.pos()
            self._debug['yaw']['start'] = self._io.pos()
            self.yaw = self._io.read_u2le()
            self._debug['yaw']['end'] = self._io.pos()
            self._debug['pitch']['start'] = self._io.pos()
            self.pitch = self._io.read_u2le()
            self._debug['pitch']['end'] = self._io.pos()
            self._debug['target_unit']['start'] = self._io.pos()
            self.target_unit = self._io.read_u2le()
            self._debug['target_unit']['end'] = self._io.pos()
            self._debug['shooter']['start'] = self._io.pos()
            self.shooter = self._io.read_u2le()
            self._debug['shooter']['end'] = self._io.pos()
            self._debug['weapon_slot']['start'] = self._io.pos()
            self.weapon_slot = self._io.read_u1()
            self._debug['weapon_slot']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SnapshotAck(KaitaiStruct):
        """Answers a snapshot that asked for it (3 bytes).

        .. seealso::
           seed 004, 8. Snapshot request and acknowledgement
        """
        SEQ_FIELDS = ["is_acknowledged", "is_seen"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.SnapshotAck, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['is_acknowledged']['start'] = self._io.pos()
            self.is_acknowledged = self._io.read_u1()
            self._debug['is_acknowledged']['end'] = self._io.pos()
            self._debug['is_seen']['start'] = self._io.pos()
            self.is_seen = self._io.read_u1()
            self._debug['is_seen']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Sound(KaitaiStruct):
        """Plays a sound (18 bytes). Tables of other readers say 19, which comes
        from the tail of a script subpacket; no file holds a real one.

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x13
        """
        SEQ_FIELDS = ["selector", "sound", "x", "y", "z"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Sound, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['selector']['start'] = self._io.pos()
            self.selector = self._io.read_u1()
            self._debug['selector']['end'] = self._io.pos()
            self._debug['sound']['start'] = self._io.pos()
            self.sound = self._io.read_s4le()
            self._debug['sound']['end'] = self._io.pos()
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_s4le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['y']['start'] = self._io.pos()
            self.y = self._io.read_s4le()
            self._debug['y']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_s4le()
            self._debug['z']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Speed(KaitaiStruct):
        """Pause and game speed (3 bytes).

        .. seealso::
           seed 004, 9. Time model



        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 19
        """
        SEQ_FIELDS = ["kind", "value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Speed, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['kind']['start'] = self._io.pos()
            self.kind = KaitaiStream.resolve_enum(TadSubpacket.SpeedKind, self._io.read_u1())
            self._debug['kind']['end'] = self._io.pos()
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u1()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Start(KaitaiStruct):
        """The game starts."""
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Start, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Subpacket(KaitaiStruct):
        """One subpacket, its id and its fields."""
        SEQ_FIELDS = ["kind", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Subpacket, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['kind']['start'] = self._io.pos()
            self.kind = KaitaiStream.resolve_enum(TadSubpacket.SubpacketId, self._io.read_u1())
            self._debug['kind']['end'] = self._io.pos()
            self._debug['body']['start'] = self._io.pos()
            _on = self.kind
            if _on == TadSubpacket.SubpacketId.alliance:
                pass
                self.body = TadSubpacket.Alliance(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.build_finished:
                pass
                self.body = TadSubpacket.BuildFinished(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.build_started:
                pass
                self.body = TadSubpacket.BuildStarted(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.camera:
                pass
                self.body = TadSubpacket.Camera(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.chat:
                pass
                self.body = TadSubpacket.Chat(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.command:
                pass
                self.body = TadSubpacket.Command(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.damage:
                pass
                self.body = TadSubpacket.Damage(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.death:
                pass
                self.body = TadSubpacket.Death(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.enemy_chat:
                pass
                self.body = TadSubpacket.EnemyChat(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.extended:
                pass
                self.body = TadSubpacket.Extended(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.feature:
                pass
                self.body = TadSubpacket.Feature(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.filler:
                pass
                self.body = TadSubpacket.Filler(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.filler_07:
                pass
                self.body = TadSubpacket.Filler07(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.give_unit:
                pass
                self.body = TadSubpacket.GiveUnit(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.host_migration:
                pass
                self.body = TadSubpacket.HostMigration(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.impact:
                pass
                self.body = TadSubpacket.Impact(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.loading:
                pass
                self.body = TadSubpacket.Loading(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.loading_started:
                pass
                self.body = TadSubpacket.LoadingStarted(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.padding:
                pass
                self.body = TadSubpacket.Padding(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.ping:
                pass
                self.body = TadSubpacket.Ping(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.player_info:
                pass
                self.body = TadSubpacket.PlayerInfo(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.player_number:
                pass
                self.body = TadSubpacket.PlayerNumber(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.player_ready:
                pass
                self.body = TadSubpacket.PlayerReady(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.recorder_data:
                pass
                self.body = TadSubpacket.RecorderData(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.recorder_mark:
                pass
                self.body = TadSubpacket.RecorderMark(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.reject:
                pass
                self.body = TadSubpacket.Reject(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.resources:
                pass
                self.body = TadSubpacket.Resources(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.roster:
                pass
                self.body = TadSubpacket.Roster(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.script:
                pass
                self.body = TadSubpacket.Script(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.share:
                pass
                self.body = TadSubpacket.Share(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.shot:
                pass
                self.body = TadSubpacket.Shot(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.snapshot_ack:
                pass
                self.body = TadSubpacket.SnapshotAck(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.sound:
                pass
                self.body = TadSubpacket.Sound(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.speed:
                pass
                self.body = TadSubpacket.Speed(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.start:
                pass
                self.body = TadSubpacket.Start(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.sync_base:
                pass
                self.body = TadSubpacket.SyncBase(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.sync_elided:
                pass
                self.body = TadSubpacket.SyncElided(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.sync_idle:
                pass
                self.body = TadSubpacket.SyncIdle(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.team:
                pass
                self.body = TadSubpacket.Team(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unit_data:
                pass
                self.body = TadSubpacket.UnitData(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unit_state:
                pass
                self.body = TadSubpacket.UnitState(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unit_sync:
                pass
                self.body = TadSubpacket.UnitSync(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_03:
                pass
                self.body = TadSubpacket.Unknown03(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_0a:
                pass
                self.body = TadSubpacket.Unknown0a(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_17:
                pass
                self.body = TadSubpacket.Unknown17(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_1c:
                pass
                self.body = TadSubpacket.Unknown1c(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_1d:
                pass
                self.body = TadSubpacket.Unknown1d(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_1f:
                pass
                self.body = TadSubpacket.Unknown1f(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_21:
                pass
                self.body = TadSubpacket.Unknown21(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_25:
                pass
                self.body = TadSubpacket.Unknown25(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_27:
                pass
                self.body = TadSubpacket.Unknown27(self._io, self, self._root)
                self.body._read()
            elif _on == TadSubpacket.SubpacketId.unknown_f6:
                pass
                self.body = TadSubpacket.UnknownF6(self._io, self, self._root)
                self.body._read()
            else:
                pass
                self.body = TadSubpacket.Undecodable(self._io, self, self._root)
                self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            _on = self.kind
            if _on == TadSubpacket.SubpacketId.alliance:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.build_finished:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.build_started:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.camera:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.chat:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.command:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.damage:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.death:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.enemy_chat:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.extended:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.feature:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.filler:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.filler_07:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.give_unit:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.host_migration:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.impact:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.loading:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.loading_started:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.padding:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.ping:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.player_info:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.player_number:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.player_ready:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.recorder_data:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.recorder_mark:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.reject:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.resources:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.roster:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.script:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.share:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.shot:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.snapshot_ack:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.sound:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.speed:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.start:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.sync_base:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.sync_elided:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.sync_idle:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.team:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unit_data:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unit_state:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unit_sync:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_03:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_0a:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_17:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_1c:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_1d:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_1f:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_21:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_25:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_27:
                pass
                self.body._fetch_instances()
            elif _on == TadSubpacket.SubpacketId.unknown_f6:
                pass
                self.body._fetch_instances()
            else:
                pass
                self.body._fetch_instances()


    class SyncBase(KaitaiStruct):
        """Sets the tick counter of the sender (5 bytes).

        .. seealso::
           seed 004, 7. Unit sync, smartpak
        """
        SEQ_FIELDS = ["tick"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.SyncBase, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['tick']['start'] = self._io.pos()
            self.tick = self._io.read_u4le()
            self._debug['tick']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SyncElided(KaitaiStruct):
        """A unit sync without its tick; the tick is the sender's counter, which
        goes up by one.

        .. seealso::
           seed 004, 7. Unit sync, smartpak
        """
        SEQ_FIELDS = ["len_expanded", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.SyncElided, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_expanded']['start'] = self._io.pos()
            self.len_expanded = self._io.read_u2le()
            self._debug['len_expanded']['end'] = self._io.pos()
            if not self.len_expanded >= 7:
                raise kaitaistruct.ValidationLessThanError(7, self.len_expanded, self._io, u"/types/sync_elided/seq/0")
            self._debug['body']['start'] = self._io.pos()
            self.body = self._io.read_bytes(self.len_expanded - 7)
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SyncIdle(KaitaiStruct):
        """A unit sync of 11 bytes, which says that nothing moves and the scheduled
        slot is empty; takes one tick.

        .. seealso::
           seed 004, 7. Unit sync, smartpak
        """
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.SyncIdle, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Team(KaitaiStruct):
        """Puts a player into a team (6 bytes)."""
        SEQ_FIELDS = ["player", "team"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Team, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u4le()
            self._debug['player']['end'] = self._io.pos()
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Undecodable(KaitaiStruct):
        """An id without a known length ends what can be read; the rest of the
        stream is kept as it is.
        """
        SEQ_FIELDS = ["rest"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Undecodable, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['rest']['start'] = self._io.pos()
            self.rest = self._io.read_bytes_full()
            self._debug['rest']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class UnitData(KaitaiStruct):
        """One step of the negotiation of unit types (14 bytes): which keys both
        sides have, with which checksum, and which are used.

        .. seealso::
           seed 004, 7. Unit sync, catalog provenance
        """
        SEQ_FIELDS = ["sub", "fill", "key", "value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.UnitData, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['sub']['start'] = self._io.pos()
            self.sub = KaitaiStream.resolve_enum(TadSubpacket.UnitDataSub, self._io.read_u1())
            self._debug['sub']['end'] = self._io.pos()
            self._debug['fill']['start'] = self._io.pos()
            self.fill = self._io.read_u4le()
            self._debug['fill']['end'] = self._io.pos()
            self._debug['key']['start'] = self._io.pos()
            self.key = self._io.read_u4le()
            self._debug['key']['end'] = self._io.pos()
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u4le()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass

        @property
        def is_compatible(self):
            if hasattr(self, '_m_is_compatible'):
                return self._m_is_compatible

            if self.sub == TadSubpacket.UnitDataSub.status:
                pass
                self._m_is_compatible = self.value >> 8 & 255

            return getattr(self, '_m_is_compatible', None)

        @property
        def is_selected(self):
            if hasattr(self, '_m_is_selected'):
                return self._m_is_selected

            if self.sub == TadSubpacket.UnitDataSub.status:
                pass
                self._m_is_selected = self.value & 255

            return getattr(self, '_m_is_selected', None)

        @property
        def unit_limit(self):
            """0xffff for no limit."""
            if hasattr(self, '_m_unit_limit'):
                return self._m_unit_limit

            if self.sub == TadSubpacket.UnitDataSub.status:
                pass
                self._m_unit_limit = self.value >> 16

            return getattr(self, '_m_unit_limit', None)


    class UnitState(KaitaiStruct):
        """A unit is switched (4 bytes).

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x11
        """
        SEQ_FIELDS = ["unit_id", "state"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.UnitState, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['unit_id']['start'] = self._io.pos()
            self.unit_id = self._io.read_u2le()
            self._debug['unit_id']['end'] = self._io.pos()
            self._debug['state']['start'] = self._io.pos()
            self.state = KaitaiStream.resolve_enum(TadSubpacket.UnitStateValue, self._io.read_u1())
            self._debug['state']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class UnitSync(KaitaiStruct):
        """State of the sender's units at one tick, a bit stream. Its first bytes
        are those of `tad_unit_sync`, which opens a whole one.

        .. seealso::
           seed 004, 7. Unit sync
        """
        SEQ_FIELDS = ["len_subpacket", "tick", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.UnitSync, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_subpacket']['start'] = self._io.pos()
            self.len_subpacket = self._io.read_u2le()
            self._debug['len_subpacket']['end'] = self._io.pos()
            if not self.len_subpacket >= 7:
                raise kaitaistruct.ValidationLessThanError(7, self.len_subpacket, self._io, u"/types/unit_sync/seq/0")
            self._debug['tick']['start'] = self._io.pos()
            self.tick = self._io.read_u4le()
            self._debug['tick']['end'] = self._io.pos()
            self._debug['body']['start'] = self._io.pos()
            self.body = self._io.read_bytes(self.len_subpacket - 7)
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown03(KaitaiStruct):
        """Never seen. The recorder splits it at 7 bytes, the game's own table says
        3.

        .. seealso::
           seed 004, 6. Subpacket taxonomy, length strata
        """
        SEQ_FIELDS = ["reserved"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown03, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(6)
            self._debug['reserved']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown0a(KaitaiStruct):
        """Names a unit and, in every file seen, `00 00 ff 01` (7 bytes).

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 0a
        """
        SEQ_FIELDS = ["unit_id", "tail"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown0a, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['unit_id']['start'] = self._io.pos()
            self.unit_id = self._io.read_u2le()
            self._debug['unit_id']['end'] = self._io.pos()
            self._debug['tail']['start'] = self._io.pos()
            self.tail = self._io.read_bytes(4)
            self._debug['tail']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown17(KaitaiStruct):
        """Meaning unknown (2 bytes)."""
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown17, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u1()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown1c(KaitaiStruct):
        """Only in the game's own length table (5 bytes)."""
        SEQ_FIELDS = ["reserved"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown1c, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(4)
            self._debug['reserved']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown1d(KaitaiStruct):
        """Only in the game's own length table (9 bytes)."""
        SEQ_FIELDS = ["reserved"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown1d, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(8)
            self._debug['reserved']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown1f(KaitaiStruct):
        """Meaning unknown (5 bytes)."""
        SEQ_FIELDS = ["reserved"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown1f, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(4)
            self._debug['reserved']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown21(KaitaiStruct):
        """Meaning unknown (10 bytes)."""
        SEQ_FIELDS = ["reserved"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown21, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(9)
            self._debug['reserved']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown25(KaitaiStruct):
        """Only in the game's own length table (5 bytes)."""
        SEQ_FIELDS = ["reserved"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown25, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(4)
            self._debug['reserved']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Unknown27(KaitaiStruct):
        """Only in the game's own length table (17 bytes)."""
        SEQ_FIELDS = ["reserved"]
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown27, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(16)
            self._debug['reserved']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class UnknownF6(KaitaiStruct):
        """Meaning unknown (1 byte)."""
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.UnknownF6, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class ZeroByte(KaitaiStruct):
        """One zero byte and a look at the byte behind it."""
        SEQ_FIELDS = ["reserved", "end_marker"]
        end_marker = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.ZeroByte, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(1)
            self._debug['reserved']['end'] = self._io.pos()
            if not self.reserved == b"\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x00", self.reserved, self._io, u"/types/zero_byte/seq/0")
            if self.ofs_end >= 0:
                pass
                self._debug['end_marker']['start'] = self._io.pos()
                self.end_marker = self._io.read_bytes(0)
                self._debug['end_marker']['end'] = self._io.pos()



        def _fetch_instances(self):
            pass
            if self.ofs_end >= 0:
                pass

            _ = self.next_byte
            if hasattr(self, '_m_next_byte'):
                pass


        @property
        def is_last(self):
            if hasattr(self, '_m_is_last'):
                return self._m_is_last

            self._m_is_last =  ((self.ofs_end >= self._io.size()) or (self.next_byte != 0))
            return getattr(self, '_m_is_last', None)

        @property
        def next_byte(self):
            """The byte behind this one."""
            if hasattr(self, '_m_next_byte'):
                return self._m_next_byte

            if self.ofs_end < self._io.size():
                pass
                _pos = self._io.pos()
                self._io.seek(self.ofs_end)
                self._debug['_m_next_byte']['start'] = self._io.pos()
                self._m_next_byte = self._io.read_u1()
                self._debug['_m_next_byte']['end'] = self._io.pos()
                self._io.seek(_pos)

            return getattr(self, '_m_next_byte', None)

        @property
        def ofs_end(self):
            if hasattr(self, '_m_ofs_end'):
                return self._m_ofs_end

            self._m_ofs_end = self._io.pos()
            return getattr(self, '_m_ofs_end', None)
