"""Every rule of the style lint, each with a small text that breaks it alone."""

from __future__ import annotations

import pytest
from gen import lint, model, yaml_core

GOOD = """\
meta:
  id: tiny
  title: Tiny
  license: CC0-1.0
  ks-version: "0.11"
  encoding: UTF-8
  endian: le
doc: A tiny layout.
doc-ref: seed 000
seq:
  - id: magic
    contents: TINY
  - id: num_points
    type: u2
  - id: points
    type: point
    repeat: expr
    repeat-expr: num_points
types:
  point:
    doc: A place.
    seq:
      - id: x
        type: s4
      - id: z
        type: s4
"""


def findings(text: str) -> list[lint.Finding]:
    specs: dict[str, model.Spec] = {}
    specs["tiny"] = model.Spec("tiny", text, yaml_core.loads(text), specs)
    return lint.check(specs["tiny"])


def test_a_good_file_has_no_findings() -> None:
    assert findings(GOOD) == []


@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        ("text", "doc: A place.", "doc: A place. "),
        ("text", "doc: A place.", "doc: " + "A place. " * 15 + "."),
        ("text", "title: Tiny\n", "title: Tiny\r\n"),
        ("text", "        type: s4\n", "        type: s4\n\n"),
        ("text", "meta:\n", "---\nmeta:\n"),
        ("text", "    seq:\n      - id: x\n        type: s4\n      - id: z\n        type: s4\n",
         "    seq:\n    - id: x\n      type: s4\n    - id: z\n      type: s4\n"),
        ("order", "doc: A tiny layout.\ndoc-ref: seed 000\n", "doc-ref: seed 000\ndoc: A tiny layout.\n"),
        ("order", "  id: tiny\n  title: Tiny\n", "  title: Tiny\n  id: tiny\n"),
        ("order", "    repeat: expr\n    repeat-expr: num_points\n", "    repeat-expr: num_points\n    repeat: expr\n"),
        ("order", "    type: u2\n", "    type: u2\n    colour: red\n"),
        ("order", "  title: Tiny\n", "  title: Tiny\n  author: me\n"),
        ("meta", "  id: tiny", "  id: small"),
        ("meta", "  license: CC0-1.0", "  license: MIT"),
        ("meta", '  ks-version: "0.11"', "  ks-version: 0.11"),
        ("meta", "  title: Tiny\n", ""),
        ("meta", "  title: Tiny\n", "  title: Tiny\n  tags:\n    - b\n    - a\n"),
        ("portable", "seq:\n  - id: magic", "params:\n  - id: size_param\n    type: u4\nseq:\n  - id: magic"),
        ("portable", "    type: point\n", "    type: elsewhere\n    doc: From afar.\n"),
        ("portable", "    contents: TINY\n", "    size: 4\n    process: my_own(1)\n"),
        ("portable", "  encoding: UTF-8", "  ks-opaque-types: true\n  encoding: UTF-8"),
        ("portable", "  encoding: UTF-8", "  imports:\n    - far\n  encoding: UTF-8"),
        ("representation", "    doc: A place.\n", "    -webide-representation: '{x} {y}'\n    doc: A place.\n"),
        ("encoding", "  encoding: UTF-8", "  encoding: utf8"),
        ("names", "num_points", "points_count"),
        ("names", "num_points", "amount_total"),
        ("names", "      - id: z\n        type: s4\n", "      - id: zCoordinate\n        type: s4\n        doc: Up.\n"),
        ("names", "    contents: TINY\n",
         "    contents: TINY\n  - id: text_bytes\n    type: u1\n  - id: text\n    type: str\n    size: text_bytes\n"),
        ("names", "types:\n", "instances:\n  start:\n    pos: magic_place\n    size: 4\n    doc: Here.\n"
         "  magic_place:\n    value: 4\ntypes:\n"),
        ("docs", "doc-ref: seed 000\n", ""),
        ("docs", "doc: A tiny layout.\n", ""),
        ("docs", "    doc: A place.\n", ""),
        ("docs", "      - id: z\n", "      - id: unknown_z\n"),
        ("docs", "      - id: z\n", "      - id: zz\n"),
        ("docs", "      - id: z\n        type: s4\n", "      - size: 4\n"),
    ],
)  # fmt: skip
def test_each_rule_finds_its_breach(rule: str, old: str, new: str) -> None:
    assert old in GOOD
    found = findings(GOOD.replace(old, new))
    assert rule in {f.rule for f in found}, found
    assert all(f.rule in lint.RULES for f in found)


def test_a_finding_names_file_line_and_rule() -> None:
    (found,) = findings(GOOD.replace("      - id: z\n", "      - id: zz\n"))
    assert str(found).startswith("tiny.ksy:25: point: zz needs a doc")
    assert str(found).endswith("[docs]")


def test_one_doc_holds_for_equal_fields() -> None:
    twice = GOOD.replace(
        "      - id: x\n        type: s4\n", "      - id: rate\n        type: s4\n        doc: Per frame.\n"
    )
    twice += "  other:\n    doc: Another.\n    seq:\n      - id: rate\n        type: s4\n"
    assert findings(twice) == []


def test_yaml_is_read_by_the_core_schema() -> None:
    loaded = yaml_core.loads("a: yes\nb: on\nc: 0x1f\nd: 1:30\ne: 010\nf: true\ng: ~\nh: 0.11\ni: '1'\n0x20: x\n")
    assert loaded == {
        "a": "yes", "b": "on", "c": 31, "d": "1:30", "e": 10, "f": True, "g": None, "h": 0.11, "i": "1", 32: "x",
    }  # fmt: skip
    with pytest.raises(yaml_core.YAMLError):
        yaml_core.loads("a: 1\na: 2\n")
