import jitframe as jf


def f(x, n):
    return x * n


jf.jit(f, static_argnames="m")  # here
#: ArgumentError
#: static_argnames: f has no argument 'm'; it has 'x', 'n'
