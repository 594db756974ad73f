"""Addresses of LAPACK's and BLAS' functions, which SciPy has for compiled callers, and of the code of this folder."""

from __future__ import annotations

import ctypes
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from ..native.linker import OPTIMISED, Library, link
from ..native.runtime import object_cache

ARGUMENTS = 16  # of a call; ARGUMENTS in batches.c

_LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
_SMALL = ("cholesky", "triangular_solve", "lu", "eigh", "eigvalsh")


def letter(dtype: np.dtype) -> str:
    """How LAPACK's names begin for an element type."""
    return _LETTERS[dtype.name]


@cache
def address(name: str) -> int:
    """The address of a function of LAPACK or BLAS, by its name with the letter of the element type."""
    from scipy.linalg import cython_blas, cython_lapack  # when the first program needs one

    found = cython_lapack.__pyx_capi__.get(name) or cython_blas.__pyx_capi__[name]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer_of(found, name_of(found)))


def call(name: str, *arguments: np.ndarray) -> None:
    """Calls such a function once, for the sizes of workspaces."""
    pointers = [x.ctypes.data for x in arguments]
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(pointers))(address(name))(*pointers)


@lru_cache(maxsize=1)
def batches() -> int:
    """The address of the kernel that runs a plan for one matrix after another."""
    return _linked("batches.ll", ("batch",))["batch"]


@lru_cache(maxsize=1)
def small_kernels() -> Library:
    """The kernels of small matrices: `cholesky_f32`, `lu_f64` and so on."""
    return _linked("small.ll", tuple(f"{name}_f{bits}" for name in _SMALL for bits in (32, 64)))


def _linked(file: str, exports: tuple[str, ...]) -> Library:
    # Threads of the pool may run this code at any time.
    c_library = ctypes.CDLL(None)
    found = {name: ctypes.cast(getattr(c_library, name), ctypes.c_void_p).value or 0
             for name in ("memcpy", "memset")}
    text = (Path(__file__).parent / file).read_text()
    return link(text, exports, found, OPTIMISED, object_cache()).make_immortal()
