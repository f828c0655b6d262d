"""What `jitframe.signal` has, for editors and type checkers; made by `tools/make_stubs.py`."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import ArrayLike, Tensor, _Axis, _bool, _Casting, _Order, _Out

def choose_conv_method(in1: Any, in2: Any, mode: str = 'full', measure: _bool = False) -> str:
    """Which method `convolve` takes for arrays like these: "direct" or "fft".

    Decided by the shapes alone, and by the dtype: sums of integers are exact by the direct method only.
    `measure` changes nothing.

    >>> jf.signal.choose_conv_method(np.ones(1000), np.ones(500))
    'fft'
    """
def coherence(x: ArrayLike, y: ArrayLike, fs: Any = 1.0, window: Any = 'hann', nperseg: Any = None, noverlap: Any = None, nfft: Any = None, detrend: Any = 'constant', axis: int = -1) -> tuple[Tensor, Tensor]:
    """How far two signals are linear functions of each other, from 0 to 1, at each frequency.

    The square of `csd` over the product of both of `welch`, whose arguments it has.

    >>> x = np.random.default_rng(0).normal(size=64)
    >>> jf.signal.coherence(x, 2 * x, nperseg=8)[1].numpy().round(6)
    array([1., 1., 1., 1., 1.])
    """
def convolve(in1: Any, in2: Any, mode: str = 'full', method: str = 'auto') -> Tensor:
    """The convolution of two arrays along all of their axes.

    `in1`, `in2`: arrays of equally many axes. `mode`: "full" is all of it, of shape n + k - 1 along each
    axis; "valid" what depends on no zeros around, n - k + 1; "same" the middle, of the shape of `in1`.
    `method`: "direct", "fft" or "auto". Dtype: the promoted one. Raises ShapeError where the axes do not fit.

    >>> jf.signal.convolve([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]).numpy()
    array([0. , 1. , 2.5, 4. , 1.5])
    """
def convolve2d(in1: Any, in2: Any, mode: str = 'full', boundary: str = 'fill', fillvalue: Any = 0) -> Tensor:
    """The convolution of two matrices, with what is around the first one.

    `boundary`: "fill" is `fillvalue`, "wrap" the matrix again, "symm" its mirror image. `mode`: as of
    `convolve`. Raises ShapeError for arrays that are no matrices.

    >>> jf.signal.convolve2d(np.eye(2), np.ones((2, 2)), "same", "wrap").numpy()
    array([[2., 2.],
           [2., 2.]])
    """
def correlate(in1: Any, in2: Any, mode: str = 'full', method: str = 'auto') -> Tensor:
    """The cross-correlation of two arrays along all of their axes: `in2` is not reversed, and of complex
    numbers conjugated.

    Arguments, shapes and errors are those of `convolve`.

    >>> jf.signal.correlate([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]).numpy()
    array([0.5, 2. , 3.5, 3. , 0. ])
    """
def correlate2d(in1: Any, in2: Any, mode: str = 'full', boundary: str = 'fill', fillvalue: Any = 0) -> Tensor:
    """The cross-correlation of two matrices, with what is around the first one; see `convolve2d`.

    >>> jf.signal.correlate2d(np.eye(3), np.eye(2), "valid").numpy()
    array([[2., 0.],
           [0., 2.]])
    """
def correlation_lags(in1_len: Any, in2_len: Any, mode: str = 'full') -> Tensor:
    """The lags of the elements of a `correlate` of two vectors of these lengths.

    Dtype: int64.

    >>> jf.signal.correlation_lags(3, 2).numpy()
    array([-1,  0,  1,  2])
    """
def csd(x: ArrayLike, y: ArrayLike, fs: Any = 1.0, window: Any = 'hann', nperseg: Any = None, noverlap: Any = None, nfft: Any = None, detrend: Any = 'constant', return_onesided: _bool = True, scaling: str = 'density', axis: int = -1, average: str = 'mean') -> tuple[Tensor, Tensor]:
    """The cross power spectral density of two signals by the method of `welch`, whose arguments it has.

    >>> x = np.tile([1.0, -1.0], 8)
    >>> jf.signal.csd(x, 2 * x, nperseg=4, window="boxcar")[1].numpy().real
    array([0., 0., 8.])
    """
def decimate(x: ArrayLike, q: Any, n: Any = None, ftype: Any = 'iir', axis: int = -1, zero_phase: _bool = True) -> Tensor:
    """Each `q`-th element of a signal, after a filter against aliases.

    `ftype`: "iir", a Chebyshev filter of order `n` (8) by second-order sections, or "fir", `n` + 1 (20 q + 1)
    taps of a Hamming window; `zero_phase`: filtered forward and backward, or the delay made up for. Shape:
    that of `x` with ceil(m / q) along `axis`. Raises ArgumentError for less than 1, and where the signal is
    too short.

    >>> jf.signal.decimate(np.ones(60), 3).shape
    (20,)
    """
def detrend(data: Any, axis: int = -1, type: str = 'linear', bp: Any = 0, overwrite_data: _bool = False) -> Tensor:
    """Without its mean ("constant"), or the straight line of least squares ("linear"), along an axis.

    `bp`: positions between which lines are fitted each by itself. `overwrite_data` changes nothing. Shape:
    that of `data`. Dtype: float or complex. Raises ArgumentError for breakpoints outside of the axis.

    >>> jf.signal.detrend([1.0, 2.0, 4.0], type="constant").numpy().round(3)
    array([-1.333, -0.333,  1.667])
    """
def fftconvolve(in1: Any, in2: Any, mode: str = 'full', axes: Any = None) -> Tensor:
    """`convolve` by Fourier transforms, along all axes or some `axes`; the others broadcast.

    Arguments, shapes and errors are those of `convolve`. Dtype: float or complex. Errors are some eps times
    the largest result. Transforms are NumPy's, on the processor for every device.

    >>> jf.signal.fftconvolve([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]).numpy().round(6) + 0.0
    array([0. , 1. , 2.5, 4. , 1.5])
    """
def filtfilt(b: ArrayLike, a: ArrayLike, x: ArrayLike, axis: int = -1, padtype: Any = 'odd', padlen: Any = None, method: str = 'pad', irlen: Any = None) -> Tensor:
    """Filters a signal forward and then backward, so that its phase stays.

    `padtype`: what is put at both ends first: "odd" turns the signal about its end, "even" mirrors it,
    "constant" repeats the end, None nothing; `padlen`: how many elements, by default 3 max(len(a), len(b)).
    `method`: "pad" (F. Gustafsson's "gust" is not supported). Shape: that of `x`. Raises ArgumentError where
    the signal is not longer than `padlen`.

    >>> jf.signal.filtfilt([0.5, 0.5], [1.0], [0.0, 0.0, 4.0, 0.0, 0.0], padlen=2).numpy()
    array([0., 1., 2., 1., 0.])
    """
def find_peaks(x: ArrayLike, height: Any = None, threshold: Any = None, distance: Any = None, prominence: Any = None, width: Any = None, wlen: Any = None, rel_height: float = 0.5, plateau_size: Any = None) -> tuple[Tensor, dict[str, Any]]:
    """The peaks of a signal that meet all conditions, and what was computed of them.

    `x`: real[n]. A peak is an element, or the middle of a run of equal ones, that is larger than both beside
    it; a NaN is no peak, and has none beside it. Conditions are a least value, or a pair of a least and a
    largest one, either of which may be None; each a number or, with one for each element, an array [n].
    `height`: of the signal; `threshold`: how far the peak is above the elements beside it; `distance`: of
    peaks, in elements, lower ones are taken away first, of equal ones the left one; `prominence`, `width`:
    see `peak_prominences` with `wlen` and `peak_widths` with `rel_height`; `plateau_size`: the length of the
    run.

    Gives the places, int64[peaks], and a dict of arrays [peaks]: "peak_heights", "left_thresholds",
    "right_thresholds", "prominences", "left_bases", "right_bases", "widths", "width_heights", "left_ips",
    "right_ips", "plateau_sizes", "left_edges", "right_edges", of the conditions that are given. Raises
    ShapeError for more than one axis, ArgumentError for a distance below 1.

    >>> places, known = jf.signal.find_peaks(np.array([0.0, 2.0, 1.0, 3.0, 0.0, 1.0, 0.0]), height=2)
    >>> places.tolist(), known["peak_heights"].tolist()
    ([1, 3], [2.0, 3.0])
    """
def firwin(numtaps: Any, cutoff: Any, *, width: Any = None, window: Any = 'hamming', pass_zero: Any = True, scale: _bool = True, fs: Any = None) -> Tensor:
    """The coefficients of a filter of finite impulse response, by the window method.

    `cutoff`: one frequency or several that rise, between 0 and fs / 2; `fs`: the sampling rate, by default 2.
    `window`: as of `get_window`; with `width`, the width of the transition, a Kaiser window of it.
    `pass_zero`: whether frequency 0 passes, or "lowpass", "highpass", "bandpass", "bandstop". `scale`:
    whether the first band's middle passes unchanged. Shape: [numtaps]. Dtype: float64. Raises ArgumentError
    for frequencies out of range, and for an even number of taps where fs / 2 passes.

    >>> jf.signal.firwin(3, 0.5).numpy().round(4)
    array([0.0462, 0.9076, 0.0462])
    """
def get_window(window: Any, Nx: Any, fftbins: _bool = True) -> Tensor:
    """A window by its name.

    `window`: a name (boxcar, triang, parzen, bohman, bartlett, cosine, hann, hamming, blackman, nuttall,
    blackmanharris, flattop, tukey, exponential), a tuple of a name and parameters (kaiser, gaussian,
    general_gaussian, general_hamming, general_cosine), or a number, the `beta` of a Kaiser window. `fftbins`:
    for transforms, so that copies of it side by side are periodic; else it is symmetric. Shape: [Nx]. Dtype:
    float64. Raises ArgumentError for an unknown name.

    >>> jf.signal.get_window("hann", 4).numpy()
    array([0. , 0.5, 1. , 0.5])
    """
def hilbert(x: ArrayLike, N: Any = None, axis: int = -1) -> Tensor:
    """The analytic signal: `x` and, as its imaginary part, its Hilbert transform, by Fourier transforms.

    `N`: so many points, by default all. Shape: that of `x`, with N along `axis`. Dtype: complex. Raises
    DTypeError for complex numbers, ArgumentError for less than one point.

    >>> abs(jf.signal.hilbert([1.0, 0.0, -1.0, 0.0])).numpy()
    array([1., 1., 1., 1.])
    """
def istft(Zxx: Any, fs: Any = 1.0, window: Any = 'hann', nperseg: Any = None, noverlap: Any = None, nfft: Any = None, input_onesided: _bool = True, boundary: _bool = True, time_axis: int = -1, freq_axis: int = -2, scaling: str = 'spectrum') -> tuple[Tensor, Tensor]:
    """The inverse of `stft`: transforms back, windowed again, overlapped and added (D. W. Griffin and J. S.
    Lim, "Signal estimation from modified short-time Fourier transform", IEEE Transactions on Acoustics,
    Speech and Signal Processing 32, 1984).

    Arguments are those that `stft` was given; `boundary`: whether it lengthened the signal. Gives times and
    the signal, whose axis stands where the times were. Raises ShapeError and ArgumentError for what
    does not fit.

    >>> x = np.arange(8.0)
    >>> jf.signal.istft(jf.signal.stft(x, nperseg=4)[2], nperseg=4)[1].numpy().round(6)
    array([0., 1., 2., 3., 4., 5., 6., 7.])
    """
def kaiser_beta(a: ArrayLike) -> float:
    """The `beta` of the Kaiser window by which a filter's stopband lies `a` decibels below its passband.

    >>> round(jf.signal.kaiser_beta(65), 4)
    6.2043
    """
def kaiserord(ripple: Any, width: Any) -> tuple[int, float]:
    """How many taps a filter has by `firwin`, and the `beta` of its Kaiser window.

    `ripple`: decibels, 8 at least; `width`: of the transition, in units of half the sampling rate. Raises
    ArgumentError for less ripple.

    >>> jf.signal.kaiserord(65, 0.1)[0]
    81
    """
def lfilter(b: ArrayLike, a: ArrayLike, x: ArrayLike, axis: int = -1, zi: Any = None) -> Tensor:
    """Filters a signal along an axis by a rational transfer function: numerator `b`, denominator `a`.

    a[0] y[n] = b[0] x[n] + … + b[M] x[n - M] - a[1] y[n - 1] - … - a[N] y[n - N]. `b`, `a`: vectors; `x`: an
    array with one axis at least; `zi`: the delays at the start, as `lfilter_zi` has them, with max(M, N) of
    them along `axis`. Shape: that of `x`; with `zi`, a pair of it and of the delays at the end. Dtype: float
    or complex. Raises ShapeError for other shapes.

    A denominator of one coefficient is a convolution; others are one native loop (transposed direct form II).

    >>> jf.signal.lfilter([1.0], [1.0, -0.5], [1.0, 0.0, 0.0]).numpy()
    array([1.  , 0.5 , 0.25])
    """
def lfilter_zi(b: ArrayLike, a: ArrayLike) -> Tensor:
    """The delays of `lfilter` that stand for a signal which was 1 all the time before.

    Shape: [max(len(a), len(b)) - 1]. Dtype: float.

    >>> jf.signal.lfilter_zi([1.0], [1.0, -0.5]).numpy()
    array([1.])
    """
def medfilt(volume: Any, kernel_size: Any = None) -> Tensor:
    """The median of the window around each element; around the array there are zeros.

    `kernel_size`: the window's extents, odd, one for all axes or one for each; by default 3. Shape and dtype:
    those of `volume`. Raises ArgumentError for even extents.

    >>> jf.signal.medfilt([1.0, 9.0, 2.0, 3.0]).numpy()
    array([1., 2., 3., 2.])
    """
def oaconvolve(in1: Any, in2: Any, mode: str = 'full', axes: Any = None) -> Tensor:
    """`fftconvolve` in blocks that overlap and are added, for arrays of very different lengths.

    Arguments, shapes and errors are those of `fftconvolve`. The longest of the axes is cut into blocks whose
    transforms are eight times as long as the shorter array, all of them one call.

    >>> jf.signal.oaconvolve(np.ones(1000), [0.5, 0.5]).numpy()[:3].round(6)
    array([0.5, 1. , 1. ])
    """
def peak_prominences(x: ArrayLike, peaks: Any, wlen: Any = None) -> tuple[Tensor, Any, Any]:
    """How far peaks stand out from what is around them, and the lowest places to their left and right.

    `x`: real[n]; `peaks`: int[peaks], places in it, negative ones from its end. From a peak one walks to each
    side until the signal is higher than the peak, or ends; the prominence is the height of the peak above the
    higher one of both lowest elements met. `wlen`: the walk stays in a window of so many elements
    about the peak. Gives arrays [peaks]. Raises ArgumentError for a `wlen` that is not above 1, IndexError
    for places outside.

    >>> [each.tolist() for each in jf.signal.peak_prominences(np.array([0.0, 2.0, 1.0, 3.0, 0.0]), [1, 3])]
    [[1.0, 3.0], [0, 0], [2, 4]]
    """
def peak_widths(x: ArrayLike, peaks: Any, rel_height: float = 0.5, prominence_data: Any = None, wlen: Any = None) -> tuple[Tensor, Any, Any, Any]:
    """How wide peaks are at a height: that of the peak less `rel_height` times its prominence.

    `x`: real[n]; `peaks`: int[peaks], places in it; `prominence_data`: what `peak_prominences` gave, else it
    is computed, with `wlen`. Gives the widths, the heights at which they are measured, and where the signal
    crosses these left and right of the peak, between elements along a line: arrays [peaks]. Raises
    ArgumentError for a negative `rel_height`.

    >>> [each.tolist() for each in jf.signal.peak_widths(np.array([0.0, 2.0, 4.0, 2.0, 0.0]), [2])]
    [[2.0], [2.0], [1.0], [3.0]]
    """
def periodogram(x: ArrayLike, fs: Any = 1.0, window: Any = 'boxcar', nfft: Any = None, detrend: Any = 'constant', return_onesided: _bool = True, scaling: str = 'density', axis: int = -1) -> tuple[Tensor, Tensor]:
    """The power spectral density of a signal, by one transform of all of it.

    `fs`: the sampling rate; `window`: as of `get_window`; `nfft`: points of the transform, by default as many
    as the signal has; `detrend`: "constant", "linear" or False; `scaling`: "density" or "spectrum". Gives
    frequencies, and powers in their place along `axis`. Raises ArgumentError and ShapeError for what does not
    fit.

    >>> jf.signal.periodogram([1.0, -1.0, 1.0, -1.0])[1].numpy()
    array([0., 0., 4.])
    """
def resample(x: ArrayLike, num: Any, t: Any = None, axis: int = 0, window: Any = None, domain: str = 'time') -> Tensor:
    """A periodic signal at `num` points, by Fourier transforms.

    `t`: times of the samples, for which those of the result are given too; `window`: weights of the
    frequencies, as of `get_window`, an array, or a function of `np.fft.fftfreq`; `domain`: "time", or "freq"
    where `x` is a transform. Shape: that of `x` with `num` along `axis`. Raises ArgumentError for less than
    one point.

    >>> jf.signal.resample([0.0, 1.0, 0.0, -1.0], 8).numpy().round(3) + 0.0
    array([ 0.   ,  0.707,  1.   ,  0.707,  0.   , -0.707, -1.   , -0.707])
    """
def resample_poly(x: ArrayLike, up: Any, down: Any, axis: int = 0, window: Any = ..., padtype: str = 'constant', cval: Any = None) -> Tensor:
    """A signal at `up / down` times its rate, by a filter between its samples.

    `window`: of the filter, as of `get_window`, or its taps; `padtype`: what is beyond the ends: "constant",
    which is `cval` (by default 0), "line" through the first element and the last, "edge", "wrap",
    "symmetric", "reflect", or a statistic: "mean", "median", "maximum", "minimum". Shape: that of `x` with
    ceil(n up / down) along `axis`. Raises ArgumentError for rates below 1.

    >>> jf.signal.resample_poly(np.ones(4), 1, 2).shape
    (2,)
    """
def savgol_coeffs(window_length: Any, polyorder: Any, deriv: Any = 0, delta: Any = 1.0, pos: Any = None, use: str = 'conv') -> Tensor:
    """The coefficients of a Savitzky-Golay filter (A. Savitzky and M. J. E. Golay, "Smoothing and
    differentiation of data by simplified least squares procedures", Analytical Chemistry 36, 1964).

    `deriv`: of which derivative; `delta`: the distance of the samples; `pos`: the place in the window, by
    default its middle; `use`: "conv", in reverse, or "dot". Shape: [window_length]. Dtype: float64.

    >>> jf.signal.savgol_coeffs(3, 1).numpy().round(4)
    array([0.3333, 0.3333, 0.3333])
    """
def savgol_filter(x: ArrayLike, window_length: Any, polyorder: Any, deriv: Any = 0, delta: Any = 1.0, axis: int = -1, mode: str = 'interp', cval: Any = 0.0) -> Tensor:
    """A signal whose elements are those of polynomials of least squares, each fitted to the window around it.

    `mode`: what is beyond the ends: "interp" (nothing: the first and last window's polynomials go on),
    "mirror", "nearest", "wrap", or "constant", which is `cval`. All else as of `savgol_coeffs`. Shape: that
    of `x`. Raises ArgumentError where the window is longer than the signal ("interp").

    >>> jf.signal.savgol_filter([0.0, 1.0, 4.0, 9.0, 16.0], 3, 2).numpy().round(6) + 0.0
    array([ 0.,  1.,  4.,  9., 16.])
    """
def sosfilt(sos: Any, x: ArrayLike, axis: int = -1, zi: Any = None) -> Tensor:
    """Filters a signal along an axis by sections of second order, one after the other, in one native loop.

    `sos`: [sections, 6], each row b[0], b[1], b[2], 1, a[1], a[2]; `zi`: the delays at the start, of the
    shape (sections, …, 2, …) with the axes of `x` and 2 along `axis`. Shape: that of `x`; with `zi`, a pair
    of it and of the delays at the end. Raises ShapeError for other shapes. That each a[0] is 1 is not
    checked, for it may be computed: rows are divided by it.

    >>> jf.signal.sosfilt([[1.0, 0.0, 0.0, 1.0, -0.5, 0.0]], [1.0, 0.0, 0.0]).numpy()
    array([1.  , 0.5 , 0.25])
    """
def sosfilt_zi(sos: Any) -> Tensor:
    """The delays of `sosfilt` that stand for a signal which was 1 all the time before.

    Shape: [sections, 2]. Dtype: float.

    >>> jf.signal.sosfilt_zi([[1.0, 0.0, 0.0, 1.0, -0.5, 0.0]]).numpy()
    array([[1., 0.]])
    """
def sosfiltfilt(sos: Any, x: ArrayLike, axis: int = -1, padtype: Any = 'odd', padlen: Any = None) -> Tensor:
    """`sosfilt` forward and then backward, so that the signal's phase stays.

    `padtype`, `padlen`: as of `filtfilt`; by default 3 elements for each coefficient of the filter as a
    whole, as SciPy has it, where `sos` is known when the function is called. Shape: that of `x`.

    >>> jf.signal.sosfiltfilt([[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]], [1.0, 2.0, 3.0], padlen=0).numpy()
    array([1., 2., 3.])
    """
def spectrogram(x: ArrayLike, fs: Any = 1.0, window: Any = ..., nperseg: Any = None, noverlap: Any = None, nfft: Any = None, detrend: Any = 'constant', return_onesided: _bool = True, scaling: str = 'density', axis: int = -1, mode: str = 'psd') -> tuple[Tensor, Any, Any]:
    """The spectra of segments of a signal one after the other.

    Arguments are those of `welch`; `noverlap` is by default an eighth of `nperseg`. `mode`: "psd", "complex",
    "magnitude", "angle" or "phase" (unwrapped along frequency). Gives frequencies, the times of the segments'
    middles, and the spectra, with frequencies in place of `axis` and times last.

    >>> frequencies, times, powers = jf.signal.spectrogram(np.ones(16), nperseg=4, noverlap=0)
    >>> powers.shape, times.numpy()
    ((3, 4), array([ 2.,  6., 10., 14.]))
    """
def stft(x: ArrayLike, fs: Any = 1.0, window: Any = 'hann', nperseg: Any = 256, noverlap: Any = None, nfft: Any = None, detrend: Any = False, return_onesided: _bool = True, boundary: Any = 'zeros', padded: _bool = True, axis: int = -1, scaling: str = 'spectrum') -> tuple[Tensor, Any, Any]:
    """The short-time Fourier transform: transforms of windowed segments.

    `boundary`: how the signal goes on at both ends, by half a segment: "zeros", "even", "odd", "constant", or
    None; `padded`: with zeros at the end, to whole segments; `scaling`: "spectrum" or "psd". All else as of
    `welch`. Gives frequencies, times, and the transforms, with frequencies in place of `axis` and times last.

    >>> frequencies, times, found = jf.signal.stft(np.ones(8), nperseg=4)
    >>> found.shape
    (3, 5)
    """
def upfirdn(h: Any, x: ArrayLike, up: Any = 1, down: Any = 1, axis: int = -1, mode: str = 'constant', cval: Any = 0) -> Tensor:
    """`up` - 1 zeros after each element, a filter of finite impulse response, and each `down`-th of the
    results.

    Nothing is computed that is left out, or multiplied with the zeros. `h`: the taps, a vector; `mode`:
    "constant" with `cval` 0. Shape: ceil(((n - 1) up + len(h)) / down) along `axis`. Raises ArgumentError for
    rates below 1.

    >>> jf.signal.upfirdn([1.0, 1.0], [1.0, 2.0, 3.0], up=2).numpy()
    array([1., 1., 2., 2., 3., 3.])
    """
def welch(x: ArrayLike, fs: Any = 1.0, window: Any = 'hann', nperseg: Any = None, noverlap: Any = None, nfft: Any = None, detrend: Any = 'constant', return_onesided: _bool = True, scaling: str = 'density', axis: int = -1, average: str = 'mean') -> tuple[Tensor, Tensor]:
    """The power spectral density of a signal, averaged over segments that overlap.

    P. D. Welch, "The use of the fast Fourier transform for the estimation of power spectra", IEEE
    Transactions on Audio and Electroacoustics 15, 1967. `nperseg`: of a segment, by default 256 or all;
    `noverlap`: by default half of them; `nfft`: points of each transform; `detrend`: of each segment;
    `average`: "mean" or "median". Gives frequencies, and powers in their place along `axis`. Raises
    ArgumentError and ShapeError for what does not fit.

    >>> frequencies, powers = jf.signal.welch(np.tile([1.0, -1.0], 8), nperseg=4, window="boxcar")
    >>> powers.numpy()
    array([0., 0., 4.])
    """
