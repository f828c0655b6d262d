"""What `jitframe.nn` has, for editors and type checkers; made by `tools/make_stubs.py`."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import ArrayLike, Tensor, _Axis, _bool, _Casting, _Order, _Out

def adaptive_avg_pool1d(x: ArrayLike, output_size: Any) -> Tensor:
    """The mean of each of so many windows; see `nn.adaptive_max_pool1d`. Dtype: float.

    >>> jf.nn.adaptive_avg_pool1d(np.arange(4.0).reshape(1, 4), 1).numpy()
    array([[1.5]])
    """
def adaptive_avg_pool2d(x: ArrayLike, output_size: Any) -> Tensor:
    """The mean of each of so many windows; see `nn.adaptive_max_pool2d`. Dtype: float.

    >>> jf.nn.adaptive_avg_pool2d(np.arange(4.0).reshape(1, 2, 2), 1).numpy()
    array([[[1.5]]])
    """
def adaptive_avg_pool3d(x: ArrayLike, output_size: Any) -> Tensor:
    """The mean of each of so many windows; see `nn.adaptive_max_pool3d`. Dtype: float.

    >>> jf.nn.adaptive_avg_pool3d(np.arange(8.0).reshape(1, 2, 2, 2), 1).numpy()
    array([[[[3.5]]]])
    """
def adaptive_max_pool1d(x: ArrayLike, output_size: Any) -> Tensor:
    """The largest of each of so many windows, which cover sequences and overlap where they must.

    `x`: [batch, channels, n], the batch may be missing; `output_size`: an integer, or one for each axis, None
    leaving it. Window i is from floor(i n / size) to ceil((i + 1) n / size).

    >>> jf.nn.adaptive_max_pool1d(np.arange(4.0).reshape(1, 4), 1).numpy()
    array([[3.]])
    """
def adaptive_max_pool2d(x: ArrayLike, output_size: Any) -> Tensor:
    """The largest of each of so many windows, which cover images and overlap where they must.

    `x`: [batch, channels, h, w], the batch may be missing; `output_size`: an integer, or one for each axis,
    None leaving it. Window i is from floor(i n / size) to ceil((i + 1) n / size).

    >>> jf.nn.adaptive_max_pool2d(np.arange(4.0).reshape(1, 2, 2), 1).numpy()
    array([[[3.]]])
    """
def adaptive_max_pool3d(x: ArrayLike, output_size: Any) -> Tensor:
    """The largest of each of so many windows, which cover volumes and overlap where they must.

    `x`: [batch, channels, d, h, w], the batch may be missing; `output_size`: an integer, or one for each
    axis, None leaving it. Window i is from floor(i n / size) to ceil((i + 1) n / size).

    >>> jf.nn.adaptive_max_pool3d(np.arange(8.0).reshape(1, 2, 2, 2), 1).numpy()
    array([[[[7.]]]])
    """
def avg_pool1d(x: ArrayLike, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of sequences.

    Arguments are those of `nn.max_pool1d`; padding is zeros, which count where `count_include_pad`. Dtype:
    float.

    >>> jf.nn.avg_pool1d(np.arange(4.0).reshape(1, 4), 2).numpy()
    array([[0.5, 2.5]])
    """
def avg_pool2d(x: ArrayLike, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of images.

    Arguments are those of `nn.max_pool2d`; padding is zeros, which count where `count_include_pad`. Dtype:
    float.

    >>> jf.nn.avg_pool2d(np.arange(4.0).reshape(1, 2, 2), 2).numpy()
    array([[[1.5]]])
    """
def avg_pool3d(x: ArrayLike, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of volumes.

    Arguments are those of `nn.max_pool3d`; padding is zeros, which count where `count_include_pad`. Dtype:
    float.

    >>> jf.nn.avg_pool3d(np.arange(8.0).reshape(1, 2, 2, 2), 2).numpy()
    array([[[[3.5]]]])
    """
def batch_norm(x: ArrayLike, mean: ArrayLike | None = None, var: Any = None, weight: Any = None, bias: Any = None, *, axis: int = 1, eps: float = 1e-05, out: _Out = None) -> Tensor:
    """`(x - mean) / sqrt(var + eps)` for each channel, a position on `axis`, times `weight`, plus `bias`
    (Ioffe, Szegedy 2015).

    `mean`, `var`: of each channel, as training left them; without both, those of `x` over all other axes.
    `weight`, `bias`: an element for each channel. Shape, dtype, `out` and errors as of `rms_norm`;
    ArgumentError where one of `mean` and `var` is given alone.

    >>> jf.nn.batch_norm([[1.0, 5.0], [3.0, 5.0]], eps=0.0625).numpy().round(2)
    array([[-0.97,  0.  ],
           [ 0.97,  0.  ]])
    """
def binary_cross_entropy(probabilities: Any, target: Any, *, reduction: str = 'mean') -> Tensor:
    """`-(target * log(p) + (1 - target) * log(1 - p))`, where no logarithm is below -100; otherwise as
    `mse_loss`. Where logits are known, `binary_cross_entropy_with_logits` loses nothing.

    >>> jf.nn.binary_cross_entropy([0.5, 0.25], [1.0, 0.0], reduction="none").numpy().round(2)
    array([0.69, 0.29])
    """
def binary_cross_entropy_with_logits(logits: Any, target: Any, *, positive_weight: Any = None, reduction: str = 'mean') -> Tensor:
    """`binary_cross_entropy(sigmoid(logits), target)`, of which nothing is lost; otherwise as `mse_loss`.

    `positive_weight`: a number, or an array that broadcasts to `logits`, by which targets of 1 count more.

    >>> jf.nn.binary_cross_entropy_with_logits([-1000.0, 0.0], [1.0, 0.0], reduction="none").numpy().round(4)
    array([1.000e+03, 6.931e-01])
    """
def conv1d(x: ArrayLike, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: str = 'zeros', out: _Out = None) -> Tensor:
    """The convolution of sequences with many channels: sums of products of their windows and the weights.

    `x`: [batch, channels, n], the batch may be missing; `weight`: [out, channels / groups, k]; all else as of
    `conv2d`. Shape: [batch, out, (n + padding - (k - 1) dilation - 1) // stride + 1].

    >>> jf.nn.conv1d(np.arange(4.0).reshape(1, 4), np.array([[[1.0, -1.0]]])).numpy()
    array([[-1., -1., -1.]])
    """
def conv2d(x: ArrayLike, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: str = 'zeros', out: _Out = None) -> Tensor:
    """The convolution of images with many channels: sums of products of their windows and the weights.

    `x`: [batch, channels, h, w], the batch may be missing; `weight`: [out, channels / groups, kh, kw];
    `bias`: [out]. `stride`, `dilation`: an integer, or one for each axis: between windows, and in them.
    `padding`: an integer, one for each axis, pairs, "valid" (none), or "same" (n / stride results);
    `padding_mode`: "zeros", "reflect", "replicate" or "circular". `groups`: of channels, each by itself; as
    many as channels are a depthwise convolution. Dtype: the promoted one. The weights are not reversed, as in
    other libraries of neural networks. Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.conv2d(np.ones((1, 1, 4, 4)), np.ones((2, 1, 3, 3)), stride=2, padding="same").numpy()[0, 0]
    array([[9., 6.],
           [6., 4.]])
    """
def conv3d(x: ArrayLike, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: str = 'zeros', out: _Out = None) -> Tensor:
    """The convolution of volumes with many channels: sums of products of their windows and the weights.

    `x`: [batch, channels, d, h, w], the batch may be missing; `weight`: [out, channels / groups, kd, kh, kw];
    all else as of `conv2d`.

    >>> jf.nn.conv3d(np.ones((1, 1, 2, 2, 2)), np.ones((1, 1, 2, 2, 2))).numpy().item()
    8.0
    """
def conv_transpose1d(x: ArrayLike, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1, out: _Out = None) -> Tensor:
    """The transpose of `conv1d`; see `conv_transpose2d`.

    `x`: [batch, channels, n], the batch may be missing; `weight`: [channels, out / groups, k].

    >>> jf.nn.conv_transpose1d(np.ones((1, 2)), np.array([[[1.0, 2.0]]]), stride=2).numpy()
    array([[1., 2., 1., 2.]])
    """
def conv_transpose2d(x: ArrayLike, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1, out: _Out = None) -> Tensor:
    """The transpose of `conv2d`: each element of `x` adds the weights, times it, to a window of the result.

    `x`: [batch, channels, h, w], the batch may be missing; `weight`: [channels, out / groups, kh, kw];
    `bias`: [out]. `padding`: what is cut off at each side; `output_padding`: what is put at the end, less
    than the stride. Shape: (n - 1) stride - 2 padding + (k - 1) dilation + 1 + output_padding along each
    axis. Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.conv_transpose2d(np.ones((1, 1, 1)), np.ones((1, 1, 2, 2))).numpy()
    array([[[1., 1.],
            [1., 1.]]])
    """
def conv_transpose3d(x: ArrayLike, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1, out: _Out = None) -> Tensor:
    """The transpose of `conv3d`; see `conv_transpose2d`.

    `x`: [batch, channels, d, h, w], the batch may be missing; `weight`: [channels, out / groups, kd, kh, kw].

    >>> jf.nn.conv_transpose3d(np.ones((1, 1, 1, 1)), np.ones((1, 1, 2, 2, 2))).shape
    (1, 2, 2, 2)
    """
def cosine_similarity(x: ArrayLike, y: ArrayLike, *, axis: int = -1, eps: float = 1e-08) -> Tensor:
    """`sum(x * y) / (|x| |y|)` along an axis, where neither length counts as less than `eps`.

    `x` and `y` broadcast. Shape: what they broadcast to, without the axis. Dtype: what they promote to,
    floats.

    >>> jf.nn.cosine_similarity([[1.0, 0.0], [3.0, 4.0]], [4.0, 3.0]).numpy()
    array([0.8 , 0.96])
    """
def cross_entropy(logits: Any, target: Any, *, axis: int = -1, weight: Any = None, ignore_index: int | None = None, label_smoothing: float = 0.0, reduction: str = 'mean') -> Tensor:
    """`-log(softmax(logits)[target])`, which neither overflows nor makes the probabilities.

    `logits`: classes on `axis`; `target`: integers of the shape without it, or probabilities of the whole
    shape. `weight`: of each class; the mean is then weighted. `ignore_index`: targets of this value count
    for nothing. `label_smoothing`: the part of each target that is spread evenly over the classes.
    `reduction`: "mean", "sum" or "none". Shape: () or that of `logits` without the axis. Dtype: that of
    floats. Raises ShapeError where shapes do not fit, and IndexError for a target that is no class.

    >>> jf.nn.cross_entropy([[0.0, 0.0], [0.0, 1000.0]], [0, 1], reduction="none").numpy().round(2)
    array([0.69, 0.  ])
    """
def dropout(x: ArrayLike, p: float = 0.5, rng: Any = None, *, training: _bool = True, out: _Out = None) -> Tensor:
    """Zeros in the place of elements with the probability `p`; what is kept is divided by `1 - p`.

    `rng`: a generator of `jf.random`; it may be left out where nothing is drawn, for `p` of 0 or without
    `training`. Shape: that of `x`. Dtype: that of floats, else the device's usual float. Raises ArgumentError
    for a `p` beyond 0 and 1.

    >>> x = jf.nn.dropout(jf.ones(1000), 0.2, jf.random.default_rng(1))
    >>> np.unique(x.numpy())
    array([0.  , 1.25])
    """
def elu(x: ArrayLike, /, alpha: float = 1.0, *, out: _Out = None) -> Tensor:
    """`x` where it is positive, else `alpha * (exp(x) - 1)` (Clevert, Unterthiner, Hochreiter 2015). As of
    `sigmoid`.

    >>> jf.nn.elu([-1000.0, 3.0]).numpy()
    array([-1.,  3.])
    """
def embedding(indices: ArrayLike, table: Any, *, out: _Out = None) -> Tensor:
    """The rows of `table` at indices.

    `indices`: integers of any shape, where -1 is the last row; `table`: [rows, width]. Shape: that of
    `indices` and an axis of that width. Dtype: that of `table`. Raises IndexError for an index out of
    bounds, ShapeError for a table of another rank, DTypeError for indices that are no integers.

    >>> jf.nn.embedding([2, 0], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]).numpy()
    array([[3. , 3.5],
           [1. , 1.5]])
    """
def geglu(gate: Any, up: Any = None, /, *, approximate: str = 'erf', axis: int = -1, out: _Out = None) -> Tensor:
    """`gelu(gate) * up`; as of `swiglu`, `approximate` as of `gelu`.

    >>> jf.nn.geglu([0.0, 20.0], [5.0, 0.5]).numpy().round(3)
    array([ 0., 10.])
    """
def gelu(x: ArrayLike, /, *, approximate: str = 'erf', out: _Out = None) -> Tensor:
    """`x` times the probability that a normal variable is below it (Hendrycks, Gimpel 2016).

    `approximate`: "erf", the exact one, or "tanh", the formula with a hyperbolic tangent. As of `sigmoid`.

    >>> jf.nn.gelu([-1.0, 0.0, 1.0]).numpy().round(4)
    array([-0.1587,  0.    ,  0.8413])
    >>> jf.nn.gelu([1.0], approximate="tanh").numpy().round(4)
    array([0.8412])
    """
def global_avg_pool(x: ArrayLike, *, keepdims: _bool = True) -> Tensor:
    """The mean over all axes of space.

    `x`: [batch, channels, *space]. Shape: [batch, channels, 1, …], without the ones if not `keepdims`.

    >>> jf.nn.global_avg_pool(np.ones((1, 2, 3, 3)), keepdims=False).numpy()
    array([[1., 1.]])
    """
def global_max_pool(x: ArrayLike, *, keepdims: _bool = True) -> Tensor:
    """The largest over all axes of space.

    `x`: [batch, channels, *space]. Shape: [batch, channels, 1, …], without the ones if not `keepdims`.

    >>> jf.nn.global_max_pool(np.arange(8.0).reshape(1, 2, 2, 2), keepdims=False).numpy()
    array([[3., 7.]])
    """
def group_norm(x: ArrayLike, groups: int, weight: Any = None, bias: Any = None, *, eps: float = 1e-05, out: _Out = None) -> Tensor:
    """`layer_norm` of each group of channels with all their positions (Wu, He 2018).

    `x`: [batch, channels, ...]; `groups` divides channels. `weight`, `bias`: an element for each channel.
    Shape, dtype, `out` and errors as of `rms_norm`.

    >>> jf.nn.group_norm([[1.0, 3.0, 10.0, 30.0]], 2, eps=0.0).numpy()
    array([[-1.,  1., -1.,  1.]])
    """
def gru(x: ArrayLike, weights: ArrayLike, state: Any = None, *, lengths: Any = None, bidirectional: _bool = False, batch_first: _bool = False) -> tuple[Tensor, Tensor]:
    """Layers of gated recurrent units.

    With the three parts r, z, n of a = w_x x[t] + b_x and of b = w_h h[t - 1] + b_h: r = sigmoid(a_r + b_r),
    z = sigmoid(a_z + b_z), n = tanh(a_n + r b_n), h[t] = (1 - z) n + z h[t - 1]. `weights`: as of `nn.rnn`,
    with 3 units rows. All else as of `nn.rnn`.

    >>> w_x, w_h = np.zeros((3, 2)), np.zeros((3, 1))
    >>> jf.nn.gru(np.ones((2, 1, 2)), [(w_x, w_h)], np.ones((1, 1, 1)))[0].numpy().ravel()
    array([0.5 , 0.25])
    """
def hardsigmoid(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x / 6 + 1/2`, held between 0 and 1. As of `sigmoid`.

    >>> jf.nn.hardsigmoid([-4.0, 0.0, 3.0]).numpy()
    array([0. , 0.5, 1. ])
    """
def hardswish(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x * hardsigmoid(x)` (Howard and others 2019). As of `sigmoid`.

    >>> jf.nn.hardswish([-4.0, 0.0, 3.0]).numpy()
    array([-0.,  0.,  3.])
    """
def huber_loss(x: ArrayLike, target: Any, *, delta: float = 1.0, reduction: str = 'mean') -> Tensor:
    """Half the square of small differences, and `delta * (|x - target| - delta / 2)` from `delta` on (Huber
    1964); otherwise as `mse_loss`.

    >>> jf.nn.huber_loss([1.0, 2.0], [1.5, 5.0], reduction="none").numpy()
    array([0.125, 2.5  ])
    """
def instance_norm(x: ArrayLike, weight: Any = None, bias: Any = None, *, eps: float = 1e-05, out: _Out = None) -> Tensor:
    """`layer_norm` of the positions of each channel by itself (Ulyanov and others 2016).

    `x`: [batch, channels, ...], with one axis of positions or more. `weight`, `bias`: an element for each
    channel. Shape, dtype, `out` and errors as of `rms_norm`.

    >>> jf.nn.instance_norm([[[1.0, 3.0], [10.0, 30.0]]], eps=0.0).numpy()
    array([[[-1.,  1.],
            [-1.,  1.]]])
    """
def interpolate(x: ArrayLike, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: _bool = False, antialias: _bool = False) -> Tensor:
    """Sequences, images or volumes at another size.

    `x`: [batch, channels, *space], up to three axes of space. `size`: the new extents, an integer or one for
    each axis; or `scale_factor`: what the extents are multiplied with. `mode`: "nearest", "linear",
    "bilinear", "trilinear" (all three are lines along each axis), "bicubic", or "area", means of what a new
    element covers. `align_corners`: whether the first and last elements stay where they are; else elements
    are areas. `antialias`: whether lines and cubics are widened where the image gets smaller. Shape: [batch,
    channels, *size]. Dtype: float, of "nearest" that of `x`. Raises ArgumentError for what does not fit.

    >>> jf.nn.interpolate(np.array([[[0.0, 1.0]]]), 4, mode="linear").numpy()
    array([[[0.  , 0.25, 0.75, 1.  ]]])
    """
def keep_top_k(logits: Any, k: int, *, axis: int = -1) -> Tensor:
    """Logits with -inf in the place of all that are smaller than the `k`-th largest along an axis.

    Shape and dtype: those of `logits`. Elements that equal the `k`-th largest are all kept. `k` is held to
    the extent. Raises ArgumentError for a `k` of 0.

    >>> jf.nn.keep_top_k([1.0, 9.0, 5.0], 2).numpy()
    array([-inf,   9.,   5.])
    """
def keep_top_p(logits: Any, p: float, *, axis: int = -1) -> Tensor:
    """Logits with -inf in the place of all but the likeliest, as few as have the probability `p` together
    (Holtzman and others 2019).

    Shape and dtype: those of `logits`. The likeliest is always kept, and so are those that equal the last one
    kept. Raises ArgumentError for a `p` beyond 0 and 1.

    >>> jf.nn.keep_top_p(np.log([0.5, 0.4, 0.1]), 0.6).numpy().round(1)
    array([-0.7, -0.9, -inf])
    """
def kl_div(log_probabilities: Any, target: Any, *, log_target: _bool = False, reduction: str = 'mean') -> Tensor:
    """Kullback's and Leibler's divergence, `target * (log(target) - log_probabilities)`; otherwise as
    `mse_loss`.

    `target`: probabilities, or their logarithms with `log_target`. Where a probability is 0, so is its
    term. The mean is that over all elements; divide the sum by the number of rows for that over rows.

    >>> jf.nn.kl_div(np.log([0.5, 0.5]), [1.0, 0.0], reduction="none").numpy().round(2)
    array([0.69, 0.  ])
    """
def l1_loss(x: ArrayLike, target: Any, *, reduction: str = 'mean') -> Tensor:
    """`|x - target|`; otherwise as `mse_loss`.

    >>> float(jf.nn.l1_loss([1.0, 2.0], [1.0, 4.0]))
    1.0
    """
def layer_norm(x: ArrayLike, weight: Any = None, bias: Any = None, *, axis: _Axis = -1, eps: float = 1e-05, out: _Out = None) -> Tensor:
    """`(x - mean(x)) / sqrt(var(x) + eps)` over an axis or several, times `weight`, plus `bias` (Ba and
    others 2016).

    `weight`, `bias`: an element for each position on these axes. Shape, dtype, `out` and errors as of
    `rms_norm`.

    >>> jf.nn.layer_norm([1.0, 3.0], bias=[10.0, 10.0], eps=0.0).numpy()
    array([ 9., 11.])
    """
def leaky_relu(x: ArrayLike, /, slope: float = 0.01, *, out: _Out = None) -> Tensor:
    """`x` where it is not negative, else `slope * x`. As of `sigmoid`.

    >>> jf.nn.leaky_relu([-2.0, 3.0], 0.25).numpy()
    array([-0.5,  3. ])
    """
def linear(x: ArrayLike, weight: Any, bias: Any = None, *, out: _Out = None) -> Tensor:
    """`x @ weight.T + bias`.

    `x`: [..., inputs]; `weight`: [outputs, inputs]; `bias`: [outputs]. Shape: [..., outputs]. Dtype: what `x`
    and `weight` promote to. `out`: an array of that shape that the result is written to. Raises ShapeError
    where these do not fit, with the shapes.

    >>> jf.nn.linear([1.0, 10.0], [[1.0, 2.0], [3.0, 0.0]], [0.5, 0.0]).numpy()
    array([21.5,  3. ])
    """
def log_softmax(x: ArrayLike, axis: _Axis = -1, *, where: ArrayLike | None = None, out: _Out = None) -> Tensor:
    """`x - logsumexp(x)` along an axis, or several together: the logarithms of `softmax`, of which none is
    lost.

    Where `where` does not hold the result is -inf. Otherwise as of `softmax`.

    >>> jf.nn.log_softmax([0.0, 1000.0]).numpy()
    array([-1000.,     0.])
    """
def logsumexp(x: ArrayLike, axis: _Axis = -1, *, where: ArrayLike | None = None, keepdims: _bool = False, out: _Out = None) -> Tensor:
    """`log(sum(exp(x)))` along an axis, or several together (None: all), which does not overflow.

    `where` as of `softmax`: of nothing it is -inf. Shape: that of `x` without the axes; with `keepdims` their
    extents are 1. Dtype and errors as of `softmax`.

    >>> float(jf.nn.logsumexp([1000.0, 1000.0]))
    1000.6931471805599
    """
def lstm(x: ArrayLike, weights: ArrayLike, state: Any = None, *, lengths: Any = None, bidirectional: _bool = False, batch_first: _bool = False) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Layers of long short-term memory.

    i, f, g, o = the four parts of w_x x[t] + b_x + w_h h[t - 1] + b_h; c[t] = sigmoid(f) c[t - 1] +
    sigmoid(i) tanh(g); h[t] = sigmoid(o) tanh(c[t]). `weights`: as of `nn.rnn`, with 4 units rows; `state`: a
    pair of h and c. All else as of `nn.rnn`. Gives the outputs, and the pair of states at the end.

    >>> w_x, w_h = np.zeros((4, 2)), np.zeros((4, 1))
    >>> jf.nn.lstm(np.ones((3, 1, 2)), [(w_x, w_h)])[0].numpy().ravel()
    array([0., 0., 0.])
    """
def max_pool(x: ArrayLike, mask: ArrayLike | None = None, *, axis: int = -2, out: _Out = None) -> Tensor:
    """The largest elements over the positions of `axis` for which the mask holds; otherwise as `mean_pool`.
    Where no position is left, -inf.

    >>> jf.nn.max_pool([[1.0, 2.0], [3.0, 0.0], [9.0, 9.0]], [True, True, False]).numpy()
    array([3., 2.])
    """
def max_pool1d(x: ArrayLike, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of sequences.

    `x`: [batch, channels, n], the batch may be missing. `kernel_size`, `stride` (by default the windows'
    size), `dilation`: integers, or one for each axis; `padding`: as of `nn.conv2d`, at most half of a window,
    less than all elements; `ceil_mode`: whether a last window that is not whole counts. Dtype: that of `x`.
    Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.max_pool1d(np.arange(4.0).reshape(1, 4), 2).numpy()
    array([[1., 3.]])
    """
def max_pool2d(x: ArrayLike, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of images.

    `x`: [batch, channels, h, w], the batch may be missing. `kernel_size`, `stride` (by default the windows'
    size), `dilation`: integers, or one for each axis; `padding`: as of `nn.conv2d`, at most half of a window,
    less than all elements; `ceil_mode`: whether a last window that is not whole counts. Dtype: that of `x`.
    Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.max_pool2d(np.arange(4.0).reshape(1, 2, 2), 2).numpy()
    array([[[3.]]])
    """
def max_pool3d(x: ArrayLike, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of volumes.

    `x`: [batch, channels, d, h, w], the batch may be missing. `kernel_size`, `stride` (by default the
    windows' size), `dilation`: integers, or one for each axis; `padding`: as of `nn.conv2d`, at most half of
    a window, less than all elements; `ceil_mode`: whether a last window that is not whole counts. Dtype: that
    of `x`. Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.max_pool3d(np.arange(8.0).reshape(1, 2, 2, 2), 2).numpy()
    array([[[[7.]]]])
    """
def mean_pool(x: ArrayLike, mask: ArrayLike | None = None, *, axis: int = -2, out: _Out = None) -> Tensor:
    """The means over the positions of `axis` for which the mask holds, such as the tokens of a sentence.

    `x`: [..., positions, width] for the default axis; `mask`: bools, [..., positions], None for all of them.
    Shape: that of `x` without the axis; where no position is left, 0. Dtype: that of floats, else the
    device's usual float. Raises ShapeError for a mask of another shape.

    >>> jf.nn.mean_pool([[1.0, 2.0], [3.0, 4.0], [9.0, 9.0]], [True, True, False]).numpy()
    array([2., 3.])
    """
def mish(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x * tanh(softplus(x))` (Misra 2019). As of `sigmoid`.

    >>> jf.nn.mish([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8651])
    """
def mse_loss(x: ArrayLike, target: Any, *, reduction: str = 'mean') -> Tensor:
    """`(x - target)**2`: its mean, sum, or (`reduction` "none") each. Both of one shape, else ShapeError.

    >>> float(jf.nn.mse_loss([1.0, 2.0], [1.0, 4.0]))
    2.0
    """
def nll_loss(log_probabilities: Any, target: Any, *, axis: int = -1, weight: Any = None, ignore_index: int | None = None, reduction: str = 'mean') -> Tensor:
    """`-log_probabilities[target]`: `cross_entropy` where the logarithms of probabilities are known.

    Arguments as of `cross_entropy`, with a target of integers.

    >>> jf.nn.nll_loss(np.log([[0.5, 0.5], [0.25, 0.75]]), [0, 1], reduction="none").numpy().round(2)
    array([0.69, 0.29])
    """
def one_hot(indices: ArrayLike, classes: int, *, axis: int = -1, dtype: DTypeLike | None = None) -> Tensor:
    """Vectors of zeros with a one at an index.

    Shape: that of `indices` with an axis of `classes` put at `axis`. Dtype: the device's usual float unless
    `dtype` is given. An index that is no class gives zeros alone. DTypeError for indices that are no
    integers.

    >>> jf.nn.one_hot([1, 0], 3).numpy()
    array([[0., 1., 0.],
           [1., 0., 0.]])
    """
def relu(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`max(x, 0)`. As of `sigmoid`.

    >>> jf.nn.relu([-2.0, 3.0]).numpy()
    array([0., 3.])
    """
def relu6(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`min(max(x, 0), 6)`. As of `sigmoid`.

    >>> jf.nn.relu6([-2.0, 3.0, 8.0]).numpy()
    array([0., 3., 6.])
    """
def rms_norm(x: ArrayLike, weight: Any = None, *, axis: _Axis = -1, eps: float = 1e-06, out: _Out = None) -> Tensor:
    """`x / sqrt(mean(x**2) + eps)` over an axis or several, times `weight` (Zhang, Sennrich 2019).

    `weight`: an element for each position on these axes. Shape: that of `x`. Dtype: that of floats, else the
    device's usual float. `out`: an array of that shape that the result is written to, which may be `x` or a
    view of it. Raises ShapeError for weights of another shape, AxisError, DTypeError for complex numbers.

    >>> jf.nn.rms_norm([3.0, 4.0], [1.0, 10.0], eps=0.0).numpy().round(3)
    array([ 0.849, 11.314])
    """
def rnn(x: ArrayLike, weights: ArrayLike, state: Any = None, *, nonlinearity: str = 'tanh', lengths: Any = None, bidirectional: _bool = False, batch_first: _bool = False) -> tuple[Tensor, Tensor]:
    """Simple recurrent layers: h[t] = tanh(w_x x[t] + b_x + w_h h[t - 1] + b_h).

    `x`: [time, batch, inputs], with `batch_first` [batch, time, inputs]; `weights`: for each layer, with
    `bidirectional` for each layer forward and backward, (w_x, w_h) or (w_x, w_h, b_x, b_h) of the shapes
    [units, inputs], [units, units], [units], [units]; `state`: [layers and directions, batch, units], by
    default 0; `lengths`: how many steps each row of the batch has: beyond them outputs are 0, and states
    stay; `nonlinearity`: "tanh" or "relu". Gives the outputs of the last layer [time, batch, units], both
    directions side by side, and the states at the end. Raises ShapeError and ArgumentError for what does not
    fit.

    >>> weights = [(np.ones((1, 2)), np.ones((1, 1)))]
    >>> outputs, state = jf.nn.rnn(np.ones((3, 1, 2)), weights, nonlinearity="relu")
    >>> outputs.numpy().ravel(), state.numpy().ravel()
    (array([2., 4., 6.]), array([6.]))
    """
def rotary(x: ArrayLike, cosines: Any, sines: Any, *, offset: Any = 0, positions: Any = None, interleaved: _bool = False, out: _Out = None) -> Tensor:
    """`x` with pairs of its last axis turned by the angles of their positions.

    `x`: [..., tokens, width]; `cosines`, `sines`: [most positions, width / 2], of `rotary_tables`. Token
    `t` has the position `offset + t`, where `offset` (an integer, or an array of one) is how many tokens
    are in a cache before these; or, with `positions`, integers [tokens], each its own. The pairs are
    element `i` of both halves, or, `interleaved`, neighbours. Shape and dtype: those of `x`. Raises
    ShapeError where tables do not fit, ArgumentError or IndexError for positions beyond the tables.

    >>> cosines, sines = jf.nn.rotary_tables(8, 2, base=1.0)
    >>> jf.nn.rotary([[1.0, 0.0]], cosines, sines, offset=1).numpy().round(2)
    array([[0.54, 0.84]])
    """
def rotary_tables(positions: int, width: int, *, base: float = 10000.0, dtype: DTypeLike | None = 'float32', device: Any = None) -> tuple[Tensor, Tensor]:
    """The cosines and sines of `rotary`: of position `p` and pair `i` those of `p * base**(-2 * i / width)`.

    `width`: of a head, even. Two arrays [positions, width / 2], computed in float64 on the host. Raises
    ArgumentError for an odd width.

    >>> cosines, sines = jf.nn.rotary_tables(2, 4)
    >>> sines.numpy().round(2)
    array([[0.  , 0.  ],
           [0.84, 0.01]], dtype=float32)
    """
def sample(logits: Any, rng: Any = None, temperature: float = 1.0, *, top_k: int | None = None, top_p: float | None = None) -> Tensor:
    """Positions on the last axis, drawn with the probabilities `softmax(logits / temperature)`.

    `logits`: [..., classes]; `rng`: a generator of `jf.random`. `temperature` 0 takes the likeliest, and
    draws nothing. `top_k` and `top_p` draw among the likeliest alone, see `keep_top_k` and `keep_top_p`.
    Shape: that of `logits` without the last axis. Dtype: that of `argmax`.

    The largest of logits with noise of Gumbel's distribution (Gumbel 1954): no probabilities are made.

    >>> int(jf.nn.sample([0.0, 5.0, 1.0], temperature=0.0))
    1
    >>> int(jf.nn.sample([0.0, 100.0, 1.0], jf.random.default_rng(1)))
    1
    """
def scaled_dot_product_attention(query: Any, key: Any, value: ArrayLike, *, mask: ArrayLike | None = None, bias: Any = None, scale: float | None = None, causal: _bool = False, window: int | None = None, offset: Any = None, out: _Out = None) -> Tensor:
    """`softmax(query @ key.T * scale + bias) @ value`, for each head, without the scores in memory.

    `query`: [..., heads, queries, depth]; `key`: [..., key heads, keys, depth]; `value`: [..., key heads,
    keys, width], where the key heads divide the heads (grouped queries): neighbouring heads share them.
    Without axes in front there is one head. Shape: [..., heads, queries, width]. Dtype: the one that all
    three have; halves are computed in float32.

    `mask`: bools, where a query sees a key; `bias`: floats that are added to scores. Both broadcast to
    [..., heads, queries, keys], and stay as small as they are. `causal`: a query sees no later keys; query
    `t` has the position `offset + t`, where `offset` is an integer, or an array of one; by default the last
    query has the position of the last key. `window`: how many keys it sees then, itself included. `scale`:
    by default 1 / sqrt(depth). A query that sees no key has zeros.

    Raises ShapeError and DTypeError where operands do not fit, with all of them.

    By an online softmax over blocks of keys (Milakov, Gimelshein 2018; Dao and others 2022).

    >>> x = jf.asarray([[1.0, 0.0], [0.0, 1.0]])
    >>> jf.nn.scaled_dot_product_attention(x, x, x, causal=True).numpy().round(3)
    array([[1.  , 0.  ],
           [0.33, 0.67]])
    """
def selu(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`elu` scaled so that layers keep mean 0 and variance 1 (Klambauer and others 2017). As of `sigmoid`.

    >>> jf.nn.selu([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.0507])
    """
def sigmoid(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`1 / (1 + exp(-x))`, between 0 and 1.

    Shape: that of `x`. Dtype: that of floats, else the device's usual float. `out`: an array of that shape
    that the result is written to, which may be `x` or a view of it. DTypeError for complex numbers. So it
    is for all activations.

    >>> jf.nn.sigmoid([-1000.0, 0.0, 1000.0]).numpy()
    array([0. , 0.5, 1. ])
    """
def silu(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x * sigmoid(x)`, also called swish (Elfwing, Uchibe, Doya 2017). As of `sigmoid`.

    >>> jf.nn.silu([0.0, 20.0]).numpy().round(3)
    array([ 0., 20.])
    """
def softmax(x: ArrayLike, axis: _Axis = -1, *, where: ArrayLike | None = None, out: _Out = None) -> Tensor:
    """`exp(x) / sum(exp(x))` along an axis, or several together, which does not overflow.

    `where`: bools that broadcast against `x`; elsewhere the result is 0, and so it is where none holds.
    Shape: that of `x`. Dtype: that of floats, else the device's usual float. `out`: an array of that shape
    that the result is written to, which may be `x` or a view of it. Raises AxisError, ShapeError for a mask
    of another shape, DTypeError for complex numbers and for masks that are no bools.

    The shift by the largest element and the sum are those of scipy.special.softmax; one pass over a row that
    stays in cache for each.

    >>> jf.nn.softmax([0.0, np.log(3.0)]).numpy()
    array([0.25, 0.75])
    >>> jf.nn.softmax([5.0, 5.0, 9.0], where=[True, True, False]).numpy()
    array([0.5, 0.5, 0. ])
    """
def softplus(x: ArrayLike, /, beta: float = 1.0, *, out: _Out = None) -> Tensor:
    """`log(1 + exp(beta * x)) / beta`, which neither overflows nor loses small values. As of `sigmoid`.

    >>> jf.nn.softplus([0.0, 10.0]).numpy().round(2)
    array([ 0.69, 10.  ])
    """
def softsign(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x / (1 + |x|)`. As of `sigmoid`.

    >>> jf.nn.softsign([-1.0, 3.0]).numpy()
    array([-0.5 ,  0.75])
    """
def swiglu(gate: Any, up: Any = None, /, *, axis: int = -1, out: _Out = None) -> Tensor:
    """`silu(gate) * up`, the gated unit of many transformers (Shazeer 2020).

    Both have one shape and dtype; without `up`, `gate` holds both in the two halves of `axis`, the gate
    first. `out` and dtypes as of `sigmoid`. Raises ShapeError for other shapes, and for an axis of an odd
    extent.

    >>> jf.nn.swiglu([0.0, 20.0], [5.0, 0.5]).numpy().round(3)
    array([ 0., 10.])
    >>> jf.nn.swiglu([[20.0, 3.0]]).numpy().round(3)
    array([[60.]])
    """
def write_to_cache(cache: Any, rows: Any, offset: Any) -> Tensor:
    """Writes keys or values of new tokens to a cache that has room for more, and gives the cache.

    `cache`: [..., capacity, depth], an array of jitframe or an argument of a jitted function, which is
    written in place; an ndarray elsewhere, too. `rows`: [..., tokens, depth], of the same dtype, for the
    tokens from position `offset` on: an integer, or an array of one, so that the next token traces and
    compiles nothing. The cache is attended to whole, with `scaled_dot_product_attention(..., causal=True,
    offset=offset)`, which reads what is written alone. Raises ShapeError where rows do not fit, IndexError
    for tokens beyond the capacity.

    >>> cache = jf.zeros((3, 1))
    >>> jf.nn.write_to_cache(cache, [[5.0]], 1).tolist()
    [[0.0], [5.0], [0.0]]
    """
