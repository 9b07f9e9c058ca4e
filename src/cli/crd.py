"""`ksreplay verify`: Crimsonland replays by the real simulator."""

from __future__ import annotations

import click

from ksreplay.cli.common import Reading, echo_json, for_each, reading_options, show_error
from ksreplay.errors import ReplayError
from ksreplay.text import printable


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--python", metavar="INTERPRETER", help="A Python 3.13 that has the package crimsonland; default: this.")
@click.option("--timeout", type=click.FloatRange(min=1), default=600.0, show_default=True, help="Seconds for a file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document a line a file, failed ones too.")
@reading_options
def verify_command(files: tuple[str, ...], python: str | None, timeout: float, as_json: bool, reading: Reading) -> None:
    """Simulate each FILE (.crd) with the real game and compare the result it derives with the recorded one.

    Exits 1 where a field differs. The structure is checked without it: `ksreplay validate`.

    Example: ksreplay verify --python sim/bin/python run.crd
    """
    from ksreplay.replays.crd import CrimsonlandReplay
    from ksreplay.replays.crd_verify import verify

    def work(name: str) -> bool:
        with reading.open(name) as replay:
            if not isinstance(replay, CrimsonlandReplay):
                raise ReplayError("only Crimsonland replays can be verified", code="other-format", format=replay.format)
            found = verify(replay, python=python, timeout=timeout)
        if as_json:
            echo_json({"file": name, **found.to_dict()})
        else:
            click.echo(f"{printable(name)}: {found.status}")
            for path, recorded, derived, equal in found.fields:
                if not equal:
                    click.echo(f"  {path}: recorded {recorded}, derived {derived}")
            for reason in found.report.get("unranked_reasons") or []:
                click.echo(f"  not ranked: {printable(str(reason))}")
        return found.status == "ok"

    def fail(name: str, error: ReplayError) -> None:
        if as_json:
            echo_json({"file": name, "error": error.to_dict()})
        show_error(name, error)

    for_each(files, work, fail)
