"""The data set's own tables: `files` (the fate of every file) and `games` (recordings of one game together)."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ksreplay.arrow import schema as arrow_schema
from ksreplay.batch.job import ID_DIGITS, UNKNOWN_MONTH, WITH_ROWS, Options
from ksreplay.batch.manifest import Manifest, staged
from ksreplay.batch.parse import part_schema, partition_of, visible_columns, wanted_tables

BATCH = 2_000

FILES = pa.schema(
    [
        pa.field("file_id", pa.string()),
        pa.field("path", pa.string(), False),
        pa.field("bytes", pa.int64(), False),
        pa.field("modified", pa.timestamp("us", "UTC"), False),
        pa.field("status", pa.string(), False),
        pa.field("code", pa.string()),
        pa.field("message", pa.string()),
        pa.field("place", pa.string()),
        pa.field("offset", pa.int64()),
        pa.field("sha256", pa.string()),
        pa.field("format", pa.string()),
        pa.field("format_version", pa.int64()),
        pa.field("month", pa.string(), False),
        pa.field("complete", pa.bool_()),
        pa.field("game", pa.string()),
        pa.field("map", pa.string()),
        pa.field("duration_s", pa.float64()),
        pa.field("players", pa.int64()),
        pa.field("problems", pa.int64()),
        pa.field("rows", pa.int64()),
        pa.field("game_key", pa.string()),
        pa.field("seconds", pa.float64(), False),
        pa.field("peak_bytes", pa.int64()),
        pa.field("parser_version", pa.string(), False),
        pa.field("schema_version", pa.string()),
    ]
)

GAMES = pa.schema(
    [
        pa.field("game_key", pa.string(), False),
        pa.field("formats", pa.list_(pa.string()), False),
        pa.field("month", pa.string(), False),
        pa.field("game", pa.string()),
        pa.field("map", pa.string()),
        pa.field("duration_s", pa.float64()),
        pa.field("file_id", pa.string(), False),  # of the best recording: complete before cut, then the longest
        pa.field("recordings", pa.int32(), False),
        pa.field("file_ids", pa.list_(pa.string()), False),
    ]
)


def export(manifest: Manifest) -> None:
    """Writes ``files.parquet``, ``games.parquet`` and an empty part of every table of the formats that occur."""
    _write(manifest.folder / "files.parquet", FILES, (_file(row) for row in manifest.rows("path")))
    _write(manifest.folder / "games.parquet", GAMES, _games(manifest))
    _empty_parts(manifest)
    manifest.mark_exported()


def _file(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "file_id": row["sha256"][:ID_DIGITS] or None,
        "path": os.fsencode(os.fsdecode(row["path"])).decode("utf-8", "backslashreplace"),
        "bytes": row["size"],
        "modified": row["mtime_ns"] // 1000,
        "complete": None if row["complete"] is None else bool(row["complete"]),
        "parser_version": row["parser"],
        "schema_version": row["schema"] or None,
        **{name: row[name] or None for name in ("code", "message", "place", "sha256", "format", "game_key")},
    }


def _games(manifest: Manifest) -> Iterator[dict[str, Any]]:
    statuses = ", ".join(f"'{status}'" for status in WITH_ROWS)
    rows = manifest.rows(
        "game_key, complete DESC, duration_s DESC, size DESC, sha256", f"status IN ({statuses}) AND game_key != ''"
    )
    for key, group in itertools.groupby(rows, lambda row: row["game_key"]):
        recordings = list({row["sha256"]: row for row in group}.values())
        best = recordings[0]
        ids = [row["sha256"][:ID_DIGITS] for row in recordings]
        yield {
            **{name: best[name] for name in ("game", "map", "duration_s")},
            "month": min(row["month"] for row in recordings),  # a date before the word unknown
            "formats": sorted({row["format"] for row in recordings}),
            "game_key": key, "file_id": ids[0], "recordings": len(ids), "file_ids": ids,
        }  # fmt: skip


def _write(target: Path, schema: pa.Schema, rows: Iterable[dict[str, Any]]) -> None:
    rows = iter(rows)
    with staged(target.parent, target) as path, pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(itertools.islice(rows, BATCH)):
            columns = [pa.array([row[field.name] for row in batch], field.type) for field in schema]
            writer.write_table(pa.table(columns, schema=schema))


def _empty_parts(manifest: Manifest) -> None:
    """So that a query over a table finds its columns also where no match has a row of it."""
    from ksreplay.registry import FORMATS

    options = Options.of_shape(manifest.setting("shape") or Options().shape())
    for format in manifest.formats():
        definitions = {definition.name: definition.schema for definition in FORMATS[format].replay_class.TABLES}
        for name in wanted_tables(format, list(definitions), options):
            schema = definitions[name].select(visible_columns(definitions[name], options.private))
            target = manifest.folder / partition_of(name, format, UNKNOWN_MONTH) / "empty.parquet"
            empty = part_schema(pa.schema(arrow_schema(schema))).empty_table()
            if not target.exists() or not pq.read_schema(target).equals(empty.schema):
                with staged(manifest.folder, target) as path:
                    pq.write_table(empty, path, compression="zstd")
