"""`ksreplay library`: an index over a folder of Spring demos, and questions to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ksreplay.cli.common import Reading, columns_text, echo_json, reading_options
from ksreplay.cli.library_events import events_command
from ksreplay.cli.library_map import map_command, name_command, set_map_command
from ksreplay.cli.library_match import match_command
from ksreplay.cli.library_options import filter_options, index_options, naming_of, naming_options, opened
from ksreplay.text import printable

if TYPE_CHECKING:
    from ksreplay.library.queries import Filter, Selection

F = TypeVar("F", bound=Callable[..., Any])


def _left_out(selection: Selection) -> str:
    return ", ".join(f"{n} {reason}" for reason, n in selection.left_out.items())


@click.group("library")
@click.option(
    "--private", is_flag=True, expose_value=False, help="Accepted everywhere; an index keeps nothing private."
)
def library_command() -> None:
    """An index over a folder of Spring demos, and questions to it.

    \b
    Examples:
    ksreplay library index demos/                      read what is new or changed
    ksreplay library list demos/ --map "Tabula"        the matches of a map, every version of it
    ksreplay library dossier demos/ NAME               a player's results, rates and units ordered
    ksreplay library map demos/ "Tabula v6" --size 8192x4096 --plot tabula.png
    """


@library_command.command("index")
@index_options
@click.option("--jobs", "-j", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that read.")
@click.option("--retry", is_flag=True, help="Read partial and failed files again, though they have not changed.")
@reading_options
def index_command(folder: str, index: str | None, as_json: bool, jobs: int, retry: bool, reading: Reading) -> None:
    """Bring the index of FOLDER up to date: headers first, then whole files; only what is new or changed.

    Example: ksreplay library index ~/demos --jobs 2
    """
    from ksreplay.library.read import read_demo

    def progress(phase: str, done: int, total: int) -> None:
        if done == total or done % 256 == 0:
            reading.note(f"{phase}: {done:,} of {total:,}")

    with opened(folder, index, create=True) as library:
        report = library.update(partial(read_demo, limits=reading.limits), jobs=jobs, retry=retry, progress=progress)
    if as_json:
        echo_json({"folder": folder, **asdict(report)})
        return
    states = ", ".join(f"{n:,} {state}" for state, n in report.states.items())
    click.echo(f"{report.files:,} files: {report.read:,} read, {report.unchanged:,} unchanged, {report.gone:,} gone")
    click.echo(f"states: {states or 'none'}")


@library_command.command("list")
@index_options
@filter_options
@click.option("--states", is_flag=True, help="Every file with its state instead, unreadable ones too.")
@reading_options
def list_command(folder: str, index: str | None, as_json: bool, wanted: Filter, states: bool, reading: Reading) -> None:
    """The matches in FOLDER, each once; with --json one document a match."""
    from ksreplay.library.queries import select

    with opened(folder, index) as library:
        if states:
            rows = library.db.execute("SELECT path, state, size, error FROM files ORDER BY path").fetchall()
            documents = [dict(zip(("path", "state", "bytes", "error"), row, strict=True)) for row in rows]
            if as_json:
                for document in documents:
                    echo_json(document)
            else:
                click.echo(
                    columns_text([(d["state"], printable(d["path"]), printable(d["error"], 80)) for d in documents])
                )
            return
        found = select(library.db, wanted)
    if as_json:
        for row in found.matches:
            echo_json(row.to_dict())
        return
    lines = []
    for row in found.matches:
        playing = [s["name"] for s in row.seats if not s["spectator"]]
        won = "no result" if row.winners is None else "won by side " + ", ".join(map(str, row.winners))
        names = printable(", ".join(playing), 80)
        lines.append(
            (_date(row.started), _clock(row.seconds), printable(row.map, 40), won, names, printable(row.path, 60))
        )
    if lines:
        click.echo(columns_text(lines))
    reading.note(f"{len(found.matches):,} matches" + (f"; left out: {_left_out(found)}" if found.left_out else ""))


def _date(started: int | None) -> str:
    from ksreplay.semantics.spring.analysis.csv_exports import utc

    return utc(started)[:16].replace("T", " ")


def _clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


@library_command.command("totals")
@index_options
@filter_options
@reading_options
def totals_command(folder: str, index: str | None, as_json: bool, wanted: Filter, reading: Reading) -> None:
    """Sums over the matches in FOLDER, by the trailers' totals."""
    from ksreplay.library.queries import select, totals

    with opened(folder, index) as library:
        found = select(library.db, wanted)
    document = totals(found.matches) | {"left_out": found.left_out}
    if as_json:
        echo_json(document)
        return
    counts = (("matches", "matches"), ("with_result", "with a result"), ("with_totals", "with totals"))
    click.echo(", ".join(f"{document[k]:,} {w}" for k, w in counts) + f"; {_clock(document['seconds'])} in all")
    rows = [(m["label"], f"{m['sum']:,.0f}", m["unit"]) for m in document["metrics"].values()]
    click.echo(columns_text(rows, "  "))
    click.echo(f"source: {document['source']}" + (f"; left out: {_left_out(found)}" if found.left_out else ""))


@library_command.command("dossier")
@index_options
@click.argument("player")
@filter_options
@naming_options
@reading_options
def dossier_command(
    folder: str, index: str | None, as_json: bool, player: str, wanted: Filter, unit_lists: str | None,
    analyses: str | None, reading: Reading,
) -> None:  # fmt: skip
    """PLAYER's results, rates and units ordered over the matches in FOLDER.

    A rate is the mean of each game's own rate, with the median; orders are not units built.
    """
    from dataclasses import replace

    from ksreplay.library.queries import dossier, select

    with opened(folder, index) as library:
        matches = select(library.db, replace(wanted, player=player)).matches
        found = dossier(library.db, player, matches, naming_of(library, unit_lists, analyses))
    if as_json:
        echo_json(json.loads(json.dumps(asdict(found))))
        return
    click.echo(f"{printable(player)}: {found.games} games, won {found.won} of {found.with_result} with a result")
    if not found.games:
        reading.note("no match has a player of exactly this name; `ksreplay library list` shows who played")
        return
    rows = [("a minute", "mean", "median", "games")]
    for key, s in (*found.rates.per_minute.items(), *found.rates.ratios.items()):
        rows.append((key, _number(s.mean), _number(s.median), str(s.matches)))
    click.echo(columns_text(rows, "  "))
    if found.rates.left_out:
        click.echo("  left out: " + ", ".join(f"{n} {reason}" for reason, n in found.rates.left_out.items()))
    units = found.units
    click.echo(f"units ordered (orders, not units built), {units.counted} of {units.games} games")
    heads = ("unit", "kind", "games", "units", "metal", "won")
    table = [(*heads, "finished", "died", "of analysed") if units.analysed else heads]
    for row in units.rows[:40]:
        known = "" if row.unpriced == row.units else f"{row.metal:,.0f}"
        cells = (printable(row.name, 40), row.category, str(row.games), f"{row.units:,}", known,
                 f"{row.won} of {row.with_result}")  # fmt: skip
        more = (f"{row.finished:,}", f"{row.died:,}", f"{row.analysed_units:,} ordered")
        table.append((*cells, *more) if units.analysed else cells)
    click.echo(columns_text(table, "  "))
    notes = [f"{n} games: {reason}" for reason, n in units.left_out.items()]
    notes += [f"{n} games named by {source}" for source, n in found.sources.items()]
    if notes:
        click.echo("  " + "; ".join(notes))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


@library_command.command("matchup")
@index_options
@click.argument("one")
@click.argument("other")
@filter_options
@reading_options
def matchup_command(
    folder: str, index: str | None, as_json: bool, one: str, other: str, wanted: Filter, reading: Reading
) -> None:
    """How often ONE and OTHER met, on which sides, and who won."""
    from dataclasses import replace

    from ksreplay.library.queries import matchup, select

    with opened(folder, index) as library:
        found = matchup(select(library.db, replace(wanted, player=one)).matches, one, other)
    if as_json:
        echo_json(found)
        return
    a, b = printable(one), printable(other)
    click.echo(
        f"{a} and {b}: {found['games']} games, {found['opposed']} on opposing sides, {found['allied']} on one side"
    )
    click.echo(f"of {found['opposed_with_result']} opposed with a result {a} won {found['won_by_first']}, "
               f"{b} won {found['won_by_second']}")  # fmt: skip


@library_command.command("metrics")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@reading_options
def metrics_command(as_json: bool, reading: Reading) -> None:
    """The metrics of the trailer's samples and the ratios of them, by their keys."""
    from ksreplay.semantics.spring.analysis.metrics import METRICS, RATIOS

    if as_json:
        echo_json({"metrics": [asdict(m) for m in METRICS], "ratios": [asdict(r) for r in RATIOS]})
        return
    click.echo(columns_text([(m.key, m.label, m.unit, m.group, m.column) for m in METRICS]))
    click.echo(columns_text([(r.key, r.label, f"{r.numerator} / {r.denominator}") for r in RATIOS]))


for _command in (map_command, set_map_command, name_command, match_command, events_command):
    library_command.add_command(_command)
