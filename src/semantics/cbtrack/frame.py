"""Everything at one frame: as tables keyed by serial number, and as the document of ``ksreplay state``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import Header
from ksreplay.formats.cbtrack_columns import FIRST_PARAMETER, NO_DEFINITION, NO_TEAM
from ksreplay.semantics.cbtrack import schemas, tables
from ksreplay.semantics.cbtrack.match import Match
from ksreplay.semantics.cbtrack.model import Info
from ksreplay.semantics.cbtrack.names import KINDS, kind_names, number_name, piece_names
from ksreplay.semantics.cbtrack.terrain import Steps
from ksreplay.semantics.cbtrack.window import RESOURCE_CODES, Window
from ksreplay.table import Table

Array = npt.NDArray[Any]


#: The parts of the document of a frame.
PARTS = ("units", "projectiles", "features", "team_values", "terrain")


def numbers_of(info: Info, window: Window) -> Iterator[tuple[int | None, int]]:
    """Team (None: the game) and code of every number that a frame has: the resources and the rules parameters of each
    team, the parameters of the game, and what else the window has a track for."""
    told = dict.fromkeys(
        [(team.id, code) for team in info.teams for code in RESOURCE_CODES]
        + [(team.id, FIRST_PARAMETER + i) for team in info.teams for i in range(len(info.team_parameters))]
        + [(NO_TEAM, FIRST_PARAMETER + i) for i in range(len(info.game_parameters))]
    )
    told.update(dict.fromkeys(window.numbers()))
    for team, code in told:
        yield (None if team == NO_TEAM else team), code


class Frame:
    """A match at ``frame``, read from window ``window``. Each table is made when it is touched."""

    def __init__(
        self,
        match: Match,
        frame: float,
        window: int,
        read: Callable[[], Window],
        terrain: Callable[[], Steps],
    ) -> None:
        self._match = match
        self._read = read
        self._terrain = terrain
        self.frame = frame
        self.window = window

    @property
    def header(self) -> Header:
        return self._match.header

    @cached_property
    def _window(self) -> Window:
        return self._read()

    @cached_property
    def unit_rows(self) -> Array:
        """Indices in the window of the units that exist, in order of serial number."""
        rows = self._window.units_at(self.frame)
        return rows[np.argsort(self._window.main.units.serial[rows], kind="stable")]

    @cached_property
    def projectile_rows(self) -> Array:
        """Indices in the window of the projectiles that exist, in order of serial number."""
        rows = self._window.projectiles_at(self.frame)
        return rows[np.argsort(self._window.main.projectiles.serial[rows], kind="stable")]

    @cached_property
    def units(self) -> Table:
        """The units that exist, see schema ``units_at``."""
        rows, units = self.unit_rows, self._window.main.units
        motion = self._window.motion(rows, self.frame)
        definition = units.definition[rows]
        return Table.build(
            schemas.UNITS_AT,
            {
                "serial": units.serial[rows],
                "unit_id": units.unit_id[rows],
                "definition": definition,
                "definition_name": tables.definition_names(self._match.match_info.unit_names, definition),
                "team": units.team[rows],
                **tables.xyz(motion.position, 1.0),
                **tables.rotation_columns(motion.rotation),
                **tables.xyz(motion.front, 1.0, "front_"),
                **tables.xyz(motion.up, 1.0, "up_"),
                "health": motion.health,
                "build_progress": motion.build,
                "on": motion.on,
            },
        )

    @cached_property
    def projectiles(self) -> Table:
        """The projectiles that exist, see schema ``projectiles_at``."""
        rows, entries = self.projectile_rows, self._window.main.projectiles
        flight = self._window.flight(rows, self.frame)
        definition, owner = entries.definition[rows], self._window.owner_serial[rows]
        team, has_team = tables.team_column(entries.team[rows])
        return Table.build(
            schemas.PROJECTILES_AT,
            {
                "serial": entries.serial[rows],
                "definition": definition,
                "definition_name": tables.weapon_names(self._match, definition),
                "team": team,
                "owner": owner,
                **tables.xyz(flight.position, 1.0),
                **tables.xyz(flight.velocity, 1.0, "velocity_"),
            },
            {"definition": definition != NO_DEFINITION, "team": has_team, "owner": owner >= 0},
        )

    @cached_property
    def features(self) -> Table:
        """The features that exist, see schema ``features``."""
        features = self._match.match_features
        rows = np.flatnonzero((features.first <= self.frame) & (self.frame <= features.last))
        return tables.features(self._match, rows)

    @cached_property
    def team_values(self) -> Table:
        """Every number of every team and of the game, see schema ``team_values_at``."""
        info, rows = self._match.match_info, []
        for team, code in numbers_of(info, self._window):
            value, known = self._window.number(team, code, self.frame)
            number = float(value)
            rows.append(
                {
                    "team": team,
                    "code": code,
                    "name": number_name(info, team, code),
                    "value": number if number == number else None,
                    "known": known,
                }
            )
        return Table.from_rows(schemas.TEAM_VALUES_AT, rows)

    @cached_property
    def terrain(self) -> Table:
        """Every point of the heightmap that has changed since the start, see schema ``terrain_at``."""
        steps = self._terrain().last()
        return Table.build(schemas.TERRAIN_AT, {"x": steps.x, "z": steps.z, "height": steps.height})

    def targets(self) -> dict[int, list[dict[str, Any]]]:
        """Serial number -> what each weapon of the unit aims at, and its builder work (weapon 0)."""
        window, units = self._window, self._window.main.units
        unit, track, key = window.targets_at(self.unit_rows, self.frame)
        targets = window.main.targets
        references, known = tables.reference_columns(window, key)
        reference = np.where(known["target_feature"], references["target_feature"], references["target_serial"])
        has_reference = known["target_feature"] | known["target_serial"]
        position, has = tables.placed_columns(window, key)
        places = np.stack([position[axis] for axis in "xyz"], axis=1).tolist()
        words = kind_names(targets.kind[key]).to_objects().tolist()
        result: dict[int, list[dict[str, Any]]] = {}
        for i, serial in enumerate(units.serial[unit].tolist()):
            is_known = int(targets.kind[key[i]]) in KINDS
            result.setdefault(serial, []).append(
                {
                    "weapon": int(targets.weapon[track[i]]),
                    "kind": words[i],
                    "reference": int(reference[i]) if has_reference[i] else None,
                    "position": places[i] if has[i] else None,
                    "build_power": int(targets.power[key[i]]) if is_known else 0,
                }
            )
        return result

    def poses(self) -> dict[int, list[dict[str, Any]]]:
        """Serial number -> the posed pieces of the unit."""
        window, units = self._window, self._window.main.units
        unit, track, angle, offset = window.poses_at(self.unit_rows, self.frame)
        piece = window.main.poses.piece[track]
        names = piece_names(self._match.match_info, units.definition[unit], piece).to_objects().tolist()
        result: dict[int, list[dict[str, Any]]] = {}
        rows = zip(units.serial[unit].tolist(), piece.tolist(), names, angle.T.tolist(), offset.T.tolist(), strict=True)
        for serial, number, name, turn, shift in rows:
            result.setdefault(serial, []).append({"piece": number, "piece_name": name, "angle": turn, "offset": shift})
        return result

    def queues(self) -> dict[int, list[dict[str, Any]]]:
        """Serial number -> the items of the unit's build queue."""
        window, units = self._window, self._window.main.units
        unit, key = window.queues_at(self.unit_rows, self.frame)
        queues, step, names = window.main.queues, self.header.position_step, self._match.match_info.unit_names
        result = {}
        for serial, k in zip(units.serial[unit].tolist(), key.tolist(), strict=True):
            items = slice(int(queues.items[k]), int(queues.items[k + 1]))
            result[serial] = [
                {
                    "definition": definition,
                    "definition_name": names[definition] if definition < len(names) else None,
                    "position": [x * step, z * step],
                    "facing": facing,
                }
                for definition, x, z, facing in zip(
                    queues.definition[items].tolist(),
                    queues.x[items].tolist(),
                    queues.z[items].tolist(),
                    queues.facing[items].tolist(),
                    strict=True,
                )
            ]
        return result

    def to_dict(self, parts: Sequence[str] = PARTS) -> dict[str, Any]:
        """The document of ``ksreplay state``: everything at the frame, or some ``parts``, as JSON can carry it."""
        make: dict[str, Callable[[], list[dict[str, Any]]]] = {
            "units": self._unit_documents,
            "projectiles": self._projectile_documents,
            "features": self._feature_documents,
            "team_values": lambda: list(self.team_values.rows()),
            "terrain": lambda: list(self.terrain.rows()),
        }
        return {"frame": self.frame, "window": self.window, **{part: make[part]() for part in parts}}

    def _unit_documents(self) -> list[dict[str, Any]]:
        targets, poses, queues = self.targets(), self.poses(), self.queues()
        return [
            {
                **_take(row, "serial", "unit_id", "definition", "definition_name", "team"),
                "position": _vector(row),
                "rotation": _vector(row, "rotation_", "xyzw"),
                "front": _vector(row, "front_"),
                "up": _vector(row, "up_"),
                **_take(row, "health", "build_progress", "on"),
                "targets": targets.get(row["serial"], []),
                "poses": poses.get(row["serial"], []),
                "queue": queues.get(row["serial"], []),
            }
            for row in self.units.rows()
        ]

    def _projectile_documents(self) -> list[dict[str, Any]]:
        return [
            {
                **_take(row, "serial", "definition", "definition_name", "team", "owner"),
                "position": _vector(row),
                "velocity": _vector(row, "velocity_"),
            }
            for row in self.projectiles.rows()
        ]

    def _feature_documents(self) -> list[dict[str, Any]]:
        return [
            {
                "index": row["feature"],
                "id": row["feature_id"],
                **_take(row, "definition", "definition_name", "team"),
                "position": _vector(row),
                "rotation": _vector(row, "rotation_", "xyzw"),
            }
            for row in self.features.rows()
        ]


def _take(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _vector(row: dict[str, Any], prefix: str = "", axes: str = "xyz") -> list[float]:
    return [row[f"{prefix}{axis}"] for axis in axes]
