// SPDX-License-Identifier: Apache-2.0
// Small matrices of large batches: as many matrices side by side as a vector has lanes, each in its lane.
#include "shared.h"

enum { MOST = 32, SWEEPS = 30 };  // rows and columns, _MOST in small.py; far more sweeps than any matrix needs

#define T float
#define LANES 8
#define NAME(name) name##_f32
#define ABSOLUTE __builtin_fabsf
#define NOT_A_NUMBER __builtin_nanf("")
#define INFINITE __builtin_inff()
#define WORD int32_t
#define NOT_A_SIGN 0x7fffffff
#define FRACTION_BITS 23
#define ROUNDING 0x1p-27f    // beside a matrix whose greatest element is from 1 to 2
#define NEGLIGIBLE 0x1p-60f
#include "small_kernels.h"
#include "small_eigenvalues.h"
#undef T
#undef LANES
#undef NAME
#undef ABSOLUTE
#undef NOT_A_NUMBER
#undef INFINITE
#undef WORD
#undef NOT_A_SIGN
#undef FRACTION_BITS
#undef ROUNDING
#undef NEGLIGIBLE

#define T double
#define LANES 4
#define NAME(name) name##_f64
#define ABSOLUTE __builtin_fabs
#define NOT_A_NUMBER __builtin_nan("")
#define INFINITE __builtin_inf()
#define WORD int64_t
#define NOT_A_SIGN 0x7fffffffffffffff
#define FRACTION_BITS 52
#define ROUNDING 0x1p-56
#define NEGLIGIBLE 0x1p-120
#include "small_kernels.h"
#include "small_eigenvalues.h"
