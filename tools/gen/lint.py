"""Style lint of the .ksy files: Kaitai's style guide and the house rules.

The JavaScript compiler drops its warnings, so what the guide asks for is checked here. Each rule is one function that
yields findings; ``RULES`` lists them by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .model import Field, Spec, Type, is_user_type
from .yaml_core import Mapping


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SECTIONS = ("meta", "doc", "doc-ref", "to-string", "params", "seq", "instances", "types", "enums")
META = _words(
    "id title application file-extension xref tags license ks-version ks-debug"
    " ks-opaque-types imports encoding endian bit-endian"
)
ATTRIBUTE = _words(
    "id -orig-id io pos value size size-eos type enum terminator pad-right consume include eos-error encoding process"
    " contents valid repeat repeat-expr repeat-until if doc doc-ref"
)
ENUM_MEMBER = ("id", "-orig-id", "doc", "doc-ref")
VALID = ("eq", "min", "max", "any-of", "in-enum", "expr")
ENCODINGS = {"ASCII", "UTF-8", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "windows-1252"}
PROCESSES = re.compile(r"(zlib|(xor|rol|ror)\(.*\))$")
NAME = re.compile(r"[a-z][a-z0-9_]*$")
WIDTH = 120
LICENCE = "CC0-1.0"
KS_VERSION = "0.11"

# One-word names that need no further word, and words that never say enough.
PLAIN = _words(
    "magic reserved padding name names text version frame frames tick ticks time date player players team teams seed"
    " title x y z x1 y1 z1 x2 y2 z2 width height map message messages record records packet packets entry entries"
    " header body reason major minor red green blue metal energy heading pitch columns chunk chunks windows sectors"
    " statuses blocks subpackets winners script stream checksum checksums unit units ai command platform password"
    " health kills losses percent spectator index elements reconnect"
)
VAGUE = _words(
    "unknown unk raw data value values flag flags misc extra field tmp byte bytes word param params info kind"
)

# What a field's use says about its name: (where it is used alone, the prefix it must have, what it then is)
USES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("repeat-expr", ("num_",), "a count"),
    ("size", ("len_",), "a size"),
    ("pos", ("ofs_", "len_"), "an offset"),  # what follows a header stands at its length
)
MISNAMED = (
    (re.compile(r"(_count|_cnt)$|^(count|cnt|n|nr|no)_"), "num_"),
    (re.compile(r"(_len|_bytes_size)$|^(length|sizeof)_"), "len_"),
    (re.compile(r"^(?!has_|is_|raw_).*(_offset|_ofs|_ptr)$|^(offset|off)_"), "ofs_"),
)


@dataclass(frozen=True)
class Finding:
    """One breach of a rule; line 0 where none can be named."""

    rule: str
    spec: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.spec}.ksy:{self.line}: {self.message} [{self.rule}]"


Found = Iterator[tuple[int, str]]


def _fields(t: Type) -> list[Field]:
    return t.params + t.seq + t.instances


def _every_field(spec: Spec) -> Iterator[Field]:
    for t in spec.root.walk():
        yield from _fields(t)


def _order(keys: Iterable[str], wanted: Iterable[str]) -> str | None:
    """A message when the known keys among ``keys`` do not stand in the wanted order."""
    rank = {key: n for n, key in enumerate(wanted)}
    have = [key for key in keys if key in rank]
    should = sorted(have, key=rank.__getitem__)
    return f"keys are {', '.join(have)}; the order is {', '.join(should)}" if have != should else None


def _unknown(keys: Iterable[Any], known: Iterable[str]) -> list[str]:
    return [str(key) for key in keys if key not in set(known) and not str(key).startswith("-")]


def text_form(spec: Spec) -> Found:
    """LF, final newline, no tabs, trailing blanks, ``---`` or over-long lines; sequences indented under their key."""
    if "\r" in spec.text:
        yield 0, "lines end with LF, not CR LF"
    if spec.text.startswith("\ufeff"):
        yield 1, "no byte order mark"
    if not spec.text.endswith("\n") or spec.text.endswith("\n\n"):
        yield 0, "the file ends with exactly one newline"
    lines = spec.text.splitlines()
    for n, line in enumerate(lines, 1):
        if "\t" in line:
            yield n, "no tabs"
        if line != line.rstrip():
            yield n, "no blanks at the end of a line"
        if len(line) > WIDTH:
            yield n, f"line of {len(line)} characters, at most {WIDTH}"
        if line == "---":
            yield n, "no document marker"
        key = re.match(r"( *)[a-z-]+:$", line)
        if key and n < len(lines) and re.match(key[1] + r"- ", lines[n]):
            yield n + 1, "list items are indented under their key"


def key_order(spec: Spec) -> Found:
    """Order of sections, of meta keys and of the keys of each field, and no unknown key."""
    for t in spec.root.walk():
        if message := _order(t.body, SECTIONS):
            yield t.body.line, f"{t.title}: {message}"
        for key in _unknown(t.body, SECTIONS):
            yield t.body.lines[key], f"{t.title}: unknown key {key}"
        meta = t.body.get("meta") or Mapping()
        if message := _order(meta, META):
            yield meta.line, f"{t.title}: meta: {message}"
        for key in _unknown(meta, META):
            yield meta.lines[key], f"{t.title}: meta: unknown key {key}"
        for e in t.enums.values():
            for m in e.members.values():
                if message := _order(m, ENUM_MEMBER):
                    yield m.line, f"{e.path}: {message}"
    for f in _every_field(spec):
        if message := _order(f.body, ATTRIBUTE):
            yield f.body.line, f"{f.name}: {message}"
        for key in _unknown(f.body, ATTRIBUTE):
            yield f.body.lines[key], f"{f.name}: unknown key {key}"
        if isinstance(f.body.get("valid"), Mapping):
            for key in _unknown(f.body["valid"], VALID):
                yield f.body.line, f"{f.name}: valid: unknown key {key}"


def meta_facts(spec: Spec) -> Found:
    """id = file name, a title, the licence, a quoted ks-version, sorted xref and tags."""
    meta = spec.meta
    line = getattr(meta, "line", 0)
    if meta.get("id") != spec.id:
        yield line, f"meta/id {meta.get('id')} is not the file name {spec.id}"
    if not meta.get("title"):
        yield line, "meta/title is missing"
    if meta.get("license") != LICENCE:
        yield line, f"meta/license must be {LICENCE}"
    if meta.get("ks-version") != KS_VERSION:
        yield line, f'meta/ks-version must be "{KS_VERSION}", quoted (unquoted it is a number)'
    for key in ("xref", "tags"):
        names = list(meta.get(key) or [])
        if names != sorted(names):
            yield meta.lines[key], f"meta/{key} is not sorted"
    for t in spec.root.walk():
        if t.path and (extra := set(t.body.get("meta") or ()) - {"encoding", "endian", "bit-endian"}):
            yield t.body.line, f"{t.title}: meta of a type knows no {', '.join(sorted(extra))}"


def portable(spec: Spec) -> Found:
    """Opens in the Web IDE as it stands: no root parameter, opaque type, custom process, debug key or far import."""
    if "params" in spec.document:
        yield spec.document.lines["params"], "the root takes no parameters; the Web IDE would leave them undefined"
    for key in ("ks-debug", "ks-opaque-types"):
        if key in spec.meta:
            yield spec.meta.lines[key], f"meta/{key} does not belong in a published layout"
    for name in spec.imports:
        if name not in spec.siblings:
            yield spec.meta.lines["imports"], f"import {name} is no .ksy of the same folder"
    for f in _every_field(spec):
        if "process" in f.body and not PROCESSES.match(str(f.body["process"])):
            yield f.body.line, f"{f.name}: custom process {f.body['process']}"
        names = list(f.cases.values()) if f.cases else [f.type]
        for name in names:
            if isinstance(name, str) and is_user_type(name) and not f.owner.find_type(name):
                yield f.body.line, f"{f.name}: type {name} is not defined (opaque types are not allowed)"


def representation(spec: Spec) -> Found:
    """What ``-webide-representation`` shows is a field of the type; the Web IDE would print an error instead."""
    for t in spec.root.walk():
        shown = re.findall(r"\{(\w+)[^}]*\}", str(t.body.get("-webide-representation", "")))
        for name in shown:
            if name not in {f.name for f in _fields(t)} | {"_parent", "_root", "_io", "this"}:
                yield t.body.lines["-webide-representation"], f"{t.title}: no field {name} to represent it"


def encodings(spec: Spec) -> Found:
    """Encodings in the spelling of the Kaitai registry."""
    holders = [t.body.get("meta") or Mapping() for t in spec.root.walk()] + [f.body for f in _every_field(spec)]
    for body in holders:
        if "encoding" in body and body["encoding"] not in ENCODINGS:
            yield body.line, f"encoding {body['encoding']}: use one of {', '.join(sorted(ENCODINGS))}"


def names(spec: Spec) -> Found:
    """Lower snake case everywhere; num_, len_ and ofs_ for counts, sizes and offsets."""
    for t in spec.root.walk():
        for name in [t.name, *t.enums]:
            if not NAME.match(name):
                yield t.body.line, f"{name} is not lower_snake_case"
        for e in t.enums.values():
            for m in e.members.values():
                if not NAME.match(str(m.get("id", ""))):
                    yield m.line or e.body.line, f"{e.path}: {m.get('id')} is not lower_snake_case"
        for f in _fields(t):
            if not NAME.match(f.name.removeprefix("_unnamed")) and not f.name.startswith("_unnamed"):
                yield f.body.line, f"{f.name} is not lower_snake_case"
            for pattern, prefix in MISNAMED:
                if pattern.search(f.name):
                    yield f.body.line, f"{f.name}: counts, sizes and offsets are named num_, len_, ofs_ (here {prefix})"
        local = {f.name for f in _fields(t)}
        for f in t.seq + t.instances:
            for key, prefixes, what in USES:
                used = f.body.get(key)
                if isinstance(used, str) and used in local and not used.startswith(prefixes):
                    yield f.body.line, f"{used} is {what} ({key} of {f.name}): its name starts with {prefixes[0]}"


def _explained(f: Field) -> bool:
    """Whether a field's name, type or enum says what it is."""
    words = f.name.split("_")
    if "doc" in f.body or "contents" in f.body or re.match(r"(magic|reserved|padding)\d*$", f.name):
        return True
    if f.targets() and all("doc" in t.body for t in f.targets()):
        return True
    if f.name.startswith(("num_", "len_", "ofs_")):
        return True
    if f.enum and not f.name.startswith(("_unnamed", "unknown", "unk", "raw")):
        return True
    if f.name.startswith("_unnamed") or set(words) & set(VAGUE):
        return False
    return len(words) > 1 or f.name in PLAIN


def docs(spec: Spec) -> Found:
    """doc and doc-ref on the root, doc on every top-level type and on every field whose name does not say it.

    A doc holds for all fields of that name and type in the file, as layouts of older versions repeat them.
    """
    for key in ("doc", "doc-ref"):
        if not spec.document.get(key):
            yield 1, f"the root has no {key}"
    for t in spec.root.types.values():
        if "doc" not in t.body:
            yield t.body.line, f"type {t.title} has no doc"
    told = {(f.name, str(f.type)) for f in _every_field(spec) if "doc" in f.body}
    for f in _every_field(spec):
        if not _explained(f) and (f.name, str(f.type)) not in told:
            yield f.body.line, f"{f.owner.title}: {f.name} needs a doc: its name does not say what it is"


RULES: dict[str, Callable[[Spec], Found]] = {
    "text": text_form,
    "order": key_order,
    "meta": meta_facts,
    "portable": portable,
    "representation": representation,
    "encoding": encodings,
    "names": names,
    "docs": docs,
}


def check(spec: Spec) -> list[Finding]:
    """Every breach, in the order of the file."""
    found = {Finding(rule, spec.id, line, text) for rule, function in RULES.items() for line, text in function(spec)}
    return sorted(found, key=lambda f: (f.line, f.rule, f.message))
