"""A player over many games: each game's own rates, and the units ordered (seed 002 "Which units a player orders").

A rate is the mean of each game's own rate with the median beside it, never total over total minutes. Orders are not
units built. What is left out is counted by its reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ksreplay.semantics.spring.analysis.classifier import BUCKETS, CATEGORIES
from ksreplay.semantics.spring.analysis.metrics import BY_KEY, RATIOS, Summary, per_minute_summary, ratio_summary
from ksreplay.semantics.spring.analysis.unit_list import UnitList
from ksreplay.semantics.spring.analysis.units_ordered import misfits

NO_LIST = "no unit list for its build"
MISFIT = "its orders do not fit its list"


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the player: the army's totals (None: the replay has none), its length, whether it was won."""

    id: str
    seconds: int
    totals: Mapping[str, float] | None
    team: int | None
    won: bool | None  # None: no result
    started: int | None = None


@dataclass(frozen=True, slots=True)
class Rates:
    """Per metric and per ratio the summary over games, with the games left out by reason."""

    games: int
    per_minute: dict[str, Summary]
    ratios: dict[str, Summary]
    left_out: dict[str, int]
    trend: tuple[tuple[int, dict[str, float]], ...]  # (started, rate by metric) of each game, in order of time


def rates(games: Sequence[Game], keys: Iterable[str]) -> Rates:
    """Rates a minute of the metrics `keys`. Games without totals, team id or length are left out and counted."""
    left_out: Counter[str] = Counter()
    used: list[Game] = []
    for game in games:
        reason = _why_out(game)
        if reason:
            left_out[reason] += 1
        else:
            used.append(game)
    seconds = [float(game.seconds) for game in used]
    figures = {key: [(game.totals or {}).get(key) for game in used] for key in BY_KEY}
    trend = [
        (
            game.started or 0,
            {key: value * 60 / game.seconds for key in keys if (value := (game.totals or {}).get(key)) is not None},
        )
        for game in sorted(used, key=lambda game: (game.started or 0, game.id))
    ]
    return Rates(
        games=len(games),
        per_minute={key: per_minute_summary(figures[key], seconds) for key in keys},
        ratios={r.key: ratio_summary(figures[r.numerator], figures[r.denominator]) for r in RATIOS},
        left_out=dict(left_out),
        trend=tuple(trend),
    )


def _why_out(game: Game) -> str:
    if game.team is None:
        return "no team id"
    if game.totals is None:
        return "no totals"
    return "" if game.seconds > 0 else "no usable length"


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """Units ordered of one unit by one seat of a game."""

    mine: bool
    definition: int
    placed: int
    queued: int
    units: int


@dataclass(frozen=True, slots=True)
class OrderGame:
    """One game's orders with the list that names them and, where it was analysed, what became of the player's units."""

    game: str  # the game's name and version
    won: bool | None
    orders: Sequence[SeatOrder]  # of every seat: a misfit of any of them leaves the game out
    units: UnitList | None
    engine_list: bool = False  # the engine's own list is not checked
    outcomes: Mapping[str, tuple[int, int]] | None = None  # unit key -> finished, died of the player's team
    names_only: bool = False  # a list of names from the stream: no costs, no kinds, nothing to check by


@dataclass
class UnitRow:
    """One unit over the games; `finished` and `died` are over its analysed games alone."""

    key: str
    game: str  # the game's name without version: two games that use one key are kept apart
    name: str
    category: str  # "" where only names are known
    games: int = 0
    units: int = 0
    metal: float = 0.0
    unpriced: int = 0
    with_result: int = 0
    won: int = 0
    analysed_games: int = 0
    analysed_units: int = 0
    finished: int = 0
    died: int = 0


@dataclass
class UnitsOrderedOverGames:
    rows: list[UnitRow]
    games: int  # given
    counted: int
    analysed: int
    unchecked: int  # named by a list that cannot be checked: the engine's own, or names alone
    left_out: dict[str, int]  # reason -> games
    orders_left_out: dict[str, int]  # reason -> the player's orders in them
    past_end: int  # the player's orders past the end of an engine's list
    metal_by_bucket: dict[str, float] = field(default_factory=dict)


def units_over_games(games: Sequence[OrderGame]) -> UnitsOrderedOverGames:
    """Add up the orders of the player over the games; a game without a list that fits it is left out whole."""
    rows: dict[tuple[str, str], UnitRow] = {}
    out: Counter[str] = Counter()
    orders_out: Counter[str] = Counter()
    counted = analysed = unchecked = past_end = 0
    metal: defaultdict[str, float] = defaultdict(float)
    for game in games:
        mine = [order for order in game.orders if order.mine]
        reason = _why_not_named(game)
        if reason or game.units is None:
            out[reason] += 1
            orders_out[reason] += sum(order.placed + order.queued for order in mine)
            continue
        counted += 1
        analysed += game.outcomes is not None
        unchecked += game.engine_list or game.names_only
        for order in mine:
            unit = game.units.named(order.definition)
            if unit is None:
                past_end += order.placed + order.queued
                continue
            category = "" if game.names_only else CATEGORIES[game.units.categories[order.definition - 1]]
            key = (_family(game.game), unit.name)
            row = rows.setdefault(key, UnitRow(unit.name, key[0], unit.human_name or unit.name, category))
            cost = (unit.metal_cost or 0.0) * order.units
            if category:
                metal[BUCKETS[category]] += cost
            row.games += 1
            row.units += order.units
            row.metal += cost
            row.unpriced += order.units if unit.metal_cost is None and unit.energy_cost is None else 0
            row.with_result += game.won is not None
            row.won += game.won is True
            if game.outcomes is not None:
                finished, died = game.outcomes.get(unit.name, (0, 0))
                row.analysed_games += 1
                row.analysed_units += order.units
                row.finished += finished
                row.died += died
    ranked = sorted(rows.values(), key=lambda row: (-row.metal, -row.units, row.game, row.key))
    return UnitsOrderedOverGames(
        ranked, len(games), counted, analysed, unchecked, dict(out), dict(orders_out), past_end, dict(metal)
    )


def _why_not_named(game: OrderGame) -> str:
    if game.units is None:
        return NO_LIST
    if game.engine_list or game.names_only:
        return ""
    d, p, q = ([getattr(order, name) for order in game.orders] for name in ("definition", "placed", "queued"))
    return MISFIT if misfits(d, p, q, game.units.mobile) else ""


def _family(game: str) -> str:
    """The game's name without its last word: `Splinter Faction 0.1.89` and `... 0.1.90` are one game."""
    head, _, last = game.strip().rpartition(" ")
    return head if head and any(c.isdigit() for c in last) else game.strip()
