"""Only the optional part of the build: the kernels compiled with Cython where that works, plain Python where not."""

import os
import shutil
import zlib
from pathlib import Path

from setuptools import Extension, setup

# Bounds checks stay on: a kernel walks bytes from strangers. The few that go without make them once an item themselves.
DIRECTIVES = {"language_level": 3, "boundscheck": True, "wraparound": False, "annotation_typing": False}


def extensions() -> list[Extension]:
    if os.environ.get("KSREPLAY_PURE", "") not in ("", "0"):
        return []
    # Only kernels that have a .pxd beside them are worth compiling. Cython looks for the .pxd by the module's full
    # name, so the sources are laid out under that name first.
    staged = Path("build/kernels/ksreplay/kernels")
    staged.mkdir(parents=True, exist_ok=True)
    for package in (staged.parent, staged):
        (package / "__init__.py").touch()
    kernels = []
    for types in sorted(Path("src/kernels").glob("*.pxd")):
        shutil.copyfile(types, staged / types.name)
        plain = types.with_suffix(".py").read_bytes()
        source = (staged / types.name).with_suffix(".py")
        # By this the loader tells a kernel that was compiled from an older source.
        source.write_bytes(plain + f"\nSOURCE_CRC = {zlib.crc32(plain + types.read_bytes())}\n".encode())
        kernels.append(Extension(f"ksreplay.kernels.{types.stem}", [source.as_posix()]))
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
