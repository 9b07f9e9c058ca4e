cimport cython


@cython.locals(i=Py_ssize_t, k=Py_ssize_t, room=Py_ssize_t, read=Py_ssize_t, end=Py_ssize_t, base=Py_ssize_t,
               write=Py_ssize_t, limit=Py_ssize_t, flags=int, done=bint, beyond=bint, control=int, bit=int, low=int,
               source=Py_ssize_t, count=Py_ssize_t, after_end=int, no_end=int, cut=int, half_word=int, beyond_output=int,
               full=int, stopped=int)
cpdef Py_ssize_t unpack(
    const unsigned char[::1] data, const long long[::1] starts, const long long[::1] ends,
    const unsigned char[::1] packed, Py_ssize_t first, Py_ssize_t last, unsigned char[::1] out, Py_ssize_t position,
    Py_ssize_t cap, bint zero_fill, long long[::1] out_starts, long long[::1] out_ends,
    unsigned char[::1] status)

@cython.locals(size=Py_ssize_t, write=Py_ssize_t, read=Py_ssize_t, control_at=Py_ssize_t, control=int, bit=int,
               best=int, best_at=Py_ssize_t, at=Py_ssize_t, length=int, run=int, before=int, stored=int, word=int)
cpdef Py_ssize_t deflate_recorder(const unsigned char[::1] data, unsigned char[::1] out)
