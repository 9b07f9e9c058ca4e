"""Tables out: a million rows of every kind of column through each writer, beside pandas and polars."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.measure import Measure
from ksreplay import export
from ksreplay.columns import Lists, Strings, offsets_of
from ksreplay.layout import Tree, parse_path, roots
from ksreplay.limits import Limits
from ksreplay.table import Column, Schema, Table

ROWS = 1_000_000


class _Count(io.RawIOBase):
    """Takes bytes and keeps none."""

    def __init__(self) -> None:
        self.bytes = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.bytes += len(data)
        return len(data)


def table() -> Table:
    random = np.random.default_rng(1)
    lengths = random.integers(0, 4, ROWS)
    offsets = offsets_of(lengths)
    text = ("gl hf, see you at the geo " * 100).encode()
    schema = Schema("orders", (
        Column("frame", "int32"), Column("player", "uint8", nullable=True),
        Column("x", "float32"), Column("y", "float64"), Column("name", "string"),
        Column("text", "string"), Column("queued", "bool"), Column("units", "list<uint16>"),
    ))  # fmt: skip
    return Table.build(schema, {
        "frame": np.arange(ROWS, dtype=np.int32), "player": random.integers(0, 16, ROWS).astype(np.uint8),
        "x": (random.normal(size=ROWS) * 4000).astype(np.float32), "y": random.normal(size=ROWS),
        "name": Strings.from_codes(random.integers(0, 16, ROWS), [f"player {i}" for i in range(16)]),
        "text": Strings.from_spans(text, random.integers(0, 2000, ROWS), random.integers(0, 30, ROWS)),
        "queued": random.integers(0, 2, ROWS).astype(bool),
        "units": Lists(offsets, random.integers(0, 30_000, offsets[-1]).astype(np.uint16)),
    }, {"player": random.random(ROWS) > 0.1})  # fmt: skip


def measures(corpus: Path) -> Iterator[Measure]:
    rows = table()
    for kind, (_, write) in export.FORMATS.items():
        yield Measure(f"1 M rows, 8 columns: {kind}", lambda write=write: write(rows, _Count()), rows.nbytes)
    yield Measure("1 M rows, 8 columns: to_arrow", rows.to_arrow, rows.nbytes)
    yield Measure("1 M rows, 8 columns: to_pandas", rows.to_pandas, rows.nbytes)
    yield from _peers(rows)
    demo = (corpus / "spring" / "synthetic-large.sdfz").read_bytes()
    yield Measure("10 MB demo: layout, first look", lambda: _look(demo, ""))
    yield Measure("10 MB demo: layout stream.chunks[100000]", lambda: _look(demo, "stream.chunks[100000]"))


def _peers(rows: Table) -> Iterator[Measure]:
    frames: list[tuple[str, Callable[[], Any], Callable[[Any], object]]] = [
        ("pandas to_csv", lambda: rows.to_pandas(), lambda frame: frame.to_csv(_Text(), index=False)),
        ("polars write_ndjson", lambda: rows.to_polars(), lambda frame: frame.write_ndjson(io.BytesIO())),
        ("polars write_parquet", lambda: rows.to_polars(), lambda frame: frame.write_parquet(io.BytesIO())),
    ]
    for name, make, work in frames:
        try:
            frame = make()
        except ImportError as error:
            yield Measure(f"peer: {name}", int, missing=str(error))
            continue
        yield Measure(f"peer: {name}, of its own frame", lambda work=work, frame=frame: work(frame), rows.nbytes)


class _Text(io.TextIOBase):
    def write(self, text: str) -> int:
        return len(text)


def _look(data: bytes, path: str) -> object:
    root = roots("spring", data, Limits())[0]
    tree = Tree(root, "spring", far=bool(path))
    return tree.find(parse_path(path)) if path else list(tree.children(tree.top()))
