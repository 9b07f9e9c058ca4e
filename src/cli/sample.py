"""`ksreplay sample` and `ksreplay ksy`: files that ship with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from ksreplay.atomic import replacing
from ksreplay.cli.common import binary_output, exit_on_error
from ksreplay.registry import FORMATS


@click.command("sample")
@click.argument("format", type=click.Choice(list(FORMATS)))
@click.option("--output", "-o", required=True, metavar="OUT|-", help="Where to; - is standard output.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@click.option("--private", is_flag=True, hidden=True)
def sample_command(format: str, output: str, force: bool, private: bool) -> None:
    """Write the bundled sample of FORMAT: a small replay that the project made.

    Example: ksreplay sample spring -o sample.sdfz
    """
    data = files("ksreplay.samples").joinpath(FORMATS[format].sample).read_bytes()
    with exit_on_error(output):
        if output == "-":
            binary_output().write(data)
        else:
            with replacing(Path(output), force=force) as target:
                target.write(data)


@click.command("ksy")
@click.option("--output", "-o", required=True, metavar="DIR", help="A folder; it is made where it is missing.")
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
@click.option("--private", is_flag=True, hidden=True)
def ksy_command(output: str, force: bool, private: bool) -> None:
    """Write the layouts (.ksy), ready for the Kaitai Web IDE and every Kaitai compiler.

    Example: ksreplay ksy -o layouts
    """
    folder = Path(output)
    with exit_on_error(output):
        folder.mkdir(parents=True, exist_ok=True)
        for layout in sorted(files("ksreplay.ksy").iterdir(), key=lambda item: item.name):
            if layout.name.endswith(".ksy"):
                with replacing(folder / layout.name, force=force) as target:
                    target.write(layout.read_bytes())
                click.echo(str(folder / layout.name))
