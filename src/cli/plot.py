"""`ksreplay plot`: pictures."""

from __future__ import annotations

import io
from pathlib import Path

import click

from ksreplay.cli.common import REPLAY, Reading, exit_on_error, reading_options, write_result
from ksreplay.errors import ReplayError


class _Kind(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    name = "KIND"

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        from ksreplay.plots import kinds
        from ksreplay.registry import FORMATS

        return "There are " + "; ".join(f"{', '.join(kinds(format))} ({format})" for format in FORMATS) + "."


@click.command("plot")
@click.argument("file", type=REPLAY)
@click.argument("kind", type=_Kind(), metavar="KIND")
@click.option("--output", "-o", required=True, metavar="PNG|SVG|-", help="The suffix decides; - is a PNG.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@reading_options
def plot_command(file: str, kind: str, output: str, force: bool, reading: Reading) -> None:
    """A picture of FILE.

    \b
    cbtrack  paths, resources, terrain
    crd      aim, fire, commands, result
    spring   starts, orders, economy, damage, apm, timeline
    tad      units, resources, places, clock

    Needs matplotlib: pip install 'ksreplay[plots]'.

    Example: ksreplay plot match.sdfz economy -o economy.png
    """
    from ksreplay.plots import draw, kinds
    from ksreplay.plots.style import save

    suffix = "png" if output == "-" else Path(output).suffix.lower().lstrip(".")
    if suffix not in ("png", "svg"):
        raise click.UsageError(f"a picture is a .png or an .svg, not {output!r}")
    with exit_on_error(file), reading.open(file) as replay:
        known = kinds(replay.format)
        if kind not in known:
            raise ReplayError(
                f"no picture {kind!r} of {replay.format} files", code="no-such-picture", format=replay.format,
                found=kind, expected=", ".join(known),
            )  # fmt: skip
        buffer = io.BytesIO()
        save(draw(replay, kind), buffer, suffix)
        write_result(output, buffer.getvalue(), force, reading)
