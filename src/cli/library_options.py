"""What the verbs under `ksreplay library` share: opening an index, filters, unit lists, sizes and windows."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ksreplay.cli.common import exit_on_error
from ksreplay.errors import ReplayError

if TYPE_CHECKING:
    from ksreplay.library.index import Index
    from ksreplay.library.naming import Naming

F = TypeVar("F", bound=Callable[..., Any])


@contextlib.contextmanager
def opened(folder: str, index: str | None, *, create: bool = False) -> Iterator[Index]:
    """The index of a folder; errors of the file end the command with 1."""
    from ksreplay.library.index import Index

    with exit_on_error(index or folder):
        try:
            with Index(Path(folder), Path(index) if index else None, create=create) as found:
                yield found
        except sqlite3.Error as error:
            raise ReplayError(f"the index cannot be used: {error}", code="library-damaged", format="library") from error


def index_options(command: F) -> F:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="One JSON document."),
        click.option("--index", metavar="FILE", help="The index file (default: in the folder)."),
        click.argument("folder", type=click.Path(exists=True, file_okay=False)),
    ):
        command = option(command)
    return command


def _day(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter("wants a day such as 2026-01-31") from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def filter_options(command: F) -> F:
    """The filters of a selection; the command gets them as ``wanted``, a `Filter`."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        from ksreplay.library.queries import Filter

        names = ("map", "map_version", "player", "engine", "game", "result", "players", "sides", "started_from",
                 "started_until")  # fmt: skip
        given = {name: kwargs.pop(f"f_{name}") for name in names if f"f_{name}" in kwargs}
        if given.get("result") in ("won", "lost") and given.get("player") is None:
            raise click.UsageError(f"--result {given['result']} needs --player")
        return command(*args, wanted=Filter(**given), **kwargs)

    wrapper.__name__, wrapper.__doc__ = command.__name__, command.__doc__
    wrapper.__dict__.update(command.__dict__)
    for option in (
        click.option("--until", "f_started_until", callback=_day, metavar="DAY", help="Started on or before this day."),
        click.option("--from", "f_started_from", callback=_day, metavar="DAY", help="Started on or after this day."),
        click.option("--sides", "f_sides", type=click.Choice(["duel", "teams", "ffa", "other"])),
        click.option("--players", "f_players", type=int, help="With this many seats."),
        click.option("--result", "f_result", type=click.Choice(["won", "lost", "known", "none"])),
        click.option("--game", "f_game", help="The game's exact name and version."),
        click.option("--engine", "f_engine", help="The engine's exact version text."),
        click.option("--player", "f_player", help="With this player in a seat."),
        click.option("--map-version", "f_map_version", metavar="NAME", help="One exact map name."),
        click.option("--map", "f_map", metavar="NAME", help="A map, all versions of it."),
    ):
        wrapper = option(wrapper)
    return wrapper  # type: ignore[return-value]


def naming_options(command: F) -> F:
    for option in (
        click.option("--analyses", type=click.Path(exists=True, file_okay=False), help="Folder of stored analyses."),
        click.option("--unit-lists", type=click.Path(exists=True, file_okay=False), help="Folder of kept unit lists."),
    ):
        command = option(command)
    return command


def naming_of(index: Index, unit_lists: str | None, analyses: str | None) -> Naming:
    from ksreplay.library.analyses import Analyses
    from ksreplay.library.naming import Naming
    from ksreplay.library.unit_store import UnitStore

    return Naming(
        index.db, UnitStore(Path(unit_lists)) if unit_lists else None, Analyses(Path(analyses)) if analyses else None
    )


def size_option(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, float] | None:
    if value is None:
        return None
    width, _, height = value.lower().partition("x")
    try:
        return float(width), float(height)
    except ValueError:
        raise click.BadParameter("wants two numbers of elmos such as 8192x6144") from None


def places_option(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> list[tuple[float, float]]:
    try:
        return [(float(x), float(z)) for x, z in (value.split(",") for value in values)]
    except ValueError:
        raise click.BadParameter("wants X,Z in elmos, such as 1024,2048") from None


def window_option(ctx: click.Context, param: click.Parameter, value: str) -> Any:
    from ksreplay.semantics.spring.analysis.aggregate import WHOLE, Window

    if value == "whole":
        return WHOLE
    if match := re.fullmatch(r"(first|last):(\d{1,4})", value):
        return Window("first" if match[1] == "first" else "last", int(match[2]))
    if match := re.fullmatch(r"(\d{1,4})-(\d{1,4})", value):
        return Window("range", start=int(match[1]), end=int(match[2]))
    raise click.BadParameter("wants whole, first:5, last:5 or 5-8 (minutes)")
