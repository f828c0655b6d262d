"""Loop regions as kernels: a nest of loops over scalars, elements and short rows is one kernel.

`clean` simplifies the graph of a region, `effects` finds the order of its effects and the updates in place,
`ranges` the positions that need no check, `writer`, `counted_loops` and `regions` write it, and `nests`
decides whether it is a kernel, and adds the launch to the plan.
"""
