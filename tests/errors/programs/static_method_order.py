import jitframe as jf


class Model:
    @jf.jit  # here
    @staticmethod
    def f(x):
        return x


#: DTypeError
#: jit takes a function, not a staticmethod; put @jf.jit below @staticmethod
