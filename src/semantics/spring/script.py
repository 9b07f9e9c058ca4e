"""The start script: TDF text by the grammar of the engine's own parser, and the seats it sets up.

Source: seed 002 ("What is in a replay file"); RecoilEngine cont/base/springcontent/gamedata/parse_tdf.lua and
rts/Game/GameSetup.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ksreplay.errors import Problems
from ksreplay.formats.spring import FORMAT
from ksreplay.limits import Limits
from ksreplay.semantics.spring import rules

_LONGEST_NAME = 4096
_SPACE = re.compile(r"\s*")
#: A key with a value as most scripts have all of theirs: the parts below at once. What it leaves they take apart.
_PAIR = re.compile(r"""\s*+([^\s=/[{}][^\s=]*+)[ \t]*+=[ \t]*+(?:"([^"\n]*+)"[ \t]*+|((?:[^;\n"][^;\n]*+)?+));++""")
_KEY = re.compile(r"([^\s=]+)[ \t]*=[ \t]*")
_QUOTED = re.compile(r'"([^"\n]*)"[ \t]*;+')
_VALUE = re.compile(r"([^;\n]*)")
_END = re.compile(r";+")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_NUMBERED = re.compile(r"([a-z]+)(0|[1-9][0-9]{0,8})\Z")


@dataclass
class Section:
    """A section: names are lower case, a later duplicate replaces an earlier one."""

    pairs: dict[str, str] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)

    def get(self, key: str, default: str | None = None) -> str | None:
        return self.pairs.get(key, default)

    def integer(self, key: str, default: int | None = None) -> int | None:
        """The number that the value begins with, as the engine's atoi reads it; bounded to 64 bits."""
        return _integer(self.pairs.get(key), default)

    def number(self, key: str) -> float | None:
        """The value as a finite float, None where it is none."""
        found = _NUMBER.match((self.pairs.get(key) or "").strip()[:64])
        return float(found[0]) if found else None

    def numbered(self, kind: str) -> list[tuple[int, Section]]:
        """The sections ``kind0``, ``kind7``, ... by ascending number; gaps are legal, leading zeros are not."""
        found = []
        for name, section in self.sections.items():
            match = _NUMBERED.match(name)
            if match and match[1] == kind:
                found.append((int(match[2]), section))
        return sorted(found, key=lambda item: item[0])

    def flat(self, path: str = "") -> Iterator[tuple[str, str, str]]:
        """(path of the section, key, value) of everything below."""
        stack = [(path, self)]
        while stack:
            here, section = stack.pop()
            for key, value in section.pairs.items():
                yield here, key, value
            below = [(f"{here}/{name}" if here else name, inner) for name, inner in section.sections.items()]
            stack += reversed(below)


def _integer(text: str | None, default: int | None = None) -> int | None:
    found = re.match(r"\s*([-+]?\d{1,18})", text or "")
    return int(found[1]) if found else default


def pairs(
    text: str, passed_over: list[tuple[int, int]] | None = None
) -> list[tuple[tuple[str, ...], str, tuple[int, int]]]:
    """(path of sections, key, place of the value in ``text`` without its quotes) of every pair, in order.

    ``passed_over`` collects the places of all that is no part of a section or pair: white space, comments, and lines
    that break the grammar.
    """
    found: list[tuple[tuple[str, ...], str, tuple[int, int]]] = []
    parse(text, Problems(FORMAT, limit=0), Limits(), found, passed_over)
    return found


def parse(
    text: str,
    problems: Problems,
    limits: Limits,
    found_pairs: list[tuple[tuple[str, ...], str, tuple[int, int]]] | None = None,
    passed_over: list[tuple[int, int]] | None = None,
) -> Section:
    """The sections of a script. What breaks the grammar is a problem, and what was read before it stays.

    ``found_pairs`` collects where every value stands, overwritten ones included; ``passed_over`` as in `pairs`.
    """
    root = Section()
    stack = [root]
    path: list[str] = []
    at = 0

    def keep(key: str, value: str, span: tuple[int, int]) -> None:
        stack[-1].pairs[key.lower()] = value
        if found_pairs is not None:
            found_pairs.append((tuple(path), key.lower(), span))

    def pass_over(start: int, end: int) -> int:
        if passed_over is not None:
            passed_over.append((start, end))
        return end

    while True:
        pair = _PAIR.match(text, at)
        if pair is not None:
            which = 3 if pair[2] is None else 2
            keep(pair[1], pair[which], pair.span(which))
            at = pair.end()
            continue
        at = pass_over(at, _skip(text, at))
        if at >= len(text):
            break
        if text[at] == "}":
            at += 1
            if len(stack) > 1:
                stack.pop()
                path.pop()
            else:
                _complain(problems, at - 1, "A closing brace without a section.")
            continue
        if text[at] == "[":
            end = text.find("]", at, at + _LONGEST_NAME)
            name = text[at + 1 : end].lower() if end >= 0 else ""
            brace = _skip(text, end + 1) if name else at
            if text[brace : brace + 1] != "{":
                _complain(problems, at, "A section's name is not followed by an opening brace.")
                at = pass_over(at, max(_line_end(text, at), brace))
                continue
            if len(stack) > limits.nesting:
                _complain(problems, at, "Sections are nested too deeply.")
                pass_over(at, len(text))
                return root
            section = Section()
            stack[-1].sections[name] = section
            stack.append(section)
            path.append(name)
            at = pass_over(end + 1, brace) + 1
            continue
        key = _KEY.match(text, at)
        if key is None:
            _complain(problems, at, "Neither a section nor a key with a value.")
            at = pass_over(at, _line_end(text, at))
            continue
        at = key.end()
        quoted = _QUOTED.match(text, at)
        if quoted is not None:
            value, span, at = quoted[1], quoted.span(1), quoted.end()
        else:
            found = _VALUE.match(text, at)
            assert found is not None  # the pattern matches the empty text too
            value, span, at = found[1], found.span(1), found.end()
            ended = _END.match(text, at)
            if ended is None:
                _complain(problems, at, "A value is not ended by a semicolon.")
            else:
                at = ended.end()
        keep(key[1], value, span)
    if len(stack) > 1:
        _complain(problems, len(text), "The script ends inside a section.")
    return root


def _skip(text: str, at: int) -> int:
    """Past white space and comments; an unclosed comment goes to the end."""
    while True:
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        if text.startswith("//", at):
            at = _line_end(text, at)
        elif text.startswith("/*", at):
            closed = text.find("*/", at + 2)
            at = len(text) if closed < 0 else closed + 2
        else:
            return at


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _complain(problems: Problems, at: int, message: str) -> None:
    problems.add(rules.SCRIPT_SYNTAX.problem("script", None, found={"character": at}, message=message))


@dataclass
class Player:
    """Who sat at the game. ``id`` is the number in packets; ``team`` and ``ally_team`` are the engine's numbers too."""

    id: int
    name: str
    spectator: bool = False
    team: int | None = None
    ally_team: int | None = None
    section: Section = field(default_factory=Section)
    script_index: int | None = None
    joined_late: bool = False
    joined_frame: int | None = None

    @property
    def skill(self) -> float | None:
        """The rating: the first number of the text, whatever SPADS put around it."""
        found = re.search(r"[-+]?\d+(?:\.\d+)?", (self.section.get("skill") or "")[:64])
        return float(found[0]) if found else None


@dataclass
class Team:
    """One army. ``id`` and ``ally_team`` are the engine's numbers."""

    id: int
    ally_team: int | None
    leader: int | None
    section: Section
    script_index: int


@dataclass
class AllyTeam:
    """One side."""

    id: int
    section: Section
    script_index: int
    allies: tuple[int, ...] = ()


@dataclass
class Ai:
    """A skirmish AI: ``id`` in script order, ``team`` and ``host`` in the engine's numbers."""

    id: int
    name: str
    short_name: str
    version: str
    team: int | None
    host: int | None
    section: Section


@dataclass
class Setup:
    """The seats of a script, renumbered as the engine does: densely, in ascending script index."""

    root: Section
    players: list[Player]
    teams: list[Team]
    ally_teams: list[AllyTeam]
    ais: list[Ai]

    @property
    def game(self) -> Section:
        return self.root.sections.get("game", self.root)

    @property
    def mod_options(self) -> dict[str, str]:
        """What the game was set to, as the lobby wrote it."""
        return self._options("modoptions")

    @property
    def map_options(self) -> dict[str, str]:
        """What the map was set to, as the lobby wrote it."""
        return self._options("mapoptions")

    def _options(self, name: str) -> dict[str, str]:
        section = self.game.sections.get(name)
        return dict(section.pairs) if section else {}

    @property
    def restrictions(self) -> dict[str, int]:
        """Unit key -> how many of it a team may have."""
        section = self.game.sections.get("restrict")
        if section is None:
            return {}
        units = ((key[4:], value) for key, value in section.pairs.items() if key.startswith("unit"))
        return {unit: section.integer(f"limit{number}", 0) or 0 for number, unit in units if number.isdecimal()}


def seats(root: Section) -> Setup:
    """The players, teams, ally teams and AIs of a parsed script."""
    game = root.sections.get("game", root)
    found_players, found_teams = game.numbered("player"), game.numbered("team")
    found_sides, found_ais = game.numbered("allyteam"), game.numbered("ai")
    player_ids = {index: dense for dense, (index, _) in enumerate(found_players)}
    team_ids = {index: dense for dense, (index, _) in enumerate(found_teams)}
    side_ids = {index: dense for dense, (index, _) in enumerate(found_sides)}

    def renumbered(ids: dict[int, int], section: Section, key: str, default: int | None = None) -> int | None:
        index = section.integer(key, default)
        return None if index is None else ids.get(index)

    teams = [
        Team(
            team_ids[index], renumbered(side_ids, section, "allyteam"), renumbered(player_ids, section, "teamleader"),
            section, index,
        )
        for index, section in found_teams
    ]  # fmt: skip
    side_of = {team.id: team.ally_team for team in teams}
    players = []
    for index, section in found_players:
        spectator = bool(section.integer("spectator", 0))
        team = renumbered(team_ids, section, "team", None if spectator else 0)
        side = side_of.get(team) if team is not None else None
        players.append(Player(player_ids[index], section.get("name") or "", spectator, team, side, section, index))
    ally_teams = []
    for index, section in found_sides:
        number = section.integer("numallies", 0) or 0
        # What the section holds is looked through, not what it says how much there is.
        listed = sorted((int(found[2]), key) for key in section.pairs if (found := _NUMBERED.match(key)))
        allies = (section.integer(key) for n, key in listed if n < number and key == f"ally{n}")
        known = tuple(side_ids[ally] for ally in allies if ally in side_ids)
        ally_teams.append(AllyTeam(side_ids[index], section, index, known))
    ais = [
        Ai(
            dense, section.get("name") or "", section.get("shortname") or "", section.get("version") or "",
            renumbered(team_ids, section, "team"), renumbered(player_ids, section, "host"), section,
        )
        for dense, (_, section) in enumerate(found_ais)
    ]  # fmt: skip
    return Setup(root, players, teams, ally_teams, ais)


#: Keys whose values say who or where somebody is: shown with ``private=True`` only.
PRIVATE_KEYS = frozenset(
    "accountid autohostaccountid password hostip hostport sourceport autohostport userid clientid lobbyid".split()
)


def is_private(key: str) -> bool:
    return key in PRIVATE_KEYS or key.endswith(("password", "accountid"))


#: Columns of the tables `players` and `teams` that are named after script keys.
PLAYER_KEYS = ("rank", "countrycode", "skill", "skilluncertainty", "accountid", "clanid")
