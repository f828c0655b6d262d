"""Numbers of few bits: integers with a scale, per array, channel or group; products with them; floats of 8
bits."""
