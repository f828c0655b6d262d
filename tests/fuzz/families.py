"""Recipes of orders, polynomials and transforms, and the functions that no random program speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .recipes import RECIPES as RECIPES
from .recipes import Rounding, recipe

if TYPE_CHECKING:
    from .programs import Draw


@recipe("sort", "argsort", "median", "nanmedian", "percentile", "nanpercentile", "quantile", "nanquantile")
def _in_order(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name == "argsort":
        x = draw.exact(draw.number)
        return f"np.argsort({x}, axis={draw.one_axis(x, none=False)}, kind='stable')", "exact"
    x = draw.number() if name == "sort" else draw.floating()
    if name == "sort":
        return f"np.sort({x}, axis={draw.one_axis(x, none=False)})", "moves"
    rank = "" if name.endswith("median") else ", 40" if name.endswith("percentile") else ", 0.4"
    return f"np.{name}({x}{rank}, axis={draw.one_axis(x)})", "smooth"


@recipe("polyadd", "polysub", "polyder", "polyint", "vander")
def _polynomial(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.floating_vector()
    if name == "vander":
        return f"np.vander(np.clip({x}, -2, 2), 3)", "smooth"
    return f"np.{name}({x}{', [2.0, 1.0]' if name in ('polyadd', 'polysub') else ''})", "smooth"


@recipe("i0", "kaiser", "logspace", "geomspace")
def _of_a_number(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = f"np.clip(np.abs({draw.floating()}), 0.5, 3)"
    if name == "i0":
        return f"np.i0({x})", "smooth"
    return (f"np.kaiser(5, np.max({x}))" if name == "kaiser" else f"np.{name}(np.max({x}), 4.0, 5)"), "smooth"


@recipe("packbits", "fft.fftshift", "fft.ifftshift", "apply_over_axes")
def _put_otherwise(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name == "packbits":
        return f"np.packbits({draw.exact(draw.number)} > 1)", "exact"
    if name == "apply_over_axes":
        return f"np.apply_over_axes(np.sum, {draw.matrix()}, 0)", "smooth"
    return f"np.{name}({draw.vector()})", "moves"


UNSPOKEN = frozenset((
    "empty", "empty_like", "from_dlpack", "nonzero", "flatnonzero", "argwhere", "compress", "extract",
    "put", "put_along_axis", "putmask", "copyto", "place", "imag", "angle", "unwrap", "can_cast",
    "finfo", "iinfo", "isdtype", "result_type", "bincount", "fill_diagonal", "ravel_multi_index",
    # Of numbers that are known, of bytes, of functions.
    "bartlett", "blackman", "hamming", "hanning", "diag_indices", "tril_indices", "triu_indices",
    "mask_indices", "fromfunction", "fromiter", "frombuffer", "fft.fftfreq", "fft.rfftfreq",
    "unpackbits", "apply_along_axis", "lib.stride_tricks.as_strided",
    # In an order that nobody tells, or of several keys.
    "partition", "argpartition", "lexsort", "sort_complex",
    # Sized by values.
    "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "union1d",
    "intersect1d", "setdiff1d", "setxor1d", "polymul", "polydiv", "trim_zeros", "real_if_close",
    "histogramdd", "histogram2d",
    # Of what is known of arrays.
    "shape", "ndim", "size", "isscalar", "iterable", "iscomplexobj", "isrealobj", "isfortran",
    "broadcast_shapes", "promote_types", "common_type", "min_scalar_type", "mintypecode", "issubdtype",
    "einsum_path", "ascontiguousarray", "asfortranarray", "require", "asarray_chkfinite",
    "shares_memory", "may_share_memory",
    # Complex, and as large as all of their elements together.
    "fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft", "fft.fft2", "fft.ifft2",
    "fft.fftn", "fft.ifftn", "fft.rfft2", "fft.irfft2", "fft.rfftn", "fft.irfftn",
    # Of matrices that random ones are not, or as near to singular as these are.
    "linalg.cholesky", "linalg.cond", "linalg.det", "linalg.eig", "linalg.eigh", "linalg.eigvals",
    "linalg.eigvalsh", "linalg.inv", "linalg.lstsq", "linalg.matrix_rank", "linalg.pinv", "linalg.qr",
    "linalg.slogdet", "linalg.solve", "linalg.svd", "linalg.svdvals", "linalg.tensorinv",
    "linalg.tensorsolve", "polyfit", "poly", "roots",
))  # fmt: skip
"""Without values of their own, sized by values, about dtypes or places, or spoken as assignments; and what
tests of its own say more of."""
