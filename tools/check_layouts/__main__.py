"""Entry of ``python tools/check_layouts``: puts the folder ``tools`` on the path."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from check_layouts.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
