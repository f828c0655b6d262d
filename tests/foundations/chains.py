"""Text of programs: functions that are all different, to be compiled one after another."""

from __future__ import annotations

CHAIN = """
def chain(number):
    '''A function of its own for each number: a sum of its digits' functions.'''
    ops = [np.sin, np.cos, np.tanh, np.arctan, np.negative, np.abs]
    def function(x):
        left = number + 1
        while left:
            x, left = ops[left % 6](x), left // 6
        return x
    return function
"""
