// SPDX-License-Identifier: Apache-2.0
// float16, bfloat16, float8_e4m3fn and float8_e5m2, which registers hold as float:
//   float olympus_load_<dtype>(storage)   storage olympus_store_<dtype>(float)   float olympus_round_<dtype>(float)
//   float olympus_float_next_after_<dtype>(float, float)
// Stored are the nearest numbers, ties to even; what is past the greatest is infinite, or NaN in float8_e4m3fn.

// The bits of the nearest number of a type with so many bits of exponent and mantissa, without sign; what is past the
// greatest number gives bits from `beyond` on.
template <int exponent, int mantissa, unsigned beyond>
__device__ __forceinline__ unsigned olympus_narrow_bits(unsigned size) {
    constexpr int bias = (1 << (exponent - 1)) - 1;
    if (size < (unsigned)(128 - bias) << 23) {
        // Below the normal numbers: an addition rounds to the least number's multiples.
        constexpr unsigned magic = (unsigned)(127 + 24 - bias - mantissa) << 23;
        return __float_as_uint(__uint_as_float(size) + __uint_as_float(magic)) - magic;
    }
    unsigned rounded = size + ((1u << (22 - mantissa)) - 1) + (size >> (23 - mantissa) & 1);
    rounded = (rounded - ((unsigned)(127 - bias) << 23)) >> (23 - mantissa);
    return rounded < beyond ? rounded : beyond;
}

// The number with such bits, if it is finite.
template <int exponent, int mantissa>
__device__ __forceinline__ float olympus_narrow_value(unsigned size) {
    constexpr int bias = (1 << (exponent - 1)) - 1;
    return __uint_as_float(size << (23 - mantissa)) * __uint_as_float((unsigned)(127 + 127 - bias) << 23);
}

__device__ __forceinline__ float olympus_load_float16(unsigned short bits) {
#ifdef __CUDA_ARCH__
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
#else
    unsigned sign = (bits & 0x8000u) << 16, size = bits & 0x7fffu;
    if (size >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | size << 13);
    return __uint_as_float(sign | __float_as_uint(olympus_narrow_value<5, 10>(size)));
#endif
}

__device__ __forceinline__ unsigned short olympus_store_float16(float x) {
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    unsigned bits = __float_as_uint(x), size = bits & 0x7fffffffu;
    return (unsigned short)((bits >> 16 & 0x8000u) |
                            (size > 0x7f800000u ? 0x7e00u : olympus_narrow_bits<5, 10, 0x7c00>(size)));
#endif
}

__device__ __forceinline__ float olympus_load_bfloat16(unsigned short bits) {
    return __uint_as_float((unsigned)bits << 16);
}

__device__ __forceinline__ unsigned short olympus_store_bfloat16(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short stored;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(stored) : "f"(x));
    return stored;
#else
    unsigned bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
#endif
}

__device__ __forceinline__ float olympus_load_float8_e4m3fn(unsigned char bits) {
    unsigned sign = (bits & 0x80u) << 24, size = bits & 0x7fu;
    if (size == 0x7fu) return __uint_as_float(sign | 0x7fc00000u);
    return __uint_as_float(sign | __float_as_uint(olympus_narrow_value<4, 3>(size)));
}

__device__ __forceinline__ unsigned char olympus_store_float8_e4m3fn(float x) {
    unsigned bits = __float_as_uint(x), size = bits & 0x7fffffffu;
    return (unsigned char)((bits >> 24 & 0x80u) |
                           (size >= 0x7f800000u ? 0x7fu : olympus_narrow_bits<4, 3, 0x7f>(size)));
}

__device__ __forceinline__ float olympus_load_float8_e5m2(unsigned char bits) {
    return olympus_load_float16((unsigned short)((unsigned)bits << 8));
}

__device__ __forceinline__ unsigned char olympus_store_float8_e5m2(float x) {
    unsigned bits = __float_as_uint(x), size = bits & 0x7fffffffu;
    return (unsigned char)((bits >> 24 & 0x80u) |
                           (size > 0x7f800000u ? 0x7eu : olympus_narrow_bits<5, 2, 0x7c>(size)));
}

__device__ __forceinline__ float olympus_round_float16(float x) {
    return olympus_load_float16(olympus_store_float16(x));
}

__device__ __forceinline__ float olympus_round_bfloat16(float x) {
    return olympus_load_bfloat16(olympus_store_bfloat16(x));
}

__device__ __forceinline__ float olympus_round_float8_e4m3fn(float x) {
    return olympus_load_float8_e4m3fn(olympus_store_float8_e4m3fn(x));
}

__device__ __forceinline__ float olympus_round_float8_e5m2(float x) {
    return olympus_load_float8_e5m2(olympus_store_float8_e5m2(x));
}

// The number beside x on the way to y, as bits, given their bits and values; neither is NaN.
template <class Bits, class T>
__device__ __forceinline__ Bits olympus_next_bits(Bits x_bits, Bits y_bits, T x, T y) {
    constexpr Bits sign = (Bits)((Bits)1 << (8 * sizeof(Bits) - 1));
    if (x == y) return y_bits;
    if (x == 0) return (Bits)((y_bits & sign) | 1);
    return (Bits)((x < y) == (x > 0) ? x_bits + 1 : x_bits - 1);
}

__device__ __forceinline__ float olympus_float_next_after_float16(float x, float y) {
    if (x != x || y != y) return x + y;
    return olympus_load_float16(olympus_next_bits(olympus_store_float16(x), olympus_store_float16(y), x, y));
}

__device__ __forceinline__ float olympus_float_next_after_bfloat16(float x, float y) {
    if (x != x || y != y) return x + y;
    return olympus_load_bfloat16(olympus_next_bits(olympus_store_bfloat16(x), olympus_store_bfloat16(y), x, y));
}

__device__ __forceinline__ float olympus_float_next_after_float8_e4m3fn(float x, float y) {
    if (x != x || y != y) return x + y;
    unsigned char from = olympus_store_float8_e4m3fn(x), to = olympus_store_float8_e4m3fn(y);
    return olympus_load_float8_e4m3fn(olympus_next_bits(from, to, x, y));
}

__device__ __forceinline__ float olympus_float_next_after_float8_e5m2(float x, float y) {
    if (x != x || y != y) return x + y;
    unsigned char from = olympus_store_float8_e5m2(x), to = olympus_store_float8_e5m2(y);
    return olympus_load_float8_e5m2(olympus_next_bits(from, to, x, y));
}
