"""`ksreplay library map`, `set-map` and `name`: how a map is played, over the matches of an index."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ksreplay.cli.common import Reading, echo_json, exit_on_error, reading_options
from ksreplay.cli.library_options import (
    filter_options,
    index_options,
    naming_of,
    naming_options,
    opened,
    places_option,
    size_option,
    window_option,
)
from ksreplay.text import printable

if TYPE_CHECKING:
    from ksreplay.library.queries import Filter


@click.command("set-map")
@index_options
@click.argument("map_name", metavar="MAP")
@click.option("--size", required=True, callback=size_option, metavar="WxH", help="Its size in elmos.")
@click.option("--start", "starts", multiple=True, callback=places_option, metavar="X,Z",
              help="A start position that the map declares, in its order.")  # fmt: skip
@reading_options
def set_map_command(
    folder: str, index: str | None, as_json: bool, map_name: str, size: tuple[float, float],
    starts: list[tuple[float, float]], reading: Reading,
) -> None:  # fmt: skip
    """Tell the index the size of MAP (its exact name) and its declared start positions: a replay holds neither."""
    from ksreplay.library.maps import set_map

    with opened(folder, index) as library:
        set_map(library.db, map_name, *size, "given", starts)
    if as_json:
        echo_json({"map": map_name, "size": list(size), "starts": starts, "source": "given"})


@click.command("name")
@index_options
@click.argument("map_name", metavar="MAP")
@click.argument("key")
@click.argument("name")
@reading_options
def name_command(
    folder: str, index: str | None, as_json: bool, map_name: str, key: str, name: str, reading: Reading
) -> None:
    """Give the start position KEY (such as c3:7 or d2) of MAP a NAME; an empty NAME takes it away."""
    from ksreplay.library.maps import name_position
    from ksreplay.library.picture import gather
    from ksreplay.semantics.spring.analysis.starts import Name

    with opened(folder, index) as library:
        found = gather(library, map_name)
        at = {row.position.key: row.position for row in found.records.rows}
        if name and key not in at:
            raise click.UsageError(f"no position {key!r} on this map; there are {', '.join(at) or 'none'}")
        place = at.get(key)
        name_position(library.db, map_name, Name(key, place.x if place else 0, place.z if place else 0, name))
    if as_json:
        echo_json({"map": map_name, "key": key, "name": name})


@click.command("map")
@index_options
@click.argument("map_name", metavar="MAP")
@filter_options
@naming_options
@click.option(
    "--layer",
    default="orders",
    show_default=True,
    type=click.Choice(["starts", "buildings", "defences", "economy", "orders", "deaths"]),
)
@click.option("--scaling", default="share", show_default=True, type=click.Choice(["share", "peak", "rate"]))
@click.option(
    "--window",
    default="whole",
    show_default=True,
    callback=window_option,
    metavar="WINDOW",
    help="whole, first:5, last:5, or minutes such as 5-8, on each match's own clock.",
)
@click.option("--size", callback=size_option, metavar="WxH", help="The map's size in elmos; kept in the index.")
@click.option("--leave-out", multiple=True, metavar="NAME", help="A version of the map, or of the game, to leave out.")
@click.option("--under-a-minute", is_flag=True, help="Matches under a minute too.")
@click.option("--analysed", is_flag=True, help="Matches with an analysis in --analyses alone.")
@click.option(
    "--replays",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A set of replays: a path in the folder, or a game id, a line.",
)
@click.option("--layer-csv", type=click.Path(dir_okay=False), help="Write the layer's cells.")
@click.option("--starts-csv", type=click.Path(dir_okay=False), help="Write the start positions.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Write the picture (.png, .svg).")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@reading_options
def map_command(
    folder: str, index: str | None, as_json: bool, map_name: str, wanted: Filter, unit_lists: str | None,
    analyses: str | None, layer: str, scaling: Any, window: Any, size: tuple[float, float] | None,
    leave_out: tuple[str, ...], under_a_minute: bool, analysed: bool,
    replays: str | None,
    layer_csv: str | None, starts_csv: str | None, plot: str | None, force: bool,
    reading: Reading,
) -> None:  # fmt: skip
    """How MAP is played: every match on it in one picture, and the records under it.

    Each match is scaled, then the matches are averaged: by share of its events, by its busiest spot, or by rate.
    """
    from ksreplay.library import picture as pictures

    if analysed and analyses is None:
        raise click.UsageError("--analysed needs --analyses")
    with opened(folder, index) as library, exit_on_error(map_name):
        naming = naming_of(library, unit_lists, analyses)
        found = pictures.gather(
            library, map_name, replace(wanted, under_a_minute=under_a_minute), size=size, leave_out=leave_out,
            only=None if replays is None else frozenset(Path(replays).read_text("utf-8", "replace").splitlines()),
            analysed=naming.analyses.game_ids() if analysed and naming.analyses else None,
        )  # fmt: skip
        drawn = pictures.draw(library, found, layer, naming, scaling=scaling, window=window)
        for path, text in ((layer_csv, drawn.layer_csv), (starts_csv, drawn.starts_csv)):
            if path:
                pictures.write_text(Path(path), text(), force=force)
        if plot:
            from ksreplay.plots import spring_maps

            spring_maps.save(drawn.figure(), Path(plot), force=force)
    if as_json:
        echo_json(drawn.to_dict())
        return
    for line in drawn.lines():
        click.echo(printable(line, 400))
