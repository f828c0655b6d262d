"""Array functions on nodes: promotion and broadcasting happen here, and below are plain ops.

Each takes the graph to build in and nodes; operands may also be Python numbers (weak, see `promotion`) as
long as one is a node. Nothing here knows arrays, traces or devices.
"""
