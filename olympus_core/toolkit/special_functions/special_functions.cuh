// SPDX-License-Identifier: Apache-2.0
// Incomplete gamma and beta functions, Bessel and zeta functions, in double: one text for processors and for GPUs.
//
// CUDA programs contain these paragraphs as they are. The CPU platform has their LLVM IR
// (plugins/cpu/codegen/math/special_functions.ll, made by `python -m tools.native_ir`). A paragraph, between empty
// lines, defines the names in its first columns. Functions use exp, log, log1p, expm1, pow, sin, sqrt, fabs, floor of C,
// and olympus_float_lgamma and olympus_float_digamma of their platform.
//
// Coefficients are those of `python -m tools.fit_special_functions`.

// What log(1 + x) is beyond x, from the series of the logarithm in r = x / (2 + x) near zero.
__device__ double olympus_log1p_less_x(double x) {
    const double c[] = {
        0.02857142857142857, 0.030303030303030304, 0.03225806451612903, 0.034482758620689655,
        0.037037037037037035, 0.04, 0.043478260869565216, 0.047619047619047616,
        0.05263157894736842, 0.058823529411764705, 0.06666666666666667, 0.07692307692307693,
        0.09090909090909091, 0.1111111111111111, 0.14285714285714285, 0.2,
        0.3333333333333333};
    if (!(x > -0.5 && x < 1.0)) return log1p(x) - x;
    double r = x / (2.0 + x), square = r * r, y = c[0];
    for (int i = 1; i < 17; ++i) y = y * square + c[i];
    return r * (2.0 * square * y - x);
}

// What log(gamma(a)) is beyond Stirling's formula; a is at least 10.
__device__ double olympus_stirling_rest(double a) {
    const double c[] = {
        -1.3924322169059011, 0.17964437236883057, -0.029550653594771242, 0.00641025641025641,
        -0.0019175269175269176, 0.0008417508417508417, -0.0005952380952380953, 0.0007936507936507937,
        -0.002777777777777778, 0.08333333333333333};
    double inverse = 1.0 / a, square = inverse * inverse, y = c[0];
    for (int i = 1; i < 10; ++i) y = y * square + c[i];
    return y * inverse;
}

// log(a) - digamma(a).
__device__ double olympus_log_less_digamma(double a) {
    const double c[] = {
        -26.456212121212122, 3.0539543302701198, -0.4432598039215686, 0.08333333333333333,
        -0.021092796092796094, 0.007575757575757576, -0.004166666666666667, 0.003968253968253968,
        -0.008333333333333333, 0.08333333333333333};
    if (a < 10.0) return log(a) - olympus_float_digamma(a);
    double inverse = 1.0 / a, square = inverse * inverse, y = c[0];
    for (int i = 1; i < 10; ++i) y = y * square + c[i];
    return 0.5 * inverse + y * square;
}

// log(gamma(1 + a)) for a from 0 on, with its digits near zero.
__device__ double olympus_lgamma_one_more(double a) {
    const double c[] = {
        -6.4229645638381e-11, 1.330476437424449e-10, -2.7595228851242334e-10, 5.731367241678862e-10,
        -1.1921401405860912e-09, 2.4836745438024785e-09, -5.183475041970047e-09, 1.0838659214896955e-08,
        -2.2711094608943164e-08, 4.7698101693639804e-08, -1.0043224823968099e-07, 2.1207184805554665e-07,
        -4.492469198764566e-07, 9.55141213040742e-07, -2.039215753801366e-06, 4.374866789907488e-06,
        -9.439488275268397e-06, 2.050721277567069e-05, -4.492623673813314e-05, 9.945751278180853e-05,
        -0.00022315475845357939, 0.0005096695247430425, -0.001192753911703261, 0.0028905103307415234,
        -0.007385551028673986, 0.020580808427784546, -0.0673523010531981, 0.3224670334241132};
    if (a > 0.5) return olympus_float_lgamma(1.0 + a);
    double y = c[0];
    for (int i = 1; i < 28; ++i) y = y * a + c[i];
    return a * (a * y + 0.42278433509846713939) - log1p(a);
}

// The gamma function between 0 and 20, by its logarithm between 1 and 2, where this is small.
__device__ double olympus_gamma_below_20(double a) {
    double product = 1.0, divisor = 1.0;
    if (a < 1.0) { divisor = a; a += 1.0; }
    while (a > 2.0) { a -= 1.0; product *= a; }
    return exp(olympus_float_lgamma(a)) * product / divisor;
}

// x^a exp(-x) / gamma(a): x times the density of the gamma distribution.
__device__ double olympus_gamma_weight(double a, double x) {
    if (a >= 10.0) {
        // Far from the mean by the logarithm of the ratio itself: one less it has none of its digits.
        double away = (x - a) / a;
        double exponent = away > -0.5 && away < 1.0 ? a * olympus_log1p_less_x(away) : a * log(x / a) + (a - x);
        return sqrt(a * 0.15915494309189533577) * exp(exponent - olympus_stirling_rest(a));
    }
    if (x < 700.0) return pow(x, a) * exp(-x) / olympus_gamma_below_20(a);
    return exp(a * log(x) - x) / olympus_gamma_below_20(a);
}

// Nodes and weights of Gauss and Legendre's rule between 0 and 1.
__device__ double olympus_node(int i) {
    const double c[] = {
        0.0013680690752592183, 0.007194244227365833, 0.017618872206246784, 0.03254696203113015,
        0.05183942211697394, 0.07531619313371501, 0.1027581020160288, 0.13390894062985517,
        0.1684778665348924, 0.20614212137961885, 0.2465500455338853, 0.2893243619346823,
        0.33406569885893617, 0.38035631887393145, 0.42776401920860174, 0.4758461671561308,
        0.5241538328438692, 0.5722359807913983, 0.6196436811260685, 0.6659343011410638,
        0.7106756380653176, 0.7534499544661147, 0.7938578786203812, 0.8315221334651076,
        0.8660910593701449, 0.8972418979839712, 0.9246838068662849, 0.9481605778830261,
        0.9674530379688698, 0.9823811277937532, 0.9928057557726342, 0.9986319309247408};
    return c[i];
}
__device__ double olympus_node_weight(int i) {
    const double c[] = {
        0.003509305004735048, 0.008137197365452835, 0.01269603265463103, 0.017136931456510716,
        0.02141794901111334, 0.025499029631188087, 0.029342046739267772, 0.032911111388180925,
        0.03617289705442425, 0.039096947893535156, 0.041655962113473374, 0.043826046502201906,
        0.045586939347881945, 0.04692219954040228, 0.04781936003963743, 0.0482700442573639,
        0.0482700442573639, 0.04781936003963743, 0.04692219954040228, 0.045586939347881945,
        0.043826046502201906, 0.041655962113473374, 0.039096947893535156, 0.03617289705442425,
        0.032911111388180925, 0.029342046739267772, 0.025499029631188087, 0.02141794901111334,
        0.017136931456510716, 0.01269603265463103, 0.008137197365452835, 0.003509305004735048};
    return c[i];
}

// For a above 50, over the side of x that is farther from the mean: the share of the distribution there over
// x times the density; or, with `slope`, minus the share's derivative by a over the same.
__device__ double olympus_gamma_by_integral(double a, double x, bool slope) {
    bool below = x <= a;
    double distance = fabs(a - 1.0 - x), length = 100.0 * x / (distance + sqrt(distance * distance + 100.0 * a));
    if (!below) length = 1.3 * length;
    if (below && length > x) length = x;
    double sign = below ? -1.0 : 1.0, rest = olympus_log_less_digamma(a), total = 0.0;
    for (int i = 0; i < 32; ++i) {
        double t = sign * length * olympus_node(i), d = t / x;
        // Not a - 1 - x at once: above 2^53 that is a - x.
        double term = exp((a - x) * d - d + (a - 1.0) * olympus_log1p_less_x(d)) * olympus_node_weight(i);
        if (slope) {
            double away = (x - a + t) / a;
            term *= (away > -0.5 ? log1p(away) : log((x + t) / a)) + rest;
        }
        total += term;
    }
    return (slope ? sign : 1.0) * total * length / x;
}

// The sum of x^n / ((a + 1) ... (a + n)), over n from 0.
__device__ double olympus_gamma_series(double a, double x) {
    double term = 1.0, total = 1.0, r = a;
    do {
        r += 1.0;
        term *= x / r;
        total += term;
    } while (term > 1.1e-17 * total);
    return total;
}

// The upper share over x times the density, by Legendre's continued fraction.
__device__ double olympus_gamma_fraction(double a, double x) {
    double y = 1.0 - a, z = x + y + 1.0, step = 0.0;
    double p2 = 1.0, q2 = x, p1 = x + 1.0, q1 = z * x, ratio = p1 / q1;
    for (int i = 0; i < 5000; ++i) {
        step += 1.0;
        y += 1.0;
        z += 2.0;
        double w = y * step, p = p1 * z - p2 * w, q = q1 * z - q2 * w, next = p / q;
        bool done = fabs(next - ratio) <= 1.1e-16 * fabs(next);
        ratio = next;
        if (done) break;
        p2 = p1; p1 = p; q2 = q1; q1 = q;
        if (fabs(p) > 4503599627370496.0) {
            const double scale = 2.220446049250313e-16;
            p2 *= scale; p1 *= scale; q2 *= scale; q1 *= scale;
        }
    }
    return ratio;
}

// How a quantile x above a changes with the shape a, over x: the integral from x on of the logarithm less its mean times
// the density, over x times the density at x, in the logarithm of the variable.
__device__ double olympus_gamma_slope_above(double a, double x) {
    double length = log1p((45.0 + 10.0 * sqrt(a)) / x), away = log(x) - olympus_float_digamma(a), total = 0.0;
    for (int i = 0; i < 32; ++i) {
        double v = length * olympus_node(i);
        total += (away + v) * exp(a * v - x * expm1(v)) * olympus_node_weight(i);
    }
    return total * length;
}

// The upper share for small a and x, where one less the lower share has no digits.
__device__ double olympus_gamma_upper_series(double a, double x) {
    double factor = 1.0, total = 0.0;
    for (int i = 1; i < 60; ++i) {
        factor *= -x / i;
        double term = factor / (a + i);
        total += term;
        if (fabs(term) <= 1.1e-17 * fabs(total)) break;
    }
    double exponent = a * log(x) - olympus_lgamma_one_more(a);
    return -expm1(exponent) - exp(exponent) * a * total;
}

__device__ double olympus_incomplete_gamma(double a, double x, bool upper) {
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(a >= 0.0) || !(x >= 0.0)) return nan;
    if (a == 0.0) return x > 0.0 ? (upper ? 0.0 : 1.0) : nan;
    if (a == infinity) return x == infinity ? nan : (upper ? 1.0 : 0.0);
    if (x == 0.0) return upper ? 1.0 : 0.0;
    if (x == infinity || (x > 1e6 && x > 2.0 * a)) return upper ? 0.0 : 1.0;
    if (a > 200.0) {
        double part = olympus_gamma_weight(a, x) * olympus_gamma_by_integral(a, x, false);
        return (x <= a) != upper ? part : 1.0 - part;
    }
    if (x > 1.1 && x > a) {
        double part = olympus_gamma_weight(a, x) * olympus_gamma_fraction(a, x);
        return upper ? part : 1.0 - part;
    }
    if (upper && (x <= 0.5 ? -0.4 / log(x) >= a : x <= 1.1 && 1.1 * x >= a)) return olympus_gamma_upper_series(a, x);
    double part = olympus_gamma_weight(a, x) / a * olympus_gamma_series(a, x);
    return upper ? 1.0 - part : part;
}

__device__ double olympus_igamma(double a, double x) {
    return olympus_incomplete_gamma(a, x, false);
}

__device__ double olympus_igammac(double a, double x) {
    return olympus_incomplete_gamma(a, x, true);
}

// How a quantile x changes with the shape a, over x.
__device__ double olympus_gamma_slope(double a, double x) {
    if (a > 50.0) return olympus_gamma_by_integral(a, x, true);
    if (x > a && x > 1.0) return olympus_gamma_slope_above(a, x);
    // By the derivatives of the series' terms.
    double term = 1.0, slope = 0.0, total = 1.0, slopes = 0.0, r = a;
    do {
        r += 1.0;
        double factor = x / r;
        slope = (slope - term / r) * factor;
        term *= factor;
        total += term;
        slopes += slope;
    } while (term > 1.1e-17 * total || slope < 1.1e-17 * slopes);
    return -((log(x) - olympus_float_digamma(a + 1.0)) * total + slopes) / a;
}

__device__ double olympus_random_gamma_grad(double a, double x) {
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(a > 0.0) || !(x >= 0.0)) return nan;
    if (x == 0.0) return 0.0;
    if (a == infinity || x == infinity) return nan;
    return x * olympus_gamma_slope(a, x);
}

__device__ double olympus_igamma_grad_a(double a, double x) {
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(a > 0.0) || !(x >= 0.0)) return nan;
    if (x == 0.0 || (x == infinity && a < infinity)) return 0.0;
    if (a == infinity) return nan;
    double weight = olympus_gamma_weight(a, x);
    return weight == 0.0 ? 0.0 : -weight * olympus_gamma_slope(a, x);
}

// x^a (1 - x)^b / B(a, b), where y is 1 - x.
__device__ double olympus_beta_weight(double a, double b, double x, double y) {
    if (a >= 10.0 && b >= 10.0) {
        // Both logarithms about the mean, where their slopes cancel.
        double away = x * b - y * a, sum = a + b, up = away / a, down = -away / b;
        double exponent = up > -0.5 && up < 1.0 ? a * olympus_log1p_less_x(up) : a * log(x * (sum / a)) - away;
        exponent += down > -0.5 && down < 1.0 ? b * olympus_log1p_less_x(down) : b * log(y * (sum / b)) + away;
        double rest = olympus_stirling_rest(a) + olympus_stirling_rest(b) - olympus_stirling_rest(sum);
        return sqrt(a / sum * b * 0.15915494309189533577) * exp(exponent - rest);
    }
    if (a < 10.0 && b < 10.0) {
        double lower = x > 0.5 ? exp(a * log1p(-y)) : pow(x, a), upper = y > 0.5 ? exp(b * log1p(-x)) : pow(y, b);
        double ratio = olympus_gamma_below_20(1.0 + a + b) / (a + b) / olympus_gamma_below_20(1.0 + a);
        return lower * upper * (a * ratio * b / olympus_gamma_below_20(1.0 + b));
    }
    bool first = a < b;
    double small = first ? a : b, large = first ? b : a, of_small = first ? x : y, of_large = first ? y : x;
    double sum = large + small;
    double exponent = large * (of_small < 0.5 ? log1p(-of_small) : log(of_large)) - small
        + (large - 0.5) * log1p(small / large) + olympus_stirling_rest(sum) - olympus_stirling_rest(large);
    return pow(of_small * sum, small) * exp(exponent) * small / olympus_gamma_below_20(1.0 + small);
}

// The share below x over x^a (1 - x)^b / B(a, b), by the continued fraction of Didonato and Morris (1992), in which
// how far x is from the mean is a number of its own.
__device__ double olympus_beta_fraction(double a, double b, double x, double y) {
    double away = a > b ? (a + b) * y - b : a - (a + b) * x;
    double c = 1.0 + away, c0 = b / a, c1 = 1.0 + 1.0 / a, p = 1.0, s = a + 1.0;
    double top2 = 0.0, bottom2 = 1.0, top1 = 1.0, bottom1 = c / c1, ratio = c1 / c;
    for (int i = 1; i < 1000000; ++i) {
        double n = i, t = n / a, w = n * (b - n) * x, e = a / s;
        double alpha = p * (p + c0) * e * e * (w * x);
        e = (1.0 + t) / (c1 + t + t);
        double beta = n + w / s + e * (c + n * (1.0 + y));
        p = 1.0 + t;
        s += 2.0;
        double top = alpha * top2 + beta * top1, bottom = alpha * bottom2 + beta * bottom1, next = top / bottom;
        bool done = fabs(next - ratio) <= 2.3e-16 * next;
        ratio = next;
        if (done) break;
        top2 = top1 / bottom;
        bottom2 = bottom1 / bottom;
        top1 = ratio;
        bottom1 = 1.0;
    }
    return ratio;
}

// The same for large shapes, from x down to where nothing is left.
__device__ double olympus_beta_by_integral(double a, double b, double x, double y) {
    double falling = (a - 1.0) / x - (b - 1.0) / y, bend = (a - 1.0) / (x * x) + (b - 1.0) / (y * y);
    double root = sqrt(falling * falling + 100.0 * bend);
    double length = falling > 0.0 ? 100.0 / (falling + root) : (root - falling) / bend;
    if (length > x) length = x;
    double total = 0.0;
    for (int i = 0; i < 32; ++i) {
        double t = length * olympus_node(i), d = -t / x, e = t / y;
        double exponent = -falling * t + (a - 1.0) * olympus_log1p_less_x(d) + (b - 1.0) * olympus_log1p_less_x(e);
        total += exp(exponent) * olympus_node_weight(i);
    }
    return total * length / (x * y);
}

// The share above x for a small a and b x up to about 1, where one less the share below has no digits. The ratio
// gamma(a + b) / gamma(b) is the exponential of an integral of digamma, by five points.
__device__ double olympus_beta_upper_series(double a, double b, double x) {
    const double points[] = {0.5, 0.23076534494715845, 0.76923465505284155, 0.046910077030668004, 0.953089922969332};
    const double weights[] = {0.28444444444444444, 0.23931433524968324, 0.23931433524968324, 0.11846344252809454,
        0.11846344252809454};
    double factor = 1.0, total = 0.0;
    for (int i = 1; i < 200; ++i) {
        factor *= (i - b) * (x / i);
        double term = factor / (a + i);
        total += term;
        if (fabs(term) <= 1.1e-17 * fabs(total)) break;
    }
    bool near = b < 1.0;
    double start = near ? 1.0 + b : b, slope = 0.0;
    for (int i = 0; i < 5; ++i) slope += weights[i] * olympus_float_digamma(start + a * points[i]);
    double exponent = a * (log(x) + slope) - olympus_lgamma_one_more(a);
    if (near) exponent -= log1p(a / b);
    return -expm1(exponent) - exp(exponent) * a * total;
}

__device__ double olympus_betainc(double a, double b, double x) {
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(a >= 0.0) || !(b >= 0.0) || !(x >= 0.0 && x <= 1.0)) return nan;
    bool first = a == 0.0 || b == infinity, second = b == 0.0 || a == infinity;
    if (first && second) return nan;  // neither limit of the distribution is told from the other
    if (first) return x > 0.0 ? 1.0 : 0.0;
    if (second) return x < 1.0 ? 0.0 : 1.0;
    if (x == 0.0 || x == 1.0) return fabs(x);
    if (a < 1e-290 || b < 1e-290) return b / (a + b);  // all but the ends is gone
    double y = 1.0 - x;
    bool turned = x > (a + 1.0) / (a + b + 2.0);
    if (turned) {
        double shape = a, place = x;
        a = b; b = shape; x = y; y = place;
    }
    double low = a < b ? a : b, high = a < b ? b : a, part;
    if (high > 1e8 && low * low / high * low < 1e-16 * high)
        return a < b ? olympus_incomplete_gamma(a, -(b + 0.5 * (a - 1.0)) * log1p(-x), turned)
                     : olympus_incomplete_gamma(b, -(a + 0.5 * (b - 1.0)) * (x < 0.5 ? log(x) : log1p(-y)), !turned);
    if (turned && a <= 0.1) return olympus_beta_upper_series(a, b, x);
    if (high > 3000.0 && low > 20.0)
        part = olympus_beta_weight(a, b, x, y) * olympus_beta_by_integral(a, b, x, y);
    else
        part = olympus_beta_weight(a, b, x, y) * olympus_beta_fraction(a, b, x, y);
    return turned ? 1.0 - part : part;
}

__device__ double olympus_bessel_i0e(double x) {
    const double small[] = {
        -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
        -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
        -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
        -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
        -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
        -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
        -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877,
        -0.3046826723431984, 0.33839763720473803};
    const double large[] = {
        -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
        -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
        -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
        7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
        1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
        2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943,
        0.4022452055070544};
    x = fabs(x);
    bool near = x <= 8.0;
    double t = near ? 0.25 * x - 1.0 : 16.0 / x - 1.0, t2 = 2.0 * t, b0 = 0.0, b1 = 0.0, b2 = 0.0;
    if (near)
        for (int i = 0; i < 30; ++i) { b2 = b1; b1 = b0; b0 = t2 * b1 - b2 + small[i]; }
    else
        for (int i = 0; i < 25; ++i) { b2 = b1; b1 = b0; b0 = t2 * b1 - b2 + large[i]; }
    double y = b0 - t * b1;
    return near ? y : y / sqrt(x);
}

__device__ double olympus_bessel_i1e(double x) {
    const double small[] = {
        2.7779141127610464e-18, -2.111421214358166e-17, 1.5536319577362005e-16, -1.1055969477353862e-15,
        7.600684294735408e-15, -5.042185504727912e-14, 3.223793365945575e-13, -1.9839743977649436e-12,
        1.1736186298890901e-11, -6.663489723502027e-11, 3.625590281552117e-10, -1.8872497517228294e-09,
        9.381537386495773e-09, -4.445059128796328e-08, 2.0032947535521353e-07, -8.568720264695455e-07,
        3.4702513081376785e-06, -1.3273163656039436e-05, 4.781565107550054e-05, -0.00016176081582589674,
        0.0005122859561685758, -0.0015135724506312532, 0.004156422944312888, -0.010564084894626197,
        0.024726449030626516, -0.05294598120809499, 0.1026436586898471, -0.17641651835783406,
        0.12629359322181682};
    const double large[] = {
        7.517296310842105e-18, 4.414348323071708e-18, -4.6503053684893586e-17, -3.209525921993424e-17,
        2.96262899764595e-16, 3.3082023109209285e-16, -1.8803547755107825e-15, -3.8144030724370075e-15,
        1.0420276984128802e-14, 4.272440016711951e-14, -2.1015418427726643e-14, -4.0835511110921974e-13,
        -7.198551776245908e-13, 2.0356285441470896e-12, 1.4125807436613782e-11, 3.2526035830154884e-11,
        -1.8974958123505413e-11, -5.589743462196584e-10, -3.835380385964237e-09, -2.6314688468895196e-08,
        -2.512236237870209e-07, -3.882564808877691e-06, -0.00011058893876262371, -0.009761097491361469,
        0.38928811750914005};
    double size = fabs(x);
    bool near = size <= 8.0;
    double t = near ? 0.25 * size - 1.0 : 16.0 / size - 1.0, t2 = 2.0 * t, b0 = 0.0, b1 = 0.0, b2 = 0.0;
    if (near)
        for (int i = 0; i < 29; ++i) { b2 = b1; b1 = b0; b0 = t2 * b1 - b2 + small[i]; }
    else
        for (int i = 0; i < 25; ++i) { b2 = b1; b1 = b0; b0 = t2 * b1 - b2 + large[i]; }
    double y = b0 - t * b1;
    if (near) return y * x;
    y /= sqrt(size);
    return x < 0.0 ? -y : y;
}

// q^s zeta(s, q) for q above zero and s above one, by ten terms and Euler and Maclaurin's formula.
__device__ double olympus_zeta_scaled(double s, double q) {
    const double c[] = {
        -2.174868698558062e-16, 8.586062056277845e-15, -3.3896802963225827e-13, 1.3382536530684679e-11,
        -5.284190138687493e-10, 2.08767569878681e-08, -8.267195767195768e-07, 3.306878306878307e-05,
        -0.001388888888888889, 0.08333333333333333};
    double total = 1.0;
    for (int k = 1; k < 10; ++k) {
        double term = pow((q + k) / q, -s);
        total += term;
        if (term < 1e-17 * total) return total;
    }
    double end = q + 10.0, last = pow(end / q, -s), inverse = 1.0 / end;
    total += last * (end / (s - 1.0) + 0.5);
    double factor = last * s * inverse;
    for (int k = 0; k < 10; ++k) {
        double term = factor * c[10 - 1 - k];
        total += term;
        if (fabs(term) < 1e-17 * total) break;
        factor *= (s + 2.0 * k + 1.0) * inverse * (s + 2.0 * k + 2.0) * inverse;
    }
    return total;
}

__device__ double olympus_zeta_of_positive(double s, double q) {
    if (q > 1e100) return pow(q, 1.0 - s) / (s - 1.0);  // the sum is an integral
    // Half of the power twice: the whole one may vanish where the result does not.
    double half = pow(q, -0.5 * s);
    return half * olympus_zeta_scaled(s, q) * half;
}

__device__ double olympus_zeta(double s, double q) {
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(s >= 1.0) || q != q) return nan;
    if (s == 1.0) return infinity;
    if (q <= 0.0) {
        if (q == floor(q)) return infinity;
        if (s != floor(s) || s == infinity) return nan;
        // The terms on both sides of zero, each side a function of a positive number.
        double count = -floor(q), above = q + count, under = -q - (count - 1.0);
        if (s - 2.0 * floor(0.5 * s) == 0.0)
            return olympus_zeta_of_positive(s, above)
                + (olympus_zeta_of_positive(s, under) - olympus_zeta_of_positive(s, under + count));
        // Of an odd power they cancel, the nearest most: these term by term.
        double total = 0.0, k = 0.0, between = fabs(above - under);
        for (; k < 16.0 && k < count; k += 1.0) {
            double least = (above < under ? above : under) + k;
            double term = between > 0.0 ? pow(least, -s) * expm1(-s * log1p(between / least)) : 0.0;
            total += above < under ? -term : term;
        }
        double rest = olympus_zeta_of_positive(s, above + k);
        if (k < count)
            rest = (rest - olympus_zeta_of_positive(s, under + k)) + olympus_zeta_of_positive(s, under + count);
        return total + rest;
    }
    if (q == infinity) return 0.0;
    if (s == infinity) return q == 1.0 ? 1.0 : (q > 1.0 ? 0.0 : infinity);
    return olympus_zeta_of_positive(s, q);
}

// The product of the whole numbers up to m.
__device__ double olympus_gamma_product(double m) {
    double product = 1.0;
    for (double j = 2.0; j <= m; j += 1.0) product *= j;
    return product;
}

__device__ double olympus_polygamma(double m, double x) {
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(m >= 0.0) || m != floor(m) || m == infinity || x != x) return nan;
    if (m == 0.0) return olympus_float_digamma(x);
    double sign = m - 2.0 * floor(0.5 * m) == 0.0 ? -1.0 : 1.0;
    // Of an even order both sides of zero are equal at halves: what is left may be far below their terms.
    if (x < 0.0 && sign < 0.0 && x != floor(x) && x + x == floor(x + x)) x = 1.0 - x;
    if (x <= 0.0) {
        double value = olympus_zeta(m + 1.0, x);
        return sign * (m <= 170.0 ? olympus_gamma_product(m) * value : exp(olympus_float_lgamma(m + 1.0)) * value);
    }
    if (x == infinity) return sign * 0.0;
    double scaled = olympus_zeta_scaled(m + 1.0, x);
    if (m > 170.0)
        return sign * exp(olympus_float_lgamma(m + 1.0) - (m + 1.0) * log(x)) * scaled;
    double product = scaled / x;
    for (double j = 1.0; j <= m; j += 1.0) product *= j / x;
    return sign * product;
}
