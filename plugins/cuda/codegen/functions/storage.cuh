// SPDX-License-Identifier: Apache-2.0
// What lies in memory, as registers hold it, and back; the narrow floats are in narrow.cuh:
//   register olympus_load_<dtype>(storage)        storage olympus_store_<dtype>(register)
//   bits olympus_bits_<dtype>(register)           register olympus_from_bits_<dtype>(bits)

struct __align__(8) olympus_complex64 { float re, im; };

struct __align__(16) olympus_complex128 { double re, im; };

__device__ __forceinline__ bool olympus_load_bool(unsigned char x) { return x != 0; }

__device__ __forceinline__ unsigned char olympus_store_bool(bool x) { return x; }

__device__ __forceinline__ signed char olympus_load_int8(signed char x) { return x; }
__device__ __forceinline__ signed char olympus_store_int8(signed char x) { return x; }

__device__ __forceinline__ short olympus_load_int16(short x) { return x; }
__device__ __forceinline__ short olympus_store_int16(short x) { return x; }

__device__ __forceinline__ int olympus_load_int32(int x) { return x; }
__device__ __forceinline__ int olympus_store_int32(int x) { return x; }

__device__ __forceinline__ long long olympus_load_int64(long long x) { return x; }
__device__ __forceinline__ long long olympus_store_int64(long long x) { return x; }

__device__ __forceinline__ unsigned char olympus_load_uint8(unsigned char x) { return x; }
__device__ __forceinline__ unsigned char olympus_store_uint8(unsigned char x) { return x; }

__device__ __forceinline__ unsigned short olympus_load_uint16(unsigned short x) { return x; }
__device__ __forceinline__ unsigned short olympus_store_uint16(unsigned short x) { return x; }

__device__ __forceinline__ unsigned int olympus_load_uint32(unsigned int x) { return x; }
__device__ __forceinline__ unsigned int olympus_store_uint32(unsigned int x) { return x; }

__device__ __forceinline__ unsigned long long olympus_load_uint64(unsigned long long x) { return x; }
__device__ __forceinline__ unsigned long long olympus_store_uint64(unsigned long long x) { return x; }

__device__ __forceinline__ float olympus_load_float32(float x) { return x; }
__device__ __forceinline__ float olympus_store_float32(float x) { return x; }

__device__ __forceinline__ double olympus_load_float64(double x) { return x; }
__device__ __forceinline__ double olympus_store_float64(double x) { return x; }

__device__ __forceinline__ olympus_complex64 olympus_load_complex64(olympus_complex64 x) { return x; }
__device__ __forceinline__ olympus_complex64 olympus_store_complex64(olympus_complex64 x) { return x; }

__device__ __forceinline__ olympus_complex128 olympus_load_complex128(olympus_complex128 x) { return x; }
__device__ __forceinline__ olympus_complex128 olympus_store_complex128(olympus_complex128 x) { return x; }

__device__ __forceinline__ unsigned char olympus_bits_int8(signed char x) { return (unsigned char)x; }
__device__ __forceinline__ signed char olympus_from_bits_int8(unsigned char x) { return (signed char)x; }

__device__ __forceinline__ unsigned short olympus_bits_int16(short x) { return (unsigned short)x; }
__device__ __forceinline__ short olympus_from_bits_int16(unsigned short x) { return (short)x; }

__device__ __forceinline__ unsigned int olympus_bits_int32(int x) { return (unsigned int)x; }
__device__ __forceinline__ int olympus_from_bits_int32(unsigned int x) { return (int)x; }

__device__ __forceinline__ unsigned long long olympus_bits_int64(long long x) {
    return (unsigned long long)x;
}
__device__ __forceinline__ long long olympus_from_bits_int64(unsigned long long x) { return (long long)x; }

__device__ __forceinline__ unsigned char olympus_bits_uint8(unsigned char x) { return (unsigned char)x; }
__device__ __forceinline__ unsigned char olympus_from_bits_uint8(unsigned char x) { return (unsigned char)x; }

__device__ __forceinline__ unsigned short olympus_bits_uint16(unsigned short x) { return (unsigned short)x; }
__device__ __forceinline__ unsigned short olympus_from_bits_uint16(unsigned short x) {
    return (unsigned short)x;
}

__device__ __forceinline__ unsigned int olympus_bits_uint32(unsigned int x) { return (unsigned int)x; }
__device__ __forceinline__ unsigned int olympus_from_bits_uint32(unsigned int x) { return (unsigned int)x; }

__device__ __forceinline__ unsigned long long olympus_bits_uint64(unsigned long long x) {
    return (unsigned long long)x;
}
__device__ __forceinline__ unsigned long long olympus_from_bits_uint64(unsigned long long x) {
    return (unsigned long long)x;
}

__device__ __forceinline__ unsigned int olympus_bits_float32(float x) { return __float_as_uint(x); }
__device__ __forceinline__ float olympus_from_bits_float32(unsigned int x) { return __uint_as_float(x); }

__device__ __forceinline__ unsigned long long olympus_bits_float64(double x) {
    return (unsigned long long)__double_as_longlong(x);
}
__device__ __forceinline__ double olympus_from_bits_float64(unsigned long long x) {
    return __longlong_as_double((long long)x);
}

__device__ __forceinline__ unsigned short olympus_bits_float16(float x) { return olympus_store_float16(x); }
__device__ __forceinline__ float olympus_from_bits_float16(unsigned short x) {
    return olympus_load_float16(x);
}

__device__ __forceinline__ unsigned short olympus_bits_bfloat16(float x) { return olympus_store_bfloat16(x); }
__device__ __forceinline__ float olympus_from_bits_bfloat16(unsigned short x) {
    return olympus_load_bfloat16(x);
}

__device__ __forceinline__ unsigned char olympus_bits_float8_e4m3fn(float x) {
    return olympus_store_float8_e4m3fn(x);
}
__device__ __forceinline__ float olympus_from_bits_float8_e4m3fn(unsigned char x) {
    return olympus_load_float8_e4m3fn(x);
}

__device__ __forceinline__ unsigned char olympus_bits_float8_e5m2(float x) {
    return olympus_store_float8_e5m2(x);
}
__device__ __forceinline__ float olympus_from_bits_float8_e5m2(unsigned char x) {
    return olympus_load_float8_e5m2(x);
}
