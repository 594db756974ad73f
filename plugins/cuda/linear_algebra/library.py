# SPDX-License-Identifier: Apache-2.0
"""Calls of cuSOLVER and cuBLAS through CuPy's bindings, as steps of a work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes

from ..gpu import library_errors
from ..products.work_steps import BufferSlice, Ready, Table

if TYPE_CHECKING:
    from ..compiled.code import CodeStore
    from ..gpu import Gpu, Stream

SOLVER, BLAS = "cusolver", "cublas"
# cublasFillMode_t, cublasSideMode_t, cublasOperation_t, cublasDiagType_t, cusolverEigMode_t of CUDA 13
LOWER, UPPER = 0, 1
LEFT, RIGHT = 0, 1
AS_IS, TRANSPOSED, ADJOINT = 0, 1, 2
ANY_DIAGONAL, UNIT_DIAGONAL = 0, 1
NO_VECTORS, VECTORS = 0, 1
# cudaDataType_t
DATA_TYPE = {dtypes.float32: 0, dtypes.float64: 1, dtypes.complex64: 4, dtypes.complex128: 5}
_LETTERS = {dtypes.float32: "s", dtypes.float64: "d", dtypes.complex64: "c", dtypes.complex128: "z"}
_GEEV_VERSION = (11, 7, 1)  # of cuSOLVER, which CUDA 12.6 Update 2 brings: the first with `Xgeev`


def letter(dtype: np.dtype) -> str:
    """How the library's names begin for an element type."""
    return _LETTERS[dtype]


def is_available(gpu: Gpu) -> bool:
    """Whether both libraries are installed."""
    return gpu.binding(SOLVER) is not None and gpu.binding(BLAS) is not None


def has_geev(gpu: Gpu) -> bool:
    """Whether cuSOLVER has eigenvalues of general matrices, and CuPy binds them."""
    solver = gpu.binding(SOLVER)
    if solver is None or not hasattr(solver, "xgeev"):
        return False
    return tuple(solver.getProperty(i) for i in range(3)) >= _GEEV_VERSION


@dataclass(frozen=True, slots=True)
class Moving:
    """A slice that belongs to the first matrix, and moves on by so many bytes for each of the others."""

    slice: BufferSlice
    nbytes: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A number in the host's memory, which the library reads by its address when it is called."""

    value: float
    dtype: np.dtype


@dataclass(frozen=True, slots=True)
class Workspace:
    """The library's workspace, or its size, as arguments.

    Args:
        on_host: Whether it is in the host's memory.
        is_size: Whether its size is meant.
    """

    on_host: bool = False
    is_size: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """An object of the library's that calls take, such as the sweeps of Jacobi's method.

    Args:
        created: The function that makes it.
        destroyed: The function that destroys it.
    """

    created: str
    destroyed: str


WORK, LENGTH = Workspace(), Workspace(is_size=True)
HOST_WORK, HOST_LENGTH = Workspace(on_host=True), Workspace(on_host=True, is_size=True)
SYEVJ = Settings("createSyevjInfo", "destroySyevjInfo")
GESVDJ = Settings("createGesvdjInfo", "destroyGesvdjInfo")
PARAMS = Settings("createParams", "destroyParams")

Argument = int | BufferSlice | Moving | Constant | Workspace | Settings


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """A call for a batch of matrices, or one for each of them.

    Args:
        library: The library.
        function: The function's name in CuPy's bindings.
        arguments: Its arguments behind the handle.
        count: Number of calls; `Moving` slices move on from one to the next.
        query: The function that says how large a workspace is, with its arguments; None where there is none. It is
            given no addresses: sizes do not depend on them.
        itemsize: Bytes of the unit in which it says that.
        at: Where the workspace is.
    """

    library: str
    function: str
    arguments: tuple[Argument, ...]
    count: int
    query: tuple[str, tuple[int | Settings, ...]] | None
    itemsize: int
    at: BufferSlice

    def behind(self, at: BufferSlice) -> LibraryCall:
        """The same call with its workspace at another place."""
        return replace(self, at=at)

    def workspace(self, gpu: Gpu, ordinal: int) -> tuple[int, int]:
        """The size of the workspace on a GPU, in the function's units, and of one on the host."""
        if self.query is None:
            return 0, 0
        function, arguments = self.query
        binding = gpu.binding(self.library)
        with gpu.asking(self.library, ordinal) as handle, library_errors(binding, function):
            held = {each: _Made(binding, each) for each in arguments if isinstance(each, Settings)}
            given = [held[each].ptr if isinstance(each, Settings) else each for each in arguments]
            found = getattr(binding, function)(handle, *given)
        sizes = found if isinstance(found, tuple) else (found, 0)
        return int(sizes[0]), int(sizes[1])

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Ready:
        """Makes what its calls share: settings, constants, the workspace on the host."""
        with gpu.using(ordinal):
            return _Prepared(gpu, self, self.workspace(gpu, ordinal))


class _Prepared:
    """A call that is ready for a GPU.

    Args:
        gpu: The driver interface, whose current GPU it is for.
        call: The call.
        sizes: The sizes of its workspaces on the GPU and on the host.
    """

    def __init__(self, gpu: Gpu, call: LibraryCall, sizes: tuple[int, int]) -> None:
        self._binding = gpu.binding(call.library)
        self._call, self._run = call, getattr(self._binding, call.function)
        self._host = np.empty(max(1, sizes[1]), np.uint8)
        self._constants: list[np.ndarray] = []
        self._settings: list[_Made] = []
        self._fixed: list[int] = []
        self._moving: list[tuple[int, int, int, int]] = []  # place, index and offset of a slice, bytes to move on by
        for place, each in enumerate(call.arguments):
            self._fixed.append(self._value(each, sizes))
            if each is WORK:
                each = call.at if sizes[0] else 0
            if isinstance(each, Moving):
                self._moving.append((place, each.slice.index, each.slice.offset, each.nbytes))
            elif isinstance(each, BufferSlice):
                self._moving.append((place, each.index, each.offset, 0))

    def _value(self, argument: Argument, sizes: tuple[int, int]) -> int:
        """What an argument is in every call; 0 for what is elsewhere in each."""
        if isinstance(argument, int):
            return argument
        if isinstance(argument, Constant):
            self._constants.append(np.array(argument.value, argument.dtype))
            return int(self._constants[-1].ctypes.data)
        if isinstance(argument, Settings):
            with library_errors(self._binding, argument.created):
                self._settings.append(_Made(self._binding, argument))
            return self._settings[-1].ptr
        if isinstance(argument, Workspace):
            on_host = argument.on_host
            return sizes[on_host] if argument.is_size else int(self._host.ctypes.data) if on_host else 0
        return 0

    def __call__(self, stream: Stream, table: Table) -> None:
        """Enqueues the calls."""
        arguments, run, handle = list(self._fixed), self._run, stream.handle(self._call.library)
        starts = [(place, table[index] + offset, nbytes) for place, index, offset, nbytes in self._moving]
        with stream.current(), library_errors(self._binding, self._call.function):
            for i in range(self._call.count):
                for place, start, nbytes in starts:
                    arguments[place] = start + i * nbytes
                run(handle, *arguments)


class _Made:
    """An object of the library's.

    Args:
        binding: CuPy's bindings of the library.
        settings: Which.
    """

    __slots__ = ("_destroy", "ptr")

    def __init__(self, binding: Any, settings: Settings) -> None:
        self._destroy: Callable[[int], None] = getattr(binding, settings.destroyed)
        self.ptr = int(getattr(binding, settings.created)())

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over() and hasattr(self, "ptr"):
            with suppress(Exception):
                self._destroy(self.ptr)
