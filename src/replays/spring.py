"""Spring (Recoil) demos: the registration of the format and what `info` says about one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ksreplay.errors import ReplayError, Truncated
from ksreplay.formats import spring as container
from ksreplay.formats.inflate import Blocks
from ksreplay.formats.source import Source
from ksreplay.limits import Limits
from ksreplay.replay import Facts, Replay, TableDefinition
from ksreplay.replays.spring_derived import DERIVED
from ksreplay.semantics.spring import builds, commands, events, lua, others, packets, people, statistics, talk
from ksreplay.semantics.spring.match import FRAMES_PER_SECOND, Match

if TYPE_CHECKING:
    from ksreplay.formats.spring_messages import Messages
    from ksreplay.pseudonyms import Policy, Pseudonymizer, Report

#: What `unwrap` gives; gamedata is the script inside the packet that the engine loads.
PARTS = ("demo", "header", "script", "stream", "trailer", "gamedata")


def _table(schema: Any, build: Any, rows: Any = None) -> TableDefinition[Any]:
    return TableDefinition(
        schema,
        lambda replay: build(replay.match),
        None if rows is None else lambda replay: rows(replay.match),
    )


class SpringReplay(Replay):
    """A `.sdfz` or `.sdf` file. ``match`` has its parts for who wants more than the tables."""

    format: ClassVar[str] = container.FORMAT
    TABLES: ClassVar[tuple[TableDefinition[Any], ...]] = (
        _table(packets.PACKETS, packets.packets, lambda match: len(match.stream)),
        _table(packets.PACKET_COUNTS, packets.packet_counts),
        _table(people.PLAYERS, people.players, lambda match: len(match.players)),
        _table(people.TEAMS, people.teams, lambda match: len(match.setup.teams)),
        _table(people.ALLY_TEAMS, people.ally_teams, lambda match: len(match.setup.ally_teams)),
        _table(people.AIS, people.ais, lambda match: len(match.setup.ais)),
        _table(people.SCRIPT, people.script),
        _table(commands.SELECTIONS, commands.selections),
        _table(commands.COMMANDS, commands.commands),
        _table(builds.BUILD_ORDERS, builds.build_orders),
        _table(builds.UNITS_ORDERED, builds.units_ordered),
        _table(events.START_POSITIONS, events.start_positions),
        _table(events.TIMELINE, events.timeline),
        _table(events.COMMANDS_PER_MINUTE, events.commands_per_minute),
        _table(statistics.PLAYER_STATISTICS, statistics.player_statistics),
        _table(statistics.TEAM_STATISTICS, statistics.team_statistics, lambda match: len(match.trailer.samples)),
        _table(talk.CHAT, talk.chat),
        _table(talk.SYSTEM_MESSAGES, talk.system_messages),
        _table(talk.LOG_MESSAGES, talk.log_messages),
        _table(talk.MAP_DRAWS, talk.map_draws),
        _table(events.SHARES, events.shares),
        _table(events.ALLIANCES, events.alliances),
        _table(events.AI_STATES, events.ai_states),
        _table(events.SYNC_RESPONSES, events.sync_responses),
        _table(events.NETWORK, events.network),
        _table(talk.CLIENT_DATA, talk.client_data),
        _table(others.CONSOLE_COMMANDS, others.console_commands),
        _table(others.GAME_SPEEDS, others.game_speeds),
        _table(others.OTHER_MESSAGES, others.other_messages),
        _table(lua.LUA_MESSAGES, lua.lua_messages),
        _table(lua.UNIT_DEFINITIONS, lua.unit_definitions),
        _table(lua.COLOURS, lua.colours),
        *DERIVED,
    )

    def __init__(
        self, source: Source, *, strict: bool = False, private: bool = False, limits: Limits | None = None
    ) -> None:
        super().__init__(source, strict=strict, private=private, limits=limits)
        if not source.data:
            raise Truncated(
                "the file is empty: the recording is in progress or never began",
                code="empty",
                format=self.format,
                offset=0,
            )
        demo = container.read(source.data, self.limits, self._problems, source.hash_for_release)
        if demo.gzipped:
            source.release()
        self.match = Match(demo, self.limits, self._problems, private)

    def read_fully(self) -> None:
        """Decodes every message and makes every table, then compares the parts."""
        super().read_fully()
        _ = self._checked

    @cached_property
    def _checked(self) -> bool:
        match = self.match
        _ = match.messages.malformed, match.trailer
        match.messages.report_others()
        match.check()
        return True

    def facts(self, full: bool) -> Facts:
        match, header = self.match, self.match.header
        winners, evidence = match.winners
        game = match.game
        details = self._details(full)
        complete = match.demo.whole and not header.crashed and match.stream.end == match.demo.ofs_trailer
        return Facts(
            format_version=header.version,
            complete=complete,
            game=game.get("gametype"),
            map=game.get("mapname"),
            duration_s=max(match.end_frame, 0) / FRAMES_PER_SECOND,
            players=[self._person(row) for row in people.player_rows(match)],
            result=None if winners is None else {"winners": winners, "source": evidence},
            details=details,
        )

    def _person(self, row: dict[str, Any]) -> dict[str, Any]:
        return {key: value if key != "account_id" or self.private else None for key, value in row.items()}

    def _details(self, full: bool) -> dict[str, Any]:
        match, header = self.match, self.match.header
        data = match.game_data
        _, reported = match.game_over
        details: dict[str, Any] = {
            "engine": header.engine,
            "game_id": header.game_id.hex(),
            "recorded_by": "client" if match.is_client else "server",
            "started_utc": _utc(header.unix_time),
            "last_frame": match.last_frame,
            "end_frame": match.end_frame,
            "packets": len(match.stream),
            "winners_trailer": list(match.trailer.winners),
            "winners_gameover": reported,
            "game_time_s": header.game_seconds,
            "wallclock_s": header.wallclock_seconds,
            "header_bytes": header.len_header,
            "script_bytes": header.len_script,
            "stream_bytes": header.len_stream,
            "crashed": header.crashed,
            "trailer_players": header.num_players,
            "trailer_teams": header.num_teams,
            "team_samples": match.trailer.counts.tolist(),
            "team_statistics_period_s": header.team_stat_period,
            "player_statistics_read": None
            if not len(match.trailer.players)
            else {
                "byte_order": "little" if match.counters.little_endian else "big",
                "orders_first": match.counters.orders_first,
                "evidence": match.counters.evidence,
            },
            "restrictions": match.setup.restrictions,
            "mod_options": len(match.setup.mod_options),
            "map_options": len(match.setup.map_options),
            "ais": people.ai_rows(match),
            "map_checksum": data.map_checksum.hex() if data else None,
            "game_checksum": data.mod_checksum.hex() if data else None,
            "random_seed": data.random_seed if data else None,
            "script_matches_gamedata": None if data is None else data.script.rstrip(b"\0") == match.demo.script,
        }
        if header.layout < 5:
            details["winning_ally_team"] = None if match.trailer.winners else header.winning_ally_team
        if full:
            table = self.tables["packet_counts"]
            details["packet_counts"] = dict(zip(table["name"].tolist(), table["count"].tolist(), strict=True))
            details["empty_packets"] = match.stream.empty
            details["malformed_packets"] = int(match.messages.malformed.sum())
        return details

    def encode(self, *, version: int | None = None, suffix: str = "", **options: Any) -> bytes:
        """The demo from its fields. ``version``: header version; ``suffix``: ".sdf" for plain, ".sdfz" for gzip."""
        from ksreplay.semantics.spring import rebuild  # brings construct, which only writing needs

        parts = rebuild.parts_of(self.match)
        if version is not None:
            parts = rebuild.in_version(parts, self.match, version)
        return self.packed(rebuild.lay_out(parts), suffix)

    def packed(self, data: bytes, suffix: str = "") -> bytes:
        """A decompressed demo in the container that ``suffix`` asks for, or in that of this file."""
        from ksreplay.formats.spring_build import compress

        gzipped = suffix != ".sdf" if suffix in (".sdf", ".sdfz") else self.match.demo.gzipped
        return compress(data, client=self.match.demo.members > 1) if gzipped else data

    def retargeted(self, game: str, suffix: str = "") -> bytes:
        """The demo for another game or version: ``game`` replaces the name in both places that hold it."""
        from ksreplay.semantics.spring import rebuild

        return self.packed(rebuild.lay_out(rebuild.retargeted(self.match, game)), suffix)

    def cut(self, first: int | None = None, last: int | None = None, suffix: str = "") -> bytes:
        """The demo with the frames ``first`` to ``last`` only, both included, and all that comes before the game."""
        from ksreplay.semantics.spring import rebuild

        return self.packed(rebuild.lay_out(rebuild.cut(self.match, first, last)), suffix)

    def repaired(self, suffix: str = "") -> bytes:
        """The demo with true sizes, cut after its last whole packet where the end is missing."""
        from ksreplay.semantics.spring import rebuild

        return self.packed(rebuild.lay_out(rebuild.repaired(self.match)), suffix)

    def redacted(self, pseudonyms: Pseudonymizer, policy: Policy, report: Report, suffix: str = "") -> bytes:
        """The demo without private content and with pseudonyms for names; see `semantics.spring.redact`."""
        from ksreplay.semantics.spring import rebuild
        from ksreplay.semantics.spring.redact import Redaction

        return self.packed(rebuild.lay_out(Redaction(self.match, pseudonyms, policy, report).parts()), suffix)

    def streams(self) -> Iterator[tuple[str, bytes]]:
        """The file, its decompressed content, and what is compressed inside the stream."""
        match = self.match
        yield "", self.source.data
        if match.demo.gzipped:
            yield "demo", match.demo.part(0)
        for row, script in match.scripts.items():
            if script is not None:
                yield f"stream.packet[{row}].GAMEDATA.script", script
        machines = match.messages["CLIENTDATA"]
        yield from self._inflated("CLIENTDATA", machines, np.flatnonzero(machines.good), 0)
        prefix = lua.PREFIXES[lua.KINDS.index("unit_definitions")][0]
        lists = np.flatnonzero(match.lua_kinds == lua.KINDS.index("unit_definitions"))
        yield from self._inflated("LUAMSG", match.messages["LUAMSG"], lists, len(prefix))

    def _inflated(self, name: str, messages: Messages, chosen: Any, skip: int) -> Iterator[tuple[str, bytes]]:
        blocks = Blocks(self.limits, self.format)
        for index in chosen.tolist():
            at, end = int(messages.body[index]), int(messages.body[index]) + int(messages.length[index])
            result = blocks.inflate(self.match.stream.part(at + skip, end))
            if result.data:
                yield f"stream.packet[{int(messages.rows[index])}].{name}", result.data

    def unwrap(self, part: str | None = None) -> bytes:
        """The decompressed file (``demo``, the default), or one of header, script, stream, trailer, gamedata."""
        match, demo = self.match, self.match.demo
        if part in (None, "demo"):
            return demo.part(0)
        if part == "header":
            return demo.part(0, min(max(demo.header.len_header, 0), len(demo.data)))
        if part == "script":
            return demo.script
        if part == "stream":
            return demo.part(demo.ofs_stream, demo.ofs_trailer)
        if part == "trailer":
            return demo.part(demo.ofs_trailer)
        if part == "gamedata" and match.game_data is not None:
            return match.game_data.script
        raise ReplayError(
            "this demo has no such part", code="no-such-part", format=self.format, where="unwrap", found=part,
            expected=f"{', '.join(PARTS)}",
        )  # fmt: skip


def _utc(seconds: int) -> str | None:
    """ISO 8601 of seconds since 1970, None past what a calendar can say."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return None
