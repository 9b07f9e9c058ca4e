"""`ksreplay batch` and `ksreplay compact` as they are typed; the real formats, by way of the bundled samples."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import ksreplay
from ksreplay.batch import Options, run
from ksreplay.cli import main
from ksreplay.registry import FORMATS


def call(*arguments: object, input: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=input)


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    folder = tmp_path / "samples"
    folder.mkdir()
    for name, format in FORMATS.items():
        call("sample", name, "-o", folder / format.sample)
    return folder


def test_a_folder_becomes_a_data_set(samples: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    files = len(list(samples.iterdir()))
    assert files
    result = call("batch", samples, "--out", dataset, "--jobs", 1, "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary["statuses"] == {"ok": files} and summary["rows"] > 0
    again = call("batch", samples, "--out", dataset, "--resume")
    assert again.exit_code == 0 and f"{files} unchanged, 0 read" in again.stdout
    compacted = call("compact", dataset, "--json")
    assert compacted.exit_code == 0 and json.loads(compacted.stdout)["parts_after"] > 0


@pytest.mark.parametrize("private", [False, True])
def test_the_data_set_holds_what_the_replays_say(samples: Path, tmp_path: Path, private: bool) -> None:
    dataset = tmp_path / "dataset"
    run([str(samples)], dataset, Options(private=private), jobs=2)
    rows = 0
    for path in samples.iterdir():
        file_id = hashlib.sha256(path.read_bytes()).hexdigest()[:32]
        with ksreplay.open(path, private=private) as replay:
            for name, table in replay.tables.items():
                parts = sorted((dataset / "tables" / name / f"format={replay.format}").rglob("*.parquet"))
                found = pa.concat_tables(pq.ParquetFile(part).read() for part in parts).replace_schema_metadata()
                found = found.filter(pc.field("file_id") == file_id).drop_columns("file_id")
                public = [column.name for column in table.schema if private or not column.private]
                assert found.equals(table.select(public).to_arrow().replace_schema_metadata()), name
                rows += len(table)
    assert rows > 5000


def test_a_bad_file_exits_1_and_a_list_comes_from_standard_input(samples: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.sdfz"
    bad.write_bytes(b"no demo")
    names = "\n".join(map(str, [bad, *samples.iterdir()]))
    result = call("batch", "-", "-o", tmp_path / "dataset", "-j", 1, input=names.encode())
    assert result.exit_code == 1 and "1 failed" in result.stdout and "files.parquet" in result.stderr


def test_usage(tmp_path: Path) -> None:
    assert call("batch", tmp_path, "--out", tmp_path / "none", "--resume").exit_code == 2
    assert call("batch", tmp_path, "--out", tmp_path / "x", "--limit-memory", "much").exit_code == 2
    assert (
        call("batch", tmp_path, "--out", tmp_path / "x", "--cluster", "local", "--scheduler", "tcp://x").exit_code == 2
    )
    assert call("compact", tmp_path).exit_code == 2
    (tmp_path / "manifest.sqlite").write_bytes(b"something else" * 100)
    result = call("compact", tmp_path)
    assert result.exit_code == 1 and "no manifest" in result.stderr and "Traceback" not in result.output


def test_other_options_are_refused(samples: Path, tmp_path: Path) -> None:
    assert call("batch", samples, "-o", tmp_path / "d", "-j", 1, "-q").exit_code == 0
    result = call("batch", samples, "-o", tmp_path / "d", "-j", 1, "-q", "--private")
    assert result.exit_code == 1 and "--private" in result.stderr
