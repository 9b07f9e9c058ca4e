"""mkdocs hooks: adds the pages of `reference`, draws the layouts' diagrams, and completes the navigation.

A navigation entry that ends in ``/`` stands for every page of that folder, its index first. Pages at the top of docs/
that no entry names join the section "Guide", so that a new page needs no second edit.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docsite import reference

LAYOUTS = "reference/layouts/"


def _svg(dot: Path) -> str | None:
    """The diagram as SVG where Graphviz is installed."""
    if not shutil.which("dot"):
        return None
    done = subprocess.run(
        ["dot", "-Tsvg", str(dot)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.stdout or None


def _folder(folder: str, files: Files) -> list[str]:
    names = sorted(f.src_uri for f in files.documentation_pages() if f.src_uri.startswith(folder))
    return sorted(names, key=lambda name: not name.endswith("/index.md"))


def _expanded(entry: Any, files: Files) -> Any:
    if isinstance(entry, list):
        items = (_expanded(item, files) for item in entry)
        return [one for item in items for one in (item if isinstance(item, list) else [item])]
    if isinstance(entry, dict):
        return {title: _expanded(value, files) for title, value in entry.items()}
    if entry.endswith("/"):
        return _folder(entry, files)
    return entry


def _named(entry: Any) -> set[str]:
    if isinstance(entry, list):
        return set().union(*map(_named, entry))
    if isinstance(entry, dict):
        return set().union(*map(_named, entry.values()))
    return {entry}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what is made, and completes the navigation from what is there."""
    # The page on working on it stands where a forge looks for it, beside the README.
    contributing = (Path(config.config_file_path).parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    made = {"contributing.md": contributing.replace("](docs/", "](")}
    for path, text in (reference.pages() | made).items():
        files.append(File.generated(config, path, content=text))
    for file in [f for f in files if f.src_uri.startswith(LAYOUTS) and f.src_uri.endswith(".dot")]:
        if svg := _svg(Path(file.abs_src_path or "")):
            files.append(File.generated(config, file.src_uri.removesuffix(".dot") + ".svg", content=svg))
    nav = _expanded(config.nav, files)
    named = _named(nav)
    loose = [f.src_uri for f in files.documentation_pages() if "/" not in f.src_uri and f.src_uri not in named]
    for entry in nav:
        if isinstance(entry, dict) and "Guide" in entry:
            entry["Guide"] += sorted(loose)
    config.nav = nav
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links each layout's diagram from its page."""
    uri = page.file.src_uri
    if not uri.startswith(LAYOUTS) or uri.endswith("index.md"):
        return markdown
    name = uri.removeprefix(LAYOUTS).removesuffix(".md")
    links = [f"[{kind}]({name}.{suffix})" for kind, suffix in (("picture", "svg"), ("Graphviz source", "dot"))
             if files.get_file_from_path(f"{LAYOUTS}{name}.{suffix}")]  # fmt: skip
    title, _, rest = markdown.partition("\n# ")
    head, _, body = rest.partition("\n")
    return f"{title}\n# {head}\n\nDiagram: {', '.join(links)}.\n{body}" if links else markdown
