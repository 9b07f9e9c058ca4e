"""Entry of ``python tools/gen``: puts the folder ``tools`` on the path so that this folder is the package ``gen``."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from gen.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
