"""What check_layouts opens: the bundled samples, what is unwrapped from them, and single messages out of those."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources

import ksreplay
from ksreplay.generated import spring_demo
from ksreplay.generated.debug import tad  # the debug reader knows where each subpacket stands
from ksreplay.registry import FORMATS, Format
from ksreplay.replay import Replay


@dataclass(frozen=True)
class Case:
    """Bytes to open in a layout."""

    layout: str
    name: str
    data: bytes


def _cbtrack(name: str, sample: bytes, replay: Replay) -> Iterator[Case]:
    yield Case("cbtrack", name, sample)
    for part in ("info", "window[0].main"):
        yield Case("cbtrack_chunk", f"{name} {part}", replay.unwrap(part))


def _crd(name: str, sample: bytes, replay: Replay) -> Iterator[Case]:
    yield Case("zstd_frame", name, sample)
    yield Case("msgpack", f"{name} unwrapped", replay.unwrap(None))


def _spring(name: str, sample: bytes, replay: Replay) -> Iterator[Case]:
    demo = replay.unwrap(None)
    yield Case("spring_demo", f"{name} unwrapped", demo)
    messages: dict[int, bytes] = {}
    for chunk in spring_demo.SpringDemo.from_bytes(demo).stream.chunks:
        data: bytes = chunk._raw_packet  # what the compiler keeps of a sized field
        if data:
            messages.setdefault(data[0], data)
    for number, data in sorted(messages.items()):
        yield Case("spring_packet", f"{name} message {number}", data)


def _tad(name: str, sample: bytes, replay: Replay) -> Iterator[Case]:
    plain = replay.unwrap(None)
    yield Case("tad", name, sample)
    yield Case("tad", f"{name} unwrapped", plain)
    recording = tad.Tad.from_bytes(plain)
    recording._read()
    subpackets: dict[int, bytes] = {}
    for record in recording.packets:
        payload = record.body.payload
        for place in payload._debug["subpackets"]["arr"] if payload else ():
            data = record.body._raw_payload[place["start"] : place["end"]]
            subpackets.setdefault(data[0], data)
    for number, data in sorted(subpackets.items()):
        yield Case("tad_subpacket", f"{name} subpacket 0x{number:02x}", data)
    if elided := subpackets.get(0xFD):  # a sync as recordings keep it: without its tick
        subpackets.setdefault(0x2C, b"\x2c" + elided[1:3] + bytes(4) + elided[3:])
    if 0x2C in subpackets:
        yield Case("tad_unit_sync", f"{name} sync", subpackets[0x2C])


MAKERS: dict[str, Callable[[str, bytes, Replay], Iterator[Case]]] = {
    "cbtrack": _cbtrack,
    "crd": _crd,
    "spring": _spring,
    "tad": _tad,
}


def cases_of(format: Format) -> Iterator[Case]:
    """Every case of one format's bundled sample."""
    sample = resources.files("ksreplay.samples").joinpath(format.sample).read_bytes()
    with ksreplay.open(sample) as replay:
        yield from MAKERS[format.name](format.sample, sample, replay)


def all_cases() -> tuple[list[Case], list[str]]:
    """The cases of every format, and what kept any from being made."""
    cases: list[Case] = []
    failures = []
    for format in FORMATS.values():
        try:
            for case in cases_of(format):
                cases.append(case)
        except ksreplay.ReplayError as error:
            failures.append(f"{format.sample}: {error}")
    return cases, failures
