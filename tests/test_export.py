"""Tables as CSV, NDJSON, Parquet and Arrow, and back."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ksreplay
from ksreplay import export
from ksreplay.columns import Strings
from ksreplay.selection import Selection, players_of
from ksreplay.table import Column, Schema, Table
from ksreplay.text import spreadsheet_safe
from samples import SCHEMA, TEXTS, sample, things


@pytest.fixture(autouse=True, scope="module")
def small_batches() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "BATCH_ROWS", 7)
        patch.setattr(export, "GROUP_ROWS", 16)
        yield


def written(table: Table, kind: str) -> bytes:
    stream = io.BytesIO()
    export.FORMATS[kind][1](table, stream)
    return stream.getvalue()


def test_csv_is_rfc_4180() -> None:
    table = things(30)
    raw = written(table, "csv")
    assert raw.count(b"\r\n") - 3 == 31  # three cells hold a line break themselves
    lines = list(csv.reader(io.StringIO(raw.decode(), newline="")))
    assert tuple(lines[0]) == SCHEMA.names
    for line, row in zip(lines[1:], table.rows(), strict=True):
        cell = dict(zip(SCHEMA.names, line, strict=True))
        assert cell["frame"] == str(row["frame"]) and cell["big"] == str(row["big"])
        assert cell["player"] == ("" if row["player"] is None else str(row["player"]))
        assert np.float32(cell["x"]) == np.float32(row["x"])
        assert cell["ok"] == str(row["ok"]).lower()
        assert cell["maybe"] == ("" if row["maybe"] is None else str(row["maybe"]).lower())
        assert json.loads(cell["units"]) == row["units"] and json.loads(cell["words"]) == row["words"]
    assert [line[SCHEMA.names.index("text")] for line in lines[1:11]] == [
        "plain", "", "'=SUM(A1)", 'say "hi", you', "two\r\nlines", "żółw 🐢", "'-1", "x" * 40, "'\t", "a,b",
    ]  # fmt: skip
    assert [line[SCHEMA.names.index("name")] for line in lines[1:5]] == ["ann", "bob", "'=cmd", ""]
    assert [line[SCHEMA.names.index("raw")] for line in lines[1:4]] == ["AAD/", "AQD/", ""]


def test_csv_of_text_from_codes_and_of_spans_is_the_same() -> None:
    assert written(things(20), "csv") == written(things(20, strings="list"), "csv")


def test_empty_table_is_its_first_line() -> None:
    assert written(things(0), "csv").decode() == ",".join(SCHEMA.names) + "\r\n"
    assert written(things(0), "ndjson").count(b"\n") == 1


def test_one_empty_cell_is_still_a_row() -> None:
    table = Table.build(Schema("t", (Column("a", "string"),)), {"a": Strings.from_list(["", "x"])})
    assert written(table, "csv") == b'a\r\n""\r\nx\r\n'


def test_ndjson_begins_with_what_it_is() -> None:
    lines = [json.loads(line) for line in written(things(20), "ndjson").splitlines()]
    assert lines[0] == {"ksreplay": ksreplay.__version__, "table": "things", "schema_version": "3"}
    for line, row in zip(lines[1:], things(20).rows(), strict=True):
        assert list(line) == list(SCHEMA.names)
        assert np.float32(line.pop("x")) == np.float32(row.pop("x"))
        y = row.pop("y")
        assert line.pop("y") == (None if y is None or math.isnan(y) else y)
        assert (line.pop("raw") is None) == (row.pop("raw") is None)
        assert line == row


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.tuples(st.one_of(st.none(), texts), st.floats(width=32), st.floats(), st.lists(texts, max_size=3))))
def test_any_values_come_back_from_text(rows: list[tuple[str | None, float, float, list[str]]]) -> None:
    schema = Schema(
        "t",
        (
            Column("s", "string", nullable=True),
            Column("f", "float32"),
            Column("d", "float64"),
            Column("l", "list<string>"),
        ),
    )
    table = Table.from_rows(schema, [dict(zip(schema.names, row, strict=True)) for row in rows])
    lines = list(csv.reader(io.StringIO(written(table, "csv").decode(), newline="")))[1:]
    documents = [json.loads(line) for line in written(table, "ndjson").split(b"\n")[1:-1]]
    for (text, single, double, words), line, document in zip(rows, lines, documents, strict=True):
        assert line[0] == ("" if text is None else spreadsheet_safe(text)) and document["s"] == text
        assert json.loads(line[3]) == document["l"] == words
        for value, cell, number, kind in (
            (single, line[1], document["f"], np.float32),
            (double, line[2], document["d"], np.float64),
        ):
            assert kind(cell) == kind(value) or (cell == "nan" and math.isnan(value))
            assert number == (None if not math.isfinite(value) else number) and (
                number is None or kind(number) == kind(value)
            )


def test_infinities_are_null_in_json() -> None:
    table = Table.build(Schema("t", (Column("a", "float32"),)), {"a": np.array([np.inf, -np.inf, np.nan, 1e20], "f4")})
    assert [json.loads(line)["a"] for line in written(table, "ndjson").splitlines()[1:]] == [None, None, None, 1e20]


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_binary_formats_come_back(kind: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    table = things(40)
    raw = written(table, kind)
    if kind == "parquet":
        import pyarrow.parquet as pq

        file = pq.ParquetFile(io.BytesIO(raw))
        assert file.num_row_groups == 3
        assert file.metadata.row_group(0).column(0).compression == "ZSTD"
        back = file.read()
    else:
        back = pa.ipc.open_file(io.BytesIO(raw)).read_all()
        stream = io.BytesIO()
        with sample(40, private=True) as replay:
            export.to_stream(replay, ["things"], "arrow", stream)
        assert repr(pa.ipc.open_stream(stream.getvalue()).read_all().to_pylist()) == repr(back.to_pylist())
    assert back.schema.metadata[b"ksreplay"] == ksreplay.__version__.encode()
    assert back.schema.metadata[b"schema_version"] == b"3" and back.schema.metadata[b"table"] == b"things"
    assert repr(back.to_pylist()) == repr(list(table.rows()))


def test_parquet_reaches_pandas_as_the_numpy_columns(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    path = tmp_path / "t.parquet"
    path.write_bytes(written(things(40), "parquet"))
    frame = pd.read_parquet(path)
    assert (frame["frame"].to_numpy() == things(40)["frame"]).all()
    assert frame["text"].tolist() == things(40)["text"].tolist()
    assert all((a == b).all() for a, b in zip(frame["units"], things(40)["units"], strict=True))


def test_files_of_a_folder(tmp_path: Path) -> None:
    with sample(10) as replay:
        written_files = list(export.to_folder(replay, ["things", "players"], "csv", tmp_path / "new"))
        assert [(name, path.name, rows) for name, path, rows in written_files] == [
            ("things", "things.csv", 10), ("players", "players.csv", 1),
        ]  # fmt: skip
        with pytest.raises(FileExistsError):
            list(export.to_folder(replay, ["players", "things"], "csv", tmp_path / "new"))
        assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["players.csv", "things.csv"]


def test_tables_by_pattern() -> None:
    with sample() as replay:
        assert export.chosen(replay.tables, []) == ["things", "players"]
        assert export.chosen(replay.tables, ["p*"]) == ["players"]
        assert export.chosen(replay.tables, ["players", "t*s"]) == ["things", "players"]
        with pytest.raises(KeyError, match="no table 'x'"):
            export.chosen(replay.tables, ["x"])


@pytest.mark.parametrize(
    ("options", "frames"),
    [
        ({"first": 70}, [70, 80, 90]),
        ({"last": 20.5}, [0, 10, 20]),
        ({"first": 10, "last": 40, "players": frozenset({0})}, [30]),  # 0, 30, 60 and 90 are player 0's
        ({"players": frozenset({5})}, []),
    ],
)
def test_parts_of_a_table(options: dict[str, Any], frames: list[int]) -> None:
    assert Selection(**options).of(things(10))["frame"].tolist() == frames


def test_rows_that_last_are_taken_where_they_overlap() -> None:
    schema = Schema("t", (Column("first_frame", "int32"), Column("last_frame", "int32", nullable=True)))
    table = Table.build(
        schema, {"first_frame": np.array([0, 50, 90]), "last_frame": np.array([40, 80, 0])},
        {"last_frame": np.array([True, True, False])},
    )  # fmt: skip
    assert Selection(30, 60).of(table)["first_frame"].tolist() == [0, 50]


def test_chosen_columns_keep_their_order() -> None:
    table = Selection(columns=("x", "nothing", "frame")).of(things(3))
    assert table.schema.names == ("x", "frame")


def test_players_by_name_or_number() -> None:
    with sample() as replay:
        assert players_of(replay, ["ANN", "1", "7"]) == {0, 1, 7}
        with pytest.raises(KeyError, match="no player 'eve'"):
            players_of(replay, ["eve"])


def test_texts_cover_what_spreadsheets_run() -> None:
    assert {text[0] for text in TEXTS if text} >= set("=-\t")
