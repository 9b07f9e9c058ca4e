cimport cython


@cython.locals(at=cython.Py_ssize_t, length=cython.Py_ssize_t, high=cython.Py_ssize_t, now=cython.Py_ssize_t, kind=cython.int)
cpdef Py_ssize_t fill(
    const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t end, Py_ssize_t index, Py_ssize_t most,
    int[::1] offset, int[::1] size, unsigned char[::1] ids, int[::1] frame,
    unsigned char[::1] time,
) except -1


@cython.locals(number=cython.Py_ssize_t, index=cython.Py_ssize_t, place=cython.Py_ssize_t, kind=cython.int)
cpdef Py_ssize_t group(
    const unsigned char[::1] ids, const int[::1] frame, int[::1] bounds, int[::1] order, int[::1] frames,
) except -1
