"""What identifies a run: the payload's hash, the leaderboard's run ids as far as sources fix them, and the inputs.

Source: seed 001, Historical rules profiles; crd-format §8. A run id hashes a transport: a header of u32 words, the
quest's bytes, then every tick. Only the solo header of 65 words is known word for word. The header with the player
count, which co-op and rules-2 ids hash, is known to have 66 words but not where the player count stands among them,
so those ids are refused with that reason and not guessed.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from ksreplay.formats.crd_commands import OPEN_MENU, PICK
from ksreplay.formats.crd_schema import BUILD_1_9_93
from ksreplay.formats.crd_ticks import Ticks

#: Modes that the leaderboard's transport carries.
_MODES = {1: "survival", 2: "rush", 3: "quest"}
#: Ids of commands in the transport by our code.
_COMMAND_IDS = {PICK: 1, OPEN_MENU: 2}
_MAX_COMMANDS = 16
_QUEST_ENTRIES = 256
_SEED_MASK = 0x7FFFFFFF
_PLAYER_COUNT_UNKNOWN = (
    "the id hashes a header of 66 words with the player count, and no source says where among them it stands"
)


@dataclass(frozen=True, slots=True)
class RunId:
    """A run id, or why there is none: ``value`` is hexadecimal or None, then ``refused`` says why."""

    value: str | None
    refused: str = ""


def run_id(newest: dict[str, Any], ticks: Ticks) -> RunId:
    """The leaderboard's id of the run."""
    refused = _refused(newest, ticks)
    if refused:
        return RunId(None, refused)
    if newest["rules"] != 1 or newest["run"]["player_count"] != 1 or newest["run"]["cl_build"] != BUILD_1_9_93:
        return RunId(None, _PLAYER_COUNT_UNKNOWN)
    return RunId(hashlib.sha256(solo_transport(newest, ticks)).hexdigest())


def solo_sha256(newest: dict[str, Any], ticks: Ticks) -> str | None:
    """The SHA-256 of the solo transport under any rules: what rules-1 ids are, None for co-op and other modes."""
    if _refused(newest, ticks) or newest["run"]["player_count"] != 1:
        return None
    return hashlib.sha256(solo_transport(newest, ticks)).hexdigest()


def _refused(newest: dict[str, Any], ticks: Ticks) -> str:
    run = newest["run"]
    if run.get("game_mode_id") not in _MODES:
        return "the transport carries only Survival, Rush and quests"
    words = _header_words(run)
    if any(word is None or not -(1 << 31) <= word < 1 << 32 for word in words) or len(words) != 65:
        return "a setting is missing or out of range"
    if run.get("player_count") not in (1, 2, 3, 4) or ticks.num_players != run["player_count"] or ticks.inputs_in_tick:
        return "the inputs do not fit the player count"
    if any(kind not in _COMMAND_IDS for kind in ticks.commands.kind):
        return "the transport has no typed commands"
    if len(ticks.commands) and np.bincount(ticks.commands.tick).max() > _MAX_COMMANDS:
        return f"the transport has room for {_MAX_COMMANDS} commands a tick"
    if run.get("custom_quest") is not None and quest_block(run["custom_quest"]) is None:
        return "the custom quest does not fit its block"
    return ""


def _header_words(run: dict[str, Any]) -> list[int | None]:
    """The 65 words of the solo header."""
    status = run.get("status") or {}
    level = run.get("quest_level") or {}
    return [
        run.get("seed"),
        run.get("game_mode_id"),
        level.get("major", 1),
        level.get("minor", 1),
        status.get("quest_unlock_index"),
        status.get("quest_unlock_index_full"),
        run.get("detail_preset"),
        run.get("violence_disabled"),
        run.get("friendly_fire"),
        run.get("hardcore"),
        run.get("quest_fail_retry_count"),
        run.get("preserve_bugs"),
        *(status.get("weapon_usage_counts") or []),
    ]


def _words(words: list[int | None]) -> bytes:
    return b"".join(struct.pack("<I", int(word or 0) & 0xFFFFFFFF) for word in words)


def solo_transport(newest: dict[str, Any], ticks: Ticks) -> bytes:
    """The bytes that a rules-1 solo id hashes: 65 words, the quest's block, then the ticks."""
    quest = newest["run"].get("custom_quest")
    return _words(_header_words(newest["run"])) + ((quest_block(quest) or b"") if quest else b"") + _tick_bytes(ticks)


_INPUT = np.dtype([("axes", "<f4", (4,)), ("flags", "<u4")])


def _tick_bytes(ticks: Ticks) -> bytes:
    """Every tick: its inputs, the number of its commands, the commands as pairs of i32 (kind, argument)."""
    row = np.dtype([("inputs", _INPUT, (ticks.num_players,)), ("commands", "<u4")])
    rows = np.zeros(len(ticks), row)
    rows["inputs"]["axes"], rows["inputs"]["flags"] = ticks.axes, ticks.flags
    bodies: dict[int, list[bytes]] = {}
    commands = ticks.commands
    for tick, kind, choice in zip(commands.tick, commands.kind, commands.choice, strict=True):
        argument = choice if kind == PICK else 0
        bodies.setdefault(tick, []).append(struct.pack("<ii", _COMMAND_IDS.get(kind, 0), argument))
    for tick, items in bodies.items():
        rows["commands"][tick] = len(items)
    data = rows.tobytes()
    pieces, done = [], 0
    for tick in sorted(bodies):
        end = (tick + 1) * row.itemsize
        pieces += [data[done:end], *bodies[tick]]
        done = end
    return b"".join([*pieces, data[done:]])


def _bits(ids: list[int]) -> int:
    """A mask with a bit for each id; an id can be any number, so it is looked at before anything is shifted."""
    mask = 0
    for number in ids:
        if not 0 <= number < 64:
            raise ValueError(f"no bit for the id {number}")
        mask |= 1 << number
    return mask


def quest_block(quest: dict[str, Any]) -> bytes | None:
    """A custom quest as the leaderboard hashes it: 6184 bytes, title and author left out; None where it does not fit.

    Ten u32 (start weapon, three terrain slots, entries, masks of refused bonuses, perks and weapons), then 24 bytes
    an entry, padded to 256 entries.
    """
    entries = quest.get("entries") or []
    if len(entries) > _QUEST_ENTRIES:
        return None
    try:
        perks, weapons = _bits(quest["no_perks"]), _bits(quest["no_weapons"])
        head = [
            quest["start_weapon_id"], *quest["terrain_slots"], len(entries), _bits(quest["no_bonuses"]),
            perks & 0xFFFFFFFF, perks >> 32, weapons & 0xFFFFFFFF, weapons >> 32,
        ]  # fmt: skip
        block = struct.pack("<10I", *head)
        for entry in entries:
            place = entry["pos"]
            block += struct.pack(
                "<fffiii",
                place["x"],
                place["y"],
                entry["heading"],
                entry["spawn_id"],
                entry["trigger_ms"],
                entry["count"],
            )
    except (struct.error, TypeError, KeyError, ValueError, OverflowError):
        return None
    return block.ljust(40 + 24 * _QUEST_ENTRIES, b"\0")


def quest_digest(quest: dict[str, Any]) -> str | None:
    """The SHA-256 of a custom quest's block: equal for quests that play the same."""
    block = quest_block(quest)
    return None if block is None else hashlib.sha256(block).hexdigest()


def inputs_key(newest: dict[str, Any], ticks: Ticks) -> str | None:
    """One key for all replays that are the same inputs under the same settings: ksreplay's own, no leaderboard id.

    Left out is what the leaderboard looks through when it refuses a run for being another one again: bit 31 of the
    seed, which the game never reads (only for one player, as the seed says it), the original build and the rules.
    None where a setting is missing.
    """
    run = newest["run"]
    words = _header_words(run)
    if None in words or run.get("player_count") is None:
        return None
    if run["player_count"] == 1:
        words[0] = int(words[0] or 0) & _SEED_MASK
    quest = run.get("custom_quest")
    digest = hashlib.sha256(b"ksreplay:crd:inputs\0" + _words([run["player_count"], *words]))
    digest.update((quest_block(quest) or b"?") if quest else b"")
    digest.update(_tick_bytes(ticks))
    commands = ticks.commands
    digest.update(repr((commands.tick, commands.kind, commands.player, commands.choice, commands.char)).encode())
    typed = (run.get("typo_dictionary_words"), run.get("typo_highscore_names"), run.get("typo_carry"))
    digest.update(repr(typed).encode())
    return digest.hexdigest()
