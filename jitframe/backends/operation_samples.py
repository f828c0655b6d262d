"""A small call of every public function, by which backends are asked what they can do."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy

from ..api.creation import asarray
from ..api.namespace import FUNCTIONS
from ..runtime.device import Device

Arguments = tuple[Any, ...]


class Sample:
    """Small arrays of one dtype on a device, made when they are first needed."""

    def __init__(self, device: Device, dtype: numpy.dtype) -> None:
        self.device = device
        self.dtype = dtype

    def array(self, *shape: int) -> Any:
        """Values from 1 on, so that no function divides by 0."""
        count = int(numpy.prod(shape))
        values = numpy.arange(1, count + 1).astype(self.dtype).reshape(shape)
        return asarray(values, device=self.device)

    @property
    def x(self) -> Any:
        """A matrix."""
        return self.array(3, 3)

    @property
    def regular(self) -> Any:
        """A matrix with an inverse."""
        return asarray((2 * numpy.eye(3)).astype(self.dtype), device=self.device)

    @property
    def large(self) -> Any:
        """A matrix that is not so small that its products are computed otherwise than most."""
        return self.array(20, 20)

    @property
    def v(self) -> Any:
        """A vector."""
        return self.array(3)

    @property
    def mask(self) -> Any:
        return asarray(numpy.eye(3, dtype=bool), device=self.device)

    @property
    def chosen(self) -> Any:
        """A vector of bools."""
        return asarray(numpy.array([True, False, True]), device=self.device)

    def positions(self, *shape: int) -> Any:
        """Positions on an axis of three."""
        return asarray(numpy.zeros(shape, numpy.int32), device=self.device)


_PATTERNS: tuple[tuple[str, Callable[[Sample], Arguments]], ...] = (
    (
        "isclose allclose array_equal array_equiv kron vdot outer vecdot copyto float_power fmax fmin "
        "heaviside",
        lambda s: (s.x, s.x),
    ),
    ("pow", lambda s: (s.x, 2)),  # of integers, an exponent that is known not to be negative
    ("tensordot inner dot matmul", lambda s: (s.large, s.large)),
    (
        "cross linalg.cross linalg.outer append meshgrid searchsorted digitize isin convolve correlate "
        "polyval polyadd polysub polymul polydiv",
        lambda s: (s.v, s.v),
    ),
    ("interp", lambda s: (s.v, s.v, s.v)),
    ("matvec", lambda s: (s.x, s.v)),
    ("vecmat", lambda s: (s.v, s.x)),
    ("broadcast_arrays", lambda s: (s.x, s.v)),
    (
        "cumulative_sum cumulative_prod ediff1d trapezoid unwrap diag diagflat argwhere flatnonzero nonzero "
        "bincount poly polyder polyint vander packbits",
        lambda s: (s.v,),
    ),
    ("concat stack vstack hstack column_stack dstack block", lambda s: ([s.x, s.x],)),
    ("linalg.solve", lambda s: (s.regular, s.v)),
    ("linalg.inv linalg.det linalg.slogdet", lambda s: (s.regular,)),
    ("linalg.multi_dot", lambda s: ([s.large, s.large, s.large],)),
    ("einsum", lambda s: ("ij,jk->ik", s.large, s.large)),
    ("where", lambda s: (s.mask, s.x, s.x)),
    ("select", lambda s: ([s.mask], [s.x])),
    ("piecewise", lambda s: (s.x, [s.mask], [1, 0])),
    ("choose", lambda s: (s.positions(3), [s.v, s.v])),
    ("ldexp", lambda s: (s.x, s.positions(3, 3))),
    ("clip", lambda s: (s.x, 0, 1)),
    ("astype", lambda s: (s.x, s.dtype)),
    ("reshape", lambda s: (s.x, (9,))),
    ("resize", lambda s: (s.x, (4,))),
    ("swapaxes moveaxis", lambda s: (s.x, 0, 1)),
    ("expand_dims", lambda s: (s.x, 0)),
    ("fill_diagonal", lambda s: (s.x, 1)),
    ("linalg.matrix_power", lambda s: (s.large, 2)),
    ("broadcast_to", lambda s: (s.x, (2, 3, 3))),
    ("split array_split hsplit vsplit", lambda s: (s.x, 3)),
    ("dsplit", lambda s: (s.array(1, 2, 2), 2)),
    ("roll rollaxis pad tile repeat", lambda s: (s.x, 1)),
    ("sliding_window_view", lambda s: (s.v, 2)),
    ("delete", lambda s: (s.v, 0)),
    ("insert", lambda s: (s.v, 0, s.array(1))),
    ("take", lambda s: (s.v, s.positions(2))),
    ("take_along_axis", lambda s: (s.x, s.positions(1, 3), 0)),
    ("put", lambda s: (s.v, s.positions(2), s.array(2))),
    ("put_along_axis", lambda s: (s.x, s.positions(1, 3), s.array(1, 3), 0)),
    ("putmask", lambda s: (s.x, s.mask, s.x)),
    ("place", lambda s: (s.x, s.mask, s.v)),
    ("compress", lambda s: (s.chosen, s.v)),
    ("extract", lambda s: (s.mask, s.x)),
    ("unravel_index", lambda s: (s.positions(2), (2, 3))),
    ("ravel_multi_index", lambda s: ((s.positions(2), s.positions(2)), (2, 3))),
    ("ix_", lambda s: (s.positions(2), s.positions(2))),
    ("asarray array from_dlpack", lambda s: (numpy.ones(3, s.dtype),)),
    ("zeros ones empty", lambda s: ((3,), s.dtype)),
    ("full", lambda s: ((3,), 1, s.dtype)),
    ("full_like", lambda s: (s.x, 1)),
    ("arange", lambda s: (0, 3, 1, s.dtype)),
    ("linspace", lambda s: (0, 2, 3, True, False, s.dtype)),
    ("identity", lambda s: (3, s.dtype)),
    ("eye tri", lambda s: (3, 3, 0, s.dtype)),
    ("indices", lambda s: ((2, 2), s.dtype)),
    ("bartlett blackman hamming hanning", lambda s: (3,)),
    ("kaiser", lambda s: (3, 5.0)),
    ("logspace geomspace", lambda s: (s.v[0], s.v[1], 3)),
    ("diag_indices tril_indices triu_indices", lambda s: (3,)),
    ("mask_indices", lambda s: (3, numpy.triu)),
    ("fromfunction", lambda s: (lambda i: i, (3,))),
    ("fromiter", lambda s: (range(3), s.dtype)),
    ("frombuffer", lambda s: (bytes(8), s.dtype)),
    ("unpackbits", lambda s: (s.array(3).astype("uint8"),)),
    ("apply_along_axis", lambda s: (lambda v: v, 0, s.x)),
    ("apply_over_axes", lambda s: (lambda x, axis: x, s.x, 0)),
)
"""What functions take that are called neither with one matrix nor, as ufuncs of two, with two."""


@cache
def _by_name() -> dict[str, Callable[[Sample], Arguments]]:
    return {name: make for names, make in _PATTERNS for name in names.split()}


def arguments(name: str, device: Device, dtype: numpy.dtype) -> Arguments:
    """Of a small call of a function, on arrays of a dtype. Raises what the device says to the dtype."""
    sample = Sample(device, dtype)
    make = _by_name().get(name)
    if make is not None:
        return make(sample)
    found: Any = None
    for called in FUNCTIONS[name].numpy:
        found = getattr(numpy, called, None)
    count = found.nin if isinstance(found, numpy.ufunc) else 1
    return tuple(sample.x for _ in range(count))


def arguments_of(
    function: Callable[..., Any],
    make: Callable[[Callable[..., Any]], Any] | None,
    device: Device,
    dtype: numpy.dtype,
) -> Arguments:
    """Of a small call of somebody else's function: what `make` gives, which is given what makes arrays; else
    a matrix for each parameter that has no default."""
    sample = Sample(device, dtype)
    if make is not None:
        return tuple(make(sample.array))
    required = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(
        sample.x
        for each in inspect.signature(function).parameters.values()
        if each.kind in required and each.default is each.empty
    )
