// SPDX-License-Identifier: Apache-2.0
// CUDA's mathematical functions: the C library's, and those that it lacks.
#pragma once

extern "C" {
#define OLYMPUS_UNARY(name) \
    double name(double) noexcept; \
    float name##f(float) noexcept;
#define OLYMPUS_BINARY(name) \
    double name(double, double) noexcept; \
    float name##f(float, float) noexcept;
#define OLYMPUS_UNARIES(_)                                                                                         \
    _(sin) _(cos) _(tan) _(asin) _(acos) _(atan) _(sinh) _(cosh) _(tanh) _(asinh) _(acosh) _(atanh) _(exp) _(exp2)   \
    _(exp10) _(expm1) _(log) _(log2) _(log10) _(log1p) _(sqrt) _(cbrt) _(erf) _(erfc) _(lgamma) _(tgamma) _(floor)  \
    _(ceil) _(trunc) _(rint) _(nearbyint) _(round) _(fabs) _(logb)
#define OLYMPUS_BINARIES(_) \
    _(pow) _(atan2) _(fmod) _(remainder) _(hypot) _(copysign) _(fmax) _(fmin) _(fdim) _(nextafter)
OLYMPUS_UNARIES(OLYMPUS_UNARY)
OLYMPUS_BINARIES(OLYMPUS_BINARY)
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
double frexp(double, int*) noexcept;
float frexpf(float, int*) noexcept;
double modf(double, double*) noexcept;
float modff(float, float*) noexcept;
int ilogb(double) noexcept;
int ilogbf(float) noexcept;
void sincos(double, double*, double*) noexcept;
void sincosf(float, float*, float*) noexcept;
long long llrint(double) noexcept;
long long llrintf(float) noexcept;
int abs(int) noexcept;
}
#define OLYMPUS_OVERLOAD(name) \
    inline float name(float x) { return name##f(x); }
#define OLYMPUS_OVERLOAD2(name) \
    inline float name(float x, float y) { return name##f(x, y); }
OLYMPUS_UNARIES(OLYMPUS_OVERLOAD)
OLYMPUS_BINARIES(OLYMPUS_OVERLOAD2)
inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
inline float ldexp(float x, int n) { return ldexpf(x, n); }
inline float abs(float x) { return fabsf(x); }
inline double abs(double x) { return fabs(x); }
inline long abs(long x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }

template <class T> inline bool isnan(T x) { return x != x; }
inline bool isinf(float x) { return __builtin_isinf(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline int signbit(float x) { return __builtin_signbitf(x); }
inline int signbit(double x) { return __builtin_signbit(x); }

#define OLYMPUS_EXTREMES(type)                                    \
    inline type min(type x, type y) { return y < x ? y : x; }     \
    inline type max(type x, type y) { return x < y ? y : x; }
OLYMPUS_EXTREMES(int) OLYMPUS_EXTREMES(unsigned) OLYMPUS_EXTREMES(long) OLYMPUS_EXTREMES(unsigned long)
OLYMPUS_EXTREMES(long long) OLYMPUS_EXTREMES(unsigned long long)
inline float min(float x, float y) { return fminf(x, y); }
inline float max(float x, float y) { return fmaxf(x, y); }
inline double min(double x, double y) { return fmin(x, y); }
inline double max(double x, double y) { return fmax(x, y); }

// ---------------------------------------------------------------------------------------------- what C has not
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rcbrt(double x) { return 1 / cbrt(x); }
inline float rcbrtf(float x) { return (float)(1 / cbrt((double)x)); }
inline double sinpi(double x) {
    double rest = x - 2 * rint(x * 0.5);
    return fabs(rest) == 1 ? copysign(0.0, x) : sin(3.14159265358979323846 * rest);
}
inline double cospi(double x) {
    double rest = x - 2 * rint(x * 0.5);
    return fabs(rest) == 0.5 ? 0.0 : cos(3.14159265358979323846 * rest);
}
inline float sinpif(float x) { return (float)sinpi((double)x); }
inline float cospif(float x) { return (float)cospi((double)x); }
inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
inline float normcdff(float x) { return (float)normcdf((double)x); }
inline double erfinv(double x) {
    double size = fabs(x);
    if (!(size <= 1)) return __builtin_nan("");
    if (size == 1) return copysign(__builtin_inf(), x);
    // M. B. Giles' start, then Newton's steps: on erf near zero, beyond on the logarithm of erfc.
    double w = -log1p(-size * size), y;
    if (w < 5) {
        const double c[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                            -0.00125372503, -0.00417768164, 0.246640727, 1.50140941};
        y = c[0];
        for (int i = 1; i < 9; ++i) y = y * (w - 2.5) + c[i];
    } else {
        const double c[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                            -0.0076224613, 0.00943887047, 1.00167406, 2.83297682};
        y = c[0];
        for (int i = 1; i < 9; ++i) y = y * (sqrt(w) - 3) + c[i];
    }
    y *= size;
    for (int i = 0; i < 4; ++i) {
        double slope = 1.12837916709551257390 * exp(-y * y), rest = erfc(y);
        y -= (size < 0.5 ? erf(y) - size : -log(rest / (1 - size)) * rest) / slope;
    }
    return copysign(y, x);
}
inline float erfinvf(float x) { return (float)erfinv((double)x); }
inline float erfinv(float x) { return erfinvf(x); }

// ---------------------------------------------------------------------------------------------- rounded operations
#define OLYMPUS_ROUNDED(prefix, type, root, fused)                                            \
    inline type prefix##add_rn(type x, type y) { return x + y; }                              \
    inline type prefix##sub_rn(type x, type y) { return x - y; }                              \
    inline type prefix##mul_rn(type x, type y) { return x * y; }                              \
    inline type prefix##div_rn(type x, type y) { return x / y; }                              \
    inline type prefix##rcp_rn(type x) { return 1 / x; }                                      \
    inline type prefix##sqrt_rn(type x) { return root(x); }
OLYMPUS_ROUNDED(__f, float, sqrtf, fmaf)
OLYMPUS_ROUNDED(__d, double, sqrt, fma)
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

// Conversions as the instruction does them: the nearest number that there is, zero for NaN (in 64 bits: the least).
template <class To, class From>
inline To olympus_whole(From x) {
    constexpr int bits = 8 * sizeof(To);
    constexpr bool is_signed = (To)-1 < (To)0;
    constexpr To least = is_signed ? (To)((To)1 << (bits - 1)) : (To)0, most = (To)~least;
    if (x != x) return bits == 64 ? (To)((To)1 << (bits - 1)) : (To)0;
    double limit = is_signed ? __builtin_ldexp(1.0, bits - 1) : __builtin_ldexp(1.0, bits);
    if ((double)x >= limit) return is_signed ? most : (To)~(To)0;
    return (double)x <= (double)least ? least : (To)x;
}
#define OLYMPUS_CONVERSIONS(name, From, To)                                                    \
    inline To name##_rz(From x) { return olympus_whole<To>(x); }                               \
    inline To name##_rn(From x) { return olympus_whole<To>(__builtin_rint(x)); }               \
    inline To name##_ru(From x) { return olympus_whole<To>(__builtin_ceil(x)); }               \
    inline To name##_rd(From x) { return olympus_whole<To>(__builtin_floor(x)); }
OLYMPUS_CONVERSIONS(__float2int, float, int) OLYMPUS_CONVERSIONS(__float2uint, float, unsigned)
OLYMPUS_CONVERSIONS(__float2ll, float, long long) OLYMPUS_CONVERSIONS(__float2ull, float, unsigned long long)
OLYMPUS_CONVERSIONS(__double2int, double, int) OLYMPUS_CONVERSIONS(__double2uint, double, unsigned)
OLYMPUS_CONVERSIONS(__double2ll, double, long long) OLYMPUS_CONVERSIONS(__double2ull, double, unsigned long long)
inline float __int2float_rn(int x) { return (float)x; }
inline float __uint2float_rn(unsigned x) { return (float)x; }
inline float __ll2float_rn(long long x) { return (float)x; }
inline float __ull2float_rn(unsigned long long x) { return (float)x; }
template <class T> inline float olympus_toward_zero(T x) {
    float y = (float)x;
    bool is_beyond = y > 0 ? (__int128)y > (__int128)x : (__int128)y < (__int128)x;
    return is_beyond ? __uint_as_float(__float_as_uint(y) - 1) : y;
}
inline float __int2float_rz(int x) { return olympus_toward_zero(x); }
inline float __uint2float_rz(unsigned x) { return olympus_toward_zero(x); }
inline float __ll2float_rz(long long x) { return olympus_toward_zero(x); }
inline float __ull2float_rz(unsigned long long x) { return olympus_toward_zero(x); }
inline double __int2double_rn(int x) { return (double)x; }
inline double __uint2double_rn(unsigned x) { return (double)x; }
inline double __ll2double_rn(long long x) { return (double)x; }
inline double __ull2double_rn(unsigned long long x) { return (double)x; }
inline float __double2float_rn(double x) { return (float)x; }
inline float __double2float_rz(double x) {
    float y = (float)x;
    return __builtin_fabs((double)y) > __builtin_fabs(x) ? __uint_as_float(__float_as_uint(y) - 1) : y;
}
