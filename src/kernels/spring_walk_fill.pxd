cimport cython


@cython.locals(
    at=cython.Py_ssize_t, length=cython.Py_ssize_t, high=cython.Py_ssize_t, now=cython.Py_ssize_t, kind=cython.int
)
cpdef Py_ssize_t fill(
    const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t end, Py_ssize_t index, Py_ssize_t most,
    int[::1] offset, int[::1] size, unsigned char[::1] ids, int[::1] frame,
    unsigned char[::1] time,
) except -1
