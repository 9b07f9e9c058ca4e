"""`ksreplay unwrap`: what is inside the compression."""

from __future__ import annotations

import click

from ksreplay.cli.common import REPLAY, Reading, exit_on_error, reading_options, write_result


@click.command("unwrap")
@click.argument("file", type=REPLAY)
@click.option("--output", "-o", required=True, metavar="OUT|-", help="Where to; - is standard output.")
@click.option("--part", help="cbtrack: which chunk, such as window[3].main.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@reading_options
def unwrap_command(file: str, output: str, part: str | None, force: bool, reading: Reading) -> None:
    """Write what is inside the compression of FILE: ready for a hex editor or the Kaitai Web IDE.

    spring: the raw .sdf; crd: the msgpack payload; tad: the same records, decompressed and decrypted;
    cbtrack: one chunk.

    Example: ksreplay unwrap match.sdfz -o match.sdf
    """
    with exit_on_error(file), reading.open(file) as replay:
        write_result(output, replay.unwrap(part), force, reading)
