"""Columns that are no plain numpy array: strings, bytes and lists as offsets + values, or as codes into entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ksreplay.threads import share

_ALIGN = 64  # bytes of a cache line
#: Rows longer than this on average are copied slice by slice, shorter ones by one index array.
_SLICE_BYTES = 48
#: How many bytes one index array may address, so that gathering costs a bounded multiple of its result.
_GATHER_BYTES = 1 << 20


def view(data: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """``data`` as records of ``dtype`` that begin at every byte: index it with offsets, without a copy of the rest."""
    count = max(0, len(data) - dtype.itemsize + 1)
    return np.ndarray((count,), dtype, data if count else b"\0" * dtype.itemsize, 0, (1,))


def offsets_of(lengths: NDArray[Any], dtype: Any = np.int64) -> NDArray[Any]:
    """Offsets (n + 1) of values that lie behind each other with these lengths (n)."""
    offsets = np.zeros(len(lengths) + 1, dtype)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def running_sums(values: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """The sum of ``values`` up to and with each of them, as whole numbers of 32 or 64 bits; every other item in memory.

    numpy (2.4 at least) adds up five times as fast where a sum does not lie right behind the one before it, for then it
    keeps that in a register instead of reading it back.
    """
    return np.add.accumulate(values, dtype=dtype, out=np.empty((len(values), 2), dtype)[:, 0])


def arrays(*shapes: tuple[int, Any]) -> list[NDArray[Any]]:
    """Arrays of these (length, dtype) without values, in one allocation: from 4 MB on its memory comes in large pages,
    which cost a fraction of what small ones do."""
    sizes = [length * np.dtype(dtype).itemsize for length, dtype in shapes]
    places = [sum(-(-size // _ALIGN) * _ALIGN for size in sizes[:number]) for number in range(len(sizes))]
    block = np.empty(places[-1] + sizes[-1], np.uint8)
    return [block[at : at + size].view(dtype) for at, size, (_, dtype) in zip(places, sizes, shapes, strict=True)]


def empties(count: int, *dtypes: Any) -> list[NDArray[Any]]:
    """Arrays of ``count`` each without values, in one allocation; see `arrays`."""
    return arrays(*((count, dtype) for dtype in dtypes))


def taken(columns: Sequence[NDArray[Any]], rows: NDArray[np.intp]) -> list[NDArray[Any]]:
    """``column[rows]`` of many columns, whose rows are all there."""
    results = empties(len(rows), *(column.dtype for column in columns))

    def take(low: int, high: int) -> None:
        for column, result in zip(columns[low:high], results[low:high], strict=True):
            column.take(rows, out=result, mode="clip")  # numpy would copy `out` to check the rows

    share(take, len(columns), 2 if len(rows) > 1 << 15 else len(columns))
    return results


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """The values in ascending order, each once. ``np.unique`` would import numpy's masked arrays first: 30 ms."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def looked_up(values: NDArray[np.uint8], table: NDArray[Any]) -> NDArray[Any]:
    """``table[values]`` for a table of 256: numpy would first make eight bytes of each value."""
    if table.itemsize > 1:
        return table.take(values)
    return np.frombuffer(bytearray(values.tobytes().translate(table.tobytes())), table.dtype)


def spans_index(starts: NDArray[Any], lengths: NDArray[Any]) -> NDArray[np.int64]:
    """The positions of all elements of the spans, one after another: int64, sum(lengths)."""
    offsets = offsets_of(lengths)
    return np.repeat(np.asarray(starts, np.int64) - offsets[:-1], lengths) + np.arange(offsets[-1], dtype=np.int64)


def gather_bytes(
    buffer: Any, starts: NDArray[Any], lengths: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Copies spans of ``buffer`` behind each other: (offsets int64 n + 1, data uint8)."""
    source = np.frombuffer(buffer, np.uint8)
    lengths = np.asarray(lengths, np.int64)
    starts = np.asarray(starts, np.int64)
    offsets = offsets_of(lengths)
    total = int(offsets[-1])
    if total > _SLICE_BYTES * len(lengths):
        view = memoryview(buffer)
        joined = b"".join(view[a : a + n] for a, n in zip(starts.tolist(), lengths.tolist(), strict=True))
        return offsets, np.frombuffer(joined, np.uint8)
    data = np.empty(total, np.uint8)
    row = 0
    while row < len(lengths):
        end = max(row + 1, int(np.searchsorted(offsets, offsets[row] + _GATHER_BYTES, "right")) - 1)
        data[offsets[row] : offsets[end]] = source[spans_index(starts[row:end], lengths[row:end])]
        row = end
    return offsets, data


class Derived:
    """A numpy column that follows from others value by value: ``make(source, *others)``, made whenever it is asked for.

    Seconds of ticks, degrees of an angle's word, world units of a fixed point number: what is kept is the narrow
    array, which other columns mostly hold anyway.
    """

    def __init__(self, source: NDArray[Any], make: Callable[..., NDArray[Any]], *others: NDArray[Any]) -> None:
        self.source = source
        self.make = make
        self.others = others

    def __len__(self) -> int:
        return len(self.source)

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.take(slice(0)).array().dtype

    @property
    def nbytes(self) -> int:
        return self.source.nbytes + sum(other.nbytes for other in self.others)

    def take(self, rows: Any) -> Self:
        """The rows of an index array, a boolean mask or a slice."""
        return type(self)(self.source[rows], self.make, *(other[rows] for other in self.others))

    def array(self) -> NDArray[Any]:
        return self.make(self.source, *self.others)


class Sparse(Derived):
    """A numpy column that is ``fill`` but for some rows, ascending: only these rows' values are kept."""

    def __init__(self, length: int, fill: Any, rows: NDArray[Any], values: NDArray[Any]) -> None:
        super().__init__(values, self._spread, rows)
        self.length = length
        self.fill = fill

    def __len__(self) -> int:
        return self.length

    def take(self, rows: Any) -> Any:
        """The rows of an index array, a boolean mask or a slice: a plain array."""
        return self.array()[rows]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.source.dtype

    def _spread(self, values: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
        spread = np.full(self.length, self.fill, values.dtype) if self.fill else np.zeros(self.length, values.dtype)
        spread[rows] = values
        return spread


class Ragged:
    """n rows of different length: ``offsets`` (int64 or int32, n + 1) into ``values``.

    With ``codes`` (int8 to int32, n; -1 = null) the rows are codes into the len(offsets) - 1 entries instead, so that a
    million rows of sixteen player names cost a million codes. ``valid`` (bool, n) is None where nothing is null.
    """

    offsets: NDArray[Any]
    values: Any
    codes: NDArray[Any] | None
    valid: NDArray[np.bool_] | None

    def __init__(
        self,
        offsets: NDArray[Any],
        values: Any,
        *,
        codes: NDArray[Any] | None = None,
        valid: NDArray[np.bool_] | None = None,
    ) -> None:
        self.offsets = offsets if offsets.dtype == np.int32 else np.asarray(offsets, np.int64)
        self.values = values
        if codes is not None and codes.dtype not in (np.int8, np.int16):
            codes = np.asarray(codes, np.int32)
        self.codes = codes
        self.valid = valid
        if self.codes is not None and valid is None and len(self.codes) and int(self.codes.min()) < 0:
            self.valid = self.codes >= 0

    def __len__(self) -> int:
        return len(self.offsets) - 1 if self.codes is None else len(self.codes)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each row begins in ``values``: int64, n."""
        starts = self.offsets[:-1]
        if self.codes is None:
            return starts
        return starts[np.maximum(self.codes, 0)] if len(starts) else np.zeros(len(self.codes), np.int64)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many values each row has: int64, n; 0 where null."""
        lengths = np.diff(self.offsets)
        if self.codes is None:
            return lengths
        if not len(lengths):
            return np.zeros(len(self.codes), np.int64)
        return np.where(self.codes >= 0, lengths[np.maximum(self.codes, 0)], 0)

    @property
    def nbytes(self) -> int:
        return int(self.values.nbytes) + self.offsets.nbytes + (0 if self.codes is None else self.codes.nbytes)

    def take(self, rows: Any) -> Self:
        """The rows of an index array, a boolean mask or a slice."""
        valid = None if self.valid is None else self.valid[rows]
        if self.codes is not None:
            codes = self.codes[rows]
            if len(self.offsets) - 1 <= max(len(codes), 1024):
                return type(self)(self.offsets, self.values, codes=codes, valid=valid)
            # A few rows of many entries: only what they use.
            picked = type(self)(self.offsets, self.values, codes=codes)
            return type(self)(*picked.flat(), valid=picked.valid if valid is None else valid)
        if isinstance(rows, slice) and (rows.step or 1) == 1:
            first, last, _ = rows.indices(len(self))
            return type(self)(self.offsets[first : max(first, last) + 1], self.values, valid=valid)
        offsets, values = self._gather(self.starts[rows], self.lengths[rows])
        return type(self)(offsets, values, valid=valid)

    def flat(self) -> tuple[NDArray[np.int64], Any]:
        """The rows without codes, offsets from 0, exactly the values they use: (offsets, values)."""
        if self.codes is None:
            first, last = int(self.offsets[0]), int(self.offsets[-1])
            values = (
                self.values.take(slice(first, last)) if isinstance(self.values, Ragged) else self.values[first:last]
            )
            return self.offsets - first, values
        return self._gather(self.starts, self.lengths)

    def _gather(self, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> tuple[NDArray[np.int64], Any]:
        index = spans_index(starts, lengths)
        values = self.values.take(index) if isinstance(self.values, Ragged) else self.values[index]
        return offsets_of(lengths), values

    def to_objects(self) -> NDArray[np.object_]:
        """One Python object a row, None where null: for looking at, not for hot paths."""
        result = np.empty(len(self), object)
        if self.codes is not None and len(self.offsets) - 1 <= len(self.codes):
            entries = type(self)(self.offsets, self.values).to_objects()
            shared = [*entries, None]
            result[:] = [shared[code] if code >= 0 else None for code in self.codes.tolist()]
        else:
            for row, (start, length) in enumerate(zip(self.starts.tolist(), self.lengths.tolist(), strict=True)):
                result[row] = self._object(start, start + length)
        if self.valid is not None:
            result[~self.valid] = None
        return result

    def _object(self, start: int, end: int) -> Any:
        raise NotImplementedError


T = TypeVar("T", str, bytes)


def _filled(rows: Iterable[T | None], empty: T) -> tuple[list[T], NDArray[np.bool_] | None]:
    """The rows with ``empty`` in place of nulls, and where there is a value; None where everywhere."""
    listed = list(rows)
    if None not in listed:
        return listed, None  # type: ignore[return-value]
    return [empty if row is None else row for row in listed], np.array([row is not None for row in listed], bool)


def _lengths(rows: Sequence[str] | Sequence[bytes]) -> NDArray[np.int64]:
    return np.fromiter(map(len, rows), np.int64, len(rows))


class _Bytes(Ragged):
    values: NDArray[np.uint8]

    def _gather(self, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> tuple[NDArray[np.int64], Any]:
        return gather_bytes(self.values, starts, lengths)


class Binary(_Bytes):
    """Rows of bytes."""

    @classmethod
    def from_list(cls, rows: Iterable[bytes | None]) -> Self:
        filled, valid = _filled(rows, b"")
        return cls(offsets_of(_lengths(filled)), np.frombuffer(b"".join(filled), np.uint8), valid=valid)

    @classmethod
    def from_spans(cls, buffer: Any, starts: NDArray[Any], lengths: NDArray[Any]) -> Self:
        """Copies of spans of ``buffer`` (the caller has checked that they lie inside)."""
        return cls(*gather_bytes(buffer, starts, lengths))

    def _object(self, start: int, end: int) -> bytes:
        return self.values[start:end].tobytes()


class Spans(Binary):
    """Rows of bytes that are spans of ``buffer``, wherever they lie in it (the caller has checked that they do).

    A million small ones of a large buffer cost their places only, until `flat` is asked for.
    """

    def __init__(
        self, buffer: Any, starts: NDArray[Any], lengths: NDArray[Any], valid: NDArray[np.bool_] | None = None
    ) -> None:
        self.values = np.frombuffer(buffer, np.uint8)
        self.codes = None
        self.valid = valid
        self._starts = starts
        self._lengths = lengths

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def starts(self) -> NDArray[Any]:
        return self._starts

    @property
    def lengths(self) -> NDArray[Any]:
        return self._lengths

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + self._starts.nbytes + self._lengths.nbytes

    def take(self, rows: Any) -> Self:
        valid = None if self.valid is None else self.valid[rows]
        return type(self)(self.values, self._starts[rows], self._lengths[rows], valid)

    def flat(self) -> tuple[NDArray[np.int64], Any]:
        return self._gather(self._starts, self._lengths)


class Strings(_Bytes):
    """Rows of text, UTF-8 inside."""

    @classmethod
    def from_list(cls, rows: Iterable[str | None]) -> Self:
        filled, valid = _filled(rows, "")
        text = "".join(filled)
        data = text.encode("utf-8", "replace")
        # Encoded as a whole; as many bytes as characters are one each.
        lengths = _lengths(filled if len(data) == len(text) else [row.encode("utf-8", "replace") for row in filled])
        return cls(offsets_of(lengths), np.frombuffer(data, np.uint8), valid=valid)

    @classmethod
    def from_codes(cls, codes: NDArray[Any], entries: Sequence[str] | Strings) -> Self:
        """Row i is ``entries[codes[i]]``, null where the code is negative or past the entries.

        Entries that several columns share are best made `Strings` once; they have neither codes nor nulls.
        """
        codes = np.asarray(codes)
        texts = entries if isinstance(entries, Strings) else cls.from_list(entries)
        if len(codes) and (codes.min() < -1 or codes.max() >= len(entries)):
            codes = codes.astype(np.int64) if codes.dtype.kind == "u" else codes
            codes = np.where((codes >= 0) & (codes < len(entries)), codes, -1)
        # The fewer bytes a code takes, the less a million rows cost.
        small = np.int8 if len(entries) <= 127 else np.int16 if len(entries) <= 32767 else np.int32
        return cls(texts.offsets, texts.values, codes=codes.astype(small, copy=False))

    @classmethod
    def constant(cls, text: str, length: int) -> Self:
        """The same text in every row."""
        return cls.from_codes(np.zeros(length, np.int32), [text])

    @classmethod
    def from_spans(cls, buffer: Any, starts: NDArray[Any], lengths: NDArray[Any], encoding: str = "utf-8") -> Self:
        """Spans of ``buffer`` as text; bytes that ``encoding`` cannot read become U+FFFD."""
        texts = cls(*gather_bytes(buffer, starts, lengths))
        high = np.flatnonzero(texts.values >= 0x80)
        if not len(high):
            return texts
        # Only the few rows that are not ASCII are decoded one by one.
        rows = distinct(np.searchsorted(texts.offsets, high, "right") - 1)
        lengths = np.diff(texts.offsets)
        raw = texts.values.tobytes()
        pieces: list[bytes] = []
        done = 0
        for row in rows.tolist():
            start, end = int(texts.offsets[row]), int(texts.offsets[row + 1])
            text = raw[start:end].decode(encoding, "replace").encode("utf-8", "replace")
            pieces += (raw[done:start], text)
            lengths[row] = len(text)
            done = end
        pieces.append(raw[done:])
        return cls(offsets_of(lengths), np.frombuffer(b"".join(pieces), np.uint8))

    def to_objects(self) -> NDArray[np.object_]:
        if self.codes is not None or len(self) < 2:
            return super().to_objects()
        # Decoded once as a whole; offsets of bytes become offsets of characters by counting the bytes that begin one.
        first, last = int(self.offsets[0]), int(self.offsets[-1])
        data = self.values[first:last]
        offsets = self.offsets - first
        text = data.tobytes().decode("utf-8", "replace")
        if len(text) != len(data):
            begins = offsets_of((data & 0xC0) != 0x80)
            if len(text) != begins[-1]:
                return super().to_objects()
            offsets = begins[offsets]
        places = offsets.tolist()
        result = np.empty(len(self), object)
        result[:] = [text[a:b] for a, b in pairwise(places)]
        if self.valid is not None:
            result[~self.valid] = None
        return result

    def _object(self, start: int, end: int) -> str:
        return self.values[start:end].tobytes().decode("utf-8", "replace")


class Lists(Ragged):
    """Rows of numbers or of strings: ``values`` is a numpy array or `Strings`."""

    @classmethod
    def from_lists(cls, rows: Iterable[Sequence[Any] | None], dtype: str) -> Self:
        """For small tables; ``dtype`` is a numpy dtype or "string"."""
        rows = list(rows)
        valid = np.array([row is not None for row in rows], bool)
        flat = [item for row in rows if row is not None for item in row]
        values: Any = Strings.from_list(flat) if dtype == "string" else np.array(flat, dtype)
        lengths = np.array([0 if row is None else len(row) for row in rows], np.int64)
        return cls(offsets_of(lengths), values, valid=None if valid.all() else valid)

    def to_objects(self) -> NDArray[np.object_]:
        if self.codes is not None or not isinstance(self.values, Ragged):
            return super().to_objects()
        offsets, values = self.flat()
        items, places = values.to_objects().tolist(), offsets.tolist()
        result = np.empty(len(self), object)
        for row in range(len(self)):
            result[row] = items[places[row] : places[row + 1]]
        if self.valid is not None:
            result[~self.valid] = None
        return result

    def _object(self, start: int, end: int) -> Any:
        if isinstance(self.values, Ragged):
            return self.values.take(slice(start, end)).to_objects().tolist()
        return self.values[start:end]
