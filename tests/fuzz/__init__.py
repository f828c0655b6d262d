"""Random NumPy programs with the whole op set: `python -m tests.fuzz --minutes 60`."""
