"""The functions of ONNX's operators, a module for each family; they declare themselves when loaded."""

from __future__ import annotations

from . import activations as activations
from . import control as control
from . import convolution as convolution
from . import detection as detection
from . import elementwise as elementwise
from . import indexing as indexing
from . import normalization as normalization
from . import pooling as pooling
from . import products as products
from . import quantized as quantized
from . import recurrent as recurrent
from . import reductions as reductions
from . import resizing as resizing
from . import sampling as sampling
from . import selection as selection
from . import shapes as shapes
from . import spectra as spectra
