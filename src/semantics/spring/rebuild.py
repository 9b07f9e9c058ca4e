"""A demo put together again: from its fields, in another header version, cut, repaired, or for another game.

Everything with a layout is rebuilt from its fields; zlib payloads, unknown messages and what no field covers are
carried as they are. Source: seed 002, "What is in a replay file"; RecoilEngine rts/System/LoadSave/DemoRecorder.cpp.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import spans_index
from ksreplay.errors import Problems, ReplayError
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring import FORMAT, HEADERS, Data, Stream
from ksreplay.formats.spring_messages import NAMES, Decoder
from ksreplay.generated.dtypes import spring_demo as demo_layouts
from ksreplay.kernels import spring_walk
from ksreplay.limits import Limits
from ksreplay.semantics.spring.match import FRAMES_PER_SECOND, Match

_STEP = 1 << 16  #: messages whose bytes are moved at a time


@dataclass(frozen=True)
class Parts:
    """The parts of a demo before they are laid out. ``header``: fields by name, sizes and offsets left to `lay_out`."""

    version: int
    engine: str
    header: Mapping[str, Any]
    extra: bytes
    script: bytes
    stream: bytes
    winners: bytes
    players: bytes
    teams: bytes
    rest: bytes
    crashed: bool
    counts: Mapping[str, int] = field(default_factory=dict)


def parts_of(match: Match) -> Parts:
    """A match as parts, its stream and trailer built from their fields."""
    demo, header, trailer = match.demo, match.header, match.trailer
    known = HEADERS[header.layout].itemsize
    script_at = header.ofs_script if header.layout == 1 else header.len_header
    tail = b"" if header.crashed else demo.part(trailer.end)
    return Parts(
        header.version, header.engine, header.fields, demo.part(known, max(script_at, known)), demo.script,
        stream_bytes(match.messages) + demo.part(match.stream.end, demo.ofs_trailer), _winners(match),
        *statistics_bytes(match), tail, header.crashed,
    )  # fmt: skip


def stream_bytes(decoder: Decoder) -> bytes:
    """The stream's whole packets from their fields: chunk heads, ids, fixed fields with true sizes, then the rest."""
    stream = decoder.stream
    if not len(stream):
        return b""
    out = np.zeros(stream.end - stream.start, np.uint8)
    at = stream.offset.astype(np.int64) - stream.start
    heads = np.zeros(len(stream), demo_layouts.CHUNK_HEAD)
    heads["mod_game_time"], heads["len_packet"] = stream.time, stream.size
    _scatter(out, at - heads.itemsize, heads)
    source = np.frombuffer(stream.data, np.uint8)
    # Where the verbatim part of each message begins: behind its fixed fields, or at once where it has no layout.
    verbatim = at.copy()
    filled = stream.size > 0
    out[at[filled]] = stream.id[filled]
    verbatim[filled] += 1
    for number in np.flatnonzero(stream.counts).tolist():
        if number not in NAMES:
            continue
        messages = decoder[NAMES[number]]
        records = messages.records if messages.raw is None else messages.raw
        # Messages in a layout of another size are few and old: they are carried.
        mine = messages.good & (messages.body - stream.offset[messages.rows] == 1 + records.dtype.itemsize)
        if not records.dtype.names or not mine.any() or len(records) != len(messages):
            continue
        rows = messages.rows[mine]
        fields = records[mine]
        if "len_packet" in (fields.dtype.names or ()):
            fields["len_packet"] = stream.size[rows] & ((1 << 8 * fields.dtype["len_packet"].itemsize) - 1)
        _scatter(out, at[rows] + 1, fields)
        verbatim[rows] += fields.dtype.itemsize
    lengths = at + stream.size - verbatim
    for first in range(0, len(stream), _STEP):
        part = slice(first, first + _STEP)
        index = spans_index(verbatim[part], lengths[part])
        out[index] = source[index + stream.start]
    return out.tobytes()


def _scatter(out: NDArray[np.uint8], at: NDArray[Any], records: NDArray[np.void]) -> None:
    width = records.dtype.itemsize
    target = np.ndarray((max(0, len(out) - width + 1),), np.dtype(f"V{width}"), out.data, 0, (1,))
    target[at] = np.ascontiguousarray(records).view(np.dtype(f"V{width}"))


def _winners(match: Match) -> bytes:
    return bytes(match.trailer.winners)


def statistics_bytes(match: Match, *, opaque: bool = True) -> tuple[bytes, bytes]:
    """(player part, team part) of the trailer; ``opaque``: with what they hold beyond the known fields, else zeros."""
    header, trailer = match.header, match.trailer
    if header.crashed:
        return b"", b""

    def part(start: int, end: int) -> bytes:
        raw = match.demo.part(start, end)
        return raw if opaque else bytes(len(raw))

    at = trailer.start + len(trailer.winners)
    if header.layout == 1:
        at = max(header.ofs_player_stats, 0)
    stride, size = max(header.len_player_stat, 0), max(header.len_player_stats, 0)
    counters = (
        np.ascontiguousarray(match.counters.records)
        .view(np.uint8)
        .reshape(len(trailer.players), match.counters.records.dtype.itemsize)
    )
    players = _grown(part(at, at + size), 0, stride, counters)
    at = max(header.ofs_team_stats, 0) if header.layout == 1 else at + size
    stride, size = max(header.len_team_stat, 0), max(header.len_team_stats, 0)
    samples = (
        np.ascontiguousarray(trailer.samples)
        .view(np.uint8)
        .reshape(len(trailer.samples), trailer.samples.dtype.itemsize)
    )
    counts = trailer.counts.astype("<i4").tobytes()
    teams = _grown(counts + part(at + len(counts), at + size), len(counts), stride, samples)
    return players, teams


def _grown(raw: bytes, at: int, stride: int, records: NDArray[np.uint8]) -> bytes:
    """``raw`` with the known bytes of the records that begin at ``at`` replaced by ``records``.

    Where the header's sizes leave no room for the records that were found, ``raw`` is carried as it is.
    """
    if not len(records) or stride < records.shape[1] or at + stride * len(records) > len(raw):
        return raw
    out = np.frombuffer(raw, np.uint8).copy()
    place = out[at : at + stride * len(records)].reshape(len(records), stride)
    place[:, : records.shape[1]] = records
    return out.tobytes()


def lay_out(parts: Parts) -> bytes:
    """The decompressed file with true sizes. Raises ReplayError where a field does not fit the header's version."""
    layout = (3 if parts.header.get("len_header") == 116 else 4) if parts.version == 2 else parts.version
    spec = build.HEADERS[layout]
    size = spec.sizeof()
    text = parts.engine.encode()
    if len(text) >= (256 if layout == 5 else 16) + (layout == 5 and len(text) == 256):
        raise _cannot("header.engine_version", parts.engine, "the version text is too long for this header version")
    start = size + len(parts.extra)
    ofs_players = start + len(parts.script) + len(parts.stream)
    fields: dict[str, Any] = {name: parts.header[name] for name in parts.header if name != "game_id"}
    fields |= {
        "version": parts.version,
        "len_header": start,
        "engine_version": parts.engine,
        "game_id": parts.header["game_id"],
        "ofs_script": start,
        "len_script": len(parts.script),
        "ofs_stream": start + len(parts.script),
        "len_stream": 0 if parts.crashed else len(parts.stream),
        "ofs_player_stats": ofs_players,
        "ofs_team_stats": ofs_players + len(parts.players),
    }
    if not parts.crashed:
        fields |= {"len_player_stats": len(parts.players), "len_team_stats": len(parts.teams), **parts.counts}
    head: bytes = spec.build(fields)
    trailer = b"" if parts.crashed else parts.winners + parts.players + parts.teams
    return head + parts.extra + parts.script + parts.stream + trailer + parts.rest


def _cannot(where: str, found: Any, message: str) -> ReplayError:
    return ReplayError(message, code="not-writable", format=FORMAT, where=where, found=found)


def in_version(parts: Parts, match: Match, version: int) -> Parts:
    """The parts under another header version. Raises ReplayError where the winners cannot be said in it."""
    if version not in HEADERS:
        raise ReplayError(
            "that header version cannot be written", code="not-writable", format=FORMAT, where="header.version",
            found=version, expected="1, 3, 4 or 5",
        )  # fmt: skip
    if version == parts.version:
        return parts
    fields = dict(parts.header)
    winners, _ = match.winners
    if version == 5:
        if max(winners or (), default=0) > 255:
            raise _cannot("header.winning_ally_team", winners, "a header of version 5 has one byte for a winner")
        stored = bytes(winners or ()) if match.header.num_teams > 0 else b""
        fields["len_winning_ally_teams"] = len(stored)
    else:
        if match.trailer.winners and len(match.trailer.winners) > 1:
            raise _cannot("trailer.winners", match.trailer.winners, "a header before version 5 names one winner")
        stored = b""
        side = match.header.fields.get("winning_ally_team", -1)
        fields["winning_ally_team"] = match.trailer.winners[0] if match.trailer.winners else side
        fields.setdefault("max_player_number", max(match.header.num_players - 1, 0))
    return replace(parts, version=version, header=fields, winners=stored, extra=b"")


def assemble(
    stream: Stream, replaced: Mapping[int, bytes], keep: NDArray[np.bool_] | None = None, base: bytes | None = None
) -> bytes:
    """The stream's packets with some replaced (message by packet index) or left out; heads get true sizes.

    ``base``: bytes of the same layout as ``stream.data`` to take the others from.
    """
    data: Data = stream.data if base is None else base
    touched = np.zeros(len(stream), bool)
    touched[list(replaced)] = True
    if keep is not None:
        touched |= ~keep
    pieces: list[Data] = []
    begin = stream.start
    for row in np.flatnonzero(touched).tolist():
        offset = int(stream.offset[row])
        head = offset - demo_layouts.CHUNK_HEAD.itemsize
        pieces.append(data[begin:head])
        begin = offset + int(stream.size[row])
        if keep is not None and not keep[row]:
            continue
        message = replaced[row]
        pieces += (data[head : offset - 4], len(message).to_bytes(4, "little"), message)
    pieces.append(data[begin : stream.end])
    return b"".join(pieces)


def game_data_message(match: Match, row: int, script: bytes, *, opaque: bool = True) -> bytes:
    """GAMEDATA packet ``row`` with another script. Raises ReplayError when it is too long.

    ``opaque``: with the checksums and the seed of before, else zeros.
    """
    messages = match.messages["GAMEDATA"]
    index = int(np.searchsorted(messages.rows, row))
    at = int(messages.body[index]) + int(messages["len_script"][index])
    end = int(match.stream.offset[row]) + int(match.stream.size[row])
    packed = zlib.compress(script, 9)
    rest = match.stream.part(at, end) if opaque else bytes(end - at)
    body = len(packed).to_bytes(2, "little", signed=False) if len(packed) < 1 << 16 else b""
    if not body or 5 + len(packed) + len(rest) >= 1 << 16:
        raise _cannot("stream.GAMEDATA", len(packed), "the compressed script is too long for its packet")
    return build.framed("GAMEDATA", 2, body + packed + rest)


def retargeted(match: Match, game: str) -> Parts:
    """The demo for another game: its name in the script after the header and in the GAMEDATA packet that counts."""
    if not game or any(mark in game for mark in ";\n\r\0"):
        raise _cannot("script.game.gametype", game, "a game's name has no semicolon, NUL or line end")
    replaced = {
        row: game_data_message(match, row, with_value(script, "gametype", game))
        for row, script in match.scripts.items()
        if script is not None
    }
    if not replaced or len(replaced) < len(match.messages["GAMEDATA"]):
        raise _cannot(
            "stream.GAMEDATA", len(match.messages["GAMEDATA"]),
            "the packet that the engine loads the game from is missing or unreadable: a copy would play the original",
        )  # fmt: skip
    parts = parts_of(match)
    tail = match.demo.part(match.stream.end, match.demo.ofs_trailer)
    return replace(
        parts,
        script=with_value(match.demo.script, "gametype", game),
        stream=assemble(match.stream, replaced) + tail,
    )


def with_value(script: bytes, key: str, value: str) -> bytes:
    """A TDF script with the value of ``key`` directly under [game] replaced, and nothing else touched.

    Raises ReplayError where the result would not be read as that value.
    """
    from ksreplay.semantics.spring.script import pairs, parse, seats

    text = script.decode("utf-8", "surrogateescape")
    found = [span for path, name, span in pairs(text) if path == ("game",) and name == key]
    for start, end in reversed(found):
        text = text[:start] + value + text[end:]
    if not found:
        # Nothing to replace: the pair goes to the end of the section, where writers put such pairs.
        end = text.rstrip().rfind("}")
        at = len(text) if end < 0 else end
        text = f"{text[:at]}{key}={value};\n{text[at:]}"
    if seats(parse(text, Problems(FORMAT, limit=0), Limits())).game.get(key) != value:
        raise _cannot(f"script.game.{key}", value, "the script would not be read as this value")
    return text.encode("utf-8", "surrogateescape")


def repaired(match: Match) -> Parts:
    """The demo with true sizes: a stream of whole packets, and no trailer where none is whole."""
    parts = parts_of(match)
    stream = parts.stream[: match.stream.end - match.stream.start]
    header, trailer = match.header, match.trailer
    reached = match.demo.ofs_stream + max(header.len_stream, 0) <= len(match.demo.data)
    # A size of 0 says that there is no end: behind a stream of no packets no trailer can stand.
    present = not header.crashed and match.demo.whole and reached and bool(stream)
    sizes = {name: max(value, 0) for name, value in parts.header.items() if name.startswith(("len_", "num_"))}
    fields = {**parts.header, **sizes}
    seconds = max(match.last_frame, 0) // FRAMES_PER_SECOND
    if present:
        players, counts = len(trailer.players), len(trailer.counts)
        held = np.maximum(trailer.counts, 0)
        samples = int(held.sum(dtype=np.int64))
        if samples == len(trailer.samples) and counts == max(header.num_teams, 0):
            stride = max(header.len_team_stat, 0)
            teams = held.astype("<i4").tobytes() + parts.teams[4 * counts : 4 * counts + samples * stride]
            fields |= {"num_players": players, "len_winning_ally_teams": len(trailer.winners)}
            if header.layout == 5 and header.num_teams <= 0:
                fields["len_winning_ally_teams"] = sizes["len_winning_ally_teams"]
            return replace(
                parts, header=fields, stream=stream, rest=b"", crashed=False, teams=teams,
                players=parts.players[: players * max(header.len_player_stat, 0)],
            )  # fmt: skip
    fields["game_seconds"] = fields["game_seconds"] or seconds
    fields["wallclock_seconds"] = fields["wallclock_seconds"] or _elapsed(match.stream.time)
    return replace(without_trailer(replace(parts, header=fields)), stream=stream, crashed=not stream)


def without_trailer(parts: Parts) -> Parts:
    """The parts of a recording that has no trailer, and says so."""
    fields = dict(parts.header)
    fields |= dict.fromkeys(("num_players", "num_teams", "len_player_stats", "len_team_stats"), 0)
    if "len_winning_ally_teams" in fields:
        fields["len_winning_ally_teams"] = 0
    return replace(parts, header=fields, winners=b"", players=b"", teams=b"", rest=b"")


def _elapsed(times: NDArray[np.float32]) -> int:
    """Whole seconds that the recording has lasted at the last of these packets."""
    finite = times[np.isfinite(times)]
    return int(min(max(float(finite.max(initial=0.0)), 0.0), 2**31 - 1))


def cut(match: Match, first: int | None, last: int | None) -> Parts:
    """The demo without the frames before ``first`` and after ``last``; what comes before the game stays whole.

    Frames keep their numbers: the first one kept is stated by a KEYFRAME, unless it states itself. Where the end of the
    match is cut off there is no result: winners and players' counters go, and team samples up to the cut stay. A broken
    recording is `repaired` on the way.
    """
    low, high = 0 if first is None else first, match.last_frame if last is None else last
    stream = match.stream
    frame = stream.frame
    inside = (frame >= low) & (frame <= high)
    if low < 0 or not inside.any():
        raise ReplayError(
            "there is no frame to keep", code="empty-range", format=FORMAT, where="frames", found=[low, high],
            expected=[0, match.last_frame],
        )  # fmt: skip
    keep = (frame < 0) | inside
    counts, states = spring_walk.steps(stream.size, stream.id)
    steps = np.flatnonzero(counts | states)
    # A step that counts on from the one before it must say its number where that one is left out.
    alone = keep[steps] & counts[steps]
    alone[1:] &= ~keep[steps[:-1]]
    alone[:1] = False
    replaced = {row: build.packet("keyframe", frame=int(frame[row])) for row in steps[alone].tolist()}
    parts = replace(repaired(match), stream=assemble(stream, replaced, keep))
    return parts if high >= match.last_frame else _without_end(parts, match, high, _elapsed(stream.time[keep]))


def _without_end(parts: Parts, match: Match, high: int, elapsed: int) -> Parts:
    fields = dict(parts.header)
    fields |= {"num_players": 0, "game_seconds": max(high, 0) // FRAMES_PER_SECOND, "wallclock_seconds": elapsed}
    if match.header.layout == 5:
        fields["len_winning_ally_teams"] = 0
    else:
        fields["winning_ally_team"] = -1
    teams = _samples_until(parts.teams, match, high) if parts.teams else b""
    return replace(parts, header=fields, winners=b"", players=b"", teams=teams)


def _samples_until(teams: bytes, match: Match, high: int) -> bytes:
    """The team part of a whole trailer, with the samples up to that frame only."""
    from ksreplay.semantics.spring.statistics import sample_teams

    trailer = match.trailer
    team, _ = sample_teams(match)
    held = trailer.samples["frame"] <= high
    counts = np.bincount(team[held], minlength=len(trailer.counts)).astype("<i4")
    stride, start = max(match.header.len_team_stat, 0), 4 * len(trailer.counts)
    raw = np.frombuffer(teams, np.uint8)[start:].reshape(len(team), stride)
    return counts.tobytes() + raw[held].tobytes()
