"""One file read, its tables appended to spools; a chunk's spools turned into Parquet parts. Runs in a parser child.

A spool is an Arrow stream without its schema message: record batches of one table and partition, file after file.
The worker remembers how long each spool was after each file. So the death of a child costs no file that was read
before it: the spools are cut to what is known to be whole, and the next child goes on.
"""

from __future__ import annotations

import fnmatch
import hashlib
import io
import os
import re
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import ksreplay
from ksreplay import __version__
from ksreplay.batch.games import game_key
from ksreplay.batch.job import OUT_OF_MEMORY, UNKNOWN_MONTH, BatchError, Fate, Item, Options, Status
from ksreplay.errors import ReplayError, Severity, Truncated
from ksreplay.replay import Replay
from ksreplay.table import Schema, Table

#: Rows that a row group gathers before it is written; the files in a part are in the order of their ids, so the
#: statistics of a row group name a narrow range of ids.
ROW_GROUP = 1 << 17
ZSTD_LEVEL = 3

_JUST_NOW = "the file is cut and was modified just now"

Segments = Iterable[tuple[str, int, int]]  # file id, start and end in the spool


def read_file(item: Item, options: Options, spool: Path) -> tuple[Fate, dict[str, int]]:
    """Reads one file and appends its tables; returns its fate and the new sizes of the spools it has rows in.

    Raises BatchError only where the job cannot go on (the disk is full); everything else is the file's fate.
    """
    started = time.perf_counter()
    fate = Fate(item.path, item.size, item.mtime_ns)
    sizes: dict[str, int] = {}
    try:
        _read(item, fate, options, spool, sizes)
    except ReplayError as error:
        fate.format = error.format
        if error.code != "empty" and isinstance(error, Truncated) and _is_young(fate, options):
            fate.end(Status.GROWING, "growing", _JUST_NOW)
        else:
            status = Status.EMPTY if error.code == "empty" else Status.FAILED
            fate.end(status, error.code, error.message, error.where, error.offset)
    except MemoryError:
        fate.end(Status.CRASHED, OUT_OF_MEMORY, f"reading it takes more than {options.memory:,} bytes")
    except BatchError:
        raise
    except OSError as error:
        fate.end(Status.FAILED, "os-error", error.strerror or str(error))
    except Exception as error:  # a defect of ours costs one file, not the job
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__}: {error} (at {Path(place.filename).name}:{place.lineno})"
        fate.end(Status.CRASHED, "exception", text)
    if fate.status not in (Status.OK, Status.PARTIAL):
        sizes.clear()
    fate.seconds = round(time.perf_counter() - started, 6)
    return fate.made_safe(), sizes


def _read(item: Item, fate: Fate, options: Options, spool: Path, sizes: dict[str, int]) -> None:
    with Path(item.path).open("rb") as file:
        before = os.fstat(file.fileno())
        # Never asks for more than is there: read() sets aside what it is asked for.
        data = file.read(min(before.st_size, options.limits.file_bytes) + 1)
        after = os.fstat(file.fileno())
    fate.size, fate.mtime_ns = before.st_size, before.st_mtime_ns
    fate.sha256 = hashlib.sha256(data).hexdigest()
    moved = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
    if moved or len(data) != before.st_size <= options.limits.file_bytes:
        fate.end(Status.GROWING, "growing", "the file changed while it was read")
        return
    if fate.file_id in item.known:
        fate.same = True
        fate.end(Status.OK)
        return
    named = io.BytesIO(data)
    named.name = item.path  # type: ignore[attr-defined,unused-ignore]  # what a file's name says, a format may look at
    with ksreplay.open(named, private=options.private, limits=options.limits) as replay:
        fate.format = replay.format
        _summary(fate, replay)
        try:
            _tables(fate, replay, options, spool, sizes)
        finally:
            _summary(fate, replay)
        if not fate.complete and fate.status == Status.PARTIAL and _is_young(fate, options):
            fate.end(Status.GROWING, "growing", _JUST_NOW)


def _is_young(fate: Fate, options: Options) -> bool:
    """Whether the file was modified within the time that a recorder is given to go on."""
    return time.time() - fate.mtime_ns / 1e9 < options.settle


def _summary(fate: Fate, replay: Replay) -> None:
    """What `info` says, with the problems met so far."""
    info = replay.info()
    details = info["details"]
    fate.format_version, fate.complete = info["format_version"], info["complete"]
    fate.game, fate.map, fate.duration_s = info["game"], info["map"], info["duration_s"]
    fate.month = month_of(details.get("started_utc") or details.get("recorded_date"))
    fate.players = len(info["players"])
    fate.problems = len(info["problems"])
    worst = next((p for p in replay.problems if p.severity in (Severity.FATAL, Severity.PART)), None)
    if fate.complete:
        fate.end(Status.OK)
    elif worst:
        fate.end(Status.PARTIAL, worst.code, worst.message, worst.where, worst.offset)
    else:
        fate.end(Status.PARTIAL, "incomplete", "the end of the match is missing")


def _tables(fate: Fate, replay: Replay, options: Options, spool: Path, sizes: dict[str, int]) -> None:
    fate.game_key = game_key(replay)
    rows = 0
    for name in wanted_tables(replay.format, list(replay.tables), options):
        table = replay.tables[name]
        if len(table):
            partition = partition_of(name, replay.format, fate.month)
            sizes[partition] = append(spool, partition, visible(table, options.private))
            rows += len(table)
        replay.tables.forget(name)
    fate.rows = rows


def wanted_tables(format: str, names: list[str], options: Options) -> list[str]:
    """The tables that ``options.tables`` names, as ``table`` or ``format.table``."""
    if not options.tables:
        return names
    return [
        name
        for name in names
        if any(fnmatch.fnmatchcase(name, p) or fnmatch.fnmatchcase(f"{format}.{name}", p) for p in options.tables)
    ]


def visible_columns(schema: Schema, private: bool) -> list[str]:
    """The columns that a data set has: personal ones only in a private one."""
    return [column.name for column in schema if private or not column.private]


def visible(table: Table, private: bool) -> Table:
    names = visible_columns(table.schema, private)
    return table if len(names) == len(table.schema) else table.select(names)


def partition_of(table: str, format: str, month: str) -> str:
    return f"tables/{table}/format={format}/month={month}"


def month_of(date: Any) -> str:
    """``2025-07`` of an ISO date or of day.month.year; anything else is the unknown month, never a guess."""
    text = str(date or "")
    if match := re.match(r"(\d{4})-(\d\d)(-\d\d)?(?!\d)", text):
        year, month = match[1], match[2]
    elif match := re.fullmatch(r"\d{1,2}\.(\d{1,2})\.(\d{4})", text.strip()):
        year, month = match[2], match[1].zfill(2)
    else:
        return UNKNOWN_MONTH
    return f"{year}-{month}" if "1990" <= year <= "2100" and "01" <= month <= "12" else UNKNOWN_MONTH


def append(folder: Path, partition: str, table: Table) -> int:
    """Appends a table's record batches to the spool of a partition; returns the spool's new size."""
    path = spool_path(folder, partition)
    try:
        with path.open("ab") as file:
            reader = pa.RecordBatchReader.from_stream(table)
            if file.tell() == 0:
                file.write(reader.schema.serialize())
            for batch in reader:
                file.write(batch.serialize())
            return file.tell()
    except OSError as error:
        raise BatchError(f"{path}: {error.strerror or error}") from error


def spool_path(folder: Path, partition: str) -> Path:
    return folder / f"{partition.replace('/', ',')}.arrow"


def write_part(folder: Path, partition: str, segments: Segments, target: Path) -> None:
    """A spool as a Parquet file: ``file_id`` first, then the table's columns; raises BatchError for a full disk."""
    path = spool_path(folder, partition)
    try:
        with path.open("rb") as file:
            schema = pa.ipc.read_schema(file)
            head = schema.serialize().to_pybytes()
            with PartWriter(target, part_schema(schema)) as writer:
                for file_id, start, end in sorted(segments):
                    file.seek(start)
                    raw = file.read(end - start)
                    batches = pa.ipc.open_stream(io.BytesIO(raw if start == 0 else head + raw))
                    for batch in batches:
                        ids = pa.repeat(pa.scalar(file_id), batch.num_rows)
                        writer.add(pa.Table.from_batches([batch]).add_column(0, writer.schema.field(0), ids))
    except OSError as error:
        raise BatchError(f"{target}: {error.strerror or error}") from error


def part_schema(schema: pa.Schema) -> pa.Schema:
    """The table's Arrow schema with ``file_id`` before it and the parser's version in its metadata."""
    metadata = {**(schema.metadata or {}), b"ksreplay": __version__.encode()}
    return pa.schema([pa.field("file_id", pa.string(), nullable=False), *schema], metadata=metadata)


class PartWriter:
    """Writes a part by row groups of about `ROW_GROUP` rows, and makes sure that it is on the disk."""

    def __init__(self, target: Path, schema: pa.Schema) -> None:
        self.schema = schema
        self._waiting: list[pa.Table] = []
        self._rows = 0
        self._file = target.open("wb")
        self._writer = pq.ParquetWriter(self._file, schema, compression="zstd", compression_level=ZSTD_LEVEL)

    def add(self, table: pa.Table) -> None:
        self._waiting.append(table)
        self._rows += table.num_rows
        if self._rows >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            # Parts of different versions of the program differ in metadata only: this file says its own.
            table = pa.concat_tables(table.cast(self.schema) for table in self._waiting)
            self._writer.write_table(table, row_group_size=2 * ROW_GROUP)
        self._waiting, self._rows = [], 0

    def __enter__(self) -> PartWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._flush()
        self._writer.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
