"""`ksreplay batch` and `ksreplay compact`: a folder of replays as one data set."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ksreplay.cli.common import Reading, echo_json, reading_options
from ksreplay.cli.info import clock
from ksreplay.text import printable

if TYPE_CHECKING:
    from ksreplay.batch.driver import Progress

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class Size(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Bytes, as 4G or 512M."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d{1,15})\s*([KMGT]?)(?:iB|B)?", str(value), re.IGNORECASE)
        if not match:
            self.fail(f"{value!r} is no size; write 4G or 512M", param, ctx)
        return int(match[1]) * _UNITS[match[2].upper()]


@click.command("batch")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--out", "-o", "dataset", required=True, metavar="DATASET", type=click.Path(path_type=Path, file_okay=False)
)
@click.option("--tables", "-t", multiple=True, help="Only these tables: commands, spring.*; may be repeated.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Parser children. Default: one a core.")
@click.option("--scheduler", metavar="tcp://…", help="Let the workers of this Dask scheduler read.")
@click.option("--cluster", type=click.Choice(["local"]), help="Start a Dask cluster on this machine for the run.")
@click.option("--limit-memory", default="4G", type=Size(), help="What one file may take (no limit on Windows). [4G]")
@click.option("--timeout", default=300.0, type=click.FloatRange(0.1), help="Seconds for one file. [300]")
@click.option("--resume", is_flag=True, help="Only go on with a data set that exists (which is done anyway).")
@click.option("--retry", is_flag=True, help="Also read again what crashed or ran out of time.")
@click.option("--json", "as_json", is_flag=True, help="The summary as one JSON document.")
@reading_options
def batch_command(
    sources: tuple[str, ...], dataset: Path, tables: tuple[str, ...], jobs: int | None, scheduler: str | None,
    cluster: str | None, limit_memory: int, timeout: float, resume: bool, retry: bool, as_json: bool, reading: Reading,
) -> None:  # fmt: skip
    """All replays of SOURCE... (folders, files, patterns; -: a list of paths) as one Parquet data set.

    A repeated run reads only what is missing or changed. Exits 1 where a file of this run could not be read.

    Example: ksreplay batch demos/ --out dataset --jobs 8
    """
    if scheduler and cluster:
        raise click.UsageError("--scheduler and --cluster exclude each other")
    if reading.strict:
        raise click.UsageError("batch reads tolerantly: what is damaged is in the column `status` of files.parquet")
    with _job_errors():
        from ksreplay.batch import Options, run
        from ksreplay.batch.manifest import NAME

        if resume and not (dataset / NAME).is_file():
            raise click.UsageError(f"{printable(str(dataset))} is no data set to go on with")
        options = Options(
            tables=tables, private=reading.private, limits=reading.limits, memory=limit_memory, timeout=timeout
        )
        with _progress(reading.quiet) as report:
            summary = run(
                list(sources), dataset, options, jobs=jobs, scheduler=scheduler, cluster=bool(cluster), retry=retry,
                report=report,
            )  # fmt: skip
    if as_json:
        echo_json(summary)
    else:
        click.echo(_summary_text(summary))
    if summary["bad"]:
        reading.note(f"which ones and why: path, status and message in {printable(str(dataset / 'files.parquet'))}")
        raise click.exceptions.Exit(1)


@click.command("compact")
@click.argument("dataset", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--smallest", default="64M", type=Size(), help="Parts below this size are merged. [64M]")
@click.option("--largest", default="256M", type=Size(), help="Into parts of at most about this size. [256M]")
@click.option("--json", "as_json", is_flag=True, help="The summary as one JSON document.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@click.option("--private", is_flag=True, hidden=True)
def compact_command(dataset: Path, smallest: int, largest: int, as_json: bool, quiet: bool, private: bool) -> None:
    """Merge the small parts of DATASET into large ones, each in the order of file ids.

    Example: ksreplay compact dataset
    """
    with _job_errors():
        from ksreplay.batch import compact
        from ksreplay.batch.manifest import NAME

        if not (dataset / NAME).is_file():
            raise click.UsageError(f"{printable(str(dataset))} is no data set")
        result = compact(dataset, smallest, largest, lambda line: None if quiet else click.echo(line, err=True))
    if as_json:
        echo_json({"dataset": str(dataset), **result})
    else:
        click.echo(
            "{parts_before:,} parts of {bytes_before:,} bytes → {parts_after:,} of {bytes_after:,}".format(**result)
        )


@contextlib.contextmanager
def _job_errors() -> Iterator[None]:
    try:
        from ksreplay.batch.job import BatchError

        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyarrow":
            raise
        click.echo("ksreplay: batch needs pyarrow: pip install 'ksreplay[arrow]'", err=True)
    except BatchError as error:
        click.echo(f"ksreplay: {printable(str(error))}", err=True)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        click.echo(f"ksreplay: {printable(str(error.filename or ''))}: {error.strerror or error}", err=True)
    else:
        return
    raise click.exceptions.Exit(1)


@contextlib.contextmanager
def _progress(quiet: bool) -> Iterator[Any]:
    """A line that is written over on a terminal, one every 10 seconds elsewhere."""
    if quiet:
        yield lambda progress: None
        return
    terminal = sys.stderr.isatty()
    every = 0.3 if terminal else 10.0
    state = {"next": 0.0 if terminal else time.monotonic() + every, "shown": 0.0}

    def report(progress: Progress) -> None:
        if progress.files and time.monotonic() >= state["next"]:
            state["next"] = time.monotonic() + every
            line = _progress_line(progress)
            state["shown"] = 1.0
            click.echo(f"\r\x1b[K{line}" if terminal else line, err=True, nl=not terminal)

    try:
        yield report
    finally:
        if terminal and state["shown"]:
            click.echo("", err=True)


def _progress_line(progress: Progress) -> str:
    seconds = max(progress.seconds, 1e-6)
    left = progress.seconds_left
    done, size = progress.done_bytes / 1e6, progress.bytes / 1e6
    return (
        f"{progress.done_files:,}/{progress.files:,} files, {done:,.1f}/{size:,.1f} MB, "
        f"{progress.done_files / seconds:,.1f} files/s, {done / seconds:,.1f} MB/s, "
        f"{progress.bad:,} bad" + (f", {clock(left)} left" if left is not None else "")
    )


def _summary_text(summary: dict[str, Any]) -> str:
    fates = ", ".join(f"{count:,} {status}" for status, count in summary["statuses"].items()) or "nothing to do"
    held = ", ".join(f"{count:,} {status}" for status, count in summary["data_set"].items())
    return (
        f"{summary['listed']:,} files listed, {summary['unchanged']:,} unchanged, {summary['read']:,} read "
        f"({summary['bytes'] / 1e6:,.1f} MB) in {summary['seconds']:,.1f} s: {fates}\n"
        f"{summary['rows']:,} new rows; the data set {printable(summary['dataset'])} has {held or 'no file'}"
    )
