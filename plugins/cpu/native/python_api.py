# SPDX-License-Identifier: Apache-2.0
"""Python types and functions implemented by machine code, through Python's stable C API."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

FAST_CALL, ONE_ARGUMENT = 0x80, 0x8

_FLAGS = (1 << 18) | (1 << 8) | (1 << 7)  # DEFAULT | IMMUTABLETYPE | DISALLOW_INSTANTIATION
_GETBUFFER, _DEALLOC, _DOC, _MEMBERS = 1, 52, 56, 72
_SSIZE, _POINTER, _READ_ONLY = 19, 18, 1


def keep_for_ever(*objects: Any) -> None:
    """Keeps objects to which native code has pointers: also when Python, at its end, clears modules in any order."""
    for one in objects:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(one))


class _MethodDef(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    ]


class _MemberDef(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("type", ctypes.c_int), ("offset", ctypes.c_ssize_t), ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


class _Slot(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]


class _Spec(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("basicsize", ctypes.c_int), ("itemsize", ctypes.c_int), ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    ]


class PythonFunctionBuilder:
    """Makes Python functions that call one native function, each with its own `self`.

    Args:
        name: The functions' name.
        address: The native function.
        flags: `FAST_CALL` or `ONE_ARGUMENT`.
    """

    __slots__ = ("_address", "_new")

    def __init__(self, name: str, address: int, flags: int) -> None:
        definition = _MethodDef(name.encode(), address, flags, None)
        keep_for_ever(definition)
        prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        self._new = prototype(("PyCFunction_NewEx", ctypes.pythonapi))
        self._address = ctypes.addressof(definition)

    def __call__(self, owner: object) -> Any:
        """A function whose `__self__` is the owner."""
        return self._new(self._address, owner, None)


def make_type(
    name: str, doc: str, words: int, members: Sequence[tuple[str, int, str]], dealloc: int, getbuffer: int
) -> type:
    """A type whose objects hold `words` machine words behind the header.

    Args:
        name: Module and name.
        doc: Its docstring.
        words: Number of machine words.
        members: Attributes: name, index of the word, docstring; index 0 is an address.
        dealloc: The native deallocator.
        getbuffer: The native function of the buffer protocol.
    """
    header = object.__basicsize__
    listed = [
        _MemberDef(n.encode(), _POINTER if i == 0 else _SSIZE, header + 8 * i, _READ_ONLY, d.encode())
        for n, i, d in members
    ]
    table = (_MemberDef * (len(listed) + 1))(*listed)
    text = ctypes.c_char_p(doc.encode())
    slots = (_Slot * 5)(
        _Slot(_DEALLOC, dealloc), _Slot(_GETBUFFER, getbuffer), _Slot(_MEMBERS, ctypes.addressof(table)),
        _Slot(_DOC, ctypes.cast(text, ctypes.c_void_p)), _Slot(0, None),
    )
    spec = _Spec(name.encode(), header + 8 * words, 0, _FLAGS, slots)
    keep_for_ever(listed, table, text, slots, spec)
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(("PyType_FromSpec", ctypes.pythonapi))
    made: type = make(ctypes.addressof(spec))
    return made
