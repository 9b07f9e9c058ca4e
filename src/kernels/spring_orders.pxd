cimport cython


@cython.locals(total=cython.Py_ssize_t, index=cython.Py_ssize_t, at=cython.Py_ssize_t, stop=cython.Py_ssize_t, head=cython.Py_ssize_t, left=cython.Py_ssize_t, count=cython.Py_ssize_t, own=cython.bint)
cpdef Py_ssize_t count_entries(
    const unsigned char[::1] data, const int[::1] start, const int[::1] end, const int[::1] num_commands,
    const int[::1] ref_id, const int[::1] ref_options, const int[::1] ref_count, unsigned char[::1] fits,
) except -1


@cython.locals(row=cython.Py_ssize_t, _order=cython.Py_ssize_t, index=cython.Py_ssize_t, at=cython.Py_ssize_t, high=cython.Py_ssize_t, count=cython.Py_ssize_t)
cpdef Py_ssize_t fill_entries(
    const unsigned char[::1] data, const int[::1] start, const int[::1] num_commands,
    const int[::1] ref_id, const int[::1] ref_options, const int[::1] ref_count, int[::1] message,
    int[::1] command_id, unsigned char[::1] options, int[::1] num_params, int[::1] params,
) except -1


@cython.locals(place=cython.Py_ssize_t, index=cython.Py_ssize_t, at=cython.Py_ssize_t, step=cython.Py_ssize_t)
cpdef Py_ssize_t runs(
    const unsigned char[::1] data, const int[::1] start, const int[::1] size, unsigned char[::1] out,
) except -1
