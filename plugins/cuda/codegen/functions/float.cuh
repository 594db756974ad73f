// SPDX-License-Identifier: Apache-2.0
// Operations on floats: float olympus_float_<operation>(float, ...), likewise double. Narrow floats are computed as
// float and rounded by the caller. CUDA's own functions, never their fast forms.

__device__ __forceinline__ float olympus_float_add(float x, float y) { return x + y; }
__device__ __forceinline__ double olympus_float_add(double x, double y) { return x + y; }

__device__ __forceinline__ float olympus_float_sub(float x, float y) { return x - y; }
__device__ __forceinline__ double olympus_float_sub(double x, double y) { return x - y; }

__device__ __forceinline__ float olympus_float_mul(float x, float y) { return x * y; }
__device__ __forceinline__ double olympus_float_mul(double x, double y) { return x * y; }

__device__ __forceinline__ float olympus_float_div(float x, float y) { return x / y; }
__device__ __forceinline__ double olympus_float_div(double x, double y) { return x / y; }

__device__ __forceinline__ bool olympus_float_eq(float x, float y) { return x == y; }
__device__ __forceinline__ bool olympus_float_eq(double x, double y) { return x == y; }

__device__ __forceinline__ bool olympus_float_ne(float x, float y) { return x != y; }
__device__ __forceinline__ bool olympus_float_ne(double x, double y) { return x != y; }

__device__ __forceinline__ bool olympus_float_lt(float x, float y) { return x < y; }
__device__ __forceinline__ bool olympus_float_lt(double x, double y) { return x < y; }

__device__ __forceinline__ bool olympus_float_le(float x, float y) { return x <= y; }
__device__ __forceinline__ bool olympus_float_le(double x, double y) { return x <= y; }

__device__ __forceinline__ bool olympus_float_gt(float x, float y) { return x > y; }
__device__ __forceinline__ bool olympus_float_gt(double x, double y) { return x > y; }

__device__ __forceinline__ bool olympus_float_ge(float x, float y) { return x >= y; }
__device__ __forceinline__ bool olympus_float_ge(double x, double y) { return x >= y; }

__device__ __forceinline__ float olympus_float_neg(float x) { return -x; }
__device__ __forceinline__ double olympus_float_neg(double x) { return -x; }

__device__ __forceinline__ float olympus_float_abs(float x) { return fabsf(x); }
__device__ __forceinline__ double olympus_float_abs(double x) { return fabs(x); }

__device__ __forceinline__ float olympus_float_floor(float x) { return floorf(x); }
__device__ __forceinline__ double olympus_float_floor(double x) { return floor(x); }

__device__ __forceinline__ float olympus_float_ceil(float x) { return ceilf(x); }
__device__ __forceinline__ double olympus_float_ceil(double x) { return ceil(x); }

__device__ __forceinline__ float olympus_float_round(float x) { return rintf(x); }
__device__ __forceinline__ double olympus_float_round(double x) { return rint(x); }

__device__ __forceinline__ float olympus_float_exp(float x) { return expf(x); }
__device__ __forceinline__ double olympus_float_exp(double x) { return exp(x); }

__device__ __forceinline__ float olympus_float_expm1(float x) { return expm1f(x); }
__device__ __forceinline__ double olympus_float_expm1(double x) { return expm1(x); }

__device__ __forceinline__ float olympus_float_log(float x) { return logf(x); }
__device__ __forceinline__ double olympus_float_log(double x) { return log(x); }

__device__ __forceinline__ float olympus_float_log1p(float x) { return log1pf(x); }
__device__ __forceinline__ double olympus_float_log1p(double x) { return log1p(x); }

__device__ __forceinline__ float olympus_float_sqrt(float x) { return sqrtf(x); }
__device__ __forceinline__ double olympus_float_sqrt(double x) { return sqrt(x); }

// CUDA promises two units for rsqrtf, which is all that is allowed; these two roundings are off by one and a half.
__device__ __forceinline__ float olympus_float_rsqrt(float x) { return __fdiv_rn(1.0f, __fsqrt_rn(x)); }
__device__ __forceinline__ double olympus_float_rsqrt(double x) { return rsqrt(x); }

__device__ __forceinline__ float olympus_float_cbrt(float x) { return cbrtf(x); }
__device__ __forceinline__ double olympus_float_cbrt(double x) { return cbrt(x); }

__device__ __forceinline__ float olympus_float_sin(float x) { return sinf(x); }
__device__ __forceinline__ double olympus_float_sin(double x) { return sin(x); }

__device__ __forceinline__ float olympus_float_cos(float x) { return cosf(x); }
__device__ __forceinline__ double olympus_float_cos(double x) { return cos(x); }

__device__ __forceinline__ float olympus_float_tan(float x) { return tanf(x); }
__device__ __forceinline__ double olympus_float_tan(double x) { return tan(x); }

__device__ __forceinline__ float olympus_float_asin(float x) { return asinf(x); }
__device__ __forceinline__ double olympus_float_asin(double x) { return asin(x); }

__device__ __forceinline__ float olympus_float_acos(float x) { return acosf(x); }
__device__ __forceinline__ double olympus_float_acos(double x) { return acos(x); }

__device__ __forceinline__ float olympus_float_atan(float x) { return atanf(x); }
__device__ __forceinline__ double olympus_float_atan(double x) { return atan(x); }

__device__ __forceinline__ float olympus_float_sinh(float x) { return sinhf(x); }
__device__ __forceinline__ double olympus_float_sinh(double x) { return sinh(x); }

__device__ __forceinline__ float olympus_float_cosh(float x) { return coshf(x); }
__device__ __forceinline__ double olympus_float_cosh(double x) { return cosh(x); }

__device__ __forceinline__ float olympus_float_tanh(float x) { return tanhf(x); }
__device__ __forceinline__ double olympus_float_tanh(double x) { return tanh(x); }

__device__ __forceinline__ float olympus_float_asinh(float x) { return asinhf(x); }
__device__ __forceinline__ double olympus_float_asinh(double x) { return asinh(x); }

__device__ __forceinline__ float olympus_float_acosh(float x) { return acoshf(x); }
__device__ __forceinline__ double olympus_float_acosh(double x) { return acosh(x); }

__device__ __forceinline__ float olympus_float_atanh(float x) { return atanhf(x); }
__device__ __forceinline__ double olympus_float_atanh(double x) { return atanh(x); }

__device__ __forceinline__ float olympus_float_erf(float x) { return erff(x); }
__device__ __forceinline__ double olympus_float_erf(double x) { return erf(x); }

__device__ __forceinline__ float olympus_float_erfc(float x) { return erfcf(x); }
__device__ __forceinline__ double olympus_float_erfc(double x) { return erfc(x); }

__device__ __forceinline__ float olympus_float_erf_inv(float x) { return erfinvf(x); }
__device__ __forceinline__ double olympus_float_erf_inv(double x) { return erfinv(x); }

__device__ __forceinline__ float olympus_float_atan2(float x, float y) { return atan2f(x, y); }
__device__ __forceinline__ double olympus_float_atan2(double x, double y) { return atan2(x, y); }

__device__ __forceinline__ float olympus_float_pow(float x, float y) { return powf(x, y); }
__device__ __forceinline__ double olympus_float_pow(double x, double y) {
    return x == 2.0 ? exp2(y) : pow(x, y);  // powers of two are exact; of CUDA's `pow` they are not
}

// Exact, with the sign of x.
__device__ __forceinline__ float olympus_float_rem(float x, float y) { return fmodf(x, y); }
__device__ __forceinline__ double olympus_float_rem(double x, double y) { return fmod(x, y); }

__device__ __forceinline__ bool olympus_float_is_finite(float x) {
    return fabsf(x) < __uint_as_float(0x7f800000u);
}
__device__ __forceinline__ bool olympus_float_is_finite(double x) {
    return fabs(x) < __longlong_as_double(0x7ff0000000000000ll);
}

// Zeros keep their sign, and NaN stays.
__device__ __forceinline__ float olympus_float_sign(float x) {
    return x < 0 || x > 0 ? copysignf(1.0f, x) : x;
}
__device__ __forceinline__ double olympus_float_sign(double x) {
    return x < 0 || x > 0 ? copysign(1.0, x) : x;
}

// NaN wins.
__device__ __forceinline__ float olympus_float_max(float x, float y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float result;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
    return result;
#else
    return x > y || x != x ? x : y;
#endif
}
__device__ __forceinline__ double olympus_float_max(double x, double y) { return x > y || x != x ? x : y; }

// NaN wins.
__device__ __forceinline__ float olympus_float_min(float x, float y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float result;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
    return result;
#else
    return x < y || x != x ? x : y;
#endif
}
__device__ __forceinline__ double olympus_float_min(double x, double y) { return x < y || x != x ? x : y; }

__device__ __forceinline__ float olympus_float_clamp(float low, float x, float high) {
    return olympus_float_min(olympus_float_max(x, low), high);
}
__device__ __forceinline__ double olympus_float_clamp(double low, double x, double high) {
    return olympus_float_min(olympus_float_max(x, low), high);
}

// By the exponential of what is not positive, which never overflows: both tails are exact.
__device__ __forceinline__ float olympus_float_logistic(float x) {
    float small = expf(-fabsf(x));
    return (x < 0 ? small : 1.0f) / (1.0f + small);
}
__device__ __forceinline__ double olympus_float_logistic(double x) {
    double small = exp(-fabs(x));
    return (x < 0 ? small : 1.0) / (1.0 + small);
}

__device__ __forceinline__ float olympus_float_next_after(float x, float y) {
    if (x != x || y != y) return x + y;
    return __uint_as_float(olympus_next_bits(__float_as_uint(x), __float_as_uint(y), x, y));
}
__device__ __forceinline__ double olympus_float_next_after(double x, double y) {
    if (x != x || y != y) return x + y;
    unsigned long long from = __double_as_longlong(x), to = __double_as_longlong(y);
    return __longlong_as_double((long long)olympus_next_bits(from, to, x, y));
}
