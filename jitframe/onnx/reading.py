"""Reads models by the `onnx` package: protocol buffers become the records of `records.py`."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy

from ..errors import ArgumentError, JitframeError, UnsupportedError
from ..ir.record import identity_record
from .records import Graph, Node, Value, make_graph
from .registry import find


class OnnxMissingError(JitframeError, ImportError):
    """The `onnx` package, which reads models, is not installed."""


class Source(metaclass=identity_record):
    """A model as it was read."""

    graph: Graph
    opsets: dict[str, int]
    metadata: dict[str, str]


def package() -> Any:
    """The `onnx` package."""
    try:
        return importlib.import_module("onnx")
    except ImportError as error:
        raise OnnxMissingError(
            "jf.onnx.load reads models by the package onnx, which is not installed: "
            'pip install "jitframe[onnx]"'
        ) from error


def read(model: Any) -> Source:
    """A model from a file, its bytes, or an `onnx.ModelProto`."""
    onnx = package()
    if isinstance(model, (bytes, bytearray, memoryview)):
        model = _parsed(lambda: onnx.load_model_from_string(bytes(model)), "these bytes")
    elif isinstance(model, (str, os.PathLike)):
        model = _parsed(lambda: onnx.load(os.fspath(model)), os.fspath(model))
    elif not isinstance(model, onnx.ModelProto):
        raise ArgumentError(
            f"jf.onnx.load takes a path, bytes or an onnx.ModelProto, not a {type(model).__name__}"
        )
    opsets = {_domain(each.domain): each.version for each in model.opset_import}
    functions = {(_domain(function.domain), function.name): function for function in model.functions}
    reader = _Reader(onnx, opsets, functions)
    graph = reader.graph(model.graph, {})
    reader.check()
    metadata = {each.key: each.value for each in model.metadata_props}
    for name in ("producer_name", "producer_version", "doc_string"):
        if getattr(model, name):
            metadata.setdefault(name, getattr(model, name))
    return Source(graph, opsets, metadata)


def _parsed(parse: Any, what: str) -> Any:
    try:
        return parse()
    except OSError:
        raise
    except Exception as error:  # of protobuf, whose classes differ from version to version
        raise ArgumentError(f"jf.onnx.load: {what} is no ONNX model ({error})") from None


def _domain(name: str) -> str:
    return "" if name == "ai.onnx" else name


class _Reader:
    """Reads the graphs of one model, and notes what is not supported."""

    def __init__(self, onnx: Any, opsets: dict[str, int], functions: dict[tuple[str, str], Any]) -> None:
        self.onnx = onnx
        self.opsets = opsets
        self.functions = functions
        self._missing: dict[str, list[str]] = {}
        """By operator, the names of the nodes that have it."""
        self._refused: list[str] = []

    def check(self) -> None:
        """Raises UnsupportedError with all that the model has and that is not supported."""
        lines = [
            f"{operator} (node{'s' if len(names) > 1 else ''} {', '.join(names[:4])}"
            f"{f' and {len(names) - 4} more' if len(names) > 4 else ''})"
            for operator, names in self._missing.items()
        ]
        if lines or self._refused:
            raise UnsupportedError(
                "jf.onnx.load: the model has what is not supported: "
                + "; ".join([*lines, *self._refused])
                + "; export it with other operators or another opset, or write a function for the operator "
                "with jf.onnx.operator(name)"
            )

    def graph(self, proto: Any, references: dict[str, Any]) -> Graph:
        constants = {each.name: self.array(each) for each in proto.initializer}
        for each in proto.sparse_initializer:
            constants[each.values.name] = self._dense(each)
        inputs = tuple(self.value(each) for each in proto.input if each.name not in constants)
        outputs = tuple(self.value(each) for each in proto.output)
        nodes = tuple(self.node(each, references, self.opsets) for each in proto.node)
        return make_graph(proto.name, inputs, outputs, nodes, constants)

    def value(self, proto: Any) -> Value:
        kind = proto.type.WhichOneof("value")
        if kind != "tensor_type":
            return Value(proto.name, None, None)
        tensor = proto.type.tensor_type
        dtype = self.dtype(tensor.elem_type) if tensor.elem_type else None
        if not tensor.HasField("shape"):
            return Value(proto.name, dtype, None)
        return Value(proto.name, dtype, tuple(_extent(each) for each in tensor.shape.dim))

    def dtype(self, number: int) -> Any:
        return numpy.dtype(self.onnx.helper.tensor_dtype_to_np_dtype(number))

    def array(self, proto: Any) -> numpy.ndarray:
        return numpy.asarray(self.onnx.numpy_helper.to_array(proto))

    def _dense(self, proto: Any) -> numpy.ndarray:
        """The array that a sparse tensor is: its places are in the flat array, or one for each axis."""
        values, places = self.array(proto.values), self.array(proto.indices)
        array = numpy.zeros(tuple(proto.dims), values.dtype)
        if places.ndim == 1:
            array.reshape(-1)[places] = values
        else:
            array[tuple(places.T)] = values
        return array

    def node(self, proto: Any, references: dict[str, Any], opsets: dict[str, int]) -> Node:
        domain, opset = _domain(proto.domain), opsets.get(_domain(proto.domain), 1)
        attributes: dict[str, Any] = {}
        for each in proto.attribute:
            if each.ref_attr_name:
                if each.ref_attr_name in references:
                    attributes[each.name] = references[each.ref_attr_name]
            else:
                attributes[each.name] = self._attribute(each, references)
        called = proto.name or ", ".join(filter(None, proto.output))
        body, expand = self._body(proto.op_type, domain, opset, attributes), None
        if body is None and find(proto.op_type, domain, opset) is None:
            expand = self._expansion(proto, domain, opset, references)
        if body is None and expand is None:
            self._note(proto.op_type, domain, opset, called, attributes)
        inputs, outputs = tuple(proto.input), tuple(proto.output)
        return Node(proto.op_type, domain, opset, called, inputs, outputs, attributes, body, expand)

    def _note(self, op: str, domain: str, opset: int, called: str, attributes: dict[str, Any]) -> None:
        operator = find(op, domain, opset)
        shown = f"{domain}.{op}" if domain else op
        if operator is None:
            self._missing.setdefault(f"the operator {shown} of opset {opset}", []).append(called)
            return
        known = attributes if operator.attributes is None else operator.attributes
        unknown = [name for name in attributes if name not in known]
        if unknown:
            self._refused.append(f"the attribute {', '.join(unknown)} of {shown} (node {called})")

    def _attribute(self, proto: Any, references: dict[str, Any]) -> Any:
        kinds = self.onnx.AttributeProto
        if proto.type == kinds.GRAPH:
            return self.graph(proto.g, references)
        if proto.type == kinds.TENSOR:
            return self.array(proto.t)
        if proto.type == kinds.SPARSE_TENSOR:
            return self._dense(proto.sparse_tensor)
        if proto.type in (kinds.FLOAT, kinds.INT, kinds.STRING):
            return _plain(self.onnx.helper.get_attribute_value(proto))
        if proto.type in (kinds.FLOATS, kinds.INTS, kinds.STRINGS):
            return tuple(_plain(each) for each in self.onnx.helper.get_attribute_value(proto))
        return self.onnx.helper.get_attribute_value(proto)

    def _body(self, op: str, domain: str, opset: int, attributes: dict[str, Any]) -> Graph | None:
        """The body of a function: one of the model, or one that the standard defines so and that has no
        function here."""
        proto = self.functions.get((domain, op))
        if proto is None and find(op, domain, opset) is None:
            schema = self._schema(op, domain, opset)
            if schema is not None and schema.has_function:
                proto = schema.function_body
                defaults = {name: each.default_value for name, each in schema.attributes.items()}
                attributes = {
                    **{name: self._attribute(each, {}) for name, each in defaults.items() if each.name},
                    **attributes,
                }
        return None if proto is None else self._function(proto, attributes)

    def _function(self, proto: Any, attributes: dict[str, Any]) -> Graph:
        defaults = {each.name: self._attribute(each, {}) for each in proto.attribute_proto}
        own = {_domain(each.domain): each.version for each in proto.opset_import}
        opsets = {"": self.onnx.defs.onnx_opset_version(), **self.opsets, **own}
        given = {**defaults, **attributes}
        nodes = tuple(self.node(each, given, opsets) for each in proto.node)
        inputs, outputs = (_untyped(names) for names in (proto.input, proto.output))
        return make_graph(proto.name, inputs, outputs, nodes, {})

    def _expansion(
        self, proto: Any, domain: str, opset: int, references: dict[str, Any]
    ) -> Callable[[Sequence[Any]], Graph] | None:
        """How an operator is written in others by the dtypes and shapes of its inputs, if the standard says
        so."""
        schema = self._schema(proto.op_type, domain, opset)
        if schema is None or not schema.has_context_dependent_function:
            return None
        proto = self._resolved(proto, references)
        node, known = proto.SerializeToString(), dict[tuple[Any, ...], Graph]()
        reader = _Reader(self.onnx, self.opsets, self.functions)

        def expand(values: Sequence[Any]) -> Graph:
            key = tuple(_kind(value) for value in values)
            if key not in known:
                types = [self._type(value).SerializeToString() for value in values]
                written = schema.get_context_dependent_function(node, types)
                function = self.onnx.FunctionProto.FromString(written)
                attributes = {each.name: reader._attribute(each, {}) for each in proto.attribute}
                defaults = {
                    name: reader._attribute(each.default_value, {})
                    for name, each in schema.attributes.items()
                    if each.default_value.name
                }
                graph = reader._function(function, {**defaults, **attributes})
                reader.check()
                known[key] = graph
            return known[key]

        return expand

    def _resolved(self, proto: Any, references: dict[str, Any]) -> Any:
        """A node with the attributes that its function was called with."""
        made = self.onnx.NodeProto()
        made.CopyFrom(proto)
        del made.attribute[:]
        for each in proto.attribute:
            if not each.ref_attr_name:
                made.attribute.append(each)
            elif each.ref_attr_name in references:
                made.attribute.append(
                    self.onnx.helper.make_attribute(each.name, references[each.ref_attr_name])
                )
        return made

    def _type(self, value: Any) -> Any:
        helper = self.onnx.helper
        if value is None:
            return self.onnx.TypeProto()
        if isinstance(value, list):
            return helper.make_sequence_type_proto(self._type(value[0] if value else None))
        number = helper.np_dtype_to_tensor_dtype(numpy.dtype(value.dtype))
        return helper.make_tensor_type_proto(number, tuple(value.shape))

    def _schema(self, op: str, domain: str, opset: int) -> Any:
        try:
            return self.onnx.defs.get_schema(op, opset, domain)
        except self.onnx.defs.SchemaError:
            return None


def _untyped(names: Iterable[str]) -> tuple[Value, ...]:
    return tuple(Value(name, None, None) for name in names)


def _extent(proto: Any) -> int | str | None:
    """Exporters write names that are none, and -1, for extents that they do not know."""
    if proto.WhichOneof("value") == "dim_value":
        return proto.dim_value if proto.dim_value > 0 else None
    name = proto.dim_param
    return name if name and name not in ("?", "-1", "None") else None


def _plain(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _kind(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_kind, value))
    return None if value is None else (str(value.dtype), tuple(value.shape))
