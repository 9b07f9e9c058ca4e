"""Who played: players, teams, sides, AIs, and the script they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ksreplay.columns import Strings
from ksreplay.semantics.spring.columns import schema
from ksreplay.semantics.spring.match import FRAMES_PER_SECOND, Match
from ksreplay.semantics.spring.script import is_private
from ksreplay.table import Column, Table

_SCRIPT = "seed 002, What is in a replay file"
_UNDECIDED = "without a result or in an undecided game, which is no loss"

PLAYERS = schema(
    "players",
    Column("id", "int32", meaning="number in packets: the engine's dense renumbering of the script's seats"),
    Column("name", "string", meaning="name of the player"),
    Column("spectator", "bool", meaning="watches without a team"),
    Column("team", "int32", nullable=True, meaning="team at the start; null for spectators"),
    Column("team_name", "string", nullable=True, meaning="who plays that team"),
    Column("ally_team", "int32", nullable=True, meaning="side of that team"),
    Column("script_index", "int32", nullable=True, meaning="number in the script; null for who joined later"),
    Column("joined_late", "bool", meaning="not in the script: joined after the recording began"),
    Column("joined_frame", "int32", nullable=True, unit="frames", meaning="frame at which a late joiner came"),
    Column("joined_seconds", "float32", nullable=True, unit="s", meaning="the same; null before the game begins"),
    Column("left_frame", "int32", nullable=True, unit="frames", meaning="frame of the last PLAYERLEFT of this player"),
    Column("left_seconds", "float32", nullable=True, unit="s", meaning="the same; null before the game begins"),
    Column("left_reason", "string", nullable=True, meaning="lost_connection, left or kicked"),
    Column("rank", "int32", nullable=True, meaning="rank in the lobby"),
    Column("country", "string", nullable=True, meaning="country code that the lobby wrote"),
    Column("skill", "float64", nullable=True, meaning="rating: the first number of the lobby's text"),
    Column("skill_text", "string", nullable=True, meaning="the rating as the lobby wrote it, decorations included"),
    Column("skill_uncertainty", "float64", nullable=True, meaning="as the lobby wrote it"),
    Column("account_id", "string", nullable=True, meaning="lobby account", private=True),
    Column("won", "bool", nullable=True, meaning=f"whether the side has won; null for spectators, {_UNDECIDED}"),
    meaning="Everybody with a player number, late joiners and spectators included: one row a player.",
    source=_SCRIPT,
    version=2,
)
TEAMS = schema(
    "teams",
    Column("id", "int32", meaning="number in packets"),
    Column("ally_team", "int32", nullable=True, meaning="side"),
    Column("leader", "int32", nullable=True, meaning="player who leads it"),
    Column("leader_name", "string", nullable=True, meaning="name of the player who leads it"),
    Column("name", "string", meaning="who plays it: its players, or its AI"),
    Column("side", "string", nullable=True, meaning="faction by the script"),
    Column("is_ai", "bool", meaning="whether a skirmish AI plays it"),
    Column("handicap", "float64", nullable=True, unit="%", meaning="as the script says"),
    Column("advantage", "float64", nullable=True, meaning="as the script says: 0.1 is a tenth more income"),
    Column("income_multiplier", "float64", nullable=True, meaning="as the script says"),
    Column("start_x", "float64", nullable=True, unit="elmos", meaning="place that the script sets, from the west edge"),
    Column(
        "start_z", "float64", nullable=True, unit="elmos", meaning="place that the script sets, from the north edge"
    ),
    Column("colour", "string", nullable=True, meaning="the script's colour as #rrggbb; some games choose others"),
    Column("script_index", "int32", meaning="number in the script"),
    Column("won", "bool", nullable=True, meaning=f"whether its side has won; null {_UNDECIDED}"),
    meaning="The armies: one row a team of the script, Gaia not included.",
    source=_SCRIPT,
    version=3,
)
ALLY_TEAMS = schema(
    "ally_teams",
    Column("id", "int32", meaning="number in packets and in the trailer"),
    Column("teams", "list<int32>", meaning="its teams"),
    Column("allies", "list<int32>", meaning="sides that it is allied with"),
    *(
        Column(f"start_{side}", "float64", nullable=True, unit="share of the map", meaning="edge of its start box")
        for side in ("left", "top", "right", "bottom")
    ),
    Column("script_index", "int32", meaning="number in the script"),
    Column("won", "bool", nullable=True, meaning=f"whether it has won; null {_UNDECIDED}"),
    meaning="The sides: one row an ally team of the script.",
    source=_SCRIPT,
)
AIS = schema(
    "ais",
    Column("id", "int32", meaning="number, in the order of the script"),
    Column("name", "string", meaning="name that the script gives it"),
    Column("short_name", "string", meaning="which AI it is"),
    Column("version", "string", meaning="version of the AI"),
    Column("team", "int32", nullable=True, meaning="team that it plays"),
    Column("team_name", "string", nullable=True, meaning="who plays that team"),
    Column("host", "int32", nullable=True, meaning="player whose machine runs it"),
    Column("host_name", "string", nullable=True, meaning="name of the player whose machine runs it"),
    meaning="The skirmish AIs of the script: one row an AI.",
    source=_SCRIPT,
    version=2,
)
SCRIPT = schema(
    "script",
    Column("section", "string", meaning="path of the section, such as game/player0"),
    Column("key", "string", meaning="key within the section, in lower case"),
    Column("value", "string", nullable=True, meaning="null where it is private (accounts, addresses, passwords)"),
    meaning="The start script, flattened: one row a key; a later duplicate replaces an earlier one.",
    source=_SCRIPT,
)


def _won(match: Match, ally_team: int | None) -> bool | None:
    winners, _ = match.winners
    return ally_team in winners if winners and ally_team is not None else None


def _left(match: Match) -> dict[int, tuple[int, str | None]]:
    from ksreplay.semantics.spring.match import enum_names

    messages = match.messages["PLAYERLEFT"]
    names = enum_names("leave_reason")
    return {
        int(messages["player"][i]): (
            int(match.stream.frame[messages.rows[i]]),
            names.get(int(messages["reason"][i])),
        )
        for i in messages.good.nonzero()[0].tolist()
    }


def _seconds(frame: int | None) -> float | None:
    return frame / FRAMES_PER_SECOND if frame is not None and frame >= 0 else None


def name_of(names: Sequence[str], number: int | None) -> str | None:
    """The name of a team or player of the script, by its number; None without one that the script has."""
    return names[number] if number is not None and number < len(names) else None


def player_rows(match: Match) -> list[dict[str, Any]]:
    """One dictionary a player; `info` and the table say the same."""
    left, teams = _left(match), match.team_names
    rows = []
    for player in match.players:
        section = player.section
        frame, reason = left.get(player.id, (None, None))
        rows.append(
            {
                "id": player.id,
                "name": player.name,
                "spectator": player.spectator,
                "team": player.team,
                "team_name": name_of(teams, player.team),
                "ally_team": player.ally_team,
                "script_index": player.script_index,
                "joined_late": player.joined_late,
                "joined_frame": player.joined_frame,
                "joined_seconds": _seconds(player.joined_frame),
                "left_frame": frame,
                "left_seconds": _seconds(frame),
                "left_reason": reason,
                "rank": bounded(section.integer("rank")),
                "country": section.get("countrycode"),
                "skill": player.skill,
                "skill_text": section.get("skill"),
                "skill_uncertainty": section.number("skilluncertainty"),
                "account_id": section.get("accountid"),
                "won": None if player.spectator else _won(match, player.ally_team),
            }
        )
    return rows


def bounded(value: int | None) -> int | None:
    """``value`` where a column of 32 bits can hold it."""
    return value if value is not None and -(1 << 31) <= value < 1 << 31 else None


def players(match: Match) -> Table:
    rows = player_rows(match)
    for row in rows:
        row["script_index"] = bounded(row["script_index"])
    return Table.from_rows(PLAYERS, rows)


def _colour(text: str | None) -> str | None:
    parts = (text or "").split()
    try:
        shares = [min(max(float(part), 0.0), 1.0) for part in parts[:3]]
    except ValueError:
        return None
    if len(shares) != 3 or any(share != share for share in shares):
        return None
    return "#" + "".join(f"{round(share * 255):02x}" for share in shares)


def teams(match: Match) -> Table:
    played_by_ai = {ai.team for ai in match.setup.ais}
    names, people = match.team_names, [player.name for player in match.setup.players]
    return Table.from_rows(
        TEAMS,
        (
            {
                "id": team.id,
                "ally_team": team.ally_team,
                "leader": team.leader,
                "leader_name": name_of(people, team.leader),
                "name": names[team.id],
                "side": team.section.get("side"),
                "is_ai": team.id in played_by_ai,
                "handicap": team.section.number("handicap"),
                "advantage": team.section.number("advantage"),
                "income_multiplier": team.section.number("incomemultiplier"),
                "start_x": team.section.number("startposx"),
                "start_z": team.section.number("startposz"),
                "colour": _colour(team.section.get("rgbcolor")),
                "script_index": bounded(team.script_index) or 0,
                "won": _won(match, team.ally_team),
            }
            for team in match.setup.teams
        ),
    )


def ally_teams(match: Match) -> Table:
    members: dict[int | None, list[int]] = {}
    for team in match.setup.teams:
        members.setdefault(team.ally_team, []).append(team.id)
    return Table.from_rows(
        ALLY_TEAMS,
        (
            {
                "id": side.id,
                "teams": members.get(side.id, []),
                "allies": list(side.allies),
                **{f"start_{e}": side.section.number(f"startrect{e}") for e in ("left", "top", "right", "bottom")},
                "script_index": bounded(side.script_index) or 0,
                "won": _won(match, side.id),
            }
            for side in match.setup.ally_teams
        ),
    )


def ai_rows(match: Match) -> list[dict[str, Any]]:
    people = [player.name for player in match.setup.players]
    return [
        {
            "id": ai.id,
            "name": ai.name,
            "short_name": ai.short_name,
            "version": ai.version,
            "team": ai.team,
            "team_name": name_of(match.team_names, ai.team),
            "host": ai.host,
            "host_name": name_of(people, ai.host),
        }
        for ai in match.setup.ais
    ]


def ais(match: Match) -> Table:
    return Table.from_rows(AIS, ai_rows(match))


def script(match: Match) -> Table:
    rows = list(match.setup.root.flat())
    shown = [None if is_private(key) and not match.private else value for _, key, value in rows]
    return Table.build(
        SCRIPT,
        {
            "section": Strings.from_list([section for section, _, _ in rows]),
            "key": Strings.from_list([key for _, key, _ in rows]),
            "value": Strings.from_list(shown),
        },
    )
