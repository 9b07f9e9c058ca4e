"""Questions to an index: matches, totals, a player's dossier, two players against each other (seed 002 "Across the
library").

A match is counted once however many files hold it: the first file by name stands. Remixes are left out.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ksreplay.library.record import KEPT_METRICS, State
from ksreplay.semantics.spring.analysis import dossier as dossiers
from ksreplay.semantics.spring.analysis.map_names import family
from ksreplay.semantics.spring.analysis.map_records import Match, Seat, arrangement
from ksreplay.semantics.spring.analysis.metrics import BY_KEY, match_figure
from ksreplay.semantics.spring.analysis.unit_list import UnitDef, UnitList


@dataclass(frozen=True, slots=True)
class Filter:
    """Which matches are meant; None is no bound. `map` takes all versions of a map, `map_version` one exact name."""

    map: str | None = None
    map_version: str | None = None
    player: str | None = None
    engine: str | None = None
    game: str | None = None
    result: str | None = None  # "won" or "lost" (with `player`), "known", "none"
    players: int | None = None  # seats that are no spectators
    sides: str | None = None  # an arrangement
    started_from: int | None = None
    started_until: int | None = None
    under_a_minute: bool = True  # a map's page leaves them out: a short test would count as much as a game


@dataclass
class MatchRow:
    """One match with all that the index keeps of it but its orders and layers."""

    file: int
    path: str
    state: str
    game_id: str
    map: str
    game: str
    engine: str
    started: int | None
    seconds: int
    last_frame: int | None
    winners: tuple[int, ...] | None = None
    result_source: str = ""
    seats: list[dict[str, Any]] = field(default_factory=list)
    totals: dict[int, dict[str, int]] = field(default_factory=dict)
    starts: list[tuple[int, float, float]] = field(default_factory=list)
    unit_names: str | None = None  # digest of the names the stream carries
    extent: tuple[float, float] | None = None

    def seat_of(self, name: str) -> dict[str, Any] | None:
        """The player's own seat, never a spectator's and never an AI's."""
        return next((s for s in self.seats if s["name"] == name and not s["spectator"] and not s["ai"]), None)

    def won(self, name: str) -> bool | None:
        """Whether the player's side won; None without a result or a side."""
        seat = self.seat_of(name)
        if self.winners is None or seat is None or seat["ally_team"] is None:
            return None
        return seat["ally_team"] in self.winners

    def as_match(self) -> Match:
        seats = tuple(
            Seat(s["team"], s["ally_team"], s["ai"], "" if s["ai"] else s["side"])
            for s in self.seats
            if not s["spectator"]
        )
        return Match(seats, self.winners, self.seconds, tuple(self.starts))

    def to_dict(self) -> dict[str, Any]:
        return {
            "path": self.path, "state": self.state, "game_id": self.game_id, "map": self.map, "game": self.game,
            "engine": self.engine, "started": self.started, "seconds": self.seconds, "last_frame": self.last_frame,
            "result": None if self.winners is None else {"winners": list(self.winners), "source": self.result_source},
            "players": self.seats, "totals": {str(team): totals for team, totals in self.totals.items()},
        }  # fmt: skip


_FILES = (
    "id, path, state, game_id, map, game, engine, started, seconds, last_frame, winners, result_source, unit_names,"
    " extent_x, extent_z"
)
_READABLE = (State.HEADER, State.FULL, State.PARTIAL, State.GROWING)


@dataclass(frozen=True, slots=True)
class Selection:
    """Matches, and the files that are none: by reason."""

    matches: tuple[MatchRow, ...]
    left_out: dict[str, int]


ALL = Filter()
A_MINUTE = Filter(under_a_minute=False)


def select(db: sqlite3.Connection, wanted: Filter = ALL) -> Selection:
    """The matches of an index in the order of their start, each once, remixes left out."""
    where, values = _where(wanted)
    rows: list[MatchRow] = []
    seen: set[str] = set()
    out = {"remix": 0, "same game id": 0, "unreadable": 0, "under a minute": 0}
    sql = f"SELECT {_FILES}, remix FROM files {where} ORDER BY path"
    columns: list[Any]
    for *columns, winners, source, names, east, south, remix in db.execute(sql, values):
        row = MatchRow(*columns)
        row.winners = None if winners is None else tuple(json.loads(winners))
        row.result_source, row.unit_names = source, names
        row.extent = None if east is None or south is None else (east, south)
        if row.state not in _READABLE:
            out["unreadable"] += 1
        elif remix:
            out["remix"] += 1
        elif row.game_id and row.game_id in seen:
            out["same game id"] += 1
        elif not wanted.under_a_minute and 0 < row.seconds < 60:
            out["under a minute"] += 1
        else:
            seen.add(row.game_id)
            rows.append(row)
    _fill(db, rows)
    kept = [row for row in rows if _fits(row, wanted)]
    kept.sort(key=lambda row: (row.started or 0, row.path))
    return Selection(tuple(kept), {reason: n for reason, n in out.items() if n})


def _where(wanted: Filter) -> tuple[str, list[Any]]:
    """What the files' own columns can answer."""
    tests: list[tuple[str, Any]] = [
        ("map_base = ?", family(wanted.map) if wanted.map is not None else None),
        ("map = ?", wanted.map_version), ("engine = ?", wanted.engine), ("game = ?", wanted.game),
        ("started >= ?", wanted.started_from), ("started <= ?", wanted.started_until),
    ]  # fmt: skip
    given = [(test, value) for test, value in tests if value is not None]
    if wanted.player is not None:
        given.append(("id IN (SELECT file FROM players WHERE name = ? AND NOT spectator AND NOT ai)", wanted.player))
    return ("WHERE " + " AND ".join(test for test, _ in given) if given else ""), [value for _, value in given]


def _fits(row: MatchRow, wanted: Filter) -> bool:
    playing = [s for s in row.seats if not s["spectator"]]
    if wanted.players is not None and len(playing) != wanted.players:
        return False
    if wanted.sides is not None and arrangement(row.as_match()) != wanted.sides:
        return False
    if wanted.result is None:
        return True
    if wanted.result in ("known", "none"):
        return (row.winners is not None) == (wanted.result == "known")
    return wanted.player is not None and row.won(wanted.player) is (wanted.result == "won")


def _fill(db: sqlite3.Connection, rows: Sequence[MatchRow]) -> None:
    """Adds players, totals and starts of many matches with one query each."""
    by_id = {row.file: row for row in rows}
    for file, *values in _of_files(db, "players", by_id):
        keys = ("player", "name", "team", "ally_team", "spectator", "ai", "side", "commands")
        seat = dict(zip(keys, values, strict=True))
        seat |= {"spectator": bool(seat["spectator"]), "ai": bool(seat["ai"])}
        by_id[file].seats.append(seat)
    for file, team, *values in _of_files(db, "totals", by_id):
        by_id[file].totals[team] = dict(zip(KEPT_METRICS, values, strict=True))
    for file, team, x, z in _of_files(db, "starts", by_id):
        by_id[file].starts.append((team, x, z))


def _of_files(db: sqlite3.Connection, table: str, files: Mapping[int, Any]) -> Iterable[tuple[Any, ...]]:
    """The rows of a table that belong to these files: whole where they are most of it, else by file."""
    if len(files) > 500:
        yield from (row for row in db.execute(f"SELECT * FROM {table} ORDER BY rowid") if row[0] in files)
        return
    marks = ", ".join("?" * len(files))
    yield from db.execute(f"SELECT * FROM {table} WHERE file IN ({marks}) ORDER BY rowid", list(files))


def totals(matches: Sequence[MatchRow]) -> dict[str, Any]:
    """Whole-match figures summed over matches: how many have them, and those that have none."""
    figures: dict[str, list[float]] = {key: [] for key in KEPT_METRICS}
    for row in matches:
        for key in KEPT_METRICS:
            figure = match_figure(BY_KEY[key], {team: float(found[key]) for team, found in row.totals.items()})
            if figure is not None:
                figures[key].append(figure)
    return {
        "matches": len(matches),
        "with_result": sum(row.winners is not None for row in matches),
        "seconds": sum(row.seconds for row in matches),
        "with_totals": sum(bool(row.totals) for row in matches),
        "without_totals": sum(not row.totals for row in matches),
        "metrics": {
            key: {
                "label": BY_KEY[key].label,
                "unit": BY_KEY[key].unit,
                "sum": sum(values),
                "best": max(values, default=None),
            }
            for key, values in figures.items()
        },
        "source": "trailer, as whole numbers",
    }


Namer = Callable[[MatchRow], "Named"]
STREAM_NAMES = "stream names"


@dataclass(frozen=True, slots=True)
class Named:
    """The unit list of one match, and what became of a team's units where the match was analysed."""

    units: UnitList | None
    source: str = ""  # engine, archive, folder, stream names
    outcomes: Callable[[int], Mapping[str, tuple[int, int]]] | None = None  # team -> unit key -> finished, died


def stream_names(db: sqlite3.Connection) -> Namer:
    """Lists of names alone, from the payloads the game itself sent: no costs and no kinds."""
    made: dict[str, UnitList] = {}

    def name(row: MatchRow) -> Named:
        if row.unit_names is None:
            return Named(None)
        if row.unit_names not in made:
            found = db.execute("SELECT names FROM name_lists WHERE digest = ?", (row.unit_names,)).fetchone()
            made[row.unit_names] = UnitList(tuple(UnitDef(key) for key in json.loads(found[0] if found else "[]")))
        return Named(made[row.unit_names], STREAM_NAMES)

    return name


@dataclass(frozen=True, slots=True)
class Dossier:
    player: str
    games: int
    with_result: int
    won: int
    rates: dossiers.Rates
    units: dossiers.UnitsOrderedOverGames
    sources: dict[str, int]  # unit list source -> games
    rates_source: str = "trailer totals in whole numbers, header length"
    units_source: str = "stream, named by each game's own list; finished and died: event log"


def dossier(db: sqlite3.Connection, player: str, matches: Sequence[MatchRow], name: Namer) -> Dossier:
    """The player's games: rates, results and the units ordered. `name` finds each match's unit list."""
    mine = [(row, seat) for row in matches if (seat := row.seat_of(player)) is not None]
    games = [
        dossiers.Game(row.path, row.seconds, row.totals.get(seat["team"]), seat["team"], row.won(player), row.started)
        for row, seat in mine
    ]
    rows = {row.file: row for row, _ in mine}
    orders: dict[int, list[tuple[Any, ...]]] = {file: [] for file in rows}
    for file, *values in _of_files(db, "ordered", rows):
        orders[file].append(tuple(values))
    sources: dict[str, int] = {}
    given = [_order_game(row, seat, player, orders[row.file], name(row), sources) for row, seat in mine]
    return Dossier(
        player=player,
        games=len(mine),
        with_result=sum(game.won is not None for game in games),
        won=sum(game.won is True for game in games),
        rates=dossiers.rates(games, KEPT_METRICS),
        units=dossiers.units_over_games(given),
        sources=sources,
    )


def _order_game(
    row: MatchRow, seat: Mapping[str, Any], player: str, orders: Sequence[tuple[Any, ...]], named: Named,
    sources: dict[str, int],
) -> dossiers.OrderGame:  # fmt: skip
    if named.units is not None:
        sources[named.source] = sources.get(named.source, 0) + 1
    seats = [
        dossiers.SeatOrder(owner == seat["player"] and ai_team < 0, definition, placed, queued, units)
        for owner, ai_team, definition, placed, queued, units in orders
    ]
    outcomes = named.outcomes(seat["team"]) if named.outcomes is not None and seat["team"] is not None else None
    return dossiers.OrderGame(row.game, row.won(player), seats, named.units, named.source == "engine", outcomes,
                              named.source == STREAM_NAMES)  # fmt: skip


def matchup(matches: Sequence[MatchRow], one: str, other: str) -> dict[str, Any]:
    """Games two players were in: on opposing sides with who won, on one side, and those without a result."""
    found = {"games": 0, "opposed": 0, "opposed_with_result": 0, "won_by_first": 0, "won_by_second": 0, "allied": 0,
             "no_side": 0, "seconds": 0}  # fmt: skip
    for row in matches:
        a, b = row.seat_of(one), row.seat_of(other)
        if a is None or b is None:
            continue
        found["games"] += 1
        if a["ally_team"] is None or b["ally_team"] is None:
            found["no_side"] += 1
        elif a["ally_team"] == b["ally_team"]:
            found["allied"] += 1
        else:
            found["opposed"] += 1
            found["seconds"] += row.seconds
            found["opposed_with_result"] += row.winners is not None
            found["won_by_first"] += row.won(one) is True
            found["won_by_second"] += row.won(other) is True
    return {
        "players": [one, other],
        **found,
        "source": "script teams and sides, trailer or stream winners, header length",
    }
