# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum
import collections
from .. import inflate


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class SpringPacket(KaitaiStruct):
    """One message of a Spring (Recoil) demo stream: the payload of one chunk of
    `spring_demo`, id byte included.

    Opened alone, a file holding one message is read in the current layouts
    (engine 105.0 and later). Inside a demo, `spring_demo` works out a number for
    the engine from the header's version text and hands it to `message`, which
    picks the layout of that engine where layouts differ:

    | engine text               | number              | rule                 |
    |---------------------------|--------------------:|----------------------|
    | `0.82.7.1`                |              820700 | second part x 10000 + third x 100 |
    | `94.1`                    |              940000 | first part x 10000 + commits |
    | `104.0.1-1707-gc0fc18e`   |             1041707 | 104.0.1 adds its commits |
    | `105.1.1-2590-gb9462a0`   |             1052590 | the same             |
    | `2025.04.08`              |            20250408 | year, month, patch   |
    | anything else             |            99999999 | current              |

    Where the packet's own size tells two layouts apart, the size decides and the
    engine is not asked.

    The fixed fields of a message stand first, so that a reader of bulk data can
    view all messages of one kind as one array of records.

    Every size field named `len_packet` counts the whole message, id included. An
    id that is not in `message_id` is kept as raw bytes.

    .. seealso::
       Coilbox, Replay data sources, "The demo stream"


    .. seealso::
       rts/Net/Protocol/BaseNetProtocol.cpp - https://github.com/beyond-all-reason/RecoilEngine
    """

    class AiState(IntEnum):
        constructed = 10
        initialising = 20
        reloading = 30
        alive = 40
        dying = 50
        dead = 60

    class ChatDestination(IntEnum):
        allies = 252
        spectators = 253
        everyone = 254

    class LeaveReason(IntEnum):
        lost_connection = 0
        left = 1
        kicked = 2

    class LogLevel(IntEnum):
        debug = 20
        info = 30
        notice = 35
        warning = 40
        error = 50
        fatal = 60

    class LuaScript(IntEnum):
        rules = 100
        units = 200
        gaia = 300
        rules_unsynced = 1100
        units_unsynced = 1200
        gaia_unsynced = 1300
        ui = 2000
        intro = 3000
        menu = 4000

    class MapDrawAction(IntEnum):
        point = 0
        erase = 1
        line = 2

    class MessageId(IntEnum):
        keyframe = 1
        newframe = 2
        quit = 3
        startplaying = 4
        setplayernum = 5
        playername = 6
        chat = 7
        randseed = 8
        gameid = 9
        path_checksum = 10
        command = 11
        select = 12
        pause = 13
        aicommand = 14
        aicommands = 15
        aishare = 16
        memdump = 17
        user_speed = 19
        internal_speed = 20
        cpu_usage = 21
        direct_control = 22
        dc_update = 23
        attemptconnect_old = 25
        share = 26
        setshare = 27
        sendplayerstat = 28
        playerstat = 29
        gameover = 30
        map_draw_old = 31
        map_draw = 32
        syncresponse = 33
        systemmsg = 35
        startpos = 36
        playerinfo = 38
        playerleft = 39
        sd_chkrequest = 41
        sd_chkresponse = 42
        sd_blkrequest = 43
        sd_blkresponse = 44
        sd_reset = 45
        gamestate_dump = 46
        logmsg = 49
        luamsg = 50
        team = 51
        gamedata = 52
        alliance = 53
        ccommand = 54
        custom_data = 55
        teamstat = 60
        clientdata = 61
        attemptconnect = 65
        reject_connect = 66
        ai_created = 70
        ai_state_changed = 71
        request_teamstat = 72
        register_netmsg = 73
        unregister_netmsg = 74
        create_newplayer = 75
        aicommand_tracked = 76
        game_frame_progress = 77
        ping = 78

    class ReadyState(IntEnum):
        updated = 0
        readied = 1
        forced = 2
        failed = 3

    class TeamAction(IntEnum):
        giveaway = 1
        resign = 2
        join_team = 3
        team_died = 4
    SEQ_FIELDS = ["packet"]
    def __init__(self, _io, _parent=None, _root=None):
        super(SpringPacket, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._debug = collections.defaultdict(dict)

    def _read(self):
        self._debug['packet']['start'] = self._io.pos()
        self.packet = SpringPacket.Message(99999999, self._io, self, self._root)
        self.packet._read()
        self._debug['packet']['end'] = self._io.pos()


    def _fetch_instances(self):
        pass
        self.packet._fetch_instances()

    class AiCreated(KaitaiStruct):
        """A skirmish AI has been made."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "team", "name"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AiCreated, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u1()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['name']['start'] = self._io.pos()
            self.name = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['name']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class AiCreatedWide(KaitaiStruct):
        """AI_CREATED of 0.81 to 0.82, with a 32-bit AI number."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "team", "name"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AiCreatedWide, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u1()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u4le()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['name']['start'] = self._io.pos()
            self.name = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['name']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class AiStateChanged(KaitaiStruct):
        """A skirmish AI comes up or goes down."""
        SEQ_FIELDS = ["player", "ai", "state"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AiStateChanged, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['state']['start'] = self._io.pos()
            self.state = KaitaiStream.resolve_enum(SpringPacket.AiState, self._io.read_u1())
            self._debug['state']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class AiStateChangedWide(KaitaiStruct):
        """AI_STATE_CHANGED of 0.81 to 0.82 (7 bytes)."""
        SEQ_FIELDS = ["player", "ai", "state"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AiStateChangedWide, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u4le()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['state']['start'] = self._io.pos()
            self.state = KaitaiStream.resolve_enum(SpringPacket.AiState, self._io.read_u1())
            self._debug['state']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Aicommand(KaitaiStruct):
        """An order to one named unit, by a Lua widget or a skirmish AI."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "ai_team", "unit", "command_id", "timeout", "options", "num_params", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Aicommand, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['ai_team']['start'] = self._io.pos()
            self.ai_team = self._io.read_u1()
            self._debug['ai_team']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['timeout']['start'] = self._io.pos()
            self.timeout = self._io.read_s4le()
            self._debug['timeout']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u4le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandCounted(KaitaiStruct):
        """AICOMMAND of July 2018 to February 2019."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "unit", "command_id", "options", "num_params", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandCounted, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u4le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandPlain(KaitaiStruct):
        """AICOMMAND of 83.0 to 104.0."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "unit", "command_id", "options", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandPlain, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            i = 0
            while not self._io.is_eof():
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][len(self.params) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandTimed(KaitaiStruct):
        """AICOMMAND of February to October 2019."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "unit", "command_id", "timeout", "options", "num_params", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandTimed, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['timeout']['start'] = self._io.pos()
            self.timeout = self._io.read_s4le()
            self._debug['timeout']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u4le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandTracked(KaitaiStruct):
        """AICOMMAND whose end the AI wants to hear of."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "ai_team", "unit", "command_id", "timeout", "options", "num_params", "ai_command_id", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandTracked, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['ai_team']['start'] = self._io.pos()
            self.ai_team = self._io.read_u1()
            self._debug['ai_team']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['timeout']['start'] = self._io.pos()
            self.timeout = self._io.read_s4le()
            self._debug['timeout']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u4le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['ai_command_id']['start'] = self._io.pos()
            self.ai_command_id = self._io.read_s4le()
            self._debug['ai_command_id']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandTrackedCounted(KaitaiStruct):
        """AICOMMAND_TRACKED of July 2018 to February 2019."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "unit", "command_id", "options", "num_params", "ai_command_id", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandTrackedCounted, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u4le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['ai_command_id']['start'] = self._io.pos()
            self.ai_command_id = self._io.read_s4le()
            self._debug['ai_command_id']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandTrackedPlain(KaitaiStruct):
        """AICOMMAND_TRACKED of 83.0 to 104.0."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "unit", "command_id", "options", "ai_command_id", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandTrackedPlain, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['ai_command_id']['start'] = self._io.pos()
            self.ai_command_id = self._io.read_s4le()
            self._debug['ai_command_id']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            i = 0
            while not self._io.is_eof():
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][len(self.params) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandTrackedTimed(KaitaiStruct):
        """AICOMMAND_TRACKED of February to October 2019."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "unit", "command_id", "timeout", "options", "num_params", "ai_command_id", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandTrackedTimed, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['timeout']['start'] = self._io.pos()
            self.timeout = self._io.read_s4le()
            self._debug['timeout']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u4le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['ai_command_id']['start'] = self._io.pos()
            self.ai_command_id = self._io.read_s4le()
            self._debug['ai_command_id']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandUnowned(KaitaiStruct):
        """AICOMMAND up to 0.82."""
        SEQ_FIELDS = ["len_packet", "player", "unit", "command_id", "options", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandUnowned, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['unit']['start'] = self._io.pos()
            self.unit = self._io.read_s2le()
            self._debug['unit']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            i = 0
            while not self._io.is_eof():
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][len(self.params) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class Aicommands(KaitaiStruct):
        """Several orders to several units, by a Lua widget."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "pairwise", "ref_command_id", "ref_options", "ref_num_params", "num_units", "units", "num_commands", "commands"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Aicommands, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['pairwise']['start'] = self._io.pos()
            self.pairwise = self._io.read_u1()
            self._debug['pairwise']['end'] = self._io.pos()
            self._debug['ref_command_id']['start'] = self._io.pos()
            self.ref_command_id = self._io.read_s4le()
            self._debug['ref_command_id']['end'] = self._io.pos()
            self._debug['ref_options']['start'] = self._io.pos()
            self.ref_options = self._io.read_u1()
            self._debug['ref_options']['end'] = self._io.pos()
            self._debug['ref_num_params']['start'] = self._io.pos()
            self.ref_num_params = self._io.read_u2le()
            self._debug['ref_num_params']['end'] = self._io.pos()
            self._debug['num_units']['start'] = self._io.pos()
            self.num_units = self._io.read_s2le()
            self._debug['num_units']['end'] = self._io.pos()
            self._debug['units']['start'] = self._io.pos()
            self._debug['units']['arr'] = []
            self.units = []
            for i in range(self.num_units):
                self._debug['units']['arr'].append({'start': self._io.pos()})
                self.units.append(self._io.read_s2le())
                self._debug['units']['arr'][i]['end'] = self._io.pos()

            self._debug['units']['end'] = self._io.pos()
            self._debug['num_commands']['start'] = self._io.pos()
            self.num_commands = self._io.read_s2le()
            self._debug['num_commands']['end'] = self._io.pos()
            self._debug['commands']['start'] = self._io.pos()
            self._debug['commands']['arr'] = []
            self.commands = []
            for i in range(self.num_commands):
                self._debug['commands']['arr'].append({'start': self._io.pos()})
                _t_commands = SpringPacket.AicommandsEntry(self.ref_command_id, self.ref_options, self.ref_num_params, self._io, self, self._root)
                try:
                    _t_commands._read()
                finally:
                    self.commands.append(_t_commands)
                self._debug['commands']['arr'][i]['end'] = self._io.pos()

            self._debug['commands']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.units)):
                pass

            for i in range(len(self.commands)):
                pass
                self.commands[i]._fetch_instances()



    class AicommandsEntry(KaitaiStruct):
        """One order; the fields that the message states once for all are left out.
        """
        SEQ_FIELDS = ["own_command_id", "own_options", "own_num_params", "params"]
        own_command_id = None
        own_options = None
        own_num_params = None
        def __init__(self, ref_command_id, ref_options, ref_num_params, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandsEntry, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.ref_command_id = ref_command_id
            self.ref_options = ref_options
            self.ref_num_params = ref_num_params
            self._debug = collections.defaultdict(dict)

        def _read(self):
            if self.ref_command_id == 0:
                pass
                self._debug['own_command_id']['start'] = self._io.pos()
                self.own_command_id = self._io.read_s4le()
                self._debug['own_command_id']['end'] = self._io.pos()

            if self.ref_options == 255:
                pass
                self._debug['own_options']['start'] = self._io.pos()
                self.own_options = self._io.read_u1()
                self._debug['own_options']['end'] = self._io.pos()

            if self.ref_num_params == 65535:
                pass
                self._debug['own_num_params']['start'] = self._io.pos()
                self.own_num_params = self._io.read_u2le()
                self._debug['own_num_params']['end'] = self._io.pos()

            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            if self.ref_command_id == 0:
                pass

            if self.ref_options == 255:
                pass

            if self.ref_num_params == 65535:
                pass

            for i in range(len(self.params)):
                pass


        @property
        def command_id(self):
            if hasattr(self, '_m_command_id'):
                return self._m_command_id

            self._m_command_id = (self.own_command_id if self.ref_command_id == 0 else self.ref_command_id)
            return getattr(self, '_m_command_id', None)

        @property
        def num_params(self):
            if hasattr(self, '_m_num_params'):
                return self._m_num_params

            self._m_num_params = (self.own_num_params if self.ref_num_params == 65535 else self.ref_num_params)
            return getattr(self, '_m_num_params', None)

        @property
        def options(self):
            """Bits 4 meta, 8 internal, 16 right mouse, 32 shift, 64 control, 128
            alt.
            """
            if hasattr(self, '_m_options'):
                return self._m_options

            self._m_options = (self.own_options if self.ref_options == 255 else self.ref_options)
            return getattr(self, '_m_options', None)


    class AicommandsListed(KaitaiStruct):
        """AICOMMANDS of 83.0 to 88.0."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "num_units", "units", "num_commands", "commands"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandsListed, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['num_units']['start'] = self._io.pos()
            self.num_units = self._io.read_s2le()
            self._debug['num_units']['end'] = self._io.pos()
            self._debug['units']['start'] = self._io.pos()
            self._debug['units']['arr'] = []
            self.units = []
            for i in range(self.num_units):
                self._debug['units']['arr'].append({'start': self._io.pos()})
                self.units.append(self._io.read_s2le())
                self._debug['units']['arr'][i]['end'] = self._io.pos()

            self._debug['units']['end'] = self._io.pos()
            self._debug['num_commands']['start'] = self._io.pos()
            self.num_commands = self._io.read_s2le()
            self._debug['num_commands']['end'] = self._io.pos()
            self._debug['commands']['start'] = self._io.pos()
            self._debug['commands']['arr'] = []
            self.commands = []
            for i in range(self.num_commands):
                self._debug['commands']['arr'].append({'start': self._io.pos()})
                _t_commands = SpringPacket.AicommandsListedEntry(self._io, self, self._root)
                try:
                    _t_commands._read()
                finally:
                    self.commands.append(_t_commands)
                self._debug['commands']['arr'][i]['end'] = self._io.pos()

            self._debug['commands']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.units)):
                pass

            for i in range(len(self.commands)):
                pass
                self.commands[i]._fetch_instances()



    class AicommandsListedEntry(KaitaiStruct):
        """One order of the old AICOMMANDS."""
        SEQ_FIELDS = ["command_id", "options", "num_params", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandsListedEntry, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u2le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class AicommandsUnowned(KaitaiStruct):
        """AICOMMANDS up to 0.82."""
        SEQ_FIELDS = ["len_packet", "player", "num_units", "units", "num_commands", "commands"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AicommandsUnowned, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['num_units']['start'] = self._io.pos()
            self.num_units = self._io.read_s2le()
            self._debug['num_units']['end'] = self._io.pos()
            self._debug['units']['start'] = self._io.pos()
            self._debug['units']['arr'] = []
            self.units = []
            for i in range(self.num_units):
                self._debug['units']['arr'].append({'start': self._io.pos()})
                self.units.append(self._io.read_s2le())
                self._debug['units']['arr'][i]['end'] = self._io.pos()

            self._debug['units']['end'] = self._io.pos()
            self._debug['num_commands']['start'] = self._io.pos()
            self.num_commands = self._io.read_s2le()
            self._debug['num_commands']['end'] = self._io.pos()
            self._debug['commands']['start'] = self._io.pos()
            self._debug['commands']['arr'] = []
            self.commands = []
            for i in range(self.num_commands):
                self._debug['commands']['arr'].append({'start': self._io.pos()})
                _t_commands = SpringPacket.AicommandsListedEntry(self._io, self, self._root)
                try:
                    _t_commands._read()
                finally:
                    self.commands.append(_t_commands)
                self._debug['commands']['arr'][i]['end'] = self._io.pos()

            self._debug['commands']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.units)):
                pass

            for i in range(len(self.commands)):
                pass
                self.commands[i]._fetch_instances()



    class Aishare(KaitaiStruct):
        """A skirmish AI gives away resources and units."""
        SEQ_FIELDS = ["len_packet", "player", "ai", "source_team", "dest_team", "metal", "energy", "units"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Aishare, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ai']['start'] = self._io.pos()
            self.ai = self._io.read_u1()
            self._debug['ai']['end'] = self._io.pos()
            self._debug['source_team']['start'] = self._io.pos()
            self.source_team = self._io.read_u1()
            self._debug['source_team']['end'] = self._io.pos()
            self._debug['dest_team']['start'] = self._io.pos()
            self.dest_team = self._io.read_u1()
            self._debug['dest_team']['end'] = self._io.pos()
            self._debug['metal']['start'] = self._io.pos()
            self.metal = self._io.read_f4le()
            self._debug['metal']['end'] = self._io.pos()
            self._debug['energy']['start'] = self._io.pos()
            self.energy = self._io.read_f4le()
            self._debug['energy']['end'] = self._io.pos()
            self._debug['units']['start'] = self._io.pos()
            self._debug['units']['arr'] = []
            self.units = []
            for i in range((self.len_packet - 15) // 2):
                self._debug['units']['arr'].append({'start': self._io.pos()})
                self.units.append(self._io.read_s2le())
                self._debug['units']['arr'][i]['end'] = self._io.pos()

            self._debug['units']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.units)):
                pass



    class Alliance(KaitaiStruct):
        """A player makes or breaks an alliance."""
        SEQ_FIELDS = ["player", "ally_team", "allied"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Alliance, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['ally_team']['start'] = self._io.pos()
            self.ally_team = self._io.read_u1()
            self._debug['ally_team']['end'] = self._io.pos()
            self._debug['allied']['start'] = self._io.pos()
            self.allied = self._io.read_u1()
            self._debug['allied']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Attemptconnect(KaitaiStruct):
        """A client wants to join."""
        SEQ_FIELDS = ["len_packet", "network_version", "name", "password", "version", "platform", "flags"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Attemptconnect, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['network_version']['start'] = self._io.pos()
            self.network_version = self._io.read_u2le()
            self._debug['network_version']['end'] = self._io.pos()
            self._debug['name']['start'] = self._io.pos()
            self.name = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['name']['end'] = self._io.pos()
            self._debug['password']['start'] = self._io.pos()
            self.password = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['password']['end'] = self._io.pos()
            self._debug['version']['start'] = self._io.pos()
            self.version = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['version']['end'] = self._io.pos()
            self._debug['platform']['start'] = self._io.pos()
            self.platform = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['platform']['end'] = self._io.pos()
            self._debug['flags']['start'] = self._io.pos()
            self.flags = SpringPacket.AttemptconnectFlags(self._io, self, self._root)
            self.flags._read()
            self._debug['flags']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.flags._fetch_instances()


    class AttemptconnectFlags(KaitaiStruct):
        """The end of ATTEMPTCONNECT."""
        SEQ_FIELDS = ["reconnect", "netloss"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AttemptconnectFlags, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['reconnect']['start'] = self._io.pos()
            self.reconnect = self._io.read_u1()
            self._debug['reconnect']['end'] = self._io.pos()
            self._debug['netloss']['start'] = self._io.pos()
            self.netloss = self._io.read_u1()
            self._debug['netloss']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class AttemptconnectOld(KaitaiStruct):
        """Retired form of ATTEMPTCONNECT, up to engine 0.82."""
        SEQ_FIELDS = ["body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.AttemptconnectOld, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['body']['start'] = self._io.pos()
            self.body = self._io.read_bytes_full()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Ccommand(KaitaiStruct):
        """A console command, such as `speedcontrol 2` or `luarules ...`."""
        SEQ_FIELDS = ["len_packet", "player", "command", "extra"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Ccommand, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_s4le()
            self._debug['player']['end'] = self._io.pos()
            self._debug['command']['start'] = self._io.pos()
            self.command = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['command']['end'] = self._io.pos()
            self._debug['extra']['start'] = self._io.pos()
            self.extra = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['extra']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Chat(KaitaiStruct):
        """A chat line."""
        SEQ_FIELDS = ["len_packet", "player", "destination", "text"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Chat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u1()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['destination']['start'] = self._io.pos()
            self.destination = KaitaiStream.resolve_enum(SpringPacket.ChatDestination, self._io.read_u1())
            self._debug['destination']['end'] = self._io.pos()
            self._debug['text']['start'] = self._io.pos()
            self.text = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['text']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Clientdata(KaitaiStruct):
        """A client's description of its machine."""
        SEQ_FIELDS = ["len_packet", "player", "compressed_text"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Clientdata, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['compressed_text']['start'] = self._io.pos()
            self.compressed_text = self._io.read_bytes_full()
            self._debug['compressed_text']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            _ = self.text
            if hasattr(self, '_m_text'):
                pass


        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            _pos = self._io.pos()
            self._io.seek(4)
            self._debug['_m_text']['start'] = self._io.pos()
            self._raw__m_text = self._io.read_bytes(self._io.size() - 4)
            self._m_text = inflate(self._raw__m_text)
            self._debug['_m_text']['end'] = self._io.pos()
            self._io.seek(_pos)
            return getattr(self, '_m_text', None)


    class Command(KaitaiStruct):
        """An order to a player's current selection.
        Layout since February 2019 (engine 104.0.1-1056); earlier ones are
        `command_counted` and `command_plain`.
        """
        SEQ_FIELDS = ["len_packet", "player", "command_id", "timeout", "options", "num_params", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Command, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['timeout']['start'] = self._io.pos()
            self.timeout = self._io.read_s4le()
            self._debug['timeout']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u4le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class CommandCounted(KaitaiStruct):
        """COMMAND of July 2018 to February 2019."""
        SEQ_FIELDS = ["len_packet", "player", "command_id", "options", "num_params", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.CommandCounted, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['num_params']['start'] = self._io.pos()
            self.num_params = self._io.read_u4le()
            self._debug['num_params']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            for i in range(self.num_params):
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][i]['end'] = self._io.pos()

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class CommandPlain(KaitaiStruct):
        """COMMAND up to 104.0."""
        SEQ_FIELDS = ["len_packet", "player", "command_id", "options", "params"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.CommandPlain, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['command_id']['start'] = self._io.pos()
            self.command_id = self._io.read_s4le()
            self._debug['command_id']['end'] = self._io.pos()
            self._debug['options']['start'] = self._io.pos()
            self.options = self._io.read_u1()
            self._debug['options']['end'] = self._io.pos()
            self._debug['params']['start'] = self._io.pos()
            self._debug['params']['arr'] = []
            self.params = []
            i = 0
            while not self._io.is_eof():
                self._debug['params']['arr'].append({'start': self._io.pos()})
                self.params.append(self._io.read_f4le())
                self._debug['params']['arr'][len(self.params) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['params']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.params)):
                pass



    class CpuUsage(KaitaiStruct):
        """Load of the server."""
        SEQ_FIELDS = ["cpu_usage"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.CpuUsage, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['cpu_usage']['start'] = self._io.pos()
            self.cpu_usage = self._io.read_f4le()
            self._debug['cpu_usage']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class CreateNewplayer(KaitaiStruct):
        """A player who is not in the script joins."""
        SEQ_FIELDS = ["len_packet", "player", "spectator", "team", "name"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.CreateNewplayer, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['spectator']['start'] = self._io.pos()
            self.spectator = self._io.read_u1()
            self._debug['spectator']['end'] = self._io.pos()
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['name']['start'] = self._io.pos()
            self.name = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['name']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class CustomData(KaitaiStruct):
        """Retired; engines 0.82 to 94."""
        SEQ_FIELDS = ["player", "kind", "value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.CustomData, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['kind']['start'] = self._io.pos()
            self.kind = self._io.read_u1()
            self._debug['kind']['end'] = self._io.pos()
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_s4le()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class DcUpdate(KaitaiStruct):
        """Steering of a directly controlled unit."""
        SEQ_FIELDS = ["player", "status", "heading", "pitch"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.DcUpdate, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['status']['start'] = self._io.pos()
            self.status = self._io.read_u1()
            self._debug['status']['end'] = self._io.pos()
            self._debug['heading']['start'] = self._io.pos()
            self.heading = self._io.read_s2le()
            self._debug['heading']['end'] = self._io.pos()
            self._debug['pitch']['start'] = self._io.pos()
            self.pitch = self._io.read_s2le()
            self._debug['pitch']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class DirectControl(KaitaiStruct):
        """A player takes or leaves direct control of a unit."""
        SEQ_FIELDS = ["player"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.DirectControl, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class GameFrameProgress(KaitaiStruct):
        """How far the server is, every 150 frames; client recordings only."""
        SEQ_FIELDS = ["frame"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.GameFrameProgress, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['frame']['start'] = self._io.pos()
            self.frame = self._io.read_s4le()
            self._debug['frame']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Gamedata(KaitaiStruct):
        """The setup that the engine really loads; the first packet of every stream.
        Not the form of engines before 0.79.
        """
        SEQ_FIELDS = ["len_packet", "len_script", "compressed_script", "map_checksum", "mod_checksum", "random_seed"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Gamedata, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['len_script']['start'] = self._io.pos()
            self.len_script = self._io.read_u2le()
            self._debug['len_script']['end'] = self._io.pos()
            self._debug['compressed_script']['start'] = self._io.pos()
            self.compressed_script = self._io.read_bytes(self.len_script)
            self._debug['compressed_script']['end'] = self._io.pos()
            self._debug['map_checksum']['start'] = self._io.pos()
            self.map_checksum = self._io.read_bytes(((self._io.size() - self._io.pos()) - 4) // 2)
            self._debug['map_checksum']['end'] = self._io.pos()
            self._debug['mod_checksum']['start'] = self._io.pos()
            self.mod_checksum = self._io.read_bytes((self._io.size() - self._io.pos()) - 4)
            self._debug['mod_checksum']['end'] = self._io.pos()
            self._debug['random_seed']['start'] = self._io.pos()
            self.random_seed = self._io.read_u4le()
            self._debug['random_seed']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            _ = self.script
            if hasattr(self, '_m_script'):
                pass


        @property
        def script(self):
            """The script's text."""
            if hasattr(self, '_m_script'):
                return self._m_script

            _pos = self._io.pos()
            self._io.seek(5)
            self._debug['_m_script']['start'] = self._io.pos()
            self._raw__m_script = self._io.read_bytes(self.len_script)
            self._m_script = inflate(self._raw__m_script)
            self._debug['_m_script']['end'] = self._io.pos()
            self._io.seek(_pos)
            return getattr(self, '_m_script', None)


    class Gameid(KaitaiStruct):
        """Identity of the game, the same for every recorder."""
        SEQ_FIELDS = ["game_id"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Gameid, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['game_id']['start'] = self._io.pos()
            self.game_id = self._io.read_bytes(16)
            self._debug['game_id']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Gameover(KaitaiStruct):
        """A client has seen the end of the game; one a client."""
        SEQ_FIELDS = ["len_packet", "player", "winning_ally_teams"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Gameover, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u1()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['winning_ally_teams']['start'] = self._io.pos()
            self._debug['winning_ally_teams']['arr'] = []
            self.winning_ally_teams = []
            i = 0
            while not self._io.is_eof():
                self._debug['winning_ally_teams']['arr'].append({'start': self._io.pos()})
                self.winning_ally_teams.append(self._io.read_u1())
                self._debug['winning_ally_teams']['arr'][len(self.winning_ally_teams) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['winning_ally_teams']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.winning_ally_teams)):
                pass



    class GamestateDump(KaitaiStruct):
        """All clients write their state to disk."""
        SEQ_FIELDS = ["frame"]
        frame = None
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.GamestateDump, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            if (not (self._io.is_eof())):
                pass
                self._debug['frame']['start'] = self._io.pos()
                self.frame = self._io.read_u4le()
                self._debug['frame']['end'] = self._io.pos()



        def _fetch_instances(self):
            pass
            if (not (self._io.is_eof())):
                pass



    class InternalSpeed(KaitaiStruct):
        """The server has changed the real game speed."""
        SEQ_FIELDS = ["speed"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.InternalSpeed, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['speed']['start'] = self._io.pos()
            self.speed = self._io.read_f4le()
            self._debug['speed']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Keyframe(KaitaiStruct):
        """Every 16th frame, with its number."""
        SEQ_FIELDS = ["frame"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Keyframe, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['frame']['start'] = self._io.pos()
            self.frame = self._io.read_s4le()
            self._debug['frame']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Logmsg(KaitaiStruct):
        """A line of a client's log."""
        SEQ_FIELDS = ["len_packet", "player", "level", "text"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Logmsg, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['level']['start'] = self._io.pos()
            self.level = KaitaiStream.resolve_enum(SpringPacket.LogLevel, self._io.read_u1())
            self._debug['level']['end'] = self._io.pos()
            self._debug['text']['start'] = self._io.pos()
            self.text = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['text']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Luamsg(KaitaiStruct):
        """A message of the game's Lua code; nearly half of a stream."""
        SEQ_FIELDS = ["len_packet", "player", "script", "mode", "payload"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Luamsg, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['script']['start'] = self._io.pos()
            self.script = KaitaiStream.resolve_enum(SpringPacket.LuaScript, self._io.read_u2le())
            self._debug['script']['end'] = self._io.pos()
            self._debug['mode']['start'] = self._io.pos()
            self.mode = self._io.read_u1()
            self._debug['mode']['end'] = self._io.pos()
            self._debug['payload']['start'] = self._io.pos()
            self.payload = self._io.read_bytes_full()
            self._debug['payload']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class LuamsgShort(KaitaiStruct):
        """LUAMSG of 0.77, with an 8-bit script number."""
        SEQ_FIELDS = ["len_packet", "player", "script", "mode", "payload"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.LuamsgShort, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['script']['start'] = self._io.pos()
            self.script = self._io.read_u1()
            self._debug['script']['end'] = self._io.pos()
            self._debug['mode']['start'] = self._io.pos()
            self.mode = self._io.read_u1()
            self._debug['mode']['end'] = self._io.pos()
            self._debug['payload']['start'] = self._io.pos()
            self.payload = self._io.read_bytes_full()
            self._debug['payload']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class MapDraw(KaitaiStruct):
        """A player draws on the map; engine 2025.04.10 and later.
        Up to 0.78 the id meant SYNCREQUEST (5 bytes, `sync_request`).
        """
        SEQ_FIELDS = ["len_packet", "player", "action", "body"]
        body = None
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.MapDraw, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u1()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['action']['start'] = self._io.pos()
            self.action = KaitaiStream.resolve_enum(SpringPacket.MapDrawAction, self._io.read_u1())
            self._debug['action']['end'] = self._io.pos()
            self._debug['body']['start'] = self._io.pos()
            _on = self.action
            if _on == SpringPacket.MapDrawAction.erase:
                pass
                self.body = SpringPacket.MapDrawEraseWide(self._io, self, self._root)
                self.body._read()
            elif _on == SpringPacket.MapDrawAction.line:
                pass
                self.body = SpringPacket.MapDrawLineWide(self._io, self, self._root)
                self.body._read()
            elif _on == SpringPacket.MapDrawAction.point:
                pass
                self.body = SpringPacket.MapDrawPointWide(self._io, self, self._root)
                self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            _on = self.action
            if _on == SpringPacket.MapDrawAction.erase:
                pass
                self.body._fetch_instances()
            elif _on == SpringPacket.MapDrawAction.line:
                pass
                self.body._fetch_instances()
            elif _on == SpringPacket.MapDrawAction.point:
                pass
                self.body._fetch_instances()


    class MapDrawEraseNarrow(KaitaiStruct):
        """Drawings near this place are removed."""
        SEQ_FIELDS = ["x", "z"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.MapDrawEraseNarrow, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_s2le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_s2le()
            self._debug['z']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class MapDrawEraseWide(KaitaiStruct):
        """Drawings near this place are removed."""
        SEQ_FIELDS = ["x", "z"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.MapDrawEraseWide, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_u4le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_u4le()
            self._debug['z']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class MapDrawLineNarrow(KaitaiStruct):
        """A line between two places."""
        SEQ_FIELDS = ["x1", "z1", "x2", "z2", "from_lua"]
        from_lua = None
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.MapDrawLineNarrow, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['x1']['start'] = self._io.pos()
            self.x1 = self._io.read_s2le()
            self._debug['x1']['end'] = self._io.pos()
            self._debug['z1']['start'] = self._io.pos()
            self.z1 = self._io.read_s2le()
            self._debug['z1']['end'] = self._io.pos()
            self._debug['x2']['start'] = self._io.pos()
            self.x2 = self._io.read_s2le()
            self._debug['x2']['end'] = self._io.pos()
            self._debug['z2']['start'] = self._io.pos()
            self.z2 = self._io.read_s2le()
            self._debug['z2']['end'] = self._io.pos()
            if (not (self._io.is_eof())):
                pass
                self._debug['from_lua']['start'] = self._io.pos()
                self.from_lua = self._io.read_u1()
                self._debug['from_lua']['end'] = self._io.pos()



        def _fetch_instances(self):
            pass
            if (not (self._io.is_eof())):
                pass



    class MapDrawLineWide(KaitaiStruct):
        """A line between two places."""
        SEQ_FIELDS = ["x1", "z1", "x2", "z2", "from_lua"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.MapDrawLineWide, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['x1']['start'] = self._io.pos()
            self.x1 = self._io.read_u4le()
            self._debug['x1']['end'] = self._io.pos()
            self._debug['z1']['start'] = self._io.pos()
            self.z1 = self._io.read_u4le()
            self._debug['z1']['end'] = self._io.pos()
            self._debug['x2']['start'] = self._io.pos()
            self.x2 = self._io.read_u4le()
            self._debug['x2']['end'] = self._io.pos()
            self._debug['z2']['start'] = self._io.pos()
            self.z2 = self._io.read_u4le()
            self._debug['z2']['end'] = self._io.pos()
            self._debug['from_lua']['start'] = self._io.pos()
            self.from_lua = self._io.read_u1()
            self._debug['from_lua']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class MapDrawOld(KaitaiStruct):
        """A player draws on the map; engines before 2025.04.10.
        Coordinates are 16 bits wide up to 2025.01 and 32 bits wide in 2025.03.1
        to
        2025.04.09. Erase and line tell the width by their size, a point does not.
        The size byte wraps for long labels, so the size of the packet counts.
        """
        SEQ_FIELDS = ["len_packet", "player", "action", "body"]
        body = None
        def __init__(self, engine, _io, _parent=None, _root=None):
            super(SpringPacket.MapDrawOld, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.engine = engine
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u1()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['action']['start'] = self._io.pos()
            self.action = KaitaiStream.resolve_enum(SpringPacket.MapDrawAction, self._io.read_u1())
            self._debug['action']['end'] = self._io.pos()
            self._debug['body']['start'] = self._io.pos()
            _on = int(self.action) * 2 + (1 if self.is_wide else 0)
            if _on == 0:
                pass
                self.body = SpringPacket.MapDrawPointNarrow(self.engine, self._io, self, self._root)
                self.body._read()
            elif _on == 1:
                pass
                self.body = SpringPacket.MapDrawPointWide(self._io, self, self._root)
                self.body._read()
            elif _on == 2:
                pass
                self.body = SpringPacket.MapDrawEraseNarrow(self._io, self, self._root)
                self.body._read()
            elif _on == 3:
                pass
                self.body = SpringPacket.MapDrawEraseWide(self._io, self, self._root)
                self.body._read()
            elif _on == 4:
                pass
                self.body = SpringPacket.MapDrawLineNarrow(self._io, self, self._root)
                self.body._read()
            elif _on == 5:
                pass
                self.body = SpringPacket.MapDrawLineWide(self._io, self, self._root)
                self.body._read()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            _on = int(self.action) * 2 + (1 if self.is_wide else 0)
            if _on == 0:
                pass
                self.body._fetch_instances()
            elif _on == 1:
                pass
                self.body._fetch_instances()
            elif _on == 2:
                pass
                self.body._fetch_instances()
            elif _on == 3:
                pass
                self.body._fetch_instances()
            elif _on == 4:
                pass
                self.body._fetch_instances()
            elif _on == 5:
                pass
                self.body._fetch_instances()

        @property
        def is_wide(self):
            if hasattr(self, '_m_is_wide'):
                return self._m_is_wide

            self._m_is_wide = (self._io.size() == 12 if self.action == SpringPacket.MapDrawAction.erase else (self._io.size() == 21 if self.action == SpringPacket.MapDrawAction.line else self.engine >= 20250301))
            return getattr(self, '_m_is_wide', None)


    class MapDrawPointNarrow(KaitaiStruct):
        """A marker with a label."""
        SEQ_FIELDS = ["x", "z", "from_lua", "label"]
        from_lua = None
        def __init__(self, engine, _io, _parent=None, _root=None):
            super(SpringPacket.MapDrawPointNarrow, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.engine = engine
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_s2le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_s2le()
            self._debug['z']['end'] = self._io.pos()
            if self.engine >= 800000:
                pass
                self._debug['from_lua']['start'] = self._io.pos()
                self.from_lua = self._io.read_u1()
                self._debug['from_lua']['end'] = self._io.pos()

            self._debug['label']['start'] = self._io.pos()
            self.label = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['label']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            if self.engine >= 800000:
                pass



    class MapDrawPointWide(KaitaiStruct):
        """A marker with a label."""
        SEQ_FIELDS = ["x", "z", "from_lua", "label"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.MapDrawPointWide, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_u4le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_u4le()
            self._debug['z']['end'] = self._io.pos()
            self._debug['from_lua']['start'] = self._io.pos()
            self.from_lua = self._io.read_u1()
            self._debug['from_lua']['end'] = self._io.pos()
            self._debug['label']['start'] = self._io.pos()
            self.label = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['label']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Memdump(KaitaiStruct):
        """Retired debugging message."""
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Memdump, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Message(KaitaiStruct):
        """The id and what belongs to it, in the layout of the engine given."""
        SEQ_FIELDS = ["id", "body", "old_body"]
        body = None
        old_body = None
        def __init__(self, engine, _io, _parent=None, _root=None):
            super(SpringPacket.Message, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.engine = engine
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['id']['start'] = self._io.pos()
            self.id = KaitaiStream.resolve_enum(SpringPacket.MessageId, self._io.read_u1())
            self._debug['id']['end'] = self._io.pos()
            if self.old_layout == 0:
                pass
                self._debug['body']['start'] = self._io.pos()
                _on = self.id
                if _on == SpringPacket.MessageId.ai_created:
                    pass
                    self.body = SpringPacket.AiCreated(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.ai_state_changed:
                    pass
                    self.body = SpringPacket.AiStateChanged(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.aicommand:
                    pass
                    self.body = SpringPacket.Aicommand(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.aicommand_tracked:
                    pass
                    self.body = SpringPacket.AicommandTracked(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.aicommands:
                    pass
                    self.body = SpringPacket.Aicommands(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.aishare:
                    pass
                    self.body = SpringPacket.Aishare(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.alliance:
                    pass
                    self.body = SpringPacket.Alliance(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.attemptconnect:
                    pass
                    self.body = SpringPacket.Attemptconnect(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.attemptconnect_old:
                    pass
                    self.body = SpringPacket.AttemptconnectOld(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.ccommand:
                    pass
                    self.body = SpringPacket.Ccommand(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.chat:
                    pass
                    self.body = SpringPacket.Chat(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.clientdata:
                    pass
                    self.body = SpringPacket.Clientdata(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.command:
                    pass
                    self.body = SpringPacket.Command(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.cpu_usage:
                    pass
                    self.body = SpringPacket.CpuUsage(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.create_newplayer:
                    pass
                    self.body = SpringPacket.CreateNewplayer(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.custom_data:
                    pass
                    self.body = SpringPacket.CustomData(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.dc_update:
                    pass
                    self.body = SpringPacket.DcUpdate(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.direct_control:
                    pass
                    self.body = SpringPacket.DirectControl(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.game_frame_progress:
                    pass
                    self.body = SpringPacket.GameFrameProgress(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.gamedata:
                    pass
                    self.body = SpringPacket.Gamedata(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.gameid:
                    pass
                    self.body = SpringPacket.Gameid(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.gameover:
                    pass
                    self.body = SpringPacket.Gameover(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.gamestate_dump:
                    pass
                    self.body = SpringPacket.GamestateDump(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.internal_speed:
                    pass
                    self.body = SpringPacket.InternalSpeed(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.keyframe:
                    pass
                    self.body = SpringPacket.Keyframe(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.logmsg:
                    pass
                    self.body = SpringPacket.Logmsg(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.luamsg:
                    pass
                    self.body = SpringPacket.Luamsg(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.map_draw:
                    pass
                    self.body = SpringPacket.MapDraw(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.map_draw_old:
                    pass
                    self.body = SpringPacket.MapDrawOld(self.engine, self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.memdump:
                    pass
                    self.body = SpringPacket.Memdump(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.newframe:
                    pass
                    self.body = SpringPacket.Newframe(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.path_checksum:
                    pass
                    self.body = SpringPacket.PathChecksum(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.pause:
                    pass
                    self.body = SpringPacket.Pause(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.ping:
                    pass
                    self.body = SpringPacket.Ping(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.playerinfo:
                    pass
                    self.body = SpringPacket.Playerinfo(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.playerleft:
                    pass
                    self.body = SpringPacket.Playerleft(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.playername:
                    pass
                    self.body = SpringPacket.Playername(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.playerstat:
                    pass
                    self.body = SpringPacket.Playerstat(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.quit:
                    pass
                    self.body = SpringPacket.Quit(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.randseed:
                    pass
                    self.body = SpringPacket.Randseed(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.register_netmsg:
                    pass
                    self.body = SpringPacket.RegisterNetmsg(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.reject_connect:
                    pass
                    self.body = SpringPacket.RejectConnect(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.request_teamstat:
                    pass
                    self.body = SpringPacket.RequestTeamstat(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.sd_blkrequest:
                    pass
                    self.body = SpringPacket.SdBlkrequest(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.sd_blkresponse:
                    pass
                    self.body = SpringPacket.SdBlkresponse(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.sd_chkrequest:
                    pass
                    self.body = SpringPacket.SdChkrequest(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.sd_chkresponse:
                    pass
                    self.body = SpringPacket.SdChkresponse(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.sd_reset:
                    pass
                    self.body = SpringPacket.SdReset(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.select:
                    pass
                    self.body = SpringPacket.Select(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.sendplayerstat:
                    pass
                    self.body = SpringPacket.Sendplayerstat(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.setplayernum:
                    pass
                    self.body = SpringPacket.Setplayernum(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.setshare:
                    pass
                    self.body = SpringPacket.Setshare(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.share:
                    pass
                    self.body = SpringPacket.Share(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.startplaying:
                    pass
                    self.body = SpringPacket.Startplaying(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.startpos:
                    pass
                    self.body = SpringPacket.Startpos(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.syncresponse:
                    pass
                    self.body = SpringPacket.Syncresponse(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.systemmsg:
                    pass
                    self.body = SpringPacket.Systemmsg(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.team:
                    pass
                    self.body = SpringPacket.Team(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.teamstat:
                    pass
                    self.body = SpringPacket.Teamstat(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.unregister_netmsg:
                    pass
                    self.body = SpringPacket.UnregisterNetmsg(self._io, self, self._root)
                    self.body._read()
                elif _on == SpringPacket.MessageId.user_speed:
                    pass
                    self.body = SpringPacket.UserSpeed(self._io, self, self._root)
                    self.body._read()
                else:
                    pass
                    self.body = SpringPacket.UnknownBody(self._io, self, self._root)
                    self.body._read()
                self._debug['body']['end'] = self._io.pos()

            if self.old_layout != 0:
                pass
                self._debug['old_body']['start'] = self._io.pos()
                _on = self.old_layout
                if _on == 1:
                    pass
                    self.old_body = SpringPacket.NewframeNumbered(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 10:
                    pass
                    self.old_body = SpringPacket.AicommandsListed(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 11:
                    pass
                    self.old_body = SpringPacket.SetshareUnowned(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 12:
                    pass
                    self.old_body = SpringPacket.PlayerstatMouseFirst(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 13:
                    pass
                    self.old_body = SpringPacket.NoBody(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 14:
                    pass
                    self.old_body = SpringPacket.SyncRequest(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 15:
                    pass
                    self.old_body = SpringPacket.SyncresponseUnowned(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 16:
                    pass
                    self.old_body = SpringPacket.SystemmsgShort(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 17:
                    pass
                    self.old_body = SpringPacket.StartposUnowned(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 18:
                    pass
                    self.old_body = SpringPacket.PlayerinfoShort(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 19:
                    pass
                    self.old_body = SpringPacket.LuamsgShort(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 2:
                    pass
                    self.old_body = SpringPacket.NoBody(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 20:
                    pass
                    self.old_body = SpringPacket.TeamShort(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 21:
                    pass
                    self.old_body = SpringPacket.AiCreatedWide(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 22:
                    pass
                    self.old_body = SpringPacket.AiStateChangedWide(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 23:
                    pass
                    self.old_body = SpringPacket.AicommandTrackedPlain(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 24:
                    pass
                    self.old_body = SpringPacket.AicommandTrackedCounted(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 25:
                    pass
                    self.old_body = SpringPacket.AicommandTrackedTimed(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 3:
                    pass
                    self.old_body = SpringPacket.CommandPlain(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 4:
                    pass
                    self.old_body = SpringPacket.CommandCounted(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 5:
                    pass
                    self.old_body = SpringPacket.AicommandUnowned(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 6:
                    pass
                    self.old_body = SpringPacket.AicommandPlain(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 7:
                    pass
                    self.old_body = SpringPacket.AicommandCounted(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 8:
                    pass
                    self.old_body = SpringPacket.AicommandTimed(self._io, self, self._root)
                    self.old_body._read()
                elif _on == 9:
                    pass
                    self.old_body = SpringPacket.AicommandsUnowned(self._io, self, self._root)
                    self.old_body._read()
                self._debug['old_body']['end'] = self._io.pos()



        def _fetch_instances(self):
            pass
            if self.old_layout == 0:
                pass
                _on = self.id
                if _on == SpringPacket.MessageId.ai_created:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.ai_state_changed:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.aicommand:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.aicommand_tracked:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.aicommands:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.aishare:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.alliance:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.attemptconnect:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.attemptconnect_old:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.ccommand:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.chat:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.clientdata:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.command:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.cpu_usage:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.create_newplayer:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.custom_data:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.dc_update:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.direct_control:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.game_frame_progress:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.gamedata:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.gameid:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.gameover:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.gamestate_dump:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.internal_speed:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.keyframe:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.logmsg:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.luamsg:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.map_draw:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.map_draw_old:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.memdump:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.newframe:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.path_checksum:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.pause:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.ping:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.playerinfo:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.playerleft:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.playername:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.playerstat:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.quit:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.randseed:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.register_netmsg:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.reject_connect:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.request_teamstat:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.sd_blkrequest:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.sd_blkresponse:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.sd_chkrequest:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.sd_chkresponse:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.sd_reset:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.select:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.sendplayerstat:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.setplayernum:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.setshare:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.share:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.startplaying:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.startpos:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.syncresponse:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.systemmsg:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.team:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.teamstat:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.unregister_netmsg:
                    pass
                    self.body._fetch_instances()
                elif _on == SpringPacket.MessageId.user_speed:
                    pass
                    self.body._fetch_instances()
                else:
                    pass
                    self.body._fetch_instances()

            if self.old_layout != 0:
                pass
                _on = self.old_layout
                if _on == 1:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 10:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 11:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 12:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 13:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 14:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 15:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 16:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 17:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 18:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 19:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 2:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 20:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 21:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 22:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 23:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 24:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 25:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 3:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 4:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 5:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 6:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 7:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 8:
                    pass
                    self.old_body._fetch_instances()
                elif _on == 9:
                    pass
                    self.old_body._fetch_instances()


        @property
        def old_layout(self):
            """0 for the current layout, otherwise which of the older ones."""
            if hasattr(self, '_m_old_layout'):
                return self._m_old_layout

            self._m_old_layout = (1 if  ((self.id == SpringPacket.MessageId.newframe) and (self._io.size() == 5))  else (2 if  ((self.id == SpringPacket.MessageId.quit) and (self._io.size() == 1))  else (3 if  ((self.id == SpringPacket.MessageId.command) and (self.engine < 1040620))  else (4 if  ((self.id == SpringPacket.MessageId.command) and (self.engine < 1041056))  else (5 if  ((self.id == SpringPacket.MessageId.aicommand) and (self.engine < 830000))  else (6 if  ((self.id == SpringPacket.MessageId.aicommand) and (self.engine < 1040620))  else (7 if  ((self.id == SpringPacket.MessageId.aicommand) and (self.engine < 1041056))  else (8 if  ((self.id == SpringPacket.MessageId.aicommand) and (self.engine < 1041482))  else (9 if  ((self.id == SpringPacket.MessageId.aicommands) and (self.engine < 830000))  else (10 if  ((self.id == SpringPacket.MessageId.aicommands) and (self.engine < 890000))  else (11 if  ((self.id == SpringPacket.MessageId.setshare) and (self._io.size() == 10))  else (12 if  ((self.id == SpringPacket.MessageId.playerstat) and (self.engine < 940000))  else (13 if  ((self.id == SpringPacket.MessageId.gameover) and (self._io.size() == 1))  else (14 if  ((self.id == SpringPacket.MessageId.map_draw) and ( ((self.engine < 790000) and (self._io.size() == 5)) ))  else (15 if  ((self.id == SpringPacket.MessageId.syncresponse) and (self._io.size() == 9))  else (16 if  ((self.id == SpringPacket.MessageId.systemmsg) and (self.engine < 810000))  else (17 if  ((self.id == SpringPacket.MessageId.startpos) and (self._io.size() == 15))  else (18 if  ((self.id == SpringPacket.MessageId.playerinfo) and (self._io.size() == 8))  else (19 if  ((self.id == SpringPacket.MessageId.luamsg) and (self.engine < 780000))  else (20 if  ((self.id == SpringPacket.MessageId.team) and (self._io.size() == 4))  else (21 if  ((self.id == SpringPacket.MessageId.ai_created) and ( ((self.engine >= 810000) and (self.engine < 830000)) ))  else (22 if  ((self.id == SpringPacket.MessageId.ai_state_changed) and (self._io.size() == 7))  else (23 if  ((self.id == SpringPacket.MessageId.aicommand_tracked) and (self.engine < 1040620))  else (24 if  ((self.id == SpringPacket.MessageId.aicommand_tracked) and (self.engine < 1041056))  else (25 if  ((self.id == SpringPacket.MessageId.aicommand_tracked) and (self.engine < 1041482))  else 0)))))))))))))))))))))))))
            return getattr(self, '_m_old_layout', None)


    class Newframe(KaitaiStruct):
        """The next frame of the game: the frame number grows by one.
        """
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Newframe, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class NewframeNumbered(KaitaiStruct):
        """NEWFRAME of 0.76, with its number."""
        SEQ_FIELDS = ["frame"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.NewframeNumbered, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['frame']['start'] = self._io.pos()
            self.frame = self._io.read_s4le()
            self._debug['frame']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class NoBody(KaitaiStruct):
        """Nothing after the id: QUIT up to 0.80 and GAMEOVER up to 0.82.
        """
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.NoBody, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class PathChecksum(KaitaiStruct):
        """Checksum of a player's path finding data."""
        SEQ_FIELDS = ["player", "checksum"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.PathChecksum, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['checksum']['start'] = self._io.pos()
            self.checksum = self._io.read_u4le()
            self._debug['checksum']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Pause(KaitaiStruct):
        """The game is paused or goes on."""
        SEQ_FIELDS = ["player", "paused"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Pause, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['paused']['start'] = self._io.pos()
            self.paused = self._io.read_u1()
            self._debug['paused']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Ping(KaitaiStruct):
        """Delay measurement."""
        SEQ_FIELDS = ["player", "tag", "local_time"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Ping, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['tag']['start'] = self._io.pos()
            self.tag = self._io.read_u1()
            self._debug['tag']['end'] = self._io.pos()
            self._debug['local_time']['start'] = self._io.pos()
            self.local_time = self._io.read_f4le()
            self._debug['local_time']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class PlayerStatistics(KaitaiStruct):
        """Counters of one player, since engine 94.0."""
        SEQ_FIELDS = ["num_commands", "num_unit_commands", "mouse_pixels", "mouse_clicks", "key_presses"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.PlayerStatistics, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['num_commands']['start'] = self._io.pos()
            self.num_commands = self._io.read_s4le()
            self._debug['num_commands']['end'] = self._io.pos()
            self._debug['num_unit_commands']['start'] = self._io.pos()
            self.num_unit_commands = self._io.read_s4le()
            self._debug['num_unit_commands']['end'] = self._io.pos()
            self._debug['mouse_pixels']['start'] = self._io.pos()
            self.mouse_pixels = self._io.read_s4le()
            self._debug['mouse_pixels']['end'] = self._io.pos()
            self._debug['mouse_clicks']['start'] = self._io.pos()
            self.mouse_clicks = self._io.read_s4le()
            self._debug['mouse_clicks']['end'] = self._io.pos()
            self._debug['key_presses']['start'] = self._io.pos()
            self.key_presses = self._io.read_s4le()
            self._debug['key_presses']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class PlayerStatisticsMouseFirst(KaitaiStruct):
        """Counters of one player, up to engine 93.2."""
        SEQ_FIELDS = ["mouse_pixels", "mouse_clicks", "key_presses", "num_commands", "num_unit_commands"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.PlayerStatisticsMouseFirst, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['mouse_pixels']['start'] = self._io.pos()
            self.mouse_pixels = self._io.read_s4le()
            self._debug['mouse_pixels']['end'] = self._io.pos()
            self._debug['mouse_clicks']['start'] = self._io.pos()
            self.mouse_clicks = self._io.read_s4le()
            self._debug['mouse_clicks']['end'] = self._io.pos()
            self._debug['key_presses']['start'] = self._io.pos()
            self.key_presses = self._io.read_s4le()
            self._debug['key_presses']['end'] = self._io.pos()
            self._debug['num_commands']['start'] = self._io.pos()
            self.num_commands = self._io.read_s4le()
            self._debug['num_commands']['end'] = self._io.pos()
            self._debug['num_unit_commands']['start'] = self._io.pos()
            self.num_unit_commands = self._io.read_s4le()
            self._debug['num_unit_commands']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Playerinfo(KaitaiStruct):
        """A client's load and delay."""
        SEQ_FIELDS = ["player", "cpu_usage", "ping"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Playerinfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['cpu_usage']['start'] = self._io.pos()
            self.cpu_usage = self._io.read_f4le()
            self._debug['cpu_usage']['end'] = self._io.pos()
            self._debug['ping']['start'] = self._io.pos()
            self.ping = self._io.read_s4le()
            self._debug['ping']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class PlayerinfoShort(KaitaiStruct):
        """PLAYERINFO of 0.79 to 0.81 (8 bytes)."""
        SEQ_FIELDS = ["player", "cpu_usage", "ping"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.PlayerinfoShort, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['cpu_usage']['start'] = self._io.pos()
            self.cpu_usage = self._io.read_f4le()
            self._debug['cpu_usage']['end'] = self._io.pos()
            self._debug['ping']['start'] = self._io.pos()
            self.ping = self._io.read_u2le()
            self._debug['ping']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Playerleft(KaitaiStruct):
        """A player is gone."""
        SEQ_FIELDS = ["player", "reason"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Playerleft, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['reason']['start'] = self._io.pos()
            self.reason = KaitaiStream.resolve_enum(SpringPacket.LeaveReason, self._io.read_u1())
            self._debug['reason']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Playername(KaitaiStruct):
        """A player has connected under this name."""
        SEQ_FIELDS = ["len_packet", "player", "name"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Playername, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u1()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['name']['start'] = self._io.pos()
            self.name = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['name']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Playerstat(KaitaiStruct):
        """A client's counters at the end of the game."""
        SEQ_FIELDS = ["player", "statistics"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Playerstat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['statistics']['start'] = self._io.pos()
            self.statistics = SpringPacket.PlayerStatistics(self._io, self, self._root)
            self.statistics._read()
            self._debug['statistics']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.statistics._fetch_instances()


    class PlayerstatMouseFirst(KaitaiStruct):
        """PLAYERSTAT up to 93.2."""
        SEQ_FIELDS = ["player", "statistics"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.PlayerstatMouseFirst, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['statistics']['start'] = self._io.pos()
            self.statistics = SpringPacket.PlayerStatisticsMouseFirst(self._io, self, self._root)
            self.statistics._read()
            self._debug['statistics']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.statistics._fetch_instances()


    class Quit(KaitaiStruct):
        """The server stops."""
        SEQ_FIELDS = ["len_packet", "reason"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Quit, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['reason']['start'] = self._io.pos()
            self.reason = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['reason']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Randseed(KaitaiStruct):
        """Seed of the synced random numbers."""
        SEQ_FIELDS = ["seed"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Randseed, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['seed']['start'] = self._io.pos()
            self.seed = self._io.read_u4le()
            self._debug['seed']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class RegisterNetmsg(KaitaiStruct):
        """Retired; engine 0.82 only."""
        SEQ_FIELDS = ["player", "message"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.RegisterNetmsg, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['message']['start'] = self._io.pos()
            self.message = self._io.read_u1()
            self._debug['message']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class RejectConnect(KaitaiStruct):
        """The server refuses a client."""
        SEQ_FIELDS = ["len_packet", "reason"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.RejectConnect, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['reason']['start'] = self._io.pos()
            self.reason = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['reason']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class RequestTeamstat(KaitaiStruct):
        """Asks for a team's statistics."""
        SEQ_FIELDS = ["team", "sample"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.RequestTeamstat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['sample']['start'] = self._io.pos()
            self.sample = self._io.read_u2le()
            self._debug['sample']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SdBlkrequest(KaitaiStruct):
        """Sync debugger: asks for a block.
        """
        SEQ_FIELDS = ["begin", "length", "len_request"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SdBlkrequest, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['begin']['start'] = self._io.pos()
            self.begin = self._io.read_u2le()
            self._debug['begin']['end'] = self._io.pos()
            self._debug['length']['start'] = self._io.pos()
            self.length = self._io.read_u2le()
            self._debug['length']['end'] = self._io.pos()
            self._debug['len_request']['start'] = self._io.pos()
            self.len_request = self._io.read_u2le()
            self._debug['len_request']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SdBlkresponse(KaitaiStruct):
        """Sync debugger: a block.
        """
        SEQ_FIELDS = ["len_packet", "player", "checksums"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SdBlkresponse, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['checksums']['start'] = self._io.pos()
            self._debug['checksums']['arr'] = []
            self.checksums = []
            i = 0
            while not self._io.is_eof():
                self._debug['checksums']['arr'].append({'start': self._io.pos()})
                self.checksums.append(self._io.read_u4le())
                self._debug['checksums']['arr'][len(self.checksums) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['checksums']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.checksums)):
                pass



    class SdChkrequest(KaitaiStruct):
        """Sync debugger: asks for checksums (special builds only).
        """
        SEQ_FIELDS = ["frame"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SdChkrequest, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['frame']['start'] = self._io.pos()
            self.frame = self._io.read_s4le()
            self._debug['frame']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SdChkresponse(KaitaiStruct):
        """Sync debugger: checksums.
        """
        SEQ_FIELDS = ["len_packet", "player", "flop", "checksums"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SdChkresponse, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['flop']['start'] = self._io.pos()
            self.flop = self._io.read_u8le()
            self._debug['flop']['end'] = self._io.pos()
            self._debug['checksums']['start'] = self._io.pos()
            self._debug['checksums']['arr'] = []
            self.checksums = []
            i = 0
            while not self._io.is_eof():
                self._debug['checksums']['arr'].append({'start': self._io.pos()})
                self.checksums.append(self._io.read_u4le())
                self._debug['checksums']['arr'][len(self.checksums) - 1]['end'] = self._io.pos()
                i += 1

            self._debug['checksums']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.checksums)):
                pass



    class SdReset(KaitaiStruct):
        """Sync debugger: start again.
        """
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SdReset, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Select(KaitaiStruct):
        """A player has selected these units."""
        SEQ_FIELDS = ["len_packet", "player", "units"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Select, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['units']['start'] = self._io.pos()
            self._debug['units']['arr'] = []
            self.units = []
            for i in range((self.len_packet - 4) // 2):
                self._debug['units']['arr'].append({'start': self._io.pos()})
                self.units.append(self._io.read_s2le())
                self._debug['units']['arr'][i]['end'] = self._io.pos()

            self._debug['units']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.units)):
                pass



    class Sendplayerstat(KaitaiStruct):
        """Retired request for PLAYERSTAT, up to engine 88."""
        SEQ_FIELDS = []
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Sendplayerstat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class Setplayernum(KaitaiStruct):
        """Only in recordings made by a client, as the second packet."""
        SEQ_FIELDS = ["player"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Setplayernum, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Setshare(KaitaiStruct):
        """A team sets its sharing levels."""
        SEQ_FIELDS = ["player", "team", "metal_share", "energy_share"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Setshare, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['metal_share']['start'] = self._io.pos()
            self.metal_share = self._io.read_f4le()
            self._debug['metal_share']['end'] = self._io.pos()
            self._debug['energy_share']['start'] = self._io.pos()
            self.energy_share = self._io.read_f4le()
            self._debug['energy_share']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SetshareUnowned(KaitaiStruct):
        """SETSHARE of 0.76 (10 bytes)."""
        SEQ_FIELDS = ["team", "metal_share", "energy_share"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SetshareUnowned, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['metal_share']['start'] = self._io.pos()
            self.metal_share = self._io.read_f4le()
            self._debug['metal_share']['end'] = self._io.pos()
            self._debug['energy_share']['start'] = self._io.pos()
            self.energy_share = self._io.read_f4le()
            self._debug['energy_share']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Share(KaitaiStruct):
        """A player gives away resources and units."""
        SEQ_FIELDS = ["player", "to_team", "share_units", "metal", "energy"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Share, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['to_team']['start'] = self._io.pos()
            self.to_team = self._io.read_u1()
            self._debug['to_team']['end'] = self._io.pos()
            self._debug['share_units']['start'] = self._io.pos()
            self.share_units = self._io.read_u1()
            self._debug['share_units']['end'] = self._io.pos()
            self._debug['metal']['start'] = self._io.pos()
            self.metal = self._io.read_f4le()
            self._debug['metal']['end'] = self._io.pos()
            self._debug['energy']['start'] = self._io.pos()
            self.energy = self._io.read_f4le()
            self._debug['energy']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Startplaying(KaitaiStruct):
        """The game is about to start; two in every game."""
        SEQ_FIELDS = ["countdown"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Startplaying, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['countdown']['start'] = self._io.pos()
            self.countdown = self._io.read_u4le()
            self._debug['countdown']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Startpos(KaitaiStruct):
        """A start position; the last one of a team before frame 0 counts.
        Repeated while a player drags the marker. Not clamped into the start box.
        """
        SEQ_FIELDS = ["player", "team", "ready", "x", "y", "z"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Startpos, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['ready']['start'] = self._io.pos()
            self.ready = KaitaiStream.resolve_enum(SpringPacket.ReadyState, self._io.read_u1())
            self._debug['ready']['end'] = self._io.pos()
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_f4le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['y']['start'] = self._io.pos()
            self.y = self._io.read_f4le()
            self._debug['y']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_f4le()
            self._debug['z']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class StartposUnowned(KaitaiStruct):
        """STARTPOS of 0.76 (15 bytes)."""
        SEQ_FIELDS = ["team", "ready", "x", "y", "z"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.StartposUnowned, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['ready']['start'] = self._io.pos()
            self.ready = KaitaiStream.resolve_enum(SpringPacket.ReadyState, self._io.read_u1())
            self._debug['ready']['end'] = self._io.pos()
            self._debug['x']['start'] = self._io.pos()
            self.x = self._io.read_f4le()
            self._debug['x']['end'] = self._io.pos()
            self._debug['y']['start'] = self._io.pos()
            self.y = self._io.read_f4le()
            self._debug['y']['end'] = self._io.pos()
            self._debug['z']['start'] = self._io.pos()
            self.z = self._io.read_f4le()
            self._debug['z']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SyncRequest(KaitaiStruct):
        """SYNCREQUEST (id 32, engines up to 0.78)."""
        SEQ_FIELDS = ["frame"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SyncRequest, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['frame']['start'] = self._io.pos()
            self.frame = self._io.read_s4le()
            self._debug['frame']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Syncresponse(KaitaiStruct):
        """A client's checksum of the synced state at a frame."""
        SEQ_FIELDS = ["player", "frame", "checksum"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Syncresponse, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['frame']['start'] = self._io.pos()
            self.frame = self._io.read_s4le()
            self._debug['frame']['end'] = self._io.pos()
            self._debug['checksum']['start'] = self._io.pos()
            self.checksum = self._io.read_u4le()
            self._debug['checksum']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SyncresponseUnowned(KaitaiStruct):
        """SYNCRESPONSE of 0.79 to 83 (9 bytes)."""
        SEQ_FIELDS = ["frame", "checksum"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SyncresponseUnowned, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['frame']['start'] = self._io.pos()
            self.frame = self._io.read_s4le()
            self._debug['frame']['end'] = self._io.pos()
            self._debug['checksum']['start'] = self._io.pos()
            self.checksum = self._io.read_u4le()
            self._debug['checksum']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Systemmsg(KaitaiStruct):
        """A line of the server for the chat window."""
        SEQ_FIELDS = ["len_packet", "player", "text"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Systemmsg, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u2le()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['text']['start'] = self._io.pos()
            self.text = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['text']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class SystemmsgShort(KaitaiStruct):
        """SYSTEMMSG up to 0.80, with an 8-bit size."""
        SEQ_FIELDS = ["len_packet", "player", "text"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.SystemmsgShort, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_packet']['start'] = self._io.pos()
            self.len_packet = self._io.read_u1()
            self._debug['len_packet']['end'] = self._io.pos()
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['text']['start'] = self._io.pos()
            self.text = (self._io.read_bytes_term(0, False, True, False)).decode(u"UTF-8")
            self._debug['text']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Team(KaitaiStruct):
        """Something happens to a team."""
        SEQ_FIELDS = ["player", "action", "param1", "param2"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Team, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['action']['start'] = self._io.pos()
            self.action = KaitaiStream.resolve_enum(SpringPacket.TeamAction, self._io.read_u1())
            self._debug['action']['end'] = self._io.pos()
            self._debug['param1']['start'] = self._io.pos()
            self.param1 = self._io.read_u1()
            self._debug['param1']['end'] = self._io.pos()
            self._debug['param2']['start'] = self._io.pos()
            self.param2 = self._io.read_u1()
            self._debug['param2']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class TeamShort(KaitaiStruct):
        """TEAM up to 0.79 (4 bytes), with one parameter."""
        SEQ_FIELDS = ["player", "action", "param1"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.TeamShort, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['action']['start'] = self._io.pos()
            self.action = KaitaiStream.resolve_enum(SpringPacket.TeamAction, self._io.read_u1())
            self._debug['action']['end'] = self._io.pos()
            self._debug['param1']['start'] = self._io.pos()
            self.param1 = self._io.read_u1()
            self._debug['param1']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class TeamStatistics(KaitaiStruct):
        """One sample of a team; all numbers are running totals."""
        SEQ_FIELDS = ["frame", "metal_used", "energy_used", "metal_produced", "energy_produced", "metal_excess", "energy_excess", "metal_received", "energy_received", "metal_sent", "energy_sent", "damage_dealt", "damage_received", "units_produced", "units_died", "units_received", "units_sent", "units_captured", "units_out_captured", "units_killed"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.TeamStatistics, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['frame']['start'] = self._io.pos()
            self.frame = self._io.read_s4le()
            self._debug['frame']['end'] = self._io.pos()
            self._debug['metal_used']['start'] = self._io.pos()
            self.metal_used = self._io.read_f4le()
            self._debug['metal_used']['end'] = self._io.pos()
            self._debug['energy_used']['start'] = self._io.pos()
            self.energy_used = self._io.read_f4le()
            self._debug['energy_used']['end'] = self._io.pos()
            self._debug['metal_produced']['start'] = self._io.pos()
            self.metal_produced = self._io.read_f4le()
            self._debug['metal_produced']['end'] = self._io.pos()
            self._debug['energy_produced']['start'] = self._io.pos()
            self.energy_produced = self._io.read_f4le()
            self._debug['energy_produced']['end'] = self._io.pos()
            self._debug['metal_excess']['start'] = self._io.pos()
            self.metal_excess = self._io.read_f4le()
            self._debug['metal_excess']['end'] = self._io.pos()
            self._debug['energy_excess']['start'] = self._io.pos()
            self.energy_excess = self._io.read_f4le()
            self._debug['energy_excess']['end'] = self._io.pos()
            self._debug['metal_received']['start'] = self._io.pos()
            self.metal_received = self._io.read_f4le()
            self._debug['metal_received']['end'] = self._io.pos()
            self._debug['energy_received']['start'] = self._io.pos()
            self.energy_received = self._io.read_f4le()
            self._debug['energy_received']['end'] = self._io.pos()
            self._debug['metal_sent']['start'] = self._io.pos()
            self.metal_sent = self._io.read_f4le()
            self._debug['metal_sent']['end'] = self._io.pos()
            self._debug['energy_sent']['start'] = self._io.pos()
            self.energy_sent = self._io.read_f4le()
            self._debug['energy_sent']['end'] = self._io.pos()
            self._debug['damage_dealt']['start'] = self._io.pos()
            self.damage_dealt = self._io.read_f4le()
            self._debug['damage_dealt']['end'] = self._io.pos()
            self._debug['damage_received']['start'] = self._io.pos()
            self.damage_received = self._io.read_f4le()
            self._debug['damage_received']['end'] = self._io.pos()
            self._debug['units_produced']['start'] = self._io.pos()
            self.units_produced = self._io.read_s4le()
            self._debug['units_produced']['end'] = self._io.pos()
            self._debug['units_died']['start'] = self._io.pos()
            self.units_died = self._io.read_s4le()
            self._debug['units_died']['end'] = self._io.pos()
            self._debug['units_received']['start'] = self._io.pos()
            self.units_received = self._io.read_s4le()
            self._debug['units_received']['end'] = self._io.pos()
            self._debug['units_sent']['start'] = self._io.pos()
            self.units_sent = self._io.read_s4le()
            self._debug['units_sent']['end'] = self._io.pos()
            self._debug['units_captured']['start'] = self._io.pos()
            self.units_captured = self._io.read_s4le()
            self._debug['units_captured']['end'] = self._io.pos()
            self._debug['units_out_captured']['start'] = self._io.pos()
            self.units_out_captured = self._io.read_s4le()
            self._debug['units_out_captured']['end'] = self._io.pos()
            self._debug['units_killed']['start'] = self._io.pos()
            self.units_killed = self._io.read_s4le()
            self._debug['units_killed']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Teamstat(KaitaiStruct):
        """One statistics sample of a team, sent on request."""
        SEQ_FIELDS = ["team", "statistics"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.Teamstat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['team']['start'] = self._io.pos()
            self.team = self._io.read_u1()
            self._debug['team']['end'] = self._io.pos()
            self._debug['statistics']['start'] = self._io.pos()
            self.statistics = SpringPacket.TeamStatistics(self._io, self, self._root)
            self.statistics._read()
            self._debug['statistics']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.statistics._fetch_instances()


    class UnknownBody(KaitaiStruct):
        """A message that this layout does not know, kept as it is."""
        SEQ_FIELDS = ["body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.UnknownBody, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['body']['start'] = self._io.pos()
            self.body = self._io.read_bytes_full()
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class UnregisterNetmsg(KaitaiStruct):
        """Retired; engine 0.82 only."""
        SEQ_FIELDS = ["player", "message"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.UnregisterNetmsg, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['message']['start'] = self._io.pos()
            self.message = self._io.read_u1()
            self._debug['message']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class UserSpeed(KaitaiStruct):
        """A player has asked for a game speed."""
        SEQ_FIELDS = ["player", "speed"]
        def __init__(self, _io, _parent=None, _root=None):
            super(SpringPacket.UserSpeed, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['player']['start'] = self._io.pos()
            self.player = self._io.read_u1()
            self._debug['player']['end'] = self._io.pos()
            self._debug['speed']['start'] = self._io.pos()
            self.speed = self._io.read_f4le()
            self._debug['speed']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
