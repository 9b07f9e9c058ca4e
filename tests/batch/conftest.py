"""A folder of made-up replays, a data set, and what a right data set looks like."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from batch import fake
from ksreplay.batch import Options, driver, run
from ksreplay.batch.manifest import STAGING
from ksreplay.formats import sniff
from ksreplay.registry import FORMATS


@pytest.fixture
def fake_format() -> Iterator[None]:
    """The fake format registered in this process, instead of the real ones."""
    from ksreplay.batch import games

    formats, signatures, keys = dict(FORMATS), sniff.SIGNATURES, dict(games.KEYS)
    fake.register()
    yield
    FORMATS.clear()
    FORMATS.update(formats)
    sniff.SIGNATURES = signatures
    games.KEYS.clear()
    games.KEYS.update(keys)


class Folder:
    """Files in ``source``, their data set in ``dataset``."""

    def __init__(self, root: Path) -> None:
        self.source, self.dataset = root / "replays", root / "data set"
        self.source.mkdir()

    def write(self, name: str, *arguments: Any, **script: Any) -> Path:
        return self.write_bytes(name, fake.fake(*arguments, **script))

    def write_bytes(self, name: str, data: bytes) -> Path:
        path = self.source / name
        path.write_bytes(data)
        return path

    def run(self, jobs: int = 2, options: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        given = {"child": fake.CHILD, "timeout": 20, "settle": 0, **(options or {})}
        return run([str(self.source)], self.dataset, Options(**given), jobs=jobs, **more)

    def query(self, text: str) -> list[tuple[Any, ...]]:
        """DuckDB over the data set; {events}, {marks}, {files}, {games} stand for its tables."""
        names = {name: f"read_parquet('{self.dataset}/{name}.parquet')" for name in ("files", "games")}
        for name in ("events", "marks"):
            glob = f"{self.dataset}/tables/{name}/**/*.parquet"
            names[name] = f"read_parquet('{glob}', hive_partitioning=true)"
        rows: list[tuple[Any, ...]] = duckdb.sql(text.format(**names)).fetchall()
        return rows

    def fates(self) -> dict[str, tuple[str, str | None]]:
        return {
            Path(path).name: (status, code)
            for path, status, code in self.query("select path, status, code from {files}")
        }

    def check(self) -> None:
        """The data set has every file of the folder once, each readable content's rows once, and nothing else."""
        wanted: dict[str, tuple[int, int, str]] = {}
        paths = sorted(self.source.rglob("*.fake"))
        for path in paths:
            data = path.read_bytes()
            if not data.startswith(fake.MAGIC) or not data.endswith(b"}"):
                continue
            script = json.loads(data[len(fake.MAGIC) :])
            if script.get("do") not in ("segv", "exit", "hang", "memory", "bug"):
                wanted[_id(data)] = script["rows"], script["rows"] // 2, script["month"]
        listed = self.query("select path, file_id, status, rows from {files} order by path")
        assert [row[0] for row in listed] == [str(path) for path in paths]
        readable = [row for row in listed if row[2] in ("ok", "partial")]
        assert {row[1] for row in readable} == wanted.keys()
        assert all(row[3] == sum(wanted[row[1]][:2]) for row in readable)
        for table, column in (("events", 0), ("marks", 1)):
            found = self.query(f"select file_id, month, count(*) from {{{table}}} group by all")
            expected = {(id, rows[2], rows[column]) for id, rows in wanted.items() if rows[column]}
            assert set(found) == expected and len(found) == len(expected), table
        ticks = self.query("select file_id, count(distinct tick), count(*) from {events} group by all")
        assert all(distinct == count for _, distinct, count in ticks)
        games = self.query("select unnest(file_ids) from {games}")
        assert sorted(row[0] for row in games) == sorted(wanted)
        left = [path.name for path in self.dataset.rglob("*") if path.suffix == ".part" or path.name == STAGING]
        assert not left


def _id(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()[:32]


@pytest.fixture
def folder(tmp_path: Path, fake_format: None, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setattr(driver, "SMALL_CHUNK_FILES", 8)  # so that a few files make several chunks
    return Folder(tmp_path)
