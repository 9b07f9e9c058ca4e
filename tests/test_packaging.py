"""The list of packages in pyproject.toml is the folders, and everything that must ship ships."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import ksreplay
from ksreplay.registry import FORMATS, load

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def packages_of(folder: Path, name: str) -> set[str]:
    found = set()
    for init in folder.rglob("__init__.py"):
        if "__pycache__" not in init.parts:
            found.add(".".join([name, *init.parent.relative_to(folder).parts]))
    return found


def test_every_folder_is_a_package_of_the_project() -> None:
    mapping = PROJECT["tool"]["setuptools"]["package-dir"]
    found = set().union(*(packages_of(ROOT / folder, name) for name, folder in mapping.items()))
    assert found == set(PROJECT["tool"]["setuptools"]["packages"])


def test_no_module_lies_outside_of_a_package() -> None:
    for folder in ("src", "generated", "ksy"):
        for module in (ROOT / folder).rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), module


def test_layouts_stubs_and_samples_ship() -> None:
    layouts = {path.name for path in (ROOT / "ksy").glob("*.ksy")}
    assert {item.name for item in files("ksreplay.ksy").iterdir() if item.name.endswith(".ksy")} == layouts
    assert files("ksreplay").joinpath("py.typed").is_file()
    for format in FORMATS.values():
        assert set(format.layouts) <= {Path(name).stem for name in layouts}


def test_the_version_is_said_once() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert ksreplay.__version__.count(".") == 2


def test_the_entry_point_exists() -> None:
    assert callable(load(PROJECT["project"]["scripts"]["ksreplay"]))


def test_public_names_resolve() -> None:
    for name in ksreplay.__all__:
        assert getattr(ksreplay, name) is not None
    assert set(ksreplay.__all__) <= set(dir(ksreplay))


def test_all_extra_has_nothing_that_does_not_install_everywhere() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert not any(word in item for item in (*extras["all"], *extras["dev"]) for word in ("crimsonland", "atheris"))
