cimport cython


@cython.locals(
    good=cython.Py_ssize_t, index=cython.Py_ssize_t, at=cython.Py_ssize_t, stop=cython.Py_ssize_t, kind=cython.int,
    head=cython.Py_ssize_t, left=cython.Py_ssize_t, count=cython.Py_ssize_t
)
cpdef Py_ssize_t check_lists(
    const unsigned char[::1] data, Py_ssize_t low, Py_ssize_t high, const int[::1] start, const int[::1] end,
    const int[::1] num_commands, const unsigned char[::1] own, const int[::1] ref_count, unsigned char[::1] fits,
) except -1


@cython.locals(
    index=cython.Py_ssize_t, row=cython.Py_ssize_t, param=cython.Py_ssize_t, unit=cython.Py_ssize_t,
    at=cython.Py_ssize_t, kind=cython.int, head=cython.Py_ssize_t, stated=cython.Py_ssize_t, named=cython.Py_ssize_t,
    number=cython.Py_ssize_t, count=cython.Py_ssize_t, place=cython.Py_ssize_t, step=cython.Py_ssize_t,
    stop=cython.Py_ssize_t
)
cpdef Py_ssize_t take_orders(
    const unsigned char[::1] data, const int[:] longs, const short[:] halves, Py_ssize_t low, Py_ssize_t high,
    const int[::1] start, const int[::1] num_commands, const int[::1] ref_id, const unsigned char[::1] ref_options,
    const int[::1] ref_count, const unsigned char[::1] own, const int[::1] listed, const int[::1] num_units,
    const signed char[::1] pairwise, const int[::1] first_order, const int[::1] first_param,
    const int[::1] first_unit, long long[::1] of, int[::1] command_id, unsigned char[::1] options,
    int[::1] num_params, int[::1] params_at, int[::1] params, int[::1] units_at, int[::1] units,
) except -1


@cython.locals(
    row=cython.Py_ssize_t, command=cython.Py_ssize_t, known=cython.Py_ssize_t, count=cython.Py_ssize_t,
    at=cython.Py_ssize_t, broken=cython.bint
)
cpdef Py_ssize_t aim(
    Py_ssize_t low, Py_ssize_t high, const int[::1] command_id, const int[::1] num_params,
    const int[::1] params_at, const float[::1] params, const signed char[:, ::1] aims,
    const signed char[:, ::1] places, const signed char[::1] kinds, const signed char[::1] names,
    signed char[::1] aimed, signed char[::1] kind, signed char[::1] name, float[::1] x, float[::1] z,
) except -1


@cython.locals(
    mark=cython.Py_ssize_t, index=cython.Py_ssize_t
)
cpdef Py_ssize_t latest(
    const int[::1] marks, const unsigned char[::1] markers, const int[::1] places,
    const unsigned char[::1] players, int[::1] newest, int[::1] found,
) except -1
