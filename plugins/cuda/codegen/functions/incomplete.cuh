// SPDX-License-Identifier: Apache-2.0
// Incomplete gamma and beta functions, Bessel and zeta functions for the registers of floats; what they do is in the
// toolkit's special_functions.cuh, in double.

__device__ __forceinline__ double olympus_float_igamma(double a, double x) {
    return olympus_igamma(a, x);
}
__device__ __forceinline__ float olympus_float_igamma(float a, float x) {
    return (float)olympus_igamma((double)a, (double)x);
}

__device__ __forceinline__ double olympus_float_igammac(double a, double x) {
    return olympus_igammac(a, x);
}
__device__ __forceinline__ float olympus_float_igammac(float a, float x) {
    return (float)olympus_igammac((double)a, (double)x);
}

__device__ __forceinline__ double olympus_float_igamma_grad_a(double a, double x) {
    return olympus_igamma_grad_a(a, x);
}
__device__ __forceinline__ float olympus_float_igamma_grad_a(float a, float x) {
    return (float)olympus_igamma_grad_a((double)a, (double)x);
}

__device__ __forceinline__ double olympus_float_random_gamma_grad(double a, double x) {
    return olympus_random_gamma_grad(a, x);
}
__device__ __forceinline__ float olympus_float_random_gamma_grad(float a, float x) {
    return (float)olympus_random_gamma_grad((double)a, (double)x);
}

__device__ __forceinline__ double olympus_float_betainc(double a, double b, double c) {
    return olympus_betainc(a, b, c);
}
__device__ __forceinline__ float olympus_float_betainc(float a, float b, float c) {
    return (float)olympus_betainc((double)a, (double)b, (double)c);
}

__device__ __forceinline__ double olympus_float_bessel_i0e(double x) {
    return olympus_bessel_i0e(x);
}
__device__ __forceinline__ float olympus_float_bessel_i0e(float x) {
    return (float)olympus_bessel_i0e((double)x);
}

__device__ __forceinline__ double olympus_float_bessel_i1e(double x) {
    return olympus_bessel_i1e(x);
}
__device__ __forceinline__ float olympus_float_bessel_i1e(float x) {
    return (float)olympus_bessel_i1e((double)x);
}

__device__ __forceinline__ double olympus_float_zeta(double a, double x) {
    return olympus_zeta(a, x);
}
__device__ __forceinline__ float olympus_float_zeta(float a, float x) {
    return (float)olympus_zeta((double)a, (double)x);
}

__device__ __forceinline__ double olympus_float_polygamma(double a, double x) {
    return olympus_polygamma(a, x);
}
__device__ __forceinline__ float olympus_float_polygamma(float a, float x) {
    return (float)olympus_polygamma((double)a, (double)x);
}
