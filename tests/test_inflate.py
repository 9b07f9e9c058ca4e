"""The only decompressors: bounded, and honest about damage."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import ksreplay.formats.inflate as inflate_module
from ksreplay.errors import Corrupt, LimitExceeded, ReplayError, Truncated
from ksreplay.formats.inflate import Blocks, gunzip, inflate, inflate_partial, unzstd
from ksreplay.limits import Limits
from ksreplay.threads import ahead

TEXT = bytes(range(256)) * 40
SMALL = Limits(inflated_bytes=1 << 20, ratio_floor=1 << 16, inflate_ratio=50)


def test_gzip_members_are_joined() -> None:
    result = gunzip(gzip.compress(TEXT) + gzip.compress(b"tail"), Limits())
    assert (result.data, result.members, result.problem) == (TEXT + b"tail", 2, None)


def test_many_small_members_are_handed_over_together(monkeypatch: pytest.MonkeyPatch) -> None:
    handed = []

    def noted(pieces: Iterator[tuple[int, bytes]], depth: int) -> Iterator[tuple[int, bytes]]:
        for piece in ahead(pieces, depth):
            handed.append(len(piece[1]))
            yield piece

    monkeypatch.setattr(inflate_module, "ahead", noted)
    data = b"".join(gzip.compress(bytes([n % 256])) for n in range(60_000))
    result = gunzip(data, Limits())
    assert (result.members, bytes(result.data[:300])) == (60_000, bytes(n % 256 for n in range(300)))
    assert sum(handed) == 60_000 and len(handed) == 1


def test_trailing_bytes_are_named_and_padding_is_not() -> None:
    raw = gzip.compress(TEXT)
    assert gunzip(raw + bytes(100), Limits()).problem is None
    result = gunzip(raw + b"junk", Limits())
    assert result.data == TEXT and result.problem is not None
    assert (result.problem.code, result.problem.offset) == ("gzip-trailing", len(raw))


@given(st.integers(0, 9000))
def test_a_cut_gzip_gives_what_is_there(end: int) -> None:
    raw = gzip.compress(TEXT)
    result = gunzip(raw[: min(end, len(raw) - 1)], Limits())
    assert TEXT.startswith(result.data) and result.problem is not None


def test_a_flipped_gzip_gives_a_problem_or_the_same() -> None:
    raw = gzip.compress(TEXT)
    for place in range(len(raw)):
        result = gunzip(raw[:place] + bytes([raw[place] ^ 0x55]) + raw[place + 1 :], Limits())
        assert result.problem is not None or result.data == TEXT


def test_a_bomb_stops_at_the_limit() -> None:
    with pytest.raises(LimitExceeded):
        gunzip(gzip.compress(bytes(2 << 20)), SMALL)
    assert len(gunzip(gzip.compress(bytes(2 << 20)), SMALL, cap=100).data) == 100


def test_zlib_streams() -> None:
    raw = zlib.compress(TEXT)
    assert inflate(raw, len(TEXT)) == TEXT
    with pytest.raises(LimitExceeded):
        inflate(raw, len(TEXT) - 1)
    with pytest.raises(Truncated):
        inflate(raw[:-5], len(TEXT))
    with pytest.raises(Corrupt) as caught:
        inflate(raw + b"x", len(TEXT), offset=1000)
    assert caught.value.offset == 1000 + len(raw)
    assert inflate_partial(raw + b"x", len(TEXT)).data == TEXT
    assert isinstance(inflate_partial(raw[: len(raw) // 2], len(TEXT)).problem, Truncated)
    far = inflate_partial(raw, len(TEXT) - 1, where="w", offset=7)
    assert isinstance(far.problem, LimitExceeded)
    assert (far.data, far.problem.where, far.problem.offset) == (b"", "w", 7)


def test_blocks_are_bounded_alone_and_together() -> None:
    blocks = Blocks(Limits(nested_bytes=1000, ratio_floor=3000), "spring")
    block = [zlib.compress(bytes([n]) * 900) for n in range(4)]
    large = zlib.compress(bytes(1001))
    assert blocks.inflate(block[0]).complete
    assert blocks.inflate(block[0] + b"x").data == bytes(900)
    assert isinstance(blocks.inflate(large).problem, LimitExceeded)  # what came before it costs it nothing
    assert isinstance(blocks.inflate(block[1]).problem, LimitExceeded)  # 200 bytes are left
    assert blocks.inflate(block[0]).complete, "equal blocks are inflated once"


@given(st.binary(max_size=80))
def test_any_bytes_give_a_result_or_a_replay_error(data: bytes) -> None:
    for work in (lambda: inflate(data, 1000), lambda: unzstd(data, 1000, 1 << 20), lambda: gunzip(data, SMALL)):
        try:
            work()
        except ReplayError:
            pass


def zstd(data: bytes, **options: int) -> bytes:
    return zstandard.ZstdCompressor(**options).compress(data)


def test_zstd_is_exactly_one_bounded_frame() -> None:
    raw = zstd(TEXT)
    assert unzstd(raw, len(TEXT), 8 << 20) == TEXT
    stream = zstandard.ZstdCompressor().compressobj()
    unsized = stream.compress(TEXT) + stream.flush()
    assert unzstd(unsized, len(TEXT), 8 << 20) == TEXT
    for data, kind in [
        (raw + b"x", Corrupt), (raw + raw, Corrupt), (raw[:-3], Truncated),
        (b"\x50\x2a\x4d\x18\1\0\0\0a" + raw, Corrupt),
        (zstd(bytes(1 << 20)), LimitExceeded), (b"", ReplayError),
    ]:  # fmt: skip
        with pytest.raises(kind):
            unzstd(data, len(TEXT), 8 << 20)


def test_zstd_window_is_checked_before_memory_is_asked_for() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27, compression_level=3)
    stream = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    raw = stream.compress(TEXT) + stream.flush()
    with pytest.raises(LimitExceeded) as caught:
        unzstd(raw, 1 << 30, 8 << 20)
    assert caught.value.code == "zstd-window"
