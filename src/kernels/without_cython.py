"""What the kernels use of the module ``cython``, for where that is not installed: it is needed to compile them only."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

#: Marks the loops that run without the interpreter once they are compiled.
nogil = nullcontext()
#: The C type of a cast, `int` without a compiler.
int = int


def boundscheck(checked: bool) -> Callable[[Any], Any]:
    """Decorates a kernel that checks its bounds itself, once where a compiler would do it at every access."""
    return lambda kernel: kernel


def cast(kind: type, value: object) -> object:
    """``value`` as ``kind``, cut off to it as C does."""
    return kind(value)
