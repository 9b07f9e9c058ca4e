"""`ksreplay rewrite`: decode and encode again."""

from __future__ import annotations

import click

from ksreplay.cli.common import REPLAY, Reading, exit_on_error, reading_options, suffix_for, write_result


@click.command("rewrite")
@click.argument("file", type=REPLAY, metavar="IN")
@click.argument("output", metavar="OUT")
@click.option("--to", "version", type=int, metavar="VERSION", help="The format version to write; default: IN's own.")
@click.option("--level", type=click.IntRange(0, 9), help="How hard zlib packs the chunks of a .cbtrack; default: 6.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@reading_options
def rewrite_command(
    file: str, output: str, version: int | None, level: int | None, force: bool, reading: Reading
) -> None:
    """Decode IN and encode it again to OUT (-: standard output).

    Version and container stay, unless --to or OUT's suffix say otherwise.

    Example: ksreplay rewrite match.sdfz match.sdf
    """
    with exit_on_error(file), reading.open(file, private=True) as replay:
        if level is not None and replay.format != "cbtrack":
            raise click.UsageError(f"--level is for tracks, and this is a {replay.format} file")
        data = replay.encode(
            version=version, suffix=suffix_for(output, replay), **({} if level is None else {"level": level})
        )
        same = data == replay.source.data  # before it is written: OUT may be IN
        write_result(output, data, force, reading, f", {'the same as' if same else 'not the same as'} IN")
