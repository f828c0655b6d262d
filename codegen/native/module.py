"""Translation of a set of native sources into one LLVM module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .scope import FunctionScope, ModuleScope, NativeError, Signature
from .statements import Statements
from .types import NativeType, is_native_type

# Nothing may call what nobody defines: no loop becomes memset or memcpy, and no large frame calls __chkstk.
ATTRIBUTES = 'attributes #0 = { nounwind "no-builtins" "no-stack-arg-probe" }'


@dataclass(frozen=True)
class NativeSource:
    """The text of a native source and the namespace its names mean something in."""

    name: str
    text: str
    namespace: dict[str, Any]


def translate(sources: Sequence[NativeSource], triple: str) -> str:
    """LLVM IR of every function in the sources; a function under `@export` keeps its symbol.

    Raises NativeError, with function and line, for anything outside the native language.
    """
    found = [(source, node) for source in sources for node in _functions(source)]
    signatures: dict[Callable[..., Any], Signature] = {}
    for source, node in found:
        function = source.namespace[node.name]
        if any(known.symbol == node.name for known in signatures.values()):
            raise NativeError(node.name, node.lineno, "two native functions have this name")
        signatures[function] = _signature(node, function)
    architecture = triple.split("-")[0].replace("arm64", "aarch64")
    module = ModuleScope(architecture, signatures)
    functions = [_function(module, source, node) for source, node in found]
    header = f'target triple = "{triple}"'
    lines = [header, *_data(module), *functions, *sorted(module.intrinsics), ATTRIBUTES, "!0 = !{}"]
    return "\n".join(lines) + "\n"


def _functions(source: NativeSource) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(source.text).body if isinstance(node, ast.FunctionDef)]


def _signature(node: ast.FunctionDef, function: Callable[..., Any]) -> Signature:
    plain = node.args
    if plain.posonlyargs or plain.kwonlyargs or plain.vararg or plain.kwarg or plain.defaults:
        raise NativeError(node.name, node.lineno, "a native function has plain positional parameters only")
    types = function.__annotations__
    parameters: list[tuple[str, NativeType]] = []
    for argument in plain.args:
        kind = types.get(argument.arg)
        if kind is None or not is_native_type(kind):
            raise NativeError(node.name, node.lineno, f"parameter {argument.arg!r} needs a native type")
        parameters.append((argument.arg, kind))
    result = types.get("return")
    if "return" not in types or not (result is None or is_native_type(result)):
        raise NativeError(node.name, node.lineno, "the result needs a native type, or None")
    return Signature(node.name, tuple(parameters), result)


def _exported(node: ast.FunctionDef) -> bool:
    names = [ast.unparse(decorator) for decorator in node.decorator_list]
    if names not in ([], ["export"]):
        raise NativeError(node.name, node.lineno, "the only decorator of a native function is `export`")
    return bool(names)


def _function(module: ModuleScope, source: NativeSource, node: ast.FunctionDef) -> str:
    signature = module.signatures[source.namespace[node.name]]
    lines = Statements(FunctionScope(module, signature, source.namespace)).function(node.body)
    parameters = ", ".join(f"{kind.llvm} %{name}" for name, kind in signature.parameters)
    result = "void" if signature.result is None else signature.result.llvm
    linkage = "hidden" if _exported(node) else "internal"
    return "\n".join([f"define {linkage} {result} @{signature.symbol}({parameters}) #0 {{", *lines, "}"])


def _data(module: ModuleScope) -> list[str]:
    # Initialised with ones, so that it lies in .data: a zero would move it to .bss, which an image has not.
    lines = [f"@{symbol} = hidden global ptr inttoptr (i64 -1 to ptr), align 8" for symbol in module.globals]
    for text, symbol in module.strings.items():
        escaped = "".join(f"\\{byte:02X}" for byte in text + b"\0")
        lines.append(f'{symbol} = private unnamed_addr constant [{len(text) + 1} x i8] c"{escaped}", align 1')
    return lines
