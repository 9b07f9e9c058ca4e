"""The drift check itself: agrees where it should, and names what differs."""

import construct as c
import numpy as np
from drift import assert_same, differences

DTYPE = np.dtype(
    [("magic", "V4"), ("version", "<u2"), ("kind", "|u1"), ("rate", "<f4"), ("id", "S8"), ("pair", "<i2", (2,))]
)
FIELDS = {
    "magic": c.Const(b"ABCD"),
    "version": c.Rebuild(c.Int16ul, 5),
    "kind": c.Enum(c.Int8ub, one=1),
    "rate": c.Default(c.Float32l, 1.0),
    "id": c.PaddedString(8, "ascii"),
    "pair": c.Int16sl[2],
}


def build(**changed: c.Construct) -> c.Struct:
    return c.Struct(*[name / con for name, con in (FIELDS | changed).items()])


def test_agrees() -> None:
    assert_same(build(), DTYPE)
    assert_same(c.Struct("head" / build()), np.dtype([("head", DTYPE)]))


def test_variable_tail_is_compared_over_the_head() -> None:
    assert_same(build(text=c.GreedyBytes), DTYPE)


def test_names_each_difference() -> None:
    assert "version" in differences(build(version=c.Int16ub), DTYPE)[0]
    assert "rate" in differences(build(rate=c.Int32ul), DTYPE)[0]
    assert any("only in construct" in line for line in differences(build(more=c.Byte), DTYPE))
    short = c.Struct(*[name / con for name, con in list(FIELDS.items())[:-1]])
    assert any("only in the dtype" in line for line in differences(short, DTYPE))
    assert differences(build(pair=c.Int16sl[3]), DTYPE)


def test_unnamed_padding_is_compared_by_place() -> None:
    dtype = np.dtype([("a", "|u1"), ("reserved", "V3"), ("b", "<u4")])
    assert_same(c.Struct("a" / c.Byte, c.Padding(3), "b" / c.Int32ul), dtype)
    assert differences(c.Struct("a" / c.Byte, c.Padding(2), "b" / c.Int32ul), dtype)
