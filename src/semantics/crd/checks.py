"""The checks that need several fields at once, each reporting the rules of `ksreplay.semantics.crd.rules`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.errors import Problems, Severity
from ksreplay.formats import crd_rules
from ksreplay.formats.crd_commands import COMMAND_NAMES, OPEN_MENU, PICK, SUBMIT_WORD, TYPE_CHAR
from ksreplay.formats.crd_schema import BUILD_1_9_8, MAX_COPIES, MAX_COPIES_AT_ONCE, Payload
from ksreplay.formats.crd_ticks import LISTED
from ksreplay.rules import Rule
from ksreplay.semantics.crd import flags as words
from ksreplay.semantics.crd import names, rules
from ksreplay.semantics.crd.settings import as_newest, parse_game_version, reload_behaviour

SURVIVAL, RUSH, QUESTS, TYPO, TUTORIAL = 1, 2, 3, 4, 8

CARRY_DEFAULTS = {"target_world": None, "submit_count": 0, "match_count": 0, "highscore_names_loaded": False}

_Mask = Callable[[NDArray[np.uint32]], NDArray[np.bool_]]

#: What makes a flag word contradict itself.
FLAG_RULES: tuple[tuple[Rule, _Mask], ...] = (
    (rules.FLAGS_UNKNOWN, lambda f: f > words.KNOWN_BITS),
    (rules.FLAGS_MOVE_KEYS, lambda f: (f & words.MOVE_KEYS != 0) & (f & words.MOVE_KEYS_PRESENT == 0)),
    (rules.FLAGS_MOVE_ABSENT, lambda f: (f & 0xE00 != 0) & (f & words.MOVE_MODE_PRESENT == 0)),
    (rules.FLAGS_MOVE_MODE, lambda f: (f & words.MOVE_MODE_PRESENT != 0) & (f & 0xC00 == 0xC00)),
    (rules.FLAGS_AIM_ABSENT, lambda f: (f & 0xE000 != 0) & (f & words.AIM_PRESENT == 0)),
    (rules.FLAGS_AIM, lambda f: (f & words.AIM_PRESENT != 0) & (f & 0xE000 == 0xC000)),
)


class Checker:
    """The checks over one payload."""

    def __init__(self, payload: Payload, problems: Problems) -> None:
        self.payload = payload
        self.problems = problems
        self.newest = as_newest(payload)
        self.run: dict[str, Any] = self.newest["run"]
        self.result: dict[str, Any] = self.newest["result"]
        self.mode = self.run.get("game_mode_id")
        count = self.run.get("player_count")
        #: None where the file does not say or says nonsense, so that one wrong count is one finding.
        self.player_count = count if count is not None and 1 <= count <= 4 else None

    def check(self) -> None:
        self.check_run()
        self.check_quest()
        self.check_result()
        self.check_inputs()
        self.check_commands()
        self.check_playable()
        self.check_consistency()

    def report(
        self,
        rule: Rule,
        where: str,
        *,
        offset: int | None = None,
        found: Any = None,
        expected: Any = None,
        severity: Severity | None = None,
    ) -> None:
        if offset is None:
            offset = self.payload.offsets.get(where)
        self.problems.add(rule.problem(where, offset, found=found, expected=expected, severity=severity), rule.error)

    def check_run(self) -> None:
        run, mode = self.run, self.mode
        level, custom = run.get("quest_level"), run.get("custom_quest")
        if mode is not None and (level is not None) + (custom is not None) != (mode == QUESTS):
            found = [name for name, value in (("quest_level", level), ("custom_quest", custom)) if value is not None]
            self.report(rules.QUEST_CHOICE, "run.quest_level", found=found)
        count = self.player_count
        if count is not None and count > 1 and mode in (TYPO, TUTORIAL):
            self.report(rules.SINGLE_PLAYER, "run.player_count", found=count, expected=1)
        keys = self.newest["seat_keys"]
        if keys is not None:
            if count is not None and len(keys) != count:
                self.report(crd_rules.SEAT_KEY_COUNT, "seat_keys", found=len(keys), expected=count)
            known = [key for key in keys if key is not None]
            if len(set(known)) != len(known):
                self.report(rules.SEAT_KEY_DISTINCT, "seat_keys")
        carry = run.get("typo_carry")
        if carry is not None:
            submitted, matched = carry.get("submit_count"), carry.get("match_count")
            if submitted is not None and matched is not None and matched > submitted >= 0:
                self.report(rules.CARRY_ORDER, "run.typo_carry.match_count", found=matched, expected=f"0..{submitted}")
            if mode is not None and mode != TYPO and None not in (submitted, matched) and carry != CARRY_DEFAULTS:
                self.report(rules.CARRY_DEFAULT, "run.typo_carry", found=carry, expected=CARRY_DEFAULTS)
        if run.get("cl_build") == BUILD_1_9_8 and self.newest["rules"] == 1:
            self.report(rules.BUILD_RULES, "run.cl_build", found=1, expected=2)

    def check_quest(self) -> None:
        quest = (self.payload.run.get("custom_quest")) or {}
        if quest and self.run.get("hardcore"):
            self.report(rules.QUEST_HARDCORE, "run.hardcore", found=True, expected=False)
        tables, variants = quest.get("tables"), quest.get("variants")
        if tables and variants and None not in variants and set(variants) != set(range(len(tables))):
            found, expected = sorted(set(variants)), f"0..{len(tables) - 1}"
            self.report(crd_rules.CQ_VARIANTS, "run.custom_quest.variants", found=found, expected=expected)
        named = [(f"tables[{index}]", table) for index, table in enumerate(tables)] if tables else []
        played = (self.run.get("custom_quest") or {}).get("entries")
        for name, entries in [*named, ("entries", quest.get("entries"))]:
            # Of an early quest's tables the released reader looks at the one that is played.
            severity = None if entries is played else Severity.WARNING
            counts: Counter[int] = Counter()
            for entry in entries or []:
                if entry and entry.get("count") is not None and entry.get("trigger_ms") is not None:
                    counts[entry["trigger_ms"]] += max(0, entry["count"])
            where = f"run.custom_quest.{name}"
            trigger, most = max(counts.items(), key=lambda item: item[1], default=(0, 0))
            # An entry that alone is past the limit is reported as that.
            if most > MAX_COPIES_AT_ONCE and not any(
                entry and (entry.get("count") or 0) > MAX_COPIES_AT_ONCE for entry in entries or []
            ):
                self.report(
                    rules.COPIES_AT_ONCE, where, found={trigger: most}, expected=MAX_COPIES_AT_ONCE, severity=severity
                )
            if counts.total() > MAX_COPIES:
                self.report(rules.COPIES_TOTAL, where, found=counts.total(), expected=MAX_COPIES, severity=severity)

    def check_result(self) -> None:
        outcome, final = self.result.get("outcome"), self.result.get("quest_final_ms")
        allowed = names.outcomes().get(self.mode or 0)
        if outcome is not None and allowed is not None and outcome not in allowed:
            rule = rules.OUTCOME_TUTORIAL if outcome == "death" else rules.OUTCOME_MODE
            self.report(rule, "result.outcome", found=outcome, expected=list(allowed))
        if outcome is not None and (final is not None) != (outcome == "quest_completed"):
            self.report(rules.QUEST_FINAL, "result.quest_final_ms", found=final)
        players = self.result.get("players")
        if players is not None and self.player_count is not None and len(players) != self.player_count:
            self.report(crd_rules.RESULT_PLAYERS, "result.players", found=len(players), expected=self.player_count)

    def check_inputs(self) -> None:
        ticks = self.payload.ticks
        if self.player_count is not None and len(ticks):
            counts = np.full(len(ticks), ticks.num_players)
            for tick, count in ticks.inputs_in_tick.items():
                if tick < len(counts):
                    counts[tick] = count
            read = ticks.inputs_at[:, 0] >= 0
            broken = (counts != self.player_count) & (read | (counts == 0))
            self._listed(
                crd_rules.TICK_INPUTS, np.flatnonzero(broken), lambda tick: f"ticks[{tick}].inputs",
                lambda tick: int(ticks.inputs_at[tick, 0]) - 1 if read[tick] else None,
                lambda tick: int(counts[tick]), self.player_count,
            )  # fmt: skip
        flags = ticks.flags.reshape(-1)
        at = ticks.inputs_at.reshape(-1)
        players = ticks.num_players
        for rule, broken_of in FLAG_RULES:
            self._listed(
                rule, np.flatnonzero(broken_of(flags)),
                lambda row: f"ticks[{row // players}].inputs[{row % players}].flags",
                lambda row: int(at[row]) + 37, lambda row: f"0x{int(flags[row]):x}", None,
            )  # fmt: skip

    def _listed(
        self,
        rule: Rule,
        rows: NDArray[Any],
        where: Callable[[int], str],
        offset: Callable[[int], int | None],
        found: Callable[[int], Any],
        expected: Any,
    ) -> None:
        """Reports the first rows that break ``rule`` and counts the others."""
        for row in rows[:LISTED].tolist():
            self.problems.add(rule.problem(where(row), offset(row), found=found(row), expected=expected), rule.error)
        if len(rows) > LISTED:
            message = f"{rule.text}: {len(rows)} ticks break this"
            self.problems.add(rule.problem("ticks", found=len(rows), message=message), rule.error)

    def check_commands(self) -> None:
        commands = self.payload.ticks.commands
        if not len(commands):
            return
        ticks = np.array(commands.tick)
        kinds = np.array(commands.kind)
        players = np.array(commands.player)
        choices = np.array(commands.choice)

        def listed(rule: Rule, broken: NDArray[np.bool_], key: str, found: Any, expected: Any = None) -> None:
            first_of_tick = np.searchsorted(ticks, ticks)
            self._listed(
                rule, np.flatnonzero(broken),
                lambda row: f"ticks[{ticks[row]}].commands[{row - first_of_tick[row]}].{key}",
                lambda row: commands.offset[row], lambda row: found[row], expected,
            )  # fmt: skip

        kind_names = [COMMAND_NAMES[kind] for kind in commands.kind]
        if self.player_count is not None:
            expected = f"0..{self.player_count - 1}"
            listed(crd_rules.COMMAND_PLAYER, players >= self.player_count, "player_index", commands.player, expected)
        listed(crd_rules.COMMAND_CHOICE, choices > 6, "choice_index", commands.choice, "0..6")
        typed, perks = kinds >= TYPE_CHAR, kinds <= PICK
        if self.mode is not None and self.mode != TYPO:
            listed(rules.COMMAND_MODE, typed, "type", kind_names)
        if self.mode == RUSH:
            listed(rules.PERKS_IN_RUSH, perks, "type", kind_names)
        elif self.mode == TYPO:
            listed(rules.PERKS_IN_TYPO, perks, "type", kind_names)
        else:
            listed(rules.PICK_WITHOUT_MENU, _picks_without_menu(ticks, kinds), "type", kind_names)

    def check_playable(self) -> None:
        number = self.newest["rules"]
        if number is not None and number > 2:
            self.report(rules.RULES_UNKNOWN, "rules", found=number, expected=[1, 2])
        if reload_behaviour(self.newest) == "ambiguous":
            self.report(rules.COOP_RELOAD, "game_version", found=self.newest["game_version"])

    def check_consistency(self) -> None:
        result = self.result
        shots, hits = result.get("shots_fired"), result.get("shots_hit")
        if shots is not None and hits is not None and not 0 <= hits <= shots:
            self.report(rules.SHOTS, "result.shots_hit", found=hits, expected=f"0..{shots}")
        if self.mode == TYPO and shots is not None:
            # With the original bugs a run also counts the words of the runs before it.
            carried = (self.run.get("typo_carry") or {}).get("submit_count") if self.run.get("preserve_bugs") else 0
            most = self.payload.ticks.commands.kind.count(SUBMIT_WORD) + (carried or 0)
            if shots > most:
                self.report(rules.TYPO_SHOTS, "result.shots_fired", found=shots, expected=f"0..{most}")
        elapsed, num_ticks = result.get("elapsed_ms"), len(self.payload.ticks)
        if elapsed is not None and not 0 <= elapsed <= 16 * num_ticks:
            self.report(rules.ELAPSED, "result.elapsed_ms", found=elapsed, expected=f"0..{16 * num_ticks}")
        players = result.get("players") or []
        healths = [player.get("health") if player else None for player in players]
        if (
            result.get("outcome") == "death"
            and self.mode in (SURVIVAL, RUSH, TYPO)
            and any(health is not None and health > 0 for health in healths)
        ):
            self.report(rules.DEAD_HEALTH, "result.players", found=healths)
        final, perks = result.get("quest_final_ms"), result.get("pending_perks")
        known = [health for health in healths if health is not None]
        if final is not None and elapsed is not None and perks is not None and healths and len(known) == len(healths):
            expected = final_time(self.newest, elapsed, perks, known)
            if expected is not None and final != expected:
                self.report(rules.FINAL_VALUE, "result.quest_final_ms", found=final, expected=expected)
        label = self.newest["game_version"]
        if label and parse_game_version(label) is None:
            self.report(rules.LABEL, "game_version", found=label[:80])


def _picks_without_menu(ticks: NDArray[np.int64], kinds: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Picks that no menu of the tick before allows. A menu allows one pick, so the second pick of a tick needs a
    second menu; whether a perk was pending or the choice was offered only a simulation knows."""
    picks = kinds == PICK
    menus = ticks[kinds == OPEN_MENU]
    open_before = np.searchsorted(menus, ticks - 1, "right") - np.searchsorted(menus, ticks - 1, "left")
    ordinal = np.cumsum(picks)
    first_of_tick = np.searchsorted(ticks, ticks)
    before_tick = np.where(first_of_tick > 0, ordinal[np.maximum(first_of_tick - 1, 0)], 0)
    broken: NDArray[np.bool_] = picks & (ordinal - before_tick > open_before)
    return broken


def final_time(newest: dict[str, Any], elapsed: int, perks: int, healths: list[float]) -> int | None:
    """quest_final_ms by its formula (crd-format §5): the time less what health and unpicked perks take off.

    None where a value is beyond what the formula is for.
    """
    if not all(abs(health) <= 1e9 for health in healths):  # NaN is not, either
        return None
    if newest["rules"] == 2 and not newest["run"].get("preserve_bugs"):
        healths = [max(health, 0.0) for health in healths]
    first, *others = healths
    life = 50 * int(first) + sum(int(np.float32(health) * np.float32(50)) for health in others)
    return (elapsed - life - 1000 * perks) or 1
