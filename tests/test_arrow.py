"""Tables as Arrow streams, without pyarrow on our side."""

from __future__ import annotations

import math

import pytest

from ksreplay import arrow
from samples import things

pa = pytest.importorskip("pyarrow")


def same(left: list[dict[str, object]], right: list[dict[str, object]]) -> bool:
    """Equal rows, NaN equal to NaN."""

    def key(value: object) -> object:
        return "NaN" if isinstance(value, float) and math.isnan(value) else value

    return [{k: key(v) for k, v in row.items()} for row in left] == [
        {k: key(v) for k, v in row.items()} for row in right
    ]


@pytest.mark.parametrize("rows", [0, 1, 10, 300])
def test_every_dtype_reaches_pyarrow(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "BATCH_ROWS", 64)
    table = things(rows)
    taken = pa.table(table)
    taken.validate(full=True)
    assert same(taken.to_pylist(), list(table.rows()))
    assert taken.column("x").num_chunks == max(1, -(-rows // 64)) or rows == 0


def test_schema_carries_units_and_version() -> None:
    schema = pa.schema(things(1))
    assert schema.field("x").metadata == {b"unit": b"elmo", b"meaning": b"where"}
    assert schema.metadata == {b"ksreplay.table": b"things", b"ksreplay.schema_version": b"3"}
    assert not schema.field("frame").nullable
    assert schema.field("player").nullable and schema.field("text").nullable  # private: null may stand there
    assert schema.field("units").type == pa.list_(pa.field("item", pa.uint16(), nullable=False))


def test_slices_and_taken_rows() -> None:
    table = things(100)
    assert same(pa.table(table.slice(30, 77)).to_pylist(), list(table.slice(30, 77).rows()))
    picked = table.filter(table["ok"])
    assert same(pa.table(picked).to_pylist(), list(picked.rows()))


def test_polars_and_duckdb_read_a_table() -> None:
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    table = things(50)
    assert same(polars.DataFrame(table).to_dicts(), list(table.rows()))
    connection = duckdb.connect()
    connection.register("things_table", table)
    found = connection.execute(
        "select name, count(*) from things_table group by name order by name nulls last"
    ).fetchall()
    assert found == [("=cmd", 12), ("ann", 13), ("bob", 13), (None, 12)]
