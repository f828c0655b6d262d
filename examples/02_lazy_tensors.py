"""Tensors: nothing runs until a value is asked for, and then everything runs fused."""

import numpy as np

import jitframe as jf

scores = jf.asarray(np.array([[1, 2, 3], [3, 3, 3]], np.float32))

exponentials = jf.exp(scores - jf.max(scores, axis=-1, keepdims=True))
softmax = exponentials / jf.sum(exponentials, axis=-1, keepdims=True)  # nothing has run yet

explanation = jf.explain(softmax)
print("kernels:", len(explanation.kernels))
print(explanation.kernels[0].source("graph"))

print(softmax.numpy().round(3))  # now it has
print("every row sums to one:", np.allclose(np.asarray(jf.sum(softmax, axis=-1)), 1))
print("largest:", round(float(jf.max(softmax)), 3))
