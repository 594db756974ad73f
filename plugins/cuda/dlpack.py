# SPDX-License-Identifier: Apache-2.0
"""DLPack capsules of device memory, as https://dmlc.github.io/dlpack/latest/c_api.html defines them."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes

if TYPE_CHECKING:
    from olympus_core.program import ArrayType

HOST, CUDA, MANAGED = 1, 2, 13
_PLAIN, _VERSIONED = b"dltensor", b"dltensor_versioned"  # capsules point at these objects' bytes
_READ_ONLY, _COPIED = 1, 2
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_FLOAT_CODES = {dtypes.bfloat16: 4, dtypes.float8_e4m3fn: 10, dtypes.float8_e5m2: 12}


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    ]


_Called: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
# By the address of its structure: what is called in the end, what a capsule points at, and the capsule. Capsules have
# no destructor: Python would call it with an exception set where a consumer refuses the device.
_held: dict[int, tuple[Any, ...]] = {}


def _end(address: int) -> None:
    """The deleter that the consumer calls, whose stream may still read."""
    entry = _held.pop(address, None)
    if entry is not None and entry[0] is not None:
        entry[0]()


_deleter = _Called(_end)
_make = ctypes.PyDLL(None).PyCapsule_New
_make.restype, _make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_is_valid = ctypes.PyDLL(None).PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.restype, _rename.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_TAKEN = {_PLAIN: b"used_dltensor", _VERSIONED: b"used_dltensor_versioned"}  # what a consumer names a capsule
_ONLY_HELD = 2  # references to a capsule that nobody else holds: the entry's, and the argument of getrefcount


def forget_unused() -> None:
    """Frees the memory of capsules that were dropped before a consumer took them; a consumer renames what it takes."""
    for address, entry in list(_held.items()):
        name, count = entry[-1], sys.getrefcount(entry[-2])
        if count <= _ONLY_HELD and _is_valid(entry[-2], name):
            _held.pop(address, None)


def stream_to_order(stream: int | None) -> int | None:
    """The CUDA stream that has to wait before a consumer reads, by the number that DLPack's protocol gives.

    Args:
        stream: The consumer's stream: an address, 1 or None for the default stream, 2 for the thread's default stream,
            or -1 where the consumer synchronizes itself.

    Returns:
        The stream's address, or None where none has to wait.
    """
    if stream == -1:
        return None
    if stream == 0:
        raise BufferError("stream 0 is ambiguous: DLPack asks for 1, the default stream, or 2, the thread's")
    return 1 if stream is None else stream


def capsule(
    owner: object, pointer: int, ordinal: int, type: ArrayType, versioned: bool, is_copy: bool,
    ended: Callable[[], None] | None = None,
) -> Any:
    """A capsule of device memory.

    Args:
        owner: An object that the capsule keeps alive, and with it the memory.
        pointer: The memory's address.
        ordinal: The GPU.
        type: Shape and element type.
        versioned: Whether the consumer knows version 1 of DLPack.
        is_copy: Whether nobody else reads the memory.
        ended: Called when the consumer has dropped it, before the owner is.
    """
    dtype: np.dtype = type.dtype
    code = _FLOAT_CODES.get(dtype, _CODES.get(dtype.kind, -1))
    if code < 0:
        raise BufferError(f"DLPack has no element type {dtype.name}")
    ndim = len(type.shape)
    numbers = (ctypes.c_int64 * max(1, 2 * ndim))(*type.shape, *_strides(type.shape))
    shape = ctypes.addressof(numbers)
    tensor = _Tensor(pointer if type.size else None, CUDA, ordinal, ndim, code, 8 * dtype.itemsize, 1,
                     shape, shape + 8 * ndim, 0)
    end = ctypes.cast(_deleter, ctypes.c_void_p).value
    managed: Any
    if versioned:
        managed = _Versioned(1, 0, None, end, _COPIED if is_copy else _READ_ONLY, tensor)
    else:
        managed = _Managed(tensor, None, end)
    forget_unused()
    address, name = ctypes.addressof(managed), _VERSIONED if versioned else _PLAIN
    made = _make(address, name, None)
    _held[address] = (ended, managed, numbers, owner, made, name)
    return made


def _strides(shape: tuple[int, ...]) -> list[int]:
    found, step = [0] * len(shape), 1
    for d in range(len(shape) - 1, -1, -1):
        found[d] = step
        step *= shape[d]
    return found


class TakenTensor:
    """Memory that another library exports; its deleter is called when this is dropped.

    Args:
        made: The capsule, which is a consumer's from now on.

    Attributes:
        pointer: The address of the first element.
        ordinal: The GPU.
        dtype: The element type.
        shape: Sizes of the dimensions.
        strides: Elements from one index to the next.

    Raises:
        BufferError: If it is no capsule of DLPack, or one of an element type that the platform does not have.
    """

    def __init__(self, made: Any) -> None:
        name = next((name for name in (_VERSIONED, _PLAIN) if _is_valid(made, name)), None)
        if name is None:
            raise BufferError("what __dlpack__ gives is no capsule of DLPack")
        self._address = int(_pointer(made, name))
        kind: Any = _Versioned if name == _VERSIONED else _Managed
        managed = kind.from_address(self._address)
        if name == _VERSIONED and managed.major != 1:
            raise BufferError(f"version {managed.major} of DLPack is not known")
        tensor = managed.tensor
        self.dtype = _element_type(tensor.code, tensor.bits, tensor.lanes)
        self.ordinal, count = int(tensor.device_id), int(tensor.ndim)
        self.shape = tuple((ctypes.c_int64 * count).from_address(tensor.shape)) if count else ()
        self.strides = tuple((ctypes.c_int64 * count).from_address(tensor.strides)) if count and tensor.strides else (
            tuple(_strides(self.shape)))
        self.pointer = int(tensor.data or 0) + int(tensor.byte_offset)
        self._end = int(managed.deleter or 0)
        _rename(made, _TAKEN[name])

    def is_row_major(self) -> bool:
        """Whether the elements are one behind the other."""
        steps = zip(self.shape, self.strides, _strides(self.shape), strict=True)
        return 0 in self.shape or all(size == 1 or stride == step for size, stride, step in steps)

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over() and hasattr(self, "_end") and self._end:
            _Called(self._end)(self._address)


def _element_type(code: int, bits: int, lanes: int) -> np.dtype:
    for dtype in dtypes.ALL:
        if lanes == 1 and bits == 8 * dtype.itemsize and code == _FLOAT_CODES.get(dtype, _CODES.get(dtype.kind, -1)):
            return dtype
    raise BufferError(f"there is no element type for DLPack's code {code} with {bits} bits and {lanes} lanes")
