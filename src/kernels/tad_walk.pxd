cimport cython


@cython.locals(size=Py_ssize_t, count=Py_ssize_t, length=Py_ssize_t)
cpdef tuple frame(const unsigned char[::1] data, Py_ssize_t position, long long[::1] offsets, Py_ssize_t limit)

@cython.locals(room=Py_ssize_t, i=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, at=Py_ssize_t, kind=int,
               size=Py_ssize_t, left=Py_ssize_t, state=int, spot=Py_ssize_t)
cpdef tuple walk(
    const unsigned char[::1] pool, const long long[::1] starts, const long long[::1] ends,
    const unsigned char[::1] opaque, Py_ssize_t first, Py_ssize_t last, const int[::1] rules, const int[::1] field, const int[::1] width, const int[::1] bias,
    const int[::1] least, Py_ssize_t position, int[::1] offsets, unsigned short[::1] lengths, unsigned char[::1] ids,
    unsigned char[::1] states, long long[::1] firsts)

@cython.locals(i=Py_ssize_t, j=Py_ssize_t, k=int, s=int, role=int, at=Py_ssize_t, value=cython.longlong,
               top=cython.longlong, last=cython.longlong, counter=cython.longlong)
cpdef ticks(
    const unsigned char[::1] pool, const long long[::1] firsts, Py_ssize_t count, const unsigned char[::1] senders,
    const int[::1] offsets, const unsigned char[::1] ids, const unsigned char[::1] states,
    const unsigned char[::1] roles, long long[::1] counters, unsigned char[::1] known, int[::1] low,
    unsigned char[::1] breaks, long long[::1] seen)
