"""The tables of a track: their columns, units and meanings. ``tables`` fills them."""

from __future__ import annotations

from ksreplay.table import Column, Schema

_PAGE = "seed 000, "

WINDOW = Column("window", "int32", meaning="window the row is from; a frame on an edge is in both windows")
SERIAL = Column("serial", "int64", meaning="serial number: identifies the unit across windows", source=_PAGE + "Units")
FRAME = Column("frame", "int64", unit="frame", meaning="simulation frame of the match")
DEFINITION = Column("definition", "int32", meaning="index of the definition")
DEFINITION_NAME = Column(
    "definition_name", "string", nullable=True, meaning="name of the definition; null where the info chunk has none"
)
TEAM = Column("team", "int32", nullable=True, meaning="team id; null for none")


def _vector(name: str, unit: str, meaning: str, nullable: bool = False) -> tuple[Column, ...]:
    return tuple(
        Column(f"{name}{axis}", "float64", nullable=nullable, unit=unit, meaning=f"{meaning}, {axis}")
        for axis in ("x", "y", "z")
    )


POSITION = _vector("", "elmo", "position")
VELOCITY = _vector("velocity_", "elmo/frame", "velocity")
ROTATION = tuple(
    Column(f"rotation_{axis}", "float64", meaning=f"rotation, a unit quaternion, {axis}", source=_PAGE + "Rotation")
    for axis in ("x", "y", "z", "w")
)
LIFE = (
    Column("first_frame", "int64", unit="frame", meaning="first frame at which it exists"),
    Column("last_frame", "int64", unit="frame", meaning="last frame at which it exists"),
)
WINDOWS_OF = Column("windows", "list<int32>", meaning="the windows it is in")


def _schema(name: str, section: str, row: str, *columns: Column | tuple[Column, ...]) -> Schema:
    flat: list[Column] = []
    for column in columns:
        flat.extend(column if isinstance(column, tuple) else (column,))
    return Schema(name, tuple(flat), meaning=f"one row {row}", source=_PAGE + section)


WINDOWS = _schema(
    "windows", "Window index", "a window",
    WINDOW,
    Column("start_frame", "int64", unit="frame", meaning="first frame of the window"),
    Column("end_frame", "int64", unit="frame", meaning="last frame of the window, also the first of the next"),
    Column("main_offset", "int64", unit="byte", meaning="offset of the main chunk in the file"),
    Column("main_bytes", "int64", unit="byte", meaning="compressed size of the main chunk"),
    Column("terrain_offset", "int64", nullable=True, unit="byte", meaning="offset of the terrain chunk; null for none"),
    Column("terrain_bytes", "int64", unit="byte", meaning="compressed size of the terrain chunk"),
)  # fmt: skip
TEAMS = _schema(
    "teams", "Info chunk", "a team",
    Column("team", "int32", meaning="team id"),
    Column("ally_team", "int32", meaning="ally team"),
    Column("is_ai", "bool", meaning="an AI team"),
    Column("red", "uint8", meaning="team colour"),
    Column("green", "uint8", meaning="team colour"),
    Column("blue", "uint8", meaning="team colour"),
    Column("side", "string", meaning="side (faction) of the team"),
    Column("leader", "string", meaning="name of the team's leader"),
)  # fmt: skip
UNIT_DEFINITIONS = _schema(
    "unit_definitions", "Info chunk", "a unit definition that the track uses",
    DEFINITION,
    Column("name", "string", meaning="name of the unit definition"),
    Column("footprint_x", "int32", nullable=True, unit="elmo", meaning="footprint across the unit"),
    Column("footprint_z", "int32", nullable=True, unit="elmo", meaning="footprint along the way the unit faces"),
    Column("posed_pieces", "int32", meaning="number of posed pieces"),
)  # fmt: skip
WEAPON_DEFINITIONS = _schema(
    "weapon_definitions", "Info chunk", "a weapon definition that the track uses",
    DEFINITION, Column("name", "string", meaning="name of the weapon definition"),
)  # fmt: skip
FEATURE_DEFINITIONS = _schema(
    "feature_definitions", "Info chunk", "a feature definition that the track uses",
    DEFINITION, Column("name", "string", meaning="name of the feature definition"),
)  # fmt: skip
PIECES = _schema(
    "pieces", "Info chunk", "a posed piece of a unit definition",
    DEFINITION, DEFINITION_NAME,
    Column("piece", "int32", meaning="index among the posed pieces of the definition"),
    Column("name", "string", meaning="name of the piece"),
)  # fmt: skip
FEATURES = _schema(
    "features", "Features chunk", "a feature of the match",
    Column("feature", "int32", meaning="index in the features chunk, which targets refer to"),
    Column("feature_id", "int32", meaning="the engine's feature id"),
    DEFINITION, DEFINITION_NAME, TEAM,
    Column("existed_before", "bool", meaning="it was there before the first frame"),
    Column("exists_after", "bool", meaning="it was still there after the last frame"),
    LIFE, POSITION, ROTATION,
)  # fmt: skip
UNITS = _schema(
    "units", "Units", "a unit of the match",
    SERIAL, Column("unit_id", "int32", meaning="the engine's unit id, which it uses again for later units"),
    DEFINITION, DEFINITION_NAME, TEAM, LIFE, WINDOWS_OF,
)  # fmt: skip
UNIT_ENTRIES = _schema(
    "unit_entries", "Units", "a unit and a window it is in",
    WINDOW, SERIAL, Column("unit_id", "int32", meaning="the engine's unit id"), DEFINITION, DEFINITION_NAME, TEAM,
    Column("existed_before", "bool", meaning="it existed before this window"),
    Column("exists_after", "bool", meaning="it exists after this window"),
    LIFE,
    Column("transform_keys", "int32", meaning="number of transform keys"),
    Column("status_keys", "int32", meaning="number of status keys"),
    Column("target_tracks", "int32", meaning="number of target tracks"),
    Column("pose_tracks", "int32", meaning="number of pose tracks"),
    Column("queue_keys", "int32", meaning="number of build queue keys"),
)  # fmt: skip
TRANSFORM_KEYS = _schema(
    "transform_keys", "Transform keys", "a transform key", WINDOW, SERIAL, FRAME, POSITION, ROTATION
)
STATUS_KEYS = _schema(
    "status_keys", "Status keys", "a status key",
    WINDOW, SERIAL, FRAME,
    Column("health", "float64", meaning="health, 0 to 1 of the unit's maximum at that frame"),
    Column("build_progress", "float64", meaning="build progress, 0 to 1"),
    Column("on", "bool", meaning="the unit is switched on, until the next key"),
)  # fmt: skip
TARGET_KEYS = _schema(
    "target_keys", "Target tracks", "a key of a target track; a target holds until the next key",
    WINDOW, SERIAL, Column("weapon", "int32", meaning="weapon number from 1, or 0 for builder work"), FRAME,
    Column("kind", "int32", meaning="kind of the target as stored"),
    Column("kind_name", "string", meaning="kind of the target; an unknown kind means nothing"),
    Column("target_serial", "int64", nullable=True, meaning="serial number of the unit or projectile aimed at"),
    Column("target_feature", "int64", nullable=True, meaning="index of the feature aimed at"),
    Column("build_power", "int32", meaning="build power in use, 255 for full; 0 for a weapon"),
    _vector("", "elmo", "position aimed at", nullable=True),
)  # fmt: skip
POSE_KEYS = _schema(
    "pose_keys", "Pose tracks", "a key of a pose track",
    WINDOW, SERIAL, Column("piece", "int32", meaning="index among the posed pieces of the unit's definition"),
    Column("piece_name", "string", nullable=True, meaning="name of the piece"), FRAME,
    _vector("angle_", "turn/65536", "turn about an axis of the parent piece, not reduced to one turn"),
    _vector("offset_", "elmo", "offset from the piece's rest position"),
)  # fmt: skip
BUILD_QUEUE = _schema(
    "build_queue", "Build queue keys", "an item of a queue key; a key of an empty queue has one row without an item",
    WINDOW, SERIAL, FRAME,
    Column("item", "int32", nullable=True, meaning="place in the queue, counting from 0; null for an empty queue"),
    Column("definition", "int32", nullable=True, meaning="index of the unit definition to build"),
    DEFINITION_NAME,
    Column("x", "float64", nullable=True, unit="elmo", meaning="where to build, x"),
    Column("z", "float64", nullable=True, unit="elmo", meaning="where to build, z"),
    Column("facing", "int32", nullable=True, meaning="facing, 0 to 3"),
)  # fmt: skip
PROJECTILES = _schema(
    "projectiles", "Projectiles", "a projectile of the match",
    Column("serial", "int64", meaning="serial number: identifies the projectile across windows"),
    Column("definition", "int32", nullable=True, meaning="index of the weapon definition; null for debris"),
    DEFINITION_NAME, TEAM,
    Column("owner", "int64", nullable=True, meaning="serial number of the unit that fired it, where a window says so"),
    LIFE, WINDOWS_OF,
)  # fmt: skip
PROJECTILE_KEYS = _schema(
    "projectile_keys", "Projectiles", "a projectile key",
    WINDOW, Column("serial", "int64", meaning="serial number of the projectile"), FRAME, POSITION, VELOCITY,
)  # fmt: skip
TEAM_VALUES = _schema(
    "team_values", "Team numbers", "a key of a number of a team or of the game",
    WINDOW, Column("team", "int32", nullable=True, meaning="team id; null for a number of the game"),
    Column("code", "int32", meaning="code of the number"),
    Column("name", "string", nullable=True, meaning="name of the number or rules parameter"),
    FRAME, Column("value", "float32", meaning="value; a straight line to the next key"),
)  # fmt: skip
TERRAIN = _schema(
    "terrain", "Terrain chunk", "a change of the height of a point",
    WINDOW, FRAME,
    Column("x", "int32", unit="8 elmos", meaning="heightmap corner"),
    Column("z", "int32", unit="8 elmos", meaning="heightmap corner"),
    Column("before", "float64", unit="elmo", meaning="height before the change"),
    Column("after", "float64", unit="elmo", meaning="height after the change"),
)  # fmt: skip

# Tables of one frame, see ``frame``.
UNITS_AT = _schema(
    "units_at", "Reading a frame", "a unit at one frame",
    SERIAL, Column("unit_id", "int32", meaning="the engine's unit id"), DEFINITION, DEFINITION_NAME, TEAM,
    POSITION, ROTATION, _vector("front_", "", "direction of the unit's front"),
    _vector("up_", "", "direction of the unit's top"),
    Column("health", "float64", meaning="health, 0 to 1"),
    Column("build_progress", "float64", meaning="build progress, 0 to 1"),
    Column("on", "bool", meaning="the unit is switched on"),
)  # fmt: skip
PROJECTILES_AT = _schema(
    "projectiles_at", "Reading a frame", "a projectile at one frame",
    Column("serial", "int64", meaning="serial number of the projectile"),
    Column("definition", "int32", nullable=True, meaning="index of the weapon definition; null for debris"),
    DEFINITION_NAME, TEAM, Column("owner", "int64", nullable=True, meaning="serial number of the unit that fired it"),
    POSITION, VELOCITY,
)  # fmt: skip
TEAM_VALUES_AT = _schema(
    "team_values_at", "Reading a frame", "a number of a team or of the game at one frame",
    Column("team", "int32", nullable=True, meaning="team id; null for a number of the game"),
    Column("code", "int32", meaning="code of the number"),
    Column("name", "string", nullable=True, meaning="name of the number or rules parameter"),
    Column("value", "float64", nullable=True, meaning="value; null where it is not set or not known"),
    Column("known", "bool", meaning="false in a track from before recorder version 4"),
)  # fmt: skip
TERRAIN_AT = _schema(
    "terrain_at", "Reading a frame", "a point of the heightmap that has changed since the start",
    Column("x", "int32", unit="8 elmos", meaning="heightmap corner"),
    Column("z", "int32", unit="8 elmos", meaning="heightmap corner"),
    Column("height", "float64", unit="elmo", meaning="height at the frame"),
)  # fmt: skip
PATH = _schema(
    "path", "Reading a frame", "a frame of one unit",
    Column("frame", "float64", unit="frame", meaning="frame asked for"),
    Column("exists", "bool", meaning="the unit exists at the frame"),
    tuple(Column(c.name, c.dtype, True, c.unit, c.meaning) for c in (*POSITION, *ROTATION)),
    Column("health", "float64", nullable=True, meaning="health, 0 to 1"),
    Column("build_progress", "float64", nullable=True, meaning="build progress, 0 to 1"),
    Column("on", "bool", nullable=True, meaning="the unit is switched on"),
)  # fmt: skip
