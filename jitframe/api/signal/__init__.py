"""Signal processing: convolution, filters, windows, spectra, resampling, by SciPy's names and signatures.

What follows from sizes alone (windows, coefficients of filters, places of segments) is computed by NumPy
while the graph is built, and is an input of the program; all that follows from values is nodes.
"""
