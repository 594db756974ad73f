// SPDX-License-Identifier: Apache-2.0
// lgamma and digamma, which CUDA has not, or not as exact among negative numbers: in double.
//   olympus_float_lgamma(x), olympus_float_digamma(x) of float and double
// From 8 on Stirling's series; below, steps of the recurrence lead to an interval with a polynomial, and their product
// or sum is taken once. Negative arguments are reflected: close to the zeros there the error is small beside 1.
// The polynomials are those of tools/fit_polynomials.py.

// lgamma(1.625 + x) between its zeros at 1 and 2, divided by the distances from both.
__device__ __forceinline__ double olympus_lgamma_polynomial(double x) {
    const double c[] = {
        -1.3400718376195592e-07, 2.0612124106151232e-07, 4.250045548433794e-07, -6.103331128771474e-07,
        -9.705705644407526e-07, 1.3759349145673573e-06, 7.553107325416751e-07, -8.922585753875909e-07,
        -1.6276139703953418e-06, 2.388479262373916e-06, -1.8325732488885488e-06, 3.37622747585828e-06,
        -6.90212455694916e-06, 1.1707383653970235e-05, -1.970809915620761e-05, 3.403023827376607e-05,
        -5.9025968396088394e-05, 0.00010263676584019538, -0.0001793892480097608, 0.00031549305438099143,
        -0.0005589497747314496, 0.0009992728666470584, -0.001807064014799741, 0.003317270853877174,
        -0.0062154504138960546, 0.011991915957147416, -0.024194436430694553, 0.052579426220432324,
        -0.13157899128683395, 0.46580963736232694};
    double y = c[0];
#pragma unroll
    for (int i = 1; i < 30; ++i) y = fma(y, x, c[i]);
    return y;
}

// Stirling's series of lgamma, in the square of the inverse.
__device__ __forceinline__ double olympus_lgamma_series(double x) {
    const double c[] = {
        -1.3924322169059011, 0.17964437236883057, -0.029550653594771242, 0.00641025641025641,
        -0.0019175269175269176, 0.0008417508417508417, -0.0005952380952380953, 0.0007936507936507937,
        -0.002777777777777778, 0.08333333333333333};
    double y = c[0];
#pragma unroll
    for (int i = 1; i < 10; ++i) y = fma(y, x, c[i]);
    return y;
}

// digamma between 1 and 2, divided by the distance from its root there.
__device__ __forceinline__ double olympus_digamma_polynomial(double x) {
    const double c[] = {
        0.00026786994654250497, -0.00037881183786302256, 0.00021700212330400578, -0.00035427039785987423,
        0.0007287617009800806, -0.0010779294561207675, 0.0015550332360671033, -0.002337487165245985,
        0.0035192905070179498, -0.005280913543255086, 0.007926913395155154, -0.011908145501574093,
        0.017907254532134643, -0.02697580008666742, 0.04076083373193734, -0.061922133188965105,
        0.09498872445651288, -0.14840492305488265, 0.24054248424076233, -0.4236274212814572,
        0.951055876031833};
    double y = c[0];
#pragma unroll
    for (int i = 1; i < 21; ++i) y = fma(y, x, c[i]);
    return y;
}

// The asymptotic series of digamma, in the square of the inverse.
__device__ __forceinline__ double olympus_digamma_series(double x) {
    const double c[] = {
        -26.456212121212122, 3.0539543302701198, -0.4432598039215686, 0.08333333333333333,
        -0.021092796092796094, 0.007575757575757576, -0.004166666666666667, 0.003968253968253968,
        -0.008333333333333333, 0.08333333333333333};
    double y = c[0];
#pragma unroll
    for (int i = 1; i < 10; ++i) y = fma(y, x, c[i]);
    return y;
}

// Of a number that is not negative, or NaN.
__device__ __forceinline__ double olympus_lgamma_positive(double z) {
    if (z >= 8.0) {
        double inverse = 1.0 / z;
        double series = fma(inverse, olympus_lgamma_series(inverse * inverse), 0.4189385332046728);
        return (z - 0.5) * (log(z) - 1.0) + series;
    }
    bool small = z < 0.75;
    double product = small ? z : 1.0, place = small ? z + 1.0 : z;
    for (int i = 0; i < 6 && place > 2.5; ++i) {
        place -= 1.0;
        product *= place;
    }
    double logarithm = log(product);
    double near = (place - 1.0) * (place - 2.0) * olympus_lgamma_polynomial(place - 1.625);
    return near + (small ? -logarithm : logarithm);
}

// The logarithm of the gamma function's size; infinite at its poles.
__device__ __forceinline__ double olympus_float_lgamma(double x) {
    const double pi = 3.14159265358979323846, infinity = __longlong_as_double(0x7ff0000000000000ll);
    double size = fabs(x);
    if (x == 0 || size == infinity) return infinity;
    double positive = olympus_lgamma_positive(size);
    if (!(x < -1e-100)) return positive;  // even among the least numbers, whose product would vanish
    double fraction = fabs(size - rint(size));
    if (fraction == 0) return infinity;  // where the other part may be infinite, too
    return log(pi / (size * sin(pi * fraction))) - positive;
}
__device__ __forceinline__ float olympus_float_lgamma(float x) {
    return (float)olympus_float_lgamma((double)x);
}

// Of a number that is not negative, or NaN.
__device__ __forceinline__ double olympus_digamma_positive(double z) {
    if (z >= 8.0) {
        double inverse = 1.0 / z, square = inverse * inverse;
        return log(z) - fma(square, olympus_digamma_series(square), inverse * 0.5);
    }
    // The sum of inverses as one quotient.
    bool small = z < 1.0;
    double top = small ? -1.0 : 0.0, bottom = small ? z : 1.0, place = small ? z + 1.0 : z;
    for (int i = 0; i < 6 && place > 2.0; ++i) {
        place -= 1.0;
        top = fma(top, place, bottom);
        bottom *= place;
    }
    double from_root = (place - 1.4616321449683622) - 9.549995429965697e-17;
    return from_root * olympus_digamma_polynomial(place - 1.5) + top / bottom;
}

// The derivative of lgamma; NaN at its poles.
__device__ __forceinline__ double olympus_float_digamma(double x) {
    const double pi = 3.14159265358979323846, nan = __longlong_as_double(0x7ff8000000000000ll);
    if (x == 0) return nan;
    double size = fabs(x), positive = olympus_digamma_positive(size);
    if (!(x < -1e-100)) return positive;  // even among the least numbers, whose product would vanish
    double offset = size - rint(size);
    if (offset == 0) return nan;
    double cotangent = copysign(pi * sin(pi * (0.5 - fabs(offset))) / sin(pi * fabs(offset)), offset);
    // Close to zero the cotangent is all, and the others cancel.
    return cotangent + (size < 8.673617379884035e-19 ? 0.0 : positive + 1.0 / size);
}
__device__ __forceinline__ float olympus_float_digamma(float x) {
    return (float)olympus_float_digamma((double)x);
}
