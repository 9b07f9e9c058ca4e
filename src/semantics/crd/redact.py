"""A replay without what names a person: the pilot, the quest's author, the score table's names, seat keys, links.

Settings that steer the simulation are the score table's names (Typ-o draws creatures' names from them) and what the
player typed; all else can go without changing the run. Every pseudonym of such a name is as long as the name, so
that typed letters stay where they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ksreplay.formats.crd_commands import ERASE_CHAR, SUBMIT_WORD, TYPE_CHAR, Commands
from ksreplay.formats.crd_schema import Payload
from ksreplay.pseudonyms import Policy, Pseudonymizer, Report, replacer

#: Typed letters that are taken for the beginning of a name.
_TELLING = 3
_PILOT_NAME, _AUTHOR = 31, 31


def redacted(payload: Payload, pseudonyms: Pseudonymizer, policy: Policy, report: Report) -> Payload:
    """The payload with pseudonyms; ``report`` says what changed and what no longer holds."""
    values = dict(payload.values)
    run = dict(values.get("run") or {})
    pilot, quest = values.get("pilot"), run.get("custom_quest")
    mapping = _mapping(pseudonyms, policy, run, pilot, quest)
    in_text = replacer(mapping)
    if pilot is not None:
        values["pilot"] = _pilot(pilot, mapping, in_text, policy, report)
    if quest is not None:
        run["custom_quest"] = _quest(quest, mapping, in_text, report)
    names = run.get("typo_highscore_names") or []
    if names and mapping:
        run["typo_highscore_names"] = [mapping.get(name, name) for name in names]
        report.changed("name", len(names))
        report.note("crd: the run no longer verifies: Typ-o draws creatures' names from the score table")
    words = run.get("typo_dictionary_words") or []
    replaced = [in_text(word)[:15] for word in words]
    if replaced != words:
        run["typo_dictionary_words"] = replaced
        report.changed("name", sum(a != b for a, b in zip(words, replaced, strict=True)))
        report.note("crd: the run no longer verifies: words of the Typ-o dictionary were names")
    keys = values.get("seat_keys")
    if keys is not None and not policy.keeps("seat"):
        values["seat_keys"] = _seat_keys(keys, pseudonyms, policy.action("seat") == "erase", report)
        report.note("crd: signatures no longer fit: they cover the seat keys")
    values["run"] = run
    ticks = payload.ticks
    if mapping and any(kind == TYPE_CHAR for kind in ticks.commands.kind):
        kept = {word.casefold() for word, new in zip(words, replaced, strict=True) if word == new}
        chars = retyped(ticks.commands, {name: mapping[name] for name in names if name in mapping}, kept)
        if chars != ticks.commands.char:
            report.changed("name", sum(a != b for a, b in zip(chars, ticks.commands.char, strict=True)))
            ticks = replace(ticks, commands=replace(ticks.commands, char=chars))
    if report.counts:
        report.note("crd: the payload's hash is another one, so a signature or leaderboard entry no longer fits")
    return replace(payload, values=values, ticks=ticks)


def _mapping(
    pseudonyms: Pseudonymizer,
    policy: Policy,
    run: dict[str, Any],
    pilot: dict[str, Any] | None,
    quest: dict[str, Any] | None,
) -> dict[str, str]:
    """Every name of the file and what replaces it; names of the score table keep their length."""
    listed = [name for name in run.get("typo_highscore_names") or [] if name]
    free = [name for name in ((pilot or {}).get("name"), (quest or {}).get("author")) if name]
    lengths = {name: len(name) for name in listed}
    names, limit = [*listed, *free], min(_PILOT_NAME, _AUTHOR)
    return pseudonyms.mapping(policy.action("name"), names, limit=limit, lengths=lengths)


def _pilot(
    pilot: dict[str, Any], mapping: dict[str, str], in_text: Any, policy: Policy, report: Report
) -> dict[str, Any]:
    changed = dict(pilot)
    name, url = pilot.get("name") or "", pilot.get("url") or ""
    if name in mapping:
        changed["name"] = mapping[name]
        report.changed("name")
    changed["model"] = in_text(pilot.get("model") or "")[:64]
    # An empty url is what the format has for none; anything else would have to be an address again.
    changed["url"] = url if policy.keeps("link") else ""
    if changed["url"] != url:
        report.changed("link")
    elif url:
        head = "https://"
        changed["url"] = head + in_text(url[len(head) :])[: 200 - len(head)]
    return changed


def _quest(quest: dict[str, Any], mapping: dict[str, str], in_text: Any, report: Report) -> dict[str, Any]:
    author, title = quest.get("author"), quest.get("title") or ""
    changed = {**quest, "title": in_text(title)[:64]}
    if author in mapping:
        changed["author"] = mapping[author]
        report.changed("name")
    return changed


def _seat_keys(keys: list[bytes], pseudonyms: Pseudonymizer, erase: bool, report: Report) -> list[bytes]:
    """Keys that are no one's, all distinct as the format wants them."""
    report.changed("seat", len(keys))
    if erase:
        return [b"x" * 31 + b"%d" % seat for seat in range(len(keys))]
    return [pseudonyms.octets(key or b"", 32, "seat") for key in keys]


def retyped(commands: Commands, mapping: dict[str, str], kept: set[str] | None = None) -> list[str | None]:
    """The typed characters, with the letters of a name's pseudonym wherever a name, or its beginning, was typed.

    Words of ``kept`` (those of the dictionary, which are no names) stay.
    """
    chars = list(commands.char)
    folded = {name.casefold(): new for name, new in mapping.items() if len(name) == len(new)}
    typed: dict[int, list[int]] = {}

    def settle(places: list[int]) -> None:
        word = "".join((commands.char[place] or "") for place in places).casefold()
        if len(word) != len(places) or len(word) < _TELLING or word in (kept or ()):
            return
        for name, new in folded.items():
            if name.startswith(word):
                for place, letter in zip(places, new, strict=False):
                    chars[place] = letter
                return

    growing: dict[int, bool] = {}
    for index, (kind, player) in enumerate(zip(commands.kind, commands.player, strict=True)):
        places = typed.setdefault(player, [])
        if kind == TYPE_CHAR:
            places.append(index)
            growing[player] = True
        elif kind in (ERASE_CHAR, SUBMIT_WORD):
            # What stood there before it was taken back counts as typed, too.
            if growing.get(player):
                settle(places)
            growing[player] = False
            if kind == SUBMIT_WORD:
                places.clear()
            elif places:
                places.pop()
    for places in typed.values():
        settle(places)
    return chars
