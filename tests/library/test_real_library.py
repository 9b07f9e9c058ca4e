"""A library of real demo files: copies of the bundled sample with ids of their own."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from ksreplay.cli import main
from ksreplay.library.index import Index
from ksreplay.library.queries import Filter, dossier, select, stream_names
from ksreplay.library.read import read_demo
from ksreplay.library.record import State

GAME_ID, SECONDS = slice(280, 296), slice(312, 316)  # fields of the header


def sample() -> bytes:
    return gzip.decompress(files("ksreplay.samples").joinpath("sample.sdfz").read_bytes())


def copies(folder: Path, n: int, age: float = 3600) -> None:
    """`n` demos that differ in their game id, long enough to count; old enough that their stamps can be trusted."""
    data = bytearray(sample())
    data[SECONDS] = (600).to_bytes(4, "little")
    for i in range(n):
        data[GAME_ID] = (i + 1).to_bytes(16, "big")
        path = folder / f"{i:05}.sdfz"
        path.write_bytes(gzip.compress(data, 1, mtime=0))
        os.utime(path, (time.time() - age,) * 2)


def update(folder: Path, jobs: int = 1) -> tuple[float, int, int, dict[str, int]]:
    start = time.perf_counter()
    with Index(folder, create=True) as index:
        report = index.update(read_demo, jobs=jobs)
    return time.perf_counter() - start, report.headers, report.read, report.states


def touch(path: Path, game: int, age: float = 1800) -> None:
    data = bytearray(gzip.decompress(path.read_bytes()))
    data[GAME_ID] = (10**9 + game).to_bytes(16, "big")
    path.write_bytes(gzip.compress(data, 1, mtime=0))
    os.utime(path, (time.time() - age,) * 2)


def exercise(folder: Path, n: int) -> None:
    copies(folder, n)
    _, headers, read, states = update(folder)
    assert (headers, read, states) == (n, n, {"full": n})
    seconds, headers, read, _ = update(folder)
    assert (headers, read) == (0, 0)
    assert seconds < 2 * 10  # the promise for 2,000 files is 2 s; a busy machine gets ten times that
    changed = max(n // 100, 1)
    for i in range(changed):
        touch(folder / f"{i * 7:05}.sdfz", i)
    _, headers, read, states = update(folder)
    assert (headers, read, states) == (changed, changed, {"full": n})
    with Index(folder) as index:
        found = select(index.db)
        assert len(found.matches) == n and not found.left_out
        player = next(s["name"] for s in found.matches[0].seats if not s["spectator"] and not s["ai"])
        mine = dossier(index.db, player, select(index.db, Filter(player=player)).matches, stream_names(index.db))
        assert mine.games == n and mine.units.counted + sum(mine.units.left_out.values()) == n


def test_a_hundred_copies(tmp_path: Path) -> None:
    exercise(tmp_path, 100)


@pytest.mark.slow
def test_two_thousand_copies(tmp_path: Path) -> None:
    exercise(tmp_path, 2000)


def test_other_processes_read_the_same(tmp_path: Path) -> None:
    copies(tmp_path, 12)
    assert update(tmp_path, jobs=2)[3] == {"full": 12}
    with Index(tmp_path) as index:
        assert len(select(index.db).matches) == 12


def test_killed_in_the_middle_and_resumed(tmp_path: Path) -> None:
    copies(tmp_path, 150)
    command = [sys.executable, "-m", "ksreplay", "library", "index", str(tmp_path), "-q"]
    with subprocess.Popen(command) as process:
        index_file = tmp_path / "ksreplay-library.sqlite"
        deadline = time.monotonic() + 60
        done = 0
        while process.poll() is None and time.monotonic() < deadline and not done:
            time.sleep(0.02)
            if index_file.exists():
                try:
                    with Index(tmp_path) as index:
                        done = index.db.execute("SELECT count(*) FROM files WHERE state = 'full'").fetchone()[0]
                except Exception:  # the file is being made just now
                    done = 0
        process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    with Index(tmp_path) as index:
        before = index.db.execute("SELECT count(*) FROM files WHERE state = 'full'").fetchone()[0]
        assert index.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    _, headers, read, states = update(tmp_path)
    assert states == {"full": 150} and headers + read <= 300 - before and before > 0


def test_a_recording_that_grows(tmp_path: Path) -> None:
    whole = files("ksreplay.samples").joinpath("sample.sdfz").read_bytes()
    path = tmp_path / "live.sdfz"
    seen = []
    for part in (0, len(whole) // 2, len(whole)):
        path.write_bytes(whole[:part])
        os.utime(path, (time.time() - 3000 + part,) * 2)
        seen.append(update(tmp_path)[3])
    assert seen == [{"empty": 1}, {"partial": 1}, {"full": 1}]


def test_read_demo_never_raises(tmp_path: Path) -> None:
    data = sample()
    path = tmp_path / "a.sdfz"
    for content in (
        b"",
        b"\0",
        b"\x1f\x8b",
        b"spring demofile\0",
        data[:300],
        data[:5000],
        gzip.compress(data)[:900],
        b"x" * 999,
    ):
        path.write_bytes(content)
        for phase in ("header", "full"):
            record = read_demo(path, phase)  # type: ignore[arg-type]
            assert isinstance(record.state, State) and (record.error or record.state is not State.FAILED)
    assert read_demo(tmp_path / "absent.sdfz", "full").state == State.FAILED


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, ["library", *words])
    assert result.exit_code == code, result.output
    return result.output


def test_the_verb(tmp_path: Path) -> None:
    copies(tmp_path, 3)
    folder = str(tmp_path)
    run("list", folder, code=1)
    assert "3 files: 3 read" in run("index", folder, "-q")
    rows = [json.loads(line) for line in run("list", folder, "--json").splitlines()]
    assert len(rows) == 3 and rows[0]["map"] == "Sample Flats 1.0" and rows[0]["result"]["winners"] == [0]
    assert json.loads(run("totals", folder, "--json"))["matches"] == 3
    assert run("list", folder, "--states").count("full") == 3
    names = [p["name"] for p in rows[0]["players"] if not p["spectator"] and not p["ai"]]
    assert json.loads(run("dossier", folder, names[0], "--json"))["games"] == 3
    assert f"{names[0]}: 3 games" in run("dossier", folder, names[0])
    assert "0 games" in (none := run("dossier", folder, "Nobody")) and "exactly this name" in none
    assert "no-matches" in run("map", folder, "No Flats", code=1)
    assert json.loads(run("matchup", folder, names[0], names[1], "--json"))["games"] == 3
    run("set-map", folder, "Sample Flats 1.0", "--size", "4096x4096", "--start", "512,512", "--start", "3584,3584")
    page = json.loads(run("map", folder, "Sample Flats 1.0", "--json", "--layer", "buildings", "--force",
                          "--layer-csv", str(tmp_path / "l.csv"), "--starts-csv", str(tmp_path / "s.csv")))  # fmt: skip
    assert page["matches"] == 3 and page["size"]["source"] == "given" and page["layer"]["source"] == "stream"
    assert (tmp_path / "l.csv").read_bytes().startswith(b"cell_column,") and (tmp_path / "s.csv").exists()
    key = page["records"]["positions"][0]["key"]
    run("name", folder, "Sample Flats 1.0", key, "Home")
    assert "Home" in run("map", folder, "Sample Flats 1.0", "--window", "first:5", "--scaling", "rate")
    run("name", folder, "Sample Flats 1.0", "c99:99", "Nowhere", code=2)
    for wrong in (["--size", "big"], ["--window", "soon"], ["--layer", "none"]):
        run("map", folder, "Sample Flats 1.0", *wrong, code=2)
    run("list", folder, "--result", "won", code=2)
    run("map", folder, "Nowhere", code=1)


def test_the_events_verb(tmp_path: Path) -> None:
    log = tmp_path / "e.jsonl"
    log.write_bytes(
        b'{"kind":"header","format":1,"game":"G"}\nbad\n{"kind":"game_over","frame":30,"winners":[0],"teams":[]}\n'
    )
    document = json.loads(run("events", str(log), "--json"))
    assert document["malformed"] == 1 and document["counts"]["gameOver"] == 1 and document["file"]["path"] == str(log)
    run("events", str(log), "-o", str(tmp_path / "out"), "-t", "counts", "-q")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["counts.csv"]
    demo = tmp_path / "d.sdfz"
    demo.write_bytes(gzip.compress(sample()))
    document = json.loads(run("events", str(log), "--demo", str(demo), "--json", code=1))
    assert document["outcome"] == "diverged" and document["disagreements"]
    log.write_bytes(b"nothing\n")
    assert json.loads(run("events", str(log), "--json", code=1).splitlines()[0])["error"]["code"] == "unknown-format"


@pytest.mark.parametrize("counts", [(-1, 5, 5), (2**31 - 1, 1, 1), (0, 0, 0), (-(2**31), -(2**31), 2**31 - 1)])
def test_sample_counts_that_lie(tmp_path: Path, counts: tuple[int, ...]) -> None:
    data = bytearray(sample())
    trailer = sum(int.from_bytes(data[at : at + 4], "little") for at in (20, 304, 308))
    winners, players = (int.from_bytes(data[at : at + 4], "little") for at in (348, 324))
    at = trailer + winners + players
    for i, count in enumerate(counts):
        data[at + 4 * i : at + 4 * i + 4] = count.to_bytes(4, "little", signed=True)
    (tmp_path / "a.sdf").write_bytes(data)
    record = read_demo(tmp_path / "a.sdf", "full")
    assert record.state in (State.FULL, State.PARTIAL) and len(record.totals) <= 3


@pytest.mark.parametrize("winners,kept", [([1], (1,)), ([], None), (None, None)])
def test_an_undecided_game_counts_for_nobody(tmp_path: Path, winners: list[int] | None, kept: object) -> None:
    from spring_demo_file import MESSAGES, SCRIPT

    from ksreplay.formats import spring_build as build

    over = [] if winners is None else [build.packet("gameover", player=0, winning_ally_teams=winners)]
    stream = b"".join(build.chunk(0, message) for message in (*MESSAGES[:5], *over))
    (tmp_path / "a.sdf").write_bytes(build.demo(SCRIPT, stream))
    assert read_demo(tmp_path / "a.sdf", "full").winners == kept
