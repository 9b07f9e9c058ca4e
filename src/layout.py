"""The Web IDE on a terminal: a file's field tree with offsets, sizes and values, read as lazily as it is looked at.

The readers are those of ``generated/debug``, which remember where each field stands. Nothing is read before it is
shown, and everything that is read is metered, so that neither a 60 MB demo nor a hostile count costs more than asked.
"""

from __future__ import annotations

import enum
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from io import BytesIO
from types import ModuleType
from typing import Any

from ksreplay.errors import ReplayError
from ksreplay.formats.inflate import output_bound
from ksreplay.generated import debug, inflate
from ksreplay.limits import Limits

#: Reads and position queries that one look at a field may cost: about a second.
BUDGET = 200_000
#: The same where somebody asked for all: half a gigabyte of tree at most.
BUDGET_ALL = 6_000_000
#: And for items far behind in a list: what lies before them is read and let go.
BUDGET_FAR = 200_000_000
#: The "error" of a node that was only not read to its end.
MORE = "not read further"
_PRUNE_EVERY = 4096
_MOST_KEPT = 100_000  # items of a range that are worth reading far for
#: Nodes visited to find out which bytes no field covers.
_COVER_NODES = 20_000
#: Fields (type.field) whose content is only shown with ``--private``.
PRIVATE = frozenset(
    "spring_demo.script chat.text command.text enemy_chat.text map_draw_point_narrow.label map_draw_point_wide.label"
    " logmsg.text luamsg.payload luamsg_short.payload gamedata.compressed_script gamedata.script"
    " clientdata.compressed_text clientdata.text attemptconnect.password ccommand.extra text.value address.value"
    " address_blob.dotted address_blob.reserved envelope.masked bin.value".split()
)
_NAMES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class _Enough(Exception):
    """The meter has run out, or what was looked for has been read."""


@dataclass(slots=True)
class _Meter:
    """Counts what the readers do. ``base`` and ``steps`` say which items of a list are wanted: the rest is let go."""

    left: int
    inflatable: int
    base: Any = None
    steps: tuple[Step, ...] = ()
    ticks: int = 0
    seeked: Any = None

    def tick(self) -> None:
        self.ticks += 1
        if self.ticks > self.left:
            raise _Enough
        if self.steps and not self.ticks % _PRUNE_EVERY:
            self.prune()

    def prune(self) -> None:
        holder = self.base
        for step in self.steps:
            state = vars(holder)
            name = step.name if step.name in state else f"_m_{step.name}"
            value = state.get(name)
            if not isinstance(value, list):
                if not hasattr(value, "_debug"):
                    return
                holder = value
                continue
            if step.range is None:
                return
            places = holder._debug[name].get("arr", [])
            for items, nothing in ((value, None), (places, None), (state.get(f"_raw_{name}", []), b"")):
                _let_go(items, step.range, nothing)
            if len(value) > step.range[1]:
                raise _Enough
            return

    def inflate(self, data: bytes) -> bytes:
        """Counted over the whole tree: many entries of a file may name the same compressed bytes."""
        if self.inflatable <= 0:
            raise _Enough
        result = inflate(data)
        self.inflatable -= len(result)
        return result


#: None where a debug reader is used by somebody else than a `Tree`.
_METER: ContextVar[_Meter | None] = ContextVar("meter", default=None)


def _let_go(items: list[Any], wanted: tuple[int, int], nothing: Any) -> None:
    """Drops the items that nobody will look at; the last two are still being worked on."""
    start = max(0, len(items) - 2 - _PRUNE_EVERY)
    for position in range(start, len(items) - 2):
        if not wanted[0] <= position < wanted[1]:
            items[position] = nothing


def _tick() -> None:
    if meter := _METER.get():
        meter.tick()


def _inflate(data: bytes) -> bytes:
    meter = _METER.get()
    return inflate(data) if meter is None else meter.inflate(data)


class _Metered(BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        _tick()
        return super().read(size)

    def tell(self) -> int:
        _tick()
        return super().tell()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if meter := _METER.get():
            meter.seeked = self
        return super().seek(offset, whence)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: a field, and for a list which items (start, stop)."""

    name: str
    range: tuple[int, int] | None = None
    single: bool = True


@dataclass(frozen=True, slots=True)
class Stream:
    """Some bytes that fields stand in. ``name`` is "" for the file, else the path of what was inflated; ``base`` is
    where this stretch begins in it."""

    name: str
    io: Any
    base: int = 0


@dataclass(slots=True)
class Node:
    """A field: ``value`` for a plain one, ``holder`` for a structure, ``items`` for a list.

    ``start`` and ``stop`` count bytes of ``stream``; they are None for a computed value. ``inner`` is the stream of a
    structure's own fields: another one where it was inflated. ``error`` says why reading stopped here.
    """

    name: str
    path: str
    stream: Stream
    inner: Stream
    kind: str = ""
    start: int | None = None
    stop: int | None = None
    value: Any = None
    holder: Any = None
    items: list[Any] | None = None
    places: list[dict[str, int] | None] = field(default_factory=list)
    error: str = ""
    partial: bool = False
    private: bool = False

    @property
    def size(self) -> int | None:
        return None if self.start is None or self.stop is None else self.stop - self.start

    @property
    def is_leaf(self) -> bool:
        return self.holder is None and self.items is None

    @property
    def inflated(self) -> int | None:
        """How many bytes its fields stand in, where these are other bytes than its own."""
        return len(self.inner.io.getbuffer()) if self.inner.name != self.stream.name else None

    @property
    def extent(self) -> tuple[int, int] | None:
        """(start, stop) of its fields in ``inner``."""
        if self.inflated is not None:
            return 0, self.inflated
        return None if self.start is None or self.stop is None else (self.start, self.stop)


@dataclass(frozen=True, slots=True)
class Root:
    """A tree to show: its name in paths ("" for the file itself), layout, stream name, and where its bytes are from.

    ``aside``: what it is good for, where it is shown only when a path asks for it.
    """

    name: str
    layout: str
    stream: str
    data: Callable[[], bytes]
    aside: str = ""


def roots(format: str, data: bytes, limits: Limits) -> list[Root]:
    """What there is to look at in a file of this format: the file, then what its outer compression holds."""
    from ksreplay.formats.inflate import gunzip, unzstd

    def unwrapped() -> bytes:
        from ksreplay.registry import open as open_replay

        with open_replay(data, format=format, private=True, limits=limits) as replay:
            return replay.unwrap()

    if format == "spring":
        if data[:2] == b"\x1f\x8b":
            return [Root("", "spring_demo", "gzip", lambda: gunzip(data, limits, format=format).data.tobytes())]
        return [Root("", "spring_demo", "", lambda: data)]
    if format == "crd":
        payload = Root(
            "payload", "msgpack", "zstd",
            lambda: unzstd(data, limits.payload_bytes, limits.window_bytes, format=format),
        )  # fmt: skip
        return [Root("", "zstd_frame", "", lambda: data), payload]
    if format == "tad":
        return [
            Root("", "tad", "", lambda: data),
            Root("unwrapped", "tad", "unwrapped", unwrapped, "the records without compression and masks"),
        ]
    return [Root("", format, "", lambda: data)]


def parse_path(path: str) -> tuple[Step, ...]:
    """``windows[3].main.columns[17]`` as steps; ``[a:b]`` takes several items. Raises ReplayError where it is none."""
    steps = []
    for part in path.split("."):
        match = re.fullmatch(r"(\w+)(?:\[(\d+)(?:(:)(\d*))?\])?", part)
        if match is None:
            raise ReplayError(f"no path: {path!r}", code="bad-path", found=part, expected="name, name[3] or name[3:9]")
        name, first, colon, last = match.groups()
        if first is None:
            steps.append(Step(name))
        else:
            start = int(first)
            stop = (int(last) if last else 1 << 62) if colon else start + 1
            steps.append(Step(name, (start, stop), not colon))
    return tuple(steps)


class Tree:
    """The tree of one root."""

    def __init__(self, root: Root, format: str = "", *, far: bool = False) -> None:
        self.root = root
        self.format = format
        self._budget = BUDGET_ALL if far else BUDGET
        self._data = root.data()
        self._inflatable = output_bound(len(self._data), Limits())
        self._streams: dict[int, Stream] = {}
        self._top: Node | None = None

    def top(self, steps: tuple[Step, ...] = ()) -> Node:
        """The root's node. ``steps`` are what will be asked of it, so that long lists are read only that far."""
        if self._top is None:
            io = _Metered(self._data)
            holder = _reader(self.root.layout)(_stream(io))
            error = self._run(holder._read, holder, steps)[1]
            name = self.root.name
            stream = self._streams[id(io)] = Stream(self.root.stream, io)
            self._top = Node(
                name or self.root.layout, name, stream, stream, self.root.layout, 0, len(self._data), holder=holder,
                error=error,
            )  # fmt: skip
        return self._top

    def find(self, steps: tuple[Step, ...]) -> list[Node]:
        """The nodes at a path. Raises ReplayError with what there is instead."""
        node = self.top(steps)
        for position, step in enumerate(steps):
            names = []
            for child in self.children(node, only=step.name, steps=steps[position:]):
                names.append(child.name)
                if child.name == step.name:
                    break
            else:
                known = ", ".join(_field_names(node.holder)) if node.holder is not None else "nothing"
                raise ReplayError(
                    f"{node.path or node.name} has no field {step.name!r}", code="no-such-field", format=self.format,
                    where=node.path, found=step.name, expected=known,
                )  # fmt: skip
            if step.range is None:
                node = child
                continue
            count = len(child.items) if child.items is not None else 0
            if step.range[0] >= count:
                raise ReplayError(
                    f"{child.path} has {count} items{' as far as it can be read' if child.error else ''}",
                    code="no-such-item", format=self.format, where=child.path, found=step.range[0],
                )  # fmt: skip
            chosen = [self.item(child, i) for i in range(step.range[0], min(step.range[1], count))]
            if not step.single:
                if position + 1 < len(steps):
                    raise ReplayError(f"only the last step may take several items: {child.path}", code="bad-path")
                return chosen
            node = chosen[0]
        return [node]

    def children(self, node: Node, only: str = "", steps: tuple[Step, ...] = ()) -> Iterator[Node]:
        """The fields of a structure in the order of the layout: those in sequence, then the others."""
        holder = node.holder
        if holder is None:
            return
        for name in holder.SEQ_FIELDS:
            if name in holder._debug and (not only or name == only):
                yield self._node(node, name, name, getattr(holder, name, None), node.inner, "")
        for name in _instances(type(holder)):
            if not only or name == only:
                value, error, io = self._evaluate(holder, name, steps)
                if value is not None or error:
                    # A field may stand in another stream than its structure: a chunk of a window stands in the file.
                    yield self._node(node, name, f"_m_{name}", value, self._streams.get(id(io), node.inner), error)

    def item(self, node: Node, index: int) -> Node:
        """One item of a list."""
        assert node.items is not None
        place = node.places[index] if index < len(node.places) else None
        item = Node(f"[{index}]", f"{node.path}[{index}]", node.stream, node.stream)
        return self._place(item, place, node.items[index])

    def let_go(self, node: Node, index: int) -> None:
        """Frees an item that has been shown, where there are many; the list keeps its length."""
        if node.items is not None and len(node.items) > _PRUNE_EVERY:
            node.items[index] = None
            if index < len(node.places):
                node.places[index] = None

    def unread(self, node: Node) -> list[tuple[int, int]]:
        """(start, stop) in ``node.inner`` that no field covers; nothing where not all could be looked at."""
        if node.holder is None or node.extent is None or node.error or node.partial:
            return []
        ranges: list[tuple[int, int]] = []
        visited = 0
        waiting = [node]
        while waiting:
            parent = waiting.pop()
            for child in self.children(parent) if parent.items is None else self._items(parent):
                visited += 1
                if visited > _COVER_NODES or child.partial:
                    return []
                inside = child.stream.name == node.inner.name
                if inside and child.start is not None and child.stop is not None:
                    ranges.append((child.start, child.stop))
                # Fields of a structure may stand outside of it: those of a window stand behind the index.
                if inside and _reaches_out(child):
                    waiting.append(child)
        return _uncovered(sorted(ranges), *node.extent)

    def bytes_of(self, node: Node, limit: int) -> bytes:
        """The first bytes of a field."""
        if node.start is None:
            return b""
        return self.stretch(node.stream, node.start, min(node.start + limit, node.stop or node.start))

    def stretch(self, stream: Stream, start: int, stop: int) -> bytes:
        """Bytes of a stream."""
        return bytes(stream.io.getbuffer()[start - stream.base : stop - stream.base])

    def _items(self, node: Node) -> Iterator[Node]:
        return (self.item(node, i) for i, item in enumerate(node.items or []) if item is not None)

    def _node(self, parent: Node, name: str, key: str, value: Any, stream: Stream, error: str) -> Node:
        path = f"{parent.path}.{name}" if parent.path else name
        place = parent.holder._debug.get(key)
        node = Node(name, path, stream, stream, error=error, private=_is_private(parent.holder, name))
        if isinstance(value, list):
            node.items, node.kind = value, "list"
            node.places = place.get("arr", []) if place else []
            value = None
        return self._place(node, place, value)

    def _place(self, node: Node, place: dict[str, Any] | None, value: Any) -> Node:
        if place and "start" in place:
            node.start = place["start"] + node.stream.base
            node.partial = "end" not in place
            node.stop = None if node.partial else place["end"] + node.stream.base
        if hasattr(value, "_debug"):
            node.holder, node.kind = value, _type_name(value)
            inner = value._io._io
            if inner is not node.stream.io:
                node.inner = self._enter(node, inner)
        elif node.items is None:
            node.value, node.kind = value, _kind(value)
        return node

    def _enter(self, node: Node, inner: Any) -> Stream:
        """The stream of a structure that has its own: a stretch of the outer one as it is, or something inflated."""
        if id(inner) not in self._streams:
            stream = Stream(node.path, inner)
            if node.start is not None:
                content = inner.getbuffer()
                if self.stretch(node.stream, node.start, node.start + len(content)) == content:
                    stream = Stream(node.stream.name, inner, node.start)
                    node.stop = node.stop or node.start + len(content)
            self._streams[id(inner)] = stream
        return self._streams[id(inner)]

    def _evaluate(self, holder: Any, name: str, steps: tuple[Step, ...]) -> tuple[Any, str, Any]:
        # Kept with the structure itself, and so let go with it.
        seen: dict[str, tuple[Any, str, Any]] = vars(holder).setdefault("_seen", {})
        if name not in seen:
            value, error, io = self._run(lambda: getattr(holder, name), holder, steps)
            if error:
                value = vars(holder).get(f"_m_{name}")
            if "start" not in holder._debug.get(f"_m_{name}", {}):
                io = None
            seen[name] = value, error, io
        return seen[name]

    def _run(self, work: Callable[[], Any], holder: Any, steps: tuple[Step, ...]) -> tuple[Any, str, Any]:
        """(value, error, the stream it was read from): whatever a reader raises is told, not passed on."""
        pruned = any(step.range and step.range[1] - step.range[0] <= _MOST_KEPT for step in steps)
        budget = BUDGET_FAR if pruned and self._budget > BUDGET else self._budget
        meter = _Meter(budget, self._inflatable, holder, steps if pruned else ())
        token = _METER.set(meter)
        try:
            return work(), "", meter.seeked
        except _Enough:
            return None, MORE, None
        except RecursionError:
            return None, "nested too deeply", None
        except Exception as error:  # a Kaitai, zlib, Unicode, arithmetic or lookup error: all say "not so"
            return None, _sentence(error), None
        finally:
            _METER.reset(token)
            self._inflatable = meter.inflatable


def _sentence(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _reader(layout: str) -> Any:
    """The debug reader of a layout, with its inner streams metered."""
    try:
        module = importlib.import_module(f"ksreplay.generated.debug.{layout}")
    except ModuleNotFoundError:
        known = ", ".join(sorted(name for _, name, _ in pkgutil.iter_modules(debug.__path__)))
        raise ReplayError(f"no layout {layout!r}", code="no-such-layout", found=layout, expected=known) from None
    # The runtime itself, which the readers import too, stays as it is: everything else in the process uses it.
    imported = (item for item in vars(module).values() if isinstance(item, ModuleType))
    for part in (module, *(item for item in imported if item.__name__.startswith("ksreplay.generated.debug."))):
        part.BytesIO = _Metered  # type: ignore[attr-defined]
        part.inflate = _inflate  # type: ignore[attr-defined]
    return getattr(module, "".join(word.capitalize() for word in layout.split("_")))


def _stream(io: BytesIO) -> Any:
    from kaitaistruct import KaitaiStream

    token = _METER.set(_Meter(BUDGET, 0))
    try:
        return KaitaiStream(io)
    finally:
        _METER.reset(token)


def _instances(cls: type) -> list[str]:
    return [name for name, value in vars(cls).items() if isinstance(value, property)]


def _field_names(holder: Any) -> list[str]:
    return [*holder.SEQ_FIELDS, *_instances(type(holder))]


def _type_name(holder: Any) -> str:
    return _NAMES.sub("_", type(holder).__name__).lower()


def _kind(value: Any) -> str:
    if isinstance(value, enum.IntEnum):
        return _NAMES.sub("_", type(value).__name__).lower()
    return "" if value is None else type(value).__name__


def _is_private(holder: Any, name: str) -> bool:
    if f"{_type_name(holder)}.{name}" not in PRIVATE:
        return False
    # The sectors of a recording share one type for texts: only lobby chat and addresses are private.
    kind = getattr(getattr(holder._parent, "head", None), "kind", None)
    return kind is None or int(kind) in (2, 6)


def _reaches_out(node: Node) -> bool:
    """Whether a structure, or the items of a list, have fields at places of their own."""
    holder = node.holder if node.holder is not None else next(iter(node.items or []), None)
    return holder is not None and hasattr(holder, "_debug") and bool(_instances(type(holder)))


def _uncovered(ranges: list[tuple[int, int]], start: int, stop: int) -> list[tuple[int, int]]:
    gaps = []
    for first, last in ranges:
        if first > start:
            gaps.append((start, min(first, stop)))
        start = max(start, last)
    if start < stop:
        gaps.append((start, stop))
    return [(a, b) for a, b in gaps if a < b]


__all__ = ["MORE", "Node", "Root", "Step", "Tree", "parse_path", "roots"]
