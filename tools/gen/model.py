"""The .ksy files as a model: specs, types, enums and fields, with Kaitai's name lookup.

Everything that tools/gen writes apart from the compiler's own output is made from this model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from . import yaml_core
from .yaml_core import Mapping

PRIMITIVE = re.compile(r"(?P<kind>[usf])(?P<width>[1248])(?P<endian>le|be)?$")
BITS = re.compile(r"b(?P<bits>\d+)(?P<endian>le|be)?$")
BUILTIN = {"str", "strz", "bool", "bytes", "io", "any", "struct"}


@dataclass(frozen=True)
class Enum:
    """One enum: path from the root (names joined by ``::``) and its members by value."""

    name: str
    owner: Type
    body: Mapping

    @property
    def path(self) -> str:
        return "::".join([*self.owner.path, self.name])

    @cached_property
    def members(self) -> dict[int, Mapping]:
        """Value -> mapping with at least ``id``; the short form ``1: name`` is widened."""
        result = {}
        for value, member in self.body.items():
            if isinstance(member, Mapping):
                result[value] = member
            else:
                result[value] = Mapping(id=member if isinstance(member, str) else str(member).lower())
        return result

    @property
    def original_names(self) -> dict[int, str]:
        return {value: str(m["-orig-id"]) for value, m in self.members.items() if "-orig-id" in m}


@dataclass(frozen=True)
class Field:
    """One entry of ``seq`` or ``instances`` (or of ``params``)."""

    name: str
    body: Mapping
    owner: Type
    kind: str  # "seq", "instance" or "param"
    where: str  # path in the file, such as /types/header/seq/3

    @property
    def type(self) -> Any:
        """The type as written: None for plain bytes, a name without its arguments, or a switch mapping."""
        written = self.body.get("type")
        return re.sub(r"\(.*\)$", "", written) if isinstance(written, str) else written

    @property
    def cases(self) -> dict[Any, Any]:
        """Case value -> type of a switch; empty when the type is no switch."""
        return dict(self.type["cases"]) if isinstance(self.type, Mapping) else {}

    def targets(self) -> list[Type]:
        """Every user type this field can hold (unresolvable names left out)."""
        names = list(self.cases.values()) if self.cases else [self.type]
        return [t for n in names if isinstance(n, str) and is_user_type(n) and (t := self.owner.find_type(n))]

    @property
    def enum(self) -> Enum | None:
        return self.owner.find_enum(self.body["enum"]) if "enum" in self.body else None


def is_user_type(name: str) -> bool:
    name = re.sub(r"\(.*\)$", "", name).removesuffix("[]")
    return name not in BUILTIN and not PRIMITIVE.match(name) and not BITS.match(name)


@dataclass(eq=False)
class Type:
    """One type: the root of a spec or one below ``types``."""

    name: str
    body: Mapping
    spec: Spec
    parent: Type | None = None
    types: dict[str, Type] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, body in (self.body.get("types") or {}).items():
            self.types[name] = Type(name, body if isinstance(body, Mapping) else Mapping(), self.spec, self)

    @property
    def path(self) -> tuple[str, ...]:
        """Names from the root to here, the root itself left out."""
        return (*self.parent.path, self.name) if self.parent else ()

    @property
    def where(self) -> str:
        return "".join(f"/types/{name}" for name in self.path)

    @property
    def title(self) -> str:
        return "::".join(self.path) or self.name

    @property
    def endian(self) -> Any:
        """``le``, ``be``, a switch mapping (decided while reading), or None."""
        own = (self.body.get("meta") or {}).get("endian")
        return own if own is not None else (self.parent.endian if self.parent else None)

    @cached_property
    def enums(self) -> dict[str, Enum]:
        return {name: Enum(name, self, body) for name, body in (self.body.get("enums") or {}).items()}

    @cached_property
    def seq(self) -> list[Field]:
        entries = self.body.get("seq") or []
        return [
            Field(str(a.get("id", f"_unnamed{n}")), a, self, "seq", f"{self.where}/seq/{n}")
            for n, a in enumerate(entries)
        ]

    @cached_property
    def instances(self) -> list[Field]:
        entries = (self.body.get("instances") or {}).items()
        return [Field(name, a, self, "instance", f"{self.where}/instances/{name}") for name, a in entries]

    @cached_property
    def params(self) -> list[Field]:
        entries = self.body.get("params") or []
        return [Field(str(a["id"]), a, self, "param", f"{self.where}/params/{n}") for n, a in enumerate(entries)]

    def walk(self) -> Iterator[Type]:
        """This type and all below it, in the order of the file."""
        yield self
        for t in self.types.values():
            yield from t.walk()

    def find_type(self, name: str) -> Type | None:
        """Kaitai's lookup: the first name here or in an enclosing type or among the imports, the rest downwards."""
        first, *rest = re.sub(r"\(.*\)$", "", name).removesuffix("[]").split("::")
        scope: Type | None = self
        found = None
        while scope and not found:
            found = scope.types.get(first)
            scope = scope.parent
        if not found:
            root = self.spec.root
            found = root if first == root.name else self.spec.imported.get(first)
        for part in rest:
            found = found.types.get(part) if found else None
        return found

    def find_enum(self, name: str) -> Enum | None:
        """The enum of that (maybe ``a::b``) name as seen from this type."""
        *types, last = name.split("::")
        if types:
            holder = self.find_type("::".join(types))
            return holder.enums.get(last) if holder else None
        scope: Type | None = self
        while scope:
            if last in scope.enums:
                return scope.enums[last]
            scope = scope.parent
        return None


@dataclass(eq=False)
class Spec:
    """One .ksy file."""

    id: str
    text: str
    document: Mapping
    siblings: dict[str, Spec]  # every spec of the folder, by id; shared

    @property
    def meta(self) -> Mapping:
        meta = self.document.get("meta")
        return meta if isinstance(meta, Mapping) else Mapping()

    @cached_property
    def root(self) -> Type:
        return Type(self.id, self.document, self)

    @property
    def imports(self) -> list[str]:
        return list(self.meta.get("imports") or [])

    @property
    def imported(self) -> dict[str, Type]:
        return {name: self.siblings[name].root for name in self.imports if name in self.siblings}


def load_folder(folder: Path) -> tuple[dict[str, Spec], list[str]]:
    """Every readable .ksy of a folder by file name, and a message for each that is not YAML."""
    specs: dict[str, Spec] = {}
    errors = []
    for path in sorted(folder.glob("*.ksy")):
        try:
            text = path.read_bytes().decode("utf-8")
            specs[path.stem] = Spec(path.stem, text, yaml_core.loads(text), specs)
        except (UnicodeDecodeError, ValueError, yaml_core.YAMLError) as error:
            errors.append(f"{path.name}: {' '.join(str(error).split())}")
    return specs, errors


def camel(name: str) -> str:
    """The class name that the compiler makes of a type's name."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def optional_names(t: Type) -> list[str]:
    """Sequence fields that may stay unread: those with ``if`` and switches without a branch for every value."""
    names = []
    for f in t.seq:
        open_switch = f.cases and "_" not in f.cases and "size" not in f.body and not f.body.get("size-eos")
        if "if" in f.body or (open_switch and "repeat" not in f.body):
            names.append(f.name)
    return names
