"""Metrics, rates, commands per minute, the opening: golden cases 35-37, 40, 41, 45-48 of the fact sheet."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.semantics.spring.analysis import opening
from ksreplay.semantics.spring.analysis.commands import SOURCES, CommandCounts, count_commands
from ksreplay.semantics.spring.analysis.metrics import (
    BY_KEY,
    METRICS,
    RATIOS,
    library_total,
    match_figure,
    per_minute_summary,
    ratio_summary,
    summarise,
)
from ksreplay.semantics.spring.analysis.rates import apm, on_axis, per_minute, seconds_per_frame, side_total


def test_the_registry() -> None:
    assert len(METRICS) == len(BY_KEY) == 19
    assert [m.key for m in METRICS if m.roster] == [
        "metalProduced",
        "energyProduced",
        "damageDealt",
        "damageReceived",
        "unitsProduced",
        "unitsDied",
        "unitsKilled",
    ]
    assert [m.key for m in METRICS if m.headline] == ["damageDealt", "unitsProduced"]
    assert [m.key for m in METRICS if not m.chart] == [
        "unitsReceived",
        "unitsSent",
        "unitsCaptured",
        "unitsOutCaptured",
    ]
    assert BY_KEY["unitsOutCaptured"].column == "units_out_captured" and BY_KEY["unitsDied"].integer
    assert all(r.numerator in BY_KEY and r.denominator in BY_KEY for r in RATIOS)


def test_per_minute() -> None:
    assert per_minute([1006, 1096, 1300], [0, 15, 30]).tolist() == [360, 360, 816]
    assert per_minute([0, 90, 300], [0, 30, 60]).tolist() == [180, 180, 420]
    assert np.isnan(per_minute([5], [0])).all() and len(per_minute([], [])) == 0
    assert np.isnan(per_minute([0, 1], [3, 3])).all()
    assert on_axis([0, 450], [1, 2], [0, 450, 900], hold=False).tolist()[:2] == [1, 2]
    assert math.isnan(on_axis([0, 450], [1, 2], [0, 450, 900], hold=False)[2])


def test_sides() -> None:
    axis, total = side_total([([0, 450, 900], [1, 2, 3]), ([0, 450], [10, 20])])
    assert axis.tolist() == [0, 450, 900] and total.tolist() == [11, 22, 23]
    assert side_total([([0, 450], [1, 2]), ([450], [20])])[1].tolist() == [1, 22]
    assert side_total([([0], [177.93333435058594]), ([0], [299.9994201660156])])[1].tolist() == [477.93275451660156]
    assert side_total([([0], [103667.1640625]), ([0], [223599.4375])])[1].tolist() == [327266.6015625]
    assert len(side_total([])[0]) == 0


def test_frames_in_seconds() -> None:
    assert seconds_per_frame(15, [[0], [0, 450, 900]]) == 15 / 450
    assert seconds_per_frame(15, [[0], []]) == 1 / 30


def test_library_figures() -> None:
    assert library_total(1234.6) == 1235 and library_total(0.5) == 1 and library_total(-0.5) == -1
    teams = {0: 100.0, 1: 250.0}
    assert match_figure(BY_KEY["damageDealt"], teams) == 350 and match_figure(BY_KEY["metalProduced"], teams) == 250
    assert match_figure(BY_KEY["metalProduced"], teams, 0) == 100
    assert match_figure(BY_KEY["damageDealt"], {}) is None and match_figure(BY_KEY["damageDealt"], teams, 7) is None
    assert apm(120, 60) == 120 and apm(120, 0) is None


def test_means_of_each_matchs_own_rate() -> None:
    found = summarise([100, 200, 50, 200])
    assert (found.mean, found.median, found.matches) == (137.5, 150, 4)
    assert per_minute_summary([100, None, 50], [60, 60, 0]).matches == 1
    assert ratio_summary([10, 30], [5, 10]).mean == 2.5 and ratio_summary([1, 100], [1, 10]).mean == 5.5
    nothing = ratio_summary([3], [0])
    assert (nothing.mean, nothing.no_denominator) == (None, 1)
    assert ratio_summary([0], [5]).mean == 0 and ratio_summary([None], [5]).no_figure == 1


APPEND = opening.SLOTS.index("append")


def orders(*rows: tuple[int, int, int]) -> tuple[list[int], list[int], list[int]]:
    frame, team, source = zip(*rows, strict=True)
    return list(frame), list(team), list(source)


def test_commands_in_buckets() -> None:
    found = count_commands(*orders(*((f, 7, 0) for f in (0, 449, 450, 450, 900))), last_frame=1350, period_seconds=15)
    assert found.counts.tolist() == [[2, 2, 1]] and found.team.tolist() == [7]
    cut = count_commands(*orders((0, 1, 0), (460, 1, 0), (460, 1, 0)), last_frame=460, period_seconds=15)
    assert (cut.counts.tolist(), cut.trailing) == ([[1]], 2)
    late = count_commands(*orders((500, 1, 0)), last_frame=900, period_seconds=15)
    assert late.counts.tolist() == [[0, 1]]
    lost = count_commands(*orders((-1, 1, 0), (30, -1, 0)), last_frame=900, period_seconds=15)
    assert (lost.pregame, lost.unattributed, len(lost.team)) == (1, 1, 0)
    default = count_commands([], [], [], last_frame=0, period_seconds=0)
    assert (default.period, default.period_is_default) == (15, True)


def test_command_rates() -> None:
    rows = [(0, 0, 0)] * 15 + [(450, 0, 0)] * 30
    found = count_commands(*orders(*rows), last_frame=1350, period_seconds=15)
    assert found.seconds.tolist() == [15, 30, 45] and found.rates.tolist() == [[60, 120, 0]]
    two = count_commands(*orders((0, 0, 0), (0, 1, 0), (1, 1, 0)), last_frame=450, period_seconds=15)
    assert two.rates.sum(axis=0).tolist() == [12]


@given(
    st.lists(st.tuples(st.integers(-1, 3000), st.integers(-1, 3), st.integers(0, 2)), max_size=60), st.integers(0, 3000)
)
def test_every_order_is_counted_once(rows: list[tuple[int, int, int]], last_frame: int) -> None:
    found = count_commands(*(orders(*rows) if rows else ([], [], [])), last_frame=last_frame, period_seconds=15)
    assert found.counts.sum() + found.pregame + found.unattributed + found.trailing == len(rows)
    assert (found.counts.sum(axis=1) > 0).all() and (found.source < len(SOURCES)).all()


@given(
    st.lists(
        st.tuples(st.integers(-1, 3000), st.integers(-1, 3), st.integers(0, 2), st.integers(0, 3)),
        min_size=1,
        max_size=30,
    ),
    st.integers(0, 4),
)
def test_rows_of_several_orders_count_as_often(rows: list[tuple[int, int, int, int]], most: int) -> None:
    frame, team, source, times = (list(column) for column in zip(*rows, strict=True))
    together = count_commands(frame, team, source, times, last_frame=3000, period_seconds=15, max_counts=most)
    apart = [list(np.repeat(column, times)) for column in (frame, team, source)]
    one_by_one = count_commands(*apart, last_frame=3000, period_seconds=15, max_counts=most)
    for name in CommandCounts.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(together, name), getattr(one_by_one, name))


def folded(*rows: tuple[int, int, int, str, int]) -> list[tuple[int, int, int, int]]:
    """(frame, definition, count, slot, origin) of one seat -> (definition, count, orders, frame)."""
    frame, definition, count, slot, origin = zip(*rows, strict=True)
    found = opening.fold([0] * len(rows), frame, definition, count, [opening.SLOTS.index(s) for s in slot], origin)
    return list(zip(*(a.tolist() for a in (found.definition, found.count, found.orders, found.frame)), strict=True))


def test_the_opening_folds() -> None:
    assert folded(
        (30, 1, 1, "append", 0), (30, 1, 1, "append", 0), (60, 1, 1, "append", 0), (90, 2, 1, "append", 0)
    ) == [(1, 3, 3, 30), (2, 1, 1, 90)]
    assert folded((1, 3, 5, "append", 0), (2, 3, 20, "append", 0), (3, 3, 1, "append", 0)) == [(3, 26, 3, 1)]
    assert len(folded((1, 3, 1, "append", 0), (1, 3, 1, "replace", 0))) == 2
    assert folded((1, 3, 1, "replace", 0), (1, 3, 1, "append", 0), (1, 3, 1, "append", 0)) == [(3, 3, 3, 1)]
    assert len(folded((1, 3, 1, "append", 0), (1, 3, 1, "front", 0), (1, 3, 1, "append", 0))) == 3
    assert [e[1] for e in folded((1, 3, 1, "append", 0), (1, 3, 1, "append", 1), (1, 3, 1, "append", 1))] == [1, 2]


def test_the_opening_keeps_seats_apart() -> None:
    found = opening.fold([1, 0, 1, 0], [1, 2, 3, 4], [9] * 4, [1] * 4, [APPEND] * 4, [0] * 4)
    assert found.seat.tolist() == [0, 1] and found.count.tolist() == [2, 2] and found.frame.tolist() == [2, 1]
    assert len(opening.fold([], [], [], [], [], []).seat) == 0


@given(
    st.lists(
        st.tuples(st.integers(1, 2), st.integers(1, 20), st.sampled_from(opening.SLOTS), st.integers(0, 1)), min_size=1
    )
)
def test_folding_keeps_the_sum_and_a_folded_list_stays(rows: list[tuple[int, int, str, int]]) -> None:
    found = folded(*((i, d, c, s, o) for i, (d, c, s, o) in enumerate(rows)))
    assert sum(e[1] for e in found) == sum(r[1] for r in rows) and sum(e[2] for e in found) == len(rows)
    starts = [e[3] for e in found]  # the frame is the row's number
    again = folded(*((i, rows[i][0], e[1], rows[i][2], rows[i][3]) for i, e in zip(starts, found, strict=True)))
    assert [e[:2] for e in again] == [e[:2] for e in found]


def test_the_cut() -> None:
    assert opening.up_to([-5, 1800, 1801], 1.0).tolist() == [True, True, False]
    assert opening.up_to([1, 99999], None).all()
    assert [opening.cut_minutes(t) for t in ("", "soon", "-3", "2", " 2.5 ", "nan", "1e3")] == [
        None,
        None,
        None,
        2,
        2.5,
        None,
        None,
    ]


def test_the_cost_of_what_was_ordered() -> None:
    found = opening.cost([1, 2, 3, 9, 0], [2, 3, 4, 5, 6], [50.0, math.nan, math.nan], [500.0, 10.0, math.nan])
    assert (found.metal, found.energy, found.unpriced) == (100.0, 1030.0, 4 + 5 + 6)
