"""The messages of a Spring demo stream in bulk: which layout a file's engine wrote, and all messages of a kind at once.

Layouts: ksy/spring_packet.ksy through its generated dtypes and walk table. A message that does not fit its layout
exactly is malformed: it is counted and costs only itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.errors import Problems
from ksreplay.formats import spring_rules as rules
from ksreplay.formats.spring import CURRENT, Data, Packets, Stream, gather
from ksreplay.formats.spring_entries import OrderLists, read_lists
from ksreplay.generated.dtypes import spring_packet as layouts
from ksreplay.generated.walks.spring_packet import WALK

#: Message names by id and ids by name, as the engine spells them; id 31 is MAPDRAW_OLD.
NAMES: dict[int, str] = {message.id: message.name for message in WALK.values()}
IDS: dict[str, int] = {name: number for number, name in NAMES.items()}


def message_name(number: int) -> str:
    """The engine's name of a message id, ``ID_<n>`` where there is none."""
    return NAMES.get(number, f"ID_{number}")


Check = Callable[[Stream, NDArray[Any], NDArray[Any], NDArray[np.void]], NDArray[np.bool_]]


@dataclass(frozen=True)
class Layout:
    """One layout of a message's body (what follows the id byte).

    ``fields``: dtype of its leading fixed fields, None where there are none; ``size``: the whole message's size where
    it is fixed; ``check(stream, offset, size, records)``: which messages fit, beyond their size field; ``until``: the
    first engine that is known not to write it any more, 0 where none is.
    """

    name: str
    fields: np.dtype[np.void] | None = None
    size: int | None = None
    check: Check | None = None
    until: int = 0

    @property
    def least(self) -> int:
        """Bytes of the id and the leading fields."""
        return 1 + (self.fields.itemsize if self.fields is not None else 0)


def _texts(count: int, tail: int = 0) -> Check:
    """``count`` NUL-terminated strings fill the message after its fixed fields, but for ``tail`` bytes."""

    def check(stream: Stream, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]) -> NDArray[np.bool_]:
        start = offset + 1 + records.dtype.itemsize
        length = size - (1 + records.dtype.itemsize + tail)
        ends = nul_counts(stream.data, start, length)
        fits: NDArray[np.bool_] = (length >= 1) & (ends == count)
        return fits & _last_is_nul(stream.data, start, length)

    return check


def _counted(width: int = 4, known: str = "num_params") -> Check:
    """``num_params`` numbers of ``width`` bytes fill the message after its fixed fields."""

    def check(stream: Stream, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]) -> NDArray[np.bool_]:
        expected = 1 + records.dtype.itemsize + records[known].astype(np.int64) * width
        fits: NDArray[np.bool_] = size.astype(np.int64) == expected
        return fits

    return check


def _whole(width: int) -> Check:
    """Numbers of ``width`` bytes fill the message after its fixed fields."""

    def check(stream: Stream, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]) -> NDArray[np.bool_]:
        fits: NDArray[np.bool_] = (size - (1 + records.dtype.itemsize)) % width == 0
        return fits

    return check


def _gamedata(stream: Stream, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]) -> NDArray[np.bool_]:
    rest = size.astype(np.int64) - (1 + records.dtype.itemsize) - records["len_script"]
    return np.isin(rest, (132, 12))


def _few_ais(then: Check | None = None) -> Check:
    """Older layouts have 32 bits for an AI's number, of which no engine used more than 8."""

    def check(stream: Stream, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]) -> NDArray[np.bool_]:
        fits: NDArray[np.bool_] = records["ai"] <= 255
        return fits if then is None else fits & then(stream, offset, size, records)

    return check


def _label(stream: Stream, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]) -> NDArray[np.bool_]:
    return records["action"] <= 2


def nul_counts(data: Data, start: NDArray[Any], length: NDArray[Any]) -> NDArray[np.int64]:
    """How many NULs each span holds: int64."""
    from ksreplay.columns import gather_bytes

    offsets, values = gather_bytes(data, start, np.maximum(length, 0))
    found = np.concatenate([[0], np.cumsum(values == 0)])
    counts: NDArray[np.int64] = found[offsets[1:]] - found[offsets[:-1]]
    return counts


def _last_is_nul(data: Data, start: NDArray[Any], length: NDArray[Any]) -> NDArray[np.bool_]:
    source = np.frombuffer(data, np.uint8)
    last: NDArray[np.bool_] = source[np.clip(start + length - 1, 0, len(source) - 1)] == 0
    return last


#: Whole size of messages whose last field older engines leave out (see `BY_SIZE`).
_OPTIONAL = {"GAMESTATE_DUMP": 5}


def _current(name: str, check: Check | None = None) -> Layout:
    message = WALK[IDS[name]]
    fields = message.dtype if message.dtype is not None else message.head
    return Layout(message.type or name.lower(), fields, message.size or _OPTIONAL.get(name), check)


def _entries_fit(
    stream: Stream, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]
) -> NDArray[np.bool_]:
    return read_lists(stream.data, offset, size, records).fits


_FLOATS, _UNITS, _ENTRIES = _counted(), _whole(2), _entries_fit

#: Checks of messages whose size varies.
_VARYING: dict[str, Check] = {
    **dict.fromkeys(("QUIT", "PLAYERNAME", "CHAT", "SYSTEMMSG", "LOGMSG", "CREATE_NEWPLAYER", "AI_CREATED"), _texts(1)),
    "REJECT_CONNECT": _texts(1),
    "CCOMMAND": _texts(2),
    "ATTEMPTCONNECT": _texts(4, tail=layouts.ATTEMPTCONNECT_FLAGS.itemsize),
    **dict.fromkeys(("COMMAND", "AICOMMAND", "AICOMMAND_TRACKED"), _FLOATS),
    **dict.fromkeys(("SELECT", "AISHARE"), _UNITS),
    **dict.fromkeys(("SD_CHKRESPONSE", "SD_BLKRESPONSE"), _whole(4)),
    "GAMEDATA": _gamedata,
    **dict.fromkeys(("MAPDRAW", "MAPDRAW_OLD"), _label),
    "AICOMMANDS": _ENTRIES,
}


def _old(name: str, check: Check | None = None, until: int = 0) -> Layout:
    dtype = getattr(layouts, name.upper(), None)
    if dtype is None:
        dtype = getattr(layouts, f"{name.upper()}_HEAD", None)
    size = 1 + dtype.itemsize if dtype is not None and hasattr(layouts, name.upper()) else None
    return Layout(name, dtype, size, check, until)


_PLAIN, _COUNTED = _whole(4), _FLOATS

#: Layouts that only the engine's number tells apart, oldest first: (first engine of the next one, layout).
#: The borders inside 104.0.1's development are worked out from dates, so between them the packets decide.
BY_ENGINE: dict[str, tuple[tuple[int, Layout], ...]] = {
    "COMMAND": (
        (1_040_620, _old("command_plain", _PLAIN)),
        (1_041_056, _old("command_counted", _COUNTED)),
    ),
    "AICOMMAND": (
        (830_000, _old("aicommand_unowned", _PLAIN)),
        (1_040_620, _old("aicommand_plain", _PLAIN)),
        (1_041_056, _old("aicommand_counted", _COUNTED)),
        (1_041_482, _old("aicommand_timed", _COUNTED)),
    ),
    "AICOMMAND_TRACKED": (
        (1_040_620, _old("aicommand_tracked_plain", _PLAIN)),
        (1_041_056, _old("aicommand_tracked_counted", _COUNTED)),
        (1_041_482, _old("aicommand_tracked_timed", _COUNTED)),
    ),
    "AICOMMANDS": (
        (830_000, _old("aicommands_unowned", _ENTRIES)),
        (890_000, _old("aicommands_listed", _ENTRIES)),
    ),
    "PLAYERSTAT": ((940_000, _old("playerstat_mouse_first")),),
    "SYSTEMMSG": ((810_000, _old("systemmsg_short", _texts(1))),),
    "LUAMSG": ((780_000, _old("luamsg_short")),),
    "AI_CREATED": (
        (810_000, _current("AI_CREATED", _texts(1))), (830_000, _old("ai_created_wide", _few_ais(_texts(1)))),
    ),
}  # fmt: skip

#: Engines whose place between two layouts the version text cannot say for certain.
UNCERTAIN_ENGINES = range(1_040_001, 1_041_600)

#: Older layouts that the size of the packet tells apart: size -> layout. An engine that no longer writes them is a
#: contradiction; they are read all the same, for nothing else has their size.
BY_SIZE: dict[str, dict[int, Layout]] = {
    "NEWFRAME": {5: _old("newframe_numbered", until=770_000)},
    "QUIT": {1: Layout("no_body", None, 1, until=810_000)},
    "GAMEOVER": {1: Layout("no_body", None, 1, until=830_000)},
    "SETSHARE": {10: _old("setshare_unowned", until=770_000)},
    "SYNCRESPONSE": {9: _old("syncresponse_unowned", until=850_000)},
    "STARTPOS": {15: _old("startpos_unowned", until=770_000)},
    "PLAYERINFO": {8: _old("playerinfo_short", until=820_000)},
    "TEAM": {4: _old("team_short", until=800_000)},
    "AI_STATE_CHANGED": {7: _old("ai_state_changed_wide", _few_ais(), until=830_000)},
    "GAMESTATE_DUMP": {1: Layout("gamestate_dump", None, 1), 5: Layout("gamestate_dump", None, 5)},
    "MAPDRAW": {5: _old("sync_request")},
}  # fmt: skip


@dataclass(frozen=True)
class Messages:
    """All messages of one kind.

    ``packets``: all of that id; ``good``: which fit their layout (bool); ``records``: their
    fixed fields as records of the current layout, zero where malformed or absent; ``missing``: fields that the file's
    layout does not have; ``body``: where the part after the fixed fields begins in the file (int32, int64 past 2
    GiB) and ``length`` its
    size (int32), 0 where malformed; ``layout``: the name of the layout that most have.
    """

    packets: Packets
    good: NDArray[np.bool_]
    records: NDArray[np.void]
    missing: frozenset[str]
    body: NDArray[Any]
    length: NDArray[np.int32]
    layout: str
    raw: NDArray[np.void] | None = None  #: the records in the file's own layout, where that is an older one

    def __len__(self) -> int:
        return len(self.packets)

    @property
    def rows(self) -> NDArray[np.int32]:
        """Their indices in the stream, ascending."""
        return self.packets.rows

    def __getitem__(self, name: str) -> NDArray[Any]:
        """One field of all messages; integers 0 where malformed."""
        values: NDArray[Any] = self.records[name]
        return values

    def known(self, name: str) -> NDArray[np.bool_]:
        """Where the field is there."""
        return np.zeros(len(self), bool) if name in self.missing else self.good


class Decoder:
    """The messages of a stream by kind, each decoded once."""

    def __init__(self, stream: Stream, engine: int, problems: Problems) -> None:
        self.stream = stream
        self.engine = engine
        self.problems = problems
        self._made: dict[int, Messages] = {}
        self._reported = False
        #: What the AICOMMANDS list, where all of them fit.
        self.lists: OrderLists | None = None

    def __getitem__(self, name: str) -> Messages:
        number = IDS[name]
        if number not in self._made:
            self._made[number] = self._decode(name, number)
            self._report(number, self._made[number])
        return self._made[number]

    @cached_property
    def malformed(self) -> NDArray[np.bool_]:
        """bool, one entry a packet: whether it does not fit its layout. Unknown and empty packets do not count."""
        result = np.zeros(len(self.stream), bool)
        for number in np.flatnonzero(self.stream.counts).tolist():
            if number in NAMES:
                messages = self[NAMES[number]]
                if not messages.good.all():
                    result[messages.rows[~messages.good]] = True
        return result

    def _by_engine(self, name: str) -> Layout:
        """The layout that the file's engine wrote, by its number alone."""
        for border, layout in BY_ENGINE.get(name, ()):
            if self.engine < border:
                return layout
        return _current(name, _VARYING.get(name))

    def _confirmed(self, name: str, chosen: Layout, offset: NDArray[Any], size: NDArray[Any]) -> Layout:
        """``chosen``, unless the version text cannot decide and the packets can; a contradiction is a problem."""
        # Newest first: a layout with a count of its own cannot fit by accident, unless all counts are 0; one without
        # always does, so it is believed only where nothing fits the one chosen.
        every = [_current(name, _VARYING.get(name)), *(layout for _, layout in reversed(BY_ENGINE[name]))]
        uncertain = self.engine in UNCERTAIN_ENGINES
        hopeless = uncertain and not self._read(chosen, offset, size)[0].any()
        for layout in sorted(every, key=lambda layout: layout.check is _PLAIN):
            if layout.name == chosen.name or (layout.check is _PLAIN and not hopeless):
                continue
            good, records = self._read(layout, offset, size)
            if not good.all() or (layout.check is _COUNTED and records is not None and not records["num_params"].any()):
                continue
            if uncertain:
                return layout
            self._contradiction(name, layout, chosen, int(offset[0]))
            break
        return chosen

    def _contradiction(self, name: str, found: Layout, expected: Layout, offset: int) -> None:
        self.problems.add(
            rules.LAYOUT_CONTRADICTION.problem(f"stream.{name}", offset, found=found.name, expected=expected.name)
        )

    def _read(
        self, layout: Layout, offset: NDArray[Any], size: NDArray[Any]
    ) -> tuple[NDArray[np.bool_], NDArray[np.void] | None]:
        """Which messages fit the layout, and the records of all (zero where they do not fit)."""
        good = size >= layout.least if layout.size is None else size == layout.size
        if layout.fields is None:
            return good, None
        every = bool(good.all())
        at, held = (offset, size) if every else (offset[good], size[good])
        records = gather(self.stream.data, at + 1, layout.fields)
        fits = np.ones(len(records), bool)
        if layout.size is None and "len_packet" in (records.dtype.names or ()):
            # One byte wraps in long labels; the packet's size is right then.
            bits = 8 * records.dtype["len_packet"].itemsize
            fits = records["len_packet"] == (held & ((1 << bits) - 1))
        fits &= self._checked(layout, at, held, records)
        if layout.check is _ENTRIES and not (every and fits.all()):
            self.lists = None
        if every:
            return fits, records
        whole = np.zeros(len(good), layout.fields)
        whole[good] = records
        good = good.copy()
        good[good] = fits
        return good, whole

    def _checked(
        self, layout: Layout, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]
    ) -> NDArray[np.bool_]:
        """Which messages pass the layout's check, whose sizes and fixed fields fit it."""
        if layout.check is None:
            return np.ones(len(records), bool)
        if layout.check is not _ENTRIES:
            return layout.check(self.stream, offset, size, records)
        lists = read_lists(self.stream.data, offset, size, records)
        self.lists = lists if bool(lists.fits.all()) else None
        return lists.fits

    def _at_once(self, number: int, layout: Layout, older: dict[int, Layout]) -> Messages | None:
        """All messages of a kind where each of them has its current layout, None elsewhere."""
        heads = self.stream.heads(number)
        if heads is None:
            return None
        if layout.size is None and older and np.isin(heads.length + layout.least, list(older)).any():
            return None
        good = np.ones(len(heads.records), bool)
        if layout.check is not None:
            least = np.int32(layout.least)
            good = self._checked(layout, heads.body - least, heads.length + least, heads.records)
        if not good.all():
            return None
        packets = self.stream.packets(number)
        return Messages(packets, good, heads.records, frozenset(), heads.body, heads.length, layout.name)

    def _decode(self, name: str, number: int) -> Messages:
        current = _current(name, _VARYING.get(name))
        chosen = self._by_engine(name)
        older = {} if name == "MAPDRAW" and self.engine >= 790_000 else BY_SIZE.get(name, {})
        if chosen.name == current.name and (messages := self._at_once(number, current, older)) is not None:
            return self._drawn(name, messages)
        packets = self.stream.packets(number)
        offset, size, count = packets.offset, packets.size, len(packets)
        # A layout without a count of its own fits whatever it meets.
        if (
            (name in BY_ENGINE and count and not np.isin(size, list(older)).any())
            and (chosen.check is _PLAIN or not self._read(chosen, offset, size)[0].all())
        ):  # fmt: skip
            chosen = self._confirmed(name, chosen, offset, size)
        target = current.fields if current.fields is not None else np.dtype([])
        groups = [(chosen, ~np.isin(size, list(older)) if older else np.ones(count, bool))]
        groups += [(layout, size == length) for length, layout in older.items()]
        good = np.zeros(count, bool)
        body = np.zeros(count, np.int64)
        records: NDArray[np.void] | None = None
        missing: frozenset[str] = frozenset()
        most = (-1, chosen.name)
        raw: NDArray[np.void] | None = None
        for layout, mine in groups:
            held = int(np.count_nonzero(mine))
            if not held and (layout is not chosen or count):
                continue
            every = held == count
            fit, found = self._read(layout, offset if every else offset[mine], size if every else size[mine])
            good[mine] = fit
            body[mine] = layout.least
            if held and layout.until and self.engine >= layout.until:
                self._contradiction(name, layout, chosen, int(offset[np.argmax(mine)]))
            if held > most[0]:
                most = (held, layout.name)
                if target.names:
                    missing = frozenset(set(target.names) - set((layout.fields.names if layout.fields else None) or ()))
            if layout is chosen and chosen.name != current.name:
                raw = found
            if found is not None and target.names:
                if found.dtype == target and every:
                    records = found
                    continue
                if records is None:
                    records = np.zeros(count, target)
                for field in found.dtype.names or ():
                    if field in target.names:
                        records[field][mine] = _nested(found[field], target[field])
        if records is None:
            records = np.zeros(count, target)
        length = np.where(good, size - body, 0).astype(np.int32)
        if not good.all() and target.names:
            records = records.copy()
            records[~good] = np.zeros(1, target)
        messages = Messages(packets, good, records, missing, offset + body, length, most[1], raw)
        return self._drawn(name, messages)

    def _drawn(self, name: str, messages: Messages) -> Messages:
        """Drawings are looked at more closely: what their size and label say decides as well."""
        if name in ("MAPDRAW", "MAPDRAW_OLD") and len(messages) and messages.layout != "sync_request":
            from ksreplay.formats.spring_drawings import read_drawings

            messages.good[:] &= read_drawings(self, name, messages).fits
        return messages

    def _report(self, number: int, messages: Messages) -> None:
        name = NAMES[number]
        for index in np.flatnonzero(~messages.good).tolist():
            row = int(messages.rows[index])
            self.problems.add(
                rules.MALFORMED_MESSAGE.problem(
                    f"stream.packet[{row}].{name}", int(self.stream.offset[row]),
                    found={"id": number, "size": int(self.stream.size[row]), "frame": int(self.stream.frame[row])},
                    message=f"A {name} message does not fit its layout.",
                )
            )  # fmt: skip

    def report_others(self) -> None:
        """Lists unknown ids and empty packets, once."""
        if self._reported:
            return
        self._reported = True
        for number in np.flatnonzero(self.stream.counts).tolist():
            if number not in NAMES:
                packets = self.stream.packets(number)
                first = int(packets.rows[packets.size > 0][0])
                self.problems.add(
                    rules.UNKNOWN_MESSAGE.problem(
                        f"stream.packet[{first}]", int(self.stream.offset[first]),
                        found={"id": number, "count": int(self.stream.counts[number])},
                    )
                )  # fmt: skip
        if self.stream.empty:
            first = int(np.flatnonzero(self.stream.size == 0)[0])
            self.problems.add(
                rules.EMPTY_MESSAGE.problem(
                    f"stream.packet[{first}]", int(self.stream.offset[first]), found={"count": self.stream.empty}
                )
            )


def _nested(values: NDArray[Any], target: np.dtype[Any]) -> NDArray[Any]:
    """``values`` as ``target``: nested records by field name."""
    if not target.names:
        return values.astype(target)
    result = np.zeros(len(values), target)
    for field in target.names:
        if field in (values.dtype.names or ()):
            result[field] = values[field]
    return result


__all__ = ["BY_ENGINE", "BY_SIZE", "CURRENT", "IDS", "NAMES", "Decoder", "Layout", "Messages", "message_name"]
