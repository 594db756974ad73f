// SPDX-License-Identifier: Apache-2.0
// Elements in another type: register olympus_convert_<dtype>(register of any type), the nearest number, ties to even.
// Floats become whole numbers by truncation; the nearest there is where there is none, zero for NaN.

template <class T> __device__ __forceinline__ T olympus_real_of(T x) { return x; }
__device__ __forceinline__ float olympus_real_of(olympus_complex64 x) { return x.re; }
__device__ __forceinline__ double olympus_real_of(olympus_complex128 x) { return x.re; }

template <class T> __device__ __forceinline__ T olympus_imaginary_of(T) { return (T)0; }
__device__ __forceinline__ float olympus_imaginary_of(olympus_complex64 x) { return x.im; }
__device__ __forceinline__ double olympus_imaginary_of(olympus_complex128 x) { return x.im; }

template <class To, class From>
__device__ __forceinline__ To olympus_saturated(From x) {
    constexpr int bits = 8 * sizeof(To);
    constexpr bool is_signed = (To)-1 < (To)1;
    constexpr To least = is_signed ? (To)(1ull << (bits - 1)) : (To)0, greatest = (To)~least;
    constexpr From above = (From)2 * (From)(1ull << (bits - (is_signed ? 2 : 1)));
    if (x != x) return 0;
    if (x >= above) return greatest;
    if (x < (From)least) return least;
    return bits < 32 ? (To)(int)x : (To)x;
}

template <class To, class From> __device__ __forceinline__ To olympus_whole(From x, To*) { return (To)x; }
template <class To> __device__ __forceinline__ To olympus_whole(float x, To*) {
    return olympus_saturated<To>(x);
}
template <class To> __device__ __forceinline__ To olympus_whole(double x, To*) {
    return olympus_saturated<To>(x);
}

// What can be rounded once more, to fewer digits, as if it had not been rounded before: rounded to odd.
template <class T> __device__ __forceinline__ float olympus_single(T x) { return (float)x; }
template <class T> __device__ __forceinline__ float olympus_odd(T x, float toward_zero) {
    return (T)toward_zero == x ? toward_zero : __uint_as_float(__float_as_uint(toward_zero) | 1);
}
__device__ __forceinline__ float olympus_single(int x) { return olympus_odd(x, __int2float_rz(x)); }
__device__ __forceinline__ float olympus_single(unsigned int x) { return olympus_odd(x, __uint2float_rz(x)); }
__device__ __forceinline__ float olympus_single(long long x) { return olympus_odd(x, __ll2float_rz(x)); }
__device__ __forceinline__ float olympus_single(unsigned long long x) { return olympus_odd(x, __ull2float_rz(x)); }
__device__ __forceinline__ float olympus_single(double x) {
    float y = (float)x;
    if (x != x || (double)y == x) return y;
    unsigned bits = __float_as_uint(y);
    return __uint_as_float((fabs((double)y) > fabs(x) ? bits - 1 : bits) | 1);
}

template <class T> __device__ __forceinline__ bool olympus_convert_bool(T x) {
    return olympus_real_of(x) != 0 || olympus_imaginary_of(x) != 0;
}

template <class T> __device__ __forceinline__ signed char olympus_convert_int8(T x) {
    return olympus_whole(olympus_real_of(x), (signed char*)0);
}

template <class T> __device__ __forceinline__ short olympus_convert_int16(T x) {
    return olympus_whole(olympus_real_of(x), (short*)0);
}

template <class T> __device__ __forceinline__ int olympus_convert_int32(T x) {
    return olympus_whole(olympus_real_of(x), (int*)0);
}

template <class T> __device__ __forceinline__ long long olympus_convert_int64(T x) {
    return olympus_whole(olympus_real_of(x), (long long*)0);
}

template <class T> __device__ __forceinline__ unsigned char olympus_convert_uint8(T x) {
    return olympus_whole(olympus_real_of(x), (unsigned char*)0);
}

template <class T> __device__ __forceinline__ unsigned short olympus_convert_uint16(T x) {
    return olympus_whole(olympus_real_of(x), (unsigned short*)0);
}

template <class T> __device__ __forceinline__ unsigned int olympus_convert_uint32(T x) {
    return olympus_whole(olympus_real_of(x), (unsigned int*)0);
}

template <class T> __device__ __forceinline__ unsigned long long olympus_convert_uint64(T x) {
    return olympus_whole(olympus_real_of(x), (unsigned long long*)0);
}

template <class T> __device__ __forceinline__ float olympus_convert_float32(T x) {
    return (float)olympus_real_of(x);
}

template <class T> __device__ __forceinline__ double olympus_convert_float64(T x) {
    return (double)olympus_real_of(x);
}

template <class T> __device__ __forceinline__ float olympus_convert_float16(T x) {
    return olympus_round_float16(olympus_single(olympus_real_of(x)));
}

template <class T> __device__ __forceinline__ float olympus_convert_bfloat16(T x) {
    return olympus_round_bfloat16(olympus_single(olympus_real_of(x)));
}

template <class T> __device__ __forceinline__ float olympus_convert_float8_e4m3fn(T x) {
    return olympus_round_float8_e4m3fn(olympus_single(olympus_real_of(x)));
}

template <class T> __device__ __forceinline__ float olympus_convert_float8_e5m2(T x) {
    return olympus_round_float8_e5m2(olympus_single(olympus_real_of(x)));
}

template <class T> __device__ __forceinline__ olympus_complex64 olympus_convert_complex64(T x) {
    return {(float)olympus_real_of(x), (float)olympus_imaginary_of(x)};
}

template <class T> __device__ __forceinline__ olympus_complex128 olympus_convert_complex128(T x) {
    return {(double)olympus_real_of(x), (double)olympus_imaginary_of(x)};
}
