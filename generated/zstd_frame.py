# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum


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
    checksum = None
    def __init__(self, _io, _parent=None, _root=None):
        super(ZstdFrame, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        self.magic = self._io.read_bytes(4)
        if not self.magic == b"\x28\xB5\x2F\xFD":
            raise kaitaistruct.ValidationNotEqualError(b"\x28\xB5\x2F\xFD", self.magic, self._io, u"/seq/0")
        self.header = ZstdFrame.FrameHeader(self._io, self, self._root)
        self.blocks = []
        i = 0
        while True:
            _ = ZstdFrame.Block(self._io, self, self._root)
            self.blocks.append(_)
            if _.header.is_last:
                break
            i += 1
        if self.header.has_checksum:
            pass
            self.checksum = self._io.read_u4le()



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
        def __init__(self, _io, _parent=None, _root=None):
            super(ZstdFrame.Block, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.header = ZstdFrame.BlockHeader(self._io, self, self._root)
            self.body = self._io.read_bytes((1 if self.header.kind == ZstdFrame.BlockKind.rle else self.header.len_block))


        def _fetch_instances(self):
            pass
            self.header._fetch_instances()


    class BlockHeader(KaitaiStruct):
        """Three bytes, read from the lowest bit: whether it is the last block, its
        kind and its size.

        .. seealso::
           Blocks - https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.2
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(ZstdFrame.BlockHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_last = self._io.read_bits_int_le(1) != 0
            self.kind = KaitaiStream.resolve_enum(ZstdFrame.BlockKind, self._io.read_bits_int_le(2))
            self.len_block = self._io.read_bits_int_le(21)


        def _fetch_instances(self):
            pass


    class FrameHeader(KaitaiStruct):
        """Descriptor byte and the fields whose presence and width it states.

        .. seealso::
           Frame_Header - https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1
        """
        window = None
        dictionary_id = None
        content_size_raw = None
        def __init__(self, _io, _parent=None, _root=None):
            super(ZstdFrame.FrameHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.dictionary_id_flag = self._io.read_bits_int_le(2)
            self.has_checksum = self._io.read_bits_int_le(1) != 0
            self.reserved = self._io.read_bits_int_le(1) != 0
            self.unused = self._io.read_bits_int_le(1) != 0
            self.is_single_segment = self._io.read_bits_int_le(1) != 0
            self.content_size_flag = self._io.read_bits_int_le(2)
            if (not (self.is_single_segment)):
                pass
                self.window = ZstdFrame.WindowDescriptor(self._io, self, self._root)

            if self.dictionary_id_flag != 0:
                pass
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

            if self.has_content_size:
                pass
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
        def __init__(self, _io, _parent=None, _root=None):
            super(ZstdFrame.WindowDescriptor, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.mantissa = self._io.read_bits_int_le(3)
            self.exponent = self._io.read_bits_int_le(5)


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
