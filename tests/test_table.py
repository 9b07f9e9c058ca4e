"""Schemas and tables."""

from __future__ import annotations

import numpy as np
import pytest

from ksreplay.columns import Derived, Lists, Sparse, Strings
from ksreplay.table import Column, Schema, Table
from samples import SCHEMA, TEXTS, sample, things


def test_a_table_keeps_what_it_was_built_from() -> None:
    table = things(10)
    assert len(table) == 10
    assert table["frame"].dtype == np.int32 and table["frame"].tolist() == list(range(0, 100, 10))
    assert table["text"].tolist() == TEXTS
    assert table["name"].tolist() == ["ann", "bob", "=cmd", None, "bob", "=cmd", "ann", None, "=cmd", "ann"]
    assert table.valid("frame") is None
    assert table.valid("player").tolist() == [i % 4 != 1 for i in range(10)]
    assert [row.tolist() for row in table["units"]][:5] == [[], [0], [1, 2], [3, 4, 5], []]


def test_rows_are_python_values_with_none_for_null() -> None:
    rows = list(things(4).rows())
    assert rows[1]["player"] is None and rows[2]["player"] == 2
    assert rows[3] == {
        "frame": 30, "player": 0, "x": pytest.approx(0.3), "y": None, "name": None, "text": 'say "hi", you',
        "ok": False, "maybe": None, "units": [3, 4, 5], "words": ["w3", 'q"'], "raw": b"\3\0\xff", "big": (1 << 62) + 3,
    }  # fmt: skip


@pytest.mark.parametrize("rows", [slice(2, 7), np.array([7, 1, 1]), np.arange(10) % 3 == 0])
def test_taking_rows_takes_them_of_every_column(rows: object) -> None:
    whole = list(things(10).rows())
    wanted = np.arange(10)[rows]  # type: ignore[index]
    assert repr(list(things(10).take(rows).rows())) == repr([whole[i] for i in wanted])


def test_select_head_slice_filter() -> None:
    table = things(10)
    assert table.select(["x", "frame"]).schema.names == ("x", "frame")
    assert len(table.head(3)) == 3 and len(table.head(-1)) == 0
    assert table.slice(8)["frame"].tolist() == [80, 90]
    assert table.filter(table["ok"])["frame"].tolist() == [0, 20, 40, 60, 80]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"nothing": np.zeros(1)}, "no column"),
        ({}, "missing"),
        ({"a": np.zeros(2), "b": Strings.from_list(["x"])}, "different length"),
        ({"a": np.array([1.5]), "b": Strings.from_list(["x"])}, "float64"),
        ({"a": np.array([1]), "b": Lists.from_lists([[1]], "int8")}, "Strings"),
        ({"a": np.array([1]), "b": Strings.from_list([None])}, "not nullable"),
    ],
)
def test_a_mismatch_with_the_schema_is_an_error(columns: dict[str, object], message: str) -> None:
    schema = Schema("t", (Column("a", "int32"), Column("b", "string")))
    with pytest.raises(ValueError, match=message):
        Table.build(schema, columns)


def test_a_missing_nullable_column_is_all_null() -> None:
    schema = Schema(
        "t", tuple(Column(dtype, dtype, nullable=True) for dtype in ("int8", "string", "binary", "list<bool>"))
    )
    table = Table.build(schema, {"int8": np.zeros(3, np.int8)}, {"int8": np.zeros(3, bool)})
    assert [list(row.values()) for row in table.rows()] == [[None] * 4] * 3


def test_from_rows() -> None:
    schema = Schema("t", (Column("a", "int16", nullable=True), Column("b", "list<string>"), Column("c", "string")))
    rows = [{"a": 1, "b": ["x"], "c": "y"}, {"b": [], "c": ""}]
    assert list(Table.from_rows(schema, rows).rows()) == [rows[0], {"a": None, "b": [], "c": ""}]
    assert len(Table.empty(schema)) == 0


def test_bad_schemas() -> None:
    with pytest.raises(ValueError, match="dtype"):
        Column("a", "int24")
    with pytest.raises(ValueError, match="twice"):
        Schema("t", (Column("a", "int8"), Column("a", "int8")))


def test_private_columns_are_null_unless_asked_for() -> None:
    with sample(5) as replay:
        table = replay.tables["things"]
        assert table["text"].tolist() == [None] * 5 and len(table) == 5
        assert table.schema == SCHEMA
        assert not table.valid("text").any()
        assert table.to_pandas()["text"].isna().all()
    with sample(5, private=True) as replay:
        assert replay.tables["things"]["text"].tolist() == TEXTS[:5]


def test_private_numbers_are_null_in_every_output() -> None:
    schema = Schema("t", (Column("account", "int64", private=True),))
    table = Table.build(schema, {"account": np.array([77])}).without_private()
    assert table.to_pandas()["account"].isna().all()
    assert table.to_arrow()["account"].to_pylist() == [None]
    assert table.to_polars()["account"].to_list() == [None]


def test_pandas_keeps_integers_beside_nulls() -> None:
    frame = things(10).to_pandas()
    assert str(frame["player"].dtype) == "UInt8"
    assert frame["player"].isna().tolist() == [i % 4 == 1 for i in range(10)]
    assert str(frame["frame"].dtype) == "int32"
    assert frame["text"].tolist() == TEXTS


def test_html_is_escaped() -> None:
    schema = Schema("t", (Column("a", "string", meaning='"><script>'),))
    page = Table.from_rows(schema, [{"a": "<script>alert(1)</script>"}])._repr_html_()
    assert "<script>" not in page


def test_big_endian_and_strided_columns_become_native() -> None:
    records = np.zeros(3, np.dtype([("a", ">i4"), ("b", "u1")]))
    records["a"] = [1, 2, 3]
    schema = Schema("t", (Column("a", "int32"), Column("b", "uint8")))
    table = Table.build(schema, {"a": records["a"], "b": records["b"]})
    assert table["a"].dtype == np.dtype("int32") and table.to_arrow()["a"].to_pylist() == [1, 2, 3]
    assert table.to_arrow()["b"].to_pylist() == [0, 0, 0]


def test_a_derived_column_is_made_when_it_is_asked_for() -> None:
    schema = Schema("t", (Column("tick", "int32"), Column("time_s", "float64", nullable=True)))
    made: list[int] = []

    def seconds(ticks: np.ndarray) -> np.ndarray:
        made.append(len(ticks))
        return ticks / 30

    ticks = np.arange(0, 300, 30, dtype=np.int32)
    table = Table.build(schema, {"tick": ticks, "time_s": Derived(ticks, seconds)}, {"time_s": ticks < 200})
    assert sum(made) == 0 and table.nbytes == 2 * ticks.nbytes
    assert table["time_s"].tolist() == list(range(10)) and sum(made) == 10
    assert [row["time_s"] for row in table.slice(5, 8).rows()] == [5.0, 6.0, None]
    assert table.filter(ticks > 200)["time_s"].tolist() == [7.0, 8.0, 9.0]
    assert table.select(["time_s"]).head(2)["time_s"].tolist() == [0.0, 1.0]
    assert sum(made) == 10 + 3 + 3 + 2
    assert len(table.without_private()) == 10
    with pytest.raises(ValueError, match="holds float64, not int32"):
        Table.build(schema, {"tick": Derived(ticks, seconds), "time_s": ticks / 30})


def test_a_column_that_derives_from_two_arrays_takes_rows_of_both() -> None:
    ticks, own = np.arange(6, dtype=np.int32), np.arange(6) % 2 == 0
    schema = Schema("marks", (Column("tick", "int32"),))
    table = Table.build(schema, {"tick": Derived(ticks, lambda low, own: np.where(own, low, np.int32(-1)), own)})
    assert table["tick"].tolist() == [0, -1, 2, -1, 4, -1] and table["tick"].dtype == np.int32
    assert table.slice(1, 4)["tick"].tolist() == table.filter(ticks % 4 > 0).head(3)["tick"].tolist() == [-1, 2, -1]
    assert table.nbytes == ticks.nbytes + own.nbytes


def test_a_sparse_column_keeps_the_rows_that_differ_from_the_usual_value() -> None:
    rows, values = np.array([1, 4], np.int32), np.array([7, 0], np.uint16)
    schema = Schema("sizes", (Column("length", "uint16"), Column("read", "bool")))
    table = Table.build(schema, {"length": Sparse(6, 11, rows, values), "read": Sparse(6, False, rows, values > 0)})
    assert len(table) == 6 and table["length"].dtype == np.uint16 and table.nbytes == 2 * rows.nbytes + 6
    assert table["length"].tolist() == [11, 7, 11, 11, 0, 11]
    assert table["read"].tolist() == [False, True, False, False, False, False]
    assert table.slice(3)["length"].tolist() == table.take(np.array([3, 4, 5]))["length"].tolist() == [11, 0, 11]
