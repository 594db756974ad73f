// SPDX-License-Identifier: Apache-2.0
// Arithmetic of complex numbers: olympus_complex64 and olympus_complex128 olympus_complex_<operation>.

__device__ __forceinline__ olympus_complex64 olympus_complex_make(float re, float im) { return {re, im}; }
__device__ __forceinline__ olympus_complex128 olympus_complex_make(double re, double im) { return {re, im}; }

__device__ __forceinline__ float olympus_complex_real(olympus_complex64 x) { return x.re; }
__device__ __forceinline__ double olympus_complex_real(olympus_complex128 x) { return x.re; }

__device__ __forceinline__ float olympus_complex_imag(olympus_complex64 x) { return x.im; }
__device__ __forceinline__ double olympus_complex_imag(olympus_complex128 x) { return x.im; }

__device__ __forceinline__ bool olympus_complex_eq(olympus_complex64 x, olympus_complex64 y) {
    return x.re == y.re && x.im == y.im;
}
__device__ __forceinline__ bool olympus_complex_eq(olympus_complex128 x, olympus_complex128 y) {
    return x.re == y.re && x.im == y.im;
}

__device__ __forceinline__ bool olympus_complex_ne(olympus_complex64 x, olympus_complex64 y) {
    return x.re != y.re || x.im != y.im;
}
__device__ __forceinline__ bool olympus_complex_ne(olympus_complex128 x, olympus_complex128 y) {
    return x.re != y.re || x.im != y.im;
}

__device__ __forceinline__ olympus_complex64 olympus_complex_neg(olympus_complex64 x) {
    return {-x.re, -x.im};
}
__device__ __forceinline__ olympus_complex128 olympus_complex_neg(olympus_complex128 x) {
    return {-x.re, -x.im};
}

__device__ __forceinline__ olympus_complex64 olympus_complex_conj(olympus_complex64 x) {
    return {x.re, -x.im};
}
__device__ __forceinline__ olympus_complex128 olympus_complex_conj(olympus_complex128 x) {
    return {x.re, -x.im};
}

__device__ __forceinline__ olympus_complex64 olympus_complex_add(olympus_complex64 x, olympus_complex64 y) {
    return {x.re + y.re, x.im + y.im};
}
__device__ __forceinline__ olympus_complex128 olympus_complex_add(olympus_complex128 x, olympus_complex128 y) {
    return {x.re + y.re, x.im + y.im};
}

__device__ __forceinline__ olympus_complex64 olympus_complex_sub(olympus_complex64 x, olympus_complex64 y) {
    return {x.re - y.re, x.im - y.im};
}
__device__ __forceinline__ olympus_complex128 olympus_complex_sub(olympus_complex128 x, olympus_complex128 y) {
    return {x.re - y.re, x.im - y.im};
}

// By its definition.
__device__ __forceinline__ olympus_complex64 olympus_complex_mul(olympus_complex64 x, olympus_complex64 y) {
    return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
__device__ __forceinline__ olympus_complex128 olympus_complex_mul(olympus_complex128 x, olympus_complex128 y) {
    return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

// Smith's quotient: by the part of the divisor that is greater, so that nothing overflows on the way.
// What an infinite number divides is zero in the quotient's direction, as in C (ISO C, annex G.5.1).
__device__ __forceinline__ olympus_complex64 olympus_complex_div(olympus_complex64 x, olympus_complex64 y) {
    if (isinf(y.re) || isinf(y.im)) {
        float re = copysignf(isinf(y.re) ? (float)1 : (float)0, y.re);
        float im = copysignf(isinf(y.im) ? (float)1 : (float)0, y.im);
        return {(x.re * re + x.im * im) * (float)0, (x.im * re - x.re * im) * (float)0};
    }
    if (fabsf(y.re) >= fabsf(y.im)) {
        if (y.re == 0) return {x.re / fabsf(y.re), x.im / fabsf(y.re)};  // both parts are zero
        float ratio = y.im / y.re, scale = (float)1 / (y.re + y.im * ratio);
        return {(x.re + x.im * ratio) * scale, (x.im - x.re * ratio) * scale};
    }
    float ratio = y.re / y.im, scale = (float)1 / (y.im + y.re * ratio);
    return {(x.im + x.re * ratio) * scale, (x.im * ratio - x.re) * scale};
}
__device__ __forceinline__ olympus_complex128 olympus_complex_div(olympus_complex128 x, olympus_complex128 y) {
    if (isinf(y.re) || isinf(y.im)) {
        double re = copysign(isinf(y.re) ? (double)1 : (double)0, y.re);
        double im = copysign(isinf(y.im) ? (double)1 : (double)0, y.im);
        return {(x.re * re + x.im * im) * (double)0, (x.im * re - x.re * im) * (double)0};
    }
    if (fabs(y.re) >= fabs(y.im)) {
        if (y.re == 0) return {x.re / fabs(y.re), x.im / fabs(y.re)};  // both parts are zero
        double ratio = y.im / y.re, scale = (double)1 / (y.re + y.im * ratio);
        return {(x.re + x.im * ratio) * scale, (x.im - x.re * ratio) * scale};
    }
    double ratio = y.re / y.im, scale = (double)1 / (y.im + y.re * ratio);
    return {(x.im + x.re * ratio) * scale, (x.im * ratio - x.re) * scale};
}

// Infinite where a part is, even beside NaN.
__device__ __forceinline__ float olympus_complex_abs(olympus_complex64 x) { return hypotf(x.re, x.im); }
__device__ __forceinline__ double olympus_complex_abs(olympus_complex128 x) { return hypot(x.re, x.im); }

// Zero where it is zero.
__device__ __forceinline__ olympus_complex64 olympus_complex_sign(olympus_complex64 x) {
    float size = olympus_complex_abs(x);
    if (size == 0) return x;
    return {x.re / size, x.im / size};
}
__device__ __forceinline__ olympus_complex128 olympus_complex_sign(olympus_complex128 x) {
    double size = olympus_complex_abs(x);
    if (size == 0) return x;
    return {x.re / size, x.im / size};
}
