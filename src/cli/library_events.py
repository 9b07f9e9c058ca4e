"""`ksreplay library events`: an event log, its tables, and whether it reproduces a demo."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ksreplay.cli.common import Reading, echo_json, exit_on_error, reading_options
from ksreplay.text import printable


@click.command("events")
@click.argument("log", metavar="LOG")
@click.option("--demo", metavar="FILE", help="Check the log against this demo's trailer; exit 1 where they disagree.")
@click.option("--engine-output", type=click.Path(exists=True, dir_okay=False), help="The run's output, for desyncs.")
@click.option("--table", "-t", "tables", multiple=True, help="Tables to write (patterns); all without.")
@click.option("--format", "kind", type=click.Choice(["csv", "ndjson", "parquet", "arrow"]), default="csv")
@click.option("-o", "--output", type=click.Path(), help="Folder for the tables.")
@click.option(
    "--plot", "picture", type=(click.Choice(["deaths", "damage", "paths", "living"]), click.Path(dir_okay=False)),
    metavar="KIND FILE", help="Draw deaths, damage, paths or living into a .png or .svg.",
)  # fmt: skip
@click.option(
    "--store",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Keep the log as an analysis of the demo, if it reproduces it; else the figures that disagreed.",
)
@click.option(
    "--keep-list",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Keep the engine's unit list of a log that reproduces the demo.",
)
@click.option(
    "--same-game/--other-game",
    default=None,
    help="Whether the run used the game the demo records; without, its names are compared.",
)
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@reading_options
def events_command(
    log: str, demo: str | None, engine_output: str | None, tables: tuple[str, ...], kind: str, output: str | None,
    picture: tuple[str, str] | None, store: str | None, keep_list: str | None, same_game: bool | None, force: bool,
    as_json: bool, reading: Reading,
) -> None:  # fmt: skip
    """An event log (.jsonl) or a stored analysis (.jsonl.gz): what it holds, and whether it reproduces a demo.

    Example: ksreplay library events coilbox-replay-events.jsonl --demo match.sdfz
    """
    import ksreplay.events
    from ksreplay import export
    from ksreplay.library.analyses import Analyses, keep_unit_list
    from ksreplay.library.unit_store import UnitStore

    if (store or keep_list) and demo is None:
        raise click.UsageError("--store and --keep-list need --demo")

    with exit_on_error(log, as_json):
        source: Any = sys.stdin.buffer if log == "-" else log
        found = ksreplay.events.open(source, strict=reading.strict, limits=reading.limits)
        document = found.info()
        document["file"] = {"path": log, **document["file"]}
        if demo is not None:
            with reading.open(demo) as replay:
                if replay.format != "spring":
                    raise click.UsageError("--demo wants a Spring demo")
                text = Path(engine_output).read_text("utf-8", "replace") if engine_output else ""
                disagreements = found.check(replay, engine_output=text)
                outcome = "diverged" if disagreements else "reproduced"
                document |= {"outcome": outcome, "disagreements": [d.to_dict() for d in disagreements]}
                if store is not None:
                    reading.note(
                        f"kept in {Analyses(Path(store)).keep(found, replay, disagreements, same_game=same_game)}"
                    )
                if keep_list is not None and not disagreements:
                    digest = keep_unit_list(UnitStore(Path(keep_list)), found, replay, same_game=same_game)
                    reading.note(f"unit list kept as {digest}" if digest else "the log holds no whole unit list")
        if output is not None:
            exported: Any = found  # the exporter reads a log's tables as a replay's
            names = export.chosen(exported.tables, tables)
            for name, path, rows in export.to_folder(exported, names, kind, Path(output), force=force):
                reading.note(f"{name}: {rows:,} rows in {path}")
        if picture is not None:
            from ksreplay.plots import event_log, spring_maps

            spring_maps.save(event_log.KINDS[picture[0]](found), Path(picture[1]), force=force)
    if as_json:
        echo_json(document)
    else:
        counts = ", ".join(f"{n:,} {key}" for key, n in document["counts"].items() if n)
        click.echo(
            f"{printable(log)}: {counts or 'no lines'}; {document['malformed']} malformed"
            + ("; the last line is cut" if document["truncated"] else "")
        )
        for key in ("game", "map", "duration_s", "result"):
            if document[key] is not None:
                click.echo(f"  {key}: {printable(str(document[key]), 100)}")
        for d in document.get("disagreements", []):
            where = f" of team {d['team']}" if "team" in d else ""
            click.echo(f"  {d['figure']}{where}: the demo recorded {d['recorded']}, the run saw {d['observed']}")
        if "outcome" in document:
            click.echo(f"  {document['outcome']}")
    if document.get("outcome") == "diverged":
        raise click.exceptions.Exit(1)
