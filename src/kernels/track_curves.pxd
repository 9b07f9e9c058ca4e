cimport cython

# the sections by their place, for code that runs without the interpreter
cdef int TRANSFORMS
cdef int TARGETS
cdef int QUEUES
cdef int PROJECTILES
cdef int NUMBERS


@cython.locals(before=int, total=cython.longlong, i=Py_ssize_t, at=Py_ssize_t, column=int, kind=int, wanted=int,
               offset=cython.longlong, number=cython.longlong, width=int)
cpdef int directory(
    const short[::1] words, Py_ssize_t count, const unsigned char[::1] expected, long long size, long long most,
    int[::1] offsets, int[::1] counts) except -1


@cython.locals(num_units=Py_ssize_t, num_projectiles=Py_ssize_t, bound=Py_ssize_t, at=Py_ssize_t, row=Py_ssize_t,
               wrap=Py_ssize_t, s=Py_ssize_t, num_curves=Py_ssize_t, num_keys=Py_ssize_t, column=int, start=Py_ssize_t,
               life=int, low=Py_ssize_t, high=Py_ssize_t, group=int, _axis=int, wide=Py_ssize_t, fits=bint,
               tracks="long long[::1]", keys="long long[::1]", items="long long[::1]", good=int, wrong=int)
cpdef int main(
    const unsigned char[::1] data, const short[::1] words, const int[::1] wides, const int[::1] offsets,
    const int[::1] counts, const int[:, ::1] plan, const unsigned char[::1] into, int span, int top,
    long long[::1] bounds, int[::1] times, int[::1] rows, unsigned short[::1] wraps, int[::1] placed) except -1


@cython.locals(number=Py_ssize_t, column=int)
cdef Py_ssize_t entries(const int[::1] counts, int first, int last) except -2 nogil


@cython.locals(first=Py_ssize_t, last=Py_ssize_t, i=Py_ssize_t, end=int)
cdef bint lives(const short[::1] words, const int[::1] offsets, const int[::1] counts, int column, Py_ssize_t number,
                int span) except -1 nogil


@cython.locals(number=Py_ssize_t, total=cython.longlong, i=Py_ssize_t, at=Py_ssize_t, count=int)
cdef Py_ssize_t add_counts(
    const unsigned char[::1] data, const short[::1] words, const int[::1] offsets, const int[::1] counts, int column,
    int least, long long[::1] bounds) except -2 nogil


@cython.locals(entry=Py_ssize_t, low=int, high=int, c=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t, now=int, step=int,
               i=Py_ssize_t)
cdef bint add_times(
    const short[::1] stored, const long long[::1] bounds, const long long[::1] tracks, const short[::1] first,
    const short[::1] last, int span, int[::1] out) except -1 nogil


@cython.locals(c=Py_ssize_t, now=int, used=Py_ssize_t, i=Py_ssize_t, step=int)
cdef bint add_escaped(
    const short[::1] narrow, const int[::1] wide, const long long[::1] bounds, int[::1] out) except -1 nogil


@cython.locals(c=Py_ssize_t, i=Py_ssize_t, now=int)
cdef int add_wrapping(const short[::1] stored, const long long[::1] bounds, unsigned short[::1] out) except -1 nogil


@cython.locals(i=Py_ssize_t, over=Py_ssize_t)
cdef bint at_most(
    const unsigned char[::1] data, const int[::1] offsets, const int[::1] counts, int column, int most) except -1 nogil


@cython.locals(i=Py_ssize_t, over=Py_ssize_t)
cdef bint signed_within(const unsigned short[::1] values, int top) except -1 nogil


@cython.locals(start=Py_ssize_t, i=Py_ssize_t, over=Py_ssize_t)
cdef bint within_limit(
    const int[::1] wides, const int[::1] offsets, const int[::1] counts, int column, Py_ssize_t number) except -1 nogil


@cython.locals(start=Py_ssize_t, i=Py_ssize_t, over=Py_ssize_t)
cdef bint all_finite(const int[::1] wides, const int[::1] offsets, const int[::1] counts, int column) except -1 nogil


@cython.locals(kinds=Py_ssize_t, references=Py_ssize_t, num_placed=Py_ssize_t, i=Py_ssize_t, kind=int, limit=Py_ssize_t)
cdef bint targets_fit(
    const unsigned char[::1] data, const int[::1] wides, const int[::1] offsets, const int[::1] counts,
    const unsigned char[::1] into, Py_ssize_t num_units, Py_ssize_t num_projectiles, int[::1] placed) except -1 nogil


@cython.locals(number=Py_ssize_t)
cdef bint items_fit(
    const unsigned char[::1] data, const short[::1] words, const int[::1] wides, const int[::1] offsets,
    const int[::1] counts, long long[::1] items) except -1 nogil


@cython.locals(owners=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t, i=Py_ssize_t, owner=int)
cdef bint projectiles_fit(
    const short[::1] words, const int[::1] offsets, const int[::1] counts, Py_ssize_t num_units,
    const long long[::1] bounds, const int[::1] times) except -1 nogil


@cython.locals(number=Py_ssize_t, column=int, steps=Py_ssize_t, along=Py_ssize_t, across=Py_ssize_t, befores=Py_ssize_t,
               changes=Py_ssize_t, offset=cython.longlong, x=int, z=int, was_x=int, was_z=int, step=int, i=Py_ssize_t,
               before=cython.longlong, after=cython.longlong, good=int, wrong=int)
cpdef int terrain(
    const short[::1] words, const int[::1] wides, const int[::1] offsets, const int[::1] counts, long long start,
    long long span, long long first, long long[::1] frames, unsigned short[:, ::1] points,
    int[:, ::1] heights) except -1
