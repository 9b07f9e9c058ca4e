"""Builds the bytes of Spring demos: construct specs of header, messages and trailer records, and the whole file.

Reading is the business of `formats.spring` and `formats.spring_messages`; drift and round-trip tests hold these specs
against ksy/spring_demo.ksy and ksy/spring_packet.ksy. A message spec is the body behind the id, without `len_packet`,
which `packet` works out. Source: RecoilEngine rts/Net/Protocol/BaseNetProtocol.cpp and rts/System/LoadSave/demofile.h.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from construct import (
    Array,
    Bytes,
    Const,
    CString,
    Default,
    Float32l,
    GreedyBytes,
    GreedyRange,
    Int8ul,
    Int16sl,
    Int16ul,
    Int32sb,
    Int32sl,
    Int32ul,
    Int64ul,
    PaddedString,
    Rebuild,
    Struct,
    len_,
    this,
)

from ksreplay.formats.spring import MAGIC
from ksreplay.formats.spring_messages import IDS

U8, U16, U32, U64, I16, I32, F32 = Int8ul, Int16ul, Int32ul, Int64ul, Int16sl, Int32sl, Float32l
NEVER = 0x7FFFFFFF  #: an order's timeout that never comes


def _header(version: int, size: int, text: int, *fields: str) -> Struct:
    return Struct(
        "magic" / Const(MAGIC),
        "version" / Default(I32, version),
        "len_header" / Default(I32, size),
        "engine_version" / PaddedString(text, "utf8"),
        "game_id" / Bytes(16),
        "unix_time" / U64,
        *(name / Default(I32, 0) for name in fields),
    )


_SIZES = ("len_script", "len_stream", "game_seconds", "wallclock_seconds")
_PLAYERS = ("num_players", "len_player_stats", "len_player_stat")
_TEAMS = ("num_teams", "len_team_stats", "len_team_stat", "team_stat_period")
#: Header by layout version.
HEADERS: dict[int, Struct] = {
    1: _header(
        1, 128, 16, "ofs_script", "len_script", "ofs_stream", *_SIZES[1:], "num_players", "ofs_player_stats",
        *_PLAYERS[1:], "num_teams", "ofs_team_stats", *_TEAMS[1:], "winning_ally_team",
    ),
    3: _header(3, 116, 16, *_SIZES, "max_player_number", *_PLAYERS, *_TEAMS, "winning_ally_team"),
    4: _header(4, 112, 16, *_SIZES, *_PLAYERS, *_TEAMS, "winning_ally_team"),
    5: _header(5, 352, 256, *_SIZES, *_PLAYERS, *_TEAMS, "len_winning_ally_teams"),
}  # fmt: skip

CHUNK = Struct("mod_game_time" / F32, "len_packet" / U32)

_COUNTERS = ("num_commands", "num_unit_commands", "mouse_pixels", "mouse_clicks", "key_presses")
_MOUSE_FIRST = (*_COUNTERS[2:], *_COUNTERS[:2])
PLAYER_STATISTICS = Struct(*(name / I32 for name in _COUNTERS))
PLAYER_STATISTICS_MOUSE_FIRST = Struct(*(name / I32 for name in _MOUSE_FIRST))
PLAYER_STATISTICS_BE = Struct(*(name / Int32sb for name in _COUNTERS))
PLAYER_STATISTICS_MOUSE_FIRST_BE = Struct(*(name / Int32sb for name in _MOUSE_FIRST))
_TOTALS = (
    *(f"{what}_{how}" for how in ("used", "produced", "excess", "received", "sent") for what in ("metal", "energy")),
    "damage_dealt",
    "damage_received",
)
_UNITS = ("produced", "died", "received", "sent", "captured", "out_captured", "killed")
TEAM_STATISTICS = Struct(
    "frame" / I32, *(name / F32 for name in _TOTALS), *(f"units_{name}" / I32 for name in _UNITS)
)  # fmt: skip

_player = "player" / U8
_text = CString("utf8")
_floats = "params" / Array(this.num_params, F32)
_greedy_floats = "params" / GreedyRange(F32)
_count = "num_params" / Rebuild(U32, len_(this.params))
_units = "units" / Array(this.num_units, I16)
_num_units = "num_units" / Rebuild(I16, len_(this.units))
_command, _timeout, _options = "command_id" / I32, "timeout" / Default(I32, NEVER), "options" / Default(U8, 0)
_ai, _ai_team, _unit, _ai_command = "ai" / U8, "ai_team" / U8, "unit" / I16, "ai_command_id" / I32
_place = ("x" / F32, "y" / F32, "z" / F32)
_shares = ("metal_share" / F32, "energy_share" / F32)
_old_entry = Struct(_command, _options, "num_params" / Rebuild(U16, len_(this.params)), _floats)
_old_entries = (
    "num_commands" / Rebuild(I16, len_(this.commands)), "commands" / Array(this.num_commands, _old_entry)
)  # fmt: skip


def _game_data(checksum: int) -> Struct:
    return Struct(
        "len_script" / Rebuild(U16, len_(this.compressed_script)),
        "compressed_script" / Bytes(this.len_script),
        "map_checksum" / Bytes(checksum),
        "mod_checksum" / Bytes(checksum),
        "random_seed" / U32,
    )


def _entry_field(name: str, kind: Any, stated: str, absent: int) -> Any:
    """A field of an order inside AICOMMANDS, there only when the message does not state it for all."""
    from construct import If

    return name / If(lambda context: context._[stated] == absent, kind)


_entry = Struct(
    _entry_field("command_id", Default(I32, 0), "ref_command_id", 0),
    _entry_field("options", Default(U8, 0), "ref_options", 0xFF),
    _entry_field("num_params", Rebuild(U16, len_(this.params)), "ref_num_params", 0xFFFF),
    "params"
    / Array(lambda context: context.num_params if context.num_params is not None else context._.ref_num_params, F32),
)

#: Layout name (as in ksy/spring_packet.ksy) -> (message, width of its size field or 0, body).
SPECS: dict[str, tuple[str, int, Struct]] = {
    "keyframe": ("KEYFRAME", 0, Struct("frame" / I32)),
    "newframe": ("NEWFRAME", 0, Struct()),
    "quit": ("QUIT", 2, Struct("reason" / _text)),
    "startplaying": ("STARTPLAYING", 0, Struct("countdown" / U32)),
    "setplayernum": ("SETPLAYERNUM", 0, Struct(_player)),
    "playername": ("PLAYERNAME", 1, Struct(_player, "name" / _text)),
    "chat": ("CHAT", 1, Struct(_player, "destination" / U8, "text" / _text)),
    "randseed": ("RANDSEED", 0, Struct("seed" / U32)),
    "gameid": ("GAMEID", 0, Struct("game_id" / Bytes(16))),
    "path_checksum": ("PATH_CHECKSUM", 0, Struct(_player, "checksum" / U32)),
    "command": ("COMMAND", 2, Struct(_player, _command, _timeout, _options, _count, _floats)),
    "select": ("SELECT", 2, Struct(_player, "units" / GreedyRange(I16))),
    "pause": ("PAUSE", 0, Struct(_player, "paused" / U8)),
    "aicommand": (
        "AICOMMAND", 2, Struct(_player, _ai, _ai_team, _unit, _command, _timeout, _options, _count, _floats)
    ),
    "aicommands": (
        "AICOMMANDS", 2,
        Struct(
            _player, _ai, "pairwise" / U8, "ref_command_id" / I32, "ref_options" / U8, "ref_num_params" / U16,
            _num_units, _units, "num_commands" / Rebuild(I16, len_(this.commands)),
            "commands" / Array(this.num_commands, _entry),
        ),
    ),
    "aishare": (
        "AISHARE", 2,
        Struct(
            _player, _ai, "source_team" / U8, "dest_team" / U8, "metal" / F32, "energy" / F32,
            "units" / GreedyRange(I16),
        ),
    ),
    "memdump": ("MEMDUMP", 0, Struct()),
    "user_speed": ("USER_SPEED", 0, Struct(_player, "speed" / F32)),
    "internal_speed": ("INTERNAL_SPEED", 0, Struct("speed" / F32)),
    "cpu_usage": ("CPU_USAGE", 0, Struct("cpu_usage" / F32)),
    "direct_control": ("DIRECT_CONTROL", 0, Struct(_player)),
    "dc_update": ("DC_UPDATE", 0, Struct(_player, "status" / U8, "heading" / I16, "pitch" / I16)),
    "share": ("SHARE", 0, Struct(_player, "to_team" / U8, "share_units" / U8, "metal" / F32, "energy" / F32)),
    "setshare": ("SETSHARE", 0, Struct(_player, "team" / U8, *_shares)),
    "sendplayerstat": ("SENDPLAYERSTAT", 0, Struct()),
    "playerstat": ("PLAYERSTAT", 0, Struct(_player, "statistics" / PLAYER_STATISTICS)),
    "gameover": ("GAMEOVER", 1, Struct(_player, "winning_ally_teams" / GreedyRange(U8))),
    "syncresponse": ("SYNCRESPONSE", 0, Struct(_player, "frame" / I32, "checksum" / U32)),
    "systemmsg": ("SYSTEMMSG", 2, Struct(_player, "text" / _text)),
    "startpos": ("STARTPOS", 0, Struct(_player, "team" / U8, "ready" / U8, *_place)),
    "playerinfo": ("PLAYERINFO", 0, Struct(_player, "cpu_usage" / F32, "ping" / I32)),
    "playerleft": ("PLAYERLEFT", 0, Struct(_player, "reason" / U8)),
    "sd_chkrequest": ("SD_CHKREQUEST", 0, Struct("frame" / I32)),
    "sd_chkresponse": ("SD_CHKRESPONSE", 2, Struct(_player, "flop" / U64, "checksums" / GreedyRange(U32))),
    "sd_blkrequest": ("SD_BLKREQUEST", 0, Struct("begin" / U16, "length" / U16, "len_request" / U16)),
    "sd_blkresponse": ("SD_BLKRESPONSE", 2, Struct(_player, "checksums" / GreedyRange(U32))),
    "sd_reset": ("SD_RESET", 0, Struct()),
    "gamestate_dump": ("GAMESTATE_DUMP", 0, Struct("frame" / U32)),
    "logmsg": ("LOGMSG", 2, Struct(_player, "level" / U8, "text" / _text)),
    "luamsg": ("LUAMSG", 2, Struct(_player, "script" / U16, "mode" / U8, "payload" / GreedyBytes)),
    "team": ("TEAM", 0, Struct(_player, "action" / U8, "param1" / U8, "param2" / U8)),
    "gamedata": ("GAMEDATA", 2, _game_data(64)),
    "alliance": ("ALLIANCE", 0, Struct(_player, "ally_team" / U8, "allied" / U8)),
    "ccommand": ("CCOMMAND", 2, Struct("player" / I32, "command" / _text, "extra" / _text)),
    "custom_data": ("CUSTOM_DATA", 0, Struct(_player, "kind" / U8, "value" / I32)),
    "teamstat": ("TEAMSTAT", 0, Struct("team" / U8, "statistics" / TEAM_STATISTICS)),
    "clientdata": ("CLIENTDATA", 2, Struct(_player, "compressed_text" / GreedyBytes)),
    "attemptconnect": (
        "ATTEMPTCONNECT", 2,
        Struct(
            "network_version" / U16, "name" / _text, "password" / _text, "version" / _text, "platform" / _text,
            "reconnect" / U8, "netloss" / U8,
        ),
    ),
    "reject_connect": ("REJECT_CONNECT", 2, Struct("reason" / _text)),
    "ai_created": ("AI_CREATED", 1, Struct(_player, _ai, "team" / U8, "name" / _text)),
    "ai_state_changed": ("AI_STATE_CHANGED", 0, Struct(_player, _ai, "state" / U8)),
    "request_teamstat": ("REQUEST_TEAMSTAT", 0, Struct("team" / U8, "sample" / U16)),
    "register_netmsg": ("REGISTER_NETMSG", 0, Struct(_player, "message" / U8)),
    "unregister_netmsg": ("UNREGISTER_NETMSG", 0, Struct(_player, "message" / U8)),
    "create_newplayer": ("CREATE_NEWPLAYER", 2, Struct(_player, "spectator" / U8, "team" / U8, "name" / _text)),
    "aicommand_tracked": (
        "AICOMMAND_TRACKED", 2,
        Struct(_player, _ai, _ai_team, _unit, _command, _timeout, _options, _count, _ai_command, _floats),
    ),
    "game_frame_progress": ("GAME_FRAME_PROGRESS", 0, Struct("frame" / I32)),
    "ping": ("PING", 0, Struct(_player, "tag" / U8, "local_time" / F32)),
    # Layouts of older engines.
    "gamedata_short": ("GAMEDATA", 2, _game_data(4)),
    "sync_request": ("MAPDRAW", 0, Struct("frame" / I32)),
    "newframe_numbered": ("NEWFRAME", 0, Struct("frame" / I32)),
    "command_plain": ("COMMAND", 2, Struct(_player, _command, _options, _greedy_floats)),
    "command_counted": ("COMMAND", 2, Struct(_player, _command, _options, _count, _floats)),
    "aicommand_unowned": ("AICOMMAND", 2, Struct(_player, _unit, _command, _options, _greedy_floats)),
    "aicommand_plain": ("AICOMMAND", 2, Struct(_player, _ai, _unit, _command, _options, _greedy_floats)),
    "aicommand_counted": ("AICOMMAND", 2, Struct(_player, _ai, _unit, _command, _options, _count, _floats)),
    "aicommand_timed": ("AICOMMAND", 2, Struct(_player, _ai, _unit, _command, _timeout, _options, _count, _floats)),
    "aicommand_tracked_plain": (
        "AICOMMAND_TRACKED", 2, Struct(_player, _ai, _unit, _command, _options, _ai_command, _greedy_floats)
    ),
    "aicommand_tracked_counted": (
        "AICOMMAND_TRACKED", 2, Struct(_player, _ai, _unit, _command, _options, _count, _ai_command, _floats)
    ),
    "aicommand_tracked_timed": (
        "AICOMMAND_TRACKED", 2, Struct(_player, _ai, _unit, _command, _timeout, _options, _count, _ai_command, _floats)
    ),
    "aicommands_listed": ("AICOMMANDS", 2, Struct(_player, _ai, _num_units, _units, *_old_entries)),
    "aicommands_unowned": ("AICOMMANDS", 2, Struct(_player, _num_units, _units, *_old_entries)),
    "setshare_unowned": ("SETSHARE", 0, Struct("team" / U8, *_shares)),
    "playerstat_mouse_first": (
        "PLAYERSTAT", 0, Struct(_player, "statistics" / PLAYER_STATISTICS_MOUSE_FIRST)
    ),
    "syncresponse_unowned": ("SYNCRESPONSE", 0, Struct("frame" / I32, "checksum" / U32)),
    "systemmsg_short": ("SYSTEMMSG", 1, Struct(_player, "text" / _text)),
    "startpos_unowned": ("STARTPOS", 0, Struct("team" / U8, "ready" / U8, *_place)),
    "playerinfo_short": ("PLAYERINFO", 0, Struct(_player, "cpu_usage" / F32, "ping" / U16)),
    "luamsg_short": ("LUAMSG", 2, Struct(_player, "script" / U8, "mode" / U8, "payload" / GreedyBytes)),
    "team_short": ("TEAM", 0, Struct(_player, "action" / U8, "param1" / U8)),
    "ai_created_wide": ("AI_CREATED", 1, Struct(_player, "ai" / U32, "team" / U8, "name" / _text)),
    "ai_state_changed_wide": ("AI_STATE_CHANGED", 0, Struct(_player, "ai" / U32, "state" / U8)),
    "quit_bare": ("QUIT", 0, Struct()),
    "gameover_bare": ("GAMEOVER", 0, Struct()),
    "gamestate_dump_bare": ("GAMESTATE_DUMP", 0, Struct()),
}  # fmt: skip

for _id, _coordinate, _kind in (("MAPDRAW_OLD", I16, "narrow"), ("MAPDRAW_OLD", U32, "wide"), ("MAPDRAW", U32, "new")):
    _two, _four = (tuple(name / _coordinate for name in names) for names in (("x", "z"), ("x1", "z1", "x2", "z2")))
    _lua = "from_lua" / Default(U8, 0)
    SPECS |= {
        f"map_draw_point_{_kind}": (_id, 1, Struct(_player, "action" / Const(0, U8), *_two, _lua, "label" / _text)),
        f"map_draw_erase_{_kind}": (_id, 1, Struct(_player, "action" / Const(1, U8), *_two)),
        f"map_draw_line_{_kind}": (_id, 1, Struct(_player, "action" / Const(2, U8), *_four, _lua)),
    }
SPECS |= {
    "map_draw_point_bare": (
        "MAPDRAW_OLD", 1, Struct(_player, "action" / Const(0, U8), "x" / I16, "z" / I16, "label" / _text)
    ),
    "map_draw_line_bare": (
        "MAPDRAW_OLD", 1,
        Struct(_player, "action" / Const(2, U8), "x1" / I16, "z1" / I16, "x2" / I16, "z2" / I16),
    ),
}  # fmt: skip


def packet(layout: str, **fields: Any) -> bytes:
    """One message in the layout of that name, with its id and its size field."""
    message, width, body = SPECS[layout]
    return framed(message, width, body.build(fields))


def framed(message: str, width: int, body: bytes) -> bytes:
    """A message of its body: the id, a size field of ``width`` bytes (0: none), the body. A byte-wide size wraps."""
    size = 1 + width + len(body)
    return bytes([IDS[message]]) + (size & ((1 << 8 * width) - 1)).to_bytes(width, "little") + body


def chunk(time: float, message: bytes) -> bytes:
    """A message with its head in the stream."""
    head: bytes = CHUNK.build({"mod_game_time": time, "len_packet": len(message)})
    return head + message


def game_data(script: bytes, *, level: int = 9, checksum_size: int = 64, seed: int = 1, fill: bytes = b"\x11") -> bytes:
    """A GAMEDATA message for a script; ``checksum_size`` is 4 for engines up to 104.0."""
    return packet(
        "gamedata" if checksum_size == 64 else "gamedata_short",
        compressed_script=zlib.compress(script, level),
        map_checksum=fill * checksum_size,
        mod_checksum=fill * checksum_size,
        random_seed=seed,
    )


def demo(
    script: bytes,
    stream: bytes,
    *,
    version: int = 5,
    winners: Sequence[int] = (),
    players: Iterable[Mapping[str, int]] = (),
    teams: Sequence[Sequence[Mapping[str, float]]] = (),
    player_spec: Struct = PLAYER_STATISTICS,
    crashed: bool = False,
    extra: bytes = b"",
    **header: Any,
) -> bytes:
    """A whole decompressed demo with true sizes. ``extra`` lengthens the header; other fields as in `HEADERS`.

    ``winners`` under version 4 are what development builds before 83 wrote: a list, counted in ``winning_ally_team``.
    """
    spec = HEADERS[version]
    player_records = [player_spec.build(dict(record)) for record in players]
    samples = [[TEAM_STATISTICS.build(dict(sample)) for sample in team] for team in teams]
    player_part = b"".join(player_records)
    team_part = b"".join(U32.build(len(team)) for team in samples) + b"".join(s for team in samples for s in team)
    winner_part = bytes(winners) if version >= 4 and samples else b""
    size = spec.sizeof() + len(extra)
    start = size + len(script)
    fields = {
        "len_header": size,
        "engine_version": "2025.06.12",
        "game_id": bytes(range(16)),
        "unix_time": 1_700_000_000,
        "len_script": len(script),
        "len_stream": len(stream),
        "ofs_script": size,
        "ofs_stream": start,
        "ofs_player_stats": start + len(stream),
        "ofs_team_stats": start + len(stream) + len(player_part),
        "num_players": len(player_records),
        "len_player_stats": len(player_part),
        "len_player_stat": player_spec.sizeof(),
        "num_teams": len(samples),
        "len_team_stats": len(team_part),
        "len_team_stat": TEAM_STATISTICS.sizeof(),
        "team_stat_period": 15,
        "len_winning_ally_teams": len(winners),
        "winning_ally_team": len(winners) or -1,
    }
    if crashed:
        absent = (
            "len_stream",
            "num_players",
            "len_player_stats",
            "num_teams",
            "len_team_stats",
            "len_winning_ally_teams",
        )
        fields |= dict.fromkeys(absent, 0)
    head: bytes = spec.build({**fields, **header})
    trailer = b"" if crashed else winner_part + player_part + team_part
    return head + extra + script + stream + trailer


def compress(data: bytes, *, level: int = 9, client: bool = False) -> bytes:
    """The file as `.sdfz`: gzip without name or time; a client ends its files with a second, empty member."""
    return gzip.compress(data, level, mtime=0) + (gzip.compress(b"", level, mtime=0) if client else b"")


__all__ = ["HEADERS", "SPECS", "chunk", "compress", "demo", "framed", "game_data", "packet"]
