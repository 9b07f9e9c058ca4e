"""The hot loops. Each is a plain .py module; with a C compiler at hand the install also builds it with Cython.

``KSREPLAY_PURE=1`` in the environment forces the plain modules. A compiled kernel of another source than the plain
module and the types beside it (a checkout after a pull) is left alone, with a warning.
"""

from __future__ import annotations

import functools
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import warnings
import zlib
from pathlib import Path
from types import ModuleType


def load(name: str, *, pure: bool | None = None) -> ModuleType:
    """The kernel module ``name``: compiled where it was built, unless ``pure`` (default: ``KSREPLAY_PURE``) says no."""
    if pure is None:
        pure = os.environ.get("KSREPLAY_PURE", "") not in ("", "0")
    if not pure and _serves(module := importlib.import_module(f"{__name__}.{name}")):
        return module
    return _plain(name)


@functools.cache
def _serves(module: ModuleType) -> bool:
    """Whether a module is plain, or was compiled from the source and the types that lie beside it."""
    if not is_compiled(module):
        return True
    source = Path(str(module.__file__)).with_name(f"{module.__name__.rpartition('.')[2]}.py")
    if getattr(module, "SOURCE_CRC", None) == zlib.crc32(source.read_bytes() + source.with_suffix(".pxd").read_bytes()):
        return True
    warnings.warn(f"{module.__name__} was compiled from another source: install ksreplay again", stacklevel=3)
    return False


def _plain(name: str) -> ModuleType:
    plain_name = f"{__name__}.plain_{name}"
    if plain_name not in sys.modules:
        path = Path(__file__).with_name(f"{name}.py")
        loader = importlib.machinery.SourceFileLoader(plain_name, str(path))
        spec = importlib.util.spec_from_loader(plain_name, loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
        sys.modules[plain_name] = module
    return sys.modules[plain_name]


def is_compiled(module: ModuleType) -> bool:
    """Whether a loaded kernel is the compiled one."""
    return not str(module.__file__).endswith(".py")


def compiled(name: str) -> ModuleType | None:
    """The compiled kernel ``name``, for who has numpy steps for where there is none.

    None also on a machine of the other byte order: the words that kernels read are those of the files.
    """
    module = load(name)
    return module if is_compiled(module) and sys.byteorder == "little" else None
