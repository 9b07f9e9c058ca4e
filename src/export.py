"""Tables out of the package: one writer a file format, all of them by batches of rows."""

from __future__ import annotations

import base64
import csv
import fnmatch
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ksreplay import __version__
from ksreplay.atomic import replacing
from ksreplay.replay import Replay, Tables
from ksreplay.table import Schema, Table
from ksreplay.text import spreadsheet_safe

#: Rows turned into text at a time.
BATCH_ROWS = 1 << 16


def chosen(tables: Tables, patterns: Iterable[str]) -> list[str]:
    """The tables that the patterns name, in the format's order; all without patterns. KeyError where one names none."""
    patterns = list(patterns)
    for pattern in patterns:
        if not fnmatch.filter(list(tables), pattern):
            raise KeyError(f"no table {pattern!r}; there are {', '.join(tables)}")
    return [name for name in tables if not patterns or any(fnmatch.fnmatchcase(name, p) for p in patterns)]


def format_of(path: Path) -> str | None:
    """The file format that a suffix asks for."""
    return {f".{suffix}": name for name, (suffix, _) in FORMATS.items()}.get(path.suffix.lower())


def to_folder(
    replay: Replay, names: list[str], kind: str, folder: Path, *, single: Path | None = None, force: bool = False
) -> Iterator[tuple[str, Path, int]]:
    """Writes one file a table and yields (table, path, rows) after each; ``single`` is the one file's path instead."""
    suffix, write = FORMATS[kind]
    paths = {name: single or folder / f"{name}.{suffix}" for name in names}
    if not force and (there := [path for path in paths.values() if path.exists()]):
        raise FileExistsError(17, "the file exists (--force overwrites)", str(there[0]))
    if single is None:
        folder.mkdir(parents=True, exist_ok=True)
    for name, path in paths.items():
        table = replay.tables[name]
        with replacing(path, force=force) as file:
            write(table, file)
        replay.tables.forget(name)
        yield name, path, len(table)


def to_stream(replay: Replay, names: list[str], kind: str, stream: BinaryIO) -> None:
    """Writes the tables one after another; CSV puts an empty line between two."""
    _, write = FORMATS[kind]
    for position, name in enumerate(names):
        if position and kind == "csv":
            stream.write(b"\r\n")
        write(replay.tables[name], stream)
        replay.tables.forget(name)


def metadata(schema: Schema) -> dict[str, str]:
    """What every self-describing file says of itself."""
    return {"ksreplay": __version__, "table": schema.name, "schema_version": str(schema.version)}


def write_csv(table: Table, stream: BinaryIO) -> None:
    """RFC 4180, CRLF, UTF-8, the first line names the columns; null is empty, lists are JSON, bytes base64."""
    text = io.TextIOWrapper(stream, "utf-8", errors="replace", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(table.schema.names)
        for batch in _batches(table):
            writer.writerows(zip(*(_cells(batch, name) for name in table.schema.names), strict=True))
    finally:
        text.detach()


def write_ndjson(table: Table, stream: BinaryIO) -> None:
    """A first line of `metadata`, then one JSON object a row; bytes are base64, NaN and infinities null."""
    stream.write(json.dumps(metadata(table.schema)).encode() + b"\n")
    names = [json.dumps(name) for name in table.schema.names]
    for batch in _batches(table):
        columns = [_json(batch, name) for name in table.schema.names]
        lines = (
            "{" + ",".join(f"{name}:{value}" for name, value in zip(names, row, strict=True)) + "}\n"
            for row in zip(*columns, strict=True)
        )
        stream.write("".join(lines).encode())


def write_parquet(table: Table, stream: BinaryIO) -> None:
    """Parquet with zstd, by row groups, with `metadata` in the file's metadata. Needs pyarrow."""
    _pyarrow_write(table, stream, "parquet")


def write_arrow(table: Table, stream: BinaryIO) -> None:
    """An Arrow IPC stream. Needs pyarrow."""
    _pyarrow_write(table, stream, "arrow")


#: format -> (suffix, writer)
FORMATS: dict[str, tuple[str, Callable[[Table, BinaryIO], None]]] = {
    "csv": ("csv", write_csv),
    "ndjson": ("ndjson", write_ndjson),
    "parquet": ("parquet", write_parquet),
    "arrow": ("arrow", write_arrow),
}


def _pyarrow_write(table: Table, stream: BinaryIO, kind: str) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError("this needs pyarrow: pip install 'ksreplay[arrow]'") from error
    reader = pa.RecordBatchReader.from_stream(table)
    schema = reader.schema.with_metadata({**(reader.schema.metadata or {}), **_encoded(metadata(table.schema))})
    make: Any = (
        pq.ParquetWriter(stream, schema, compression="zstd") if kind == "parquet" else pa.ipc.new_stream(stream, schema)
    )
    with make as writer:
        for batch in reader:
            writer.write_batch(batch.replace_schema_metadata(schema.metadata))


def _encoded(entries: dict[str, str]) -> dict[bytes, bytes]:
    return {key.encode(): value.encode() for key, value in entries.items()}


def _batches(table: Table) -> Iterator[Table]:
    for start in range(0, len(table), BATCH_ROWS):
        yield table.slice(start, start + BATCH_ROWS)


def _python(table: Table, name: str) -> list[Any]:
    """The column as Python values, None where null; a float32 as the shortest decimal that means it."""
    values = table[name]
    if table.schema[name].item_dtype:
        return [_plain_list(item) for item in values]
    if values.dtype == np.float32:
        items: list[Any] = values.astype("U").astype(np.float64).tolist()
    else:
        items = values.tolist()
    mask = table.valid(name)
    if mask is None or values.dtype == object:
        return items
    return [item if known else None for item, known in zip(items, mask.tolist(), strict=True)]


def _plain_list(item: Any) -> Any:
    if not isinstance(item, np.ndarray):
        return item
    if item.dtype == np.float32:
        return item.astype("U").astype(np.float64).tolist()
    return item.tolist()


def _cells(table: Table, name: str) -> list[Any]:
    column = table.schema[name]
    items = _python(table, name)
    if column.dtype == "string":
        return [None if item is None else spreadsheet_safe(item) for item in items]
    if column.dtype == "binary":
        return [None if item is None else base64.b64encode(item).decode() for item in items]
    if column.dtype == "bool":
        return [None if item is None else "true" if item else "false" for item in items]
    if column.item_dtype:
        return [None if item is None else _dumps(item) for item in items]
    return items


def _json(table: Table, name: str) -> list[str]:
    items = _python(table, name)
    if table.schema[name].dtype == "binary":
        items = [None if item is None else base64.b64encode(item).decode() for item in items]
    return [_dumps(item) for item in items]


def _dumps(item: Any) -> str:
    try:
        return json.dumps(item, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(item))


def _finite(item: Any) -> Any:
    if isinstance(item, list):
        return [_finite(inner) for inner in item]
    return None if isinstance(item, float) and item - item != 0 else item
