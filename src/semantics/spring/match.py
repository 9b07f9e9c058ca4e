"""One demo with its parts joined: what the tables of this package are made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Strings, looked_up
from ksreplay.errors import Problems
from ksreplay.formats.inflate import Blocks
from ksreplay.formats.spring import FORMAT, Demo, Header, Stream, read_stream
from ksreplay.formats.spring_messages import IDS, Decoder, Messages
from ksreplay.formats.spring_trailer import Trailer, read_trailer
from ksreplay.generated.dtypes.spring_packet import ENUMS
from ksreplay.limits import Limits
from ksreplay.semantics.spring import rules
from ksreplay.semantics.spring.script import Player, Section, Setup, parse, seats

if TYPE_CHECKING:
    from ksreplay.semantics.spring.aims import Aimed
    from ksreplay.semantics.spring.analysis.commands import CommandCounts
    from ksreplay.semantics.spring.builds import Builds
    from ksreplay.semantics.spring.orders import Orders
    from ksreplay.semantics.spring.statistics import Counters

FRAMES_PER_SECOND = 30
SERVER = 255  #: the player number of the server and its autohost


def enum_names(path: str) -> dict[int, str]:
    """Value -> member name of an enum of the layout."""
    return ENUMS[path]


@dataclass(frozen=True)
class GameData:
    """The GAMEDATA packet: the script that the engine loads, and the checksums of map and game (bytes)."""

    script: bytes
    map_checksum: bytes
    mod_checksum: bytes
    random_seed: int


class Match:
    """A demo's header, script, stream and trailer, each read when first asked for."""

    def __init__(self, demo: Demo, limits: Limits, problems: Problems, private: bool) -> None:
        self.demo = demo
        self.limits = limits
        self.problems = problems
        self.private = private
        self.command_counts: CommandCounts | None = None  #: see `analysis.commands.of_match`

    @property
    def header(self) -> Header:
        return self.demo.header

    @cached_property
    def stream(self) -> Stream:
        return read_stream(self.demo, self.limits, self.problems)

    @cached_property
    def trailer(self) -> Trailer:
        return read_trailer(self.demo, self.problems)

    @cached_property
    def messages(self) -> Decoder:
        return Decoder(self.stream, self.header.engine_number, self.problems)

    @cached_property
    def setup(self) -> Setup:
        """The seats of the script after the header; without one there, of the GAMEDATA packet's."""
        text = self.demo.script
        if not text.strip() and self.game_data is not None:
            text = self.game_data.script
        root = parse(text.decode("utf-8", "replace"), self.problems, self.limits) if text else Section()
        return seats(root)

    @property
    def game(self) -> Section:
        return self.setup.game

    @cached_property
    def game_data(self) -> GameData | None:
        """The first GAMEDATA packet, None without a readable one."""
        messages = self.messages["GAMEDATA"]
        if not messages.good.any():
            return None
        index = int(np.argmax(messages.good))
        part, at = self.stream.part, int(messages.body[index])
        size = int(messages["len_script"][index])
        inflated = Blocks(self.limits, FORMAT).inflate(part(at, at + size), where="stream.GAMEDATA", offset=at)
        if inflated.problem is not None:
            self.problems.absorb(inflated.problem)
        width = (int(messages.length[index]) - size - 4) // 2
        map_at = at + size
        return GameData(
            inflated.data, part(map_at, map_at + width), part(map_at + width, map_at + 2 * width),
            int.from_bytes(part(map_at + 2 * width, map_at + 2 * width + 4), "little"),
        )  # fmt: skip

    @cached_property
    def scripts(self) -> dict[int, bytes | None]:
        """GAMEDATA packet -> the script inside it, None where it does not inflate whole."""
        messages, blocks = self.messages["GAMEDATA"], Blocks(self.limits, FORMAT)
        found: dict[int, bytes | None] = {}
        for index in np.flatnonzero(messages.good).tolist():
            at = int(messages.body[index])
            result = blocks.inflate(self.stream.part(at, at + int(messages["len_script"][index])))
            found[int(messages.rows[index])] = result.data if result.complete else None
        return found

    @cached_property
    def counters(self) -> Counters:
        """The trailer's player records in the byte order that the file proves."""
        from ksreplay.semantics.spring.statistics import read_counters

        return read_counters(self)

    # Time.

    @cached_property
    def is_client(self) -> bool:
        """A client made the recording: only those hold SETPLAYERNUM and GAME_FRAME_PROGRESS."""
        return any(len(self.stream.packets(IDS[name])) for name in ("SETPLAYERNUM", "GAME_FRAME_PROGRESS"))

    @cached_property
    def game_over(self) -> tuple[int | None, list[list[int]]]:
        """(frame of the first GAMEOVER, each different list of winners that clients reported).

        Up to engine 0.82 the message has nothing but its id: it reports no list, not an empty one.
        """
        messages = self.messages["GAMEOVER"]
        if not messages.good.any():
            return None, []
        says = messages.packets.size[messages.good].tolist()
        spans = zip(self.spans(messages), says, strict=True)
        seen = dict.fromkeys(self.stream.part(at, at + length) for (at, length), size in spans if size > 1)
        return int(self.stream.frame[messages.rows[messages.good][0]]), [list(winners) for winners in seen]

    @property
    def last_frame(self) -> int:
        return self.stream.last_frame

    @cached_property
    def end_frame(self) -> int:
        """The frame at which the match ended: of the first GAMEOVER, else the last one."""
        frame, _ = self.game_over
        return self.last_frame if frame is None else frame

    def spans(self, messages: Messages) -> Iterator[tuple[int, int]]:
        """(offset, length) of the part after the fixed fields of each good message: for kinds that are few."""
        good = messages.good
        yield from zip(messages.body[good].tolist(), messages.length[good].tolist(), strict=True)

    def text(self, messages: Messages) -> Strings:
        """The text that a message ends with, null where malformed."""
        lengths = np.maximum(messages.length - 1, 0)
        texts = Strings.from_spans(self.stream.data, np.where(messages.good, messages.body, 0), lengths)
        return Strings(texts.offsets, texts.values, valid=None if messages.good.all() else messages.good)

    # People.

    @cached_property
    def players(self) -> list[Player]:
        """Everybody with a number, by number: the script's seats, late joiners and who else connected."""
        players = {player.id: player for player in self.setup.players}
        late = self.messages["CREATE_NEWPLAYER"]
        side_of = {team.id: team.ally_team for team in self.setup.teams}
        names = self.text(late).to_objects()
        for index in np.flatnonzero(late.good).tolist():
            number, frame = int(late["player"][index]), int(self.stream.frame[late.rows[index]])
            spectator, team = bool(late["spectator"][index]), int(late["team"][index])
            if number in players and not players[number].joined_late:
                continue  # a seat of the script that comes back
            seat = None if spectator else team
            players[number] = Player(
                number, names[index], spectator, seat, side_of.get(team) if seat is not None else None,
                joined_late=True, joined_frame=frame,
            )  # fmt: skip
        known = self.messages["PLAYERNAME"]
        connected = self.text(known).to_objects()
        for index in np.flatnonzero(known.good).tolist():
            number = int(known["player"][index])
            if number not in players and number != SERVER:
                frame = int(self.stream.frame[known.rows[index]])
                players[number] = Player(number, connected[index], True, joined_late=True, joined_frame=frame)
        return [players[number] for number in sorted(players)]

    @cached_property
    def _names(self) -> tuple[NDArray[Any], Strings]:
        people = [player for player in self.players if player.id < 256]
        codes = np.full(256, -1, np.int8 if len(people) < 128 else np.int16)
        codes[[player.id for player in people]] = np.arange(len(people))
        return codes, Strings.from_list(player.name for player in people)

    def names(self, players: NDArray[Any], known: NDArray[np.bool_] | None = None) -> Strings:
        """The names of player numbers; null for the server, for nobody, and where not ``known``."""
        codes, names = self._names
        if players.dtype == np.uint8:
            found = looked_up(players, codes)
            return Strings.from_codes(found if known is None else np.where(known, found, codes.dtype.type(-1)), names)
        found = codes[np.clip(players, 0, 255)]
        inside = (players >= 0) & (players <= 255)
        return Strings.from_codes(np.where(inside if known is None else inside & known, found, -1), names)

    @cached_property
    def team_names(self) -> list[str]:
        """Who plays a team, by team number: its players, or its AI."""
        held: dict[int, list[str]] = {}
        for player in self.players:
            if player.team is not None and not player.spectator and not player.joined_late:
                held.setdefault(player.team, []).append(player.name)
        for ai in self.setup.ais:
            if ai.team is not None:
                held.setdefault(ai.team, []).append(ai.name or ai.short_name)
        return [", ".join(held.get(team.id, [])) for team in self.setup.teams]

    @cached_property
    def _team_texts(self) -> Strings:
        return Strings.from_list(self.team_names)

    def names_of_teams(self, teams: NDArray[Any], known: NDArray[np.bool_] | None = None) -> Strings:
        """`team_names` of team numbers, null for a team that the script has not."""
        codes = np.where((teams >= 0) & (teams < len(self.team_names)), teams, -1)
        return Strings.from_codes(codes if known is None else np.where(known, codes, -1), self._team_texts)

    @cached_property
    def ai_teams(self) -> NDArray[np.int16]:
        """The team of each skirmish AI by its number, -1 for none: int16 (256). Only the script says it of all."""
        teams = np.full(256, -1, np.int16)
        for ai in self.setup.ais[:256]:
            teams[ai.id] = -1 if ai.team is None else ai.team
        return teams

    @cached_property
    def _seat_changes(self) -> tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.int16]]:
        """Team of each player number at the start (-1 none); each change as player and packet in one, and its team."""
        seat = np.full(256, -1, np.int16)
        for player in self.setup.players:
            if not player.spectator and player.team is not None and player.id < 256:
                seat[player.id] = player.team
        changes: list[tuple[int, int, int]] = []
        late = self.messages["CREATE_NEWPLAYER"]
        for index in np.flatnonzero(late.good).tolist():
            team = -1 if late["spectator"][index] else int(late["team"][index])
            changes.append((int(late.rows[index]), int(late["player"][index]), team))
        actions = self.messages["TEAM"]
        for index in np.flatnonzero(actions.good & (actions["action"] == 3)).tolist():
            changes.append((int(actions.rows[index]), int(actions["player"][index]), int(actions["param1"][index])))
        now = seat.tolist()
        real = []
        for row, number, team in sorted(changes):
            if now[number] != team:
                now[number] = team
                real.append((number << 32 | row, team))
        real.sort()
        return seat, np.array([key for key, _ in real], np.int64), np.array([team for _, team in real], np.int16)

    def teams_of(self, players: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.int16]:
        """The team that each player held at that packet, -1 for none: the script's seat, changed by joining."""
        seat, changes, joined = self._seat_changes
        number = players if players.dtype == np.uint8 else np.clip(players, 0, 255).astype(np.uint8)
        teams: NDArray[np.int16] = seat.take(number)
        # Few players change their seat, so only for them the latest change is looked for.
        moved = np.zeros(256, bool)
        moved[changes >> 32] = True
        mine = np.flatnonzero(moved.take(number))
        if len(mine):
            owner = number[mine].astype(np.int64)
            latest = np.searchsorted(changes, owner << 32 | rows[mine], side="right") - 1
            since = (latest >= 0) & (changes[latest] >> 32 == owner)
            teams[mine[since]] = joined[latest[since]]
        return teams

    # Orders.

    @cached_property
    def orders(self) -> Orders:
        """Every order of the stream; see `semantics.spring.orders`."""
        from ksreplay.semantics.spring.orders import read_orders

        return read_orders(self)

    @cached_property
    def order_teams(self) -> NDArray[np.int16]:
        """The team that each carrier's orders are for: the AI's, else the one its player holds; -1 for none."""
        from ksreplay.semantics.spring.carriers import AI

        carriers = self.orders.carriers
        held = self.teams_of(carriers.player, carriers.packet)
        return np.where(carriers.source == AI, carriers.ai_team, held)

    @cached_property
    def order_selections(self) -> NDArray[np.int32]:
        """For each carrier the row of `selections` that its orders go to, -1 where they name their units."""
        from ksreplay.semantics.spring.carriers import SELECTION
        from ksreplay.semantics.spring.orders import latest_selection

        carriers = self.orders.carriers
        rows = np.full(len(carriers), -1, np.int32)
        mine = np.flatnonzero((carriers.source == SELECTION) & carriers.good)
        rows[mine] = latest_selection(self, carriers.player[mine], carriers.packet[mine])
        return rows

    @cached_property
    def aims(self) -> Aimed:
        """Where `orders` are aimed."""
        from ksreplay.semantics.spring.aims import aim

        return aim(self.orders)

    @cached_property
    def builds(self) -> Builds:
        """The build orders among `orders`, folded."""
        from ksreplay.semantics.spring.builds import read_builds

        return read_builds(self)

    # Lua.

    @cached_property
    def lua_kinds(self) -> NDArray[np.int8]:
        """The kind of each LUAMSG by its payload's beginning."""
        from ksreplay.semantics.spring.lua import kinds

        messages = self.messages["LUAMSG"]
        return kinds(self.stream.data, messages.body, messages.length)

    @cached_property
    def unit_list(self) -> list[str]:
        """The keys of the match's unit definitions, id n at n - 1, where the game sends them."""
        from ksreplay.semantics.spring.lua import unit_list

        return unit_list(self)

    @cached_property
    def _unit_texts(self) -> Strings:
        return Strings.from_list(self.unit_list)

    def unit_names(self, unit_def: NDArray[Any]) -> Strings:
        """The keys of definition ids, null where there is no list or the id is past its end."""
        known = (unit_def >= 1) & (unit_def <= len(self.unit_list))
        return Strings.from_codes(np.where(known, unit_def - 1, -1).astype(np.int32), self._unit_texts)

    # Winners.

    @cached_property
    def winners(self) -> tuple[list[int] | None, str]:
        """(ally teams that have won, which evidence says so); (None, "") without a result, which is no loss.

        No ally team at all is the engine's word for an undecided game: nobody has won it, and nobody lost.
        """
        if self.trailer.winners:
            return list(self.trailer.winners), "trailer"
        if self.game_over[1]:
            return sorted({side for winners in self.game_over[1] for side in winners}), "gameover"
        side = self.header.fields.get("winning_ally_team", -1)
        if self.header.layout < 5 and side >= 0 and not self.header.crashed:
            return [side], "header"
        return None, ""

    def check(self) -> None:
        """Compares the parts with each other, after everything has been decoded."""
        data, script = self.game_data, self.demo.script
        if data is not None and data.script.rstrip(b"\0") != script:
            self.problems.add(rules.SCRIPT_DIFFERS.problem("script", found=len(script), expected=len(data.script)))
        if len(self.stream) and self.stream.id[0] != IDS["GAMEDATA"]:
            self.problems.add(
                rules.GAMEDATA_FIRST.problem(
                    "stream.packet[0]", int(self.stream.offset[0]), found=int(self.stream.id[0])
                )
            )
        if not self.game.get("gametype") or not self.game.get("mapname"):
            self.problems.add(rules.SCRIPT_GAME.problem("script"))
        identity = self.messages["GAMEID"]
        for index in np.flatnonzero(identity.good).tolist():
            stated = bytes(identity["game_id"][index]).ljust(16, b"\0")
            if stated != self.header.game_id:
                self.problems.add(
                    rules.GAME_ID_DIFFERS.problem(
                        "stream.GAMEID", int(self.stream.offset[identity.rows[index]]), found=stated,
                        expected=self.header.game_id,
                    )
                )  # fmt: skip
        self._check_frames()
        if self.trailer.winners and self.game_over[1] and list(self.trailer.winners) not in self.game_over[1]:
            self.problems.add(
                rules.WINNERS_DIFFER.problem(
                    "trailer.winners", self.trailer.start, found=list(self.trailer.winners), expected=self.game_over[1]
                )
            )

    def _check_frames(self) -> None:
        stream = self.stream
        keys = self.messages["KEYFRAME"]
        rows = keys.rows[keys.good & (keys.rows > 0)]
        jumps = rows[stream.frame[rows].astype(np.int64) != stream.frame[rows - 1].astype(np.int64) + 1]
        for row in jumps.tolist():
            self.problems.add(
                rules.FRAME_JUMP.problem(
                    f"stream.packet[{row}]", int(stream.offset[row]), found=int(stream.frame[row]),
                    expected=int(stream.frame[row - 1]) + 1,
                )
            )  # fmt: skip
        times = stream.time
        with np.errstate(invalid="ignore"):
            back = np.flatnonzero(np.diff(times) < -0.1)
        if len(back):
            row = int(back[0]) + 1
            self.problems.add(
                rules.TIME_BACKWARDS.problem(
                    f"stream.packet[{row}]", int(stream.offset[row]), found=float(times[row]),
                    expected=float(times[row - 1]),
                )
            )  # fmt: skip
