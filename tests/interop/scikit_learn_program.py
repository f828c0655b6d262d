"""scikit-learn with `array_api_dispatch=True` on Tensors beside ndarrays: prints what differs, or nothing.

A program of its own: SciPy reads SCIPY_ARRAY_API when it is imported.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn import config_context, decomposition, discriminant_analysis, linear_model, metrics, mixture
from sklearn import preprocessing as scaling
from sklearn.metrics import pairwise
from sklearn.naive_bayes import GaussianNB

import jitframe as jf

generator = np.random.default_rng(0)
X = generator.normal(size=(60, 5))
LABELS = (X[:, 0] + X[:, 1] > 0).astype("int64")
GUESSED = (generator.random(60) > 0.4).astype("int64")
CHANCES = generator.random(60)
TARGETS = X @ generator.normal(size=5)
NEAR = TARGETS + generator.normal(size=60) / 10

MIXTURES = [
    functools.partial(
        mixture.GaussianMixture, 2, covariance_type=kind, random_state=0, init_params="random", max_iter=20
    )
    for kind in ("full", "tied", "diag", "spherical")
]
ESTIMATORS: list[tuple[Callable[[], Any], Any, Any, tuple[str, ...]]] = [
    *(
        (functools.partial(decomposition.PCA, 3, svd_solver=solver, random_state=0), X, None, ("transform",))
        for solver in ("full", "covariance_eigh", "randomized")
    ),
    (functools.partial(decomposition.PCA, 3, svd_solver="full", whiten=True), X, None, ("transform",)),
    (
        discriminant_analysis.LinearDiscriminantAnalysis, X, LABELS,
        ("predict", "predict_proba", "transform"),
    ),
    (functools.partial(linear_model.Ridge, solver="svd"), X, TARGETS, ("predict",)),
    *((kind, X, None, ("predict", "predict_proba", "score_samples")) for kind in MIXTURES),
    *(
        (kind, X, None, ("transform",))
        for kind in (
            scaling.StandardScaler, scaling.MinMaxScaler, scaling.MaxAbsScaler, scaling.Normalizer,
            scaling.Binarizer, scaling.PolynomialFeatures,
        )
    ),
    (scaling.KernelCenterer, X @ X.T, None, ("transform",)),
    (scaling.LabelEncoder, LABELS, None, ("transform",)),
    (GaussianNB, X, LABELS, ("predict",)),
]  # fmt: skip
LABELLED = (
    "accuracy_score zero_one_loss confusion_matrix f1_score precision_score recall_score jaccard_score "
    "hamming_loss balanced_accuracy_score"
)
REGRESSED = (
    "mean_squared_error root_mean_squared_error mean_absolute_error mean_absolute_percentage_error max_error "
    "r2_score explained_variance_score mean_pinball_loss mean_tweedie_deviance d2_tweedie_score"
)
METRICS = [
    *((name, (LABELS, GUESSED)) for name in LABELLED.split()),
    *((name, (TARGETS, NEAR)) for name in REGRESSED.split()),
    *((name, (LABELS, CHANCES)) for name in ("roc_auc_score", "brier_score_loss", "log_loss")),
]
DISTANCES = (
    "euclidean_distances cosine_similarity cosine_distances rbf_kernel polynomial_kernel linear_kernel "
    "sigmoid_kernel chi2_kernel laplacian_kernel manhattan_distances"
)


def estimated(make: Callable[[], Any], x: Any, y: Any, asked: tuple[str, ...]) -> None:
    plain = make().fit(x) if y is None else make().fit(x, y)
    with config_context(array_api_dispatch=True):
        given = [jf.asarray(each) for each in (x, y) if each is not None]
        ours = make().fit(*given)
        for name in asked:
            found = getattr(ours, name)(given[0])
            assert type(found) is jf.Tensor, f"{name} gives a {type(found).__name__}"
            np.testing.assert_allclose(found.numpy(), getattr(plain, name)(x), rtol=1e-6, atol=1e-8)


def measured(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    wanted = function(*arguments)
    with config_context(array_api_dispatch=True):
        found = function(*map(jf.asarray, arguments))
    np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=1e-9, atol=1e-7)


def cases() -> Iterator[tuple[str, Callable[[], None]]]:
    for make, x, y, asked in ESTIMATORS:
        yield repr(make()), functools.partial(estimated, make, x, y, asked)
    for name, arguments in METRICS:
        yield name, functools.partial(measured, getattr(metrics, name), arguments)
    for name in DISTANCES.split():
        yield name, functools.partial(measured, getattr(pairwise, name), (abs(X),))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    count = 0
    for name, case in cases():
        count += 1
        try:
            case()
        except Exception as error:  # any: this is what is asked
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}")
    print(f"{count} cases", file=sys.stderr)
