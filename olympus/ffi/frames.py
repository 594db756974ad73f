# SPDX-License-Identifier: Apache-2.0
"""Calls of foreign functions as they lie in memory: buffers, attributes, stages.

Layouts are those of version 0.3 of XLA's interface (`include/xla/ffi/api/c_api.h`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from ctypes import Structure, c_int, c_int64, c_size_t, c_uint32, c_void_p
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ForeignCallError, NotSupportedError, described

from .interface import (
    API,
    EXECUTE,
    INSTANTIATE,
    OF_ANY,
    STAGES,
    Context,
    Handler,
    Instance,
    Span,
    Version,
    awaited,
    taken_error,
)

_CODES = (
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED")
_TYPES = {
    "bool": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint8": 6, "uint16": 7, "uint32": 8, "uint64": 9,
    "float16": 10, "float32": 11, "float64": 12, "complex64": 15, "bfloat16": 16, "complex128": 18,
    "float8_e5m2": 19, "float8_e4m3fn": 20, "float8_e4m3b11fnuz": 23, "float8_e5m2fnuz": 24, "float8_e4m3fnuz": 25,
    "float8_e4m3": 28, "float8_e3m4": 29, "float8_e8m0fnu": 33}
_ARRAY, _DICTIONARY, _SCALAR, _STRING = 1, 2, 3, 4


class _Buffer(Structure):
    _fields_ = [*OF_ANY, ("dtype", c_int), ("data", c_void_p), ("rank", c_int64), ("dims", c_void_p)]


class _Scalar(Structure):
    _fields_ = [("dtype", c_int), ("value", c_void_p)]


class _Array(Structure):
    _fields_ = [("dtype", c_int), ("size", c_size_t), ("data", c_void_p)]


class _Values(Structure):
    _fields_ = [*OF_ANY, ("size", c_int64), ("types", c_void_p), ("values", c_void_p)]


class _Attributes(Structure):
    _fields_ = [*OF_ANY, ("size", c_int64), ("types", c_void_p), ("names", c_void_p), ("values", c_void_p)]


class _Frame(Structure):
    _fields_ = [*OF_ANY, ("api", c_void_p), ("ctx", c_void_p), ("stage", c_int), ("args", _Values), ("rets", _Values),
                ("attrs", _Attributes), ("future", c_void_p)]


class _Metadata(Structure):
    _fields_ = [("struct_size", c_size_t), ("version", Version), ("traits", c_uint32), ("state_type", c_int64)]


class _MetadataExtension(Structure):
    _fields_ = [("struct_size", c_size_t), ("type", c_int), ("next", c_void_p), ("metadata", c_void_p)]


class _Call:
    """One call, with everything that it points to."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.frame = _Frame()
        self.frame.struct_size = _Frame.future.offset
        self.frame.api = ctypes.addressof(API)
        self.frame.stage = EXECUTE

    def keep(self, value: Any) -> int:
        """The address of a structure or array, which lives as long as the call."""
        self.kept.append(value)
        return ctypes.addressof(value)

    def integers(self, kind: Any, values: Sequence[int]) -> int:
        """The address of numbers."""
        return self.keep((kind * max(len(values), 1))(*values))

    def buffers(self, buffers: Sequence[tuple[np.ndarray, Sequence[int]]]) -> _Values:
        """Memory with the dimensions that it has for the handler."""
        found = []
        for memory, shape in buffers:
            found.append(self.keep(_Buffer(
                ctypes.sizeof(_Buffer), None, type_code(memory.dtype), memory.ctypes.data, len(shape),
                self.integers(c_int64, shape))))
        return _Values(ctypes.sizeof(_Values), None, len(found), self.integers(c_int, [1] * len(found)),
                       self.integers(c_void_p, found))

    def attributes(self, values: Mapping[str, Any]) -> _Attributes:
        """Attributes by name."""
        kinds, names, found = [], [], []
        for name in sorted(values):
            kind, address = self.attribute(name, values[name])
            kinds.append(kind)
            names.append(self.keep(self.span(name)))
            found.append(address)
        return _Attributes(ctypes.sizeof(_Attributes), None, len(found), self.integers(c_int, kinds),
                           self.integers(c_void_p, names), self.integers(c_void_p, found))

    def span(self, text: str) -> Span:
        """A text."""
        encoded = text.encode()
        return Span(self.keep(ctypes.create_string_buffer(encoded)), len(encoded))

    def attribute(self, name: str, value: Any) -> tuple[int, int]:
        """The kind and the address of an attribute's value."""
        if isinstance(value, str):
            return _STRING, self.keep(self.span(value))
        if isinstance(value, Mapping):
            return _DICTIONARY, self.keep(self.attributes(value))
        if not isinstance(value, (bool, int, float, complex, np.generic, np.ndarray, tuple, list)):
            raise NotSupportedError(f"The attribute {name}={described(value)} of a foreign call", "it has no form in C",
                                    "Give a number, a text, an array of NumPy, or a dict of these.")
        array = np.ascontiguousarray(value)
        memory = ctypes.create_string_buffer(array.tobytes(), max(array.nbytes, 1))
        if isinstance(value, (np.ndarray, tuple, list)):
            return _ARRAY, self.keep(_Array(type_code(array.dtype), array.size, self.keep(memory)))
        return _SCALAR, self.keep(_Scalar(type_code(array.dtype), self.keep(memory)))


def type_code(dtype: np.dtype) -> int:
    """The number of an element type in the interface."""
    code = _TYPES.get(dtypes.name_of(dtype))
    if code is None:
        raise NotSupportedError(f"The element type {dtype.name} in a foreign call", "it has no number there",
                                "Convert to one of " + ", ".join(_TYPES) + ".")
    return code


def run(
    name: str, target: Mapping[str, Handler], instance: Instance, operands: Sequence[tuple[np.ndarray, Sequence[int]]],
    results: Sequence[tuple[np.ndarray, Sequence[int]]], attributes: Mapping[str, Any],
) -> None:
    """Calls the handlers of a foreign function, stage by stage.

    Args:
        name: The target's name.
        target: What is called in each stage, with the address of a frame.
        instance: Which call of a program this is.
        operands: Memory, with the dimensions that it has for the handler.
        results: The same, to be written.
        attributes: The attributes.

    Raises:
        ForeignCallError: When one returns an error.
    """
    with Context(instance) as context:
        if "instantiate" in target:
            instance.make(lambda: _stage(name, target, INSTANTIATE, context, [], [], attributes))
        for stage in range(INSTANTIATE + 1, EXECUTE + 1):
            if STAGES[stage] in target:
                _stage(name, target, stage, context, operands, results, attributes)


def _stage(
    name: str, target: Mapping[str, Handler], stage: int, context: Context,
    operands: Sequence[tuple[np.ndarray, Sequence[int]]], results: Sequence[tuple[np.ndarray, Sequence[int]]],
    attributes: Mapping[str, Any],
) -> None:
    call = _Call()
    call.frame.ctx, call.frame.stage = context.number, stage
    call.frame.args, call.frame.rets = call.buffers(operands), call.buffers(results)
    call.frame.attrs = call.attributes(attributes)
    _called(name, target[STAGES[stage]], call, (call, context.memory, operands, results))


def version_of(name: str, handler: Handler) -> tuple[int, int]:
    """The version of the interface for which a handler was compiled; (0, 0) of one that does not tell."""
    call, metadata = _Call(), _Metadata()
    metadata.struct_size = ctypes.sizeof(_Metadata)
    metadata.version.struct_size = ctypes.sizeof(Version)
    extension = _MetadataExtension(ctypes.sizeof(_MetadataExtension), 1, None, ctypes.addressof(metadata))
    call.frame.extension_start = ctypes.addressof(extension)
    call.frame.args, call.frame.rets, call.frame.attrs = call.buffers([]), call.buffers([]), call.attributes({})
    _called(name, handler, call)
    return metadata.version.major, metadata.version.minor


def _called(name: str, handler: Handler, call: _Call, used: Any = None) -> None:
    number = handler(ctypes.addressof(call.frame))
    if not number and call.frame.future:
        number = awaited(call.frame.future, used)
    if number:
        code, message = taken_error(number)
        known = _CODES[code] if 0 <= code < len(_CODES) else str(code)
        raise ForeignCallError(name, known, message.decode(errors="replace"))

