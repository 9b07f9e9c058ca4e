"""`ksreplay info`: one summary of each file."""

from __future__ import annotations

from typing import Any

import click

from ksreplay.cli.common import (
    REPLAY,
    Reading,
    columns_text,
    echo_json,
    failure_of,
    finding,
    for_each,
    reading_options,
    show_error,
    status_line,
    status_of,
)
from ksreplay.errors import ReplayError
from ksreplay.text import printable

_ENTRIES = 8  # of a mapping that is shown
_DIGITS = 12  # of a float that is shown


@click.command("info")
@click.argument("files", type=REPLAY, nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON document a line a file, failed ones too.")
@click.option(
    "--full", is_flag=True, help="Add what needs the whole file: all row counts, packet counts, all problems."
)
@click.option("--brief", is_flag=True, help="One line a file: its status, map, length and players.")
@reading_options
def info_command(files: tuple[str, ...], as_json: bool, full: bool, brief: bool, reading: Reading) -> None:
    """One summary of each FILE (folders: of each replay in them; -: standard input).

    A file's status is ok, partial (its end or a part is missing), growing (the same, but written to just now), empty
    or failed.

    Example: ksreplay info --json demos/ | jq .map
    """

    def work(name: str) -> bool:
        with reading.open(name) as replay:
            document = replay.info(full)
        document["file"] = {"path": name, **document["file"]}
        if as_json:
            echo_json(document)
        elif brief:
            click.echo(line(name, document))
        else:
            click.echo(summary(name, document))
        return True

    def fail(name: str, error: ReplayError) -> None:
        if as_json:
            echo_json({"file": name, "error": error.to_dict()})
        else:
            click.echo(status_line(name, *failure_of(name, error)))
        show_error(name, error)

    for_each(files, work, fail)


def line(name: str, document: dict[str, Any]) -> str:
    """The document as one line."""
    length = "" if document["duration_s"] is None else clock(document["duration_s"])
    players = [_player(player) for player in document["players"] if not _watches(player)]
    shown = ", ".join(players[:16]) + (f" and {len(players) - 16} more" if len(players) > 16 else "")
    parts = [document["format"], printable(str(document["map"] or document["game"] or ""), 60), length, shown]
    return status_line(name, *status_of(name, document)) + "  " + ", ".join(part for part in parts if part)


def summary(name: str, document: dict[str, Any]) -> str:
    """The document for a person."""
    from ksreplay.registry import FORMATS

    rows = [("format", f"{FORMATS[document['format']].title}, version {document['format_version']}")]
    for key in ("game", "map"):
        if document[key]:
            rows.append((key, printable(str(document[key]), 100)))
    if document["duration_s"] is not None:
        rows.append(("length", clock(document["duration_s"])))
    if document["result"]:
        winners = [_player(player) for player in document["players"] if player.get("won")]
        winners = winners or [printable(str(winner), 40) for winner in document["result"].get("winners", [])]
        source = printable(str(document["result"].get("source", "the file")), 40)
        rows.append(("winners", f"{', '.join(winners) or 'none'} (by {source})"))
    if document["players"]:
        rows.append(("players", _sides(document["players"][:40])))
    rows += [(key, printable(text, 100)) for key, value in document["details"].items() if (text := _shown(value))]
    counts = [f"{name} {count:,}" for name, count in document["tables"].items() if count]
    if counts:
        rows.append(("rows", ", ".join(counts)))
    lines = [status_line(name, *status_of(name, document)), columns_text(rows, "  ")]
    for p in document["problems"][:10]:
        told = finding(document["format"], p["code"], p["message"])
        lines.append(f"  {p['severity']}: {printable(p['code'])}: {printable(told, 160)}")
    if len(document["problems"]) > 10:
        lines.append(f"  … {len(document['problems']) - 10} more problems; `ksreplay validate` lists them")
    return "\n".join(lines)


def clock(seconds: float) -> str:
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def _shown(value: Any) -> str:
    """A detail as text: of a mapping its few entries, nothing for long ones and for lists."""
    if isinstance(value, dict):
        if len(value) > _ENTRIES:
            return ""
        parts = [(key, " ".join(map(str, item)) if isinstance(item, list) else item) for key, item in value.items()]
        return ", ".join(f"{key} {item}" for key, item in parts if item not in ("", None))
    if isinstance(value, float) and len(repr(value)) > _DIGITS:
        return f"{value:.{_DIGITS}g}"
    return str(value) if isinstance(value, str | int | float | bool) else ""


def _sides(players: list[dict[str, Any]]) -> str:
    """The players by side where the file says who was on which, then those who watch."""
    sides: dict[Any, list[str]] = {}
    for player in players:
        if not _watches(player):
            sides.setdefault(player.get("ally_team"), []).append(_player(player))
    between = ", " if None in sides else " against "
    parts = [between.join(", ".join(names) for names in sides.values())] if sides else []
    return ", ".join(parts + [_player(player) for player in players if _watches(player)])


def _player(player: dict[str, Any]) -> str:
    name = printable(str(player.get("name") or f"#{player.get('id')}"), 40)
    return f"{name} (watching)" if _watches(player) else name


def _watches(player: dict[str, Any]) -> bool:
    return bool(player.get("spectator") or player.get("watcher"))
