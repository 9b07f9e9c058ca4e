"""What the kernels use of the module ``cython``, for where that is not installed: it is needed to compile them only."""

from contextlib import nullcontext

#: Marks the loops that run without the interpreter once they are compiled.
nogil = nullcontext()
#: The C type of a cast, `int` without a compiler.
int = int


def cast(kind: type, value: object) -> object:
    """``value`` as ``kind``, cut off to it as C does."""
    return kind(value)
