"""`ksreplay export`: tables out."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ksreplay.cli.common import Reading, exit_on_error, reading_options
from ksreplay.export import FORMATS, chosen, format_of, to_folder, to_stream


@click.command("export")
@click.argument("file")
@click.option("--table", "patterns", multiple=True, help="A table, or a pattern such as 'player_*'; may be repeated.")
@click.option("--format", "kind", type=click.Choice(list(FORMATS)), help="Default: by the suffix of PATH, else csv.")
@click.option("--output", "-o", required=True, metavar="PATH|-", help="A folder (one file a table), a file, or -.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@reading_options
def export_command(
    file: str, patterns: tuple[str, ...], kind: str | None, output: str, force: bool, reading: Reading
) -> None:
    """Tables of FILE as CSV, NDJSON, Parquet or Arrow.

    Example: ksreplay export match.sdfz --table commands --format csv -o commands.csv
    """
    with exit_on_error(file), reading.open(file) as replay:
        try:
            names = chosen(replay.tables, patterns)
        except KeyError as error:
            raise click.UsageError(str(error.args[0])) from None
        if output == "-":
            to_stream(replay, names, kind or "csv", sys.stdout.buffer)
            return
        target = Path(output)
        kind = kind or format_of(target) or "csv"
        single = target if len(names) == 1 and not target.is_dir() and patterns == tuple(names) else None
        for name, path, rows in to_folder(replay, names, kind, target, single=single, force=force):
            reading.note(f"{path}: {name}, {rows:,} rows")
