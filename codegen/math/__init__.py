"""jitframe's own exp, log, sin, cos, tanh, erf and pow, written once as kernel instructions."""

from .expand import FUNCTIONS, MATH_NAMES, expand_math
from .features import MathFeatures

__all__ = ["FUNCTIONS", "MATH_NAMES", "MathFeatures", "expand_math"]
