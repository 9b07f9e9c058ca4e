cimport cython


@cython.locals(flags=cython.ulonglong)
cdef int air_size(unsigned long long head) noexcept nogil

@cython.locals(n=Py_ssize_t, at=Py_ssize_t, end=Py_ssize_t, mask=int, before=int, word=cython.ulonglong, slot=int,
               unit=int, head=cython.ulonglong)
cpdef skim(
    const unsigned long long[:] words, const int[::1] starts, const int[::1] ends, const long long[::1] numbers,
    int width, int limit, const unsigned char[::1] families, int[::1] needed)

@cython.locals(room_ground=Py_ssize_t, room_air=Py_ssize_t, room_status=Py_ssize_t, mask=int, sign=cython.ulonglong,
               i=Py_ssize_t, at=Py_ssize_t, end=Py_ssize_t, most=Py_ssize_t, g=Py_ssize_t, a=Py_ssize_t, why=int,
               order=int, before=int, said=int, word=cython.ulonglong, head=cython.ulonglong, slot=int, unit=int,
               count=int, k=int, size=Py_ssize_t, flags=int, stop=Py_ssize_t)
cpdef tuple decode(
    const unsigned long long[:] words, const int[::1] starts, const int[::1] ends, Py_ssize_t first, Py_ssize_t last,
    int width, int limit, const unsigned char[::1] families, int[:, ::1] ground, int[:, ::1] air,
    int[:, ::1] status, Py_ssize_t num_ground, Py_ssize_t num_air, Py_ssize_t num_status, unsigned char[::1] result,
    unsigned char[::1] kind, unsigned short[::1] entries)
