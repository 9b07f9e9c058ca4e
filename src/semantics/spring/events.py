"""What happened around a game: the timeline, starts, gifts, alliances, AIs, synchrony, network, order rates.

Source: seed 002, "The demo stream" and "What the interface shows".
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Lists, Strings
from ksreplay.formats.spring_messages import Messages
from ksreplay.semantics.spring import rules
from ksreplay.semantics.spring.analysis.commands import of_match
from ksreplay.semantics.spring.carriers import SOURCES
from ksreplay.semantics.spring.columns import (
    FRAME,
    PACKET,
    PLAYER,
    SECONDS,
    TEAM,
    WHEN,
    Columns,
    coded,
    player_columns,
    schema,
    team_columns,
)
from ksreplay.semantics.spring.match import FRAMES_PER_SECOND, SERVER, Match, enum_names
from ksreplay.semantics.spring.orders import gathered, latest_selection
from ksreplay.table import Column, Table

EVENTS = (
    "game_start", "game_over", "paused", "unpaused", "resigned", "give_away", "team_died", "player_left",
    "player_joined", "quit",
)  # fmt: skip
TIMELINE = schema(
    "timeline",
    *WHEN,
    Column("event", "string", meaning=", ".join(EVENTS)),
    *player_columns("player", "who did it or reports it"),
    *team_columns("team", "team that it is about; for give_away the one that gives"),
    *team_columns("to_team", "team that receives"),
    Column("detail", "string", nullable=True, meaning="why a player left; spectator or player for who joined"),
    Column("ally_teams", "list<int32>", nullable=True, meaning="winners that a game_over names"),
    meaning=(
        "Marks of the match: one row an event; a team's death once, however many clients report it, and the end of "
        "the game once for each different list of winners."
    ),
)
START_POSITIONS = schema(
    "start_positions",
    Column("team", "int32", meaning="number of the team"),
    Column("team_name", "string", nullable=True, meaning="who plays it"),
    Column("x", "float32", unit="elmos", meaning="from the west edge"),
    Column("y", "float32", unit="elmos", meaning="height"),
    Column("z", "float32", unit="elmos", meaning="from the north edge"),
    *player_columns("player", "who sent it; 255 is the server"),
    Column("ready", "string", nullable=True, meaning="updated, readied, forced or failed"),
    PACKET,
    FRAME,
    SECONDS,
    meaning=(
        "Where teams start: one row a team of the script, its last STARTPOS before the game. The engine may move a "
        "start into its box, so the first unit may stand a little off."
    ),
)
SHARES = schema(
    "shares",
    *WHEN,
    *PLAYER,
    Column("ai", "int16", nullable=True, meaning="number of the skirmish AI whose gift it is"),
    *team_columns("team", "team that gives, or that sets its levels"),
    *team_columns("to_team", "team that receives"),
    Column("message", "string", meaning="SHARE, AISHARE (gifts) or SETSHARE (levels from which a team shares)"),
    Column("metal", "float32", nullable=True, meaning="amount given; for SETSHARE a level from 0 to 1"),
    Column("energy", "float32", nullable=True, meaning="amount given; for SETSHARE a level from 0 to 1"),
    Column("selected_units", "bool", nullable=True, meaning="the player's selected units go too"),
    Column("selection", "int32", nullable=True, meaning="row of `selections` with those units"),
    Column("units", "list<int32>", nullable=True, meaning="units that an AI gives"),
    meaning="Gifts and sharing levels: one row a SHARE, AISHARE or SETSHARE packet.",
    version=3,
)
ALLIANCES = schema(
    "alliances",
    *WHEN,
    *PLAYER,
    *TEAM,
    Column("ally_team", "int16", nullable=True, meaning="side that it is about"),
    Column("allied", "bool", nullable=True, meaning="whether the alliance is made or ended"),
    meaning="Alliances made and broken in the game: one row an ALLIANCE packet.",
)
AI_STATES = schema(
    "ai_states",
    *WHEN,
    *player_columns("player", "who hosts the AI"),
    Column("ai", "int16", nullable=True, meaning="number of the AI"),
    *team_columns("team", "team that it is made for; of a change of state the script's"),
    Column("message", "string", meaning="AI_CREATED or AI_STATE_CHANGED"),
    Column("state_code", "uint8", nullable=True, meaning="the state as it is, of a change"),
    Column("state", "string", nullable=True, meaning="constructed, initialising, reloading, alive, dying or dead"),
    Column("name", "string", nullable=True, meaning="name given when it is made"),
    meaning="Skirmish AIs coming and going: one row an AI_CREATED or AI_STATE_CHANGED packet.",
    version=2,
)
SYNC_RESPONSES = schema(
    "sync_responses",
    *WHEN,
    *PLAYER,
    Column("sync_frame", "int32", nullable=True, unit="frames", meaning="frame that the checksum is of"),
    Column("checksum", "uint32", nullable=True, meaning="of the synced state"),
    Column(
        "desync", "bool", nullable=True, meaning="not what most clients report for that frame; where none leads, all"
    ),
    meaning="Clients' checksums of the game's state: one row a SYNCRESPONSE packet.",
)
NETWORK = schema(
    "network",
    *WHEN,
    *PLAYER,
    Column("cpu_usage", "float32", nullable=True, unit="share", meaning="load of the client's machine"),
    Column("ping", "int32", nullable=True, unit="ms", meaning="delay; -1 while the engine does not know"),
    meaning="Load and delay of clients: one row a PLAYERINFO packet.",
)
COMMANDS_PER_MINUTE = schema(
    "commands_per_minute",
    *team_columns("team", "number of the team"),
    Column("source", "string", meaning="selection, lua or ai; never mixed"),
    Column("period", "int32", meaning="index of the period of the trailer's statistics"),
    Column("end_frame", "int32", unit="frames", meaning="where the period ends"),
    Column("end_seconds", "float64", unit="s", meaning="where the period ends, as the trailer's samples stand"),
    Column("orders", "int64", unit="orders", meaning="orders given in the period"),
    Column("per_minute", "float64", unit="1/min", meaning="orders of the period as a rate"),
    meaning=(
        "How many orders each team gave: one row a team, source and whole period, periods without any included. "
        "Another count than the trailer's, so neither checks the other."
    ),
)


def timeline(match: Match) -> Table:
    parts: list[dict[str, Any]] = []
    details = ("player", "spectator", *enum_names("leave_reason").values())

    def add(event: str, rows: NDArray[Any], **values: Any) -> None:
        count = len(rows)
        defaults: dict[str, Any] = {"player": -1, "team": -1, "to_team": -1, "detail": -1, "winners": -1}
        part = {name: np.broadcast_to(np.asarray(values.get(name, fill)), count) for name, fill in defaults.items()}
        parts.append({"rows": rows, "event": np.full(count, EVENTS.index(event)), **part})

    def which(messages: Messages, mask: Any = True) -> NDArray[np.intp]:
        return np.flatnonzero(messages.good & mask)

    # Engines up to 0.76 write a NEWFRAME with its number for every frame, and no KEYFRAME.
    messages = match.messages["KEYFRAME"]
    messages = messages if messages.good.any() else match.messages["NEWFRAME"]
    add("game_start", messages.rows[which(messages, messages.packets.frame >= 0)][:1])
    messages = match.messages["GAMEOVER"]
    firsts: dict[bytes, int] = {}
    for index, (at, length) in zip(which(messages).tolist(), match.spans(messages), strict=True):
        firsts.setdefault(match.stream.part(at, at + length), index)
    lists = [list(winners) for winners in firsts]
    chosen = np.array(list(firsts.values()), np.int64)
    add("game_over", messages.rows[chosen], player=messages["player"][chosen], winners=np.arange(len(chosen)))
    messages = match.messages["PAUSE"]
    for event, mask in (("paused", messages["paused"] != 0), ("unpaused", messages["paused"] == 0)):
        chosen = which(messages, mask)
        add(event, messages.rows[chosen], player=messages["player"][chosen])
    messages = match.messages["TEAM"]
    action, player, first, second = (messages[name] for name in ("action", "player", "param1", "param2"))
    chosen = which(messages, action == 2)
    held = match.teams_of(player[chosen], messages.rows[chosen])
    add("resigned", messages.rows[chosen], player=player[chosen], team=held)
    chosen = which(messages, action == 1)
    # Before 0.80 the message has no second team: the giver is the player's own.
    held = match.teams_of(player[chosen], messages.rows[chosen])
    giver = held if "param2" in messages.missing else second[chosen]
    add("give_away", messages.rows[chosen], player=player[chosen], team=giver, to_team=first[chosen])
    chosen = which(messages, action == 4)
    _, earliest = np.unique(first[chosen], return_index=True)
    chosen = chosen[np.sort(earliest)]
    add("team_died", messages.rows[chosen], player=player[chosen], team=first[chosen])
    messages = match.messages["PLAYERLEFT"]
    chosen = which(messages)
    reason = messages["reason"][chosen].astype(np.int64)
    reason = np.where(reason < len(details) - 2, reason + 2, -1)
    add("player_left", messages.rows[chosen], player=messages["player"][chosen], detail=reason)
    messages = match.messages["CREATE_NEWPLAYER"]
    chosen = which(messages)
    watches = messages["spectator"][chosen] != 0
    team = np.where(watches, -1, messages["team"][chosen].astype(np.int64))
    add(
        "player_joined", messages.rows[chosen], player=messages["player"][chosen], team=team, detail=watches.astype(int)
    )
    messages = match.messages["QUIT"]
    add("quit", messages.rows[which(messages)], player=SERVER)

    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.lexsort((joined["event"], joined["rows"]))
    joined = {name: values[order] for name, values in joined.items()}
    table = Columns(match, joined["rows"]).when()
    table.add("event", Strings.from_codes(joined["event"], EVENTS))
    player = joined["player"].astype(np.int64)
    table.player(np.maximum(player, 0), player >= 0)
    table.team(joined["team"].astype(np.int64)).team(joined["to_team"].astype(np.int64), role="to_team")
    table.add("detail", Strings.from_codes(joined["detail"], details))
    sides = [lists[index] if index >= 0 else None for index in joined["winners"].tolist()] if lists else None
    table.add("ally_teams", Lists.from_lists(sides if sides is not None else [None] * len(order), "int32"))
    return Table.build(TIMELINE, table.values, table.valid)


def start_positions(match: Match) -> Table:
    messages = match.messages["STARTPOS"]
    before = match.stream.frame[messages.rows] < 0
    places = tuple(messages[axis] for axis in ("x", "y", "z"))
    # The server says "failed" with a place of zeros for a team that never chose.
    nowhere = (messages["ready"] == 3) & (places[0] == 0) & (places[1] == 0) & (places[2] == 0)
    finite = np.isfinite(places[0]) & np.isfinite(places[1]) & np.isfinite(places[2])
    inside = messages["team"] < len(match.setup.teams)
    chosen = np.flatnonzero(messages.good & before & ~nowhere & finite & inside)
    _, last = np.unique(messages["team"][chosen][::-1], return_index=True)
    chosen = chosen[len(chosen) - 1 - last]
    table = Columns(match, messages.rows[chosen]).when()
    sender = None if "player" not in messages.missing else np.zeros(len(chosen), bool)
    table.player(messages["player"][chosen], sender)
    team = messages["team"][chosen].astype(np.int32)
    table.add("team", team).add("team_name", match.names_of_teams(team))
    for axis, values in zip(("x", "y", "z"), places, strict=True):
        table.add(axis, values[chosen])
    table.add("ready", coded(messages["ready"][chosen], enum_names("ready_state")))
    return Table.build(START_POSITIONS, table.values, table.valid)


def shares(match: Match) -> Table:
    names = ("SHARE", "AISHARE", "SETSHARE")
    kinds = [match.messages[name] for name in names]

    def joined(*fields: str, dtype: str = "float32") -> NDArray[Any]:
        return np.concatenate(
            [
                m[field].astype(dtype) if field else np.zeros(len(m), dtype)
                for m, field in zip(kinds, fields, strict=True)
            ]
        )

    rows = np.concatenate([m.rows for m in kinds])
    good = np.concatenate([m.good for m in kinds])
    kind = np.repeat(np.arange(3), [len(m) for m in kinds])
    player, has_player = joined("player", "player", "player", dtype="uint8"), good.copy()
    if "player" in kinds[2].missing:
        has_player &= kind != 2
    giver = joined("", "source_team", "team", dtype="int16")
    giver = np.where(kind == 0, match.teams_of(player, rows), giver)
    to_team = np.where(kind == 2, -1, joined("to_team", "dest_team", "", dtype="int16"))
    units_at = np.concatenate([m.body for m in kinds])
    units = np.where(kind == 1, np.concatenate([m.length for m in kinds]) // 2, 0)
    order = np.argsort(rows, kind="stable")
    table = Columns(match, rows[order]).when().player(player[order], has_player[order])
    table.add("ai", joined("", "ai", "", dtype="int16")[order], good[order] & (kind[order] == 1))
    table.team(giver[order], good[order]).team(to_team[order], good[order], role="to_team")
    table.add("message", Strings.from_codes(kind[order], names))
    table.add("metal", joined("metal", "metal", "metal_share")[order], good[order])
    table.add("energy", joined("energy", "energy", "energy_share")[order], good[order])
    selected = joined("share_units", "", "", dtype="uint8")[order] != 0
    shared = good[order] & (kind[order] == 0)
    table.add("selected_units", selected, shared)
    chosen = np.full(len(rows), -1, np.int32)
    mine = np.flatnonzero(selected & shared)
    chosen[mine] = latest_selection(match, player[order][mine], rows[order][mine])
    table.add("selection", np.maximum(chosen, 0), chosen >= 0)
    offsets, values = gathered(match.stream.data, units_at[order], units[order], "<i2")
    table.add("units", Lists(offsets, values, valid=good[order] & (kind[order] == 1)))
    return Table.build(SHARES, table.values, table.valid)


def alliances(match: Match) -> Table:
    messages = match.messages["ALLIANCE"]
    table = Columns(match, messages).when().player(messages["player"], messages.good)
    table.team_of(messages["player"], messages.good).fields(messages, "ally_team")
    table.add("allied", messages["allied"] != 0, messages.good)
    return Table.build(ALLIANCES, table.values, table.valid)


def ai_states(match: Match) -> Table:
    made, changed = match.messages["AI_CREATED"], match.messages["AI_STATE_CHANGED"]
    rows = np.concatenate([made.rows, changed.rows])
    order = np.argsort(rows, kind="stable")
    good = np.concatenate([made.good, changed.good])[order]
    kind = np.repeat([0, 1], [len(made), len(changed)])[order]
    table = Columns(match, rows[order]).when()
    table.player(np.concatenate([made["player"], changed["player"]])[order], good)
    table.add("ai", np.concatenate([made["ai"], changed["ai"]])[order], good)
    table.team(np.concatenate([made["team"].astype(np.int16), match.ai_teams[changed["ai"]]])[order], good)
    table.add("message", Strings.from_codes(kind, ("AI_CREATED", "AI_STATE_CHANGED")))
    states = np.concatenate([np.zeros(len(made), np.uint8), changed["state"]])[order]
    stated = good & (kind == 1)
    table.add("state_code", states, stated).add("state", coded(states, enum_names("ai_state"), stated))
    names = [*match.text(made).to_objects().tolist(), *[None] * len(changed)]
    table.add("name", Strings.from_list([names[index] for index in order.tolist()]))
    return Table.build(AI_STATES, table.values, table.valid)


def desyncs(match: Match) -> NDArray[np.bool_]:
    """Which SYNCRESPONSE packets differ from what most clients report for that frame, all where none leads: bool."""
    messages = match.messages["SYNCRESPONSE"]
    result = np.zeros(len(messages), bool)
    good = np.flatnonzero(messages.good)
    if not len(good):
        return result
    every = len(good) == len(messages)
    frame, checksum = (
        np.ascontiguousarray(messages[name]) if every else messages[name][good] for name in ("frame", "checksum")
    )
    # Least and largest checksum, first of each run of one frame (clients answer at about the same time), then of each
    # frame: where they differ, the frame is looked at more closely.
    runs = np.concatenate([[0], np.flatnonzero(frame[1:] != frame[:-1]) + 1])
    order = np.argsort(frame[runs], kind="stable")
    ordered = frame[runs[order]]
    frames = np.concatenate([[0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1])
    low, high = (ufunc.reduceat(ufunc.reduceat(checksum, runs)[order], frames) for ufunc in (np.minimum, np.maximum))
    split = np.empty(len(runs), bool)
    split[order] = np.repeat(low != high, np.diff(frames, append=len(runs)))
    doubtful = np.flatnonzero(np.repeat(split, np.diff(runs, append=len(frame))))
    if not len(doubtful):
        return result
    # How often each pair of frame and checksum occurs; the most frequent of a frame is taken for right.
    keys = (frame[doubtful].astype(np.int64) << 32) | checksum[doubtful]
    pairs, of, times = np.unique(keys, return_inverse=True, return_counts=True)
    best = np.lexsort((-times, pairs >> 32))
    leads = np.concatenate([[True], np.diff(pairs[best] >> 32) != 0])
    # Between two checksums of the same frequency nobody can say who is right.
    tied = np.concatenate([~leads[1:] & (times[best][1:] == times[best][:-1]), [False]])
    right = np.zeros(len(pairs), bool)
    right[best[leads & ~tied]] = True
    result[good[doubtful]] = ~right[of.reshape(-1)]
    return result


def sync_responses(match: Match) -> Table:
    messages = match.messages["SYNCRESPONSE"]
    off = desyncs(match)
    every = None if messages.good.all() else messages.good
    known = messages.known("player")
    table = Columns(match, messages).when().player(messages["player"], None if known.all() else known)
    table.add("sync_frame", messages["frame"], every).add("checksum", messages["checksum"], every)
    table.add("desync", off, every)
    frames, first = np.unique(messages["frame"][off], return_index=True)
    for frame, index in zip(frames.tolist(), np.flatnonzero(off)[first].tolist(), strict=True):
        row = int(messages.rows[index])
        match.problems.add(
            rules.DESYNC.problem(
                f"stream.packet[{row}].SYNCRESPONSE", int(match.stream.offset[row]),
                found={"frame": frame, "player": int(messages["player"][index])},
            )
        )  # fmt: skip
    return Table.build(SYNC_RESPONSES, table.values, table.valid)


def network(match: Match) -> Table:
    messages = match.messages["PLAYERINFO"]
    every = None if messages.good.all() else messages.good
    table = Columns(match, messages).when().player(messages["player"], every)
    table.add("cpu_usage", messages["cpu_usage"], every).add("ping", messages["ping"], every)
    return Table.build(NETWORK, table.values, table.valid)


def commands_per_minute(match: Match) -> Table:
    counts = of_match(match)
    lines, buckets = counts.counts.shape
    index = np.tile(np.arange(buckets), lines)
    teams = np.repeat(counts.team, buckets).astype(np.int16)
    columns = {
        "team": teams,
        "team_name": match.names_of_teams(teams),
        "source": Strings.from_codes(np.repeat(counts.source, buckets).astype(np.int32), SOURCES),
        "period": index,
        "end_frame": (index + 1) * counts.period * FRAMES_PER_SECOND,
        "end_seconds": (index + 1) * float(counts.period),
        "orders": counts.counts.reshape(-1),
        "per_minute": counts.rates.reshape(-1),
    }
    return Table.build(COMMANDS_PER_MINUTE, columns)
