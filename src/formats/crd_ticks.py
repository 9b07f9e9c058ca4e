"""The ticks of a crd payload as arrays.

Ticks in their canonical shape are stepped over by the kernel and checked and gathered by numpy, whole blocks at a
time; commands in their canonical shape are matched by one expression. Only what differs is read value by value
against the declared types, so that a breach is named as exactly as anywhere else and costs only its own tick.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.formats import crd_commands
from ksreplay.formats import crd_rules as rules
from ksreplay.formats.crd_canonical import ARRAY, Float, Int, Reader
from ksreplay.formats.crd_commands import Commands
from ksreplay.kernels import load
from ksreplay.rules import Rule

crd_scan = load("crd_scan")

AXES = ("move_x", "move_y", "aim_x", "aim_y")

#: One input as a record.
INPUT = np.dtype([*((name, "f4") for name in AXES), ("flags", "u4")])

#: One input at its widest, as it lies in the payload: the array's head, four tagged axes, the flag word's tag, and
#: eight bytes from which the flag word's are taken.
_INPUT = np.dtype(
    [("head", "u1")]
    + [item for axis in range(4) for item in ((f"tag{axis}", "u1"), (f"axis{axis}", ">f8"))]
    + [("flag_tag", "u1"), ("flag_bytes", ">u8")]
)
#: By how many bits the eight bytes are shifted to leave the flag word of a tag, and the least value that needs it.
_SHIFT = np.zeros(256, np.uint64)
_SHIFT[0xCC], _SHIFT[0xCD], _SHIFT[0xCE] = 56, 48, 32
_SHORTEST = np.zeros(256, np.uint64)
_SHORTEST[0xCC], _SHORTEST[0xCD], _SHORTEST[0xCE], _SHORTEST[0xCF] = 1 << 7, 1 << 8, 1 << 16, 1 << 32

_BLOCK = 1 << 16
_NEIGHBOURS = 8
#: How many breaches of one rule are listed one by one; the last one says how many more there are.
LISTED = 100


@dataclass(slots=True)
class Ticks:
    """Every tick's inputs and commands.

    ``axes`` float32[ticks, players, 4] in the order of `AXES`, ``flags`` uint32[ticks, players], ``inputs_at``
    int64[ticks, players]: offset of each input in the payload, -1 where a tick has no such input (its axes are NaN).
    ``inputs_in_tick``: ticks that do not hold one input for each of ``num_players``, with the number they hold.
    """

    num_players: int
    axes: NDArray[np.float32]
    flags: NDArray[np.uint32]
    inputs_at: NDArray[np.int64]
    commands: Commands
    inputs_in_tick: dict[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.axes)

    @property
    def inputs(self) -> NDArray[np.void]:
        """The inputs as records (`INPUT`: the four axes by name and ``flags``), of shape [ticks, players]; a copy."""
        records = np.zeros(self.flags.shape, INPUT)
        for axis, name in enumerate(AXES):
            records[name] = self.axes[:, :, axis]
        records["flags"] = self.flags
        return records

    @classmethod
    def empty(cls, num_players: int = 1) -> Ticks:
        return cls(
            num_players, np.zeros((0, num_players, 4), np.float32), np.zeros((0, num_players), np.uint32),
            np.zeros((0, num_players), np.int64), Commands(),
        )  # fmt: skip


class TickArray:
    """The type of the key ``ticks``."""

    def read(self, reader: Reader, at: int, where: str) -> tuple[Ticks | None, int]:
        token = reader.head(at, where, ARRAY)
        if token is None:
            return None, reader.skip(at, where)
        if token.value == 0:
            reader.report(rules.NO_TICKS, where, at, found=0)
        return _TickReader(reader, token.value, token.end, where).read()


class _TickReader:
    """One reading of the ticks: the fast walk, and the exact one where a tick has another shape."""

    def __init__(self, reader: Reader, num_ticks: int, pos: int, where: str) -> None:
        self.reader = reader
        self.payload = reader.payload
        self.where = where
        self.pos = pos
        self.num_ticks = num_ticks
        self.block = _BLOCK
        self.odd_shape = False
        players = self._players_of_first_tick(pos)
        # No more rows than ticks of the smallest thinkable inputs could fill; ticks past that hold none.
        rows = min(num_ticks, max(_BLOCK, (len(self.payload) - pos) // (3 + 6 * players) + 1))
        self.ticks = Ticks(
            players,
            np.full((rows, players, 4), np.nan, np.float32),
            np.zeros((rows, players), np.uint32),
            np.full((rows, players), -1, np.int64),
            Commands(),
        )
        self.breaches: dict[str, int] = {}

    def _players_of_first_tick(self, pos: int) -> int:
        """How many inputs the first tick holds, 1 to 4; the rule that it be the run's player_count comes later."""
        head = self.payload[pos : pos + 2]
        return head[1] & 0x0F if len(head) == 2 and head[0] == 0x92 and 0x91 <= head[1] <= 0x94 else 1

    def read(self) -> tuple[Ticks, int]:
        tick, rows = 0, len(self.ticks)
        exact = 0
        while tick < rows:
            reports = self.reader.num_reports
            if exact:
                self._read_exactly(tick)
                tick, exact = tick + 1, exact - 1
            else:
                tick = self._walk_block(tick, min(tick + self.block, rows))
            if self.odd_shape or (exact and self.reader.num_reports > reports):
                # Where one tick has another shape, its neighbours may have it too: setting out for a block only to
                # turn back costs more than a few ticks value by value.
                self.odd_shape, exact = False, _NEIGHBOURS
        for tick in range(rows, self.num_ticks):
            self._read_exactly(tick)
        for code, count in self.breaches.items():
            if count > LISTED:
                rule = next(rule for rule in rules.RULES if rule.code == code)
                self.reader.report(
                    rule, self.where, self.pos, found=count, message=f"{rule.text}: {count} ticks break this"
                )
        return self.ticks, self.pos

    def _walk_block(self, first: int, last: int) -> int:
        """Reads ticks ``first`` to ``last`` or up to and including one of another shape; returns the tick after."""
        players = self.ticks.num_players
        start, commands_before = self.pos, len(self.ticks.commands)
        limit = len(self.payload) - (3 + players * crd_scan.INPUT_BYTES)
        starts = np.empty((last - first) * players, np.int64)
        buffer = _writable(starts)
        tick, pos = first, start
        while True:
            tick, pos = crd_scan.walk(self.payload, pos, limit, tick, last, players, first, buffer)
            if tick >= last or pos > limit:
                break
            after = self._commands_at(tick, pos, buffer, (tick - first) * players)
            if after < 0:
                break
            tick, pos = tick + 1, after
        starts = np.frombuffer(buffer, np.int64)
        whole = self._gather(first, tick, starts[: (tick - first) * players])
        if first + whole == last:
            self.pos = pos
            self.block = min(2 * self.block, _BLOCK)
            return last
        # The tick after the whole ones is another shape, or the walk only believed it was on a tick.
        bad = first + whole
        if bad < tick:
            self.ticks.commands.cut(commands_before + sum(t < bad for t in self.ticks.commands.tick[commands_before:]))
            self.pos = int(starts[whole * players]) - 2
        else:
            self.pos = pos
        self._read_exactly(bad)
        self.odd_shape, self.block = True, 64
        return bad + 1

    def _commands_at(self, tick: int, pos: int, starts: Any, index: int) -> int:
        """Takes a tick with canonical commands; the offset after it, or -1 where something is not as expected."""
        payload = self.payload
        at = pos + 2
        places = []
        for _ in range(self.ticks.num_players):
            places.append(at)
            width = crd_scan.FLAG_BYTES[payload[at + crd_scan.AXES_BYTES]]
            if width == 0:
                return -1
            at += crd_scan.AXES_BYTES + width
        count = payload[at] - 0x90
        at += 1
        if count == 0x4C and len(payload) - at >= 2:  # array16
            count = int.from_bytes(payload[at : at + 2], "big")
            at += 2
            if count < 16:
                return -1
        elif not 0 <= count <= 15:
            return -1
        found = []
        for _ in range(count):
            command = crd_commands.match(payload, at, tick)
            if command is None:
                return -1
            entry, at = command
            found.append(entry)
        for number, place in enumerate(places):
            starts[index + number] = place
        for entry in found:
            self.ticks.commands.add(*entry)
        return at

    def _gather(self, first: int, last: int, starts: NDArray[np.int64]) -> int:
        """Copies the inputs of ticks ``first`` to ``last`` into the arrays, as far as they have the canonical shape.

        Returns how many ticks did. Values that break a rule are reported and kept.
        """
        if last == first:
            return 0
        ticks, players = self.ticks, self.ticks.num_players
        window = np.ndarray((len(self.payload) - _INPUT.itemsize + 1,), _INPUT, self.payload, strides=(1,))
        records = window[starts]
        shape = records["head"] == 0x95
        for axis in range(4):
            shape &= records[f"tag{axis}"] == 0xCB
        octets = np.frombuffer(self.payload, np.uint8)
        heads = starts[::players]
        good = shape.reshape(-1, players).all(axis=1)
        good &= (octets[heads - 2] == 0x92) & (octets[heads - 1] == (0x90 | players))
        whole = len(good) if good.all() else int(np.argmin(good))
        records, starts = records[: whole * players], starts[: whole * players]
        rows = slice(first, first + whole)
        ticks.inputs_at[rows] = starts.reshape(-1, players)
        with np.errstate(over="ignore", invalid="ignore"):
            for axis, name in enumerate(AXES):
                wide = records[f"axis{axis}"].astype(np.float64)
                narrow = wide.astype(np.float32)
                ticks.axes[rows, :, axis] = narrow.reshape(-1, players)
                wrong = narrow != wide
                if not wrong.any() and np.isfinite(narrow).all():
                    continue
                finite = np.isfinite(wide)
                self._breaches(rules.NOT_FINITE, ~finite, first, starts, name, 1 + 9 * axis, wide)
                self._breaches(rules.NOT_FLOAT32, wrong & finite, first, starts, name, 1 + 9 * axis, wide)
        tags = records["flag_tag"]
        wide_flags = records["flag_bytes"].astype(np.uint64) >> _SHIFT[tags]
        wide_flags = np.where(tags < 0x80, tags, wide_flags)
        self._breaches(
            rules.INT_WIDTH, wide_flags < _SHORTEST[tags], first, starts, "flags", crd_scan.AXES_BYTES, wide_flags
        )
        self._breaches(
            rules.FLAGS_RANGE, wide_flags > 0xFFFFFFFF, first, starts, "flags", crd_scan.AXES_BYTES, wide_flags
        )
        ticks.flags[rows] = np.where(wide_flags > 0xFFFFFFFF, 0, wide_flags).astype(np.uint32).reshape(-1, players)
        return whole

    def _breaches(
        self,
        rule: Rule,
        broken: NDArray[np.bool_],
        first: int,
        starts: NDArray[np.int64],
        name: str,
        ahead: int,
        values: NDArray[Any],
    ) -> None:
        """Reports the first inputs that break ``rule`` and counts the others."""
        if not broken.any():
            return
        rows = np.flatnonzero(broken)
        listed = self.breaches.get(rule.code, 0)
        for row in rows[: max(0, LISTED - listed)].tolist():
            tick, player = divmod(row, self.ticks.num_players)
            self.reader.report(
                rule, f"{self.where}[{first + tick}].inputs[{player}].{name}", int(starts[row]) + ahead,
                found=values[row].item(),
            )  # fmt: skip
        self.breaches[rule.code] = listed + len(rows)

    def _read_exactly(self, tick: int) -> None:
        """One tick value by value, against the declared types."""
        reader, where = self.reader, f"{self.where}[{tick}]"
        if not self._row(where, self.pos, 2):
            return
        self._inputs_exactly(tick, f"{where}.inputs")
        token = reader.head(self.pos, f"{where}.commands", ARRAY)
        if token is None:
            self.pos = reader.skip(self.pos, where)
            return
        self.pos = token.end
        for index in range(token.value):
            place = f"{where}.commands[{index}]"
            self.pos = crd_commands.read_exactly(reader, self.pos, tick, place, self.ticks.commands)

    def _row(self, where: str, at: int, count: int) -> bool:
        """Whether an array of ``count`` values stands at ``at``; if not, it is reported and passed over."""
        token = self.reader.head(at, where, ARRAY)
        if token is not None and token.value == count:
            self.pos = token.end
            return True
        if token is not None:
            self.reader.report(rules.WRONG_COUNT, where, at, found=token.value, expected=count)
        self.pos = self.reader.skip(at, where)
        return False

    def _inputs_exactly(self, tick: int, where: str) -> None:
        reader, ticks = self.reader, self.ticks
        token = reader.head(self.pos, where, ARRAY)
        if token is None:
            self.pos = reader.skip(self.pos, where)
            return
        if token.value != ticks.num_players:
            ticks.inputs_in_tick[tick] = token.value
        self.pos = token.end
        for player in range(token.value):
            place, at = f"{where}[{player}]", self.pos
            if not self._row(place, at, 5):
                continue
            values = []
            for name in AXES:
                value, self.pos = Float().read(reader, self.pos, f"{place}.{name}")
                values.append(value)
            flags, self.pos = Int(rules.FLAGS_RANGE, 0, 0xFFFFFFFF).read(reader, self.pos, f"{place}.flags")
            if player < ticks.num_players and tick < len(ticks):
                ticks.inputs_at[tick, player] = at
                with np.errstate(over="ignore"):
                    ticks.axes[tick, player] = np.array([np.nan if v is None else v for v in values], np.float64)
                ticks.flags[tick, player] = flags if flags is not None and 0 <= flags <= 0xFFFFFFFF else 0


def _writable(starts: NDArray[np.int64]) -> Any:
    """A buffer that plain Python fills fastest; compiled code takes it as well."""
    from array import array

    return array("q", bytes(starts.nbytes))
