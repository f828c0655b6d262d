"""Signal processing: convolution, filters, windows, spectra, resampling, by SciPy's names and signatures.

NumPy computes everything that follows from sizes alone (windows, coefficients of filters, places of segments)
while the graph is built, as inputs of the program; all that follows from values is nodes.
"""
