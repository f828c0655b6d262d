"""Loop regions as kernels: a nest of loops over scalars, elements and short rows is one kernel.

`clean` makes the graph of a region small, `effects` finds the order of what it does and what happens in
place, `ranges` which positions need no check, `writer`, `counted_loops` and `regions` write it, and `nests`
decides, and puts the launch into the plan.
"""
