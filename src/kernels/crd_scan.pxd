cimport cython


@cython.locals(index=Py_ssize_t, width=int, at=Py_ssize_t, player=Py_ssize_t, widths="const unsigned char[::1]")
cpdef tuple walk(
    const unsigned char[::1] payload, Py_ssize_t pos, Py_ssize_t limit, Py_ssize_t tick, Py_ssize_t num_ticks,
    Py_ssize_t num_players, Py_ssize_t first, long long[::1] inputs_at)
