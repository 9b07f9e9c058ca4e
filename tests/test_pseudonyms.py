"""Pseudonyms, policy and report of `redact`."""

from __future__ import annotations

import pytest

from ksreplay.pseudonyms import Policy, Pseudonymizer, Report, filler, replacer


def test_one_key_gives_one_pseudonym_everywhere() -> None:
    first, second = Pseudonymizer("key"), Pseudonymizer(b"key")
    assert first.name("Alice") == second.name("Alice")
    assert first.name("Alice") != first.name("Bob")
    assert first.name("Alice") != Pseudonymizer("other").name("Alice")
    assert Pseudonymizer().name("Alice") != Pseudonymizer().name("Alice")


@pytest.mark.parametrize("limit", [1, 3, 12, 16, 31])
def test_pseudonyms_fit_their_place(limit: int) -> None:
    pseudonyms = Pseudonymizer("key")
    name = pseudonyms.name("Žofie [clan]", limit=limit)
    assert len(name) == min(12, limit)
    assert name.isascii() and name.islower() and name.isalpha()
    assert pseudonyms.name("Žofie [clan]").startswith(name)
    assert len(pseudonyms.name("Žofie [clan]", length=40)) == 40


def test_names_of_a_file_stay_different() -> None:
    names = [f"player {i}" for i in range(60)]
    mapping = Pseudonymizer("key").names([*names, ""], limit=2)  # 64 pseudonyms of 2 letters
    assert len(set(mapping.values())) == 60
    assert "" not in mapping


def test_a_pseudonym_is_never_a_real_name() -> None:
    pseudonyms = Pseudonymizer("key")
    other = pseudonyms.name("Alice").upper()
    mapping = pseudonyms.names(["Alice", other])
    assert not {value.casefold() for value in mapping.values()} & {"alice", other.casefold()}


def test_numbers_stay_in_their_range() -> None:
    pseudonyms = Pseudonymizer("key")
    values = {pseudonyms.number(account, 1, 2**31 - 1) for account in range(1000)}
    assert len(values) == 1000
    assert min(values) >= 1 and max(values) < 2**31


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ed left", "bo left"),
        ("the edge", "the edge"),
        ("<ALICE> hi", "<carol> hi"),
        ("xAlice7", "xcarol7"),
        ("AliceCooper", "dave"),
        ("ŽOFIE and Žofie", "fifi and fifi"),
    ],
)
def test_names_inside_text(text: str, expected: str) -> None:
    replace = replacer({"Ed": "bo", "Alice": "carol", "AliceCooper": "dave", "Žofie": "fifi"})
    assert replace(text) == expected
    if "ŽO" not in text:
        assert replace(text.encode()) == expected.encode()


def test_numbers_and_single_letters_stay_in_running_text() -> None:
    replace = replacer({"1": "bo", "x": "ba", "2024": "be", "123456": "bi"})
    assert replace("1 x 2024 123456") == "1 x 2024 bi"


def test_names_inside_bytes_of_another_encoding() -> None:
    replace = replacer({"Jörgen": "mako"}, "cp1252")
    assert replace("\0Jörgen\0".encode("cp1252")) == b"\0mako\0"


def test_filler_keeps_the_size() -> None:
    assert filler("häl") == "xxx"
    assert filler(b"h\0l") == b"xxx"


def test_actions_of_free_text() -> None:
    pseudonyms, replace = Pseudonymizer("key"), replacer({"Alice": "carol"})
    assert pseudonyms.apply("keep", "hi Alice", replace) == "hi carol"
    assert pseudonyms.apply("erase", b"hi Alice", replace) == b"xxxxxxxx"
    assert len(pseudonyms.apply("pseudonym", b"\xff\0\1")) == 3


def test_actions_of_names() -> None:
    pseudonyms, names = Pseudonymizer("key"), ["Alice", "", "Bartholomew"]
    assert pseudonyms.mapping("keep", names) == {}
    assert pseudonyms.mapping("erase", names, limit=8) == {"Alice": "xxxxx", "Bartholomew": "xxxxxxxx"}
    assert pseudonyms.mapping("pseudonym", names, limit=8) == pseudonyms.names(names, limit=8)


def test_policy_refuses_what_it_does_not_know() -> None:
    assert Policy({"chat": "keep"}).keeps("chat")
    assert Policy().action("chat") == "erase"
    with pytest.raises(ValueError, match="no kind"):
        Policy({"chats": "keep"})
    with pytest.raises(ValueError, match="no action"):
        Policy({"chat": "shout"})  # type: ignore[dict-item]


def test_report_counts() -> None:
    report = Report()
    report.changed("chat")
    report.changed("chat", 2)
    report.note("no longer verifies")
    report.note("no longer verifies")
    assert report.to_dict() == {"changed": {"chat": 3}, "notes": ["no longer verifies"]}
