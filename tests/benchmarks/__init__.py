"""Speed of jitframe against NumPy and its peers, measured side by side: `python -m tests.benchmarks`."""
