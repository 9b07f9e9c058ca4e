"""One run, and the runs after it: fates, what is read again, what the data set holds."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from batch.conftest import Folder

from ksreplay.batch import BatchError, compact
from ksreplay.batch.job import Versions
from ksreplay.batch.manifest import Manifest
from ksreplay.batch.parse import month_of


def fill(folder: Folder, files: int = 20) -> None:
    for number in range(files):
        folder.write(f"{number:03}.fake", number, f"2025-{number % 3 + 1:02}", f"game{number // 2}")


def test_every_file_has_its_fate_and_costs_no_other(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ksreplay.batch.chunk.TRIES", 2)
    fill(folder)
    deeds = {
        "segv": ("crashed", "sigsegv"), "exit": ("crashed", "exit-3"), "hang": ("timeout", "timeout"),
        "memory": ("crashed", "out-of-memory"), "bug": ("crashed", "exception"), "print": ("ok", None),
    }  # fmt: skip
    for deed in deeds:
        folder.write(f"{deed}.fake", do=deed, bytes=10**9)
    folder.write_bytes("empty.fake", b"")
    folder.write_bytes("foreign.fake", b"hello")
    folder.write_bytes("broken.fake", b"KSFAKE\0{")
    folder.write("cut.fake", cut=True)
    folder.write("damaged.fake", damage=True)
    summary = folder.run(options={"memory": 400 << 20, "timeout": 2})
    fates = folder.fates()
    assert {name: fates[f"{name}.fake"] for name in deeds} == deeds
    assert fates["empty.fake"] == ("empty", "empty")
    assert fates["foreign.fake"] == ("failed", "unknown-format")
    assert fates["broken.fake"] == ("failed", "bad-script")
    assert fates["cut.fake"] == ("partial", "incomplete")
    assert fates["damaged.fake"] == ("partial", "damaged")
    assert all(fates[f"{number:03}.fake"] == ("ok", None) for number in range(20))
    assert summary["bad"] == 7 and summary["read"] == 31
    folder.check()
    place = folder.query(
        "select place, \"offset\", seconds > 0, peak_bytes > 1e7 from {files} where path like '%damaged%'"
    )
    assert place == [("part[1]", 9, True, True)]
    # Nothing has changed, so nothing is read.
    assert folder.run()["read"] == 0


def test_what_crashed_is_read_again_when_asked(folder: Folder) -> None:
    folder.write("bug.fake", do="bug")
    folder.write("good.fake")
    assert folder.run(jobs=1)["bad"] == 1
    assert folder.run(jobs=1)["read"] == 0
    assert folder.run(jobs=1, retry=True)["statuses"] == {"crashed": 1}


def test_only_what_is_missing_or_changed_is_read(folder: Folder) -> None:
    fill(folder)
    assert folder.run()["read"] == 20
    folder.write("new.fake", 7)
    folder.write("003.fake", 9, "2025-09")
    (folder.source / "004.fake").unlink()
    (folder.source / "005.fake").rename(folder.source / "moved.fake")
    folder.write_bytes("copy.fake", (folder.source / "006.fake").read_bytes())
    os.utime(folder.source / "007.fake", (1, 1))
    summary = folder.run()
    assert summary["statuses"] == {"ok": 2, "same": 3}
    # What is gone from the folder stays in the data set: put it back to compare.
    for number in (4, 5):
        folder.write(f"{number:03}.fake", number, f"2025-{number % 3 + 1:02}", f"game{number // 2}")
    folder.check()
    assert folder.run()["statuses"] in ({"same": 2}, {})
    folder.check()


def test_two_copies_in_one_run_are_one_content(folder: Folder) -> None:
    for number in range(40):  # more than a chunk: the copies meet in the driver too
        folder.write(f"{number}.fake", 3 + number % 4)
    folder.run()
    folder.check()
    assert folder.query("select count(distinct file_id), count(*) from {files}") == [(4, 40)]


def test_content_that_changes_back_and_forth(folder: Folder) -> None:
    path = folder.write("a.fake", 3)
    os.utime(path, (1000, 1000))
    folder.write("b.fake", 4)
    for rows in (5, 3, 5, 3):
        folder.run()
        folder.check()
        folder.write("a.fake", rows)
        os.utime(path, (1000 + rows, 1000 + rows))


@pytest.mark.parametrize("what", ["parser", "schema"])
def test_rows_of_another_version_are_replaced(folder: Folder, what: str) -> None:
    fill(folder, 10)
    folder.write("copy.fake", 7, "2025-02", "game3")
    folder.run()
    with sqlite3.connect(folder.dataset / "manifest.sqlite") as db:
        db.execute(f"UPDATE files SET {what} = 'old'")
    compact(folder.dataset)
    assert folder.run()["read"] == 11
    folder.check()
    assert folder.query("select distinct parser_version from {files}") == [(Versions.current().parser,)]


def test_a_growing_file_waits_for_the_next_run(folder: Folder) -> None:
    path = folder.write("growing.fake", cut=True)
    begun = folder.write_bytes("begun.fake", b"KSF")
    folder.write_bytes("foreign.fake", b"KSX")
    folder.run(options={"settle": 60})
    assert folder.fates()["growing.fake"] == folder.fates()["begun.fake"] == ("growing", "growing")
    assert folder.fates()["foreign.fake"] == ("failed", "unknown-format")
    assert folder.query("select count(*) from {events}") == [(0,)]
    for old in (path, begun):
        os.utime(old, (time.time() - 100,) * 2)
    folder.run(options={"settle": 60})
    assert folder.fates()["growing.fake"] == ("partial", "incomplete")
    assert folder.fates()["begun.fake"] == ("failed", "header-cut")
    folder.check()


def test_personal_columns_only_when_asked(folder: Folder, tmp_path: Path) -> None:
    folder.write("a.fake", 3)
    folder.run()
    assert [row[0] for row in folder.query("describe select * from {events}")] == [
        "file_id", "tick", "what", "format", "month",
    ]  # fmt: skip
    assert not any(b"secret" in path.read_bytes() for path in folder.dataset.rglob("*") if path.is_file())
    with pytest.raises(BatchError, match="other --tables, --private or --limit"):
        folder.run(options={"private": True})
    folder.dataset = tmp_path / "private"
    folder.run(options={"private": True})
    assert folder.query("select distinct said from {events}") == [("secret words",)]


def test_tables_can_be_chosen(folder: Folder) -> None:
    folder.write("a.fake", 4)
    folder.run(options={"tables": ("fake.m*",)})
    assert [path.name for path in (folder.dataset / "tables").iterdir()] == ["marks"]
    assert folder.query("select count(*) from {marks}") == [(2,)]


def test_compacting_keeps_the_rows_and_sorts_them(folder: Folder) -> None:
    for number in range(60):
        folder.write(f"{number}.fake", 2 * number, "2025-05", word="w" * 50)
    folder.run()
    result = compact(folder.dataset)
    assert result["parts_before"] > result["parts_after"] == 2
    folder.check()
    (part,) = (folder.dataset / "tables/events/format=fake/month=2025-05").glob("*.parquet")
    ids = pq.read_table(part)["file_id"].to_pylist()
    assert ids == sorted(ids)
    assert pq.ParquetFile(part).metadata.row_group(0).column(0).statistics.has_min_max
    assert compact(folder.dataset)["parts_before"] == 2
    # Rows go out of a merged part too.
    folder.write("7.fake", 3, "2025-05")
    folder.run()
    folder.check()
    compact(folder.dataset)
    folder.check()
    assert folder.run()["read"] == 0


def test_one_driver_at_a_time(folder: Folder) -> None:
    folder.write("a.fake")
    with Manifest(folder.dataset, Versions.current()), pytest.raises(BatchError, match="another run is working"):
        folder.run()
    folder.run()


def test_a_worker_of_another_version_is_refused(folder: Folder, tmp_path: Path) -> None:
    folder.write("a.fake")
    child = tmp_path / "other.py"
    from batch import fake

    child.write_text(
        "import runpy, ksreplay\nksreplay.__version__ = '9.9'\n"
        f"runpy.run_path({fake.CHILD[0]!r}, run_name='__main__')\n"
    )
    with pytest.raises(BatchError, match=r"the driver has ksreplay .*, a worker has 9\.9"):
        folder.run(options={"child": (str(child),)})


def test_a_child_that_does_not_start_says_why(folder: Folder, tmp_path: Path) -> None:
    folder.write("a.fake")
    child = tmp_path / "broken.py"
    child.write_text("raise SystemExit('no library of that name')")
    with pytest.raises(BatchError, match="no library of that name"):
        folder.run(options={"child": (str(child),)})


def test_facts_that_no_database_holds(folder: Folder) -> None:
    folder.write("a.fake", version=1 << 70, map="\ud800 map")
    folder.run()
    assert folder.query("select format_version, map from {files}") == [(None, "? map")]


def test_months() -> None:
    assert month_of("2025-07-15T10:00:00Z") == "2025-07"
    assert month_of("02.03.2005") == "2005-03"
    assert month_of("2026-09-07") == "2026-09"
    for odd in (None, "", "yesterday", "2025-13-01", "0001-01-01", "../../x", "12.2005"):
        assert month_of(odd) == "unknown"


def test_games_join_recordings_of_one_game(folder: Folder) -> None:
    folder.write("short.fake", 2, game="g", cut=True)
    folder.write("long.fake", 5, game="g")
    folder.write("other.fake", 4, game="h")
    folder.write("none.fake", 4)
    folder.run()
    rows = folder.query(
        "select recordings, parse_filename(f.path) from {games} g join {files} f using (file_id) order by 1 desc, 2"
    )
    assert rows == [(2, "long.fake"), (1, "none.fake"), (1, "other.fake")]


def test_the_summary_is_json(folder: Folder) -> None:
    fill(folder, 3)
    json.dumps(folder.run())
