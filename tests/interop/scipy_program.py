"""SciPy with SCIPY_ARRAY_API=1 on Tensors beside ndarrays: prints what differs, or nothing.

A program of its own: SciPy reads SCIPY_ARRAY_API when it is imported.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import differentiate, fft, integrate, ndimage, signal, special, stats
from scipy.cluster import hierarchy, vq
from scipy.optimize import elementwise
from scipy.spatial import distance
from scipy.spatial.transform import Rotation

import jitframe as jf

X = np.random.default_rng(0).random((8, 16))
V = X[0].copy()
Z = X > 0.5
B, A = signal.butter(3, 0.3)
Case = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]

SPECIAL = (
    "expit logit ndtr log_ndtr ndtri erf erfc i0 i0e i1 i1e gammaln entr digamma sinc log1p expm1 erfinv "
    "k0 j0 gamma"
)
SPECIAL_OF_TWO = "xlogy rel_entr gammainc gammaincc chdtr chdtrc stdtr betaln kl_div poch zeta binom"
FILTERS: dict[str, tuple[Any, ...]] = {
    "gaussian_filter": (1.0,), "uniform_filter": (3,), "median_filter": (3,), "maximum_filter": (3,),
    "sobel": (), "laplace": (), "prewitt": (), "zoom": (2,), "rotate": (30,), "shift": (1.0,),
    "gaussian_laplace": (1.0,), "gaussian_gradient_magnitude": (1.0,), "rank_filter": (1, 3),
    "percentile_filter": (50, 3), "spline_filter": (), "grey_dilation": (3,), "grey_erosion": (3,),
    "center_of_mass": (), "convolve1d": (V[:3],), "correlate1d": (V[:3],), "convolve": (X[:3, :3],),
    "affine_transform": (np.eye(2),), "map_coordinates": (np.array([[1.0, 2], [3, 4.5]]),),
}  # fmt: skip
TRANSFORMS = "fft ifft rfft fftn fft2 rfftn dct dst idct dctn hfft fftshift"
STATISTICS = (
    "skew kurtosis variation gmean hmean zscore sem iqr kstat kstatvar tmean tvar tstd tmin tmax describe "
    "entropy median_abs_deviation rankdata circmean circvar circstd mode gzscore tsem differential_entropy "
    "lmoment gstd"
)
TESTS_OF_ONE = "normaltest skewtest kurtosistest jarque_bera combine_pvalues false_discovery_control"
TESTS_OF_TWO = (
    "ttest_ind ttest_rel pearsonr spearmanr bartlett levene mannwhitneyu kruskal f_oneway linregress "
    "kendalltau brunnermunzel fligner ansari mood"
)


def listed() -> Iterator[Case]:
    for name in SPECIAL.split():
        yield f"special.{name}", getattr(special, name), (V,), {}
    for name in SPECIAL_OF_TWO.split():
        yield f"special.{name}", getattr(special, name), (V + 1, V + 0.5), {}
    for name in ("logsumexp", "softmax", "log_softmax"):
        yield f"special.{name}", getattr(special, name), (X,), {"axis": 1}
    for name in ("fftconvolve", "convolve", "oaconvolve", "correlate"):
        yield f"signal.{name}", getattr(signal, name), (V, V[:5]), {}
    for name in ("hilbert", "detrend", "periodogram", "wiener", "envelope"):
        yield f"signal.{name}", getattr(signal, name), (X if name == "wiener" else V,), {}
    for name in ("welch", "spectrogram", "stft"):
        yield f"signal.{name}", getattr(signal, name), (V,), {"nperseg": 8}
    yield "signal.convolve2d", signal.convolve2d, (X, X[:3, :3]), {}
    yield "signal.lfilter", signal.lfilter, (V[:3], V[:2] + 1, X), {}
    yield "signal.filtfilt", signal.filtfilt, (B, A, X), {}
    yield "signal.freqz", signal.freqz, (B, A), {"worN": 16}
    yield "signal.resample", signal.resample, (X, 10), {"axis": 1}
    yield "signal.resample_poly", signal.resample_poly, (X, 2, 3), {"axis": 1}
    yield "signal.medfilt", signal.medfilt, (V, 3), {}
    yield "signal.savgol_filter", signal.savgol_filter, (X, 5, 2), {}
    for name, arguments in FILTERS.items():
        yield f"ndimage.{name}", getattr(ndimage, name), (X, *arguments), {}
    for name in ("label", "binary_erosion", "binary_dilation", "distance_transform_edt"):
        yield f"ndimage.{name}", getattr(ndimage, name), (Z,), {}
    for name in TRANSFORMS.split():
        yield f"fft.{name}", getattr(fft, name), (X,), {}
    yield "fft.irfft", fft.irfft, (X + 0j,), {}
    yield "fft.fht", fft.fht, (V, 0.1, 0.5), {}
    tree = hierarchy.linkage(X)
    yield "cluster.whiten", vq.whiten, (X,), {}
    yield "cluster.vq", vq.vq, (X, X[:3]), {}
    yield "cluster.kmeans", lambda x, y: vq.kmeans(x, y)[0], (X, X[:3]), {}
    yield "cluster.linkage", hierarchy.linkage, (X,), {}
    yield "cluster.fcluster", hierarchy.fcluster, (tree, 1.0), {}
    yield "cluster.cophenet", hierarchy.cophenet, (tree,), {}
    yield "spatial.pdist", distance.pdist, (X,), {}
    yield "spatial.cdist", distance.cdist, (X, X[:2]), {}
    yield "spatial.rotation", lambda q: Rotation.from_quat(q).as_matrix(), (X[:, :4],), {}
    yield "spatial.rotated", lambda r, v: Rotation.from_rotvec(r).apply(v), (V[:3], V[3:6]), {}
    for name in STATISTICS.split():
        yield f"stats.{name}", getattr(stats, name), (X,), {}
    for name in TESTS_OF_ONE.split():
        yield f"stats.{name}", getattr(stats, name), (X.ravel(),), {}
    for name in TESTS_OF_TWO.split():
        yield f"stats.{name}", getattr(stats, name), (V, V[::-1].copy() * 1.5), {}
    yield "stats.ttest_1samp", stats.ttest_1samp, (V, 0.5), {}
    yield "differentiate.derivative", lambda x: differentiate.derivative(_cubic, x).df, (V,), {}
    yield "differentiate.jacobian", lambda x: differentiate.jacobian(_cubic, x).df, (V[:2],), {}
    for name in ("simpson", "trapezoid", "cumulative_trapezoid", "cumulative_simpson"):
        yield f"integrate.{name}", getattr(integrate, name), (X,), {}
    yield "integrate.tanhsinh", lambda a, b: integrate.tanhsinh(_cubic, a, b).integral, (V, V + 1), {}
    yield "optimize.find_root", lambda a, b: elementwise.find_root(_shifted, (a, b)).x, (V * 0, V * 0 + 1), {}


def _cubic(x: Any) -> Any:
    return x**3 + x


def _shifted(x: Any) -> Any:
    return x**2 - 0.5


def tensors(value: Any) -> Any:
    return jf.asarray(value) if isinstance(value, np.ndarray) else value


def plain(value: Any) -> list[np.ndarray]:
    """The arrays of a result, however it holds them."""
    if isinstance(value, (tuple, list)):
        return [each for member in value for each in plain(member)]
    if hasattr(value, "statistic"):
        return plain((value.statistic, value.pvalue))
    return [np.asarray(value)]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    count = 0
    for name, function, arguments, options in listed():
        count += 1
        try:
            wanted = plain(function(*arguments, **options))
            found = plain(function(*map(tensors, arguments), **options))
            assert len(found) == len(wanted)
            for ours, theirs in zip(found, wanted, strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9)
        except Exception as error:  # any: this is what is asked
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}")
    print(f"{count} cases", file=sys.stderr)
