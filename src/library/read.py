"""Read one demo for the index: its header and script alone, or all of it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from ksreplay.errors import LimitExceeded, ReplayError, Severity
from ksreplay.formats.inflate import gunzip
from ksreplay.formats.source import Source
from ksreplay.library.index import Phase
from ksreplay.library.maps import MAX_SIDE
from ksreplay.library.record import KEPT_METRICS, OrderedRecord, PlayerRecord, Record, State
from ksreplay.limits import Limits
from ksreplay.replays.spring_derived import CONFIRMED, samples_of, starts_of
from ksreplay.semantics.spring.analysis.metrics import BY_KEY, library_total
from ksreplay.semantics.spring.analysis.stored_analysis import game_id

if TYPE_CHECKING:
    from ksreplay.replays.spring import SpringReplay
    from ksreplay.semantics.spring.match import Match
    from ksreplay.semantics.spring.script import Section

#: Enough of a file for the header and the script behind it: the largest script seen takes 20 kB.
_HEAD_BYTES = 1 << 16
_HEAD_INFLATED = 1 << 20
_MAX_INT = (1 << 63) - 1
_MAX_DEFINITION = 1 << 24


def read_demo(path: Path, phase: Phase, limits: Limits | None = None) -> Record:
    """The record of a demo. What is wrong with the file is its state; nothing is raised for its content."""
    limits = limits or Limits()
    try:
        if phase == "header":
            with path.open("rb") as file:
                data = file.read(_HEAD_BYTES)
            if data[:2] == b"\x1f\x8b":
                data = gunzip(data, limits, format="spring", cap=_HEAD_INFLATED).data.tobytes()
            source = Source(data, path.name)
        else:
            source = Source.of(path, limits)
        return _record(source, phase, limits)
    except ReplayError as error:
        empty = error.code == "empty"
        return Record(State.EMPTY if empty else State.FAILED, error="" if empty else _line(error))
    except OSError as error:
        return Record(State.FAILED, error=error.strerror or str(error))
    except MemoryError:
        return Record(State.FAILED, error=_line(LimitExceeded("not enough memory for this file", code="memory")))


def _line(error: ReplayError) -> str:
    return f"{error.code}: {error}"


def _record(source: Source, phase: Phase, limits: Limits) -> Record:
    from ksreplay.replays.spring import SpringReplay

    with SpringReplay(source, limits=limits) as replay:
        return header_record(replay) if phase == "header" else full_record(replay)


def header_record(replay: SpringReplay) -> Record:
    """What stands in header and script: who, where, which game; the length where the recorder wrote one."""
    match = replay.match
    header, setup = match.header, match.setup
    people = [
        PlayerRecord(p.id, p.name, p.team, p.ally_team, p.spectator, side=_side(match, p.team)) for p in setup.players
    ]
    return Record(
        State.HEADER,
        game_id=_game_id(header.game_id),
        remix=is_remix(match.game),
        map=match.game.get("mapname") or "",
        game=match.game.get("gametype") or "",
        engine=header.engine,
        started=min(header.unix_time, _MAX_INT),
        seconds=max(header.game_seconds, 0),
        players=(*people, *_ais(match)),
    )


def full_record(replay: SpringReplay) -> Record:
    """Everything the index keeps."""
    match = replay.match
    first = header_record(replay)
    facts = replay.facts(False)
    commands = _commands(replay)
    winners, source = match.winners
    people = [
        PlayerRecord(
            p.id, p.name, p.team, p.ally_team, p.spectator, side=_side(match, p.team), commands=commands.get(p.id)
        )
        for p in match.players
    ]
    return Record(
        State.FULL if facts.complete and not _damaged(replay) else State.PARTIAL,
        error="; ".join(sorted({problem.code for problem in replay.problems})),
        game_id=first.game_id,
        remix=first.remix,
        map=first.map,
        game=first.game,
        engine=first.engine,
        recorded_by="client" if match.is_client else "server",
        started=first.started,
        seconds=first.seconds or int(facts.duration_s or 0),
        last_frame=match.last_frame,
        winners=tuple(winners) if winners else None,  # an undecided game is no win and no loss to count
        result_source=source if winners else "",
        players=(*people, *_ais(match)),
        totals=team_totals(replay),
        starts=tuple(starts_of(replay)),
        extent=_extent(replay),
        ordered=_ordered(replay),
        unit_names=_unit_names(replay),
    )


def _ordered(replay: SpringReplay) -> tuple[OrderedRecord, ...]:
    table = replay.tables["units_ordered"]
    names = ("player", "ai_team", "unit_def", "placed", "queued", "units")
    columns = {name: table[name].astype("int64") for name in names}
    is_ai = table.valid("ai_team")
    if is_ai is not None:
        columns["ai_team"][~is_ai] = -1
    rows = zip(*(columns[name].tolist() for name in names), strict=True)
    return tuple(OrderedRecord(*row) for row in rows if row[2] <= _MAX_DEFINITION and any(row[3:]))


def _extent(replay: SpringReplay) -> tuple[float, float] | None:
    """How far east and south the match goes: a building cannot be placed off the map, so this bounds its size."""
    builds = replay.match.builds
    starts = starts_of(replay)
    x = [s[1] for s in starts] + builds.x[builds.placed].tolist()
    z = [s[2] for s in starts] + builds.z[builds.placed].tolist()
    known = [(a, b) for a, b in zip(x, z, strict=True) if 0 <= a <= MAX_SIDE and 0 <= b <= MAX_SIDE]
    return (max(a for a, _ in known), max(b for _, b in known)) if known else None


def is_remix(game: Section) -> bool:
    """A copy of a replay pointed at another game: Coilbox marks it in the header's script."""
    mark = game.sections.get("coilbox")
    return mark is not None and mark.integer("remix", 0) == 1


def team_totals(replay: SpringReplay) -> dict[int, dict[str, int]]:
    """The last sample's totals of each team in whole numbers; a team without samples has none."""
    found: dict[int, dict[str, int]] = {}
    for team, samples in samples_of(replay.match).items():
        values = {key: float(samples[-1][BY_KEY[key].column]) for key in KEPT_METRICS}
        if all(math.isfinite(value) for value in values.values()):
            found[team] = {key: max(-_MAX_INT, min(library_total(value), _MAX_INT)) for key, value in values.items()}
    return found


def _commands(replay: SpringReplay) -> dict[int, int]:
    """Commands of the trailer by player. Withheld where the engine wrote no samples, unless packets confirm them."""
    match = replay.match
    if not any(match.trailer.counts.tolist()) and match.counters.evidence != CONFIRMED:
        return {}
    table = replay.tables["player_statistics"]
    return dict(zip(table["player"].tolist(), table["commands"].tolist(), strict=True))


def _side(match: Match, team: int | None) -> str:
    found = next((t for t in match.setup.teams if t.id == team), None) if team is not None else None
    return (found.section.get("side") or "") if found else ""


def _ais(match: Match) -> list[PlayerRecord]:
    sides = {team.id: team.ally_team for team in match.setup.teams}
    return [
        PlayerRecord(
            ai.id, ai.name or ai.short_name, ai.team, sides.get(ai.team) if ai.team is not None else None, ai=True,
            side=_side(match, ai.team),
        )
        for ai in match.setup.ais
    ]  # fmt: skip


def _damaged(replay: SpringReplay) -> bool:
    return any(problem.severity in (Severity.PART, Severity.FATAL) for problem in replay.problems)


def _game_id(raw: bytes) -> str:
    """The id as text; a header of zeros (a recording without one) is no id, so that such files are not one match."""
    return game_id(raw.hex()) or ""


def _unit_names(replay: SpringReplay) -> tuple[str, ...]:
    """Definition names that the game sent itself (Beyond All Reason does), in id order; empty without."""
    return tuple(replay.match.unit_list)
