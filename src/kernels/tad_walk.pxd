cimport cython


@cython.locals(size=Py_ssize_t, count=Py_ssize_t, length=Py_ssize_t)
cpdef tuple frame(const unsigned char[::1] data, Py_ssize_t position, long long[::1] offsets, Py_ssize_t limit)

@cython.locals(i=Py_ssize_t, at=Py_ssize_t, length=int)
cpdef heads(
    const unsigned char[::1] data, const long long[::1] offsets, Py_ssize_t first, Py_ssize_t last, int prefix,
    int[::1] lengths, unsigned short[::1] dt, unsigned char[::1] senders, unsigned char[::1] flags,
    long long[::1] starts, long long[::1] ends)

@cython.locals(room=Py_ssize_t, i=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, at=Py_ssize_t, kind=int,
               size=Py_ssize_t, left=Py_ssize_t, state=int, spot=Py_ssize_t, stop=Py_ssize_t)
cpdef tuple walk(
    const unsigned char[::1] pool, const long long[::1] starts, const long long[::1] ends,
    const unsigned char[::1] opaque, Py_ssize_t first, Py_ssize_t last, const int[::1] rules, const int[::1] field,
    const int[::1] width, const int[::1] bias, const int[::1] least, Py_ssize_t position, int[::1] offsets,
    unsigned short[::1] lengths, unsigned char[::1] ids, unsigned char[::1] states, long long[::1] firsts)

@cython.locals(j=Py_ssize_t)
cpdef tally(const unsigned char[::1] ids, const unsigned char[::1] states, long long[::1] totals)

@cython.locals(i=Py_ssize_t, j=Py_ssize_t, s=int, kind=int, role=int, at=Py_ssize_t, value=cython.longlong,
               top=cython.longlong, tick=cython.longlong, sync=Py_ssize_t, epoch=cython.longlong,
               counter=cython.longlong, broken=bint, num_jumps=Py_ssize_t, num_syncs=int, num_bits=Py_ssize_t)
cpdef Py_ssize_t survey(
    const unsigned char[::1] pool, const long long[::1] firsts, Py_ssize_t count, const unsigned char[::1] senders,
    const int[::1] offsets, const unsigned short[::1] lengths, const unsigned char[::1] ids,
    const unsigned char[::1] states, const unsigned char[::1] roles, long long[::1] counters,
    unsigned char[::1] known, int[::1] low, int[::1] jumps, int[::1] syncs, int[:, ::1] bits, long long[::1] places,
    int[:, ::1] events, int[::1] before, long long[:, ::1] last)

@cython.locals(j=Py_ssize_t)
cdef void without(
    const long long[::1] firsts, const unsigned char[::1] ids, const unsigned char[::1] states,
    const unsigned char[::1] roles, const int[::1] before, int[::1] low, Py_ssize_t record, Py_ssize_t after,
    Py_ssize_t until) noexcept nogil

@cython.locals(i=Py_ssize_t, j=Py_ssize_t, start=Py_ssize_t, sender=int, role=int)
cpdef spread(
    const long long[::1] firsts, Py_ssize_t first, Py_ssize_t last, const long long[::1] starts,
    const unsigned char[::1] senders, const int[::1] offsets, const unsigned char[::1] ids,
    const unsigned char[::1] states, const unsigned char[::1] roles, int[::1] records, unsigned char[::1] owners,
    unsigned short[::1] places, unsigned char[::1] timed)

@cython.locals(i=Py_ssize_t, j=Py_ssize_t, at=Py_ssize_t, sender=int, kind=int, role=int)
cpdef list_syncs(
    const long long[::1] firsts, Py_ssize_t first, Py_ssize_t last, const unsigned char[::1] senders,
    const unsigned char[::1] ids, const unsigned char[::1] states, const unsigned char[::1] roles, const int[::1] low,
    const int[::1] syncs, int[::1] records, unsigned char[::1] owners, unsigned char[::1] kinds, int[::1] ticks)
