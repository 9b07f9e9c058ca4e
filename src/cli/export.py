"""`ksreplay export`: tables out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ksreplay.cli.common import (
    REPLAY,
    Progress,
    Reading,
    binary_output,
    exit_on_error,
    reading_options,
    text_output,
)
from ksreplay.export import FORMATS, ONE_TABLE, chosen, format_of, to_folder, to_stream
from ksreplay.selection import Selection, players_of

if TYPE_CHECKING:
    from ksreplay.replay import Replay, Tables


#: Suffixes of files that somebody may hope for, and that no format here writes.
_OTHERS = frozenset({".xlsx", ".xls", ".json", ".jsonl", ".tsv", ".feather", ".gz", ".zip", ".db", ".sqlite"})


@click.command("export")
@click.argument("file", type=REPLAY)
@click.option("--table", "patterns", multiple=True, help="A table, or a pattern such as 'player_*'; may be repeated.")
@click.option("--format", "kind", type=click.Choice(list(FORMATS)), help="Default: by the suffix of PATH, else csv.")
@click.option("--from", "first", type=float, metavar="N", help="Rows from this frame or tick on.")
@click.option("--to", "last", type=float, metavar="N", help="Rows up to this frame or tick, it included.")
@click.option("--player", "players", multiple=True, help="Rows of this player (name or number); may be repeated.")
@click.option("--columns", metavar="A,B,…", help="Only these columns, in this order.")
@click.option("--output", "-o", required=True, metavar="PATH|-", help="A folder (one file a table), a file, or -.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@reading_options
def export_command(
    file: str, patterns: tuple[str, ...], kind: str | None, first: float | None, last: float | None,
    players: tuple[str, ...], columns: str | None, output: str, force: bool, reading: Reading,
) -> None:  # fmt: skip
    """Tables of FILE as CSV, NDJSON, Parquet or Arrow.

    PATH is a file where its suffix names a format (.csv, .ndjson, .parquet, .arrow) or one table is asked for by its
    name, else a folder with one file a table. Several tables fit into one .ndjson; each begins with a line that names
    it. To standard output Arrow goes as a stream. A table without frames or players is taken whole whatever --from,
    --to and --player say.

    Example: ksreplay export match.sdfz --table commands --format csv -o commands.csv
    """
    target = None if output == "-" else Path(output)
    suffix = None if target is None or target.is_dir() else format_of(target)
    if target is not None and kind is None and target.suffix.lower() in _OTHERS and not target.is_dir():
        known = ", ".join(f".{name}" for name, _ in FORMATS.values())
        raise click.UsageError(f"no format is called {target.suffix}: there are {known}, or give --format")
    kind = kind or suffix or "csv"
    with exit_on_error(file), reading.open(file) as replay:
        try:
            names = chosen(replay.tables, patterns)
            numbers = players_of(replay, players) if players else None
        except KeyError as error:
            raise click.UsageError(str(error.args[0])) from None
        selection = Selection(first, last, numbers, tuple(filter(None, (columns or "").split(","))))
        names = _with_columns(replay.tables, names, selection)
        # A file for one table, also under a name without a known suffix where exactly that table was asked for.
        single = target is not None and not target.is_dir() and (
            suffix is not None or (len(names) == 1 and patterns == tuple(names))
        )  # fmt: skip
        if len(names) > 1 and (target is None or single) and (kind in ONE_TABLE or (single and kind == "csv")):
            raise click.UsageError(f"{len(names)} tables do not fit into one {kind} file: give --table, or a folder")
        with Progress(reading.quiet, len(names)) as progress:
            if target is None:
                stream = text_output() if kind in ("csv", "ndjson") else binary_output()
                to_stream(replay, names, kind, stream, selection=selection)
            elif single and len(names) > 1:
                _one_file(replay, names, kind, target, force, selection)
            else:
                progress.step(names[0])
                written = to_folder(
                    replay, names, kind, target, single=target if single else None, force=force, selection=selection
                )
                for done, (name, path, rows) in enumerate(written, 1):
                    progress.line(f"{path}: {name}, {rows:,} rows")
                    if done < len(names):
                        progress.step(names[done])
        whole = [name for name in names if not selection.applies(replay.tables.schema(name))]
        if whole:
            reading.note(f"without frames or players, so taken whole: {', '.join(whole)}")


def _one_file(replay: Replay, names: list[str], kind: str, target: Path, force: bool, selection: Selection) -> None:
    from ksreplay.atomic import replacing

    with replacing(target, force=force) as stream:
        to_stream(replay, names, kind, stream, selection=selection)


def _with_columns(tables: Tables, names: list[str], selection: Selection) -> list[str]:
    """The tables that have any of the columns asked for."""
    if not selection.columns:
        return names
    known = {column for name in names for column in tables.schema(name).names}
    if missing := [column for column in selection.columns if column not in known]:
        raise click.UsageError(f"no column {missing[0]!r} in {', '.join(names)}; `ksreplay tables` lists them")
    return [name for name in names if selection.names(tables.schema(name))]
