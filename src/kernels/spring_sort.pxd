cimport cython


@cython.locals(index=cython.Py_ssize_t)
cpdef Py_ssize_t count(const unsigned char[::1] ids, Py_ssize_t low, Py_ssize_t high, int[::1] counts) except -1


@cython.locals(
    index=cython.Py_ssize_t, room=cython.Py_ssize_t, kind=cython.int, place=cython.Py_ssize_t, fixed=cython.Py_ssize_t,
    at=cython.Py_ssize_t, held=cython.Py_ssize_t, rest=cython.Py_ssize_t, wrong=cython.int, begin=cython.Py_ssize_t,
    step=cython.Py_ssize_t
)
cpdef Py_ssize_t sort(
    const unsigned char[::1] data, const int[:] words, const int[::1] offset, const int[::1] size,
    const unsigned char[::1] ids, const int[::1] frame, Py_ssize_t low, Py_ssize_t high, int[::1] places,
    const int[::1] least, const unsigned char[::1] varies, const unsigned char[::1] stated, const long long[::1] begins,
    int[::1] rows, int[::1] frames, int[::1] body, int[::1] length, unsigned char[::1] heads, int[:] head_words,
    int[::1] misfits,
) except -1
