"""`ksreplay tables`: what tables a file holds."""

from __future__ import annotations

import click

from ksreplay.cli.common import REPLAY, Reading, columns_text, echo_json, exit_on_error, reading_options, styled


@click.command("tables")
@click.argument("file", type=REPLAY)
@click.option("--json", "as_json", is_flag=True, help="The schemas as one JSON document.")
@click.option("--full", is_flag=True, help="Count the rows of every table, also where that means decoding it.")
@reading_options
def tables_command(file: str, as_json: bool, full: bool, reading: Reading) -> None:
    """The tables of FILE with row counts and columns (type, unit).

    Example: ksreplay tables match.sdfz
    """
    with exit_on_error(file, as_json), reading.open(file) as replay:
        tables = replay.tables
        counts = {name: tables.count(name) if full else tables.rows(name) for name in tables}
        if as_json:
            documents = [{**tables.schema(name).to_dict(), "rows": counts[name]} for name in tables]
            echo_json({"file": file, "format": replay.format, "tables": documents})
            return
        for number, name in enumerate(tables):
            schema = tables.schema(name)
            rows = "" if counts[name] is None else f"  {counts[name]:,} rows"
            click.echo(("\n" if number else "") + f"{styled(name, bold=True)}{rows}  {schema.meaning}")
            click.echo(
                columns_text([(c.name, c.dtype + ("?" if c.nullable else ""), c.unit, c.meaning) for c in schema], "  ")
            )
