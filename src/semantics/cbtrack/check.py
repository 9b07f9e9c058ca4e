"""What a reader can live with in a track's content and a checker has to report: one window, the info chunk, features.

Every function yields problems and looks at whole arrays. Source: seed 000; decisions: facts/cbtrack-notes.md section 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.errors import Problem
from ksreplay.formats.cbtrack import Header
from ksreplay.formats.cbtrack_columns import FIRST_PARAMETER, NO_DEFINITION, NO_TEAM
from ksreplay.rules import Rule
from ksreplay.semantics.cbtrack import rules
from ksreplay.semantics.cbtrack.decode import REFERENCE
from ksreplay.semantics.cbtrack.model import Features, Info, Terrain
from ksreplay.semantics.cbtrack.names import CODES, KINDS
from ksreplay.semantics.cbtrack.window import RESOURCE_CODES, Window

Array = npt.NDArray[Any]

FOOTPRINTS_SINCE = 3  # recorder version

#: Places listed for one rule in one part; the last says how many more there are.
LISTED = 10


Found = Array | tuple[Array, ...] | int


def found_at(
    rule: Rule, rows: Array, where: str | Callable[[int], str], found: Found, expected: Any = None
) -> Iterator[Problem]:
    """A problem for each of the first few ``rows``.

    ``where`` is the place, with ``{}`` for the row; ``found`` has what stands in each row, or several such arrays.
    """
    for n, row in enumerate(rows[:LISTED].tolist()):
        more = len(rows) - LISTED if n == LISTED - 1 else 0
        value = found
        if isinstance(found, tuple):
            value = [part[row].tolist() for part in found]  # type: ignore[assignment]
        elif not isinstance(found, int):
            value = found[row]
        yield rule.problem(
            where(row) if callable(where) else where.format(row),
            found=value,
            expected=expected,
            message=f"{rule.text} ({more:,} more in this part)" if more > 0 else "",
        )


def _repeated(values: Array) -> Array:
    """Rows whose value another row before it has."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    return np.sort(order[1:][ordered[1:] == ordered[:-1]])


def check_window(window: Window, info: Info | None, features: Features | None, header: Header) -> Iterator[Problem]:
    """Window ``window``, against the info and features chunks where they can be read."""
    where = f"window[{window.index}].main"
    yield from _check_entries(window, info, header, where)
    yield from _check_targets(window, features, where)
    yield from _check_poses(window, info, where)
    yield from _check_numbers(window, info, where)
    yield from _check_middles(window, where)


def _check_entries(window: Window, info: Info | None, header: Header, where: str) -> Iterator[Problem]:
    span = window.end - window.start
    units, projectiles = window.main.units, window.main.projectiles
    for section, entries, count in (
        ("units", units, header.num_units),
        ("projectiles", projectiles, header.num_projectiles),
    ):
        serial, flags, first, last = entries.serial, entries.flags, entries.first, entries.last

        place = f"{where}.{section}[{{}}]"
        yield from found_at(rules.SERIAL_TWICE, _repeated(serial), place, serial)
        yield from found_at(rules.SERIAL_RANGE, np.flatnonzero(serial >= count), place, serial, f"below {count}")
        wrong = ((flags & 1) != 0) & (first != 0) | ((flags & 2) != 0) & (last != span)
        yield from found_at(rules.FLAGS, np.flatnonzero(wrong), place, (flags, first, last))
    if info is None:
        return
    names = len(info.unit_names)
    yield from found_at(
        rules.UNIT_DEFINITION,
        np.flatnonzero(units.definition >= names),
        f"{where}.units[{{}}]",
        units.definition,
        f"below {names}",
    )
    items = window.main.queues.definition
    yield from found_at(
        rules.UNIT_DEFINITION,
        np.flatnonzero(items >= names),
        f"{where}.column[74][{{}}]",
        items,
        f"below {names}",
    )
    weapons = len(info.weapon_names)
    wrong = (projectiles.definition >= weapons) & (projectiles.definition != NO_DEFINITION)
    yield from found_at(
        rules.WEAPON_DEFINITION,
        np.flatnonzero(wrong),
        f"{where}.projectiles[{{}}]",
        projectiles.definition,
        f"below {weapons}",
    )


def _check_targets(window: Window, features: Features | None, where: str) -> Iterator[Problem]:
    targets = window.main.targets
    unit = np.repeat(np.arange(len(window.main.units)), np.diff(targets.tracks))
    counts = np.diff(targets.bounds)

    track_place = f"{where}.targets[{{}}]"

    key_place = f"{where}.column[44][{{}}]"

    yield from found_at(
        rules.WEAPON_TWICE,
        _repeated(unit << 8 | targets.weapon),
        track_place,
        targets.weapon,
    )
    yield from found_at(rules.EMPTY_TRACK, np.flatnonzero(counts == 0), track_place, 0)
    known = np.zeros(256, bool)
    known[list(KINDS)] = True
    into = REFERENCE[targets.kind]
    yield from found_at(
        rules.REFERENCE_UNUSED,
        np.flatnonzero(known[targets.kind] & (into == 0) & (targets.reference != 0)),
        key_place,
        targets.reference,
        0,
    )
    yield from _check_lives_of_targets(window, unit, counts, into, key_place)
    weapon = np.repeat(targets.weapon, counts)
    yield from found_at(
        rules.POWER,
        np.flatnonzero((weapon != 0) & (targets.power != 0)),
        f"{where}.column[45][{{}}]",
        targets.power,
        0,
    )
    if features is not None:
        yield from found_at(
            rules.FEATURE_REFERENCE,
            np.flatnonzero((into == 2) & (targets.reference >= len(features))),
            key_place,
            targets.reference,
            f"below {len(features)}",
        )


def _check_lives_of_targets(
    window: Window, unit: Array, counts: Array, into: Array, key_place: str
) -> Iterator[Problem]:
    """The units and projectiles aimed at exist from their key to the next: else a later window would start with a
    target that is not in it. Features are in a chunk of their own, and an index in it always says which."""
    targets, units = window.main.targets, window.main.units
    has = counts > 0
    until = np.zeros(len(targets.time), np.int64)  # the last frame that a key holds
    until[:-1] = targets.time[1:] - 1
    until[targets.bounds[1:][has] - 1] = units.last[unit][has]
    for number, things in ((1, units), (3, window.main.projectiles)):
        keys = np.flatnonzero(into == number)
        aimed = targets.reference[keys]
        gone = (targets.time[keys] < things.first[aimed]) | (until[keys] > things.last[aimed])
        held = targets.time, until
        yield from found_at(rules.TARGET_GONE, keys[gone], key_place, held, "frames at which it exists")


def _check_poses(window: Window, info: Info | None, where: str) -> Iterator[Problem]:
    poses, units = window.main.poses, window.main.units
    unit = np.repeat(np.arange(len(units)), np.diff(poses.tracks))
    counts = np.diff(poses.bounds)

    place = f"{where}.poses[{{}}]"

    yield from found_at(rules.PIECE_TWICE, _repeated(unit << 16 | poses.piece), place, poses.piece)
    yield from found_at(rules.EMPTY_TRACK, np.flatnonzero(counts == 0), place, 0)
    has = np.flatnonzero(counts > 0)
    opening = poses.angle[:, poses.bounds[:-1][has]]
    away = ((opening < -32_768) | (opening > 32_767)).any(axis=0)
    yield from found_at(rules.TURN, has[away], place, poses.piece, "-32768 to 32767")
    if info is not None:
        most = np.zeros(1 << 16, np.int64)
        for definition, names in info.pieces.items():
            most[definition] = len(names)
        limit = most[units.definition[unit]]
        yield from found_at(
            rules.PIECE,
            np.flatnonzero(poses.piece >= limit),
            place,
            poses.piece,
            "below the number of posed pieces of its definition",
        )


def _check_numbers(window: Window, info: Info | None, where: str) -> Iterator[Problem]:
    numbers = window.main.numbers
    team, code = numbers.team.astype(np.int64), numbers.code.astype(np.int64)

    place = f"{where}.numbers[{{}}]"

    which = (team, code)

    order = team << 16 | code
    yield from found_at(rules.NUMBER_ORDER, np.flatnonzero(order[1:] <= order[:-1]) + 1, place, which)
    is_resource = np.isin(code, RESOURCE_CODES) & (team != NO_TEAM)
    is_named = is_resource | (code >= FIRST_PARAMETER)
    yield from found_at(rules.NUMBER_CODE, np.flatnonzero(~is_named), place, which, f"one of {len(CODES)} codes")
    counts = np.diff(numbers.bounds)
    yield from found_at(rules.EMPTY_TRACK, np.flatnonzero(counts == 0), place, which)
    if len(numbers.value):
        has = np.flatnonzero(counts > 0)
        largest = np.maximum.reduceat(np.abs(numbers.value), numbers.bounds[:-1][has])
        yield from found_at(rules.NUMBER_ZERO, has[(largest == 0) & is_resource[has]], place, which)
    if info is None:
        return
    names = np.where(team == NO_TEAM, len(info.game_parameters), len(info.team_parameters))
    yield from found_at(
        rules.PARAMETER,
        np.flatnonzero((code >= FIRST_PARAMETER) & (code - FIRST_PARAMETER >= names)),
        place,
        which,
        "an index in the info chunk's names",
    )
    known = np.array([t.id for t in info.teams] + [NO_TEAM])
    yield from found_at(rules.NUMBER_TEAM, np.flatnonzero(~np.isin(team, known)), place, which)


def _middles(bounds: Array, *rows: Array) -> Array:
    """Keys that are the middle of three with the same stored value in one curve; ``rows`` are (keys,) or (n, keys)."""
    count = int(bounds[-1])
    if count < 3:
        return np.zeros(0, np.int64)
    same = np.ones(count - 1, bool)
    for row in rows:
        equal = row[..., 1:] == row[..., :-1]
        same &= equal.all(axis=0) if equal.ndim > 1 else equal
    # two keys either side of a curve's end are not in a row
    ends = bounds[1:-1]
    same[ends[(ends > 0) & (ends < count)] - 1] = False
    return np.flatnonzero(same[1:] & same[:-1]) + 1


def _check_middles(window: Window, where: str) -> Iterator[Problem]:
    main = window.main
    for section, keys, rows in (
        ("transforms", main.transforms, (main.transforms.position, main.transforms.dropped, main.transforms.kept)),
        ("statuses", main.statuses, (main.statuses.health, main.statuses.build, main.statuses.flags)),
        ("poses", main.poses, (main.poses.angle, main.poses.offset)),
        ("numbers", main.numbers, (main.numbers.value,)),
    ):
        yield from found_at(
            rules.MIDDLE,
            _middles(keys.bounds, *rows),
            f"{where}.{section}.key[{{}}]",
            keys.time,
        )


def check_info(info: Info, header: Header) -> Iterator[Problem]:
    """The info chunk."""
    if info.unit_names and info.footprints is None and header.recorder_version >= FOOTPRINTS_SINCE:
        yield rules.FOOTPRINTS.problem("info.column[181]", found=0, expected=len(info.unit_names))
    for team, times in Counter(team.id for team in info.teams).items():
        if times > 1:
            yield rules.TEAM_TWICE.problem("info.column[172]", found=team)
    for definition, times in Counter(info.posed).items():
        if times > 1 or definition >= len(info.unit_names):
            yield rules.POSED_TWICE.problem(
                "info.column[168]", found=definition, expected=f"below {len(info.unit_names)}, once"
            )


def check_features(features: Features, info: Info | None, header: Header) -> Iterator[Problem]:
    """The features chunk."""

    place = "features[{}]"

    yield from found_at(
        rules.FEATURE_FRAMES,
        np.flatnonzero(features.first > features.last),
        place,
        (features.first, features.last),
    )
    if info is not None:
        names = len(info.feature_names)
        yield from found_at(
            rules.FEATURE_DEFINITION,
            np.flatnonzero(features.definition >= names),
            place,
            features.definition,
            f"below {names}",
        )
    if len(features) != header.num_features:
        yield rules.HEADER_COUNT.problem("header.num_features", 60, found=header.num_features, expected=len(features))


class Heights:
    """The height that each point of the heightmap was left at, to hold rows against."""

    def __init__(self) -> None:
        self._points = np.zeros(0, np.int64)
        self._height = np.zeros(0, np.int32)

    def forget(self) -> None:
        """After a chunk that cannot be read nothing is known any more."""
        self.__init__()  # type: ignore[misc]

    def check(self, rows: Terrain) -> Iterator[Problem]:
        """One chunk's rows: changes, and heights that follow from the rows before."""
        where = f"window[{rows.window}].terrain"

        place = f"{where}.row[{{}}]"

        yield from found_at(rules.CHANGE_ZERO, np.flatnonzero(rows.before == rows.after), place, rows.before)
        # every row, after what is known from before, in the order of points and then of time
        point = np.concatenate((self._points, rows.z.astype(np.int64) << 16 | rows.x))
        after = np.concatenate((self._height, rows.after))
        before = np.concatenate((self._height, rows.before))
        order = np.argsort(point, kind="stable")
        same = point[order][1:] == point[order][:-1]
        wrong = same & (before[order][1:] != after[order][:-1])
        bad = np.sort(order[1:][wrong]) - len(self._points)
        yield from found_at(rules.HEIGHT_BEFORE, bad, place, rows.before)
        last = order[np.append(~same, True)] if len(order) else order
        self._points, self._height = point[last], after[last]


class Serials:
    """The first frame of everything that was seen, by serial number."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._first)

    def see(self, serial: Array, first: Array, start: int) -> None:
        """The entries of one window that begins at frame ``start``; windows come in order."""
        for number, offset in zip(serial.tolist(), first.tolist(), strict=True):
            self._first.setdefault(number, start + offset)

    def check(self, section: str) -> Iterator[Problem]:
        """Whether the numbers go up with the frames of first appearance."""
        serial = np.array(sorted(self._first), np.int64)
        frame = np.array([self._first[number] for number in serial.tolist()], np.int64)
        wrong = np.flatnonzero(frame[1:] < frame[:-1]) + 1

        def place(row: int) -> str:
            return f"{section}[serial {serial[row]}]"

        yield from found_at(rules.SERIAL_ORDER, wrong, place, frame, "no frame before that of the serial before")
