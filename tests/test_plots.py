"""Every picture of every format: it draws, says units and provenance, and is the same each time."""

from __future__ import annotations

import io
import warnings
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

import ksreplay
from ksreplay import plots
from ksreplay.cli import main
from ksreplay.registry import FORMATS

pytest.importorskip("matplotlib")

SAMPLES = {
    name: files("ksreplay.samples").joinpath(format.sample)
    for name, format in FORMATS.items()
    if files("ksreplay.samples").joinpath(format.sample).is_file()
}
CASES = [(name, kind) for name in SAMPLES for kind in plots.kinds(name)]
REAL = {
    "cbtrack": "cbtrack/small.cbtrack",
    "crd": "crd/rush-2p-r1.crd",
    "spring": "spring/gex-2025.06.06-map-draw.sdfz",
    "tad": "tad/synthetic/medium_v5_mixed.tad",
}


def check(figure: object) -> None:
    axes = figure.get_axes()  # type: ignore[attr-defined]
    assert axes
    for one in axes:
        if one.get_label() != "<colorbar>":
            assert one.get_xlabel(), "the x axis says nothing"
            assert one.get_ylabel() or one.get_yticklabels(), "the y axis says nothing"
    below = figure.get_supxlabel()  # type: ignore[attr-defined]
    assert "sha256" in below and f"ksreplay {ksreplay.__version__}" in below and "Source:" in below


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_pictures_of_the_samples(name: str, kind: str) -> None:
    from ksreplay.plots.style import save

    saved = []
    for _ in range(2):
        with ksreplay.open(SAMPLES[name].read_bytes()) as replay:
            figure = plots.draw(replay, kind)
            check(figure)
            buffer = io.BytesIO()
            save(figure, buffer, "svg")
            saved.append(buffer.getvalue())
    assert saved[0] == saved[1] and saved[0].startswith(b"<?xml")


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_pictures_of_real_files(name: str, kind: str, corpus: Path) -> None:
    with ksreplay.open(corpus / REAL[name]) as replay:
        check(plots.draw(replay, kind))


def test_every_format_has_pictures() -> None:
    assert set(plots.FORMATS) == set(FORMATS)


def test_verb(tmp_path: Path) -> None:
    name = next(iter(SAMPLES))
    file = tmp_path / f"a{FORMATS[name].suffixes[0]}"
    file.write_bytes(SAMPLES[name].read_bytes())
    kind = next(iter(plots.kinds(name)))

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(main, ["plot", str(file), *arguments])
        return result.exit_code, result.stderr

    assert run(kind, "-o", str(tmp_path / "a.png"))[0] == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert run(kind, "-o", str(tmp_path / "a.png"))[0] == 1
    assert run(kind, "-o", str(tmp_path / "a.bmp"))[0] == 2
    code, text = run("nothing", "-o", str(tmp_path / "b.png"))
    assert code == 1 and "no-such-picture" in text and kind in text


def test_a_rate_of_less_than_a_period_is_not_drawn() -> None:
    from spring_demo_file import SAMPLE, SCRIPT, STREAM

    from ksreplay.formats import spring_build as build

    samples = [{**SAMPLE, "frame": frame, "damage_dealt": frame} for frame in (0, 450, 900)]  # the stream ends at 1
    with ksreplay.open(build.demo(SCRIPT, STREAM, winners=[0], teams=[samples])) as replay:
        for kind, points in (("economy", 1), ("damage", 3)):
            assert [len(axes.lines[0].get_xdata()) for axes in plots.draw(replay, kind).get_axes()] == [points] * 4


def test_names_cannot_break_a_picture() -> None:
    from ksreplay.plots.style import figure, label, save

    drawn = figure()
    for position, name in enumerate(["$x^{", "_hidden", "a\x1b[31m", "\u202eevil", "$", "x" * 100]):
        drawn.text(0.1, 0.1 * position, label(name))
        assert len(label(name)) <= 40
    save(drawn, io.BytesIO(), "png")


def test_letters_that_the_font_lacks_are_no_news(recwarn: pytest.WarningsRecorder) -> None:
    from ksreplay.plots.style import figure, label, save

    drawn = figure()
    drawn.text(0.1, 0.1, label("\u30d7\u30ec\u30a4"))
    save(drawn, io.BytesIO(), "png")
    assert not [str(warning.message) for warning in recwarn if "Glyph" in str(warning.message)]


@pytest.mark.parametrize("name,kind", [(name, kind) for name in SAMPLES for kind in plots.kinds(name)])
def test_a_missing_matplotlib_is_said(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for module in [module for module in sys.modules if module.startswith("matplotlib.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with ksreplay.open(SAMPLES[name].read_bytes()) as replay, pytest.raises(ImportError, match=r"ksreplay\[plots\]"):
        plots.draw(replay, kind)


@pytest.mark.parametrize("kind", plots.kinds("spring"))
def test_places_that_no_map_has_are_left_out_quietly(kind: str) -> None:
    """Damage and widgets make any number of a place; the plotting library would warn of those."""
    from spring_demo_file import SCRIPT

    from ksreplay.formats.spring_build import chunk, demo, game_data, packet
    from ksreplay.plots.style import save

    wild = [1e24, -3e38, float("inf"), float("nan"), 5.0]
    messages = [game_data(SCRIPT), packet("keyframe", frame=0)]
    for command in (10, -5):
        messages += [packet("command", player=0, command_id=command, params=[x, 0.0, z]) for x in wild for z in wild]
    messages += [packet("startpos", player=0, team=0, ready=1, x=x, y=0.0, z=1.0) for x in wild]
    data = demo(SCRIPT, b"".join(chunk(0, message) for message in messages))
    with ksreplay.open(data) as replay, warnings.catch_warnings():
        warnings.simplefilter("error")
        save(plots.draw(replay, kind), io.BytesIO(), "png")
