"""Every table of every readable file of the corpus through every output and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import corpus_files
from outputs import check_binary, check_pandas, check_text

import ksreplay
from ksreplay import ReplayError

QUICK_BYTES = 60_000
TEXT_BYTES = 5_000_000
TEXT_ROWS = 3_000  # rows of a table checked cell by cell in the quick run


FILES = corpus_files()
#: One file of each kind that is small and full; the others are in the slow run.
QUICK = [path for path in FILES if path.stat().st_size < QUICK_BYTES and "invalid" not in path.parts][::9]


def check(path: Path, *, text_rows: int | None) -> int:
    try:
        replay = ksreplay.open(path, private=True)
    except ReplayError:
        return 0  # not readable
    with replay:
        for name in replay.tables:
            table = replay.tables[name]
            check_binary(table, "parquet")
            check_binary(table, "arrow")
            check_pandas(table)
            if text_rows is None or len(table) <= text_rows:
                if path.stat().st_size <= TEXT_BYTES:
                    check_text(table)
            else:
                check_text(table.slice(0, text_rows // 2))
            replay.tables.forget(name)
        return len(replay.tables)


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.name)
def test_tables_come_back(path: Path) -> None:
    check(path, text_rows=TEXT_ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_tables_of_every_file_come_back(path: Path) -> None:
    check(path, text_rows=None)


@pytest.mark.parametrize("suffix", [".cbtrack", ".crd", ".sdfz", ".tad"])
def test_every_column_is_explained(suffix: str) -> None:
    format = next(f for f in ksreplay.FORMATS.values() if suffix in f.suffixes)
    schemas = [definition.schema for definition in format.replay_class.TABLES]
    assert [schema.name for schema in schemas if not schema.meaning] == []
    assert [f"{schema.name}.{column.name}" for schema in schemas for column in schema if not column.meaning] == []
