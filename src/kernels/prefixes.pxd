cimport cython


@cython.locals(
    other=cython.int, index=cython.Py_ssize_t, kind=cython.int, at=cython.Py_ssize_t, begin=cython.Py_ssize_t,
    size=cython.Py_ssize_t, held=cython.Py_ssize_t, step=cython.Py_ssize_t
)
cpdef Py_ssize_t kinds(
    const unsigned char[::1] data, const int[:] words, const int[::1] start, const int[::1] length, Py_ssize_t low,
    Py_ssize_t high, const signed char[::1] possible, const int[::1] beginnings, const int[::1] masks,
    const unsigned char[::1] prefixes, const int[::1] places, signed char[::1] found,
) except -1
