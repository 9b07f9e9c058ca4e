"""Imports run downhill, slow packages are imported where they are used, and nothing needs POSIX."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"

#: Folder or module under src/ -> layer; a module may import its own layer and those below.
LAYERS = {
    "errors": 0, "limits": 0, "columns": 0, "table": 0, "text": 0, "rules": 0, "atomic": 0, "arrow": 0, "pseudonyms": 0,
    "selection": 0, "differences": 0, "threads": 0, "kernels": 1, "generated": 1, "ksy": 1, "formats": 2,
    "semantics": 3, "replay": 4, "replays": 4, "registry": 4, "events": 4,
}  # fmt: skip
TOP = 5
#: Imported in functions only: each costs more than `ksreplay --help` may take, or may be absent.
LAZY = {"pandas", "pyarrow", "polars", "duckdb", "matplotlib", "distributed", "isal", "crimsonland", "hypothesis"}
POSIX = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "posix"}


def modules() -> list[Path]:
    return sorted(path for path in SRC.rglob("*.py"))


def dotted(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(name: str) -> int:
    return LAYERS.get(name.partition(".")[0], TOP) if name else -1


def imports(path: Path, *, lazy: bool) -> Iterator[tuple[str, int]]:
    """(module, line) of what a module imports: with ``lazy`` also inside functions, never under TYPE_CHECKING."""

    def walk(nodes: list[ast.stmt]) -> Iterator[ast.stmt]:
        for node in nodes:
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                yield from walk(node.orelse)
                continue
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not lazy:
                continue
            yield node
            for part in ("body", "orelse", "finalbody"):
                yield from walk(getattr(node, part, []))
            for handler in getattr(node, "handlers", []):
                yield from walk(handler.body)

    package = dotted(path) if path.name == "__init__.py" else dotted(path).rpartition(".")[0]
    for node in walk(ast.parse(path.read_text("utf-8")).body):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            yield ".".join(["ksreplay", *filter(None, base), *([node.module] if node.module else [])]), node.lineno
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.lineno
            if node.module == "ksreplay":
                yield from ((f"ksreplay.{alias.name}", node.lineno) for alias in node.names)


def test_the_layers_are_those_of_the_folders() -> None:
    there = {dotted(path).partition(".")[0] for path in modules()} | {"generated", "ksy"}
    assert set(LAYERS) <= there


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_run_downhill(path: Path) -> None:
    own = layer(dotted(path))
    for name, line in imports(path, lazy=False):
        package, _, inside = name.partition(".")
        if package != "ksreplay" or own < 0 or inside.startswith("_"):
            continue
        top = inside.partition(".")[0]
        there = (SRC / f"{top}.py").exists() or (SRC / top).is_dir() or top in ("generated", "ksy")
        if top and there:  # else a name of the package itself, such as __version__
            assert layer(top) <= own, f"{path}:{line} imports {name}, which lies above it"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_nothing_above_formats_touches_a_kaitai_class(path: Path) -> None:
    name = dotted(path)
    if layer(name) <= 2 or name in ("layout", "cli.sample"):  # layout shows the readers themselves
        return
    for imported, line in imports(path, lazy=True):
        readers = imported == "kaitaistruct" or imported.startswith("ksreplay.generated")
        data = imported.startswith(("ksreplay.generated.dtypes", "ksreplay.generated.walks"))
        assert not readers or data, f"{path}:{line} imports {imported}"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_slow_and_foreign_modules_are_not_imported_at_the_top(path: Path) -> None:
    for name, line in imports(path, lazy=False):
        top = name.partition(".")[0]
        if not dotted(path).startswith("batch."):  # its verbs import it when they run, and it is about parquet parts
            assert top not in LAZY, f"{path}:{line} imports {name} at import time"
        if not dotted(path).startswith(("batch", "kernels")):
            assert top not in POSIX, f"{path}:{line} imports {name}, which is not everywhere"


@pytest.mark.parametrize("module", ["ksreplay", "ksreplay.cli", "ksreplay.registry", "ksreplay.export"])
def test_importing_loads_nothing_slow(module: str) -> None:
    found = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"], capture_output=True, text=True, check=True
    ).stdout.split()
    loaded = {name.partition(".")[0] for name in found}
    assert not loaded & (LAZY | {"construct", "zstandard", "msgpack"} - {"isal"}) - {"isal"}
    if module in ("ksreplay", "ksreplay.cli"):
        assert "numpy" not in loaded


def test_tables_do_without_masked_arrays() -> None:
    """``np.unique`` with one result imports `numpy.ma`, which costs more than most tables."""
    code = (
        "import sys, ksreplay\n"
        "from ksreplay.formats import spring_build as build\n"
        "says = build.packet('chat', player=0, destination=254, text='\\u00e4')\n"
        "sample = dict.fromkeys((spec.name for spec in build.TEAM_STATISTICS.subcons), 1)\n"
        "script = b'[game]{[player0]{team=0;}[team0]{allyteam=0;}[allyteam0]{}}'\n"
        "demo = build.demo(script, build.chunk(0, says), teams=[[sample, sample]])\n"
        "replay = ksreplay.open(demo, private=True)\n"
        "assert [len(replay.tables[name]) for name in replay.tables]\n"
        "assert replay.tables['chat']['text'].tolist() == ['\\u00e4']\n"
        "sys.exit('numpy.ma' in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
