"""The capabilities of the processor, to choose instructions without LLVM."""

from ....codegen.native.language import cpuid, export, i32, i64, ptr, xgetbv


@export
def read_cpuid(leaf: i32, subleaf: i32, registers: ptr[i32]) -> None:
    cpuid(leaf, subleaf, registers)


@export
def read_xcr0() -> i64:
    """Returns the registers that the operating system saves; only where cpuid reports OSXSAVE."""
    return xgetbv()
