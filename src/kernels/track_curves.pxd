cimport cython


@cython.locals(num_curves=Py_ssize_t, count=Py_ssize_t, base=Py_ssize_t, c=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t,
               i=Py_ssize_t, now=int, step=int, row=Py_ssize_t, group=int, column=Py_ssize_t, axis=Py_ssize_t,
               wide_at=Py_ssize_t, wide_end=Py_ssize_t)
cpdef int section(
    const short[::1] words, const int[::1] wides, const int[::1] offsets, const int[::1] counts,
    const long long[::1] bounds, const unsigned short[::1] first, const unsigned short[::1] last,
    Py_ssize_t time_column, Py_ssize_t group_a, Py_ssize_t group_b, Py_ssize_t wrap_column, Py_ssize_t num_wraps,
    int[:, ::1] values, unsigned short[:, ::1] wraps) except -1
