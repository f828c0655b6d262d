"""Python's control flow in a trace: functions rewritten from their syntax trees, so that loops and conditions
that depend on traced values become regions of the graph."""
