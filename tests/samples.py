"""Tables and replays made by the tests themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ksreplay.columns import Binary, Lists, Strings
from ksreplay.formats.source import Source
from ksreplay.replay import Facts, Replay, TableDefinition
from ksreplay.table import Column, Schema, Table

SCHEMA = Schema(
    "things",
    (
        Column("frame", "int32", unit="frame", meaning="when"),
        Column("player", "uint8", nullable=True, meaning="who"),
        Column("x", "float32", unit="elmo", meaning="where"),
        Column("y", "float64", nullable=True),
        Column("name", "string", nullable=True, meaning="by code"),
        Column("text", "string", private=True, meaning="what was said"),
        Column("ok", "bool"),
        Column("maybe", "bool", nullable=True),
        Column("units", "list<uint16>", meaning="which"),
        Column("words", "list<string>"),
        Column("raw", "binary", nullable=True),
        Column("big", "int64"),
    ),
    meaning="one row a thing",
    version=3,
)

TEXTS = ["plain", "", "=SUM(A1)", 'say "hi", you', "two\r\nlines", "żółw 🐢", "-1", "x" * 40, "\t", "a,b"]


def things(rows: int = 10, *, strings: str = "spans") -> Table:
    """A table of every dtype; row i is a function of i alone."""
    i = np.arange(rows)
    lengths = i % 4
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    texts: list[str | None] = [TEXTS[k % len(TEXTS)] for k in range(rows)]
    if strings == "spans":
        raw = [(text or "").encode() for text in texts]
        starts = np.cumsum([0, *map(len, raw)])[:-1] if raw else np.zeros(0, int)
        text = Strings.from_spans(b"".join(raw), starts, np.array([len(item) for item in raw], int))
    else:
        text = Strings.from_list(texts)
    return Table.build(
        SCHEMA,
        {
            "frame": i.astype(np.int32) * 10,
            "player": (i % 3).astype(np.uint8),
            "x": (i / 10).astype(np.float32),
            "y": np.where(i % 5 == 4, np.nan, i * 0.1),
            "name": Strings.from_codes(np.where(i % 4 == 3, -1, i % 3), ["ann", "bob", "=cmd"]),
            "text": text,
            "ok": i % 2 == 0,
            "maybe": i % 2 == 1,
            "units": Lists(offsets, np.arange(offsets[-1], dtype=np.uint16)),
            "words": Lists.from_lists([[f"w{k}", 'q"'] if k % 2 else [] for k in range(rows)], "string"),
            "raw": Binary.from_list([None if k % 3 == 2 else bytes([k % 256, 0, 255]) for k in range(rows)]),
            "big": (1 << 62) + i.astype(np.int64),
        },
        valid={"player": i % 4 != 1, "y": i % 7 != 3, "maybe": i % 3 != 0},
    )


class Sample(Replay):
    """A replay whose content is a number of rows, for what all formats share."""

    format = "sample"
    TABLES = (
        TableDefinition(SCHEMA, lambda replay: things(len(replay.source.data)), lambda replay: replay.source.size),
        TableDefinition(
            Schema("players", (Column("id", "int32"), Column("name", "string"))),
            lambda replay: Table.from_rows(replay.tables.schema("players"), [{"id": 0, "name": "ann"}]),
        ),
    )

    def facts(self, full: bool) -> Facts:
        return Facts(1, True, game="g", players=[{"id": 0, "name": "ann"}, {"id": 1, "name": "bob"}])


def sample(rows: int = 10, **options: Any) -> Sample:
    return Sample(Source(bytes(rows), "sample"), **options)
