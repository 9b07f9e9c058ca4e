"""A made-up format whose files say what reading them does: rows, damage, a crash, a hang. Also a parser child that
knows it (`python fake.py`), and a driver (`python fake.py run …`)."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from ksreplay.errors import Corrupt, Problem, Severity
from ksreplay.formats import sniff
from ksreplay.registry import FORMATS, Format
from ksreplay.replay import Facts, Replay, TableDefinition
from ksreplay.table import Column, Schema, Strings, Table

MAGIC = b"KSFAKE\0"

EVENTS = Schema(
    "events",
    (
        Column("tick", "int32", meaning="tick"),
        Column("what", "string", meaning="what happened"),
        Column("said", "string", nullable=True, private=True, meaning="chat"),
    ),
)
MARKS = Schema("marks", (Column("value", "float64", meaning="a number"),))


def fake(rows: int = 3, month: str = "2025-07", game: str = "", **more: Any) -> bytes:
    return MAGIC + json.dumps({"rows": rows, "month": month, "game": game, **more}).encode()


def events(replay: FakeReplay) -> Table:
    rows = replay.script["rows"]
    return Table.build(
        EVENTS,
        {
            "tick": np.arange(rows, dtype=np.int32),
            "what": Strings.constant(replay.script.get("word", "x"), rows),
            "said": Strings.constant("secret words", rows),
        },
    )


def marks(replay: FakeReplay) -> Table:
    misbehave(replay.script)
    return Table.build(MARKS, {"value": np.ones(replay.script["rows"] // 2)})


def misbehave(script: dict[str, Any]) -> None:
    deed = script.get("do")
    if deed == "segv":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif deed == "exit":
        os._exit(3)
    elif deed == "hang":
        time.sleep(1000)
    elif deed == "memory":
        np.ones(script["bytes"], np.uint8)
    elif deed == "bug":
        raise TypeError("a defect")
    elif deed == "print":
        os.write(1, b"noise on standard output\n")
    time.sleep(script.get("sleep", 0))


class FakeReplay(Replay):
    format = "fake"
    TABLES = (TableDefinition(EVENTS, events), TableDefinition(MARKS, marks))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        try:
            self.script = json.loads(self.source.data[len(MAGIC) :])
        except ValueError:
            raise Corrupt("no script", code="bad-script", where="script", offset=len(MAGIC)) from None
        if self.script.get("damage"):
            self._problems.add(Problem(Severity.PART, "damaged", "a part is damaged", "part[1]", 9))

    def facts(self, full: bool) -> Facts:
        return Facts(
            self.script.get("version", 1), not self.script.get("cut"), game="Fake", map=self.script.get("map"),
            duration_s=1.0, players=[{"id": 0, "name": "A"}],
            details={"started_utc": f"{self.script['month']}-02T00:00:00Z", "game_id": self.script["game"]},
        )  # fmt: skip


def register() -> None:
    """The fake format instead of the real ones: its tests do not depend on them."""
    FORMATS.clear()
    FORMATS["fake"] = Format("fake", "Fake", (".fake",), f"{__name__}:FakeReplay", f"{__name__}:RULES", "", ())
    sniff.SIGNATURES = (("fake", 0, MAGIC),)
    sys.modules.setdefault("fake", sys.modules[__name__])
    from ksreplay.batch import games

    games.KEYS["fake"] = games.KEYS["spring"]


RULES = ()
CHILD = (str(Path(__file__)),)


def die_at(step: int) -> None:
    """Ends this process, as SIGKILL would, at the given one of the steps that change a data set."""
    import sqlite3

    left = step

    def count(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os._exit(9)

    def counted(function: Any) -> Any:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            count()
            return function(*arguments, **options)

        return wrapper

    os.replace, os.unlink, Path.unlink = counted(os.replace), counted(os.unlink), counted(Path.unlink)
    connect = sqlite3.connect

    def connected(*arguments: Any, **options: Any) -> Any:
        db = connect(*arguments, **options)
        db.set_trace_callback(lambda text: count() if text.startswith(("COMMIT", "INSERT INTO journal")) else None)
        return db

    sqlite3.connect = connected  # type: ignore[assignment]


def main() -> None:
    register()
    if sys.argv[1:2] == ["run"]:
        from ksreplay.batch import Options, compact, driver, run

        driver.SMALL_CHUNK_FILES = 8

        sources, dataset, jobs, step = sys.argv[2:6]
        if int(step) >= 0:
            die_at(int(step))
        run([sources], Path(dataset), Options(child=CHILD, timeout=20, settle=0), jobs=int(jobs))
        compact(Path(dataset))
    else:
        from ksreplay.batch.child import main as child

        child()


if __name__ == "__main__":
    main()
