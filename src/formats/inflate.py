"""The only decompressors of the package: gzip, zlib and zstd, each with a bound on what may come out.

TAD's LZ77, which is no general codec, is a kernel (`ksreplay.kernels`) with the same kind of bound.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.errors import Corrupt, LimitExceeded, ReplayError, Truncated
from ksreplay.limits import Limits
from ksreplay.threads import ahead

_GZIP_MAGIC = b"\x1f\x8b"
_STEP = 1 << 20
_FEED = 1 << 18  #: input at a time
_LARGE = 1 << 20  #: files worth a second thread
_WORTH = 1 << 16  #: output worth handing over
_AHEAD = 8  #: pieces that it may be ahead
_SALVAGE_STEP = 1 << 10
_ROOM = 4  #: what most files inflate to, in times their size


def _decompressors() -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """isal where the extra ``fast`` is installed: the same streams in half the time."""
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib.decompressobj, (zlib.error,)
    return isal_zlib.decompressobj, (zlib.error, isal_zlib.error)


@dataclass(frozen=True, slots=True)
class Inflated:
    """What came out of a compressed stream.

    ``data``: the output, of `gunzip` a read-only memoryview; ``consumed``: input bytes used; ``members``: gzip members
    read; ``problem``: why the output may be incomplete, None where the stream was whole.
    """

    data: Any
    consumed: int
    members: int = 1
    problem: ReplayError | None = None

    @property
    def complete(self) -> bool:
        return self.problem is None


def output_bound(compressed: int, limits: Limits) -> int:
    """The most that ``compressed`` bytes may inflate to: the size limit, or past the floor the ratio limit."""
    return min(limits.inflated_bytes, max(limits.ratio_floor, compressed * limits.inflate_ratio))


def gunzip(
    data: bytes,
    limits: Limits,
    *,
    format: str = "",
    cap: int | None = None,
    follow: Callable[[NDArray[np.uint8], int], object] | None = None,
) -> Inflated:
    """All gzip members of ``data`` joined.

    Damage (a bad checksum, a cut member, bytes after the last member that are no member) ends the reading: what
    came out before it stands, with the ``problem``. Past the bound of `output_bound` it raises LimitExceeded;
    with ``cap`` it stops there quietly (for sniffing).

    ``follow(output, size)`` is told now and then how far the output has come, while another thread inflates on. What
    it has seen is final only where the result is `Inflated.complete`.
    """
    bound = output_bound(len(data), limits) if cap is None else cap
    members = _Members(data, bound, format)
    out = _Output(min(bound + 1, _ROOM * len(data)))
    followed = 0
    for at, piece in ahead(_joined(members), _AHEAD) if len(data) >= _LARGE else members:
        out.put(at, piece)
        if follow is not None and out.size - followed >= _FEED:
            followed = out.size
            follow(out.array, followed)
    if out.size > bound and cap is None:
        raise LimitExceeded(
            "the gzip stream inflates too far", code="inflated-bytes", format=format, where="gzip", expected=bound
        )
    content = out.content()
    return Inflated(content if cap is None else content[:cap], members.consumed, members.count, members.problem)


def _joined(pieces: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """The same output in pieces that are worth handing to another thread: a file may have a million tiny members."""
    start, size, held = 0, 0, list[bytes]()
    for at, piece in pieces:
        if size >= _WORTH or at != start + size:
            yield start, b"".join(held)
            start, size, held = at, 0, []
        held.append(piece)
        size += len(piece)
    yield start, b"".join(held)


class _Members:
    """The members of a gzip file, inflated piece by piece: (place in the output, bytes), up to a byte past ``bound``.

    A piece at a place before the end of the output takes the place of all that lies behind it. How many members there
    are, the input they use and what is wrong with them is known after the last piece.
    """

    def __init__(self, data: bytes, bound: int, format: str) -> None:
        self.data = data
        self.bound = bound
        self.format = format
        self.consumed = self.count = 0
        self.problem: ReplayError | None = None

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        make, errors = _decompressors()
        view, bound = memoryview(self.data), self.bound
        if not self.data:
            self.problem = self._truncated()
        size = 0
        while self.consumed < len(view) and self.problem is None:
            if bytes(view[self.consumed : self.consumed + 2]) != _GZIP_MAGIC:
                # Zero padding may follow the last member, as gzip itself allows.
                if not self.count or any(view[self.consumed :]):
                    rest = len(view) - self.consumed
                    self.problem = self._corrupt("bytes after the last gzip member", "gzip-trailing", rest)
                return
            before, fed = size, self.consumed
            stream = make(31)
            chunk: Any = b""
            try:
                while not stream.eof and size <= bound:
                    if not chunk:
                        chunk = view[fed : fed + _FEED]
                        fed += len(chunk)
                    # One byte beyond the bound tells a stream that ends there from one that goes on.
                    piece = stream.decompress(chunk, min(8 * _FEED, bound + 1 - size))
                    yield size, piece
                    size += len(piece)
                    chunk = stream.unconsumed_tail
                    if not piece and not chunk and not stream.eof and fed >= len(view):
                        self.problem = self._truncated()
                        break
            except errors as error:
                self.problem = self._corrupt(f"the gzip stream is damaged: {error}", "gzip-damaged")
                piece = _salvage(view[self.consumed :], 31, bound + 1 - before)
                yield before, piece
                size = before + len(piece)
            if size > bound:
                return
            if self.problem is None:
                self.count += 1
                self.consumed = fed - len(stream.unused_data)

    def _corrupt(self, message: str, code: str, found: int | None = None) -> Corrupt:
        return Corrupt(message, code=code, format=self.format, where="gzip", offset=self.consumed, found=found)

    def _truncated(self) -> Truncated:
        message = "the gzip stream is cut short" if self.data else "no gzip stream"
        return Truncated(message, code="gzip-truncated", format=self.format, where="gzip", offset=len(self.data))


class _Output:
    """Bytes that grow at their end.

    A numpy array, because the system backs large ones with large pages: a tenth of the time to touch them first. What
    is not written to costs no memory.
    """

    def __init__(self, room: int) -> None:
        self.array = np.empty(room, np.uint8)
        self.size = 0

    def put(self, at: int, piece: bytes) -> None:
        """Ends the output with ``piece`` at that place."""
        end = at + len(piece)
        if end > len(self.array):
            grown = np.empty(2 * end, np.uint8)
            grown[:at] = self.array[:at]
            self.array = grown
        self.array[at:end] = np.frombuffer(piece, np.uint8)
        self.size = end

    def content(self) -> memoryview:
        """The output, read-only; nothing can be put to it after it."""
        self.array.resize(self.size, refcheck=False)
        return self.array.data.toreadonly()


def inflate_partial(data: Any, cap: int, *, format: str = "", where: str = "", offset: int | None = None) -> Inflated:
    """One zlib stream, as far as it goes: damage and a cut end are a ``problem`` beside the output so far.

    One that gives more than ``cap`` bytes gives none, and the ``problem`` is a LimitExceeded. ``offset`` is where the
    stream lies in the file.
    """
    make, errors = _decompressors()
    stream = make(15)
    pieces: list[bytes] = []
    size = 0
    chunk: Any = data
    problem: ReplayError | None = None
    try:
        while not stream.eof:
            piece = stream.decompress(chunk, min(max(_STEP, len(chunk) * 4), cap + 1 - size))
            size += len(piece)
            pieces.append(piece)
            if size > cap:
                problem = LimitExceeded(
                    "the zlib stream inflates too far", code="inflated-bytes", format=format, where=where,
                    offset=offset, expected=cap,
                )  # fmt: skip
                return Inflated(b"", len(data), 1, problem)
            chunk = stream.unconsumed_tail
            if not piece and not chunk and not stream.eof:
                problem = Truncated(
                    "the zlib stream is cut short", code="zlib-truncated", format=format, where=where, offset=offset
                )
                break
    except errors as error:
        problem = Corrupt(
            f"the zlib stream is damaged: {error}", code="zlib-damaged", format=format, where=where, offset=offset
        )
        pieces = [_salvage(data, 15, cap)]
    consumed = len(data) - len(stream.unused_data) if stream.eof else len(data)
    return Inflated(pieces[0] if len(pieces) == 1 else b"".join(pieces), consumed, 1, problem)


class Blocks:
    """The compressed blocks of one kind inside a file: each held to ``nested_bytes``, together to ``ratio_floor``.

    Without the second bound a small file could repeat a bomb in every packet. Equal blocks are inflated once.
    """

    def __init__(self, limits: Limits, format: str) -> None:
        self.format = format
        self._cap, self._left = limits.nested_bytes, limits.ratio_floor
        self._whole: dict[bytes, Inflated] = {}

    def inflate(self, data: bytes, *, where: str = "", offset: int | None = None) -> Inflated:
        """`inflate_partial` of one block, whatever follows its stream."""
        if data in self._whole:
            return self._whole[data]
        cap = min(self._cap, self._left)
        result = inflate_partial(data, cap, format=self.format, where=where, offset=offset)
        self._left -= cap if isinstance(result.problem, LimitExceeded) else len(result.data)
        if result.complete:
            self._whole[data] = result
        return result


def _salvage(data: Any, wbits: int, bound: int) -> bytes:
    """What a damaged stream gives before its damage, at most ``bound`` bytes.

    A decompressor that meets an error keeps the output of that call to itself, so this feeds it in small steps, and
    byte by byte from a copy of its state in the step that fails.
    """
    stream = zlib.decompressobj(wbits)
    pieces: list[bytes] = []
    size = 0
    for start in range(0, len(data), _SALVAGE_STEP):
        step = bytes(data[start : start + _SALVAGE_STEP])
        saved = stream.copy()
        try:
            pieces.append(stream.decompress(step, bound - size) if size < bound else b"")
        except zlib.error:
            for position in range(len(step)):
                try:
                    pieces.append(saved.decompress(step[position : position + 1], bound - size))
                except zlib.error:
                    return b"".join(pieces)
                size += len(pieces[-1])
                if size >= bound:
                    return b"".join(pieces)
        size += len(pieces[-1])
        if size >= bound or stream.eof:
            break
    return b"".join(pieces)


def inflate(data: Any, cap: int, *, format: str = "", where: str = "", offset: int | None = None) -> bytes:
    """One whole zlib stream of at most ``cap`` bytes, which nothing may follow.

    Raises Corrupt, Truncated or LimitExceeded.
    """
    result = inflate_partial(data, cap, format=format, where=where, offset=offset)
    if result.problem is not None:
        try:
            raise result.problem
        finally:
            del result  # its problem refers to this frame: the output would stay until cycles are collected
    if result.consumed != len(data):
        raise Corrupt(
            "bytes after the end of the zlib stream", code="zlib-trailing", format=format, where=where,
            offset=None if offset is None else offset + result.consumed, found=len(data) - result.consumed, expected=0,
        )  # fmt: skip
    content: bytes = result.data
    return content


def unzstd(data: bytes, cap: int, window_cap: int, *, format: str = "", where: str = "zstd") -> bytes:
    """The content of exactly one zstd frame, of at most ``cap`` bytes and with a window of at most ``window_cap``.

    Everything is checked before memory is asked for: zstandard itself ignores its output limit where the frame
    states a size, and skips what follows the first frame. Raises Corrupt, Truncated or LimitExceeded.
    """
    import zstandard

    try:
        parameters = zstandard.get_frame_parameters(data)
    except zstandard.ZstdError as error:
        kind = Truncated if len(data) < 18 else Corrupt
        raise kind(
            f"no zstd frame header: {error}", code="zstd-header", format=format, where=where, offset=0
        ) from error
    if data[:4] != b"\x28\xb5\x2f\xfd":
        raise Corrupt(
            "not a standard zstd frame (a skippable or legacy one)", code="zstd-magic", format=format, where=where,
            offset=0, found=data[:4], expected="28b52ffd",
        )  # fmt: skip
    if parameters.window_size > window_cap:
        raise LimitExceeded(
            "the zstd frame asks for too large a window", code="zstd-window", format=format, where=where, offset=4,
            found=parameters.window_size, expected=window_cap,
        )  # fmt: skip
    stated = parameters.content_size
    if stated not in (zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR) and stated > cap:
        raise LimitExceeded(
            "the zstd frame states too large a content", code="zstd-content-size", format=format, where=where,
            offset=4, found=stated, expected=cap,
        )  # fmt: skip
    # The least power of two that admits the window: the library wants one, and the exact bound is checked above.
    decompressor = zstandard.ZstdDecompressor(max_window_size=max(1024, 1 << (window_cap - 1).bit_length()))
    if stated not in (zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR):
        # What a sound frame gives is known to be within the cap: at once takes a quarter of the time. A frame that is
        # not sound goes on below, where what is wrong and where is found out.
        try:
            return decompressor.decompress(data, max_output_size=cap, allow_extra_data=False)
        except zstandard.ZstdError:
            pass
    stream = decompressor.decompressobj(write_size=min(_STEP, cap + 1))
    pieces: list[bytes] = []
    size = 0
    view = memoryview(data)
    try:
        # Fed in pieces: each piece can inflate to at most its own share before the running cap is looked at.
        for start in range(0, len(data), _ZSTD_FEED):
            piece = stream.decompress(view[start : start + _ZSTD_FEED])
            size += len(piece)
            pieces.append(piece)
            if size > cap:
                raise LimitExceeded(
                    "the zstd frame inflates too far", code="zstd-content-size", format=format, where=where,
                    expected=cap,
                )  # fmt: skip
            if stream.eof:
                left = len(stream.unused_data) + max(0, len(data) - start - _ZSTD_FEED)
                if left:
                    raise Corrupt(
                        "bytes after the zstd frame", code="zstd-trailing", format=format, where=where,
                        offset=len(data) - left, found=left, expected=0,
                    )  # fmt: skip
                return b"".join(pieces)
    except zstandard.ZstdError as error:
        raise Corrupt(f"the zstd frame is damaged: {error}", code="zstd-damaged", format=format, where=where) from error
    raise Truncated("the zstd frame is cut short", code="zstd-truncated", format=format, where=where, offset=len(data))


#: A zstd block of 4 input bytes can give 128 KiB (RLE), so the feed bounds what one step may add: 8 KiB -> 256 MiB
#: in theory; 1 KiB keeps a step under 32 MiB.
_ZSTD_FEED = 1024
