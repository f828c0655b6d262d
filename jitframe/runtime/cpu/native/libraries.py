"""Adapters of library functions: the executor calls them, once for each call (see `executor.call_some`)."""

from ....codegen.native.language import Function, export, f32, f64, i32, i64, offset, ptr

GEMM_F32_INT64 = 0
GEMM_F32_INT32 = 1
GEMM_F64_INT64 = 2
ROW_MAJOR = 101

SGEMM64 = Function(None, i32, i32, i32, i64, i64, i64, f32, ptr, i64, ptr, i64, f32, ptr, i64)
SGEMM32 = Function(None, i32, i32, i32, i32, i32, i32, f32, ptr, i32, ptr, i32, f32, ptr, i32)
DGEMM64 = Function(None, i32, i32, i32, i64, i64, i64, f64, ptr, i64, ptr, i64, f64, ptr, i64)
DGEMM32 = Function(None, i32, i32, i32, i32, i32, i32, f64, ptr, i32, ptr, i32, f64, ptr, i32)
SSYRK64 = Function(None, i32, i32, i32, i64, i64, f32, ptr, i64, f32, ptr, i64)
SSYRK32 = Function(None, i32, i32, i32, i32, i32, f32, ptr, i32, f32, ptr, i32)
DSYRK64 = Function(None, i32, i32, i32, i64, i64, f64, ptr, i64, f64, ptr, i64)
DSYRK32 = Function(None, i32, i32, i32, i32, i32, f64, ptr, i32, f64, ptr, i32)
UPPER_TRIANGLE = 121
TILE = 16

MOVE = 0
ROUTINE = 1
CHECK = 2
PARITY = 3
TO_FLOAT = 4
UPPER = 1
LOWER = 2
IN_WORDS = -1
AS_IT_IS = -2
ROUTINE_ARGUMENTS = 16
LAPACK_ROUTINE = Function(
    None, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr
)


def minimum(x: i64, y: i64) -> i64:
    if x < y:
        return x
    return y


def mirror_f32(c: ptr[i32], n: i64, apart: i64) -> None:
    """Copies the upper triangle of a square matrix to the lower one, in tiles that fit the cache."""
    for top in range(0, n, TILE):
        for left in range(0, top + 1, TILE):
            for row in range(top, minimum(top + TILE, n)):
                for column in range(left, minimum(left + TILE, row)):
                    c[row * apart + column] = c[column * apart + row]


def mirror_f64(c: ptr[i64], n: i64, apart: i64) -> None:
    """See `mirror_f32`."""
    for top in range(0, n, TILE):
        for left in range(0, top + 1, TILE):
            for row in range(top, minimum(top + TILE, n)):
                for column in range(left, minimum(left + TILE, row)):
                    c[row * apart + column] = c[column * apart + row]


def symmetric_product(words: ptr[i64], a: ptr, c: ptr) -> None:
    """Multiplies a matrix by its own transpose: computes half of the result and mirrors it, as NumPy does."""
    function = ptr(words[10])
    kind = words[1]
    ta = i32(words[2])
    n = words[5]
    k = words[6]
    lda = words[7]
    ldc = words[9]
    if kind == GEMM_F32_INT64:
        SSYRK64(function)(ROW_MAJOR, UPPER_TRIANGLE, ta, n, k, 1.0, a, lda, 0.0, c, ldc)
    elif kind == GEMM_F64_INT64:
        DSYRK64(function)(ROW_MAJOR, UPPER_TRIANGLE, ta, n, k, 1.0, a, lda, 0.0, c, ldc)
    elif kind == GEMM_F32_INT32:
        SSYRK32(function)(ROW_MAJOR, UPPER_TRIANGLE, ta, i32(n), i32(k), 1.0, a, i32(lda), 0.0, c, i32(ldc))
    else:
        DSYRK32(function)(ROW_MAJOR, UPPER_TRIANGLE, ta, i32(n), i32(k), 1.0, a, i32(lda), 0.0, c, i32(ldc))
    if kind < GEMM_F64_INT64:
        mirror_f32(ptr[i32](c), n, ldc)
    else:
        mirror_f64(ptr[i64](c), n, ldc)


@export
def gemm(given: ptr, addresses: ptr) -> None:
    """Computes one matrix product. words: function, kind, transpose a and b, m, n, k, lda, ldb, ldc, the
    function of a matrix times its transpose or 0; addresses of a, b, c."""
    words = ptr[i64](given)
    slots = ptr[i64](addresses)
    function = ptr(words[0])
    kind = words[1]
    ta = i32(words[2])
    tb = i32(words[3])
    m = words[4]
    n = words[5]
    k = words[6]
    lda = words[7]
    ldb = words[8]
    ldc = words[9]
    a = ptr(slots[0])
    b = ptr(slots[1])
    c = ptr(slots[2])
    if words[10] != 0 and a == b and ta != tb and m == n and lda == ldb:
        symmetric_product(words, a, c)
    elif kind == GEMM_F32_INT64:
        SGEMM64(function)(ROW_MAJOR, ta, tb, m, n, k, 1.0, a, lda, b, ldb, 0.0, c, ldc)
    elif kind == GEMM_F64_INT64:
        DGEMM64(function)(ROW_MAJOR, ta, tb, m, n, k, 1.0, a, lda, b, ldb, 0.0, c, ldc)
    elif kind == GEMM_F32_INT32:
        SGEMM32(function)(
            ROW_MAJOR, ta, tb, i32(m), i32(n), i32(k), 1.0, a, i32(lda), b, i32(ldb), 0.0, c, i32(ldc)
        )
    else:
        DGEMM32(function)(
            ROW_MAJOR, ta, tb, i32(m), i32(n), i32(k), 1.0, a, i32(lda), b, i32(ldb), 0.0, c, i32(ldc)
        )


def at(given: ptr, slots: ptr[i64], place: ptr[i64]) -> ptr:
    """Returns the address that two words specify: a slot and an offset from its value, or from the words
    themselves (IN_WORDS); or the number itself (AS_IT_IS)."""
    if place[0] == IN_WORDS:
        return offset(given, place[1])
    if place[0] == AS_IT_IS:
        return ptr(place[1])
    return ptr(slots[place[0]] + place[1])


def move_f32(source: ptr[i32], target: ptr[i32], words: ptr[i64]) -> None:
    """See `move`."""
    for row in range(words[0]):
        first = 0
        last = words[1]
        if words[6] == UPPER:
            first = row
            if first > last:
                first = last
        elif words[6] == LOWER and row < last:
            last = row + 1
        read = ptr[i32](offset(source, 4 * row * words[2]))
        write = ptr[i32](offset(target, 4 * row * words[4]))
        for column in range(first):
            write[column * words[5]] = 0
        for column in range(first, last):
            write[column * words[5]] = read[column * words[3]]
        for column in range(last, words[1]):
            write[column * words[5]] = 0


def move_f64(source: ptr[i64], target: ptr[i64], words: ptr[i64]) -> None:
    """See `move`."""
    for row in range(words[0]):
        first = 0
        last = words[1]
        if words[6] == UPPER:
            first = row
            if first > last:
                first = last
        elif words[6] == LOWER and row < last:
            last = row + 1
        read = ptr[i64](offset(source, 8 * row * words[2]))
        write = ptr[i64](offset(target, 8 * row * words[4]))
        for column in range(first):
            write[column * words[5]] = 0
        for column in range(first, last):
            write[column * words[5]] = read[column * words[3]]
        for column in range(last, words[1]):
            write[column * words[5]] = 0


def move(given: ptr, slots: ptr[i64], words: ptr[i64]) -> None:
    """Copies a matrix. words: source and target (see `at`), rows, columns, row and column strides in elements
    of source and then target, which triangle is copied (the other one becomes zero), bytes of an element.
    """
    source = at(given, slots, words)
    target = at(given, slots, ptr[i64](offset(words, 16)))
    if words[11] == 4:
        move_f32(ptr[i32](source), ptr[i32](target), ptr[i64](offset(words, 32)))
    else:
        move_f64(ptr[i64](source), ptr[i64](target), ptr[i64](offset(words, 32)))


def call_routine(given: ptr, slots: ptr[i64], words: ptr[i64]) -> None:
    """Calls a routine. words: its address, places of its arguments (see `at`), all of which are addresses in
    Fortran. The lengths of its texts, 1, follow its own arguments; a routine with fewer ignores the
    others.
    """
    place = ptr[i64](offset(words, 8))
    LAPACK_ROUTINE(ptr(words[0]))(
        at(given, slots, place),
        at(given, slots, ptr[i64](offset(place, 16))),
        at(given, slots, ptr[i64](offset(place, 32))),
        at(given, slots, ptr[i64](offset(place, 48))),
        at(given, slots, ptr[i64](offset(place, 64))),
        at(given, slots, ptr[i64](offset(place, 80))),
        at(given, slots, ptr[i64](offset(place, 96))),
        at(given, slots, ptr[i64](offset(place, 112))),
        at(given, slots, ptr[i64](offset(place, 128))),
        at(given, slots, ptr[i64](offset(place, 144))),
        at(given, slots, ptr[i64](offset(place, 160))),
        at(given, slots, ptr[i64](offset(place, 176))),
        at(given, slots, ptr[i64](offset(place, 192))),
        at(given, slots, ptr[i64](offset(place, 208))),
        at(given, slots, ptr[i64](offset(place, 224))),
        at(given, slots, ptr[i64](offset(place, 240))),
    )


def write_float(target: ptr, value: f64, nbytes: i64) -> None:
    if nbytes == 4:
        ptr[f32](target)[0] = f32(value)
    else:
        ptr[f64](target)[0] = value


def write_parity(given: ptr, slots: ptr[i64], words: ptr[i64]) -> None:
    """Writes the parity of a permutation. words: row exchanges, counted from 1, of an LU decomposition,
    target (see `at`), their number, bytes of one, bytes of an element."""
    exchanges = at(given, slots, words)
    value = 1.0
    for number in range(words[4]):
        exchanged = i64(ptr[i32](offset(exchanges, number * words[5]))[0])
        if exchanged != number + 1:
            value = 0.0 - value
    write_float(at(given, slots, ptr[i64](offset(words, 16))), value, words[6])


@export
def lapack(given: ptr, addresses: ptr) -> None:
    """Calls a function of linear algebra once: runs its steps in order, until one finds that a routine
    failed.

    given: words of all steps, then (operation, words, words of it) of each: MOVE, ROUTINE, PARITY as above;
    CHECK: a routine's status, the word for faults; TO_FLOAT: an integer, target, bytes of an element.
    addresses: of operands, results, workspace, faults.
    """
    slots = ptr[i64](addresses)
    count = ptr[i64](given)[0]
    position = 0
    while position < count:
        step = ptr[i64](offset(given, 8 * (1 + position)))
        words = ptr[i64](offset(step, 16))
        if step[0] == MOVE:
            move(given, slots, words)
        elif step[0] == ROUTINE:
            call_routine(given, slots, words)
        elif step[0] == CHECK:
            said = ptr[i32](at(given, slots, words))[0]
            if said != 0:
                ptr[i64](at(given, slots, ptr[i64](offset(words, 16))))[0] = 2
                return
        elif step[0] == PARITY:
            write_parity(given, slots, words)
        else:
            number = ptr[i32](at(given, slots, words))[0]
            write_float(at(given, slots, ptr[i64](offset(words, 16))), f64(number), words[4])
        position += 2 + step[1]
