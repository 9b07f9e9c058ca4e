# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from . import cbtrack_chunk
import collections
from .. import inflate


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class Cbtrack(KaitaiStruct):
    """A track says where everything was during one replay of a Spring or Recoil
    game: units, the pieces they aim with, projectiles, features, terrain, build
    queues and team numbers. It is made so that a reader can show any frame, with
    time going in either direction, after reading one window of the file.

    | part           | where                      | compressed |
    |----------------|----------------------------|------------|
    | header         | offset 0                   | no         |
    | window index   | `header.len_header`        | no         |
    | info chunk     | `header.blk_info * 64`     | zlib       |
    | features chunk | `header.blk_features * 64` | zlib       |
    | main chunks    | `blk_main * 64`            | zlib       |
    | terrain chunks | `blk_terrain * 64`         | zlib       |

    Every chunk is one zlib stream that starts on a block of 64 bytes. Inside is
    a `cbtrack_chunk`: a directory of typed columns. Chunks are found by their
    block numbers alone; their order in the file says nothing. The gaps between
    them are zero bytes, and bytes after the last chunk belong to nothing.

    The header is a type of its own, so that a fixed size record can be made of
    it for readers that do not use Kaitai Struct.

    .. seealso::
       Replay track format, File layout
    """
    SEQ_FIELDS = ["header"]
    def __init__(self, _io, _parent=None, _root=None):
        super(Cbtrack, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._debug = collections.defaultdict(dict)

    def _read(self):
        self._debug['header']['start'] = self._io.pos()
        self.header = Cbtrack.Header(self._io, self, self._root)
        self.header._read()
        self._debug['header']['end'] = self._io.pos()


    def _fetch_instances(self):
        pass
        self.header._fetch_instances()
        _ = self.features
        if hasattr(self, '_m_features'):
            pass
            self._m_features._fetch_instances()

        _ = self.info
        if hasattr(self, '_m_info'):
            pass
            self._m_info._fetch_instances()

        _ = self.windows
        if hasattr(self, '_m_windows'):
            pass
            for i in range(len(self._m_windows)):
                pass
                self._m_windows[i]._fetch_instances()



    class Header(KaitaiStruct):
        """96 bytes, of which `len_header` says how many more there are. Every u4 in
        it is at most 16,777,215, the largest number that is exact in the 32 bit
        floats of the engine's Lua.

        .. seealso::
           Replay track format, Header
        """
        SEQ_FIELDS = ["magic", "format_version", "len_header", "recorder_version", "frames_per_second", "first_frame", "last_frame", "window_length", "num_windows", "tolerance", "position_shift", "velocity_shift", "rotation_bits", "sample_gap", "blk_info", "len_info", "blk_features", "len_features", "num_units", "num_projectiles", "num_features", "game_id", "resource_tolerance", "resource_fraction", "reserved"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Cbtrack.Header, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['magic']['start'] = self._io.pos()
            self.magic = self._io.read_bytes(4)
            self._debug['magic']['end'] = self._io.pos()
            if not self.magic == b"\x43\x42\x54\x4B":
                raise kaitaistruct.ValidationNotEqualError(b"\x43\x42\x54\x4B", self.magic, self._io, u"/types/header/seq/0")
            self._debug['format_version']['start'] = self._io.pos()
            self.format_version = self._io.read_u2le()
            self._debug['format_version']['end'] = self._io.pos()
            if not self.format_version == 1:
                raise kaitaistruct.ValidationNotEqualError(1, self.format_version, self._io, u"/types/header/seq/1")
            self._debug['len_header']['start'] = self._io.pos()
            self.len_header = self._io.read_u2le()
            self._debug['len_header']['end'] = self._io.pos()
            if not self.len_header >= 96:
                raise kaitaistruct.ValidationLessThanError(96, self.len_header, self._io, u"/types/header/seq/2")
            self._debug['recorder_version']['start'] = self._io.pos()
            self.recorder_version = self._io.read_u2le()
            self._debug['recorder_version']['end'] = self._io.pos()
            self._debug['frames_per_second']['start'] = self._io.pos()
            self.frames_per_second = self._io.read_u2le()
            self._debug['frames_per_second']['end'] = self._io.pos()
            self._debug['first_frame']['start'] = self._io.pos()
            self.first_frame = self._io.read_u4le()
            self._debug['first_frame']['end'] = self._io.pos()
            self._debug['last_frame']['start'] = self._io.pos()
            self.last_frame = self._io.read_u4le()
            self._debug['last_frame']['end'] = self._io.pos()
            self._debug['window_length']['start'] = self._io.pos()
            self.window_length = self._io.read_u4le()
            self._debug['window_length']['end'] = self._io.pos()
            if not self.window_length >= 1:
                raise kaitaistruct.ValidationLessThanError(1, self.window_length, self._io, u"/types/header/seq/7")
            if not self.window_length <= 65535:
                raise kaitaistruct.ValidationGreaterThanError(65535, self.window_length, self._io, u"/types/header/seq/7")
            self._debug['num_windows']['start'] = self._io.pos()
            self.num_windows = self._io.read_u4le()
            self._debug['num_windows']['end'] = self._io.pos()
            self._debug['tolerance']['start'] = self._io.pos()
            self.tolerance = self._io.read_f4le()
            self._debug['tolerance']['end'] = self._io.pos()
            self._debug['position_shift']['start'] = self._io.pos()
            self.position_shift = self._io.read_u1()
            self._debug['position_shift']['end'] = self._io.pos()
            self._debug['velocity_shift']['start'] = self._io.pos()
            self.velocity_shift = self._io.read_u1()
            self._debug['velocity_shift']['end'] = self._io.pos()
            self._debug['rotation_bits']['start'] = self._io.pos()
            self.rotation_bits = self._io.read_u1()
            self._debug['rotation_bits']['end'] = self._io.pos()
            if not self.rotation_bits >= 8:
                raise kaitaistruct.ValidationLessThanError(8, self.rotation_bits, self._io, u"/types/header/seq/12")
            if not self.rotation_bits <= 16:
                raise kaitaistruct.ValidationGreaterThanError(16, self.rotation_bits, self._io, u"/types/header/seq/12")
            self._debug['sample_gap']['start'] = self._io.pos()
            self.sample_gap = self._io.read_u1()
            self._debug['sample_gap']['end'] = self._io.pos()
            self._debug['blk_info']['start'] = self._io.pos()
            self.blk_info = self._io.read_u4le()
            self._debug['blk_info']['end'] = self._io.pos()
            self._debug['len_info']['start'] = self._io.pos()
            self.len_info = self._io.read_u4le()
            self._debug['len_info']['end'] = self._io.pos()
            self._debug['blk_features']['start'] = self._io.pos()
            self.blk_features = self._io.read_u4le()
            self._debug['blk_features']['end'] = self._io.pos()
            self._debug['len_features']['start'] = self._io.pos()
            self.len_features = self._io.read_u4le()
            self._debug['len_features']['end'] = self._io.pos()
            self._debug['num_units']['start'] = self._io.pos()
            self.num_units = self._io.read_u4le()
            self._debug['num_units']['end'] = self._io.pos()
            self._debug['num_projectiles']['start'] = self._io.pos()
            self.num_projectiles = self._io.read_u4le()
            self._debug['num_projectiles']['end'] = self._io.pos()
            self._debug['num_features']['start'] = self._io.pos()
            self.num_features = self._io.read_u4le()
            self._debug['num_features']['end'] = self._io.pos()
            self._debug['game_id']['start'] = self._io.pos()
            self.game_id = self._io.read_bytes(16)
            self._debug['game_id']['end'] = self._io.pos()
            self._debug['resource_tolerance']['start'] = self._io.pos()
            self.resource_tolerance = self._io.read_f4le()
            self._debug['resource_tolerance']['end'] = self._io.pos()
            self._debug['resource_fraction']['start'] = self._io.pos()
            self.resource_fraction = self._io.read_f4le()
            self._debug['resource_fraction']['end'] = self._io.pos()
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bytes(8)
            self._debug['reserved']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Window(KaitaiStruct):
        """Where the chunks of one window are.

        .. seealso::
           Replay track format, Window index
        """
        SEQ_FIELDS = ["blk_main", "len_main", "blk_terrain", "len_terrain"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Cbtrack.Window, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['blk_main']['start'] = self._io.pos()
            self.blk_main = self._io.read_u4le()
            self._debug['blk_main']['end'] = self._io.pos()
            self._debug['len_main']['start'] = self._io.pos()
            self.len_main = self._io.read_u4le()
            self._debug['len_main']['end'] = self._io.pos()
            self._debug['blk_terrain']['start'] = self._io.pos()
            self.blk_terrain = self._io.read_u4le()
            self._debug['blk_terrain']['end'] = self._io.pos()
            self._debug['len_terrain']['start'] = self._io.pos()
            self.len_terrain = self._io.read_u4le()
            self._debug['len_terrain']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            _ = self.main
            if hasattr(self, '_m_main'):
                pass
                self._m_main._fetch_instances()

            _ = self.terrain
            if hasattr(self, '_m_terrain'):
                pass
                self._m_terrain._fetch_instances()


        @property
        def main(self):
            """Units, projectiles and team numbers at the frames of the window,
            columns 1 to 108.

            .. seealso::
               Replay track format, Main chunk
            """
            if hasattr(self, '_m_main'):
                return self._m_main

            if self.len_main != 0:
                pass
                io = self._root._io
                _pos = io.pos()
                io.seek(self.blk_main * 64)
                self._debug['_m_main']['start'] = io.pos()
                self._raw__raw__m_main = io.read_bytes(self.len_main)
                self._raw__m_main = inflate(self._raw__raw__m_main)
                _io__raw__m_main = KaitaiStream(BytesIO(self._raw__m_main))
                self._m_main = cbtrack_chunk.CbtrackChunk(_io__raw__m_main)
                self._m_main._read()
                self._debug['_m_main']['end'] = io.pos()
                io.seek(_pos)

            return getattr(self, '_m_main', None)

        @property
        def terrain(self):
            """Changes of the heightmap, columns 112 to 116. A row belongs to one
            window: window 0 holds the first frame, every later window begins
            after its first frame.

            .. seealso::
               Replay track format, Terrain chunk
            """
            if hasattr(self, '_m_terrain'):
                return self._m_terrain

            if  ((self.blk_terrain != 0) and (self.len_terrain != 0)) :
                pass
                io = self._root._io
                _pos = io.pos()
                io.seek(self.blk_terrain * 64)
                self._debug['_m_terrain']['start'] = io.pos()
                self._raw__raw__m_terrain = io.read_bytes(self.len_terrain)
                self._raw__m_terrain = inflate(self._raw__raw__m_terrain)
                _io__raw__m_terrain = KaitaiStream(BytesIO(self._raw__m_terrain))
                self._m_terrain = cbtrack_chunk.CbtrackChunk(_io__raw__m_terrain)
                self._m_terrain._read()
                self._debug['_m_terrain']['end'] = io.pos()
                io.seek(_pos)

            return getattr(self, '_m_terrain', None)


    @property
    def features(self):
        """Every feature of the match, columns 128 to 140.

        .. seealso::
           Replay track format, Features chunk
        """
        if hasattr(self, '_m_features'):
            return self._m_features

        if self.header.len_features != 0:
            pass
            _pos = self._io.pos()
            self._io.seek(self.header.blk_features * 64)
            self._debug['_m_features']['start'] = self._io.pos()
            self._raw__raw__m_features = self._io.read_bytes(self.header.len_features)
            self._raw__m_features = inflate(self._raw__raw__m_features)
            _io__raw__m_features = KaitaiStream(BytesIO(self._raw__m_features))
            self._m_features = cbtrack_chunk.CbtrackChunk(_io__raw__m_features)
            self._m_features._read()
            self._debug['_m_features']['end'] = self._io.pos()
            self._io.seek(_pos)

        return getattr(self, '_m_features', None)

    @property
    def info(self):
        """Names, teams and the map, columns 160 to 186.

        .. seealso::
           Replay track format, Info chunk
        """
        if hasattr(self, '_m_info'):
            return self._m_info

        if self.header.len_info != 0:
            pass
            _pos = self._io.pos()
            self._io.seek(self.header.blk_info * 64)
            self._debug['_m_info']['start'] = self._io.pos()
            self._raw__raw__m_info = self._io.read_bytes(self.header.len_info)
            self._raw__m_info = inflate(self._raw__raw__m_info)
            _io__raw__m_info = KaitaiStream(BytesIO(self._raw__m_info))
            self._m_info = cbtrack_chunk.CbtrackChunk(_io__raw__m_info)
            self._m_info._read()
            self._debug['_m_info']['end'] = self._io.pos()
            self._io.seek(_pos)

        return getattr(self, '_m_info', None)

    @property
    def windows(self):
        """One entry for each window, in order of time. Window `k` starts at frame
        `first_frame + k * window_length`.

        .. seealso::
           Replay track format, Window index
        """
        if hasattr(self, '_m_windows'):
            return self._m_windows

        _pos = self._io.pos()
        self._io.seek(self.header.len_header)
        self._debug['_m_windows']['start'] = self._io.pos()
        self._debug['_m_windows']['arr'] = []
        self._m_windows = []
        for i in range(self.header.num_windows):
            self._debug['_m_windows']['arr'].append({'start': self._io.pos()})
            _t__m_windows = Cbtrack.Window(self._io, self, self._root)
            try:
                _t__m_windows._read()
            finally:
                self._m_windows.append(_t__m_windows)
            self._debug['_m_windows']['arr'][i]['end'] = self._io.pos()

        self._debug['_m_windows']['end'] = self._io.pos()
        self._io.seek(_pos)
        return getattr(self, '_m_windows', None)
