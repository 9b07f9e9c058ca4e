"""A folder of stand-ins for demos, and a reader of them: what the tests of the index share."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from ksreplay.library.index import Index, Phase, Report
from ksreplay.library.record import KEPT_METRICS, OrderedRecord, PlayerRecord, Record, State

OLD = time.time() - 3600


def put(folder: Path, name: str, text: str = "a;b", age: float = 0) -> Path:
    """A stand-in for a demo: its text says who played; old enough that its stamp can be trusted."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (OLD + age, OLD + age))
    return path


class FakeReader:
    """Reads `game id;player;player...;flags` and remembers what it was asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def __call__(self, path: Path, phase: Phase) -> Record:
        self.calls.append((path.name, phase))
        text = path.read_text()
        if text == "junk":
            return Record(State.FAILED, error="unknown-format")
        game, *names = text.split(";")
        flags = {n for n in names if n.startswith("!")}
        players = tuple(PlayerRecord(i, n, i, i, side="Arm") for i, n in enumerate(n for n in names if n not in flags))
        header = Record(
            State.HEADER,
            game_id=game,
            remix="!remix" in flags,
            map="Tabula v1.0",
            game="Game 1.0",
            engine="2025.06",
            started=1000,
            seconds=30 if "!short" in flags else 600,
            players=players,
        )
        if phase == "header":
            return header
        kept = {p.team: dict.fromkeys(KEPT_METRICS, 100 * (p.player + 1)) for p in players if p.team is not None}
        return replace(
            header,
            state=State.PARTIAL if "!cut" in flags else State.FULL,
            last_frame=18000,
            winners=None if "!open" in flags else (0,),
            result_source="trailer",
            totals={} if "!server" in flags else kept,
            starts=((0, 1.0, 2.0),),
            ordered=(OrderedRecord(0, -1, 1, 3, 0, 3), OrderedRecord(0, 5, 2, 1, 0, 1)),
            unit_names=("mex", "tank"),
        )


def run(folder: Path, reader: FakeReader | None = None, **options: bool) -> tuple[Report, list[tuple[str, str]]]:
    reader = reader or FakeReader()
    with Index(folder, create=True) as index:
        return index.update(reader, **options), reader.calls
