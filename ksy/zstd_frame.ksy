meta:
  id: zstd_frame
  title: Zstandard frame
  application: Crimsonland replays (.crd)
  file-extension:
    - crd
    - zst
  xref:
    justsolve: Zstandard
    rfc: 8878
  tags:
    - compressed
  license: CC0-1.0
  ks-version: "0.11"
  endian: le
  bit-endian: le
doc: |
  One Zstandard frame: magic, frame header, blocks, optional checksum. It is
  the envelope of a Crimsonland replay: a `.crd` file is exactly one such
  frame, whose content is a msgpack payload (see `msgpack`).

  What a replay may ask for is narrower than what the frame can say: a window
  of at most 8 MiB, at most 64 MiB of content, no dictionary, nothing after
  the frame. Those limits are checked by the reader, not here, so that a frame
  which breaks one can still be looked at.

  The compressed blocks are kept as bytes: entropy coding is beyond this
  language. `ksreplay unwrap` writes the content.
doc-ref:
  - https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1 Zstandard frames
  - seed 001, "Envelope"
seq:
  - id: magic
    contents: [0x28, 0xb5, 0x2f, 0xfd]
  - id: header
    type: frame_header
  - id: blocks
    type: block
    repeat: until
    repeat-until: _.header.is_last
  - id: checksum
    type: u4
    if: header.has_checksum
    doc: Low 32 bits of the XXH64 hash of the content. Real writers leave it out.
types:
  frame_header:
    doc: |
      Descriptor byte and the fields whose presence and width it states.
    doc-ref: https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1 Frame_Header
    seq:
      - id: dictionary_id_flag
        type: b2
        doc: Width of `dictionary_id`, 0, 1, 2 or 4 bytes.
      - id: has_checksum
        type: b1
      - id: reserved
        type: b1
        doc: Must be 0.
      - id: unused
        type: b1
        doc: Ignored by decoders.
      - id: is_single_segment
        type: b1
        doc: The content is one piece of memory; the window is the content size.
      - id: content_size_flag
        type: b2
        doc: Width of the content size, 0 or 1, 2, 4 or 8 bytes.
      - id: window
        type: window_descriptor
        if: not is_single_segment
        doc: How much memory a decoder needs to keep.
      - id: dictionary_id
        type:
          switch-on: dictionary_id_flag
          cases:
            1: u1
            2: u2
            3: u4
        if: dictionary_id_flag != 0
        doc: The dictionary the content needs. A replay has none.
      - id: content_size_raw
        type:
          switch-on: content_size_flag
          cases:
            0: u1
            1: u2
            2: u4
            3: u8
        if: has_content_size
        doc: The size of the content as stored; the two-byte form counts from 256.
    instances:
      has_content_size:
        value: content_size_flag != 0 or is_single_segment
      content_size:
        value: 'content_size_flag == 1 ? content_size_raw + 256 : content_size_raw'
        if: has_content_size
        doc: Size of the decompressed content in bytes.
      window_size:
        value: 'is_single_segment ? content_size : window.size'
        doc: Memory a decoder needs to keep, in bytes. At most 8 MiB in a replay.
  window_descriptor:
    doc: |
      The window size as a small floating-point number, in one byte.
    doc-ref: https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1.2 Window_Descriptor
    seq:
      - id: mantissa
        type: b3
        doc: Eighths that are added to the power of two.
      - id: exponent
        type: b5
        doc: The power of two, counted from 10.
    instances:
      size:
        value: 128 * (8 + mantissa) * (1 << (exponent / 2)) * (1 << (exponent - exponent / 2))
        doc: |
          Window size in bytes, `2 ** (10 + exponent)` and `mantissa` eighths of
          it. The shift is split in two because it may exceed 32 bits.
  block:
    doc: |
      A piece of at most 128 KiB of the content.
    doc-ref: https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.2 Blocks
    seq:
      - id: header
        type: block_header
      - id: body
        size: 'header.kind == block_kind::rle ? 1 : header.len_block'
        doc: |
          Stored bytes, the one byte that is repeated, or entropy coded data.
  block_header:
    doc: |
      Three bytes, read from the lowest bit: whether it is the last block, its
      kind and its size.
    doc-ref: https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.2 Blocks
    seq:
      - id: is_last
        type: b1
      - id: kind
        type: b2
        enum: block_kind
      - id: len_block
        type: b21
        doc: Size of the body, for `rle` the number of repetitions of its one byte.
enums:
  block_kind:
    0:
      id: raw
      doc: The body is the content.
    1:
      id: rle
      doc: The body is one byte, repeated.
    2:
      id: compressed
      doc: The body is entropy coded.
    3:
      id: reserved
      doc: Not a block. Decoders refuse it.
