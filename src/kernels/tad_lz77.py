"""LZ77 of Total Annihilation packets: the loops over bytes.

Plain Python that the optional Cython build compiles as it is (types in `tad_lz77.pxd`). Buffers are anything that
indexes to integers: `bytes`, `bytearray` and memoryviews for plain Python, numpy arrays for the compiled build.

The coding (seed 004, 5; fact sheet tad-format, 3): a control byte, least significant bit first; 0 is a literal, 1 a
word `a << 4 | n`: copy `n + 2` bytes from output position `a`, which is absolute and counts from 1; `a` 0 ends.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython

# what happened while a record was inflated, as bits of its status
AFTER_END = 1  # bytes behind the terminator (every real wire frame has one)
NO_END = 2  # input ended between two blocks, without a terminator
CUT = 4  # input ended inside a block
HALF_WORD = 8  # input ended inside a word
BEYOND = 16  # a reference past the output so far
FULL = 32  # output reached its cap
STOPPED = 64  # a reference past the output, and the caller asked to stop there


def unpack(
    data: Any,
    starts: Any,
    ends: Any,
    packed: Any,
    first: int,
    last: int,
    out: Any,
    position: int,
    cap: int,
    zero_fill: bool,
    out_starts: Any,
    out_ends: Any,
    status: Any,
) -> int:
    """Payloads `first` to `last - 1`, each `data[starts[i]:ends[i]]`, one behind the other into `out` from `position`.

    One with `packed[i]` is inflated to at most `cap` bytes, another copied. A word of two bytes gives at most 17, so n
    bytes give at most 8 n. Fills `out_starts`, `out_ends` and
    `status` (bits above) of each. Returns the number of the first payload that might not fit into `out` any more, or
    `last`.
    """
    # C integers for the loop, which does without the interpreter
    after_end, no_end, cut, half_word = AFTER_END, NO_END, CUT, HALF_WORD
    beyond_output, full, stopped = BEYOND, FULL, STOPPED
    with cython.nogil:
        room = len(out)
        for i in range(first, last):
            read = starts[i]
            end = ends[i]
            base = position
            write = base
            limit = base + (min(8 * (end - read) + 16, cap) if packed[i] else end - read)
            if limit > room:
                return i
            flags = 0
            done = False
            if not packed[i]:
                for k in range(end - read):
                    out[write + k] = data[read + k]
                write = limit
                done = True
            while not done:
                if read >= end:
                    flags |= no_end
                    break
                control = data[read]
                read += 1
                if control == 0 and end - read >= 8 and limit - write >= 8:
                    for k in range(8):
                        out[write + k] = data[read + k]
                    read += 8
                    write += 8
                    continue
                for bit in range(8):
                    if not (control >> bit) & 1:
                        if read >= end:
                            flags |= cut
                            done = True
                            break
                        if write >= limit:
                            flags |= full
                            done = True
                            break
                        out[write] = data[read]
                        read += 1
                        write += 1
                        continue
                    if end - read < 2:
                        flags |= half_word if read < end else cut
                        done = True
                        break
                    low = data[read]
                    source = data[read + 1] << 4 | low >> 4
                    read += 2
                    if source == 0:
                        if read < end:
                            flags |= after_end
                        done = True
                        break
                    count = (low & 15) + 2
                    source += base - 1
                    beyond = source >= write
                    if beyond:
                        flags |= beyond_output
                        if not zero_fill:
                            flags |= stopped
                            done = True
                            break
                    if write + count > limit:
                        count = limit - write
                        flags |= full
                        done = True
                    for k in range(count):
                        out[write + k] = 0 if beyond else out[source + k]
                    write += count
                    if done:
                        break
            out_starts[i] = base
            out_ends[i] = write
            status[i] = flags
            position = write
        return last


def deflate_recorder(data: Any, out: Any) -> int:
    """Compress `data` the way the TA Demo Recorder does; returns the number of bytes written to `out`.

    `out` needs `len(data) * 9 // 8 + 8` bytes. The recorder's habits (fact sheet tad-format, 3): the first two bytes
    and those from index 1997 on are literals; the earliest longest match that ends before the cursor and does not
    touch the last byte, the search stops once it is longer than 17; a run of the byte before wins if it is longer; at
    least 3. The stored length is `(length - 2) & 15`, of a match of any length: one of 18 is stored as 2 bytes, one of
    55 as 7, and the cursor moves by what is stored.
    """
    size = len(data)
    write = 0
    read = 0
    control_at = 0
    control = 0
    bit = 8
    while read < size:
        if bit == 8:
            control_at = write
            write += 1
            control = 0
            bit = 0
        best = 0
        best_at = 0
        if read >= 2 and read < 1997:
            at = 0
            while at < read:
                length = 0
                while at + length < read and read + length < size - 1 and data[at + length] == data[read + length]:
                    length += 1
                if length > best:
                    best = length
                    best_at = at
                    if best > 17:
                        break
                at += 1
            run = 0
            before = data[read - 1]
            while read + run < size - 1 and data[read + run] == before:
                run += 1
            if run > best:
                best = run
                best_at = read - 1
        if best >= 3:
            stored = (best - 2) & 15
            word = (best_at + 1) << 4 | stored
            out[write] = word & 255
            out[write + 1] = word >> 8
            write += 2
            control |= 1 << bit
            read += stored + 2
        else:
            out[write] = data[read]
            write += 1
            read += 1
        bit += 1
        if bit == 8:
            out[control_at] = control
    if bit == 8:
        control_at = write
        write += 1
        control = 0
        bit = 0
    while bit < 8:
        control |= 1 << bit
        bit += 1
    out[control_at] = control
    out[write] = 0
    out[write + 1] = 0
    return write + 2
