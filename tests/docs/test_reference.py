"""Every table, column, rule, limit and verb of the package is on a reference page."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from docsite import reference

from ksreplay.cli import VERBS
from ksreplay.limits import Limits
from ksreplay.registry import FORMATS


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return reference.pages()


def test_tables_and_columns(pages: dict[str, str]) -> None:
    sets = reference.schema_sets(reference.ready())
    assert {name for name, *_ in sets} == {*FORMATS, "events"}
    for name, _, _, schemas in sets:
        page = pages[f"reference/tables/{name}.md"]
        for schema in schemas:
            assert f"\n## {schema.name}\n" in page
            for column in schema.columns:
                assert f"| `{column.name}` |" in page


def test_rules(pages: dict[str, str]) -> None:
    for format in reference.ready():
        assert format.rule_list
        for rule in format.rule_list:
            assert f"| `{rule.code}` | {rule.severity.value} |" in pages["reference/rules.md"]


def test_limits_and_verbs(pages: dict[str, str]) -> None:
    assert all(f"| `{limit.name}` |" in pages["reference/limits.md"] for limit in fields(Limits))
    assert all(f"\n## ksreplay {verb}\n" in pages["reference/cli.md"] for verb in VERBS)


def test_every_format_is_there(pages: dict[str, str]) -> None:
    assert {format.name for format in reference.ready()} == set(FORMATS)


def test_the_readme_counts_the_tables() -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    rows = {row[1].strip("` "): row for line in readme.splitlines() if len(row := line.split("|")) == 9}
    assert {name: int(rows[name][6]) for name in FORMATS} == {
        name: len(format.replay_class.TABLES) for name, format in FORMATS.items()
    }
