"""Crimsonland replays as replay objects."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ksreplay.errors import INVALID, Problem, Problems
from ksreplay.formats import crd_rules
from ksreplay.formats.crd import read_envelope, write_envelope
from ksreplay.formats.crd_commands import COMMAND_NAMES
from ksreplay.formats.crd_encode import Encoder
from ksreplay.formats.crd_schema import Payload, read_payload
from ksreplay.formats.crd_ticks import Ticks
from ksreplay.formats.source import Source
from ksreplay.limits import Limits
from ksreplay.replay import Facts, Replay, TableDefinition
from ksreplay.semantics.crd import facts, identity, names, rules, tables
from ksreplay.semantics.crd.checks import Checker
from ksreplay.semantics.crd.compare import differences
from ksreplay.semantics.crd.folder import FILE_NAME, ONLINE, last_number
from ksreplay.semantics.crd.identity import RunId
from ksreplay.semantics.crd.ranked import Ranking, precheck
from ksreplay.semantics.crd.redact import redacted
from ksreplay.semantics.crd.versions import in_version

if TYPE_CHECKING:
    from ksreplay.differences import Difference
    from ksreplay.pseudonyms import Policy, Pseudonymizer, Report

#: Breaches of the canonical form that lose no value: writing the replay again sets them right.
_SET_RIGHT = frozenset(
    rule.code
    for rule in (
        crd_rules.KEY_ORDER, crd_rules.INT_WIDTH, crd_rules.FLOAT32, crd_rules.INT_FOR_FLOAT, crd_rules.STR_HEADER,
        crd_rules.BIN_HEADER, crd_rules.ARRAY_HEADER, crd_rules.MAP_HEADER, crd_rules.TRAILING, crd_rules.STATUS_KEY,
    )
)  # fmt: skip


class CrimsonlandReplay(Replay):
    """A ``.crd`` file. Opening reads and checks all of it, which costs milliseconds; tables are made when touched."""

    format: ClassVar[str] = "crd"

    def __init__(
        self, source: Source, *, strict: bool = False, private: bool = False, limits: Limits | None = None
    ) -> None:
        super().__init__(source, strict=strict, private=private, limits=limits)
        self.frame, self.payload = read_envelope(source.data, self.limits)
        self.document = read_payload(self.payload, self._problems, self.limits)
        checker = Checker(self.document, self._problems)
        #: The top map in the shape of the newest version, without ticks.
        self.newest: dict[str, Any] = checker.newest
        checker.check()
        if self.frame.content_size is None:
            self._problems.add(crd_rules.SIZE_UNSTATED.problem("frame.header", 4))
        self._check_file_name()

    def _check_file_name(self) -> None:
        match = FILE_NAME.fullmatch(self.source.name)
        mode = names.mode(self.newest["run"].get("game_mode_id"))
        if match is not None and mode is not None and match.group(2) != mode:
            self._problems.add(rules.FILE_NAME.problem("file", found=match.group(2), expected=mode))

    @property
    def ticks(self) -> Ticks:
        """Inputs and commands as arrays: ``axes``, ``flags``, ``commands``."""
        return self.document.ticks

    @cached_property
    def payload_sha256(self) -> str:
        """The SHA-256 of the payload, which identifies the run."""
        return hashlib.sha256(self.payload).hexdigest()

    def read_fully(self) -> None:
        """Opening has read everything."""

    def unwrap(self, part: str | None = None) -> bytes:
        """The msgpack payload."""
        return self.payload

    def encode(
        self, *, version: int | None = None, suffix: str = "", status_key: str | None = None, **options: Any
    ) -> bytes:
        """The file written anew: canonical, compressed as the game does it.

        ``version``: another format version (30..35), where it can say everything; ``status_key``: the spelling of
        run.status.quest_unlock_index_full. A file that only left the canonical form is set right; one with wrong
        values is refused, since guessing would change the run.
        """
        if options:
            raise TypeError(f"crd has no option {next(iter(options))!r} for writing")
        self.check_open()
        self._check_writable()
        return self.encode_payload(self.document, version=version, status_key=status_key)

    def encode_payload(self, document: Payload, *, version: int | None = None, status_key: str | None = None) -> bytes:
        """The file of a payload, such as one that `ksreplay.semantics.crd.edit` made of this replay's ``document``.

        It is read again before it is returned: a value that breaks a rule raises ReplayError.
        """
        values, version, status_key = in_version(document, version, status_key)
        payload = Encoder(version, status_key).encode(values, document.ticks)
        check = Problems(self.format, strict=True)
        Checker(read_payload(payload, check, self.limits), check).check()
        return write_envelope(payload, self.limits)

    def _check_writable(self) -> None:
        for problem in self._problems:
            if problem.severity in INVALID and problem.code not in _SET_RIGHT:
                raise rules.NOT_WRITABLE.failure(
                    self.format, problem.where, problem.offset, found=problem.code, message=problem.message
                )

    def redacted(self, pseudonyms: Pseudonymizer, policy: Policy, report: Report, suffix: str = "") -> bytes:
        """The file without names, seat keys and links; see `ksreplay.semantics.crd.redact`."""
        self._check_writable()
        return self.encode_payload(redacted(self.document, pseudonyms, policy, report))

    def compare(self, other: Self) -> list[Difference]:
        """The first tick, player and field of the inputs that differ, and every setting that does."""
        found = differences(self.document, other.document)
        if self.private:
            return found
        return [
            replace(item, left=item.left and "private", right=item.right and "private")
            if item.field.startswith("seat_keys[")
            else item
            for item in found
        ]

    def streams(self) -> Iterator[tuple[str, bytes]]:
        yield "", self.source.data
        yield "payload", self.payload

    def validate(self, profile: str = "release") -> list[Problem]:
        """Every broken rule. Under ``release`` a rule of the released reader is ``strict``; under ``seed`` one that
        the format page does not state is a ``warning``."""
        if profile not in rules.PROFILES:
            raise ValueError(f"no profile {profile!r}; there are {', '.join(rules.PROFILES)}")
        problems = super().validate(profile)
        if profile == "release":
            return problems
        if self.document.status_key == "quest_unlock_index_full":
            where = "run.status.quest_unlock_index_full"
            problems.append(rules.SEED_STATUS_KEY.problem(where, self.document.offsets.get(where)))
        softened = rules.SEED_SEVERITIES
        return [
            replace(problem, severity=softened[problem.code])
            if problem.code in softened and problem.severity in INVALID
            else problem
            for problem in problems
        ]

    def facts(self, full: bool) -> Facts:
        result = self.newest["result"]
        elapsed = result.get("elapsed_ms")
        return Facts(
            format_version=self.document.values.get("format_version") or self.document.version,
            complete=True,
            game="Crimsonland",
            duration_s=None if elapsed is None else elapsed / 1000,
            players=facts.players(self.newest),
            result=facts.result(self.newest),
            details=self._details(full),
        )

    def _details(self, full: bool) -> dict[str, Any]:
        details: dict[str, Any] = {
            **facts.settings(self.newest, len(self.ticks)),
            "seat_keys": self._seat_keys(),
            "payload_sha256": self.payload_sha256,
            **self._identity(full),
            "payload_bytes": len(self.payload),
            "status_key": self.document.status_key,
            **self._file_name_facts(),
            **self.newest["result"],
        }
        if full:
            kinds = self.ticks.commands.kind
            details["commands"] = {
                name: count for code, name in enumerate(COMMAND_NAMES) if (count := kinds.count(code))
            }
        return details

    @cached_property
    def ranking(self) -> Ranking:
        """Whether a leaderboard would rank the run, as far as no simulation is needed."""
        return precheck(self.newest, self.ticks)

    @cached_property
    def run_id(self) -> RunId:
        """The leaderboard's id of the run, or why it cannot be had from what is known."""
        return identity.run_id(self.newest, self.ticks)

    @cached_property
    def inputs_key(self) -> str | None:
        """Equal for replays that the leaderboard would take for the same inputs again."""
        return identity.inputs_key(self.newest, self.ticks)

    def _identity(self, full: bool) -> dict[str, Any]:
        if not full:
            return {}
        quest = self.newest["run"].get("custom_quest")
        return {
            "run_id": self.run_id.value,
            "run_id_refused": self.run_id.refused or None,
            "inputs_key": self.inputs_key,
            "quest_digest": identity.quest_digest(quest) if quest else None,
            "board": self.ranking.board,
            "unranked_reasons": list(self.ranking.reasons),
        }

    def _seat_keys(self) -> Any:
        keys = self.newest["seat_keys"]
        if keys is None:
            return None
        return [key.hex() if key is not None else None for key in keys] if self.private else len(keys)

    def _file_name_facts(self) -> dict[str, Any]:
        """What a client's file name and folder say: the replay's number and the highest handed out, fetched or own."""
        match = FILE_NAME.fullmatch(self.source.name)
        path = getattr(self.source, "path", None)
        return {
            "replay_number": int(match.group(1)) if match else None,
            "online": path is not None and path.parent.name == ONLINE,
            "last_number": last_number(path.parent) if match and path is not None else None,
        }

    TABLES: ClassVar[tuple[TableDefinition[Any], ...]] = (
        TableDefinition(tables.TICKS, lambda r: tables.ticks_table(r.document), lambda r: len(r.ticks)),
        TableDefinition(
            tables.INPUTS, lambda r: tables.inputs_table(r.document), lambda r: len(r.ticks) * r.ticks.num_players
        ),
        TableDefinition(tables.COMMANDS, lambda r: tables.commands_table(r.document), lambda r: len(r.ticks.commands)),
        TableDefinition(
            tables.PLAYERS,
            lambda r: tables.players_table(r.document),
            lambda r: len(r.newest["result"].get("players") or []),
        ),
        TableDefinition(tables.WEAPON_USAGE, lambda r: tables.weapon_usage_table(r.document)),
        TableDefinition(
            tables.SPAWN_ENTRIES,
            lambda r: tables.spawn_entries_table(r.newest),
            lambda r: len(tables.spawn_entries(r.newest)),
        ),
        TableDefinition(tables.HOLDS, lambda r: tables.holds_table(r.document)),
        TableDefinition(
            tables.PLAYER_STATS, lambda r: tables.player_stats_table(r.document), lambda r: r.ticks.num_players
        ),
    )
