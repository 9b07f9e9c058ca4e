"""An open Coilbox track: facts, tables, everything at any frame."""

from __future__ import annotations

import copy
import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import groupby, islice
from typing import Any, ClassVar, Self, TypeVar, overload

import numpy as np
import numpy.typing as npt

from ksreplay.differences import Difference
from ksreplay.errors import Problem, Problems, ReplayError
from ksreplay.formats import cbtrack as framing
from ksreplay.formats import cbtrack_rules
from ksreplay.formats.cbtrack import Chunk, Header, Place
from ksreplay.formats.cbtrack_build import HEADER_SIZE, build_chunk, build_file
from ksreplay.formats.cbtrack_columns import NAMES
from ksreplay.formats.source import Source
from ksreplay.limits import Limits
from ksreplay.pseudonyms import Policy, Pseudonymizer, Report
from ksreplay.replay import Facts, Replay, TableDefinition
from ksreplay.replays.cbtrack_check import check_track
from ksreplay.replays.cbtrack_compare import differences
from ksreplay.semantics.cbtrack import rewrite, rules, schemas, tables
from ksreplay.semantics.cbtrack import terrain as terrain_ways
from ksreplay.semantics.cbtrack.decode import decode_features, decode_main, decode_terrain
from ksreplay.semantics.cbtrack.encode import encode_features, encode_info, encode_main, encode_terrain
from ksreplay.semantics.cbtrack.frame import Frame
from ksreplay.semantics.cbtrack.info import TEXTS, decode_info
from ksreplay.semantics.cbtrack.model import EMPTY_INFO, Features, Info, Terrain, no_features
from ksreplay.semantics.cbtrack.unit import Unit
from ksreplay.semantics.cbtrack.window import Window
from ksreplay.table import Schema, Table
from ksreplay.threads import share, threads

T = TypeVar("T")

#: Decoded windows that a track keeps; each is about 1 MB for a large match.
KEPT_WINDOWS = 4
#: Chunks that a pass over many windows decompresses at once, and what one of them may hold: what is larger is
#: decompressed in its turn.
CHUNKS_AT_ONCE, BYTES_AT_ONCE = 16, 2_000_000

# The allocator of Linux gives large blocks back to the system when they are freed, which costs 3 us for each 4 KB of
# the next one, until it has seen a block of this size freed. From then on a window finds the memory of the one before.
np.empty(16 << 20, np.uint8)


def _counted(schema: Schema, build: Callable[[Any], Table]) -> TableDefinition[Any]:
    """A table whose rows are known once every window has been read."""
    return TableDefinition(schema, build, lambda track: track.counts.get(schema.name))


class Windows(Sequence[Window]):
    """The windows of a track; one is decoded when it is asked for and the last few are kept."""

    def __init__(self, track: Track) -> None:
        self._track = track

    @overload
    def __getitem__(self, index: int) -> Window: ...
    @overload
    def __getitem__(self, index: slice) -> list[Window]: ...
    def __getitem__(self, index: int | slice) -> Window | list[Window]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = index + len(self) if index < 0 else index
        if not 0 <= k < len(self):
            raise IndexError(f"window {index} of {len(self)}")
        return self._track.window(k)

    def __len__(self) -> int:
        return self._track.header.num_windows


class Track(Replay):
    """A Coilbox track.

    ``track.at(frame)`` is everything at a frame, ``track.unit(serial)`` one unit over the whole match,
    ``track.windows[k]`` one window, ``track.play(first, last)`` frame after frame in either direction. Reading is
    thread-safe; a damaged chunk costs only itself and raises its ReplayError where it is needed.
    """

    format: ClassVar[str] = "cbtrack"
    TABLES: ClassVar[tuple[TableDefinition[Any], ...]] = (
        TableDefinition(schemas.WINDOWS, tables.windows, lambda track: track.header.num_windows),
        TableDefinition(schemas.TEAMS, tables.teams, lambda track: len(track.match_info.teams)),
        TableDefinition(
            schemas.UNIT_DEFINITIONS, tables.unit_definitions, lambda track: len(track.match_info.unit_names)
        ),
        TableDefinition(
            schemas.WEAPON_DEFINITIONS, tables.weapon_definitions, lambda track: len(track.match_info.weapon_names)
        ),
        TableDefinition(
            schemas.FEATURE_DEFINITIONS, tables.feature_definitions, lambda track: len(track.match_info.feature_names)
        ),
        TableDefinition(schemas.PIECES, tables.pieces, lambda track: sum(map(len, track.match_info.pieces.values()))),
        TableDefinition(schemas.FEATURES, tables.features, lambda track: len(track.match_features)),
        _counted(schemas.UNITS, tables.units),
        _counted(schemas.UNIT_ENTRIES, tables.unit_entries),
        _counted(schemas.TRANSFORM_KEYS, tables.transform_keys),
        _counted(schemas.STATUS_KEYS, tables.status_keys),
        _counted(schemas.TARGET_KEYS, tables.target_keys),
        _counted(schemas.POSE_KEYS, tables.pose_keys),
        _counted(schemas.BUILD_QUEUE, tables.build_queue),
        _counted(schemas.PROJECTILES, tables.projectiles),
        _counted(schemas.PROJECTILE_KEYS, tables.projectile_keys),
        _counted(schemas.TEAM_VALUES, tables.team_values),
        _counted(schemas.TERRAIN, tables.terrain),
    )

    def __init__(
        self, source: Source, *, strict: bool = False, private: bool = False, limits: Limits | None = None
    ) -> None:
        super().__init__(source, strict=strict, private=private, limits=limits)
        self.header: Header = framing.read_header(source.data)
        self.index: npt.NDArray[Any] = framing.read_index(source.data, self.header)
        self._windows: OrderedDict[int, Window] = OrderedDict()
        self._terrain: OrderedDict[int, Terrain] = OrderedDict()
        self._terrain_kept = 0  # rows in it
        #: Rows of the tables that need every window; known after `read_fully`.
        self.counts: dict[str, int] = {}
        self._failed: dict[str, ReplayError] = {}
        self._shared = framing.shared_places(source.size, self.header, self.index)
        recorder = self.header.recorder_version
        for rule, least in ((rules.STALE, 4), (rules.STALE_POSES, 2)):
            if recorder < least:
                self._problems.add(
                    rule.problem("header.recorder_version", 8, found=recorder, expected=f"at least {least}")
                )

    # Parts. Each is read once; one that is damaged is listed once and its error raised whenever it is needed.

    def chunk(self, place: Place, limits: Limits | None = None) -> Chunk:
        """The chunk at ``place``, decompressed."""
        self.check_open()
        if place.where in self._shared:
            raise cbtrack_rules.CHUNK_SHARED.failure(
                self.format, where=place.where, offset=place.offset, expected=f"at most {2 * self.source.size} bytes"
            )
        return framing.read_chunk(self.source.data, place, limits or self.limits)

    def _chunks(
        self, numbers: Iterable[int], place_of: Callable[[int], Place | None]
    ) -> Iterator[tuple[int, Chunk | None]]:
        """Each window of ``numbers`` with its chunk, a few decompressed at once, side by side.

        None where there is no place, and for a chunk that the caller has to ask for itself: it is large, or damaged.
        """
        limits = dataclasses.replace(self.limits, chunk_bytes=min(self.limits.chunk_bytes, BYTES_AT_ONCE))

        def inflated(k: int) -> Chunk | None:
            # takes no lock: the caller may hold it
            place = place_of(k)
            if place is None or place.length > BYTES_AT_ONCE or place.where in self._failed:
                return None
            try:
                return self.chunk(place, limits)
            except ReplayError:
                return None

        numbers = iter(numbers)
        while some := list(islice(numbers, CHUNKS_AT_ONCE if threads() > 1 else 1)):
            chunks: list[Chunk | None] = [None] * len(some)

            def inflate(low: int, high: int, some: list[int] = some, chunks: list[Chunk | None] = chunks) -> None:
                chunks[low:high] = map(inflated, some[low:high])

            share(inflate, len(some))
            chunks.reverse()
            for k in some:
                yield k, chunks.pop()  # kept no longer than the caller keeps it

    def _part(self, place: Place, decode: Callable[[framing.Columns], T], chunk: Chunk | None = None) -> T:
        """What ``decode`` makes of the chunk at ``place``, which may have been decompressed already."""
        failed = self._failed.get(place.where)
        if failed is not None:
            raise copy.copy(failed)  # an error that is raised again and again grows a traceback of all of them
        try:
            return decode(framing.read_columns(chunk or self.chunk(place)))
        except ReplayError as error:
            with self.lock:
                if place.where not in self._failed:
                    # without its traceback, which would keep what was decompressed so far
                    self._failed[place.where] = copy.copy(error)
                    self._problems.absorb(error)
            raise

    def _try(self, read: Callable[[], T]) -> T | None:
        """What ``read`` gives, None where that part is damaged."""
        try:
            return read()
        except ReplayError:
            if self.strict:
                raise
            return None

    @cached_property
    def places(self) -> dict[str, Place]:
        """Where every chunk lies, by its name."""
        return {place.where: place for place in framing.places(self.header, self.index)}

    @cached_property
    def match_info(self) -> Info:
        """The info chunk; an empty one where it cannot be read."""
        return self._try(lambda: self._part(self.places["info"], decode_info)) or EMPTY_INFO

    @cached_property
    def match_features(self) -> Features:
        """The features chunk; an empty one where it cannot be read."""
        read = self._try(
            lambda: self._part(self.places["features"], lambda columns: decode_features(columns, self.header))
        )
        return no_features() if read is None else read

    def window(self, k: int, *, keep: bool = True, chunk: Chunk | None = None) -> Window:
        """Window ``k``; raises the ReplayError of its main chunk where that is damaged.

        The last few windows are kept; without ``keep`` this one is not put among them. ``chunk`` is its main chunk
        where that has been decompressed already.
        """
        with self.lock:
            if k in self._windows:
                self._windows.move_to_end(k)
                return self._windows[k]
        # decompressing lets go of the interpreter, so threads that want other windows do not wait here
        place = framing.main_place(self.index, k)
        window = Window(self._part(place, lambda columns: decode_main(columns, self.header, k), chunk), self.header)
        if not keep:
            return window
        with self.lock:
            window = self._windows.setdefault(k, window)
            while len(self._windows) > KEPT_WINDOWS:
                self._windows.popitem(last=False)
        return window

    @property
    def windows(self) -> Windows:
        """The windows, to be indexed."""
        return Windows(self)

    def terrain_rows(self, k: int, *, chunk: Chunk | None = None) -> Terrain | None:
        """The terrain of window ``k``, None where none changed; raises the ReplayError of a damaged chunk."""
        with self.lock:
            if k in self._terrain:
                return self._terrain[k]
        place = framing.terrain_place(self.index, k)
        if place is None:
            return None
        rows = self._part(place, lambda columns: decode_terrain(columns, self.header, k), chunk)
        with self.lock:
            if k not in self._terrain:
                self._terrain[k] = rows
                self._terrain_kept += len(rows)
            # terrain is small, but a hostile file could have 16 MB of it in each window
            while self._terrain_kept > 1_000_000 and len(self._terrain) > 1:
                self._terrain_kept -= len(self._terrain.popitem(last=False)[1])
        return rows

    def columns(self, name: str) -> dict[str, npt.NDArray[Any]]:
        """The known columns of a chunk (``info``, ``window[3].main`` ...) by their names in the layout, as stored.

        What they mean, difference by difference added up, is in `window`, `terrain_rows`, `match_info` and
        `match_features`.
        """
        stored = framing.read_columns(self.chunk(self.places[name])).values
        return {NAMES[column]: values for column, values in stored.items()}

    def reads(self, name: str) -> bool:
        """Whether the chunk ``name`` can be read and decoded; its problem is listed where not."""
        k = self.places[name].window
        if name == "info":
            _ = self.match_info
        elif name == "features":
            _ = self.match_features
        elif name.endswith(".main"):
            self._try(lambda: self.window(k))
        else:
            self._try(lambda: self.terrain_rows(k))
        return name not in self._failed

    def readable_windows(self) -> Iterator[Window]:
        """Every window whose main chunk can be read, in order.

        A pass over more windows than are kept leaves those that are kept alone, and its own memory is used again.
        """
        numbers = range(self.header.num_windows)
        for window in self._in_turn(numbers, keep=len(numbers) <= KEPT_WINDOWS):
            if window is not None:
                yield window
            del window  # before the next is decoded, which then finds the same memory still in the processor's cache

    def _in_turn(self, numbers: Iterable[int], *, keep: bool) -> Iterator[Window | None]:
        """The windows ``numbers`` in this order, None for one that cannot be read."""

        def place_of(k: int) -> Place | None:
            return None if k in self._windows else framing.main_place(self.index, k)

        for k, chunk in self._chunks(numbers, place_of):
            yield self._try(lambda k=k, chunk=chunk: self.window(k, keep=keep, chunk=chunk))  # type: ignore[misc]

    def readable_terrain(self) -> Iterator[Terrain]:
        """Every terrain chunk that can be read, in order."""

        def place_of(k: int) -> Place | None:
            return None if k in self._terrain else framing.terrain_place(self.index, k)

        for k, chunk in self._chunks(range(self.header.num_windows), place_of):
            rows = self._try(lambda k=k, chunk=chunk: self.terrain_rows(k, chunk=chunk))  # type: ignore[misc]
            if rows is not None:
                yield rows

    # Frames.

    def at(self, frame: float, window: int | None = None) -> Frame:
        """Everything at ``frame``, whole or fractional. A frame between two windows is read from the later one unless
        ``window`` names the earlier; raises ValueError where the frame is not in that window."""
        if window is None:
            window = self.header.window_of(frame)
        elif not (
            0 <= window < self.header.num_windows
            and self.header.window_start(window) <= frame <= self.header.window_end(window)
        ):
            raise ValueError(f"frame {frame:g} is not in window {window}")
        k = window
        return Frame(self, frame, k, lambda: self.window(k), lambda: self.terrain(None, frame))

    def state(self, at: float, *, window: int | None = None, player: int | None = None) -> dict[str, Any]:
        """The document of ``ksreplay state``; see `at`."""
        return self.at(at, window).to_dict()

    def terrain(self, start: float | None, end: float | None) -> terrain_ways.Steps:
        """The heights to set, in order, to go from frame ``start`` to frame ``end`` in either direction; None is the
        map before the first frame. Damaged terrain chunks between the two are left out."""
        return terrain_ways.between(lambda k: self._try(lambda: self.terrain_rows(k)), self.header, start, end)

    def unit(self, serial: int) -> Unit:
        """One unit over the whole match; raises KeyError where no readable window has it."""
        return Unit(self, serial)

    def play(self, start: float, end: float, step: float = 1.0) -> Iterator[Frame]:
        """Frame after frame from ``start`` to ``end``, backward where ``end`` is smaller; reads each window once."""
        if not step > 0:
            raise ValueError("step must be more than 0")
        count = int(abs(end - start) / step + 1e-9) + 1
        sign = 1.0 if end >= start else -1.0
        window_of = self.header.window_of

        def runs() -> Iterator[tuple[int, Iterator[float]]]:
            return groupby((start + sign * step * i for i in range(count)), window_of)

        windows = self._in_turn((k for k, _ in runs()), keep=True)
        for (k, frames), window in zip(runs(), windows, strict=True):
            read = partial(self.window, k) if window is None else lambda window=window: window
            for frame in frames:
                yield Frame(self, frame, k, read, partial(self.terrain, None, frame))

    # What every replay answers.

    def facts(self, full: bool) -> Facts:
        header, info = self.header, self.match_info
        texts = dict(zip(TEXTS, info.texts, strict=False))
        fps = header.frames_per_second
        return Facts(
            format_version=header.format_version,
            complete=all(place.offset + place.length <= self.source.size for place in self.places.values()),
            game=texts.get("game"),
            map=texts.get("map"),
            duration_s=(header.last_frame - header.first_frame) / fps if fps else None,
            players=[
                {
                    "id": team.id,
                    "name": team.leader,
                    "team": team.id,
                    "ally_team": team.ally,
                    "is_ai": bool(team.flags & 1),
                    "side": team.side,
                    "colour": list(team.colour),
                }
                for team in info.teams
            ],
            details={
                **framing.header_fields(header),
                **{name: texts.get(name) for name in ("engine", "writer")},
                "info": _info_document(info),
            },
        )

    def read_fully(self) -> None:
        _ = self.match_info, self.match_features
        self.counts = tables.count_rows(self)

    def unwrap(self, part: str | None = None) -> bytes:
        """One decompressed chunk: ``info``, ``features``, ``window[3].main`` or ``window[3].terrain``."""
        name = part or "window[0].main"
        place = self.places.get(name) or self.places.get(name.replace("windows[", "window["))
        if place is None:
            raise ReplayError(
                "the track has no such chunk",
                code="no-such-part",
                format=self.format,
                where=name,
                expected="info, features, window[K].main or window[K].terrain",
            )
        return self.chunk(place).data

    def streams(self) -> Iterator[tuple[str, bytes]]:
        yield "", self.source.data
        for place in self.places.values():
            chunk = self._try(lambda place=place: self.chunk(place))  # type: ignore[misc]
            if chunk is not None:
                yield place.where, chunk.data

    def encode(self, *, version: int | None = None, suffix: str = "", level: int = 6, **options: Any) -> bytes:
        """The track built again from its decoded fields; ``level`` is zlib's. Raises ReplayError where a part cannot
        be read, and UnsupportedVersion for a format version other than 1."""
        if version not in (None, 1):
            raise cbtrack_rules.VERSION.failure(self.format, where="header.format_version", found=version, expected=1)
        header, places = self.header, self.places
        info = self._part(places["info"], decode_info)
        features = self._part(places["features"], lambda columns: decode_features(columns, header))
        windows: list[tuple[bytes | None, bytes | None]] = []
        for k in range(header.num_windows):
            main = rewrite.rebuilt(encode_main(self.window(k).main), self.chunk(places[f"window[{k}].main"]))
            rows = self.terrain_rows(k)
            terrain = None
            if rows is not None:
                chunk = self.chunk(places[f"window[{k}].terrain"])
                terrain = rewrite.rebuilt(encode_terrain(rows, header), chunk)
            windows.append((main, terrain))
        return build_file(
            rewrite.header_values(header),
            rewrite.rebuilt(encode_info(info), self.chunk(places["info"])),
            rewrite.rebuilt(encode_features(features), self.chunk(places["features"])),
            windows,
            level=level,
            after_header=self.source.data[HEADER_SIZE : header.len_header],
        )

    def redacted(self, pseudonyms: Pseudonymizer, policy: Policy, report: Report, suffix: str = "") -> bytes:
        """The track with pseudonyms for the teams' leaders. Columns, header fields and bytes that this reader does not
        know are left out, and a chunk that cannot be read is too: nobody could search them."""
        info = self.match_info
        names = pseudonyms.mapping(policy.action("name"), [team.leader for team in info.teams])
        if names:
            report.changed("name", sum(team.leader in names for team in info.teams))
        chunks: dict[str, bytes | None] = {}
        for name, place in self.places.items():
            if not self.reads(name):
                chunks[name] = None
                report.note(f"cbtrack: {name} cannot be read and was left out")
            elif name == "info":
                chunks[name] = build_chunk(encode_info(rewrite.renamed(info, names)), where=name)
            else:
                chunks[name] = rewrite.without_unknown(self.chunk(place))
        values = {**rewrite.header_values(self.header), "reserved": bytes(8)}
        windows = [
            (chunks[f"window[{k}].main"], chunks.get(f"window[{k}].terrain")) for k in range(self.header.num_windows)
        ]
        return build_file(values, chunks["info"], chunks["features"], windows)

    def compare(self, other: Self) -> list[Difference]:
        """Main chunks byte for byte and then by value, the rest by value, terrain by the heights it ends with."""
        return list(differences(self, other))

    def validate(self, profile: str = "release") -> list[Problem]:
        """Every rule that the track breaks: those of reading, and those that a writer keeps."""
        self.check_open()
        found = Problems(self.format, strict=self.strict, limit=self.limits.problems)
        for problem in check_track(self):
            found.add(problem)
        return [*self.problems, *found]


def _info_document(info: Info) -> dict[str, Any]:
    return {
        "texts": list(info.texts),
        "unit_definitions": list(info.unit_names),
        "weapon_definitions": list(info.weapon_names),
        "feature_definitions": list(info.feature_names),
        "posed_pieces": {str(definition): list(names) for definition, names in info.pieces.items()},
        "map_size": list(info.map_size),
        "footprints": None if info.footprints is None else [list(pair) for pair in info.footprints],
        "team_parameters": list(info.team_parameters),
        "game_parameters": list(info.game_parameters),
    }
