"""All 255 other values of every byte of a small file: python tools/fuzz/every_byte_long.py [TARGET...].

Each input is opened, every table made, `info(full=True)` and `validate` asked, and opened once more strictly. A result
or a ReplayError is a good answer; anything else, or more than `HANG` seconds, is a find. Progress is kept in --state,
so that a run that was stopped goes on; --random N tries N changes in the first 4 KiB of each bigger sample instead.
Prints what was tried, how it ended, and the worst time. Small files and targets: `small`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ksreplay
from fuzz.small import SAMPLES, TARGETS, Target, changed

HANG, HUNG = 20.0, "! TimeoutError"
MEMORY = 4 << 30
DENSE = 4096
ROOT = Path(__file__).resolve().parents[2]


def touch(data: bytes, *, strict: bool = False) -> ksreplay.ReplayError | dict[str, Any]:
    """Everything a reader does; whatever is no ReplayError leaves."""
    try:
        with ksreplay.open(data, strict=strict, private=True) as replay:
            rows = {name: len(replay.tables[name]) for name in replay.tables}
            info = replay.info(full=True)
            assert info["tables"] == rows
            replay.validate()
            return info
    except ksreplay.ReplayError as error:
        assert error.code
        assert error.format or isinstance(error, ksreplay.UnknownFormat | ksreplay.Truncated)
        return error


def strictly(data: bytes) -> None:
    """Opening alone, the first broken rule raised."""
    try:
        ksreplay.open(data, strict=True).close()
    except ksreplay.ReplayError as error:
        assert error.code


def hung(*_: object) -> None:
    raise TimeoutError(f"more than {HANG} s")


def attempt(data: bytes) -> tuple[str, float, str]:
    """(how it ended, seconds of processor time, where an exception came from)."""
    start, find = time.process_time(), ""
    signal.signal(signal.SIGPROF, hung)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    try:
        answer = touch(data)
        strictly(data)
        if isinstance(answer, ksreplay.ReplayError):
            outcome = answer.code
        else:
            outcome = "problems" if answer["problems"] else "clean"
    except Exception as error:
        outcome = f"! {type(error).__name__}"
        find = "".join(traceback.format_exception(error)[-6:])[-1500:]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return outcome, time.process_time() - start, find


class Tally:
    """What came of the inputs so far; JSON and back."""

    def __init__(self, kept: dict[str, Any] | None = None) -> None:
        kept = kept or {}
        self.inputs: int = kept.get("inputs", 0)
        self.results: Counter[str] = Counter(kept.get("results", {}))
        self.finds: list[dict[str, Any]] = kept.get("finds", [])
        self.seconds: float = kept.get("seconds", 0.0)
        self.worst: float = kept.get("worst", 0.0)
        self.worst_at: list[int] = kept.get("worst_at", [])
        self.next: int = kept.get("next", 0)  # how many offsets are done

    def try_one(self, data: bytes, place: list[int]) -> None:
        outcome, spent, find = attempt(data)
        if outcome == HUNG:  # a machine that was paused looks the same: only twice is a find
            outcome, spent, find = attempt(data)
        if find and len(self.finds) < 100:
            self.finds.append({"place": place, "trace": find})
        self.inputs += 1
        self.results[outcome] += 1
        self.seconds += spent
        if spent > self.worst:
            self.worst, self.worst_at = spent, place

    def line(self, name: str, offsets: int) -> str:
        ends = ", ".join(f"{code} {count:,}" for code, count in self.results.most_common())
        return (
            f"{name}: {self.inputs:,} files at {self.next:,} of {offsets:,} offsets, "
            f"{sum(count for code, count in self.results.items() if code[0] == '!')} other exceptions, "
            f"worst {1000 * self.worst:.0f} ms at {self.worst_at}, {self.seconds:.0f} s\n    {ends}"
        )


def sweep(target: Target, tally: Tally) -> Iterator[None]:
    """Tries every value at every offset that is not done yet; gives way after each offset."""
    for offset in target.offsets()[tally.next :]:
        for value, data in target.files(offset):
            tally.try_one(data, [offset, value])
        tally.next += 1
        yield


def scatter(target: Target, tally: Tally, count: int) -> None:
    """``count`` changes at random in the first 4 KiB."""
    content, chance = target.content(), random.Random(target.format)
    for number in range(count):
        offset, value = chance.randrange(min(DENSE, len(content))), chance.randrange(256)
        if number >= tally.inputs:
            tally.try_one(target.pack(changed(content, offset, value)), [offset, value])
    tally.next = tally.inputs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}; all where none is named")
    parser.add_argument("--random", type=int, metavar="N", help="changes of the bigger samples instead")
    parser.add_argument("--state", type=Path, default=ROOT / "build" / "every_byte.json", help="where progress is kept")
    parser.add_argument("--report", action="store_true", help="only print what the state says")
    options = parser.parse_args()
    known = SAMPLES if options.random else TARGETS
    names = options.targets or list(known)
    if wrong := set(names) - set(known):
        parser.error(f"no target {', '.join(sorted(wrong))}")
    kept = json.loads(options.state.read_text()) if options.state.exists() else {}

    def key(name: str) -> str:
        return f"sample {name}" if options.random else name

    def save(name: str, tally: Tally) -> None:
        kept[key(name)] = vars(tally)
        options.state.parent.mkdir(parents=True, exist_ok=True)
        fresh = options.state.with_suffix(".tmp")
        fresh.write_text(json.dumps(kept))
        os.replace(fresh, options.state)

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # a bomb becomes a MemoryError, which is a find
    finds = 0
    for name in names:
        target, tally = known[name], Tally(kept.get(key(name)))
        total = options.random or len(target.offsets())
        if not options.report:
            if options.random:
                scatter(target, tally, options.random)
            else:
                for _ in sweep(target, tally):
                    if tally.next % 20 == 0:
                        save(name, tally)
                        print(tally.line(name, total).splitlines()[0], flush=True)
            save(name, tally)
        print(tally.line(key(name), total), flush=True)
        for find in tally.finds[:5]:
            print(f"    {find['place']}\n{find['trace']}")
        finds += len(tally.finds)
    return bool(finds)


if __name__ == "__main__":
    sys.exit(main())
