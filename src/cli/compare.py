"""`ksreplay compare`: where two replays part."""

from __future__ import annotations

import click

from ksreplay.cli.common import REPLAY, Reading, echo_json, exit_on_error, reading_options
from ksreplay.errors import ReplayError
from ksreplay.text import printable


@click.command("compare")
@click.argument("left", type=REPLAY, metavar="A")
@click.argument("right", type=REPLAY, metavar="B")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--exit-code", is_flag=True, help="Exit 1 where they differ, as diff does.")
@reading_options
def compare_command(left: str, right: str, as_json: bool, exit_code: bool, reading: Reading) -> None:
    """The first difference of A and B in each part: by table, frame or tick, and field.

    Chat and other private content is compared with --private only.

    Example: ksreplay compare mine.crd theirs.crd
    """
    if left == right == "-":
        raise click.UsageError("standard input can be one of the two")
    with exit_on_error(left, as_json), reading.open(left) as a, exit_on_error(right, as_json), reading.open(right) as b:
        if a.format != b.format:
            raise ReplayError(
                f"a {a.format} file cannot be compared with a {b.format} file", code="other-format", format=b.format
            )
        found = a.compare(b)
    if as_json:
        echo_json({"files": [left, right], "equal": not found, "differences": [item.to_dict() for item in found]})
    else:
        for item in found:
            click.echo(printable(str(item), 400))
        if not found:
            click.echo("no difference")
    if found and exit_code:
        raise click.exceptions.Exit(1)
