"""What Coilbox derives from demos: on every real file it adds up to the packets it comes from."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import corpus_folder

import ksreplay
from ksreplay.errors import ReplayError
from ksreplay.replays.spring import SpringReplay
from ksreplay.replays.spring_derived import DERIVED, base_crops, recorded, stream_layers
from ksreplay.semantics.spring.analysis.commands import of_match
from ksreplay.semantics.spring.analysis.grids import Grid
from ksreplay.semantics.spring.analysis.metrics import METRICS

FOLDER = corpus_folder()
DEMOS = sorted((FOLDER / "spring").rglob("*.sdf*")) if FOLDER else []
LARGE = "synthetic-large.sdfz"


@pytest.fixture(scope="module", params=DEMOS, ids=[p.name for p in DEMOS])
def demo(request: pytest.FixtureRequest) -> SpringReplay:
    try:
        replay = ksreplay.open(request.param)
    except ReplayError as error:
        pytest.skip(f"not readable: {error.code}")
    assert isinstance(replay, SpringReplay)
    return replay


def test_commands_per_minute_add_up_to_the_orders(demo: SpringReplay) -> None:
    counts = of_match(demo.match)
    good = int(demo.match.orders.good.sum())
    assert counts.orders == good
    assert counts.counts.sum() + counts.pregame + counts.unattributed + counts.trailing == good
    table = demo.tables["commands_per_minute"]
    assert table["orders"].sum() == counts.counts.sum()
    packets = dict(zip(demo.tables["packet_counts"]["name"], demo.tables["packet_counts"]["count"], strict=True))
    single = sum(int(packets.get(name, 0)) for name in ("COMMAND", "AICOMMAND", "AICOMMAND_TRACKED"))
    message = demo.match.orders.shared("message")
    several = {int(p) for p in demo.match.orders.packet[message == 3]}
    assert (message < 3).sum() == single and len(several) <= int(packets.get("AICOMMANDS", 0))


def test_build_orders_add_up(demo: SpringReplay) -> None:
    builds, orders = demo.match.builds, demo.match.orders
    # Folding joins orders of widgets and AIs and keeps their builders: the units that the packets name.
    command = orders.command_id.astype(np.int64)
    wrapped = orders.param(1)
    is_build = orders.good & (
        (command < 0) | ((command == 1) & (orders.num_params >= 3) & (np.nan_to_num(wrapped) < 0))
    )
    source = orders.shared("source")
    named = is_build & (source > 0)
    assert builds.builders[builds.source > 0].sum() == orders.named(named).sum()
    assert (builds.source == 0).sum() == (is_build & (source == 0)).sum()
    asked = ~builds.removal
    ordered, openings = demo.tables["units_ordered"], demo.tables["openings"]
    assert ordered["placed"].sum() + ordered["queued"].sum() == asked.sum() == openings["orders"].sum()
    assert ordered["units"].sum() == builds.count[asked].sum() == openings["count"].sum()
    assert ordered["removals"].sum() == builds.removal.sum()


def test_every_derived_table_says_where_it_is_from(demo: SpringReplay) -> None:
    for definition in DERIVED:
        table = demo.tables[definition.name]
        assert any(word in table.schema.source for word in ("trailer", "stream", "seed 002")), definition.name
        assert table.schema.meaning and all(column.meaning for column in table.schema)
    left = demo.tables["left_out"]
    assert (left["count"] >= 0).all() and set(left["table"]) <= set(demo.tables)
    assert set(left["source"]) <= {"trailer", "stream", "header", "script", "unit list", "event log"}


def test_figures_of_the_trailer(demo: SpringReplay) -> None:
    record = recorded(demo)
    sampled = [n for n, team in enumerate(record.teams) if team.samples]
    table = demo.tables["team_metrics"]
    assert sorted(set(table["team"].tolist())) == sampled and len(table) == len(sampled) * len(METRICS)
    sides = demo.tables["side_statistics"]
    if not sampled:
        assert len(sides) == 0 and not record.checkable
        return
    # A side's last total is the sum of its armies'.
    metal = sides.filter(sides["metric"] == "metalProduced")
    last = {side: metal["total"][metal["ally_team"] == side][-1] for side in np.unique(metal["ally_team"])}
    wanted = table.filter(table["metric"] == "metalProduced")
    for side, total in last.items():
        assert total == pytest.approx(wanted["total"][wanted["ally_team"] == side].sum())
    assert record.checkable or 0 in [team.samples for team in record.teams]


def test_layers_keep_their_sums(demo: SpringReplay) -> None:
    grid = Grid(8192, 8192)
    layers = stream_layers(demo, grid)
    aims, orders = demo.match.aims, demo.match.orders
    layer = layers["orders"]
    assert layer.total + layer.off_map + sum(layer.left_out.values()) == orders.good.sum()
    builds = demo.match.builds
    buildings = layers["buildings"]
    assert buildings.total + buildings.off_map + buildings.left_out["factory_orders"] == (~builds.removal).sum()
    assert (aims.aim == 0).sum() == layer.total + layer.off_map
    crops = base_crops(demo, grid)
    placed = (builds.placed & ~builds.removal).sum()
    assert crops.inside.sum() + crops.outside.sum() + crops.no_start == placed and crops.side == 2048
    assert len(crops.team) == len(demo.tables["start_positions"]) == layers["starts"].total + layers["starts"].off_map
