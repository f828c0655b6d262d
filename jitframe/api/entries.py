"""The names of the public functions, and where each is: text alone, so that `import jitframe` knows them."""

from __future__ import annotations

from typing import Literal

Kind = Literal["elementwise", "reduction", "movement", "product", "creation", "dtype"]

ALIASES: dict[str, tuple[str, ...]] = {
    "abs": ("absolute", "abs"), "acos": ("arccos", "acos"), "asin": ("arcsin", "asin"),
    "atan": ("arctan", "atan"), "atan2": ("arctan2", "atan2"),
    "asinh": ("arcsinh", "asinh"), "acosh": ("arccosh", "acosh"), "atanh": ("arctanh", "atanh"),
    "bitwise_invert": ("invert", "bitwise_not", "bitwise_invert"),
    "bitwise_left_shift": ("left_shift", "bitwise_left_shift"),
    "bitwise_right_shift": ("right_shift", "bitwise_right_shift"),
    "conj": ("conjugate", "conj"), "deg2rad": ("deg2rad", "radians"), "rad2deg": ("rad2deg", "degrees"),
    "divide": ("divide", "true_divide"), "pow": ("power", "pow"), "remainder": ("remainder", "mod"),
    "round": ("round", "around"), "trunc": ("trunc", "fix"),
    "asarray": ("asarray", "asanyarray"), "concat": ("concatenate", "concat"), "max": ("max", "amax"),
    "min": ("min", "amin"),
    "permute_dims": ("transpose", "permute_dims"),
    "matmul": ("matmul", "linalg.matmul"), "vecdot": ("vecdot", "linalg.vecdot"),
    "tensordot": ("tensordot", "linalg.tensordot"),
    "matrix_transpose": ("matrix_transpose", "linalg.matrix_transpose"),
    "sliding_window_view": ("lib.stride_tricks.sliding_window_view",),
}  # fmt: skip
"""Names in NumPy, where they are not ours alone; the first is the usual one."""

# Kind, module in `api`, names; `name=attribute` where the module calls it otherwise.
_TABLE: tuple[tuple[Kind, str, str], ...] = (
    ("elementwise", "elementwise",
     "bitwise_count ldexp nextafter signbit spacing abs ceil fabs floor bitwise_invert isfinite isinf "
     "isnan logical_not negative positive reciprocal rint sign square trunc add bitwise_and "
     "bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal greater "
     "greater_equal less less_equal logical_and logical_or logical_xor maximum minimum multiply not_equal "
     "subtract clip round frexp modf where conj isposinf isneginf fmax fmin heaviside"),
    ("elementwise", "transcendental",
     "acos asin atan tan cos erf erfc gamma lgamma exp exp2 expm1 log2 log10 log1p cbrt sinc sinh cosh "
     "asinh acosh atanh hypot logaddexp logaddexp2 log sin sqrt tanh atan2 deg2rad rad2deg"),
    ("elementwise", "division",
     "floor_divide fmod gcd lcm pow remainder float_power divmod"),
    ("elementwise", "creation",
     "astype"),
    ("elementwise", "movement",
     "copy=duplicate"),
    ("elementwise", "numeric",
     "real imag angle nan_to_num isclose allclose array_equal array_equiv select piecewise ediff1d "
     "trapezoid cross gradient unwrap cov corrcoef isreal iscomplex"),
    ("elementwise", "polynomials",
     "poly polyadd polyder polydiv polyint polymul polysub polyval vander"),
    ("creation", "windows",
     "bartlett blackman hamming hanning kaiser i0"),
    ("creation", "grids",
     "logspace geomspace diag_indices tril_indices triu_indices mask_indices fromfunction fromiter "
     "frombuffer"),
    ("elementwise", "bits",
     "packbits unpackbits"),
    ("reduction", "along_axis",
     "apply_along_axis apply_over_axes"),
    ("reduction", "reductions",
     "sum prod mean var std max min ptp all any count_nonzero argmax argmin nanargmax nanargmin cumsum "
     "cumprod nancumsum nancumprod cumulative_sum cumulative_prod nansum nanprod nanmean nanvar nanstd "
     "nanmax nanmin average"),
    ("reduction", "arranging",
     "trace"),
    ("elementwise", "sorted_search",
     "searchsorted interp"),
    ("movement", "sorting",
     "sort argsort lexsort partition argpartition top_k"),
    ("reduction", "order_statistics",
     "median percentile quantile nanmedian nanpercentile nanquantile"),
    ("movement", "sets",
     "unique unique_all unique_counts unique_inverse unique_values union1d intersect1d setdiff1d setxor1d "
     "in1d"),
    ("reduction", "counting",
     "bincount digitize histogram histogram_bin_edges isin"),
    ("reduction", "norms",
     "linalg.norm=norm linalg.vector_norm=vector_norm linalg.matrix_norm=matrix_norm "
     "linalg.trace=linalg_trace linalg.diagonal=linalg_diagonal linalg.cross=linalg_cross "
     "linalg.matrix_power=matrix_power"),
    ("reduction", "linear_algebra",
     "linalg.solve=solve linalg.inv=inv linalg.det=det linalg.slogdet=slogdet"),
    ("product", "convolution",
     "convolve correlate"),
    ("movement", "diagonals",
     "fill_diagonal diag_indices_from tril_indices_from triu_indices_from"),
    ("movement", "movement",
     "permute_dims=transpose concat reshape ravel matrix_transpose swapaxes moveaxis squeeze "
     "expand_dims flip flipud fliplr broadcast_to broadcast_arrays atleast_1d atleast_2d unstack split "
     "stack vstack hstack column_stack diff"),
    ("movement", "arranging",
     "rollaxis rot90 diagonal sliding_window_view pad tile repeat roll diag diagflat resize append "
     "delete insert atleast_3d dstack block array_split hsplit vsplit dsplit"),
    ("movement", "indexing",
     "take take_along_axis choose nonzero flatnonzero argwhere compress extract ix_ unravel_index "
     "ravel_multi_index"),
    ("movement", "writing",
     "put put_along_axis putmask copyto place"),
    ("product", "products",
     "matmul matvec vecmat vecdot dot inner vdot outer kron tensordot einsum linalg.multi_dot=multi_dot "
     "linalg.outer=linalg_outer"),
    ("creation", "creation",
     "asarray array from_dlpack zeros ones empty full zeros_like ones_like empty_like full_like arange "
     "linspace eye identity tril triu"),
    ("creation", "arranging",
     "tri indices meshgrid"),
    ("dtype", "dtypes",
     "can_cast finfo iinfo isdtype result_type"),
)  # fmt: skip


def _entries() -> dict[str, tuple[Kind, str, str]]:
    found: dict[str, tuple[Kind, str, str]] = {}
    for kind, module, names in _TABLE:
        for entry in names.split():
            name, _, attribute = entry.partition("=")
            found[name] = kind, module, attribute or name
    return found


ENTRIES = _entries()
"""Kind, module in `api` and attribute of each function, by the name it has in `jitframe`."""


def instead(name: str) -> str:
    """The end of a message about a name that is NumPy's and not ours: what it is called here."""
    found = next((ours for ours, names in ALIASES.items() if name in names), None)
    return "" if found is None else f"; np.{name} is jf.{found} here"
