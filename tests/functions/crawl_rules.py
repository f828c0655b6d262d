"""What the crawl takes for no mistake where jitframe and NumPy differ, each with its reason."""

from __future__ import annotations

import re
from typing import NamedTuple

# Where NumPy's result depends on how it was computed, or on memory.
QUIRKS = re.compile(
    r"nan(percentile|quantile)\(.*A\(\(\d, \d\).*A\(\(\d, |"  # it moves the wrong axes of two of q
    r"choose\(.*(,.*){4}|choose\(.*out|"
    r"traced np.bincount|ldexp|nanm|unwrap|"
    r"isin\(.*(assume_unique|\), [1-9-])|"  # whose elements may be the same
    r"diag_indices\(.*(np\.array|A\()|"  # NumPy multiplies a tuple by the number of axes
    r"array_split\(\[|"  # NumPy takes the length of a list for that of the axis
    r"fft\.hfft\(.*out|"  # NumPy writes nothing to it
    r"unique_values|partition|argsort|unique_inverse\(.*special|"  # whose order NumPy leaves open
    r"irfft\(A\(\(2, 0\)|"  # NumPy reads what is behind the elements where there are none
    r"cumprod\(.*'c\d+', 'special'|"  # the order of three products with infinity decides which parts are NaN
    r"tensor \.?(np\.)?(ravel|flatten|reshape)\(.*'transposed'.*'[AK]'|"  # lazy arrays are made in C order
    r"i(rf|hf|f)ft.*'f2'|"  # NumPy rounds the factor 1 / n to float16
    r"fft.*'special'|"  # NumPy makes transforms of real numbers real at their ends
    r"(percentile|quantile)\(.*'f[24]', 'special'.*'[iu]\d'|"  # its dtype is that of `a` where there is a NaN
    r"dot\(.*, (0|0\.0|False|np\.bool_\(False\)|A\(\(\), '\w\d'\))\)|"  # BLAS does not multiply by 0
    r"svd\(.*(hermitian|, .*, .*, [^)])|"  # signs of vectors
    r"(std|var)\(.*(complex|'c8')|"  # the root of inf + nan*j is what a processor's division makes of it
    r"_like\(.*'matrix'|"  # matrices have two axes, whatever shape is asked for
    r"(mean|var|std)\(.*'f2'.*out|"  # NumPy rounds the sum of a mean alone; here the result is rounded
    r"(power|arctan2)\.reduce(at)?\(|"  # NumPy's loops read results that they have not written yet
    r"(var|std|mean)\(.*where=(?!A|True)"  # it counts what is no bool by its sum
)
LENIENT = re.compile(
    r"(allclose|isclose)\(.*2\*\*(64|70)|"  # NumPy has no ufunc for Python's integers of more than 64 bits
    r"'matrix'\)"  # the numbers of a matrix, where no array is asked for
)
UNDEFINED = ("np.empty", "np.empty_like")


def crashes_numpy(name: str, text: str) -> bool:
    """Whether NumPy 2.4 ends the process, or never ends."""
    ends = (name.endswith(("repeat", "tile", "as_strided")) and "2**" in text) or (
        "cum" in name and ("A(()" in text or "np.array(1" in text)
    )
    compared = re.search("(greater|less|equal)", name) and "where=" in text  # with a number out of range
    into_objects = (
        re.search("prod|sum|mean|std|var|any|all", name) or name.count(".") == 2
    ) and "object)" in text  # which it reads before it has written any
    spread = name.endswith("choose") and re.search(r"out=|\], (A|made)\(", text)  # beyond the output's memory
    largest = name.endswith("bincount") and "'i8', 'special'" in text  # it counts 2**63 - 1 before the result
    return bool(ends or compared or into_objects or largest or spread) or ("wrap" in text and "2**" in text)


# NumPy's words for what is no mistake here, or told when the result is asked for.
ALLOWED = re.compile(
    "|".join((
        "is out of bounds for axis . with size", "is out of bounds for size",
        "invalid entry in (choice|coordinates)",  # seen when values are
        "takes no keyword arguments",  # methods written in C
        "is only allowed as a keyword", "'out' is an invalid keyword", "a Python int too large",
        "missing 1 required positional argument: 'a_m", "missing 1 required positional argument: 'axis'",
        "(int too large|integer is greater|integer won't fit)",  # sizes of C's integers
        "according to the rule 'safe'", "an integer is required", "division by zero",
        "Input should be a NumPy array",
        "dtype argument must be a NumPy dtype", "object is not iterable", "n should be an integer",
        "iteration over a 0-d array", "object of type 'WithArray' has no len",
        "'(numpy.bool|list|NoneType)' object cannot be",
        "output must be an array", "(size exceeded|is too big)", "does not have an identity", "truth value",
        "WithIndex",
        "Python integer .* out of bounds", "invalid number of arguments",
        "descriptor '__array",
        "Unable to avoid copy", "strings are not allowed", "array element with a sequence",
        "ddof and correction",
    ))
)  # fmt: skip


class Rule(NamedTuple):
    """A difference that is meant."""

    why: str
    kinds: str
    """Of which findings."""
    ours: str = ""
    """What jitframe says, as a pattern: the class and the message."""
    numpys: str = ""
    """What NumPy says, or gives."""


RULES = (
    Rule(
        "NumPy makes objects of Python's integers of more than 64 bits; here they have no dtype",
        "CLASS REFUSED",
        "^NumberError: .*Python integer|^TypeError: .*takes an int",
    ),
    Rule(
        "what a shape follows from, or an ndarray is written with, is needed while tracing; there the call "
        "is cut, or Python answers it",
        "CLASS REFUSED",
        "^TraceError",
    ),
    Rule(
        "of arguments that are wrong in two ways one is told: a shape, a dtype, or a position",
        "CLASS",
        "^(ShapeError|DTypeError|AxisError|BoundsError|ArgumentError)",
        "Cannot cast|not supported for the input types|did not contain a loop|cannot use operand|"
        "first operand must be array|Input should be a NumPy array|broadcast|invalid output shape|"
        "wrong number of dimensions|does not match|argument must be a string|zero-dimensional|"
        "Cannot construct a dtype|If a is inexact|mask and data must|arrays used as indices|empty array|"
        "Field elements must be|numpy boolean subtract|"
        "must match exactly|wrong dimensionality|axis remapping|is out of bounds for a|out-of-bounds in|"
        "WithIndex|don't have the same length|inhomogeneous|op_axes|"
        "too small to calculate|too small depth|tuple index|must be real number|shape mismatch|"
        "fit into a C int",
    ),
    Rule(
        "what the values of lazy parameters are, and where they are zero, is not asked for",
        "LENIENT",
        "",
        "(Quantil|Percentil)es must be in|Error: (\\w+|high - low|\\w+ \\+ \\w+) (<|<=|>|>=) |is NaN|"
        "contains NaNs|All-NaN slice|cannot include zero|must be a non-zero|autodetected range|"
        "Weights sum to zero|Too many bins for data range",
    ),
    Rule(
        "decimals and Python's integers of more than 64 bits are numbers; NumPy makes objects of them",
        "LENIENT",
        "",
        "decimal\\.Decimal|input( \\d)? from dtype\\('O'\\)",
    ),
    Rule(
        "NumPy takes the length of what has none, and sequences alone where numbers are meant, too",
        "CLASS LENIENT",
        "",
        "not enough values to unpack|iteration over a 0-d|of unsized object|is not iterable|has no len",
    ),
    Rule(
        "the methods any and all have their parameters where NumPy's documentation has them, and var and std "
        "all of the functions'; NumPy's C code passes on to functions with others",
        "LENIENT",
        "",
        "Cannot construct a dtype from an array|return arrays must be of ArrayType|"
        "Cannot interpret 'Ellipsis' as a data type|_(var|std)\\(\\) got an unexpected|"
        "'out' must be an array|Maximum allowed dimension|"
        "cannot reshape array of size 0",
    ),
    Rule(
        "lazy arrays are never read-only, and nothing is overwritten here; of read-only arrays NumPy's "
        "functions that leave out NaN refuse some shapes",
        "LENIENT",
        "",
        "partition array is read-only",
    ),
    Rule(
        "what is not read may be anything",
        "LENIENT",
        "",
        "arange\\(\\) not supported for inputs|argument must be a string|Partition index|kth\\(=|max_work|"
        "is out of bounds",
    ),
    Rule(
        "dtype=None is the default, as NumPy has it elsewhere; its integers take it for float64",
        "LENIENT",
        "",
        "Unsupported dtype dtype\\('float64'\\) for integers",
    ),
    Rule(
        "NumPy takes axes from all that can be iterated over",
        "CLASS REFUSED",
        "axis is an integer, not|axis is one axis",
        "^AxisError|^IndexError|^$",
    ),
    Rule(
        "NumPy shuffles sequences in place, along their first axis alone", "CLASS", "shuffle takes an array"
    ),
    Rule(
        "a bool is an integer",
        "CLASS",
        "^(AxisError|ShapeError|BoundsError|ArgumentError)",
        "an integer is required|single integer, got '(True|False)'",
    ),
    Rule(
        "flags are bools or integers; many of NumPy's are anything that has a truth value",
        "REFUSED",
        "is True or False, not|truth value",
    ),
    Rule(
        "positions, sizes and axes are integers; NumPy converts some floats and texts",
        "CLASS REFUSED",
        "(is|are) (an )?integers?|sequence of integers|only integer scalar arrays|'out' must be|"
        "indices must be|no decimals|exponent must be",
        "^$|^IndexError|^AxisError|^ZeroDivisionError",
    ),
    Rule(
        "polynomials are vectors of coefficients; NumPy adds matrices of them",
        "CLASS REFUSED",
        "coefficients are a vector|\\w cannot be empty",
    ),
    Rule(
        "a result goes to an array of its shape; some of NumPy's Python functions broadcast or index it",
        "CLASS REFUSED",
        "out= (has|is)|positional argument but|non-broadcastable output|output array is not|"
        "cannot cast the result|output array is read-only",
        "^$|^(IndexError|KeyError)|invalid shape for output",
    ),
    Rule(
        "an order at the edges below 1 is 2, which takes three elements",
        "CLASS",
        "too small to calculate a numerical gradient",
        "^IndexError",
    ),
    Rule(
        "piecewise calls its functions on the whole array: where no condition holds is not known",
        "REFUSED",
        "unexpected keyword argument .* in piecewise",
    ),
    Rule(
        "one element is one number; NumPy's class for several depends on the dtype",
        "CLASS",
        "could not broadcast input array from shape .* into shape \\(\\)",
        "only 0-dimensional|real number, not",
    ),
    Rule(
        "what gives an array may share memory with it, which would be written", "REFUSED", "copy=False writes"
    ),
    Rule("NumPy reads no sorter that no search comes to", "REFUSED", "Sorter index out of range"),
    Rule("NumPy cuts the axes of a transpose to 32 bits", "REFUSED", "axis \\d{10,} is out of bounds"),
    Rule(
        "NumPy refuses negative powers where it meets one, and meets none where nothing is computed",
        "REFUSED",
        "negative integer powers",
    ),
    Rule(
        "a size holds the shape of the parameters; NumPy's integers leaves out those that do not fit",
        "REFUSED",
        "does not hold parameters",
    ),
    Rule(
        "there are no negative sizes; some of NumPy's Python functions make empty arrays",
        "CLASS REFUSED",
        "must not be negative|negative dimensions|too big|low >= high",
    ),
    Rule(
        "words are words; NumPy knows numbers and letters for some, or old ones, or looks them up in a dict",
        "CLASS REFUSED",
        "must be one of|must be '|is none of|is no requirement",
        "^$|^IndexError|^KeyError",
    ),
    Rule("NaN is no parameter of a distribution", "REFUSED", "or NaN:|left <= mode|p is NaN"),
    Rule(
        "NumPy makes arrays of objects, and asks these to add and compare themselves",
        "REFUSED",
        "integers or bools needed|"
        "NumPy makes an object array|unsupported operand|ufunc|is no dtype|an array is no dtype|real number|"
        "setting an array element|could not convert|same shape|multiply sequence|must be real|dict|"
        "not supported between|one number",
    ),
)


def is_meant(kind: str, ours: str, numpys: str) -> bool:
    """Whether a difference is one of those above."""
    return any(
        kind in rule.kinds.split() and re.search(rule.ours, ours) and re.search(rule.numpys, numpys)
        for rule in RULES
    )
