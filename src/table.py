"""Tables: a schema that is declared before there is data, and numpy columns under it."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Binary, Derived, Lists, Ragged, Strings
from ksreplay.text import printable

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

FIXED = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()
)  #: the dtypes of a plain numpy column
_LIST = {f"list<{item}>": item for item in (*sorted(FIXED), "string")}
DTYPES = FIXED | {"string", "binary"} | _LIST.keys()


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds, stated once: tables, exports and the reference pages all say it from here.

    ``dtype`` is a numpy name (`FIXED`), ``string``, ``binary`` or ``list<T>``. ``private`` columns are null unless a
    replay is opened with ``private=True``. ``source`` names the field, seed section or fact sheet it comes from.
    """

    name: str
    dtype: str
    nullable: bool = False
    unit: str = ""
    meaning: str = ""
    source: str = ""
    private: bool = False

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise ValueError(f"column {self.name}: unknown dtype {self.dtype!r}")

    @property
    def item_dtype(self) -> str:
        """T of ``list<T>``, "" for other columns."""
        return _LIST.get(self.dtype, "")

    @property
    def may_be_null(self) -> bool:
        """Whether a null can stand here: by itself, or because the replay was opened without ``private``."""
        return self.nullable or self.private

    def to_dict(self) -> dict[str, Any]:
        return {
            name: getattr(self, name) for name in ("name", "dtype", "nullable", "unit", "meaning", "source", "private")
        }


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a table, the same for every file of a format; ``version`` grows when they change."""

    name: str
    columns: tuple[Column, ...]
    meaning: str = ""
    source: str = ""
    version: int = 1
    private: bool = False
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {column.name: position for position, column in enumerate(self.columns)}
        if len(index) != len(self.columns):
            raise ValueError(f"table {self.name}: a column name stands twice")
        object.__setattr__(self, "_index", index)

    def __getitem__(self, name: str) -> Column:
        return self.columns[self._index[name]]

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._index)

    def select(self, names: Iterable[str]) -> Schema:
        """The same table with these columns only."""
        return Schema(
            self.name, tuple(self[name] for name in names), self.meaning, self.source, self.version, self.private
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "version": self.version,
            "meaning": self.meaning,
            "source": self.source,
            "private": self.private,
            "columns": [column.to_dict() for column in self.columns],
        }


class Table:
    """Named columns of equal length under a `Schema`.

    ``table["frame"]`` gives the values as a numpy array (object arrays for strings, bytes and lists),
    ``table.valid("frame")`` a bool array, or None where nothing is null. Under a null stands 0, NaN or an empty row.
    """

    def __init__(
        self, schema: Schema, columns: Mapping[str, Any], valid: Mapping[str, NDArray[np.bool_] | None]
    ) -> None:
        self.schema = schema
        self._columns = dict(columns)
        self._valid = dict(valid)
        self._length = len(self._columns[schema.columns[0].name]) if schema.columns else 0

    @classmethod
    def build(
        cls, schema: Schema, columns: Mapping[str, Any], valid: Mapping[str, NDArray[np.bool_] | None] | None = None
    ) -> Table:
        """Checks columns against the schema: names, dtypes (cast where numpy can do it safely in kind), equal lengths.

        A nullable column that is not given is all null. Raises ValueError: a mismatch is a mistake of the program.
        """
        unknown = [name for name in (*columns, *(valid or {})) if name not in schema]
        if unknown:
            raise ValueError(f"table {schema.name}: no column {unknown[0]!r} in its schema")
        lengths = {len(values) for values in columns.values()}
        if len(lengths) > 1:
            sizes = {name: len(values) for name, values in columns.items()}
            raise ValueError(f"table {schema.name}: columns of different length: {sizes}")
        length = lengths.pop() if lengths else 0
        built: dict[str, Any] = {}
        masks: dict[str, NDArray[np.bool_] | None] = {}
        for column in schema:
            if column.name not in columns:
                if not column.may_be_null:
                    raise ValueError(f"table {schema.name}: column {column.name!r} is missing")
                built[column.name], masks[column.name] = nulls(column, length), np.zeros(length, bool)
                continue
            values = _coerce(schema.name, column, columns[column.name])
            mask = (valid or {}).get(column.name)
            if isinstance(values, Ragged) and values.valid is not None:
                mask = values.valid if mask is None else mask & values.valid
            if mask is not None and (mask := np.asarray(mask, bool)).all():
                mask = None
            if mask is not None and not column.may_be_null:
                raise ValueError(f"table {schema.name}: nulls in column {column.name!r}, which is not nullable")
            built[column.name], masks[column.name] = values, mask
        return cls(schema, built, masks)

    @classmethod
    def from_rows(cls, schema: Schema, rows: Iterable[Mapping[str, Any]]) -> Table:
        """A small table from dictionaries; a missing key is a null."""
        rows = list(rows)
        columns: dict[str, Any] = {}
        valid: dict[str, NDArray[np.bool_] | None] = {}
        for column in schema:
            items = [row.get(column.name) for row in rows]
            if column.dtype == "string":
                columns[column.name] = Strings.from_list(items)
            elif column.dtype == "binary":
                columns[column.name] = Binary.from_list(items)
            elif column.item_dtype:
                columns[column.name] = Lists.from_lists(items, column.item_dtype)
            else:
                columns[column.name] = np.array([0 if item is None else item for item in items], column.dtype)
                valid[column.name] = np.array([item is not None for item in items], bool)
        return cls.build(schema, columns, valid)

    @classmethod
    def empty(cls, schema: Schema) -> Table:
        return cls.from_rows(schema, [])

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, name: str) -> NDArray[Any]:
        values = self.column(name)
        if not isinstance(values, Ragged):
            result: NDArray[Any] = values
            return result
        objects = values.to_objects()
        if (mask := self._valid[name]) is not None:
            objects[~mask] = None
        return objects

    def __iter__(self) -> Iterator[str]:
        return iter(self.schema.names)

    def column(self, name: str) -> Any:
        """The column as outputs take it: a numpy array, `Strings`, `Binary` or `Lists`.

        An array that follows from another (`Derived`) is made anew by every call.
        """
        values = self._columns[name]
        return values.array() if isinstance(values, Derived) else values

    def valid(self, name: str) -> NDArray[np.bool_] | None:
        """bool array, True where there is a value; None where nothing is null."""
        return self._valid[name]

    def take(self, rows: Any) -> Table:
        """The rows of an index array, a boolean mask or a slice."""
        return Table(
            self.schema,
            {
                name: values.take(rows) if isinstance(values, Ragged | Derived) else values[rows]
                for name, values in self._columns.items()
            },
            {name: None if mask is None else mask[rows] for name, mask in self._valid.items()},
        )

    def slice(self, start: int, stop: int | None = None) -> Table:
        return self.take(slice(start, stop))

    def filter(self, mask: NDArray[np.bool_]) -> Table:
        return self.take(np.flatnonzero(mask))

    def head(self, rows: int = 5) -> Table:
        return self.take(slice(0, max(0, rows)))

    def select(self, names: Iterable[str]) -> Table:
        """The table with these columns only."""
        schema = self.schema.select(names)
        return Table(schema, {n: self._columns[n] for n in schema.names}, {n: self._valid[n] for n in schema.names})

    def without_private(self) -> Table:
        """The table with its private columns null, so that the row count and the schema stay."""
        columns, valid = dict(self._columns), dict(self._valid)
        for column in self.schema:
            if column.private:
                columns[column.name] = nulls(column, len(self))
                valid[column.name] = np.zeros(len(self), bool)
        return Table(self.schema, columns, valid)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One dictionary of Python values a row, None where null: for looking at, not for hot paths."""
        names = self.schema.names
        columns = [self._python(name) for name in names]
        for values in zip(*columns, strict=True):
            yield dict(zip(names, values, strict=True))

    def _python(self, name: str) -> list[Any]:
        values = self[name]
        if self.schema[name].item_dtype:
            return [item.tolist() if isinstance(item, np.ndarray) else item for item in values]
        items: list[Any] = values.tolist()
        mask = self._valid[name]
        if mask is None or isinstance(self._columns[name], Ragged):
            return items
        return [item if known else None for item, known in zip(items, mask.tolist(), strict=True)]

    # What other libraries take.

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The Arrow PyCapsule interface: pyarrow, polars and DuckDB read the table from here."""
        from ksreplay import arrow

        return arrow.stream(self).__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        from ksreplay import arrow

        return arrow.schema(self.schema).__arrow_c_schema__()

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow.Table; raises ImportError with what to install where pyarrow is absent."""
        return _optional("pyarrow", "arrow").table(self)

    def to_polars(self) -> polars.DataFrame:
        """A polars.DataFrame; raises ImportError with what to install where polars is absent."""
        return _optional("polars", "polars").DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame, nullable columns in pandas' own nullable dtypes so that an integer stays one."""
        pd = _optional("pandas", "pandas")
        columns = {}
        for column in self.schema:
            mask = self._valid[column.name]
            values = self[column.name]
            if column.dtype == "string":
                columns[column.name] = pd.Series(values, dtype="str")
            elif column.dtype not in FIXED:
                columns[column.name] = pd.Series(values, dtype=object)
            elif column.may_be_null:
                gone = np.zeros(len(self), bool) if mask is None else ~mask
                array = {"b": pd.arrays.BooleanArray, "f": pd.arrays.FloatingArray}.get(
                    values.dtype.kind, pd.arrays.IntegerArray
                )
                columns[column.name] = pd.Series(array(values.copy(), gone))
            else:
                columns[column.name] = pd.Series(values)
        return pd.DataFrame(columns)

    @cached_property
    def nbytes(self) -> int:
        """Bytes that the columns hold."""
        return sum(int(values.nbytes) for values in self._columns.values())

    def __repr__(self) -> str:
        return f"<Table {self.schema.name}: {len(self)} rows, {len(self.schema)} columns>"

    def _repr_html_(self) -> str:
        """The first rows for a notebook, with what each column means in its heading's tooltip."""
        shown = self.head(10)
        heads = "".join(
            f'<th title="{html.escape(c.meaning)}">{html.escape(c.name)}'
            f"<br><small>{html.escape(c.unit or c.dtype)}</small></th>"
            for c in self.schema
        )
        body = "".join(
            "<tr>"
            + "".join(f"<td>{html.escape('' if v is None else printable(str(v), 80))}</td>" for v in row.values())
            + "</tr>"
            for row in shown.rows()
        )
        more = f"<p>{html.escape(self.schema.name)}: {len(self):,} rows</p>"
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}"


def nulls(column: Column, length: int) -> Any:
    """The stored form of ``length`` nulls."""
    if column.dtype == "string":
        return Strings.from_codes(np.full(length, -1, np.int32), [])
    if column.dtype == "binary":
        return Binary(np.zeros(length + 1, np.int64), np.empty(0, np.uint8))
    if column.item_dtype:
        values = Strings.from_list([]) if column.item_dtype == "string" else np.empty(0, column.item_dtype)
        return Lists(np.zeros(length + 1, np.int64), values)
    return np.zeros(length, column.dtype)


def _coerce(table: str, column: Column, values: Any) -> Any:
    wanted = {"string": Strings, "binary": Binary}.get(column.dtype, Lists if column.item_dtype else None)
    if wanted is None:
        if isinstance(values, Derived):
            if values.dtype != column.dtype:
                raise ValueError(f"table {table}: column {column.name!r} holds {values.dtype}, not {column.dtype}")
            return values
        array = np.asarray(values)
        if array.dtype == column.dtype:
            return array
        if not np.can_cast(array.dtype, column.dtype, "same_kind") and array.dtype.kind not in "iub":
            raise ValueError(f"table {table}: column {column.name!r} holds {array.dtype}, not {column.dtype}")
        return array.astype(column.dtype)
    if not isinstance(values, wanted):
        if wanted is Strings and not isinstance(values, Ragged):
            return Strings.from_list(values)
        raise ValueError(f"table {table}: column {column.name!r} wants {wanted.__name__}, got {type(values).__name__}")
    if column.item_dtype and column.item_dtype != "string" and values.values.dtype != column.item_dtype:
        return Lists(values.offsets, values.values.astype(column.item_dtype), codes=values.codes, valid=values.valid)
    return values


def _optional(module: str, extra: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"this needs {module}: pip install 'ksreplay[{extra}]'") from error
