"""How long subpackets are, where sources and recorders differ: read by what walks to the end of the packet.

Some ids have other sizes with some recorders (fact sheet tad-format, 4). A packet that the usual sizes do not walk to
its end is tried with the others; what most of a file's packets need is the file's stratum and decides where a packet
walks both ways.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.columns import distinct, spans_index
from ksreplay.errors import Problems
from ksreplay.formats import tad_rules as rules
from ksreplay.formats.tad_lz77 import LARGEST, view
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.kernels import tad_lockstep, tad_walk

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Rules = dict[str, NDArray[np.int32]]

#: Ids that change their size together, with the sizes that some source gives them; the usual ones come from the layout.
GROUPS: tuple[tuple[dict[int, int], ...], ...] = (
    ({0x20: 192}, {0x20: 200}),  # a player info with a team, or an alliance, counted into it
    ({0x03: 3},),
    ({0x13: 19},),
    # recorders with the weapon-id patch; their own length function and their structs differ, no real file is known
    tuple({0x0D: shot, 0x0E: 17, 0x0F: feature} for shot in (39, 40) for feature in (8, 9)),
)
#: The sizes that seed 004 lists where real bytes say otherwise: what a caller gets who asks for the seed's strata.
SEED = {0x20: 192, 0x03: 7, 0x13: 19}

#: Where in their bodies the patched ones are wider: behind the weapon's low byte.
WIDENED = {0x0D: 25, 0x0E: 13, 0x0F: 1}

_TOGETHER = 2  # groups whose sizes are changed at the same time
_SAMPLE = 512  # broken payloads that a set of sizes is tried on first

#: Kernel rules that no constant or length field says: padding, texts with their usual size, typed commands.
_TEXTS = {0x05: 65, 0xF9: 73}
_ZERO, _COMMAND, _COMMAND_SIZE, _RECORDER_DATA = 0x00, 0x2E, 9, 0xFB


@dataclass
class Columns:
    """Subpackets of payloads: one entry each, and ``firsts`` with one more than payloads."""

    offsets: NDArray[np.int32]
    lengths: NDArray[np.uint16]
    ids: Bytes
    states: Bytes
    firsts: Ints

    def __iter__(self) -> Any:
        return iter((self.offsets, self.lengths, self.ids, self.states, self.firsts))


def rules_table(sizes: dict[int, int] | None = None) -> Rules:
    """The kernel's tables from the generated walk, with other sizes for some ids."""
    table: Rules = {name: np.zeros(256, np.int32) for name in ("rules", "field", "width", "bias", "least")}
    for number, message in WALK.items():
        if message.size is not None:
            table["rules"][number] = message.size
        elif message.length_offset is not None and message.head is not None:
            table["rules"][number] = tad_walk.LENGTH_FIELD
            table["field"][number] = message.length_offset
            table["width"][number] = message.length_width or 0
            table["bias"][number] = message.length_bias or 0
            table["least"][number] = 1 + message.head.itemsize
    table["rules"][_ZERO] = tad_walk.ZERO_RUN
    for number, usual in _TEXTS.items():
        table["rules"][number], table["least"][number] = tad_walk.TEXT, usual
    table["rules"][_COMMAND], table["least"][_COMMAND] = tad_walk.DOT, _COMMAND_SIZE
    table["rules"][_RECORDER_DATA] = tad_walk.OLD_OR_LENGTH
    for number, size in (sizes or {}).items():
        table["rules"][number] = size
    return table


def walk(module: Any, pool: Bytes, starts: Ints, ends: Ints, table: Rules, opaque: Bytes | None = None) -> Columns:
    """All payloads ``pool[starts[i]:ends[i]]`` split by one set of sizes; an ``opaque`` one is one span."""
    if opaque is None:
        opaque = np.zeros(len(starts), np.uint8)
    widest = int((ends - starts).max()) if len(starts) else 0
    if widest > LARGEST or len(pool) >= 1 << 31:
        raise ValueError("a payload has at most 65,535 bytes, and all together less than 2 GiB")
    if not kernels.is_compiled(module):
        return Columns(*tad_lockstep.walk(module, pool, starts, ends, opaque, table))
    count = len(starts)
    room = int((ends - starts).sum()) // 6 + widest + 64
    firsts = np.zeros(count + 1, np.int64)
    columns = _empty(room)
    done = position = 0
    tables = [table[name] for name in ("rules", "field", "width", "bias", "least")]
    while True:
        done, position = module.walk(pool, starts, ends, opaque, done, count, *tables, position, *columns, firsts)
        if done == count:
            break
        room = room * 2 + widest
        grown = _empty(room)
        for old, new in zip(columns, grown, strict=True):
            new[:position] = old[:position]
        columns = grown
    firsts[count] = position
    offsets, lengths, ids, states = (column[:position] for column in columns)
    return Columns(offsets, lengths, ids, states, firsts)


def _empty(room: int) -> tuple[Any, ...]:
    return np.empty(room, np.int32), np.empty(room, np.uint16), np.empty(room, np.uint8), np.empty(room, np.uint8)


def replace(columns: Columns, other: Columns, rows: Ints) -> Columns:
    """``columns`` with payload ``rows[k]`` taken from payload k of ``other``."""
    counts = np.diff(columns.firsts)
    starts = columns.firsts[:-1].copy()
    starts[rows] = other.firsts[:-1] + len(columns.ids)
    counts[rows] = np.diff(other.firsts)
    index = spans_index(starts, counts)
    firsts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=firsts[1:])
    return Columns(
        np.concatenate([columns.offsets, other.offsets])[index],
        np.concatenate([columns.lengths, other.lengths])[index],
        np.concatenate([columns.ids, other.ids])[index],
        np.concatenate([columns.states, other.states])[index],
        firsts,
    )


def clean(columns: Columns) -> NDArray[np.bool_]:
    """Which payloads were walked to their end."""
    # a broken subpacket is the last of its payload
    last = columns.firsts[1:] - 1
    some = columns.firsts[1:] > columns.firsts[:-1]
    result = np.ones(len(last), bool)
    ends = columns.states[last[some]]
    result[some] = (ends < tad_walk.UNKNOWN_ID) | (ends > tad_walk.BAD_LENGTH)
    return result


def split(
    module: Any,
    pool: Bytes,
    starts: Ints,
    ends: Ints,
    opaque: Bytes,
    problems: Problems,
    places: Ints,
    preferred: dict[int, int] | None = None,
) -> tuple[Columns, dict[int, int]]:
    """All payloads split, each with the sizes that walk it to its end; (subpackets, unusual sizes that were used).

    ``opaque`` has a state for the payloads that hold no subpackets; ``places`` are offsets of the records for the
    findings. ``preferred`` sizes are tried before the usual ones.
    """
    usual = preferred or {}
    columns = walk(module, pool, starts, ends, rules_table(usual), opaque)
    used: dict[int, int] = {}
    failed = np.flatnonzero(~clean(columns))
    if len(failed):
        columns = _retry(module, pool, starts, ends, columns, failed, usual)
        used = _unusual(columns, usual)
        if used:
            problems.add(
                rules.SUBPACKET_STRATUM.problem(
                    "packets", found={f"0x{number:02x}": size for number, size in sorted(used.items())}
                )
            )
        _report(columns, places, problems)
    return columns, used


def _retry(
    module: Any, pool: Bytes, starts: Ints, ends: Ints, columns: Columns, failed: Ints, usual: dict[int, int]
) -> Columns:
    """The failed payloads with every other set of sizes of the ids that they hold."""
    held = _holds(columns, failed)
    votes: dict[int, tuple[int, dict[int, int]]] = {}
    options = [({}, *group) for group in GROUPS]
    sets = [tuple(choice) for choice in itertools.product(*options)]
    sets = [choice for choice in sets if 0 < sum(1 for part in choice if part) <= _TOGETHER]
    if usual:
        sets.append(tuple({} for _ in GROUPS))
    for choice in sorted(sets, key=lambda sizes: sum(1 for part in sizes if part)):
        bits = sum(1 << number for number, part in enumerate(choice) if part)
        sizes = {number: size for part in choice for number, size in part.items()}
        touched = np.flatnonzero(held & bits > 0) if bits else np.arange(len(failed))
        # of very many broken payloads a few are tried first: a file of noise costs no more than its size
        few = touched[:: max(1, len(touched) // _SAMPLE)]
        if (
            not len(few)
            or not clean(walk(module, pool, starts[failed[few]], ends[failed[few]], rules_table(sizes))).any()
        ):
            continue
        rows = failed[touched]
        other = walk(module, pool, starts[rows], ends[rows], rules_table(sizes))
        good = np.flatnonzero(clean(other))
        columns = replace(columns, _pick(other, good), rows[good])
        for number, part in enumerate(choice):
            if part:
                votes[number] = (votes.get(number, (0, part))[0] + len(good), part)
        left = np.ones(len(failed), bool)
        left[touched[good]] = False
        failed, held = failed[left], held[left]
        if not len(failed):
            break
    return _follow(module, pool, starts, ends, columns, votes, usual)


def _unusual(columns: Columns, usual: dict[int, int]) -> dict[int, int]:
    """Ids of which some were read with another size than the first that is tried -> that size."""
    sizes = rules_table(usual)["rules"][columns.ids]
    rows = np.flatnonzero((sizes > 0) & (columns.lengths != sizes) & (columns.states == tad_walk.WHOLE))
    return dict(zip(columns.ids[rows].tolist(), columns.lengths[rows].tolist(), strict=True))


def _pick(columns: Columns, rows: Ints) -> Columns:
    counts = np.diff(columns.firsts)[rows]
    index = spans_index(columns.firsts[:-1][rows], counts)
    firsts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(counts, out=firsts[1:])
    return Columns(columns.offsets[index], columns.lengths[index], columns.ids[index], columns.states[index], firsts)


def _holds(columns: Columns, rows: Ints) -> Bytes:
    """For each payload a bit for each of `GROUPS` of whose ids one was met in it."""
    picked = _pick(columns, rows)
    owner = np.repeat(np.arange(len(rows)), np.diff(picked.firsts))
    held = np.zeros(len(rows), np.uint8)
    for number, group in enumerate(GROUPS):
        met = np.zeros(len(rows), bool)
        met[owner[np.isin(picked.ids, [item for part in group for item in part])]] = True
        held[met] |= 1 << number
    return held


def _follow(
    module: Any,
    pool: Bytes,
    starts: Ints,
    ends: Ints,
    columns: Columns,
    votes: dict[int, tuple[int, dict[int, int]]],
    usual: dict[int, int],
) -> Columns:
    """Payloads that walk both ways follow the file: where an unusual size has more sole votes, it takes them."""
    for count, part in votes.values():
        wanted = np.zeros(256, bool)
        wanted[list(part)] = True
        owners = np.repeat(np.arange(len(starts)), np.diff(columns.firsts))[wanted[columns.ids]]
        rows = distinct(owners)
        other = walk(module, pool, starts[rows], ends[rows], rules_table(usual | part))
        both = np.flatnonzero(clean(other) & clean(_pick(columns, rows)))
        sole = len(rows) - len(both)
        if count > sole - count:
            columns = replace(columns, _pick(other, both), rows[both])
    return columns


_BROKEN = {
    tad_walk.UNKNOWN_ID: rules.SUBPACKET_ID,
    tad_walk.CUT: rules.SUBPACKET_CUT,
    tad_walk.BAD_LENGTH: rules.SUBPACKET_LENGTH,
}


def _report(columns: Columns, places: Ints, problems: Problems) -> None:
    bad = np.flatnonzero((columns.states >= tad_walk.UNKNOWN_ID) & (columns.states <= tad_walk.BAD_LENGTH))
    bad = bad[: problems.limit + 1]
    owners = np.searchsorted(columns.firsts, bad, "right") - 1
    for row, owner in zip(bad.tolist(), owners.tolist(), strict=True):
        rule = _BROKEN[int(columns.states[row])]
        number = row - int(columns.firsts[owner])
        problems.add(
            rule.problem(
                f"packets[{owner}].subpackets[{number}]", int(places[owner]), found=f"0x{int(columns.ids[row]):02x}"
            )
        )


__all__ = ["GROUPS", "SEED", "Columns", "split", "view", "walk"]
