"""What all replays share: lazy tables, counts, facts, writing, comparing, opening."""

from __future__ import annotations

import gc
import gzip
import io
import threading
import weakref
import zipfile
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ksreplay
from ksreplay import ReplayError, Truncated, UnknownFormat
from ksreplay.columns import Strings
from ksreplay.differences import Difference, in_table
from ksreplay.formats import inflate
from ksreplay.formats.source import Source
from ksreplay.limits import Limits
from ksreplay.registry import FORMATS
from ksreplay.table import Column, Schema, Table
from samples import Sample, sample, things

SAMPLES = {
    name: files("ksreplay.samples").joinpath(format.sample)
    for name, format in FORMATS.items()
    if files("ksreplay.samples").joinpath(format.sample).is_file()
}


class Counting(Sample):
    """Counts how often a table is made."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.built = 0
        super().__init__(*arguments, **options)

    TABLES = tuple(
        type(definition)(definition.schema, lambda replay, build=definition.build: replay.note(build), definition.rows)
        for definition in Sample.TABLES
    )

    def note(self, build: Any) -> Table:
        self.built += 1
        table: Table = build(self)
        return table


def test_tables_are_made_once_and_when_they_are_touched() -> None:
    with Counting(Source(bytes(5))) as replay:
        assert list(replay.tables) == ["things", "players"] and len(replay.tables) == 2
        assert replay.tables.rows("things") == 5 and replay.tables.rows("players") is None
        assert replay.info()["tables"] == {"things": 5, "players": None}
        assert replay.built == 0
        first = replay.tables["things"]
        assert replay.tables["things"] is first and replay.built == 1
        assert replay.tables.count("players") == 1 and replay.built == 2
        assert replay.tables.made == {"things"}  # what only a count needed is let go
        assert replay.tables.count("players") == 1 and replay.built == 2
        with pytest.raises(KeyError):
            replay.tables["nothing"]
        assert "nothing" not in replay.tables


def test_full_info_counts_every_table_and_keeps_none() -> None:
    with Counting(Source(bytes(5))) as replay:
        assert replay.info(full=True)["tables"] == {"things": 5, "players": 1}
        assert replay.tables.made == frozenset()


def test_many_threads_make_a_table_once() -> None:
    with Counting(Source(bytes(2000))) as replay:
        seen: list[Table] = []
        workers = [threading.Thread(target=lambda: seen.append(replay.tables["things"])) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert replay.built == 1 and len({id(table) for table in seen}) == 1


@pytest.mark.parametrize("name", SAMPLES)
def test_a_closed_replay_goes_with_its_last_reference(name: str) -> None:
    gc.collect()
    gc.disable()  # a loop over thousands of files must not wait for it
    try:
        with ksreplay.open(SAMPLES[name].read_bytes(), private=True) as replay:
            replay.info(full=True)
            tables = [replay.tables[table] for table in replay.tables]
        alive = weakref.ref(replay)
        del replay
        assert alive() is None and tables
    finally:
        gc.enable()


def test_a_closed_replay_says_so_and_its_tables_stay() -> None:
    with sample(3) as replay:
        table = replay.tables["things"]
    assert table["frame"].tolist() == [0, 10, 20]
    for use in (lambda: replay.info(), lambda: replay.tables["players"], lambda: replay.validate()):
        with pytest.raises(ValueError, match="closed"):
            use()


@pytest.mark.parametrize("use", ["encode", "unwrap"])
def test_what_a_format_does_not_offer_is_a_replay_error(use: str) -> None:
    with pytest.raises(ReplayError) as caught:
        getattr(sample(), use)()
    assert caught.value.code == "not-supported" and caught.value.format == "sample"


def test_write_keeps_the_container_of_the_suffix(tmp_path: Path) -> None:
    class Writable(Sample):
        def encode(self, *, version: int | None = None, suffix: str = "", **options: Any) -> bytes:
            return f"{version} {suffix}".encode()

    with Writable(Source(b"")) as replay:
        replay.write(tmp_path / "a.SDF", version=3)
        assert (tmp_path / "a.SDF").read_bytes() == b"3 .sdf"
        with pytest.raises(FileExistsError):
            replay.write(tmp_path / "a.SDF")
        replay.write(tmp_path / "a.SDF", force=True)


def test_equal_replays_have_no_difference() -> None:
    assert sample(9).compare(sample(9)) == []


def test_the_first_difference_of_a_table_is_named() -> None:
    (found,) = [d for d in sample(9).compare(sample(7)) if d.part == "things"]
    assert (found.field, found.left, found.right, found.row, found.moment, found.unit) == (
        "rows",
        9,
        7,
        7,
        70.0,
        "frame",
    )


@pytest.mark.parametrize(
    ("column", "row", "value"), [("x", 4, 9.0), ("text", 5, "other"), ("name", 2, "eve"), ("player", 1, 7)]
)
def test_every_kind_of_column_is_compared(column: str, row: int, value: Any) -> None:
    left = things(10)
    columns = {name: left.column(name) for name in left.schema.names}
    valid = {name: left.valid(name) for name in left.schema.names}
    if isinstance(columns[column], Strings):
        texts = columns[column].to_objects().tolist()
        texts[row] = value
        columns[column] = Strings.from_list(texts)
        valid[column] = None
    else:
        columns[column] = columns[column].copy()
        columns[column][row] = value
        if valid[column] is not None:
            valid[column] = valid[column].copy()
            valid[column][row] = True
    found = in_table("t", left, Table.build(left.schema, columns, valid))
    assert found is not None and (found.field, found.row, found.moment) == (column, row, row * 10.0)
    assert found.right == value and str(found).startswith(f"t row {row}, frame {row * 10}: {column}: ")


def test_nan_equals_nan_and_null_is_no_zero() -> None:
    schema = Schema("t", (Column("a", "float64", nullable=True),))
    left = Table.build(schema, {"a": np.array([np.nan, 0.0])})
    assert in_table("t", left, left) is None
    right = Table.build(schema, {"a": np.array([np.nan, 0.0])}, {"a": np.array([True, False])})
    assert in_table("t", left, right) == Difference("t", "a", 0.0, None, 1)


# Opening.


@pytest.mark.parametrize("name", SAMPLES)
def test_content_decides_whatever_the_name_and_the_wrapping(name: str, tmp_path: Path) -> None:
    data = SAMPLES[name].read_bytes()
    path = tmp_path / "misleading.txt"
    path.write_bytes(data)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("readme.txt", "nothing")
        file.writestr("folder/replay.bin", data)
    for source in (path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data), archive.getvalue()):
        with ksreplay.open(source) as replay:
            assert replay.format == name and replay.source.size == len(data)
    with ksreplay.open(data, format=name) as replay:
        assert replay.format == name


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"), (b"hello, this is no replay", "unknown-format"), (b"\x1f\x8b" + bytes(50), "unknown-format"),
        (b"PK\3\4" + bytes(50), "bad-archive"), (b"PK", "unknown-format"),
    ],
)  # fmt: skip
def test_foreign_bytes(data: bytes, code: str) -> None:
    with pytest.raises(ReplayError) as caught:
        ksreplay.open(data)
    assert caught.value.code == code


def test_an_archive_without_a_replay() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.txt", "nothing")
    with pytest.raises(UnknownFormat):
        ksreplay.open(archive.getvalue())


def test_a_bomb_in_an_archive_stops_at_the_limit() -> None:
    name, item = next(iter(SAMPLES.items()))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a", item.read_bytes() + bytes(5_000_000))
    with pytest.raises(ReplayError) as caught:
        ksreplay.open(archive.getvalue(), limits=Limits(ratio_floor=1 << 20, inflate_ratio=10))
    assert caught.value.code == "inflate-ratio", name


def test_mistakes_of_the_caller_are_no_replay_errors(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no format"):
        ksreplay.open(b"x", format="mp3")
    with pytest.raises(FileNotFoundError):
        ksreplay.open(tmp_path / "nothing")


@pytest.mark.parametrize("inflater", ["chosen", "zlib"])
@pytest.mark.parametrize(
    "data,may_be",
    [
        (b"\x1f", "spring"),
        (b"\x1f\x8b", "spring"),
        (gzip.compress(b"spring demofile\0" + bytes(400))[:15], "spring"),
        (gzip.compress(b"spring demofile\0" + bytes(400), 0)[:19], "spring"),
        (gzip.compress(b"spring demofile\0" + bytes(400), 0)[:30], "spring"),
        (b"s", "spring"),
        (b"spring demofile", "spring"),
        (b"CBT", "cbtrack or tad"),  # whose first two bytes are a length
        (b"\x28\xb5\x2f", "crd"),
        (b"\x15\0TA De", "tad"),
        (gzip.compress(b"spring demo"), None),  # whole, and says something else
        (gzip.compress(b"hello", 0)[:16], None),
        (gzip.compress(b"CBTK" + bytes(400), 0)[:16], None),  # tracks are not gzipped
        (b"spring demofill", None),
        (b"\x15\0", None),  # a record's length, or anything
        (b"PK\x03", None),
        (b"a", None),
    ],
)
def test_a_file_that_is_just_begun_is_cut_and_not_foreign(
    data: bytes, may_be: str | None, inflater: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if inflater == "zlib":
        monkeypatch.setattr(inflate, "_decompressors", lambda: (zlib.decompressobj, (zlib.error,)))
    with pytest.raises(ReplayError) as caught:
        ksreplay.open(data)
    error = caught.value
    if may_be is None:
        assert (type(error), error.code, error.offset) == (UnknownFormat, "unknown-format", 0)
    else:
        assert (type(error), error.code, error.where) == (Truncated, "header-cut", "header")
        assert (error.offset, error.found, error.expected) == (len(data), data[:16], f"the first bytes of {may_be}")
