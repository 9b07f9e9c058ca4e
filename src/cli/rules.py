"""`ksreplay rules` and `ksreplay limits`: what is checked, and what reading may cost."""

from __future__ import annotations

from dataclasses import fields

import click

from ksreplay.cli.common import columns_text, echo_json
from ksreplay.limits import Limits


@click.command("rules")
@click.argument("format", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON document a line a rule.")
@click.option("--private", is_flag=True, hidden=True)
def rules_command(format: str | None, as_json: bool, private: bool) -> None:
    """Every rule of every format, or of FORMAT, with the paragraph that states it.

    Example: ksreplay rules crd
    """
    from ksreplay.registry import FORMATS

    if format is not None and format not in FORMATS:
        raise click.UsageError(f"no format {format!r}; there are {', '.join(FORMATS)}")
    for name in [format] if format else FORMATS:
        for rule in FORMATS[name].rule_list:
            if as_json:
                entry = {"format": name, "code": rule.code, "severity": str(rule.severity)}
                echo_json({**entry, "text": rule.text, "source": rule.source})
            else:
                click.echo(f"{name} {rule.code} ({rule.severity})\n  {rule.text}\n  {rule.source}")


@click.command("limits")
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
@click.option("--private", is_flag=True, hidden=True)
def limits_command(as_json: bool, private: bool) -> None:
    """What reading one file may cost; --limit NAME=NUMBER of the other verbs changes it.

    Example: ksreplay limits
    """
    limits = Limits()
    entries = [{"name": f.name, "default": getattr(limits, f.name), **f.metadata} for f in fields(Limits)]
    if as_json:
        echo_json({"limits": entries})
        return
    rows = [("limit", "default", "unit", "bounds", "largest legal value known")]
    rows += [(e["name"], f"{e['default']:,}", e["unit"], e["meaning"], e["largest"]) for e in entries]
    click.echo(columns_text(rows))
