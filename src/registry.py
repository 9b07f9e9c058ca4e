"""The formats, each registered once; `open`, the command line, the checks and the tests walk this table."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ksreplay.errors import ReplayError
from ksreplay.formats.sniff import HEAD_BYTES, recognise, sniff
from ksreplay.formats.source import ZIP_MAGIC, Source
from ksreplay.limits import Limits

if TYPE_CHECKING:
    from ksreplay.replay import Replay
    from ksreplay.rules import Rule


@dataclass(frozen=True, slots=True)
class Format:
    """One format. Objects are named as ``module:attribute``, so that nothing is imported before it is needed.

    ``layouts`` are the root layouts (file names in ksy/ without suffix): of the file, then of its unwrapped parts.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    replay: str
    rules: str
    sample: str
    layouts: tuple[str, ...]

    @property
    def replay_class(self) -> type[Replay]:
        return cast("type[Replay]", load(self.replay))

    @property
    def rule_list(self) -> tuple[Rule, ...]:
        return cast("tuple[Rule, ...]", load(self.rules))


FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format(
            "cbtrack", "Coilbox track", (".cbtrack",), "ksreplay.replays.cbtrack:Track",
            "ksreplay.semantics.cbtrack.rules:RULES", "sample.cbtrack", ("cbtrack", "cbtrack_chunk"),
        ),
        Format(
            "crd", "Crimsonland replay", (".crd",), "ksreplay.replays.crd:CrimsonlandReplay",
            "ksreplay.semantics.crd.rules:RULES", "sample.crd", ("zstd_frame", "msgpack"),
        ),
        Format(
            "spring", "Spring or Recoil demo", (".sdfz", ".sdf"), "ksreplay.replays.spring:SpringReplay",
            "ksreplay.semantics.spring.rules:RULES", "sample.sdfz", ("spring_demo", "spring_packet"),
        ),
        Format(
            "tad", "Total Annihilation recording", (".tad", ".ted"), "ksreplay.replays.tad:Recording",
            "ksreplay.semantics.tad.rules:RULES", "sample.tad", ("tad", "tad_subpacket", "tad_unit_sync"),
        ),
    )
}  # fmt: skip


def load(name: str) -> Any:
    """The object that ``module:attribute`` names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def open(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO,
    *,
    format: str | None = None,
    strict: bool = False,
    private: bool = False,
    limits: Limits | None = None,
) -> Replay:
    """Opens a replay: a path, bytes or a binary file; also one inside a .zip. The content decides, never the name.

    ``format`` skips the recognition; ``strict`` raises on the first broken rule instead of listing it;
    ``private`` shows chat and other personal content. Raises ReplayError (UnknownFormat for foreign bytes), and
    OSError where a path cannot be read.
    """
    limits = limits or Limits()
    opened, name = locate(source, format, limits)
    try:
        return FORMATS[name].replay_class(opened, strict=strict, private=private, limits=limits)
    except ReplayError as error:
        error.format = error.format or name
        raise


def locate(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO, format: str | None, limits: Limits
) -> tuple[Source, str]:
    """The bytes of a replay and its format's name, without reading any of it; raises as `open` does."""
    if format is not None and format not in FORMATS:
        raise ValueError(f"no format {format!r}; there are {', '.join(FORMATS)}")
    found = Source.of(source, limits)
    if found.data[:4] == ZIP_MAGIC:
        found = found.zip_member(lambda head: bool(sniff(head[:HEAD_BYTES], limits)), limits)
    return found, format or recognise(found.data, limits)
