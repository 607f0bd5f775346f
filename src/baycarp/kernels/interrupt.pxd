# Ctrl-C in long kernels: `stopped` is their bc_stop, `check` follows the call.

cdef extern from "Python.h":
    int PyErr_CheckSignals()
    void *PyErr_Occurred()


cdef inline bint stopped() noexcept nogil:
    """Run the handlers of signals that have come; whether one raised an error, which stays set."""
    with gil:
        return PyErr_Occurred() != NULL or PyErr_CheckSignals() != 0


cdef inline int check() except -1:
    """Raise the error of a handler that stopped the kernel."""
    return -1 if PyErr_Occurred() != NULL else 0
