"""The snapshot of every table's schema: python tools/schemas.py [--write].

Without ``--write`` it compares: a column that changed while the table's ``version`` stayed is an error, since readers
of exported files go by that number. With ``--write`` it stores what the code says now; commit the file with the change.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ksreplay.registry import FORMATS

SNAPSHOT = Path(__file__).resolve().parents[1] / "tests" / "data" / "schemas.json"


def current() -> dict[str, Any]:
    """format -> table -> {"version", "columns": [[name, dtype, nullable, unit, private], ...]}"""
    return {
        format.name: {
            definition.schema.name: {
                "version": definition.schema.version,
                "columns": [[c.name, c.dtype, c.nullable, c.unit, c.private] for c in definition.schema],
            }
            for definition in format.replay_class.TABLES
        }
        for format in FORMATS.values()
    }


def differences(stored: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What must not be: a change without a higher version; and what the snapshot does not know yet."""
    found = []
    for format, tables in now.items():
        before = stored.get(format, {})
        found += [f"{format}.{name}: the table is gone" for name in before if name not in tables]
        for name, table in tables.items():
            known = before.get(name)
            if known is None:
                found.append(f"{format}.{name}: a new table; run tools/schemas.py --write")
            elif table["columns"] != known["columns"] and table["version"] <= known["version"]:
                changed = [c[0] for c in table["columns"] if c not in known["columns"]]
                changed += [c[0] for c in known["columns"] if c not in table["columns"]]
                what = ", ".join(dict.fromkeys(changed)) or "the order of columns"
                found.append(f"{format}.{name}: {what} changed, but its version is still {table['version']}")
            elif table != known:
                found.append(f"{format}.{name}: version {table['version']} is not stored; run tools/schemas.py --write")
    return found


def main(arguments: list[str]) -> int:
    if arguments == ["--write"]:
        text = json.dumps(current(), indent=1, ensure_ascii=False)
        # One line a column: a change reads well in a diff.
        for opening, closing in (("[\n     ", "\n    ]"),):
            text = text.replace(opening, "[").replace(closing, "]")
        text = "\n".join(line.rstrip() for line in text.replace(",\n     ", ", ").splitlines()) + "\n"
        SNAPSHOT.parent.mkdir(parents=True, exist_ok=True)
        SNAPSHOT.write_text(text, "utf-8")
        return 0
    found = differences(json.loads(SNAPSHOT.read_text("utf-8")), current())
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
