"""Functions of neural networks, the namespace `jitframe.nn`: a module for each kind.

All of them are made of array functions and one op (`ir/ops/attention.py`), so that they fuse with what stands
around them. Halves are computed in float32 and rounded once, at the end.
"""
