"""`ksreplay demo`: the bundled samples, looked at and written out as tables."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from ksreplay.cli.common import exit_on_error
from ksreplay.cli.info import summary
from ksreplay.registry import FORMATS, open


@click.command("demo")
@click.option("--output", "-o", default="ksreplay-demo", show_default=True, metavar="DIR", help="Where the tables go.")
@click.option("--private", is_flag=True, help="Show chat, addresses and other personal content.")
def demo_command(output: str, private: bool) -> None:
    """Show a bundled sample of each format and write its tables as CSV.

    Example: ksreplay demo
    """
    from ksreplay.export import to_folder

    for format in FORMATS.values():
        data = files("ksreplay.samples").joinpath(format.sample).read_bytes()
        folder = Path(output) / format.name
        with exit_on_error(format.sample), open(data, private=private) as replay:
            click.echo(summary(format.sample, replay.info(full=True)))
            written = list(to_folder(replay, list(replay.tables), "csv", folder, force=True))
            click.echo(f"  {len(written)} tables with {sum(rows for *_, rows in written):,} rows are in {folder}\n")
    click.echo("Now try your own: ksreplay info FILE, ksreplay tables FILE, ksreplay export FILE -o DIR")
