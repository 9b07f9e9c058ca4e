"""Names, chat and maps that bite: harmless on terminals, in CSV, in notebooks and as names of files."""

from __future__ import annotations

import csv
import io
import os
import re
import struct
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgpack
import pytest
from click.testing import CliRunner
from hostile import inputs

import ksreplay
from ksreplay.cli import main
from ksreplay.text import FORMULA_STARTS, file_name, terminal_lines

#: A screen cleared, a title set, a formula, text turned around, markup, a bell, a way up, line ends, a C1 control.
BITE = "=cmd()\x1b[2J\x1b]0;x\x07\u202e<script>\u2066../..\\x\x9b1mé"


def spring() -> bytes:
    name = BITE.replace("]", "").replace(";", "").encode()
    script = inputs.SCRIPT.replace(b"Ann", name).replace(b"Plain", name)
    chat = b"\x07" + bytes([4 + len(name) + 1, 0, 254]) + name + b"\0"
    return inputs.demo(inputs.packet(chat) + inputs.packet(inputs.NEWFRAME), script=script)


def tad() -> bytes:
    name = BITE.encode("cp1252", "replace")
    chat = inputs.tad_packet(b"\x05" + name.ljust(64, b"\0"))
    return inputs.recording(chat, inputs.tad_packet(b"\x06"), map=name, player=name)


def crd() -> bytes:
    payload = msgpack.unpackb(inputs._payload(), strict_map_key=False)

    def bite(value: object) -> object:
        if isinstance(value, dict):
            return {key: bite(item) for key, item in value.items()}
        if isinstance(value, list):
            return [bite(item) for item in value]
        return BITE[:40] if isinstance(value, str) and value not in ("keyboard", "finished") else value

    payload["recorder"] = bite(payload["recorder"])
    payload["game_version"] = BITE[:40]
    return inputs.crd(msgpack.packb(payload, use_single_float=False))


def cbtrack() -> bytes:
    data = inputs.sample("sample.cbtrack")
    start, length = struct.unpack_from("<II", data, 36)
    start *= 64
    info = zlib.decompress(data[start : start + length])
    for text in (b"Flat", b"nobody", b"Example"):
        assert text in info
        info = info.replace(text, BITE[6 : 6 + len(text)].encode("ascii", "replace"))
    packed = zlib.compress(info, 9)
    room = -(-length // 64) * 64
    assert len(packed) <= room
    return (
        data[:40] + struct.pack("<I", len(packed)) + data[44:start] + packed.ljust(room, b"\0") + data[start + room :]
    )


FILES: dict[str, Callable[[], bytes]] = {"spring": spring, "tad": tad, "crd": crd, "cbtrack": cbtrack}


def steering(text: str) -> set[str]:
    """Characters that could move a cursor, ring, hide or reorder."""
    return {char for char in text if char != "\n" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}


def texts_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_of(item)


@pytest.fixture(params=FILES)
def bad(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A replay whose texts bite, under a name that bites too."""
    path = tmp_path / "=x\x1b[31m\u202e\n\x07.bin"
    path.write_bytes(FILES[request.param]())
    with ksreplay.open(path) as replay:
        assert replay.format == request.param
        assert steering("".join(texts_of(replay.info()))), "the sample does not bite"
    return path


VERBS = (
    ["info"], ["info", "--full"], ["info", "--json"], ["tables"], ["validate"], ["validate", "--play"],
    ["validate", "--json"], ["layout"], ["layout", "--depth", "9"], ["state", "--at", "1"], ["compare"], ["unwrap"],
)  # fmt: skip


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
@pytest.mark.parametrize("private", [[], ["--private"]], ids=["public", "private"])
def test_no_verb_lets_text_steer_the_terminal(bad: Path, tmp_path: Path, verb: list[str], private: list[str]) -> None:
    more = {"compare": [str(bad)], "unwrap": ["-o", str(tmp_path / "\x1b[2Jout")]}.get(verb[0], [])
    result = CliRunner().invoke(main, [verb[0], str(bad), *verb[1:], *more, *private])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert not steering(result.output), result.output


def test_errors_do_not_either(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[2J\u202e.sdfz"
    path.write_bytes(b"\x1b[2J\x07 no replay")
    for verb in ("info", "validate", "tables", "layout"):
        result = CliRunner().invoke(main, [verb, str(path)])
        assert result.exit_code == 1 and not steering(result.output)
    missing = CliRunner().invoke(main, ["info", str(tmp_path / "\x1b[2Jgone")])
    assert missing.exit_code == 1 and not steering(missing.output)


def test_no_cell_of_a_csv_is_run(bad: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = CliRunner().invoke(main, ["export", str(bad), "--private", "-o", str(out)])
    assert result.exit_code == 0 and not steering(result.output)
    texts = 0
    with ksreplay.open(bad, private=True) as replay:
        assert {path.stem for path in out.iterdir()} == set(replay.tables)
        for name, table in replay.tables.items():
            data = (out / f"{name}.csv").read_bytes().decode()
            rows = list(csv.DictReader(io.StringIO(data, newline="")))
            assert len(rows) == len(table)
            for column in table.schema:
                if column.dtype in ("string", "binary") or column.item_dtype:
                    cells = [row[column.name] for row in rows]
                    texts += len(cells)
                    assert not any(cell.startswith(FORMULA_STARTS) for cell in cells), (name, column.name)
    assert texts


def test_a_notebook_shows_markup_as_text(bad: Path) -> None:
    with ksreplay.open(bad, private=True) as replay:
        for table in replay.tables.values():
            shown = table._repr_html_()
            assert "<script" not in shown and not steering(shown), table


@pytest.mark.skipif(os.name != "posix", reason="a terminal of our own")
@pytest.mark.parametrize("kind", ["csv", "ndjson", "parquet"])
def test_tables_on_a_terminal(kind: str, tmp_path: Path) -> None:
    import pty
    import subprocess
    import sys

    path = tmp_path / "bad.sdf"
    path.write_bytes(spring())
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ksreplay", "export", str(path), "--table", "players", "--format", kind, "-o", "-"]
    child = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    shown = b""
    try:
        while block := os.read(ours, 65536):
            shown += block
    except OSError:  # how Linux says that nobody writes any more
        pass
    os.close(ours)
    if kind == "parquet":
        assert child.returncode == 2 and shown == b"" and b"terminal" in child.stderr
    else:
        assert child.returncode == 0 and b"cmd()" in shown
        assert not steering(shown.decode().replace("\r", ""))


def test_lines_for_a_terminal_keep_their_breaks() -> None:
    assert terminal_lines("a\r\n\tb\x1b[0m\nc") == "a\r\n\tb\\x1b[0m\nc"


@pytest.mark.parametrize(
    "text",
    [
        "\u200b..\u200b",
        ".\u200b.",
        "a" * 300,
        "🐢" * 300,
        "con\u200b",
        "COM¹.txt",
        "aux .c",
        BITE,
        "a\0b",
        "x" * 199 + " . ",
    ],
)
def test_names_of_files(text: str) -> None:
    name = file_name(text)
    assert name not in ("", ".", "..") and name == Path(name).name and len(name.encode()) <= 255
    assert not steering(name) and not re.match(r"(?i)(con|aux|com¹)\s*(\.|$)", name) and name == name.strip(" .")
