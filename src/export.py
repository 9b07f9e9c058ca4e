"""Tables out of the package: one writer a file format, all of them by batches of rows, so that memory stays bounded."""

from __future__ import annotations

import base64
import fnmatch
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from json.encoder import encode_basestring_ascii as _quoted
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ksreplay import __version__
from ksreplay.atomic import replacing
from ksreplay.columns import Lists, Ragged, Strings
from ksreplay.replay import Replay, Tables
from ksreplay.selection import Selection
from ksreplay.table import Schema, Table
from ksreplay.text import FORMULA_STARTS, spreadsheet_safe

#: Rows turned into text at a time.
BATCH_ROWS = 1 << 15
#: Rows of a Parquet row group, unless a table has fewer.
GROUP_ROWS = 1 << 17


def chosen(tables: Tables, patterns: Iterable[str]) -> list[str]:
    """The tables that the patterns name, in the format's order; all without patterns. KeyError where one names none."""
    patterns = list(patterns)
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(name, pattern) for name in tables):
            raise KeyError(f"no table {pattern!r}; there are {', '.join(tables)}")
    return [name for name in tables if not patterns or any(fnmatch.fnmatchcase(name, p) for p in patterns)]


def format_of(path: Path) -> str | None:
    """The file format that a suffix asks for."""
    return {f".{suffix}": name for name, (suffix, _) in FORMATS.items()}.get(path.suffix.lower())


def to_folder(
    replay: Replay,
    names: list[str],
    kind: str,
    folder: Path,
    *,
    single: Path | None = None,
    force: bool = False,
    selection: Selection | None = None,
) -> Iterator[tuple[str, Path, int]]:
    """Writes one file a table and yields (table, path, rows) after each; ``single`` is the one file's path instead.

    Raises FileExistsError before anything is written where a file is there already and ``force`` is not given.
    """
    suffix, write = FORMATS[kind]
    paths = {name: single or folder / f"{name}.{suffix}" for name in names}
    if not force and (there := [path for path in paths.values() if path.exists()]):
        raise FileExistsError(17, "the file exists (--force overwrites)", str(there[0]))
    if single is None:
        folder.mkdir(parents=True, exist_ok=True)
    for name, path in paths.items():
        table = _take(replay, name, selection)
        with replacing(path, force=force) as file:
            write(table, file)
        replay.tables.forget(name)
        yield name, path, len(table)


def to_stream(
    replay: Replay, names: list[str], kind: str, stream: BinaryIO, *, selection: Selection | None = None
) -> None:
    """Writes the tables one after another; CSV puts an empty line between two. Parquet and Arrow hold one table.

    Arrow is the stream format here, since a pipe cannot seek; `to_folder` writes the file format.
    """
    write = write_arrow_stream if kind == "arrow" else FORMATS[kind][1]
    if len(names) > 1 and kind in ONE_TABLE:
        raise ValueError(f"one {kind} stream holds one table")
    for position, name in enumerate(names):
        if position and kind == "csv":
            stream.write(b"\r\n")
        write(_take(replay, name, selection), stream)
        replay.tables.forget(name)


def _take(replay: Replay, name: str, selection: Selection | None) -> Table:
    table = replay.tables[name]
    return table if selection is None else selection.of(table)


def metadata(schema: Schema) -> dict[str, str]:
    """What every self-describing file says of itself."""
    return {"ksreplay": __version__, "table": schema.name, "schema_version": str(schema.version)}


def write_csv(table: Table, stream: BinaryIO) -> None:
    """RFC 4180, CRLF, UTF-8, the first line names the columns; null is empty, lists are JSON, bytes base64."""
    names = table.schema.names
    stream.write((",".join(map(_csv_quoted, names)) + "\r\n").encode())
    line = ",".join(["%s"] * len(names)) + "\r\n"
    for batch in _batches(table):
        columns = [_cells(batch, name) for name in names]
        if len(columns) == 1:  # an empty line would be no row
            columns = [[cell or '""' for cell in columns[0]]]
        stream.write("".join([line % row for row in zip(*columns, strict=True)]).encode("utf-8", "replace"))


def write_ndjson(table: Table, stream: BinaryIO) -> None:
    """A first line of `metadata`, then one JSON object a row; bytes are base64, NaN and infinities null."""
    stream.write(json.dumps(metadata(table.schema)).encode() + b"\n")
    line = "{" + ",".join(_quoted(name).replace("%", "%%") + ":%s" for name in table.schema.names) + "}\n"
    for batch in _batches(table):
        columns = [_json(batch, name) for name in table.schema.names]
        stream.write("".join([line % row for row in zip(*columns, strict=True)]).encode())


def write_parquet(table: Table, stream: BinaryIO) -> None:
    """Parquet with zstd, by row groups, with `metadata` in the file's metadata. Needs pyarrow."""
    _pyarrow_write(table, stream, "parquet")


def write_arrow(table: Table, stream: BinaryIO) -> None:
    """An Arrow IPC file (Feather 2). Needs pyarrow."""
    _pyarrow_write(table, stream, "arrow")


def write_arrow_stream(table: Table, stream: BinaryIO) -> None:
    """An Arrow IPC stream, which a reader takes without seeking. Needs pyarrow."""
    _pyarrow_write(table, stream, "arrow-stream")


#: format -> (suffix, writer)
FORMATS: dict[str, tuple[str, Callable[[Table, BinaryIO], None]]] = {
    "csv": ("csv", write_csv),
    "ndjson": ("ndjson", write_ndjson),
    "parquet": ("parquet", write_parquet),
    "arrow": ("arrow", write_arrow),
}
#: Formats of which one file holds one table.
ONE_TABLE = frozenset({"parquet", "arrow"})


def _pyarrow_write(table: Table, stream: BinaryIO, kind: str) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError("this needs pyarrow: pip install 'ksreplay[arrow]'") from error
    found = pa.schema(table)
    schema = found.with_metadata({**(found.metadata or {}), **_encoded(metadata(table.schema))})
    if kind == "parquet":
        make: Any = pq.ParquetWriter(stream, schema, compression="zstd")
    else:
        make = (pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream)(stream, schema)
    with make as writer:
        for start in range(0, len(table), GROUP_ROWS):
            # Group by group, so that strings in codes are spelled out for one group at a time.
            writer.write_table(pa.table(table.slice(start, start + GROUP_ROWS)).cast(schema))


def _encoded(entries: dict[str, str]) -> dict[bytes, bytes]:
    return {key.encode(): value.encode() for key, value in entries.items()}


def _batches(table: Table) -> Iterator[Table]:
    for start in range(0, len(table), BATCH_ROWS):
        yield table.slice(start, start + BATCH_ROWS)


def _cells(table: Table, name: str) -> list[Any]:
    """A column as CSV texts, quoted where they must be."""
    cells = _column(table, name, "", _safe_texts, finite=False)
    if table.schema[name].item_dtype:
        return [_csv_quoted(cell) if cell else "" for cell in cells]
    return cells


def _json(table: Table, name: str) -> list[Any]:
    """A column as JSON texts."""
    return _column(table, name, "null", _json_texts, finite=True)


def _column(table: Table, name: str, null: str, texts: Callable[[Strings], list[Any]], *, finite: bool) -> list[Any]:
    values, mask = table.column(name), table.valid(name)
    if isinstance(values, Strings):
        items = _by_entry(values, texts, null)
    elif isinstance(values, Lists):
        items = _list_texts(values)
    elif isinstance(values, Ragged):
        quote = '"' if finite else ""
        items = [quote + base64.b64encode(item or b"").decode() + quote for item in values.to_objects().tolist()]
    else:
        items = _scalars(values, null if finite else None)
    if mask is None:
        return items
    return [item if known else null for item, known in zip(items, mask.tolist(), strict=True)]


def _by_entry(values: Strings, texts: Callable[[Strings], list[Any]], null: str) -> list[Any]:
    """Each row's text; where rows are codes, each entry is made once."""
    if values.codes is None:
        return texts(values)
    entries: list[Any] = [*texts(Strings(values.offsets, values.values)), null]
    codes: list[int] = np.maximum(values.codes, -1).tolist()
    return [entries[code] for code in codes]


def _safe_texts(values: Strings) -> list[Any]:
    """Texts for CSV: quoted where they must be, and made harmless for spreadsheets."""
    texts: list[Any] = values.to_objects().tolist()
    offsets, data = values.flat()
    filled = np.flatnonzero(np.diff(offsets))
    for row in filled[_RISKY[data[offsets[:-1][filled]]]].tolist():
        texts[row] = spreadsheet_safe(texts[row] or "")
    special = np.searchsorted(offsets, np.flatnonzero(_SPECIAL[data]), "right") - 1
    for row in np.unique(special).tolist():
        texts[row] = _csv_quoted(texts[row] or "")
    return texts


def _csv_quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(char in text for char in '",\r\n') else text


#: Bytes that may begin a formula, and bytes for which RFC 4180 wants quotes.
_RISKY = np.zeros(256, bool)
_RISKY[[text.encode()[0] for text in FORMULA_STARTS]] = True
_SPECIAL = np.zeros(256, bool)
_SPECIAL[list(b'",\r\n')] = True


def _json_texts(values: Strings) -> list[str]:
    return ["null" if text is None else _quoted(text) for text in values.to_objects().tolist()]


def _list_texts(values: Lists) -> list[str]:
    """Rows of a list column as JSON."""
    offsets, flat = values.flat()
    if isinstance(flat, Strings):
        inner = _by_entry(flat, _json_texts, "null")
    else:
        inner = [str(item) for item in _scalars(flat, "null")]
    return ["[" + ",".join(inner[a:b]) + "]" for a, b in pairwise(offsets.tolist())]


def _scalars(values: NDArray[Any], unbounded: str | None) -> list[Any]:
    """Numbers as the shortest decimals that mean them, ``unbounded`` (None: their names) for NaN and infinities."""
    if values.dtype == bool:
        return ["true" if item else "false" for item in values.tolist()]
    if values.dtype.kind != "f":
        whole: list[int] = values.tolist()
        return whole
    items = values.astype("U").tolist() if values.dtype == np.float32 else [repr(item) for item in values.tolist()]
    if unbounded is not None:
        for row in np.flatnonzero(~np.isfinite(values)).tolist():
            items[row] = unbounded
    return items
