"""The runtime's one block of state: tables of the functions it may call, and the structs of its modules."""

from ....codegen.native.language import Array, Function, Global, Struct, f64, i32, i64, ptr

KERNEL = Function(None, ptr, i64, i64)
"""A kernel: slot block, first workgroup, end of the workgroups."""


class PythonTable(Struct):
    """Functions and objects of the Python C API, each under its own name, and of NumPy's."""

    PyEval_SaveThread: Function(ptr)
    PyEval_RestoreThread: Function(None, ptr)
    PyErr_CheckSignals: Function(i32)
    PyErr_NoMemory: Function(ptr)
    PyErr_SetString: Function(None, ptr, ptr)
    PyErr_Occurred: Function(ptr)
    PyErr_Clear: Function(None)
    PyErr_ExceptionMatches: Function(i32, ptr)
    Py_IncRef: Function(None, ptr)
    Py_DecRef: Function(None, ptr)
    PyObject_Vectorcall: Function(ptr, ptr, ptr, i64, ptr)
    PyObject_CallObject: Function(ptr, ptr, ptr)
    PyLong_AsLongLongAndOverflow: Function(i64, ptr, ptr)
    PyLong_FromLongLong: Function(ptr, i64)
    PyFloat_AsDouble: Function(f64, ptr)
    PyFloat_FromDouble: Function(ptr, f64)
    PyComplex_FromDoubles: Function(ptr, f64, f64)
    PyComplex_RealAsDouble: Function(f64, ptr)
    PyComplex_ImagAsDouble: Function(f64, ptr)
    PyBool_FromLong: Function(ptr, i64)
    PyDict_GetItemWithError: Function(ptr, ptr, ptr)
    PyTuple_New: Function(ptr, i64)
    PyTuple_Size: Function(i64, ptr)
    PyTuple_GetItem: Function(ptr, ptr, i64)
    PyTuple_SetItem: Function(i32, ptr, i64, ptr)
    PyList_New: Function(ptr, i64)
    PyList_Size: Function(i64, ptr)
    PyList_GetItem: Function(ptr, ptr, i64)
    PyList_SetItem: Function(i32, ptr, i64, ptr)
    PyList_SetSlice: Function(i32, ptr, i64, i64, ptr)
    PyList_Append: Function(i32, ptr, ptr)
    PyWeakref_NewRef: Function(ptr, ptr, ptr)
    PyDict_New: Function(ptr)
    PyDict_Size: Function(i64, ptr)
    PyDict_Next: Function(i32, ptr, ptr, ptr, ptr)
    PyDict_SetItem: Function(i32, ptr, ptr, ptr)
    PyType_GenericAlloc: Function(ptr, ptr, i64)
    PyObject_GenericGetDict: Function(ptr, ptr, ptr)
    PyObject_GenericGetAttr: Function(ptr, ptr, ptr)
    PyObject_GenericSetAttr: Function(i32, ptr, ptr, ptr)
    PyObject_GetAttr: Function(ptr, ptr, ptr)
    PyObject_GetItem: Function(ptr, ptr, ptr)
    PyObject_SetItem: Function(i32, ptr, ptr, ptr)
    PyObject_RichCompareBool: Function(i32, ptr, ptr, i32)
    PyCapsule_New: Function(ptr, ptr, ptr, ptr)
    PyCapsule_GetPointer: Function(ptr, ptr, ptr)
    PyCapsule_SetDestructor: Function(i32, ptr, ptr)
    PyMem_RawMalloc: Function(ptr, i64)
    PyMem_RawFree: Function(None, ptr)
    PyFloat_Type: ptr
    PyLong_Type: ptr
    PyComplex_Type: ptr
    PyExc_Exception: ptr
    PyExc_RuntimeError: ptr
    array_type: ptr
    new_from_descr: Function(ptr, ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)
    set_base_object: Function(i32, ptr, ptr)
    make_scalar: Function(ptr, ptr, ptr, ptr)
    memory_handler: ptr
    out_of_memory: ptr
    make_room: ptr
    under_pressure: ptr
    array_element_size_offset: i64
    array_handler_offset: i64


class SystemTable(Struct):
    """Functions of the C library and the kernel; one that the system lacks is null."""

    memmove: Function(ptr, ptr, ptr, i64)
    memset: Function(ptr, ptr, i32, i64)
    mmap: Function(ptr, ptr, i64, i32, i32, i32, i64)
    munmap: Function(i32, ptr, i64)
    madvise: Function(i32, ptr, i64, i32)
    sched_yield: Function(i32)
    sched_getcpu: Function(i32)
    sched_getaffinity: Function(i32, i32, i64, ptr)
    sched_setaffinity: Function(i32, i32, i64, ptr)
    gettid: Function(i32)
    clock_gettime: Function(i32, i32, ptr)
    pthread_create: Function(i32, ptr, ptr, ptr, ptr)
    pthread_detach: Function(i32, i64)
    pthread_sigmask: Function(i32, i32, ptr, ptr)
    pthread_mutex_lock: Function(i32, ptr)
    pthread_mutex_unlock: Function(i32, ptr)
    pthread_cond_wait: Function(i32, ptr, ptr)
    pthread_cond_broadcast: Function(i32, ptr)
    syscall: Function(i64, i64, ptr, i64, i64, ptr, ptr, i64)
    WaitOnAddress: Function(i32, ptr, ptr, i64, i32)
    WakeByAddressAll: Function(None, ptr)
    map_flags: i64
    huge_page_advice: i64
    page_size: i64
    clock: i64
    fine_clock: i64
    signals_set: i64
    futex_number: i64
    parking: i64


ALLOCATE = Function(ptr, i64)
RELEASE = Function(None, ptr)


class Pool(Struct):
    """Cached blocks by size class, and their statistics.

    `limit_bytes` bounds live and cached blocks together, `limit_buffers` the live ones; the largest number is
    no limit. Of new blocks `unasked_bytes` are allocated before Python is asked whether the machine has room,
    for the `wanted_bytes` that were refused until then; `taken_bytes` were allocated so far, `written_bytes`
    of them when a run last ended, which writes to its blocks. `crossings` counts how often more than
    `pressure_bytes` became live. `refused` is the last refused request, and the live bytes then. `placed`
    counts large buffers. `allocate` and `release` are an application's own, or null.
    """

    lock: i32
    faults: i32
    live_bytes: i64
    peak_bytes: i64
    kept_bytes: i64
    kept_limit: i64
    hits: i64
    misses: i64
    live_buffers: i64
    requested_bytes: i64
    limit_bytes: i64
    limit_buffers: i64
    unasked_bytes: i64
    wanted_bytes: i64
    taken_bytes: i64
    written_bytes: i64
    pressure_bytes: i64
    crossings: i64
    failures: i64
    refused: i64
    refused_live: i64
    refused_buffers: i64
    refused_for_room: i64
    sweep: i64
    placed: i64
    allocate: ALLOCATE
    release: RELEASE
    lists: Array(ptr, 400)


class Workers(Struct):
    """The one launch that is shared at a time. Fields that many threads write have a cache line of their own.

    `caller` and `processor`: the thread that last woke or created workers, and its processor then.
    `ended_ns`: when the last launch ended. `held_ns`: when this one began, where sleeping workers are not
    woken yet, else 0.
    """

    ticket: i64
    ticket_line: Array(i64, 15)
    finished: i64
    finished_line: Array(i64, 15)
    epoch: i32
    sleepers: i32
    epoch_line: Array(i64, 15)
    busy: i32
    wanted: i32
    started: i32
    limit: i32
    caller: i32
    processor: i32
    ended_ns: i64
    held_ns: i64
    kernel: KERNEL
    slots: ptr
    groups: i64
    chunk: i64
    chunks: i64
    admitted: i64
    shared_launches: i64
    lone_launches: i64
    signals: Array(i64, 16)
    mutex: Array(i64, 16)
    condition: Array(i64, 16)


class State(Struct):
    """Everything that the image can reach: it has no other variable and no undefined symbol."""

    python: PythonTable
    system: SystemTable
    pool: Pool
    workers: Workers


STATE = Global("jitframe_state", State)
