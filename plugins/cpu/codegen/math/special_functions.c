// SPDX-License-Identifier: Apache-2.0
// The functions of olympus_core/toolkit/special_functions for the CPU, each with a loop over arrays of operands whose
// results overwrite the first one. `python -m tools.native_ir` makes special_functions.ll of this file; the functions of
// C and those named olympus_float_* are this platform's own vector mathematics, of one lane.

#define __device__
#define sqrt __builtin_sqrt
#define fabs __builtin_fabs

double exp(double);
double expm1(double);
double log(double);
double log1p(double);
double pow(double, double);
double olympus_float_lgamma(double);
double olympus_float_digamma(double);

static inline double __longlong_as_double(long long bits) {
    union { long long bits; double value; } both = {bits};
    return both.value;
}

// Not every processor has an instruction for it.
static inline double floor(double x) {
    if (!(fabs(x) < 4503599627370496.0)) return x;
    double whole = (double)(long long)x;
    return whole > x ? whole - 1.0 : whole;
}

#include "special_functions.cuh"

#define EACH1(NAME) \
    void olympus_each_##NAME(double* x, long count) { \
        for (long i = 0; i < count; ++i) x[i] = olympus_##NAME(x[i]); \
    }
#define EACH2(NAME) \
    void olympus_each_##NAME(double* a, const double* x, long count) { \
        for (long i = 0; i < count; ++i) a[i] = olympus_##NAME(a[i], x[i]); \
    }

EACH1(bessel_i0e)
EACH1(bessel_i1e)
EACH2(igamma)
EACH2(igammac)
EACH2(igamma_grad_a)
EACH2(random_gamma_grad)
EACH2(zeta)
EACH2(polygamma)

void olympus_each_betainc(double* a, const double* b, const double* x, long count) {
    for (long i = 0; i < count; ++i) a[i] = olympus_betainc(a[i], b[i], x[i]);
}
