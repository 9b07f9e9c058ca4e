"""Reference pages made from the package: tables and columns, rules, limits, command line. Each returns Markdown."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import fields

import click

from ksreplay.cli import VERBS, main
from ksreplay.limits import Limits
from ksreplay.registry import FORMATS, Format
from ksreplay.semantics.spring.analysis import log_tables
from ksreplay.table import Schema

log = logging.getLogger("mkdocs.hooks.reference")


def ready() -> list[Format]:
    """The registered formats; one whose module is not there is a warning, which a strict build turns into an error."""
    found = []
    for format in FORMATS.values():
        try:
            assert format.replay_class and format.rule_list is not None
            found.append(format)
        except ModuleNotFoundError as error:
            log.warning("format %s is left out: %s", format.name, error)
    return found


def _cell(text: object) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")


def _rows(head: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    """A Markdown table; cells are escaped."""
    titles = list(head)
    lines = [f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    return [*lines, *(f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows), ""]


def _table(schema: Schema) -> list[str]:
    notes = [f"Schema version {schema.version}."]
    if schema.private:
        notes.append("Wholly private: its text is null unless the replay is opened with `private=True`.")
    if schema.source:
        notes.append(f"Source: {schema.source}.")
    lines = [f"## {schema.name}", "", schema.meaning, "", " ".join(notes), ""]
    columns = []
    for column in schema.columns:
        dtype = (
            f"`{column.dtype}`" + (", may be null" if column.nullable else "") + (", private" if column.private else "")
        )
        columns.append((f"`{column.name}`", dtype, column.unit, column.meaning, column.source))
    return lines + _rows(("column", "type", "unit", "meaning", "source"), columns)


def schema_sets(formats: list[Format]) -> list[tuple[str, str, str, list[Schema]]]:
    """(page name, title, how to get at them, schemas) of every set of tables: a format's, and an event log's."""
    found = [
        (
            format.name,
            format.title,
            f"What `ksreplay.open(...).tables` and `ksreplay export` give for `{format.name}`",
            [definition.schema for definition in format.replay_class.TABLES],
        )
        for format in formats
    ]
    log = [table.schema for table in log_tables.TABLES.values()]
    return [*found, ("events", "Event log of a Spring match", "What `ksreplay.events.open(...).tables` gives", log)]


def tables_page(title: str, how: str, schemas: list[Schema]) -> str:
    """Every table of a set with every column."""
    lines = [f"# Tables: {title}", "", f"{how}, the same for every file. A column without data is there and null.", ""]
    lines += _rows(("table", "columns", "meaning"), [(f"[{s.name}](#{s.name})", len(s), s.meaning) for s in schemas])
    for schema in schemas:
        lines += _table(schema)
    return "\n".join(lines)


def tables_index(sets: list[tuple[str, str, str, list[Schema]]]) -> str:
    """Which format has which tables."""
    lines = ["# Tables", "", "Made from the schemas that the code declares.", ""]
    rows = [
        (f"[{title}]({page}.md)", ", ".join(f"[{schema.name}]({page}.md#{schema.name})" for schema in schemas))
        for page, title, _, schemas in sets
    ]
    return "\n".join(lines + _rows(("of", "tables"), rows))


def rules_page(formats: list[Format]) -> str:
    """Every rule of every format with its severity and source."""
    lines = [
        "# Rules",
        "",
        "What `ksreplay validate` checks and every problem cites; `ksreplay rules` prints the same. "
        "What the severities mean is said in [the promise](../promise.md#severities).",
        "",
    ]
    for format in formats:
        lines += [f"## {format.title}", ""]
        rows = [(f"`{r.code}`", r.severity.value, r.text, r.source) for r in format.rule_list]
        lines += _rows(("code", "severity", "rule", "source"), rows)
    return "\n".join(lines)


def limits_page() -> str:
    """Every bound on what reading may cost."""
    lines = [
        "# Limits",
        "",
        "Bounds on what reading one file may cost. Change one with `ksreplay.Limits(NAME=NUMBER)` or "
        "`--limit NAME=NUMBER`.",
        "",
    ]
    rows = [
        (f"`{f.name}`", f"{f.default:,}", f.metadata["unit"], f.metadata["meaning"], f.metadata["largest"])
        for f in fields(Limits)
    ]
    return "\n".join(lines + _rows(("limit", "default", "unit", "what", "largest legal value known"), rows))


def _help(command: click.Command, path: str) -> list[str]:
    context = click.Context(command, info_name=path, max_content_width=100, terminal_width=100)
    lines = [f"## {path}", "", "```text", command.get_help(context).strip(), "```", ""]
    if isinstance(command, click.Group) and command is not main:
        for name in command.list_commands(context):
            if found := command.get_command(context, name):
                lines += _help(found, f"{path} {name}")
    return lines


def cli_page() -> str:
    """The help of every verb."""
    lines = ["# Command line", "", "As `--help` prints it.", "", *_help(main, "ksreplay")]
    context = click.Context(main, info_name="ksreplay")
    for verb in VERBS:
        command = main.get_command(context, verb)
        assert command is not None
        lines += _help(command, f"ksreplay {verb}")
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Path below docs/ -> Markdown of every page that the package itself gives."""
    formats = ready()
    sets = schema_sets(formats)
    made = {
        "reference/tables/index.md": tables_index(sets),
        "reference/rules.md": rules_page(formats),
        "reference/limits.md": limits_page(),
        "reference/cli.md": cli_page(),
    }
    for name, title, how, schemas in sets:
        made[f"reference/tables/{name}.md"] = tables_page(title, how, schemas)
    return made
