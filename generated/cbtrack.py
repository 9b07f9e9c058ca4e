# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from . import cbtrack_chunk
from . import inflate


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
    def __init__(self, _io, _parent=None, _root=None):
        super(Cbtrack, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        self.header = Cbtrack.Header(self._io, self, self._root)


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
        def __init__(self, _io, _parent=None, _root=None):
            super(Cbtrack.Header, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.magic = self._io.read_bytes(4)
            if not self.magic == b"\x43\x42\x54\x4B":
                raise kaitaistruct.ValidationNotEqualError(b"\x43\x42\x54\x4B", self.magic, self._io, u"/types/header/seq/0")
            self.format_version = self._io.read_u2le()
            if not self.format_version == 1:
                raise kaitaistruct.ValidationNotEqualError(1, self.format_version, self._io, u"/types/header/seq/1")
            self.len_header = self._io.read_u2le()
            if not self.len_header >= 96:
                raise kaitaistruct.ValidationLessThanError(96, self.len_header, self._io, u"/types/header/seq/2")
            self.recorder_version = self._io.read_u2le()
            self.frames_per_second = self._io.read_u2le()
            self.first_frame = self._io.read_u4le()
            self.last_frame = self._io.read_u4le()
            self.window_length = self._io.read_u4le()
            if not self.window_length >= 1:
                raise kaitaistruct.ValidationLessThanError(1, self.window_length, self._io, u"/types/header/seq/7")
            if not self.window_length <= 65535:
                raise kaitaistruct.ValidationGreaterThanError(65535, self.window_length, self._io, u"/types/header/seq/7")
            self.num_windows = self._io.read_u4le()
            self.tolerance = self._io.read_f4le()
            self.position_shift = self._io.read_u1()
            self.velocity_shift = self._io.read_u1()
            self.rotation_bits = self._io.read_u1()
            if not self.rotation_bits >= 8:
                raise kaitaistruct.ValidationLessThanError(8, self.rotation_bits, self._io, u"/types/header/seq/12")
            if not self.rotation_bits <= 16:
                raise kaitaistruct.ValidationGreaterThanError(16, self.rotation_bits, self._io, u"/types/header/seq/12")
            self.sample_gap = self._io.read_u1()
            self.blk_info = self._io.read_u4le()
            self.len_info = self._io.read_u4le()
            self.blk_features = self._io.read_u4le()
            self.len_features = self._io.read_u4le()
            self.num_units = self._io.read_u4le()
            self.num_projectiles = self._io.read_u4le()
            self.num_features = self._io.read_u4le()
            self.game_id = self._io.read_bytes(16)
            self.resource_tolerance = self._io.read_f4le()
            self.resource_fraction = self._io.read_f4le()
            self.reserved = self._io.read_bytes(8)


        def _fetch_instances(self):
            pass


    class Window(KaitaiStruct):
        """Where the chunks of one window are.

        .. seealso::
           Replay track format, Window index
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(Cbtrack.Window, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.blk_main = self._io.read_u4le()
            self.len_main = self._io.read_u4le()
            self.blk_terrain = self._io.read_u4le()
            self.len_terrain = self._io.read_u4le()


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
                self._raw__raw__m_main = io.read_bytes(self.len_main)
                self._raw__m_main = inflate(self._raw__raw__m_main)
                _io__raw__m_main = KaitaiStream(BytesIO(self._raw__m_main))
                self._m_main = cbtrack_chunk.CbtrackChunk(_io__raw__m_main)
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
                self._raw__raw__m_terrain = io.read_bytes(self.len_terrain)
                self._raw__m_terrain = inflate(self._raw__raw__m_terrain)
                _io__raw__m_terrain = KaitaiStream(BytesIO(self._raw__m_terrain))
                self._m_terrain = cbtrack_chunk.CbtrackChunk(_io__raw__m_terrain)
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
            self._raw__raw__m_features = self._io.read_bytes(self.header.len_features)
            self._raw__m_features = inflate(self._raw__raw__m_features)
            _io__raw__m_features = KaitaiStream(BytesIO(self._raw__m_features))
            self._m_features = cbtrack_chunk.CbtrackChunk(_io__raw__m_features)
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
            self._raw__raw__m_info = self._io.read_bytes(self.header.len_info)
            self._raw__m_info = inflate(self._raw__raw__m_info)
            _io__raw__m_info = KaitaiStream(BytesIO(self._raw__m_info))
            self._m_info = cbtrack_chunk.CbtrackChunk(_io__raw__m_info)
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
        self._m_windows = []
        for i in range(self.header.num_windows):
            self._m_windows.append(Cbtrack.Window(self._io, self, self._root))

        self._io.seek(_pos)
        return getattr(self, '_m_windows', None)
