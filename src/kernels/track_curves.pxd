cimport cython


@cython.locals(before=int, total=cython.longlong, i=Py_ssize_t, at=Py_ssize_t, column=int, kind=int, wanted=int,
               offset=cython.longlong, number=cython.longlong, width=int)
cpdef int directory(
    const short[::1] words, Py_ssize_t count, const unsigned char[::1] expected, long long size, long long most,
    int[::1] offsets, int[::1] counts) except -1


@cython.locals(num_curves=Py_ssize_t, count=Py_ssize_t, base=Py_ssize_t, c=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t,
               i=Py_ssize_t, now=int, step=int, row=Py_ssize_t, group=int, column=Py_ssize_t, axis=Py_ssize_t, _axis=int,
               wide_at=Py_ssize_t, wide_end=Py_ssize_t)
cpdef int section(
    const short[::1] words, const int[::1] wides, const int[::1] offsets, const int[::1] counts,
    const long long[::1] bounds, const unsigned short[::1] first, const unsigned short[::1] last,
    Py_ssize_t time_column, Py_ssize_t group_a, Py_ssize_t group_b, Py_ssize_t wrap_column, Py_ssize_t num_wraps,
    int[:, ::1] values, unsigned short[:, ::1] wraps) except -1
