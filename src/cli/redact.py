"""`ksreplay redact`: a replay that can be given away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ksreplay.cli.common import REPLAY, Reading, echo_json, exit_on_error, reading_options, suffix_for, write_result

if TYPE_CHECKING:
    from ksreplay.pseudonyms import Action


class _PolicyOption(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    name = "KIND=ACTION"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Action]:
        from ksreplay.pseudonyms import ACTIONS, KINDS

        if isinstance(value, tuple):
            return value
        kind, _, action = str(value).partition("=")
        if kind not in KINDS:
            self.fail(f"no kind {kind!r}; there are {', '.join(KINDS)}", param, ctx)
        if action not in ACTIONS:
            self.fail(f"{kind} wants one of {', '.join(ACTIONS)}, not {action!r}", param, ctx)
        return kind, action


@click.command("redact")
@click.argument("file", type=REPLAY, metavar="IN")
@click.argument("output", metavar="OUT")
@click.option("--key", help="Pseudonyms are the same in all files redacted with one key; default: a random key.")
@click.option("--policy", multiple=True, type=_PolicyOption(), help="What is done with one kind; may be repeated.")
@click.option("--no-check", is_flag=True, help="Do not read and search the result before it is written.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON document.")
@reading_options
def redact_command(
    file: str, output: str, key: str | None, policy: tuple[tuple[str, Action], ...], no_check: bool, force: bool,
    as_json: bool, reading: Reading,
) -> None:  # fmt: skip
    """Write IN without private content, and with pseudonyms for names, to OUT (-: standard output).

    The result is a valid replay with the same analysis tables. It is read again and searched for everything that
    was private before it is written.

    KIND is name, chat, label, lua, client, log, account, address, password, seat, link or comment; ACTION is keep,
    erase or pseudonym. Names, account numbers and seat keys get pseudonyms and the rest is erased, unless --policy
    says otherwise.

    Example: ksreplay redact match.sdfz public.sdfz --key "our league 2026"
    """
    from ksreplay.redact import KINDS, Policy, Pseudonymizer, redact

    pseudonyms, rules = Pseudonymizer(key), Policy(dict(policy))
    with exit_on_error(file, as_json and output != "-"), reading.open(file, private=True) as replay:
        data, report = redact(replay, pseudonyms, rules, check=not no_check, suffix=suffix_for(output, replay))
        facts = report.to_dict()
        changed = ", ".join(f"{count:,} {kind}" for kind, count in facts["changed"].items())
        write_result(output, data, force, reading, f"; changed: {changed or 'nothing'}")
    if as_json and output != "-":
        document = {"file": file, "output": output, "bytes": len(data), "key": "given" if key else "random", **facts}
        echo_json({**document, "policy": {kind: rules.action(kind) for kind in KINDS}})
        return
    for note in facts["notes"]:
        reading.note(f"  note: {note}")
