// SPDX-License-Identifier: Apache-2.0
// Functions of complex numbers, in double whatever the parts' type: olympus_complex_<operation>(x).
// The inverse functions are W. Kahan's ("Branch cuts for complex elementary functions", 1987): they keep their digits
// and the sign of zero on branch cuts. Parts beyond the square root of the range may overflow on the way.
// At infinities and NaN they are what Annex G of C has.

template <class P> __device__ __forceinline__ olympus_complex128 olympus_wide(P x) {
    return {(double)x.re, (double)x.im};
}

__device__ __forceinline__ olympus_complex64 olympus_short(olympus_complex128 x) {
    return {(float)x.re, (float)x.im};
}

__device__ __forceinline__ bool olympus_is_bounded(double x) { return fabs(x) <= 1.7976931348623157e+308; }
// Whether a hyperbolic function would multiply a sine that is no number by zero or infinity.
__device__ __forceinline__ bool olympus_is_waveless(olympus_complex128 x) {
    return !olympus_is_bounded(x.im) && (x.re == 0 || isinf(x.re));
}

// Sines times an exponential that overflows, though the products may not: in steps.
__device__ __forceinline__ olympus_complex128 olympus_grown(double exponent, olympus_complex128 wave) {
    for (int i = 0; i < 2 && exponent > 709.0; ++i, exponent -= 709.0) {
        wave.re *= 8.218407461554972e+307, wave.im *= 8.218407461554972e+307;
    }
    double rest = exp(fmin(exponent, 709.0));  // after three steps the least number is infinite
    return {wave.re * rest, wave.im * rest};
}
__device__ __forceinline__ bool olympus_is_great(double exponent) {
    return exponent > 709.0 && exponent <= 1.7976931348623157e+308;
}

__device__ __forceinline__ olympus_complex128 olympus_complex_exp(olympus_complex128 x) {
    if (olympus_is_great(x.re)) return olympus_grown(x.re, {cos(x.im), sin(x.im)});
    double size = exp(x.re);
    if (x.im == 0) return {size, x.im};  // keeps infinity times zero out
    if (isinf(x.re) && !olympus_is_bounded(x.im)) return {size, x.re < 0 ? 0.0 : sin(x.im)};
    return {size * cos(x.im), size * sin(x.im)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_exp(olympus_complex64 x) {
    return olympus_short(olympus_complex_exp(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_expm1(olympus_complex128 x) {
    if (x.im == 0) return {expm1(x.re), x.im};
    if (x.re > 709.0 || isinf(x.re)) {
        olympus_complex128 power = olympus_complex_exp(x);
        return {power.re - 1.0, power.im};
    }
    double half = sin(0.5 * x.im);
    return {expm1(x.re) * cos(x.im) - 2.0 * (half * half), exp(x.re) * sin(x.im)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_expm1(olympus_complex64 x) {
    return olympus_short(olympus_complex_expm1(olympus_wide(x)));
}

// The logarithm of the size of a number, given the number one less and it.
__device__ __forceinline__ double olympus_log_size(olympus_complex128 less, olympus_complex128 x) {
    // Near one it lives on what the square's distance from one is.
    double square = less.re * (less.re + 2.0) + less.im * less.im;
    if (fabs(square) < 0.5) return 0.5 * log1p(square);
    // Subnormal sizes have few digits, unless they are scaled.
    if (fabs(x.re) < 0x1p-1022 && fabs(x.im) < 0x1p-1022) {
        return log(olympus_complex_abs(olympus_complex_make(x.re * 0x1p107, x.im * 0x1p107))) - 74.16674831991415;
    }
    // Great parts have a size that is no number.
    if (fabs(x.re) > 0x1p1020 || fabs(x.im) > 0x1p1020) {
        return log(olympus_complex_abs(olympus_complex_make(x.re * 0x1p-4, x.im * 0x1p-4))) + 2.772588722239781;
    }
    return log(olympus_complex_abs(x));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_log(olympus_complex128 x) {
    // Near i it is just so.
    bool upright = fabs(x.re) < fabs(x.im);
    olympus_complex128 less = {fabs(upright ? x.im : x.re) - 1.0, upright ? x.re : x.im};
    return {olympus_log_size(less, x), atan2(x.im, x.re)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_log(olympus_complex64 x) {
    return olympus_short(olympus_complex_log(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_log1p(olympus_complex128 x) {
    olympus_complex128 more = {x.re + 1.0, x.im};
    return {olympus_log_size(x, more), atan2(x.im, more.re)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_log1p(olympus_complex64 x) {
    return olympus_short(olympus_complex_log1p(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_sqrt(olympus_complex128 x) {
    if (isinf(x.im)) return {fabs(x.im), x.im};
    if (isinf(x.re)) {
        double none = x.im * 0.0;
        return {x.re > 0 ? x.re : fabs(none), x.re > 0 ? none : copysign(x.re, x.im)};
    }
    // The root of (size + |re|) / 2, of numbers so scaled that no digit is lost at either end of the range.
    bool room = fmax(fabs(x.re), fabs(x.im)) < 0x1p900;
    double scale = room ? 0x1p107 : 0x1p-3, back = room ? 0x1p-54 : 2.0;
    olympus_complex128 near = {fabs(x.re) * scale, fabs(x.im) * scale};
    double large = sqrt(olympus_complex_abs(near) + near.re);
    double small = large == 0 ? 0.0 : near.im / large * back;
    large *= back;
    return {x.re >= 0 ? large : small, copysign(x.re >= 0 ? small : large, x.im)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_sqrt(olympus_complex64 x) {
    return olympus_short(olympus_complex_sqrt(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_rsqrt(olympus_complex128 x) {
    olympus_complex128 one = {1.0, 0.0}, root = olympus_complex_sqrt(x);
    if (isinf(root.re) && isinf(root.im)) return {0.0, copysign(0.0, -root.im)};
    return olympus_complex_div(one, root);
}
__device__ __forceinline__ olympus_complex64 olympus_complex_rsqrt(olympus_complex64 x) {
    return olympus_short(olympus_complex_rsqrt(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_logistic(olympus_complex128 x) {
    // By the exponential that is not above one, which is the result itself where there is nothing beside it.
    olympus_complex128 one = {1.0, 0.0}, power = olympus_complex_exp(x.re < 0 ? x : olympus_complex_neg(x));
    return olympus_complex_div(x.re < 0 ? power : one, olympus_complex_add(power, one));
}
__device__ __forceinline__ olympus_complex64 olympus_complex_logistic(olympus_complex64 x) {
    return olympus_short(olympus_complex_logistic(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_sinh(olympus_complex128 x) {
    double size = fabs(x.re);
    if (olympus_is_great(size)) {
        // Half of the exponential: half of a wave might vanish.
        olympus_complex128 wave = olympus_grown(709.0, {copysign(1.0, x.re) * cos(x.im), sin(x.im)});
        return olympus_grown(size - 709.0, {0.5 * wave.re, 0.5 * wave.im});
    }
    if (x.im == 0) return {sinh(x.re), x.im};
    if (olympus_is_waveless(x)) return {x.re, sin(x.im)};
    return {sinh(x.re) * cos(x.im), cosh(x.re) * sin(x.im)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_sinh(olympus_complex64 x) {
    return olympus_short(olympus_complex_sinh(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_cosh(olympus_complex128 x) {
    double size = fabs(x.re);
    if (olympus_is_great(size)) {
        olympus_complex128 wave = olympus_grown(709.0, {cos(x.im), copysign(1.0, x.re) * sin(x.im)});
        return olympus_grown(size - 709.0, {0.5 * wave.re, 0.5 * wave.im});
    }
    if (x.im == 0) return {cosh(x.re), copysign(1.0, x.re) * x.im};
    if (olympus_is_waveless(x)) return {x.re == 0 ? sin(x.im) : fabs(x.re), x.re == 0 ? x.re : sin(x.im)};
    return {cosh(x.re) * cos(x.im), sinh(x.re) * sin(x.im)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_cosh(olympus_complex64 x) {
    return olympus_short(olympus_complex_cosh(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_tanh(olympus_complex128 x) {
    if (x.im == 0) return {tanh(x.re), x.im};
    if (olympus_is_waveless(x)) return {x.re == 0 ? x.re : copysign(1.0, x.re), x.re == 0 ? sin(x.im) : 0.0};
    double sine = sin(x.im), cosine = cos(x.im);
    if (fabs(x.re) > 20.0) {  // only the last digits of one differ, and the hyperbolic sine overflows
        double rest = 4.0 * (sine * cosine) * exp(-2.0 * fabs(x.re));
        return {copysign(1.0, x.re) + 0.0 * sine, rest};
    }
    double part = sinh(x.re), bottom = cosine * cosine + part * part;
    return {sqrt(1.0 + part * part) * part / bottom, sine * cosine / bottom};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_tanh(olympus_complex64 x) {
    return olympus_short(olympus_complex_tanh(olympus_wide(x)));
}

// Infinities and NaN: size and angle, as of the logarithm.
__device__ __forceinline__ bool olympus_is_finite(olympus_complex128 x) {
    return olympus_is_bounded(x.re) && olympus_is_bounded(x.im);
}

// The roots of 1 - x and of 1 + x.
__device__ __forceinline__ olympus_complex128 olympus_root_less(olympus_complex128 x) {
    return olympus_complex_sqrt(olympus_complex_make(1.0 - x.re, -x.im));
}
__device__ __forceinline__ olympus_complex128 olympus_root_more(olympus_complex128 x) {
    return olympus_complex_sqrt(olympus_complex_make(1.0 + x.re, x.im));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_asin(olympus_complex128 x) {
    if (!olympus_is_finite(x)) return {x.re == 0 ? x.re : atan2(x.re, fabs(x.im)), copysign(olympus_complex_abs(x), x.im)};
    olympus_complex128 low = olympus_root_less(x), high = olympus_root_more(x);
    return {atan2(x.re, olympus_complex_mul(low, high).re), asinh(low.re * high.im - low.im * high.re)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_asin(olympus_complex64 x) {
    return olympus_short(olympus_complex_asin(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_acos(olympus_complex128 x) {
    if (!olympus_is_finite(x)) return {x.re == 0 ? 1.5707963267948966 : atan2(fabs(x.im), x.re),
                                       copysign(olympus_complex_abs(x), -x.im)};
    olympus_complex128 low = olympus_root_less(x), high = olympus_root_more(x);
    return {2.0 * atan2(low.re, high.re), asinh(high.re * low.im - high.im * low.re)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_acos(olympus_complex64 x) {
    return olympus_short(olympus_complex_acos(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_acosh(olympus_complex128 x) {
    if (!olympus_is_finite(x)) return {olympus_complex_abs(x), atan2(x.im, x.re)};
    olympus_complex128 low = olympus_complex_sqrt(olympus_complex_make(x.re - 1.0, x.im)), high = olympus_root_more(x);
    return {asinh(low.re * high.re + low.im * high.im), 2.0 * atan2(low.im, high.re)};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_acosh(olympus_complex64 x) {
    return olympus_short(olympus_complex_acosh(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_atanh(olympus_complex128 x) {
    if (!olympus_is_finite(x)) {
        if (isinf(x.re) || isinf(x.im)) {
            return {copysign(0.0, x.re), isnan(x.im) ? x.im : copysign(1.5707963267948966, x.im)};
        }
        return {x.re == 0 ? x.re : x.re + x.im, x.re + x.im};
    }
    // Left of zero the ratio would come near minus one and lose its digits: the function is odd.
    double square = x.im * x.im, size = fabs(x.re), rest = 1.0 - size;
    double ratio = 4.0 * (size / (rest * rest + square));
    double angle = atan2(2.0 * x.im, (1.0 - x.re) * (1.0 + x.re) - square);
    // Beside a pole the square of the distance vanishes.
    bool pole = rest == 0 && fabs(x.im) < 0x1p-500;
    double real = pole ? 0.34657359027997264 - 0.5 * log(fabs(x.im)) : 0.25 * log1p(ratio);
    return {copysign(real, x.re), 0.5 * angle};
}
__device__ __forceinline__ olympus_complex64 olympus_complex_atanh(olympus_complex64 x) {
    return olympus_short(olympus_complex_atanh(olympus_wide(x)));
}

// The circular function of a hyperbolic one, or the other way about: f(x) = -i g(i x).
__device__ __forceinline__ olympus_complex128 olympus_turned(olympus_complex128 x) { return {-x.im, x.re}; }
__device__ __forceinline__ olympus_complex128 olympus_turned_back(olympus_complex128 x) {
    return {x.im, -x.re};
}

__device__ __forceinline__ olympus_complex128 olympus_complex_sin(olympus_complex128 x) {
    return olympus_turned_back(olympus_complex_sinh(olympus_turned(x)));
}
__device__ __forceinline__ olympus_complex64 olympus_complex_sin(olympus_complex64 x) {
    return olympus_short(olympus_complex_sin(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_tan(olympus_complex128 x) {
    return olympus_turned_back(olympus_complex_tanh(olympus_turned(x)));
}
__device__ __forceinline__ olympus_complex64 olympus_complex_tan(olympus_complex64 x) {
    return olympus_short(olympus_complex_tan(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_asinh(olympus_complex128 x) {
    return olympus_turned_back(olympus_complex_asin(olympus_turned(x)));
}
__device__ __forceinline__ olympus_complex64 olympus_complex_asinh(olympus_complex64 x) {
    return olympus_short(olympus_complex_asinh(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_atan(olympus_complex128 x) {
    return olympus_turned_back(olympus_complex_atanh(olympus_turned(x)));
}
__device__ __forceinline__ olympus_complex64 olympus_complex_atan(olympus_complex64 x) {
    return olympus_short(olympus_complex_atan(olympus_wide(x)));
}

__device__ __forceinline__ olympus_complex128 olympus_complex_cos(olympus_complex128 x) {
    return olympus_complex_cosh(olympus_turned(x));
}
__device__ __forceinline__ olympus_complex64 olympus_complex_cos(olympus_complex64 x) {
    return olympus_short(olympus_complex_cos(olympus_wide(x)));
}

// exp(y log x); zero to a power with a positive real part is zero, anything to zero is one.
__device__ __forceinline__ olympus_complex128 olympus_complex_pow(olympus_complex128 x, olympus_complex128 y) {
    if (y.re == 0 && y.im == 0) return {1.0, 0.0};
    if (x.re == 0 && x.im == 0 && y.re > 0) return {0.0, 0.0};
    return olympus_complex_exp(olympus_complex_mul(y, olympus_complex_log(x)));
}
__device__ __forceinline__ olympus_complex64 olympus_complex_pow(olympus_complex64 x, olympus_complex64 y) {
    return olympus_short(olympus_complex_pow(olympus_wide(x), olympus_wide(y)));
}
