# SPDX-License-Identifier: Apache-2.0
"""Constants and structures of cuBLASLt, as in `cublasLt.h`, `cublas_api.h` and `library_types.h` of CUDA 13."""

from __future__ import annotations

import ctypes

import numpy as np

from olympus_core import dtypes

STATUS_SUCCESS, STATUS_NOT_SUPPORTED = 0, 15

# cudaDataType_t
DATA_TYPE: dict[np.dtype, int] = {
    dtypes.float32: 0, dtypes.float64: 1, dtypes.float16: 2, dtypes.int8: 3, dtypes.complex64: 4, dtypes.complex128: 5,
    dtypes.int32: 10, dtypes.bfloat16: 14, dtypes.float8_e4m3fn: 28, dtypes.float8_e5m2: 29,
}
# cublasComputeType_t
COMPUTE_32F, COMPUTE_64F, COMPUTE_32I, COMPUTE_32F_FAST_TF32 = 68, 70, 72, 77
# cublasOperation_t
OP_N, OP_T = 0, 1
# cublasLtMatmulDescAttributes_t
DESC_TRANSA, DESC_TRANSB, DESC_EPILOGUE, DESC_BIAS_POINTER, DESC_BIAS_DATA_TYPE = 3, 4, 7, 8, 26
# cublasLtMatrixLayoutAttribute_t
LAYOUT_BATCH_COUNT, LAYOUT_STRIDED_BATCH_OFFSET = 5, 6
# cublasLtMatmulPreferenceAttributes_t; alignments of A, B, C and D are consecutive
PREF_MAX_WORKSPACE_BYTES, PREF_REDUCTION_SCHEME_MASK, PREF_MIN_ALIGNMENT_A_BYTES = 1, 3, 5
# cublasLtReductionScheme_t: split-K sums its parts in the compute type, in the workspace
REDUCTION_SCHEME_COMPUTE_TYPE = 2
# cublasLtEpilogue_t: bits, of which a bias may be combined with one activation
EPILOGUE_RELU, EPILOGUE_BIAS, EPILOGUE_GELU = 2, 4, 32


class HeuristicResult(ctypes.Structure):
    """`cublasLtMatmulHeuristicResult_t`."""

    _fields_ = [
        ("algo", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int),
        ("waves", ctypes.c_float), ("reserved", ctypes.c_int * 4),
    ]
