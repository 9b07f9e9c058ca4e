# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum


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
    def __init__(self, _io, _parent=None, _root=None):
        super(TadSubpacket, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        self.subpackets = []
        i = 0
        while not self._io.is_eof():
            self.subpackets.append(TadSubpacket.Subpacket(self._io, self, self._root))
            i += 1



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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Alliance, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.sender = self._io.read_u4le()
            self.receiver = self._io.read_u4le()
            self.is_allied = self._io.read_u1()
            self.is_allied_back = self._io.read_u4le()


        def _fetch_instances(self):
            pass


    class BuildFinished(KaitaiStruct):
        """A unit is complete (5 bytes).

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x12
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.BuildFinished, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.unit_id = self._io.read_u2le()
            self.builder = self._io.read_u2le()


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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.BuildStarted, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.unit_type = self._io.read_u2le()
            self.unit_id = self._io.read_u2le()
            self.x = self._io.read_s4le()
            self.y = self._io.read_s4le()
            self.z = self._io.read_s4le()
            self.rotation_x = self._io.read_s2le()
            self.rotation_y = self._io.read_s2le()
            self.rotation_z = self._io.read_s2le()


        def _fetch_instances(self):
            pass


    class Camera(KaitaiStruct):
        """Where the recording player looks (5 bytes): for showing only, never to
        be taken for play.
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Camera, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.x = self._io.read_u2le()
            self.y = self._io.read_u2le()


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
        start_marker = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Chat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if self.ofs_start >= 0:
                pass
                self.start_marker = self._io.read_bytes(0)

            self.text = (KaitaiStream.bytes_terminate(self._io.read_bytes(self.len_text), 0, False)).decode(u"windows-1252")


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
                self._m_last_byte = self._io.read_u1()
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
                self._m_tail_id = self._io.read_u1()
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
        start_marker = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Command, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if self.ofs_start >= 0:
                pass
                self.start_marker = self._io.read_bytes(0)

            self.text = self._io.read_bytes((self._io.size() - self.ofs_start if self.is_text else 8))


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
                self._m_first_byte = self._io.read_u1()
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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Damage, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.victim = self._io.read_u2le()
            self.attacker = self._io.read_u2le()
            self.amount = self._io.read_u2le()
            self.direction = self._io.read_u1()
            self.kind = KaitaiStream.resolve_enum(TadSubpacket.DamageKind, self._io.read_u1())


        def _fetch_instances(self):
            pass


    class Death(KaitaiStruct):
        """A unit dies (11 bytes).

        .. seealso::
           seed 004, 6.2 Death record
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Death, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.victim = self._io.read_u2le()
            self.attacker_player = self._io.read_u4le()
            self.attacker = self._io.read_u2le()
            self.severity = self._io.read_s1()
            self.cause_level = self._io.read_u1()


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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.EnemyChat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.sender = self._io.read_u4le()
            self.receiver = self._io.read_u4le()
            self.line = TadSubpacket.Chat(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.line._fetch_instances()


    class Extended(KaitaiStruct):
        """An extension of a later patch, never seen.

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x42
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Extended, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_body = self._io.read_u2le()
            self.body = self._io.read_bytes(self.len_body)


        def _fetch_instances(self):
            pass


    class Feature(KaitaiStruct):
        """A map feature dies, burns, is reclaimed or damaged (6 bytes).

        .. seealso::
           seed 004, 6.4 Feature record
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Feature, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.code = KaitaiStream.resolve_enum(TadSubpacket.FeatureCode, self._io.read_u1())
            self.tile_x = self._io.read_u2le()
            self.tile_z = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class Filler(KaitaiStruct):
        """One byte without meaning, used to fill packets."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Filler, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Filler07(KaitaiStruct):
        """One byte without meaning, used to fill packets."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Filler07, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class GiveUnit(KaitaiStruct):
        """A unit goes to another player (24 bytes), known in part.

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 14
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.GiveUnit, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.unit_id = self._io.read_u2le()
            self.new_owner = self._io.read_u4le()
            self.reserved1 = self._io.read_bytes(4)
            self.health = self._io.read_u2le()
            self.reserved2 = self._io.read_bytes(11)


        def _fetch_instances(self):
            pass


    class HostMigration(KaitaiStruct):
        """Another player becomes host (2 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.HostMigration, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.number = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class Impact(KaitaiStruct):
        """A projectile ends (14 bytes): the receiver takes the first projectile
        with this target and weapon. It holds no radius.

        .. seealso::
           seed 004, 6.3 Projectile creation and impact
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Impact, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.x = self._io.read_s4le()
            self.y = self._io.read_s4le()
            self.z = self._io.read_s4le()
            self.weapon = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class Loading(KaitaiStruct):
        """Progress of loading (2 bytes); 100 fills packets emptied by recorders."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Loading, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.percent = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class LoadingStarted(KaitaiStruct):
        """The sender begins to load the map."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.LoadingStarted, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Padding(KaitaiStruct):
        """The rest of a run of zero bytes; the whole run is one subpacket."""
        start_marker = None
        more = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Padding, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if self.ofs_start >= 0:
                pass
                self.start_marker = self._io.read_bytes(0)

            if self.starts_with_zero:
                pass
                self.more = []
                i = 0
                while True:
                    _ = TadSubpacket.ZeroByte(self._io, self, self._root)
                    self.more.append(_)
                    if _.is_last:
                        break
                    i += 1



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
                self._m_next_byte = self._io.read_u1()
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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Ping, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.time_requested = self._io.read_u4le()
            self.time_answered = self._io.read_u4le()
            self.requester = self._io.read_u4le()


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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.PlayerInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.map_name = (KaitaiStream.bytes_terminate(self._io.read_bytes(139), 0, False)).decode(u"windows-1252")
            self.width = self._io.read_u2le()
            self.height = self._io.read_u2le()
            self.reserved1 = self._io.read_bytes(1)
            self.player = self._io.read_u4le()
            self.player_kind = self._io.read_u1()
            self.side = KaitaiStream.resolve_enum(TadSubpacket.Side, self._io.read_u1())
            self.color = self._io.read_u1()
            self.reserved2 = self._io.read_bytes(4)
            self.flags = self._io.read_u1()
            self.options = self._io.read_u1()
            self.reserved3 = self._io.read_bytes(8)
            self.max_units = self._io.read_u2le()
            self.version_major = self._io.read_u1()
            self.version_minor = self._io.read_u1()
            self.map_hash = self._io.read_u4le()
            self.reserved4 = self._io.read_bytes(12)


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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.PlayerNumber, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.player = self._io.read_u4le()
            self.number = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class PlayerReady(KaitaiStruct):
        """A player is ready to start (2 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.PlayerReady, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.ordinal = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class RecorderData(KaitaiStruct):
        """Data between recorders. A first version had no length byte and filled
        the packet.

        .. seealso::
           fact sheet tad-format, 4. Length table, fb
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.RecorderData, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_data = self._io.read_u1()
            self.subtype = KaitaiStream.resolve_enum(TadSubpacket.RecorderSubtype, self._io.read_u1())
            self.data = self._io.read_bytes(self.len_data)


        def _fetch_instances(self):
            pass


    class RecorderMark(KaitaiStruct):
        """Mark of the recorder or replayer (1 byte)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.RecorderMark, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Reject(KaitaiStruct):
        """A player leaves or is dropped (6 bytes).

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 1b
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Reject, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.player = self._io.read_u4le()
            self.reason = KaitaiStream.resolve_enum(TadSubpacket.RejectReason, self._io.read_u1())


        def _fetch_instances(self):
            pass


    class Resources(KaitaiStruct):
        """Score and economy of the sender (58 bytes), every 120 ticks, once for
        each other player.

        .. seealso::
           seed 004, 8. Participant resource and score snapshot
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Resources, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.wants_reply = self._io.read_u1()
            self.kills = self._io.read_s4le()
            self.losses = self._io.read_s4le()
            self.commander_kills = self._io.read_s4le()
            self.commander_losses = self._io.read_s4le()
            self.metal = self._io.read_f4le()
            self.energy = self._io.read_f4le()
            self.metal_capacity = self._io.read_f4le()
            self.energy_capacity = self._io.read_f4le()
            self.energy_produced = self._io.read_f4le()
            self.energy_requested = self._io.read_f4le()
            self.energy_wasted = self._io.read_f4le()
            self.metal_produced = self._io.read_f4le()
            self.metal_requested = self._io.read_f4le()
            self.metal_wasted = self._io.read_f4le()


        def _fetch_instances(self):
            pass


    class Roster(KaitaiStruct):
        """Transport identities of the ten seats (41 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Roster, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.players = []
            for i in range(10):
                self.players.append(self._io.read_u4le())



        def _fetch_instances(self):
            pass
            for i in range(len(self.players)):
                pass



    class Script(KaitaiStruct):
        """Starts an authored script of a unit (22 bytes).

        .. seealso::
           seed 004, 6.5 Script record
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Script, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.unit_id = self._io.read_u2le()
            self.script = self._io.read_s2le()
            self.num_arguments = self._io.read_u1()
            self.argument1 = self._io.read_s4le()
            self.argument2 = self._io.read_s4le()
            self.argument3 = self._io.read_s4le()
            self.argument4 = self._io.read_s4le()


        def _fetch_instances(self):
            pass


    class Share(KaitaiStruct):
        """Metal or energy goes to another player (17 bytes).

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 16
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Share, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.kind = KaitaiStream.resolve_enum(TadSubpacket.ResourceKind, self._io.read_u4le())
            self.sender = self._io.read_u4le()
            self.receiver = self._io.read_u4le()
            self.amount = self._io.read_f4le()


        def _fetch_instances(self):
            pass


    class Shot(KaitaiStruct):
        """A projectile is made (36 bytes). For meteor weapons the second triple is
        a velocity and the fields behind the weapon are not set; only the weapon
        table tells which weapons those are.

        .. seealso::
           seed 004, 6.3 Projectile creation and impact
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Shot, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.origin_x = self._io.read_s4le()
            self.origin_y = self._io.read_s4le()
            self.origin_z = self._io.read_s4le()
            self.target_x = self._io.read_s4le()
            self.target_y = self._io.read_s4le()
            self.target_z = self._io.read_s4le()
            self.weapon = self._io.read_u1()
            self.flags = self._io.read_u1()
            self.yaw = self._io.read_u2le()
            self.pitch = self._io.read_u2le()
            self.target_unit = self._io.read_u2le()
            self.shooter = self._io.read_u2le()
            self.weapon_slot = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class SnapshotAck(KaitaiStruct):
        """Answers a snapshot that asked for it (3 bytes).

        .. seealso::
           seed 004, 8. Snapshot request and acknowledgement
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.SnapshotAck, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_acknowledged = self._io.read_u1()
            self.is_seen = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class Sound(KaitaiStruct):
        """Plays a sound (18 bytes). Tables of other readers say 19, which comes
        from the tail of a script subpacket; no file holds a real one.

        .. seealso::
           seed 004, 6. Subpacket taxonomy, 0x13
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Sound, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.selector = self._io.read_u1()
            self.sound = self._io.read_s4le()
            self.x = self._io.read_s4le()
            self.y = self._io.read_s4le()
            self.z = self._io.read_s4le()


        def _fetch_instances(self):
            pass


    class Speed(KaitaiStruct):
        """Pause and game speed (3 bytes).

        .. seealso::
           seed 004, 9. Time model



        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 19
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Speed, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.kind = KaitaiStream.resolve_enum(TadSubpacket.SpeedKind, self._io.read_u1())
            self.value = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class Start(KaitaiStruct):
        """The game starts."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Start, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Subpacket(KaitaiStruct):
        """One subpacket, its id and its fields."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Subpacket, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.kind = KaitaiStream.resolve_enum(TadSubpacket.SubpacketId, self._io.read_u1())
            _on = self.kind
            if _on == TadSubpacket.SubpacketId.alliance:
                pass
                self.body = TadSubpacket.Alliance(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.build_finished:
                pass
                self.body = TadSubpacket.BuildFinished(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.build_started:
                pass
                self.body = TadSubpacket.BuildStarted(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.camera:
                pass
                self.body = TadSubpacket.Camera(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.chat:
                pass
                self.body = TadSubpacket.Chat(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.command:
                pass
                self.body = TadSubpacket.Command(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.damage:
                pass
                self.body = TadSubpacket.Damage(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.death:
                pass
                self.body = TadSubpacket.Death(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.enemy_chat:
                pass
                self.body = TadSubpacket.EnemyChat(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.extended:
                pass
                self.body = TadSubpacket.Extended(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.feature:
                pass
                self.body = TadSubpacket.Feature(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.filler:
                pass
                self.body = TadSubpacket.Filler(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.filler_07:
                pass
                self.body = TadSubpacket.Filler07(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.give_unit:
                pass
                self.body = TadSubpacket.GiveUnit(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.host_migration:
                pass
                self.body = TadSubpacket.HostMigration(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.impact:
                pass
                self.body = TadSubpacket.Impact(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.loading:
                pass
                self.body = TadSubpacket.Loading(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.loading_started:
                pass
                self.body = TadSubpacket.LoadingStarted(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.padding:
                pass
                self.body = TadSubpacket.Padding(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.ping:
                pass
                self.body = TadSubpacket.Ping(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.player_info:
                pass
                self.body = TadSubpacket.PlayerInfo(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.player_number:
                pass
                self.body = TadSubpacket.PlayerNumber(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.player_ready:
                pass
                self.body = TadSubpacket.PlayerReady(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.recorder_data:
                pass
                self.body = TadSubpacket.RecorderData(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.recorder_mark:
                pass
                self.body = TadSubpacket.RecorderMark(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.reject:
                pass
                self.body = TadSubpacket.Reject(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.resources:
                pass
                self.body = TadSubpacket.Resources(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.roster:
                pass
                self.body = TadSubpacket.Roster(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.script:
                pass
                self.body = TadSubpacket.Script(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.share:
                pass
                self.body = TadSubpacket.Share(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.shot:
                pass
                self.body = TadSubpacket.Shot(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.snapshot_ack:
                pass
                self.body = TadSubpacket.SnapshotAck(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.sound:
                pass
                self.body = TadSubpacket.Sound(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.speed:
                pass
                self.body = TadSubpacket.Speed(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.start:
                pass
                self.body = TadSubpacket.Start(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.sync_base:
                pass
                self.body = TadSubpacket.SyncBase(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.sync_elided:
                pass
                self.body = TadSubpacket.SyncElided(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.sync_idle:
                pass
                self.body = TadSubpacket.SyncIdle(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.team:
                pass
                self.body = TadSubpacket.Team(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unit_data:
                pass
                self.body = TadSubpacket.UnitData(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unit_state:
                pass
                self.body = TadSubpacket.UnitState(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unit_sync:
                pass
                self.body = TadSubpacket.UnitSync(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_03:
                pass
                self.body = TadSubpacket.Unknown03(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_0a:
                pass
                self.body = TadSubpacket.Unknown0a(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_17:
                pass
                self.body = TadSubpacket.Unknown17(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_1c:
                pass
                self.body = TadSubpacket.Unknown1c(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_1d:
                pass
                self.body = TadSubpacket.Unknown1d(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_1f:
                pass
                self.body = TadSubpacket.Unknown1f(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_21:
                pass
                self.body = TadSubpacket.Unknown21(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_25:
                pass
                self.body = TadSubpacket.Unknown25(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_27:
                pass
                self.body = TadSubpacket.Unknown27(self._io, self, self._root)
            elif _on == TadSubpacket.SubpacketId.unknown_f6:
                pass
                self.body = TadSubpacket.UnknownF6(self._io, self, self._root)
            else:
                pass
                self.body = TadSubpacket.Undecodable(self._io, self, self._root)


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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.SyncBase, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.tick = self._io.read_u4le()


        def _fetch_instances(self):
            pass


    class SyncElided(KaitaiStruct):
        """A unit sync without its tick; the tick is the sender's counter, which
        goes up by one.

        .. seealso::
           seed 004, 7. Unit sync, smartpak
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.SyncElided, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_expanded = self._io.read_u2le()
            if not self.len_expanded >= 7:
                raise kaitaistruct.ValidationLessThanError(7, self.len_expanded, self._io, u"/types/sync_elided/seq/0")
            self.body = self._io.read_bytes(self.len_expanded - 7)


        def _fetch_instances(self):
            pass


    class SyncIdle(KaitaiStruct):
        """A unit sync of 11 bytes, which says that nothing moves and the scheduled
        slot is empty; takes one tick.

        .. seealso::
           seed 004, 7. Unit sync, smartpak
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.SyncIdle, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Team(KaitaiStruct):
        """Puts a player into a team (6 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Team, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.player = self._io.read_u4le()
            self.team = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class Undecodable(KaitaiStruct):
        """An id without a known length ends what can be read; the rest of the
        stream is kept as it is.
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Undecodable, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.rest = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class UnitData(KaitaiStruct):
        """One step of the negotiation of unit types (14 bytes): which keys both
        sides have, with which checksum, and which are used.

        .. seealso::
           seed 004, 7. Unit sync, catalog provenance
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.UnitData, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.sub = KaitaiStream.resolve_enum(TadSubpacket.UnitDataSub, self._io.read_u1())
            self.fill = self._io.read_u4le()
            self.key = self._io.read_u4le()
            self.value = self._io.read_u4le()


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
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.UnitState, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.unit_id = self._io.read_u2le()
            self.state = KaitaiStream.resolve_enum(TadSubpacket.UnitStateValue, self._io.read_u1())


        def _fetch_instances(self):
            pass


    class UnitSync(KaitaiStruct):
        """State of the sender's units at one tick, a bit stream. Its first bytes
        are those of `tad_unit_sync`, which opens a whole one.

        .. seealso::
           seed 004, 7. Unit sync
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.UnitSync, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_subpacket = self._io.read_u2le()
            if not self.len_subpacket >= 7:
                raise kaitaistruct.ValidationLessThanError(7, self.len_subpacket, self._io, u"/types/unit_sync/seq/0")
            self.tick = self._io.read_u4le()
            self.body = self._io.read_bytes(self.len_subpacket - 7)


        def _fetch_instances(self):
            pass


    class Unknown03(KaitaiStruct):
        """Never seen. The recorder splits it at 7 bytes, the game's own table says
        3.

        .. seealso::
           seed 004, 6. Subpacket taxonomy, length strata
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown03, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bytes(6)


        def _fetch_instances(self):
            pass


    class Unknown0a(KaitaiStruct):
        """Names a unit and, in every file seen, `00 00 ff 01` (7 bytes).

        .. seealso::
           fact sheet tad-format, 5. Subpacket fields, 0a
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown0a, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.unit_id = self._io.read_u2le()
            self.tail = self._io.read_bytes(4)


        def _fetch_instances(self):
            pass


    class Unknown17(KaitaiStruct):
        """Meaning unknown (2 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown17, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class Unknown1c(KaitaiStruct):
        """Only in the game's own length table (5 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown1c, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bytes(4)


        def _fetch_instances(self):
            pass


    class Unknown1d(KaitaiStruct):
        """Only in the game's own length table (9 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown1d, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bytes(8)


        def _fetch_instances(self):
            pass


    class Unknown1f(KaitaiStruct):
        """Meaning unknown (5 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown1f, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bytes(4)


        def _fetch_instances(self):
            pass


    class Unknown21(KaitaiStruct):
        """Meaning unknown (10 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown21, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bytes(9)


        def _fetch_instances(self):
            pass


    class Unknown25(KaitaiStruct):
        """Only in the game's own length table (5 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown25, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bytes(4)


        def _fetch_instances(self):
            pass


    class Unknown27(KaitaiStruct):
        """Only in the game's own length table (17 bytes)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.Unknown27, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bytes(16)


        def _fetch_instances(self):
            pass


    class UnknownF6(KaitaiStruct):
        """Meaning unknown (1 byte)."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.UnknownF6, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class ZeroByte(KaitaiStruct):
        """One zero byte and a look at the byte behind it."""
        end_marker = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadSubpacket.ZeroByte, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bytes(1)
            if not self.reserved == b"\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x00", self.reserved, self._io, u"/types/zero_byte/seq/0")
            if self.ofs_end >= 0:
                pass
                self.end_marker = self._io.read_bytes(0)



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
                self._m_next_byte = self._io.read_u1()
                self._io.seek(_pos)

            return getattr(self, '_m_next_byte', None)

        @property
        def ofs_end(self):
            if hasattr(self, '_m_ofs_end'):
                return self._m_ofs_end

            self._m_ofs_end = self._io.pos()
            return getattr(self, '_m_ofs_end', None)
