"""Work beside the caller: everything done once, in order, errors where they belong."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from ksreplay import threads


@pytest.fixture(params=["1", "2", "3"])
def count(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("KSREPLAY_THREADS", request.param)
    return int(request.param)


@pytest.fixture
def no_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setenv("KSREPLAY_THREADS", "2")
    monkeypatch.setattr(threading.Thread, "start", refuse)


@pytest.mark.parametrize("asked", ["", "0", "-1", "many"])
def test_as_many_as_processors_where_nothing_sensible_is_asked(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KSREPLAY_THREADS", asked)
    assert threads.threads() >= 1


@pytest.mark.parametrize("total", [0, 1, 2, 3, 10, 1000])
@pytest.mark.parametrize("least", [0, 1, 4, 1000])
def test_share_covers_the_range_once(count: int, total: int, least: int) -> None:
    seen: list[tuple[int, int]] = []
    threads.share(lambda low, high: seen.append((low, high)), total, least)
    seen.sort()
    assert [n for low, high in seen for n in range(low, high)] == list(range(total))
    assert len(seen) <= count
    assert len(seen) == 1 or all(high - low >= least for low, high in seen)


def test_share_is_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KSREPLAY_THREADS", "2")
    together = threading.Barrier(2, timeout=10)
    threads.share(lambda low, high: together.wait(), 2)


def test_share_raises_the_first_error_when_all_have_ended(count: int) -> None:
    ended: list[int] = []

    def work(low: int, high: int) -> None:
        time.sleep(0.02 if low else 0)
        ended.append(low)
        raise ValueError(low)

    with pytest.raises(ValueError, match=r"^0$"):
        threads.share(work, 9)
    assert len(ended) == count


@pytest.mark.parametrize("depth", [1, 2, 50])
def test_ahead_keeps_the_order(count: int, depth: int) -> None:
    assert list(threads.ahead((n * n for n in range(20)), depth)) == [n * n for n in range(20)]
    assert list(threads.ahead((), depth)) == []


def test_ahead_is_no_further_ahead_than_asked(count: int) -> None:
    done: list[int] = []
    for taken, _ in enumerate(threads.ahead(map(done.append, range(20)), 3), 1):
        time.sleep(0.002)
        assert taken <= len(done) <= taken + 3


def test_ahead_raises_in_its_turn(count: int) -> None:
    results = threads.ahead((12 // n for n in (3, 2, 1, 0, 4)), 5)
    assert [next(results) for _ in range(3)] == [4, 6, 12]
    with pytest.raises(ZeroDivisionError):
        next(results)
    with pytest.raises(StopIteration):
        next(results)


def test_ahead_raises_what_the_items_raise(count: int) -> None:
    def items() -> Iterator[int]:
        yield 1
        raise KeyError("no more")

    results = threads.ahead(map(str, items()), 2)
    assert next(results) == "1"
    with pytest.raises(KeyError):
        next(results)


def test_ahead_left_early_leaves_no_thread(count: int) -> None:
    before = threading.active_count()
    results = threads.ahead(map(str, range(1000)), 2)
    assert next(results) == "0"
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


@pytest.mark.usefixtures("no_thread_starts")
def test_where_no_thread_can_be_had_the_caller_works() -> None:
    seen: list[int] = []
    threads.share(lambda low, high: seen.extend(range(low, high)), 10)
    assert sorted(seen) == list(range(10))
    assert list(threads.ahead(map(str, range(3)), 2)) == ["0", "1", "2"]
