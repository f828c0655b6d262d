"""jitframe's own elementary functions, written once as kernel instructions."""

from .expand import ARITY, EXACT, MATH_NAMES, body_of, expand_math
from .formats import MathFeatures

__all__ = ["ARITY", "EXACT", "MATH_NAMES", "MathFeatures", "body_of", "expand_math"]
