# Ctrl-C in long kernels: `stopped` is the bc_stop argument, `check` is called after the kernel.

cdef extern from "Python.h":
    int PyErr_CheckSignals()
    void *PyErr_Occurred()


cdef inline bint stopped() noexcept nogil:
    """Run the handlers of pending signals; return whether one raised an error, which stays set."""
    with gil:
        return PyErr_Occurred() != NULL or PyErr_CheckSignals() != 0


cdef inline int check() except -1:
    """Raise the error of the handler that stopped the kernel."""
    return -1 if PyErr_Occurred() != NULL else 0
