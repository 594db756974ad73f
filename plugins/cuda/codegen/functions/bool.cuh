// SPDX-License-Identifier: Apache-2.0
// Operations on truth values: bool olympus_bool_<operation>(bool, ...).

__device__ __forceinline__ bool olympus_bool_and(bool x, bool y) { return x & y; }

__device__ __forceinline__ bool olympus_bool_or(bool x, bool y) { return x | y; }

__device__ __forceinline__ bool olympus_bool_xor(bool x, bool y) { return x != y; }

__device__ __forceinline__ bool olympus_bool_max(bool x, bool y) { return x | y; }

__device__ __forceinline__ bool olympus_bool_min(bool x, bool y) { return x & y; }

__device__ __forceinline__ bool olympus_bool_eq(bool x, bool y) { return x == y; }

__device__ __forceinline__ bool olympus_bool_ne(bool x, bool y) { return x != y; }

__device__ __forceinline__ bool olympus_bool_lt(bool x, bool y) { return !x & y; }

__device__ __forceinline__ bool olympus_bool_le(bool x, bool y) { return !x | y; }

__device__ __forceinline__ bool olympus_bool_gt(bool x, bool y) { return x & !y; }

__device__ __forceinline__ bool olympus_bool_ge(bool x, bool y) { return x | !y; }

__device__ __forceinline__ bool olympus_bool_not(bool x) { return !x; }

__device__ __forceinline__ bool olympus_bool_clamp(bool low, bool x, bool high) { return (x | low) & high; }
