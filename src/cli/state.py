"""`ksreplay state`: everything at one moment."""

from __future__ import annotations

import math
from typing import Any

import click

from ksreplay.cli.common import REPLAY, Reading, columns_text, echo_json, exit_on_error, reading_options
from ksreplay.errors import plain
from ksreplay.text import printable


@click.command("state")
@click.argument("file", type=REPLAY, metavar="FILE")
@click.option("--at", required=True, type=float, help="Frame (cbtrack, fractions too) or tick (tad).")
@click.option("--window", type=int, help="cbtrack: which window to ask for a frame on the edge of two.")
@click.option("--player", type=int, help="tad: whose units; default: all players'.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@reading_options
def state_command(
    file: str, at: float, window: int | None, player: int | None, as_json: bool, reading: Reading
) -> None:
    """Everything in FILE at one moment: units, projectiles, features, numbers of teams.

    Example: ksreplay state match.cbtrack --at 4500 --json
    """
    if not math.isfinite(at):
        raise click.BadParameter("a finite number is wanted", param_hint="--at")
    with exit_on_error(file, as_json), reading.open(file) as replay:
        try:
            document = plain(replay.state(at, window=window, player=player))
        except ValueError as error:  # a window or player that has no such moment
            raise click.UsageError(str(error)) from None
    if as_json:
        echo_json(document)
        return
    for key, value in document.items():
        if not isinstance(value, list) or not value or not isinstance(value[0], dict):
            click.echo(f"{key}  {printable(str(value), 120)}")
            continue
        click.echo(f"{key}  {len(value):,}")
        shown = [name for name, item in value[0].items() if not _nested(item)]
        rows = [tuple(shown)] + [tuple(printable(_short(row.get(name)), 40) for name in shown) for row in value]
        click.echo(columns_text(rows, "  "))


def _nested(item: Any) -> bool:
    return isinstance(item, list) and bool(item) and isinstance(item[0], dict | list)


def _short(item: Any) -> str:
    if isinstance(item, float):
        return f"{item:.6g}"
    if isinstance(item, list):
        return " ".join(_short(inner) for inner in item)
    return "" if item is None else str(item)
