# SPDX-License-Identifier: Apache-2.0
"""Addresses of LAPACK's and BLAS' functions, which SciPy has for compiled callers."""

from __future__ import annotations

import ctypes
from functools import cache


@cache
def address(name: str) -> int:
    """The address of a function of LAPACK or BLAS, by its name with the letter of the element type."""
    from scipy.linalg import cython_blas, cython_lapack  # when the first program needs one

    found = cython_lapack.__pyx_capi__.get(name) or cython_blas.__pyx_capi__[name]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer_of(found, name_of(found)))
