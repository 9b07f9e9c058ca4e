"""`ksreplay validate`: every rule that a file breaks."""

from __future__ import annotations

import click

from ksreplay.cli.common import REPLAY, Reading, echo_json, finding, for_each, reading_options, show_error, status_line
from ksreplay.errors import INVALID, Problem, ReplayError, Severity, describe
from ksreplay.text import printable


@click.command("validate")
@click.argument("files", type=REPLAY, nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON document a line a file.")
@click.option("--play", is_flag=True, help="Findings of severity `play` make a file invalid too.")
@click.option(
    "--profile", type=click.Choice(["release", "seed"]), default="release", show_default=True,
    help="Whose rules: the released reader's, or only those that the format page states.",
)  # fmt: skip
@reading_options
def validate_command(files: tuple[str, ...], as_json: bool, play: bool, profile: str, reading: Reading) -> None:
    """Every rule that each FILE breaks; exit 1 where one is not valid.

    Example: ksreplay validate --json run.crd
    """
    refused = INVALID | {Severity.PLAY} if play else INVALID

    def report(name: str, format: str, problems: list[Problem], error: ReplayError | None = None) -> bool:
        valid = not any(problem.severity in refused for problem in problems)
        if as_json:
            document = {"file": name, "valid": valid, "problems": [problem.to_dict() for problem in problems]}
            echo_json(document if error is None else {**document, "error": error.to_dict()})
        else:
            click.echo(status_line(name, "valid" if valid else "not valid"))
            for problem in problems:
                told = finding(format, problem.code, problem.message)
                line = f"  {problem.severity}: {problem.code}: {describe(told, problem.where, problem.offset)}"
                click.echo(
                    printable(line) + ("" if problem.found is None else f"; found {printable(str(problem.found), 80)}")
                )
        return valid

    def work(name: str) -> bool:
        with reading.open(name) as replay:
            valid = report(name, replay.format, replay.validate(profile))
            if replay.more_problems:
                more = f"{replay.more_problems:,} more findings are counted and not listed"
                reading.note(f"  {more} (--limit problems=N)")
            return valid

    def fail(name: str, error: ReplayError) -> None:
        report(name, error.format, [error.as_problem(Severity.FATAL)], error)
        if not as_json:
            show_error(name, error)

    for_each(files, work, fail)
