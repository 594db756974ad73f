# SPDX-License-Identifier: Apache-2.0
"""cuBLASLt through ctypes: a matrix product is described once and enqueued many times."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from olympus_core import dtypes

from ..errors import CublasLtError, CublasLtNotFoundError, CublasLtUnsupportedError
from ..nvidia import LibraryLocation, declare
from . import cublaslt_types as values

LOCATION = LibraryLocation(
    "OLYMPUS_CUBLASLT_LIBRARY", "cu*/lib/libcublasLt.so.*",
    ("libcublasLt.so.13", "libcublasLt.so", "/usr/local/cuda/lib64/libcublasLt.so"),
)
ASKED = 8  # algorithms that the library is asked for where one of them is chosen
ALIGNMENT = 256  # bytes: the alignment of allocations, and the most that the library asks for
# Chooses among the algorithms that the library proposes for a product, by their number.
Choose = Callable[["PreparedMatmul", Sequence[values.HeuristicResult]], int]
_POINTER, _SIZE, _INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
_SET = [_POINTER, _INT, _POINTER, _SIZE]
_SIGNATURES: dict[str, list[Any]] = {
    "cublasLtCreate": [_POINTER],
    "cublasLtDestroy": [_POINTER],
    "cublasLtMatmulDescCreate": [_POINTER, _INT, _INT],
    "cublasLtMatmulDescSetAttribute": _SET,
    "cublasLtMatmulDescDestroy": [_POINTER],
    "cublasLtMatrixLayoutCreate": [_POINTER, _INT, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64],
    "cublasLtMatrixLayoutSetAttribute": _SET,
    "cublasLtMatrixLayoutDestroy": [_POINTER],
    "cublasLtMatmulPreferenceCreate": [_POINTER],
    "cublasLtMatmulPreferenceSetAttribute": _SET,
    "cublasLtMatmulPreferenceDestroy": [_POINTER],
    "cublasLtMatmulAlgoGetHeuristic": [*[_POINTER] * 7, _INT, _POINTER, _POINTER],
    "cublasLtMatmul": [*[_POINTER] * 14, _SIZE, _POINTER],
}


@dataclass(frozen=True, slots=True)
class Matrix:
    """The layout of a column-major matrix, in elements.

    Args:
        dtype: The element type.
        rows: Number of rows, which are contiguous.
        columns: Number of columns.
        leading: The leading dimension: the distance between columns.
        stride: The distance between matrices of a batch.
    """

    dtype: np.dtype
    rows: int
    columns: int
    leading: int
    stride: int = 0


@dataclass(frozen=True, slots=True)
class Matmul:
    """D = epilogue(op(A) op(B)), with column-major matrices.

    Args:
        a: The first operand as stored.
        b: The second operand as stored.
        d: The result.
        transpose_a: Whether the first operand is transposed.
        transpose_b: Whether the second operand is transposed.
        batch: Number of matrices.
        bias: Whether a vector is added to each column of the result.
        relu: Whether ReLU is applied after the bias.
        gelu: Whether GELU in its tanh form is applied after the bias.
        workspace: Bytes of workspace that the library may use.
        tf32: Whether float32 operands may be read as TensorFloat-32, with 10 bits of mantissa.
    """

    a: Matrix
    b: Matrix
    d: Matrix
    transpose_a: bool
    transpose_b: bool
    batch: int = 1
    bias: bool = False
    relu: bool = False
    gelu: bool = False
    workspace: int = 0
    tf32: bool = False

    @property
    def compute(self) -> tuple[int, np.dtype]:
        """The library's compute type, and the element type of its scaling factors."""
        if dtypes.is_integer(self.a.dtype):
            return values.COMPUTE_32I, dtypes.int32
        if dtypes.is_complex(self.a.dtype):
            return (values.COMPUTE_32F if self.a.dtype == dtypes.complex64 else values.COMPUTE_64F), self.a.dtype
        if self.a.dtype == dtypes.float64:
            return values.COMPUTE_64F, dtypes.float64
        return (values.COMPUTE_32F_FAST_TF32 if self.tf32 else values.COMPUTE_32F), dtypes.float32


@cache
def library() -> Library:
    """The library, loaded at the first call.

    Raises:
        CublasLtNotFoundError: If there is none.
    """
    return LOCATION.load(Library, CublasLtNotFoundError)


class Library:
    """cuBLASLt as it is loaded in this process.

    Args:
        loaded: The loaded library.
    """

    def __init__(self, loaded: ctypes.CDLL) -> None:
        self.loaded = loaded
        declare(loaded, _SIGNATURES)
        self._name = loaded.cublasLtGetStatusName
        self._name.argtypes, self._name.restype = [_INT], ctypes.c_char_p
        self.matmul = loaded.cublasLtMatmul
        self._handles: dict[int, int] = {}
        self._lock = threading.Lock()

    def version(self) -> int:
        """The library's version, such as 130100."""
        function = self.loaded.cublasLtGetVersion
        function.restype = _SIZE
        return int(function())

    def check(self, function: str, status: int) -> None:
        """Raises the error of a status other than success."""
        if status:
            text: bytes = self._name(status)
            error = CublasLtUnsupportedError if status == values.STATUS_NOT_SUPPORTED else CublasLtError
            raise error(function, text.decode())

    def call(self, function: str, *arguments: Any) -> None:
        """Calls a function that has to succeed."""
        self.check(function, getattr(self.loaded, function)(*arguments))

    def created(self, what: str, *arguments: Any) -> int:
        """Creates an object: a handle or a descriptor."""
        made = ctypes.c_void_p()
        self.call(f"cublasLt{what}Create", ctypes.byref(made), *arguments)
        return made.value or 0

    def assign(self, what: str, made: int, attribute: int, value: Any) -> None:
        """Sets an attribute to a ctypes value of the attribute's size."""
        self.call(f"cublasLt{what}SetAttribute", made, attribute, ctypes.byref(value), ctypes.sizeof(value))

    def handle(self, ordinal: int) -> int:
        """The handle for a GPU, which has to be the current one at the first call."""
        with self._lock:
            if ordinal not in self._handles:
                self._handles[ordinal] = self.created("")
            return self._handles[ordinal]


class PreparedMatmul:
    """A product that is ready for one GPU: its descriptors, and the algorithm that the library's heuristic chooses.

    Args:
        lib: The library.
        ordinal: The GPU, which is the current one.
        matmul: The product.
        alignments: Alignments of the addresses of A, B, D and the bias, at least.
        choose: Chooses among the algorithms that the library proposes; None for the first.

    Raises:
        CublasLtUnsupportedError: If the library does not support the product on this GPU.
    """

    def __init__(
        self, lib: Library, ordinal: int, matmul: Matmul, alignments: Sequence[int], choose: Choose | None = None
    ) -> None:
        self._lib, self._made = lib, list[tuple[str, int]]()
        self._handle = lib.handle(ordinal)
        compute, scale = matmul.compute
        self._one, self._zero = np.ones(2, scale), np.zeros(2, scale)
        self._desc = self._new("MatmulDesc", compute, values.DATA_TYPE[scale])
        transposes = (values.DESC_TRANSA, matmul.transpose_a), (values.DESC_TRANSB, matmul.transpose_b)
        for attribute, transposed in transposes:
            lib.assign("MatmulDesc", self._desc, attribute, ctypes.c_int32(values.OP_T if transposed else values.OP_N))
        self._bias: int | None = None
        self._lock = threading.Lock()
        chosen = sum(bit for bit, wanted in ((values.EPILOGUE_BIAS, matmul.bias), (values.EPILOGUE_RELU, matmul.relu),
                                             (values.EPILOGUE_GELU, matmul.gelu)) if wanted)
        if chosen:
            lib.assign("MatmulDesc", self._desc, values.DESC_EPILOGUE, ctypes.c_uint32(chosen))
        if matmul.bias:
            kind = ctypes.c_int32(values.DATA_TYPE[matmul.d.dtype])
            lib.assign("MatmulDesc", self._desc, values.DESC_BIAS_DATA_TYPE, kind)
            self._set_bias(alignments[3])  # the heuristic considers only its alignment
        self._layouts = [self._layout(matrix, matmul.batch) for matrix in (matmul.a, matmul.b, matmul.d)]
        found = self._proposed(matmul, alignments, 1 if choose is None else ASKED)
        self._taken = found[choose(self, found) if choose is not None and len(found) > 1 else 0]

    def enqueue(self, stream: int, a: int, b: int, d: int, bias: int, workspace: int) -> None:
        """Enqueues the product in a stream; all addresses are device addresses."""
        self.enqueue_as(self._taken, stream, a, b, d, bias, workspace)

    def enqueue_as(
        self, algorithm: values.HeuristicResult, stream: int, a: int, b: int, d: int, bias: int, workspace: int
    ) -> None:
        """Enqueues the product by one of the algorithms that the library proposed."""
        if self._bias is None:
            self._run(algorithm, stream, a, b, d, workspace)
            return
        with self._lock:  # the address of the bias is part of the descriptor
            if bias != self._bias:
                self._set_bias(bias)
            self._run(algorithm, stream, a, b, d, workspace)

    def close(self) -> None:
        """Destroys the descriptors."""
        while self._made:
            what, made = self._made.pop()
            self._lib.call(f"cublasLt{what}Destroy", made)

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over():  # at the end of the process the library and this module may be gone
            with suppress(Exception):
                self.close()

    def _run(self, algorithm: values.HeuristicResult, stream: int, a: int, b: int, d: int, workspace: int) -> None:
        of_a, of_b, of_d = self._layouts
        status = self._lib.matmul(
            self._handle, self._desc, self._one.ctypes.data, a, of_a, b, of_b, self._zero.ctypes.data, d, of_d, d, of_d,
            ctypes.addressof(algorithm.algo), workspace if algorithm.workspace else None, algorithm.workspace, stream)
        if status:
            self._lib.check("cublasLtMatmul", status)

    def _set_bias(self, address: int) -> None:
        self._bias = address
        self._lib.assign("MatmulDesc", self._desc, values.DESC_BIAS_POINTER, ctypes.c_void_p(address))

    def _new(self, what: str, *arguments: Any) -> int:
        made = self._lib.created(what, *arguments)
        self._made.append((what, made))
        return made

    def _layout(self, matrix: Matrix, batch: int) -> int:
        kind = values.DATA_TYPE[matrix.dtype]
        made = self._new("MatrixLayout", kind, matrix.rows, matrix.columns, matrix.leading)
        if batch > 1:
            self._lib.assign("MatrixLayout", made, values.LAYOUT_BATCH_COUNT, ctypes.c_int32(batch))
            stride = ctypes.c_int64(matrix.stride)
            self._lib.assign("MatrixLayout", made, values.LAYOUT_STRIDED_BATCH_OFFSET, stride)
        return made

    def _proposed(self, matmul: Matmul, alignments: Sequence[int], asked: int) -> list[values.HeuristicResult]:
        """The algorithms that the library's heuristic proposes, best first."""
        lib, preference = self._lib, self._new("MatmulPreference")
        workspace = ctypes.c_uint64(matmul.workspace)
        lib.assign("MatmulPreference", preference, values.PREF_MAX_WORKSPACE_BYTES, workspace)
        if matmul.d.dtype.itemsize < 4:  # otherwise split-K may round partial sums to the result's type
            mask = ctypes.c_uint32(values.REDUCTION_SCHEME_COMPUTE_TYPE)
            lib.assign("MatmulPreference", preference, values.PREF_REDUCTION_SCHEME_MASK, mask)
        a, b, d = alignments[:3]
        for i, alignment in enumerate((a, b, d, d)):
            attribute = values.PREF_MIN_ALIGNMENT_A_BYTES + i
            lib.assign("MatmulPreference", preference, attribute, ctypes.c_uint32(alignment))
        results, count = (values.HeuristicResult * asked)(), ctypes.c_int()
        of_a, of_b, of_d = self._layouts
        lib.call("cublasLtMatmulAlgoGetHeuristic", self._handle, self._desc, of_a, of_b, of_d, of_d, preference, asked,
                 ctypes.addressof(results), ctypes.byref(count))
        if not count.value:
            lib.check("cublasLtMatmulAlgoGetHeuristic", values.STATUS_NOT_SUPPORTED)
        lib.check("cublasLtMatmulAlgoGetHeuristic", results[0].state)
        return [result for result in results[: count.value] if not result.state]
