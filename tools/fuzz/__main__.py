"""Fuzzing with atheris: python tools/fuzz TARGET [--seconds N]; python tools/fuzz --list; python tools/fuzz --replay.

atheris (`pip install atheris`, CPython 3.11) is no dependency of the project: CI only replays the inputs kept in
tests/data/fuzz. A find is written to tests/data/fuzz/TARGET/crash-*; mend its kind and commit it with the test.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz.targets import TARGETS, call, dictionary, seeds

KEPT = Path(__file__).resolve().parents[2] / "tests" / "data" / "fuzz"


def replay() -> None:
    """Every kept input once."""
    count = 0
    for target in TARGETS:
        for data in seeds(target, KEPT):
            call(target, data)
            count += 1
    print(f"{count} inputs, none got out")


def fuzz(target: str, seconds: int) -> None:
    import atheris

    with atheris.instrument_imports(include=["ksreplay"]):
        import ksreplay.registry

        for format in ksreplay.registry.FORMATS.values():
            assert format.replay_class
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "seeds"
        start.mkdir()
        for number, data in enumerate(seeds(target, KEPT)):
            (start / f"seed-{number}").write_bytes(data)
        words = Path(folder) / "words.dict"
        lines = ['"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in dictionary() if word]
        words.write_text("".join(lines))
        (KEPT / target).mkdir(parents=True, exist_ok=True)
        arguments = [
            sys.argv[0], str(start), f"-dict={words}", f"-max_total_time={seconds}", "-max_len=65536", "-timeout=20",
            "-rss_limit_mb=2048", f"-artifact_prefix={KEPT / target}/", "-print_final_stats=1",
        ]  # fmt: skip
        atheris.Setup(arguments, lambda data: call(target, data))
        atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools/fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", choices=list(TARGETS))
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--replay", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(TARGETS))
    elif options.replay:
        replay()
    elif options.target:
        fuzz(options.target, options.seconds)
    else:
        parser.error("which target?")


if __name__ == "__main__":
    main()
