"""The public array functions: NumPy's signatures and the array API's, on lazy arrays and what becomes one."""
