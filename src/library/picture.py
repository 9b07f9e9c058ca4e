"""How a map is played: its matches under filters, one layer aggregated, the records, and their files."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ksreplay import __version__
from ksreplay.atomic import replacing
from ksreplay.errors import ReplayError
from ksreplay.library.counting import counts_of
from ksreplay.library.index import Index
from ksreplay.library.layers import MapPicture, map_picture
from ksreplay.library.maps import MapSize, estimate, map_size, other_sizes, records_of, set_map
from ksreplay.library.naming import Naming
from ksreplay.library.queries import A_MINUTE, Filter, MatchRow, select
from ksreplay.semantics.spring.analysis.aggregate import WHOLE, Scaling, Window
from ksreplay.semantics.spring.analysis.csv_exports import Filters, Provenance, layer_csv, starts_csv, utc
from ksreplay.semantics.spring.analysis.map_records import Lengths, MapRecords, lengths

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class MapMatches:
    """The matches of a map's page and its records."""

    map: str
    size: MapSize
    wanted: Filter
    matches: tuple[MatchRow, ...]
    left_out: dict[str, int]  # reason -> files or matches
    records: MapRecords
    other_maps: Lengths  # lengths on every other map under the same filters
    filter_analysed: str = ""
    filter_replay_set: str = ""

    @property
    def map_versions(self) -> list[str]:
        return sorted({row.map for row in self.matches})

    @property
    def game_versions(self) -> list[str]:
        return sorted({row.game for row in self.matches})


def gather(
    library: Index, map: str, wanted: Filter = A_MINUTE, *, size: tuple[float, float] | None = None,
    leave_out: Sequence[str] = (), only: Collection[str] | None = None, analysed: Collection[str] | None = None,
) -> MapMatches:  # fmt: skip
    """The matches of a map, all versions of it but those known to be of another size.

    `leave_out`: names of map or game versions; `only`: paths or game ids of a set of replays; `analysed`: game ids of
    matches with an analysis, where only those are wanted. The size is the given one, which is kept; else the kept
    one; else an estimate from where starts and buildings were.
    """
    if size is not None:
        known = map_size(library.db, map)
        set_map(library.db, map, *size, "given", known.declared if known else ())
    found = select(library.db, replace(wanted, map=map))
    out = dict(found.left_out)
    found_size = map_size(library.db, map) or estimate([row.extent for row in found.matches if row.extent])
    if found_size is None and not found.matches:
        raise ReplayError("no match is on a map of exactly this name", code="no-matches", format="library", found=map)
    if found_size is None:
        raise ReplayError(
            "the size of this map is not known; give it with --size WxH", code="map-size", format="library", found=map
        )
    others = other_sizes(library.db, found.matches, found_size) - {map}
    used = []
    for row in found.matches:
        reason = "a version of another size" if row.map in others else ""
        if row.map in leave_out or row.game in leave_out:
            reason = "left out by name"
        elif only is not None and row.path not in only and row.game_id not in only:
            reason = "not in the set of replays"
        elif analysed is not None and row.game_id not in analysed:
            reason = "not analysed"
        if reason:
            out[reason] = out.get(reason, 0) + 1
        else:
            used.append(row)
    records = records_of(library.db, map, used, found_size)
    mine = {row.file for row in found.matches}
    elsewhere = [row.seconds for row in select(library.db, wanted).matches if row.file not in mine]
    return MapMatches(
        map, found_size, wanted, tuple(used), out, records, lengths(elsewhere),
        filter_analysed="" if analysed is None else "analysed",
        filter_replay_set="" if only is None else f"{len(only)} replays",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """One layer of a map's page."""

    page: MapMatches
    shown: MapPicture

    def provenance(self) -> Provenance:
        w = self.page.wanted
        filters = Filters(
            players="" if w.players is None else str(w.players), sides=w.sides or "",
            played_from=utc(w.started_from)[:10], played_until=utc(w.started_until)[:10],
            includes_matches_under_a_minute=w.under_a_minute, analysed=self.page.filter_analysed,
            replay_set=self.page.filter_replay_set,
        )  # fmt: skip
        page = self.page
        return Provenance(
            page.map, page.map_versions, page.game_versions, len(page.matches), time.time(), filters=filters
        )

    def layer_csv(self) -> str:
        return layer_csv(self.shown.picture, self.shown.layer, self.provenance())

    def starts_csv(self) -> str:
        return starts_csv(self.page.records, self.provenance(), self.page.size.width, self.page.size.height)

    def figure(self) -> Figure:
        from ksreplay.plots import spring_maps

        page, shown = self.page, self.shown
        note = [
            f"Source: {shown.source}. Map size {page.size.source}: {page.size.width:g} x {page.size.height:g} elmos."
        ]
        note += [f"Left out: {self._reasons()}."] if self._reasons() else []
        note += [f"Map versions: {'; '.join(page.map_versions)}. Games: {'; '.join(page.game_versions)}."]
        note += [f"Made with ksreplay {__version__} on {utc(time.time())[:10]}."]
        return spring_maps.picture(
            shown.picture, layer=shown.layer, map=page.map, note="\n".join(note), starts=page.records.rows
        )

    def _reasons(self) -> str:
        both = {**self.page.left_out, **self.shown.left_out}
        return ", ".join(f"{n} {reason}" for reason, n in both.items())

    def to_dict(self) -> dict[str, Any]:
        page, shown, p = self.page, self.shown, self.shown.picture
        r = page.records
        return {
            "map": page.map,
            "map_versions": page.map_versions,
            "game_versions": page.game_versions,
            "size": {"width": page.size.width, "height": page.size.height, "source": page.size.source},
            "grid": {"width": p.grid.width, "height": p.grid.height},
            "matches": len(page.matches),
            "layer": {
                "name": shown.layer, "source": shown.source, "scaling": p.scaling, "window": str(p.window),
                "matches_in_layer": p.matches_in_layer, "outside_window": p.outside_window, "empty": p.empty,
                "events": int(p.events.sum()), "off_map": shown.off_map, "left_out": shown.left_out,
            },
            "left_out": page.left_out,
            "records": {
                "results": r.results, "two_sided_results": r.two_sided_results,
                "won_by_team_1": r.won_by_first_side, "won_by_team_2": r.won_by_second_side,
                "arrangements": dict(r.arrangements), "no_team_ids": r.no_team_ids, "no_seat": r.no_seat,
                "no_place": r.no_place, "split_by_team": r.split_by_team,
                "lengths": _lengths(r.lengths), "other_maps": _lengths(page.other_maps),
                "factions": {side: {"games": g, "with_result": k, "won": w} for side, (g, k, w) in r.factions.items()},
                "grouping_distance": r.grouping.scale, "declared_tolerance": r.grouping.tolerance,
                "positions": [
                    {"number": row.number, **row.position._asdict(), "name": row.name, "taken": row.total.taken,
                     "by_ai": row.total.by_ai, "with_result": row.total.with_result, "won": row.total.won}
                    for row in r.rows
                ],
                "lost_names": [name._asdict() for name in r.lost_names],
            },
        }  # fmt: skip

    def lines(self) -> Iterator[str]:
        """The page for a person."""
        page, p, r = self.page, self.shown.picture, self.page.records
        versions = f" across {len(page.map_versions)} versions of this map" if len(page.map_versions) > 1 else ""
        size = f"{page.size.width:g} x {page.size.height:g} elmos ({page.size.source})"
        yield f"{page.map}: {len(page.matches)} matches{versions}; size {size}"
        layer = f"layer {self.shown.layer} ({self.shown.source}), {p.window}"
        events = f"{int(p.events.sum()):,} events of {p.matches_in_layer} matches"
        yield f"{layer}: {events}; {self.shown.off_map} off the map"
        if self._reasons():
            yield f"left out: {self._reasons()}"
        yield f"results: {r.results} of {len(page.matches)} matches"
        if r.two_sided_results:
            won = f"team 1 won {r.won_by_first_side}, team 2 won {r.won_by_second_side}"
            yield f"  {won} of {r.two_sided_results} of two sides"
        for where, found in (("this map", r.lengths), ("other maps", page.other_maps)):
            if found.median is not None:
                span = f"median {found.median:.0f} s, {found.shortest:.0f} to {found.longest:.0f} s"
                yield f"  length on {where}: {span}, {found.matches} matches"
        for side, (games, known, wins) in r.factions.items():
            yield f"  {side}: {games} games, won {wins} of {known}"
        for row in r.rows[:64]:
            t = row.total
            name = f" {row.name}" if row.name else ""
            yield (f"  start {row.number} {row.position.key}{name} at {row.position.x:.0f}, {row.position.z:.0f} "
                   f"(radius {row.position.radius:.0f}): taken {t.taken}, won {t.won} of {t.with_result}")  # fmt: skip


def _lengths(found: Lengths) -> dict[str, Any]:
    return {
        "matches": found.matches,
        "median_s": found.median,
        "shortest_s": found.shortest,
        "longest_s": found.longest,
    }


def draw(
    library: Index, page: MapMatches, layer: str, naming: Naming, *, scaling: Scaling = "share", window: Window = WHOLE
) -> Drawn:
    """One layer of the page's matches, counted where its counts are not kept."""
    counts = counts_of(library.folder, naming.analyses)
    shown = map_picture(library.db, page.matches, layer, page.size.grid, counts=counts, name=naming, scaling=scaling,
                        window=window)  # fmt: skip
    return Drawn(page, shown)


def write_text(path: Path, text: str, *, force: bool) -> None:
    with replacing(path, force=force) as file:
        file.write(text.encode())
