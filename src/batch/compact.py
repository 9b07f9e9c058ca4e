"""Small parts merged into large ones, and rows taken out of parts."""

from __future__ import annotations

import hashlib
import heapq
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ksreplay.batch.job import Versions
from ksreplay.batch.manifest import STAGING, Manifest, staged
from ksreplay.batch.parse import PartWriter

MIB = 1 << 20
#: Parts open at a time while they are merged.
FAN_IN = 200


def compact(
    folder: Path, smallest: int = 64 * MIB, largest: int = 256 * MIB, progress: Callable[[str], None] = lambda _: None
) -> dict[str, int]:
    """Merges the parts of each partition that are smaller than ``smallest`` into parts of at most about ``largest``.

    Returns {"parts_before", "parts_after", "bytes_before", "bytes_after"}. Can be killed at any moment.
    """
    with Manifest(folder, Versions.current()) as manifest:
        clean(manifest)
        before = _sizes(manifest)
        for partition, parts in groupby(before, lambda part: part.rpartition("/")[0]):
            small = [part for part in parts if before[part] < smallest]
            for alike in _alike(folder, small):
                for group in _groups(alike, before, largest):
                    progress(f"{partition}: {len(group)} parts")
                    merge(manifest, partition, group)
        shutil.rmtree(folder / STAGING, ignore_errors=True)
        after = _sizes(manifest)
    return {
        "parts_before": len(before), "parts_after": len(after),
        "bytes_before": sum(before.values()), "bytes_after": sum(after.values()),
    }  # fmt: skip


def _sizes(manifest: Manifest) -> dict[str, int]:
    return {part: (manifest.folder / part).stat().st_size for part in manifest.parts()}


def _alike(folder: Path, parts: list[str]) -> Iterable[list[str]]:
    """Parts by their columns: files that are gone may have rows of an older version, which stay by themselves."""
    groups: dict[str, list[str]] = {}
    for part in parts:
        schema = pq.read_schema(folder / part).remove_metadata()
        groups.setdefault(schema.to_string(show_field_metadata=False), []).append(part)
    return groups.values()


def _groups(parts: list[str], sizes: dict[str, int], largest: int) -> Iterator[list[str]]:
    group: list[str] = []
    total = 0
    for part in parts:
        if group and (total + sizes[part] > largest or len(group) >= FAN_IN):
            yield group
            group, total = [], 0
        group.append(part)
        total += sizes[part]
    if len(group) > 1:
        yield group


def merge(manifest: Manifest, partition: str, parts: list[str]) -> None:
    """Merges parts into one, in the order of file ids, as a single step of the manifest."""
    name = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]
    folder = manifest.folder / STAGING / f"merge.{uuid.uuid4().hex[:8]}"
    folder.mkdir(parents=True)
    merged = folder / "merged.parquet"
    with ExitStack() as stack:
        files = [stack.enter_context(pq.ParquetFile(manifest.folder / part)) for part in parts]
        schema = files[0].schema_arrow
        streams = [_by_file(file, number) for number, file in enumerate(files)]
        with PartWriter(merged, schema) as writer:
            for _, _, _, table in heapq.merge(*streams, key=lambda entry: entry[:3]):
                writer.add(table)
    manifest.replace([(merged.relative_to(manifest.folder).as_posix(), f"{partition}/{name}.parquet")], parts)
    shutil.rmtree(folder, ignore_errors=True)


def _by_file(file: Any, number: int) -> Iterator[tuple[str, int, int, pa.Table]]:
    """The rows of a part by file, in its order: (file id, number of the part, number of the piece, rows)."""
    piece = 0
    for group in range(file.num_row_groups):
        table = file.read_row_group(group)
        runs = pc.run_end_encode(table.column("file_id").combine_chunks())
        start = 0
        for end, file_id in zip(runs.run_ends.to_pylist(), runs.values.to_pylist(), strict=True):
            yield file_id, number, piece, table.slice(start, end - start)
            piece += 1
            start = end


def clean(manifest: Manifest) -> None:
    """Takes unwanted rows out of the parts, and removes what killed runs left in the staging folder."""
    for part, file_ids in manifest.pending_drops():
        _without(manifest.folder, part, set(file_ids))
    manifest.dropped()
    shutil.rmtree(manifest.folder / STAGING, ignore_errors=True)


def _without(folder: Path, part: str, file_ids: set[str]) -> None:
    """The part without the rows of these files; gone where nothing is left. Repeating it changes nothing."""
    if not (folder / part).exists():
        return
    unwanted = pa.array(sorted(file_ids), pa.string())
    rows = 0
    with (
        staged(folder, folder / part) as path,
        pq.ParquetFile(folder / part) as file,
        PartWriter(path, file.schema_arrow) as writer,
    ):
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            table = table.filter(pc.invert(pc.is_in(table.column("file_id"), unwanted)))
            rows += table.num_rows
            writer.add(table)
    if not rows:
        (folder / part).unlink()
