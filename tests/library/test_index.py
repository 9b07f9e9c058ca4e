"""The index: what is read again and what is not, kills, growing files; and the questions it answers."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from library_helpers import OLD, FakeReader, put, run

from ksreplay.errors import ReplayError
from ksreplay.library.index import Index, Phase, scan
from ksreplay.library.queries import A_MINUTE, Filter, dossier, matchup, select, stream_names, totals
from ksreplay.library.record import Record


def test_headers_first_then_everything_and_then_nothing(tmp_path: Path) -> None:
    put(tmp_path, "b.sdfz", "1;x;y")
    put(tmp_path, "sub/a.SDF", "2;x;z")
    put(tmp_path, "other.txt")
    report, calls = run(tmp_path)
    assert calls == [("b.sdfz", "header"), ("a.SDF", "header"), ("b.sdfz", "full"), ("a.SDF", "full")]
    assert (report.files, report.headers, report.read, report.states) == (2, 2, 2, {"full": 2})
    report, calls = run(tmp_path)
    assert calls == [] and report.unchanged == 2


def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    for i in range(5):
        put(tmp_path, f"{i}.sdfz", f"{i};x;y")
    run(tmp_path)
    put(tmp_path, "3.sdfz", "33;x;y", age=1)
    (tmp_path / "4.sdfz").unlink()
    report, calls = run(tmp_path)
    assert calls == [("3.sdfz", "header"), ("3.sdfz", "full")] and (report.unchanged, report.gone) == (3, 1)
    with Index(tmp_path) as index:
        assert sorted(m.game_id for m in select(index.db).matches) == ["0", "1", "2", "33"]
        assert index.db.execute("SELECT count(*) FROM players").fetchone() == (8,)


def test_states_are_listed_and_tried_again(tmp_path: Path) -> None:
    put(tmp_path, "empty.sdfz", "")
    put(tmp_path, "junk.sdfz", "junk")
    put(tmp_path, "cut.sdfz", "1;x;y;!cut")
    report, _ = run(tmp_path)
    assert report.states == {"empty": 1, "failed": 1, "partial": 1}
    _, calls = run(tmp_path)
    assert calls == []  # nothing changed, and an empty file costs no reading
    _, calls = run(tmp_path, retry=True)
    assert {name for name, _ in calls} == {"junk.sdfz", "cut.sdfz"}
    put(tmp_path, "empty.sdfz", "2;x;y", age=5)
    put(tmp_path, "cut.sdfz", "1;x;y", age=5)
    report, _ = run(tmp_path)
    assert report.states == {"failed": 1, "full": 2}


def test_a_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path = put(tmp_path, "a.sdfz", "1;x;y;!cut")

    class Growing(FakeReader):
        def __call__(self, path_: Path, phase: Phase) -> Record:
            record = super().__call__(path_, phase)
            with path.open("a") as file:
                file.write(";z")
            return record

    report, _ = run(tmp_path, Growing())
    assert report.states == {"growing": 1}
    os.utime(path, (OLD + 9, OLD + 9))
    report, calls = run(tmp_path)
    assert report.states == {"partial": 1} and ("a.sdfz", "full") in calls


def test_a_file_written_just_now_is_read_once_more(tmp_path: Path) -> None:
    path = put(tmp_path, "a.sdfz", "1;x;y")
    os.utime(path)
    run(tmp_path)
    _, calls = run(tmp_path)
    assert calls == [("a.sdfz", "full")]


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    for i in range(30):
        put(tmp_path, f"{i:02}.sdfz", f"{i};x;y")

    class Killed(FakeReader):
        def __call__(self, path: Path, phase: Phase) -> Record:
            if phase == "full" and path.name == "21.sdfz":
                raise KeyboardInterrupt
            return super().__call__(path, phase)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, Killed())
    with Index(tmp_path) as index:
        states = dict(index.db.execute("SELECT state, count(*) FROM files GROUP BY state"))
        assert states == {"full": 20, "header": 10} and len(select(index.db).matches) == 30
    report, calls = run(tmp_path)
    assert report.states == {"full": 30} and len(calls) == 10 and {phase for _, phase in calls} == {"full"}


def test_files_that_are_no_index(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Index(tmp_path)
    (tmp_path / "junk.sqlite").write_bytes(b"SQLite format 3\0" + bytes(200))
    for name, data in (("a.sqlite", b"hello" * 300), ("junk.sqlite", None)):
        if data:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(ReplayError):
            Index(tmp_path, tmp_path / name, create=True)
    db = sqlite3.connect(tmp_path / "other.sqlite")
    db.execute("CREATE TABLE t (a)")
    db.close()
    with pytest.raises(ReplayError) as caught:
        Index(tmp_path, tmp_path / "other.sqlite", create=True)
    assert caught.value.code == "library-version"


def test_scanning(tmp_path: Path) -> None:
    put(tmp_path, "z.sdfz")
    put(tmp_path, "d/a.sdf")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert [f.path for f in scan(tmp_path)] == ["z.sdfz", "d/a.sdf"]
    assert list(scan(tmp_path / "absent")) == []


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for name, text in {
        "a.sdfz": "1;ann;bob",
        "b-copy.sdfz": "1;ann;bob",
        "c.sdfz": "2;bob;ann",
        "d.sdfz": "3;ann;cy;!open",
        "e.sdfz": "4;ann;bob;!remix",
        "f.sdfz": "5;ann;bob;!server",
        "g.sdfz": "6;ann;bob;!short",
        "h.sdfz": "junk",
    }.items():
        put(tmp_path, name, text)
    run(tmp_path)
    return tmp_path


def test_which_matches(library: Path) -> None:
    with Index(library) as index:
        found = select(index.db)
        assert [m.path for m in found.matches] == ["a.sdfz", "c.sdfz", "d.sdfz", "f.sdfz", "g.sdfz"]
        assert select(index.db, A_MINUTE).left_out == {**found.left_out, "under a minute": 1}
        assert found.left_out == {"remix": 1, "same game id": 1, "unreadable": 1}
        for wanted, paths in (
            (Filter(player="cy"), "d"),
            (Filter(player="ann", result="won"), "af"),
            (Filter(player="ann", result="lost"), "c"),
            (Filter(result="none"), "d"),
            (Filter(map="Tabula"), "acdf"),
            (Filter(map="Tabula v9"), "acdf"),
            (Filter(map_version="Tabula v9"), ""),
            (Filter(engine="2025.06"), "acdf"),
            (Filter(sides="teams"), ""),
            (Filter(sides="duel", players=2), "acdf"),
            (Filter(started_until=5), ""),
        ):
            found = select(index.db, replace(wanted, under_a_minute=False))
            assert "".join(m.path[0] for m in found.matches) == paths, wanted


def test_totals(library: Path) -> None:
    with Index(library) as index:
        found = totals(select(index.db, A_MINUTE).matches)
    assert (found["matches"], found["with_result"], found["with_totals"], found["without_totals"]) == (4, 3, 3, 1)
    assert found["metrics"]["damageDealt"]["sum"] == 900 and found["metrics"]["metalProduced"]["sum"] == 600
    assert totals([])["metrics"]["metalProduced"]["best"] is None


def test_a_dossier(library: Path) -> None:
    with Index(library) as index:
        found = dossier(index.db, "ann", select(index.db, A_MINUTE).matches, stream_names(index.db))
    assert (found.games, found.with_result, found.won) == (4, 3, 2)
    assert found.rates.left_out == {"no totals": 1}
    rate = found.rates.per_minute["metalProduced"]
    assert (rate.matches, rate.mean, rate.median) == (3, pytest.approx(40 / 3), 10.0)  # 10, 20 and 10 a minute
    assert found.rates.ratios["unitsDiedPerKilled"].mean == 1
    (row,) = found.units.rows  # the AI's order of unit 2 is not the player's, and game 2's orders are bob's
    assert (row.key, row.game, row.games, row.units, row.with_result, row.won) == ("mex", "Game", 3, 9, 2, 2)
    assert found.units.unchecked == 4 and found.sources == {"stream names": 4}


def test_a_matchup(library: Path) -> None:
    with Index(library) as index:
        found = matchup(select(index.db, A_MINUTE).matches, "ann", "bob")
    assert (found["games"], found["opposed"], found["won_by_first"], found["won_by_second"]) == (3, 3, 2, 1)
