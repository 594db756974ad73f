# SPDX-License-Identifier: Apache-2.0
"""Addresses of LAPACK's and BLAS' functions, which SciPy has for compiled callers."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from importlib import import_module
from importlib.machinery import ExtensionFileLoader, PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

from olympus_core.errors import NotSupportedError

from ..machine.choice import choice
from ..machine.description import has_level

# OpenBLAS' code for processors with AVX2 and fused multiply-adds, which all later ones can run.
_CORE, _LEVEL = "Haswell", "x86-64-v3"


@cache
def address(name: str) -> int:
    """The address of a function of LAPACK or BLAS, by its name with the letter of the element type.

    Raises:
        NotSupportedError: Results are to be reproducible, and the library's are not.
    """
    if choice().is_reproducible:
        _fix_order()
    found = _extension("cython_lapack").__pyx_capi__.get(name) or _extension("cython_blas").__pyx_capi__[name]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer_of(found, name_of(found)))


@cache
def _extension(name: str) -> Any:
    """A module with functions of scipy.linalg, without that package, of which nothing else is used.

    Importing the package takes a tenth of a second. Whoever imports it later finds the same functions in it.
    """
    whole = f"scipy.linalg.{name}"
    found = find_spec("scipy")
    folders = [str(Path(folder) / "linalg") for folder in (found and found.submodule_search_locations) or ()]
    spec = None if "scipy.linalg" in sys.modules else PathFinder.find_spec(whole, folders)
    if spec is None or not isinstance(spec.loader, ExtensionFileLoader):
        return import_module(whole)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules.pop(whole, None)  # where it lacks its package: the import system sets it as the package's attribute
    return module


@cache
def _fix_order() -> None:
    """Has SciPy's OpenBLAS run one processor's code, in one thread: else the order of its sums is this machine's.

    It chooses its code when it is loaded, by a variable if there is one.
    """
    if not has_level(_LEVEL):
        raise _refusal(f"OpenBLAS has no code for this processor that others run, too: it is below {_LEVEL}",
                       "Run without the option, or on another machine.")
    before = os.environ.get("OPENBLAS_CORETYPE")
    os.environ["OPENBLAS_CORETYPE"] = _CORE
    try:
        _extension("cython_lapack")  # loads the library
    finally:
        if before is None:
            del os.environ["OPENBLAS_CORETYPE"]
        else:
            os.environ["OPENBLAS_CORETYPE"] = before
    library = _openblas()
    if library is None:
        raise _refusal("SciPy's LAPACK is not the OpenBLAS of its wheels", "Install SciPy from PyPI.")
    core_of = library.scipy_openblas_get_corename
    core_of.restype = ctypes.c_char_p
    core = core_of().decode()
    if core != _CORE:
        raise _refusal(f"SciPy was loaded before, and runs OpenBLAS' code for {core}",
                       f"Set OPENBLAS_CORETYPE={_CORE} in the environment, or import SciPy later.")
    library.scipy_openblas_set_num_threads(1)


def _openblas() -> ctypes.CDLL | None:
    """The OpenBLAS that SciPy has loaded."""
    import scipy

    folder = Path(scipy.__file__).parent
    for found in sorted((*folder.parent.glob("scipy.libs/*openblas*"), *folder.glob(".dylibs/*openblas*"))):
        library = ctypes.CDLL(str(found))
        if hasattr(library, "scipy_openblas_get_corename") and hasattr(library, "scipy_openblas_set_num_threads"):
            return library
    return None


def _refusal(reason: str, fix: str) -> NotSupportedError:
    return NotSupportedError("Linear algebra with OLYMPUS_REPRODUCIBLE", reason, fix)
