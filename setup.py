"""Only the optional part of the build: the kernels compiled with Cython where that works, plain Python where not."""

import os
from pathlib import Path

from setuptools import Extension, setup

# Bounds checks stay on: a kernel walks bytes from strangers.
DIRECTIVES = {"language_level": 3, "boundscheck": True, "wraparound": False}


def extensions() -> list[Extension]:
    if os.environ.get("KSREPLAY_PURE", "") not in ("", "0"):
        return []
    # Only kernels that have a .pxd beside them are worth compiling.
    sources = [path.with_suffix(".py").as_posix() for path in sorted(Path("src/kernels").glob("*.pxd"))]
    kernels = [Extension(f"ksreplay.kernels.{Path(source).stem}", [source]) for source in sources]
    try:
        from Cython.Build import cythonize

        built = cythonize(kernels, compiler_directives=DIRECTIVES, build_dir="build/cython")
    except Exception as error:  # no Cython, or a kernel that it does not take: the plain modules serve
        print(f"ksreplay: plain kernels ({error})")
        return []
    for extension in built:
        extension.optional = True  # cythonize drops the flag
    return built


setup(ext_modules=extensions())
