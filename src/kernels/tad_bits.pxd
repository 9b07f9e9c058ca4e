cimport cython


@cython.locals(byte=Py_ssize_t, shift=int, have=int, value=cython.longlong, piece=cython.longlong, one=cython.longlong)
cdef long long take(const unsigned char[::1] pool, Py_ssize_t at, int width) except -1

@cython.locals(value=cython.longlong, one=cython.longlong)
cdef long long signed_bits(const unsigned char[::1] pool, Py_ssize_t at, int width) except? -9000000000

@cython.locals(room_ground=Py_ssize_t, room_air=Py_ssize_t, room_status=Py_ssize_t, i=Py_ssize_t, at=Py_ssize_t,
               end=Py_ssize_t, most=Py_ssize_t, g=Py_ssize_t, a=Py_ssize_t, why=int, order=int, before=int, slot=int,
               unit=int, family=int, count=int, k=int, selector=int, flags=int, size=int, turning=int, attached=int)
cpdef tuple decode(
    const unsigned char[::1] pool, const long long[::1] starts, const long long[::1] ends, Py_ssize_t first,
    Py_ssize_t last, int width, int limit, int types, const unsigned char[::1] families, int[:, ::1] ground,
    int[:, ::1] air, int[:, ::1] status, Py_ssize_t num_ground, Py_ssize_t num_air, Py_ssize_t num_status,
    unsigned char[::1] result, int[::1] needed, unsigned char[::1] kind, int[::1] entries)
