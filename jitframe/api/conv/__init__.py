"""Convolutions, pooling and resampling of images, and recurrent layers: functions of `jf.nn`.

Arrays are [batch, channels, *space] everywhere, without the batch too where a function says so.
"""
