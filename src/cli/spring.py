"""`ksreplay retarget`, `cut` and `repair`: a demo for another game, a stretch of one, a broken one made whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ksreplay.cli.common import REPLAY, Reading, exit_on_error, reading_options, suffix_for, write_result

if TYPE_CHECKING:
    from ksreplay.replay import Replay


def _call(replay: Replay, verb: str, method: str, *arguments: Any, **options: Any) -> bytes:
    """The method of the format that does it; the error of code ``not-supported`` where the format has none."""
    work = getattr(replay, method, None)
    if work is None:
        raise replay.unsupported(verb)
    data: bytes = work(*arguments, **options)
    return data


@click.command("retarget")
@click.argument("file", metavar="IN", type=REPLAY)
@click.argument("output", metavar="OUT")
@click.option("--game", required=True, help="Name and version of the game, as the engine lists it.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@reading_options
def retarget_command(file: str, output: str, game: str, force: bool, reading: Reading) -> None:
    """Write the demo IN for another game, or another version of its game, to OUT (-: standard output).

    The name is replaced in both places that hold it: the script after the header and the first packet, which is the
    one that the engine loads. Spring demos only.

    Example: ksreplay retarget match.sdfz copy.sdfz --game "My Game 1.1"
    """
    with exit_on_error(file), reading.open(file, private=True) as replay:
        write_result(
            output, _call(replay, "retarget", "retargeted", game, suffix=suffix_for(output, replay)), force, reading
        )


@click.command("cut")
@click.argument("file", metavar="IN", type=REPLAY)
@click.argument("output", metavar="OUT")
@click.option("--from", "first", type=int, metavar="FRAME", help="First frame (tick) to keep; default: the first.")
@click.option("--to", "last", type=int, metavar="FRAME", help="Last frame (tick) to keep; default: the last.")
@click.option("--ms", "wall", is_flag=True, help="tad: --from and --to are milliseconds of the recorder's wall clock.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@reading_options
def cut_command(
    file: str, output: str, first: int | None, last: int | None, wall: bool, force: bool, reading: Reading
) -> None:
    """Write a stretch of the recording IN to OUT (-: standard output).

    What comes before the game stays whole, frames keep their numbers, and the result is a valid file. Where the end
    of the match is cut off it has no result.

    Example: ksreplay cut match.sdfz opening.sdfz --to 9000
    """
    with exit_on_error(file), reading.open(file, private=True) as replay:
        if wall and replay.format != "tad":
            raise replay.unsupported("cut --ms")
        by = {"by": "ms"} if wall else {}
        write_result(
            output, _call(replay, "cut", "cut", first, last, suffix=suffix_for(output, replay), **by), force, reading
        )


@click.command("repair")
@click.argument("file", metavar="IN", type=REPLAY)
@click.argument("output", metavar="OUT")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@reading_options
def repair_command(file: str, output: str, force: bool, reading: Reading) -> None:
    """Write the broken demo IN with true sizes to OUT (-: standard output).

    For a recording whose recorder crashed or whose end is missing: the stream ends with its last whole packet, and
    the header says so. Spring demos only.

    Example: ksreplay repair crashed.sdfz whole.sdfz
    """
    with exit_on_error(file), reading.open(file, private=True) as replay:
        write_result(output, _call(replay, "repair", "repaired", suffix=suffix_for(output, replay)), force, reading)
