# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum
import collections


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class ZstdFrame(KaitaiStruct):
    """One Zstandard frame: magic, frame header, blocks, optional checksum. It is
    the envelope of a Crimsonland replay: a `.crd` file is exactly one such
    frame, whose content is a msgpack payload (see `msgpack`).

    What a replay may ask for is narrower than what the frame can say: a window
    of at most 8 MiB, at most 64 MiB of content, no dictionary, nothing after
    the frame. Those limits are checked by the reader, not here, so that a frame
    which breaks one can still be looked at.

    The compressed blocks are kept as bytes: entropy coding is beyond this
    language. `ksreplay unwrap` writes the content.

    .. seealso::
       Zstandard frames - https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1


    .. seealso::
       seed 001, "Envelope"
    """

    class BlockKind(IntEnum):
        raw = 0
        rle = 1
        compressed = 2
        reserved = 3
    SEQ_FIELDS = ["magic", "header", "blocks", "checksum"]
    checksum = None
    def __init__(self, _io, _parent=None, _root=None):
        super(ZstdFrame, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._debug = collections.defaultdict(dict)

    def _read(self):
        self._debug['magic']['start'] = self._io.pos()
        self.magic = self._io.read_bytes(4)
        self._debug['magic']['end'] = self._io.pos()
        if not self.magic == b"\x28\xB5\x2F\xFD":
            raise kaitaistruct.ValidationNotEqualError(b"\x28\xB5\x2F\xFD", self.magic, self._io, u"/seq/0")
        self._debug['header']['start'] = self._io.pos()
        self.header = ZstdFrame.FrameHeader(self._io, self, self._root)
        self.header._read()
        self._debug['header']['end'] = self._io.pos()
        self._debug['blocks']['start'] = self._io.pos()
        self._debug['blocks']['arr'] = []
        self.blocks = []
        i = 0
        while True:
            self._debug['blocks']['arr'].append({'start': self._io.pos()})
            _t_blocks = ZstdFrame.Block(self._io, self, self._root)
            try:
                _t_blocks._read()
            finally:
                _ = _t_blocks
                self.blocks.append(_)
            self._debug['blocks']['arr'][len(self.blocks) - 1]['end'] = self._io.pos()
            if _.header.is_last:
                break
            i += 1
        self._debug['blocks']['end'] = self._io.pos()
        if self.header.has_checksum:
            pass
            self._debug['checksum']['start'] = self._io.pos()
            self.checksum = self._io.read_u4le()
            self._debug['checksum']['end'] = self._io.pos()



    def _fetch_instances(self):
        pass
        self.header._fetch_instances()
        for i in range(len(self.blocks)):
            pass
            self.blocks[i]._fetch_instances()

        if self.header.has_checksum:
            pass


    class Block(KaitaiStruct):
        """A piece of at most 128 KiB of the content.

        .. seealso::
           Blocks - https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.2
        """
        SEQ_FIELDS = ["header", "body"]
        def __init__(self, _io, _parent=None, _root=None):
            super(ZstdFrame.Block, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['header']['start'] = self._io.pos()
            self.header = ZstdFrame.BlockHeader(self._io, self, self._root)
            self.header._read()
            self._debug['header']['end'] = self._io.pos()
            self._debug['body']['start'] = self._io.pos()
            self.body = self._io.read_bytes((1 if self.header.kind == ZstdFrame.BlockKind.rle else self.header.len_block))
            self._debug['body']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.header._fetch_instances()


    class BlockHeader(KaitaiStruct):
        """Three bytes, read from the lowest bit: whether it is the last block, its
        kind and its size.

        .. seealso::
           Blocks - https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.2
        """
        SEQ_FIELDS = ["is_last", "kind", "len_block"]
        def __init__(self, _io, _parent=None, _root=None):
            super(ZstdFrame.BlockHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['is_last']['start'] = self._io.pos()
            self.is_last = self._io.read_bits_int_le(1) != 0
            self._debug['is_last']['end'] = self._io.pos()
            self._debug['kind']['start'] = self._io.pos()
            self.kind = KaitaiStream.resolve_enum(ZstdFrame.BlockKind, self._io.read_bits_int_le(2))
            self._debug['kind']['end'] = self._io.pos()
            self._debug['len_block']['start'] = self._io.pos()
            self.len_block = self._io.read_bits_int_le(21)
            self._debug['len_block']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class FrameHeader(KaitaiStruct):
        """Descriptor byte and the fields whose presence and width it states.

        .. seealso::
           Frame_Header - https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1
        """
        SEQ_FIELDS = ["dictionary_id_flag", "has_checksum", "reserved", "unused", "is_single_segment", "content_size_flag", "window", "dictionary_id", "content_size_raw"]
        window = None
        dictionary_id = None
        content_size_raw = None
        def __init__(self, _io, _parent=None, _root=None):
            super(ZstdFrame.FrameHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['dictionary_id_flag']['start'] = self._io.pos()
            self.dictionary_id_flag = self._io.read_bits_int_le(2)
            self._debug['dictionary_id_flag']['end'] = self._io.pos()
            self._debug['has_checksum']['start'] = self._io.pos()
            self.has_checksum = self._io.read_bits_int_le(1) != 0
            self._debug['has_checksum']['end'] = self._io.pos()
            self._debug['reserved']['start'] = self._io.pos()
            self.reserved = self._io.read_bits_int_le(1) != 0
            self._debug['reserved']['end'] = self._io.pos()
            self._debug['unused']['start'] = self._io.pos()
            self.unused = self._io.read_bits_int_le(1) != 0
            self._debug['unused']['end'] = self._io.pos()
            self._debug['is_single_segment']['start'] = self._io.pos()
            self.is_single_segment = self._io.read_bits_int_le(1) != 0
            self._debug['is_single_segment']['end'] = self._io.pos()
            self._debug['content_size_flag']['start'] = self._io.pos()
            self.content_size_flag = self._io.read_bits_int_le(2)
            self._debug['content_size_flag']['end'] = self._io.pos()
            if (not (self.is_single_segment)):
                pass
                self._debug['window']['start'] = self._io.pos()
                self.window = ZstdFrame.WindowDescriptor(self._io, self, self._root)
                self.window._read()
                self._debug['window']['end'] = self._io.pos()

            if self.dictionary_id_flag != 0:
                pass
                self._debug['dictionary_id']['start'] = self._io.pos()
                _on = self.dictionary_id_flag
                if _on == 1:
                    pass
                    self.dictionary_id = self._io.read_u1()
                elif _on == 2:
                    pass
                    self.dictionary_id = self._io.read_u2le()
                elif _on == 3:
                    pass
                    self.dictionary_id = self._io.read_u4le()
                self._debug['dictionary_id']['end'] = self._io.pos()

            if self.has_content_size:
                pass
                self._debug['content_size_raw']['start'] = self._io.pos()
                _on = self.content_size_flag
                if _on == 0:
                    pass
                    self.content_size_raw = self._io.read_u1()
                elif _on == 1:
                    pass
                    self.content_size_raw = self._io.read_u2le()
                elif _on == 2:
                    pass
                    self.content_size_raw = self._io.read_u4le()
                elif _on == 3:
                    pass
                    self.content_size_raw = self._io.read_u8le()
                self._debug['content_size_raw']['end'] = self._io.pos()



        def _fetch_instances(self):
            pass
            if (not (self.is_single_segment)):
                pass
                self.window._fetch_instances()

            if self.dictionary_id_flag != 0:
                pass
                _on = self.dictionary_id_flag
                if _on == 1:
                    pass
                elif _on == 2:
                    pass
                elif _on == 3:
                    pass

            if self.has_content_size:
                pass
                _on = self.content_size_flag
                if _on == 0:
                    pass
                elif _on == 1:
                    pass
                elif _on == 2:
                    pass
                elif _on == 3:
                    pass


        @property
        def content_size(self):
            """Size of the decompressed content in bytes."""
            if hasattr(self, '_m_content_size'):
                return self._m_content_size

            if self.has_content_size:
                pass
                self._m_content_size = (self.content_size_raw + 256 if self.content_size_flag == 1 else self.content_size_raw)

            return getattr(self, '_m_content_size', None)

        @property
        def has_content_size(self):
            if hasattr(self, '_m_has_content_size'):
                return self._m_has_content_size

            self._m_has_content_size =  ((self.content_size_flag != 0) or (self.is_single_segment))
            return getattr(self, '_m_has_content_size', None)

        @property
        def window_size(self):
            """Memory a decoder needs to keep, in bytes. At most 8 MiB in a replay."""
            if hasattr(self, '_m_window_size'):
                return self._m_window_size

            self._m_window_size = (self.content_size if self.is_single_segment else self.window.size)
            return getattr(self, '_m_window_size', None)


    class WindowDescriptor(KaitaiStruct):
        """The window size as a small floating-point number, in one byte.

        .. seealso::
           Window_Descriptor - https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1.2
        """
        SEQ_FIELDS = ["mantissa", "exponent"]
        def __init__(self, _io, _parent=None, _root=None):
            super(ZstdFrame.WindowDescriptor, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['mantissa']['start'] = self._io.pos()
            self.mantissa = self._io.read_bits_int_le(3)
            self._debug['mantissa']['end'] = self._io.pos()
            self._debug['exponent']['start'] = self._io.pos()
            self.exponent = self._io.read_bits_int_le(5)
            self._debug['exponent']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass

        @property
        def size(self):
            """Window size in bytes, `2 ** (10 + exponent)` and `mantissa` eighths of
            it. The shift is split in two because it may exceed 32 bits.
            """
            if hasattr(self, '_m_size'):
                return self._m_size

            self._m_size = ((128 * (8 + self.mantissa)) * (1 << self.exponent // 2)) * (1 << self.exponent - self.exponent // 2)
            return getattr(self, '_m_size', None)
