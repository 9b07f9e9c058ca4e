"""`ksreplay library match`: one demo's figures: the match chart, and what was ordered against a unit list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ksreplay.cli.common import Reading, columns_text, echo_json, exit_on_error, reading_options
from ksreplay.cli.library_options import size_option
from ksreplay.errors import ReplayError
from ksreplay.text import printable

if TYPE_CHECKING:
    from ksreplay.replay import Replay
    from ksreplay.semantics.spring.analysis.unit_list import UnitList


@click.command("match")
@click.argument("demo")
@click.option("--unit-lists", type=click.Path(exists=True, file_okay=False), help="Folder of kept unit lists.")
@click.option(
    "--unit-log", type=click.Path(exists=True, dir_okay=False), help="An event log with the engine's own list."
)
@click.option("--unit-list", type=click.Path(exists=True, dir_okay=False), help="A unit list as JSON (may be gzip).")
@click.option("--minutes", type=float, help="Orders of the first minutes alone.")
@click.option("--chart-csv", type=click.Path(dir_okay=False), help="Write the match chart of --metric.")
@click.option("--metric", default="metalProduced", show_default=True, help="A key of the metric registry.")
@click.option("--view", type=click.Choice(["players", "teams"]), default="players", show_default=True)
@click.option("--per-minute", is_flag=True, help="Rates instead of running totals.")
@click.option("--size", callback=size_option, metavar="WxH", help="The map's size in elmos, for what needs it.")
@click.option(
    "--cells-csv", type=click.Path(dir_okay=False), help="Write starts, buildings and orders by cell (needs --size)."
)
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@reading_options
def match_command(
    demo: str, unit_lists: str | None, unit_list: str | None, unit_log: str | None,
    minutes: float | None, chart_csv: str | None, metric: str,
    view: Any, per_minute: bool, size: tuple[float, float] | None, cells_csv: str | None, force: bool,
    as_json: bool, reading: Reading,
) -> None:  # fmt: skip
    """One demo's figures by team, and with a unit list what was ordered by kind and cost.

    Example: ksreplay library match match.sdfz --unit-lists replay-unit-def-sets --minutes 5
    """
    from ksreplay.library.chart import chart_csv as chart
    from ksreplay.library.picture import write_text
    from ksreplay.replays.spring_costs import priced
    from ksreplay.semantics.spring.analysis.metrics import BY_KEY

    if metric not in BY_KEY:
        raise click.UsageError(f"no metric {metric!r}; there are {', '.join(BY_KEY)}")
    if cells_csv and size is None:
        raise click.UsageError("--cells-csv needs --size")
    with exit_on_error(demo, as_json), reading.open(demo) as replay:
        if replay.format != "spring":
            raise click.UsageError("this is no Spring demo")
        units, source = _units(replay, unit_lists, unit_list, unit_log)
        document: dict[str, Any] = {"file": demo, "metrics": list(replay.tables["team_metrics"].rows())}
        document["left_out"] = list(replay.tables["left_out"].rows())
        if units is not None:
            found = priced(replay, units, minutes=minutes, engine_list=source == "engine")
            document["ordered"] = {
                "unit_list": source, "units_listed": len(units), "orders": found.orders, "misfits": found.misfits,
                "minutes": minutes, "rows": list(found.cost.rows()),
            }  # fmt: skip
        if size is not None:
            document["map"] = _on_map(replay, size, cells_csv, force)
        if chart_csv:
            values: Any = "per minute" if per_minute else "cumulative"
            write_text(Path(chart_csv), chart(replay, metric, view=view, values=values), force=force)
    if as_json:
        echo_json(document)
        return
    rows = [(str(m["team"]), m["label"], f"{m['total']:,.0f}", m["unit"]) for m in document["metrics"] if m["total"]]
    click.echo(columns_text([("team", "metric", "total", "unit"), *rows]) if rows else "no team samples in the trailer")
    ordered = document.get("ordered")
    if ordered is None:
        return
    wrong = "not checked" if ordered["misfits"] is None else f"{ordered['misfits']:,} do not fit"
    click.echo(f"ordered (orders, not purchases), {source} list of {ordered['units_listed']} units: "
               f"{ordered['orders']:,} orders, {wrong}")  # fmt: skip
    lines = [("who", "kind", "units", "metal", "energy", "unpriced")]
    for row in ordered["rows"]:
        who = printable(row["player_name"] or "", 30) if row["ai_team"] is None else f"AI of team {row['ai_team']}"
        lines.append((who, row["category"], *(f"{row[key]:,.0f}" for key in ("units", "metal", "energy", "unpriced"))))
    click.echo(columns_text(lines, "  "))


def _on_map(replay: Replay, size: tuple[float, float], cells_csv: str | None, force: bool) -> dict[str, Any]:
    """What is on a map of that size: orders inside and outside each base; the cells go to a file."""
    from ksreplay.atomic import replacing
    from ksreplay.export import write_csv
    from ksreplay.replays.spring_derived import base_crops, layer_cells, stream_layers
    from ksreplay.semantics.spring.analysis.grids import Grid

    grid = Grid(*size)
    if not grid.valid:
        raise ReplayError("a map's size is two numbers above 0", code="map-size", format="library", found=f"{size}")
    if cells_csv:
        with replacing(Path(cells_csv), force=force) as file:
            write_csv(layer_cells(replay, grid), file)
    crops = base_crops(replay, grid)
    names = ("team", "west", "north", "inside", "outside")
    rows = zip(*(getattr(crops, name).tolist() for name in names), strict=True)
    layers = stream_layers(replay, grid)
    return {
        "grid": {"width": grid.width, "height": grid.height},
        "layers": {name: {"events": la.total, "off_map": la.off_map, **la.left_out} for name, la in layers.items()},
        "bases": {
            "side": crops.side,
            "no_start": crops.no_start,
            "rows": [dict(zip(names, r, strict=True)) for r in rows],
        },
    }


def _units(replay: Replay, folder: str | None, file: str | None, log: str | None) -> tuple[UnitList | None, str]:
    """The unit list that names the match's orders, and where it is from."""
    from ksreplay import events
    from ksreplay.library.unit_store import UnitStore, read_list
    from ksreplay.replays.spring_derived import match_of

    if log is not None:
        with events.open(log) as found:
            if found.units is None:
                raise ReplayError("this log holds no whole unit list", code="no-unit-list", format=found.format)
            return found.units, "engine"
    if file is not None:
        given = read_list(Path(file), replay.limits)
        if given is None:
            raise ReplayError("this is no unit list", code="no-unit-list", format="unit list", where=file)
        return given, "given"
    if folder is not None:
        kept = UnitStore(Path(folder)).list_for(match_of(replay).header.game_id.hex())
        if kept is not None:
            return kept[1], kept[0].origin
    return None, ""
