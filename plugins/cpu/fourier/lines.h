// SPDX-License-Identifier: Apache-2.0
// The kernels for one element type.
//
// A group of lines, one in each lane, is read into a buffer of vectors, real parts and imaginary parts apart. Stages
// transform it there in place (decimation in frequency: Gentleman and Sande 1966), and leave results in another order,
// in which they are then written. Where lines are rows in memory, blocks of them are transposed on the way.

typedef T NAME(Lanes) __attribute__((vector_size(sizeof(T) * LANES)));
typedef T NAME(Loose) __attribute__((vector_size(sizeof(T) * LANES), aligned(sizeof(T))));
typedef struct { NAME(Lanes) re, im; } NAME(Complex);
#define V NAME(Lanes)
#define U NAME(Loose)
#define C NAME(Complex)
#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")

INLINE C NAME(plus)(C x, C y) { return (C){x.re + y.re, x.im + y.im}; }
INLINE C NAME(minus)(C x, C y) { return (C){x.re - y.re, x.im - y.im}; }
INLINE C NAME(times)(C x, const T *w) { return (C){x.re * w[0] - x.im * w[1], x.im * w[0] + x.re * w[1]}; }
INLINE C NAME(turned)(C x) { return (C){x.im, -x.re}; }  // times -i
INLINE C NAME(scaled)(C x, T s) { return (C){x.re * s, x.im * s}; }

// Results of a stage are multiplied by their twiddles, but those of the last stage have none.
INLINE C NAME(twiddled)(C x, const T *w, bool last) { return last ? x : NAME(times)(x, w); }

#define EACH_BUTTERFLY(R)                                                    \
    i64 m = length / (R);                                                    \
    for (i64 block = 0; block < n; block += length)                          \
        for (i64 j = 0; j < m; j++)

INLINE void NAME(radix2)(C *x, i64 n, i64 length, const T *twiddles, bool last) {
    EACH_BUTTERFLY(2) {
        C *p = x + block + j, a = p[0], b = p[m];
        p[0] = NAME(plus)(a, b);
        p[m] = NAME(twiddled)(NAME(minus)(a, b), twiddles + 2 * j, last);
    }
}

INLINE void NAME(radix3)(C *x, i64 n, i64 length, const T *twiddles, bool last) {
    const T half = -0.5, sine = 0.86602540378443864676;
    EACH_BUTTERFLY(3) {
        C *p = x + block + j, a = p[0], s = NAME(plus)(p[m], p[2 * m]);
        C d = NAME(turned)(NAME(scaled)(NAME(minus)(p[m], p[2 * m]), sine));
        C c = {a.re + s.re * half, a.im + s.im * half};
        const T *w = twiddles + 4 * j;
        p[0] = NAME(plus)(a, s);
        p[m] = NAME(twiddled)(NAME(plus)(c, d), w, last);
        p[2 * m] = NAME(twiddled)(NAME(minus)(c, d), w + 2, last);
    }
}

INLINE void NAME(four)(C *y, C a, C b, C c, C d) {
    C ac = NAME(plus)(a, c), ca = NAME(minus)(a, c), bd = NAME(plus)(b, d), db = NAME(turned)(NAME(minus)(b, d));
    y[0] = NAME(plus)(ac, bd);
    y[1] = NAME(plus)(ca, db);
    y[2] = NAME(minus)(ac, bd);
    y[3] = NAME(minus)(ca, db);
}

INLINE void NAME(radix4)(C *x, i64 n, i64 length, const T *twiddles, bool last) {
    EACH_BUTTERFLY(4) {
        C *p = x + block + j, y[4];
        const T *w = twiddles + 6 * j;
        NAME(four)(y, p[0], p[m], p[2 * m], p[3 * m]);
        p[0] = y[0];
        p[m] = NAME(twiddled)(y[1], w, last);
        p[2 * m] = NAME(twiddled)(y[2], w + 2, last);
        p[3 * m] = NAME(twiddled)(y[3], w + 4, last);
    }
}

INLINE void NAME(radix5)(C *x, i64 n, i64 length, const T *twiddles, bool last) {
    const T c1 = 0.30901699437494742410, c2 = -0.80901699437494742410, s1 = 0.95105651629515357212,
            s2 = 0.58778525229247312917;
    EACH_BUTTERFLY(5) {
        C *p = x + block + j, a = p[0];
        C p1 = NAME(plus)(p[m], p[4 * m]), m1 = NAME(turned)(NAME(minus)(p[m], p[4 * m]));
        C p2 = NAME(plus)(p[2 * m], p[3 * m]), m2 = NAME(turned)(NAME(minus)(p[2 * m], p[3 * m]));
        C a1 = {a.re + p1.re * c1 + p2.re * c2, a.im + p1.im * c1 + p2.im * c2};
        C a2 = {a.re + p1.re * c2 + p2.re * c1, a.im + p1.im * c2 + p2.im * c1};
        C b1 = {m1.re * s1 + m2.re * s2, m1.im * s1 + m2.im * s2};
        C b2 = {m1.re * s2 - m2.re * s1, m1.im * s2 - m2.im * s1};
        const T *w = twiddles + 8 * j;
        p[0] = NAME(plus)(a, NAME(plus)(p1, p2));
        p[m] = NAME(twiddled)(NAME(plus)(a1, b1), w, last);
        p[2 * m] = NAME(twiddled)(NAME(plus)(a2, b2), w + 2, last);
        p[3 * m] = NAME(twiddled)(NAME(minus)(a2, b2), w + 4, last);
        p[4 * m] = NAME(twiddled)(NAME(minus)(a1, b1), w + 6, last);
    }
}

INLINE void NAME(radix8)(C *x, i64 n, i64 length, const T *twiddles, bool last) {
    const T root = 0.70710678118654752440;
    EACH_BUTTERFLY(8) {
        C *p = x + block + j, y[4], z[4];
        const T *w = twiddles + 14 * j;
        C d1 = NAME(minus)(p[m], p[5 * m]), d3 = NAME(minus)(p[3 * m], p[7 * m]);
        C r1 = {(d1.re + d1.im) * root, (d1.im - d1.re) * root};
        C r3 = {(d3.im - d3.re) * root, (-d3.re - d3.im) * root};
        NAME(four)(z, NAME(minus)(p[0], p[4 * m]), r1, NAME(turned)(NAME(minus)(p[2 * m], p[6 * m])), r3);
        NAME(four)(y, NAME(plus)(p[0], p[4 * m]), NAME(plus)(p[m], p[5 * m]), NAME(plus)(p[2 * m], p[6 * m]),
                   NAME(plus)(p[3 * m], p[7 * m]));
        p[0] = y[0];
        p[m] = NAME(twiddled)(z[0], w, last);
        p[2 * m] = NAME(twiddled)(y[1], w + 2, last);
        p[3 * m] = NAME(twiddled)(z[1], w + 4, last);
        p[4 * m] = NAME(twiddled)(y[2], w + 6, last);
        p[5 * m] = NAME(twiddled)(z[2], w + 8, last);
        p[6 * m] = NAME(twiddled)(y[3], w + 10, last);
        p[7 * m] = NAME(twiddled)(z[3], w + 12, last);
    }
}

// Any odd radix of up to 37; before the twiddles of the results come the cosines and sines of the radix.
enum { NAME(MOST) = 37 };

static void NAME(radix_odd)(C *x, i64 n, i64 length, const T *twiddles, i64 r) {
    const T *roots = twiddles;
    twiddles += 2 * r;
    EACH_BUTTERFLY(r) {
        C *p = x + block + j, a = p[0], sum = a, plus[NAME(MOST) / 2], minus[NAME(MOST) / 2];
        for (i64 q = 1; 2 * q < r; q++) {
            plus[q - 1] = NAME(plus)(p[q * m], p[(r - q) * m]);
            minus[q - 1] = NAME(turned)(NAME(minus)(p[q * m], p[(r - q) * m]));
            sum = NAME(plus)(sum, plus[q - 1]);
        }
        const T *w = twiddles + 2 * (r - 1) * j - 2;
        p[0] = sum;
        for (i64 k = 1; 2 * k < r; k++) {
            C even = a, odd = {};
            for (i64 q = 1, at = k; 2 * q < r; q++, at = at + k < r ? at + k : at + k - r) {
                even.re += plus[q - 1].re * roots[2 * at];
                even.im += plus[q - 1].im * roots[2 * at];
                odd.re += minus[q - 1].re * roots[2 * at + 1];
                odd.im += minus[q - 1].im * roots[2 * at + 1];
            }
            p[k * m] = NAME(twiddled)(NAME(plus)(even, odd), w + 2 * k, m == 1);
            p[(r - k) * m] = NAME(twiddled)(NAME(minus)(even, odd), w + 2 * (r - k), m == 1);
        }
    }
}

// Results lie where `order` says.
static void NAME(stages)(const Pass *pass, C *x) {
    i64 n = pass->length, length = n;
    const T *w = pass->twiddles;
    for (i64 s = 0; s < pass->stages; s++) {
        i64 r = pass->radices[s];
        bool last = length == r;
#define STAGE(R)                                  \
    else if (r == R) {                            \
        if (last)                                 \
            NAME(radix##R)(x, n, R, w, true);     \
        else                                      \
            NAME(radix##R)(x, n, length, w, false); \
    }
        if (r > 8 || r == 7) {
            NAME(radix_odd)(x, n, length, w, r);
            w += 2 * r;
        }
        STAGE(2)
        STAGE(3)
        STAGE(4)
        STAGE(5)
        STAGE(8)
#undef STAGE
        length /= r;
        w += 2 * (r - 1) * length;
    }
}

// Rows to columns: a matrix of as many rows as lanes.
#if LANES == 8
#define PICK __builtin_shufflevector
INLINE void NAME(transpose)(V *x) {
    V a[8], b[8];
    UNROLLED
    for (i64 i = 0; i < 8; i += 2) {
        a[i] = PICK(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = PICK(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    UNROLLED
    for (i64 i = 0; i < 8; i += 4)
        UNROLLED
        for (i64 j = i; j < i + 2; j++) {
            b[j] = PICK(a[j], a[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[j + 2] = PICK(a[j], a[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    UNROLLED
    for (i64 i = 0; i < 4; i++) {
        x[i] = PICK(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        x[i + 4] = PICK(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
INLINE C NAME(apart)(const T *from) {
    V a = *(const U *)from, b = *(const U *)(from + 8);
    return (C){PICK(a, b, 0, 2, 4, 6, 8, 10, 12, 14), PICK(a, b, 1, 3, 5, 7, 9, 11, 13, 15)};
}
INLINE void NAME(together)(T *to, C x) {
    *(U *)to = PICK(x.re, x.im, 0, 8, 1, 9, 2, 10, 3, 11);
    *(U *)(to + 8) = PICK(x.re, x.im, 4, 12, 5, 13, 6, 14, 7, 15);
}
INLINE C NAME(reversed)(C x) {
    return (C){PICK(x.re, x.re, 7, 6, 5, 4, 3, 2, 1, 0), PICK(x.im, x.im, 7, 6, 5, 4, 3, 2, 1, 0)};
}
#else
INLINE C NAME(reversed)(C x) { return (C){PICK(x.re, x.re, 3, 2, 1, 0), PICK(x.im, x.im, 3, 2, 1, 0)}; }
INLINE void NAME(transpose)(V *x) {
    V a[4];
    UNROLLED
    for (i64 i = 0; i < 4; i += 2) {
        a[i] = PICK(x[i], x[i + 1], 0, 4, 2, 6);
        a[i + 1] = PICK(x[i], x[i + 1], 1, 5, 3, 7);
    }
    UNROLLED
    for (i64 i = 0; i < 2; i++) {
        x[i] = PICK(a[i], a[i + 2], 0, 1, 4, 5);
        x[i + 2] = PICK(a[i], a[i + 2], 2, 3, 6, 7);
    }
}
INLINE C NAME(apart)(const T *from) {
    V a = *(const U *)from, b = *(const U *)(from + 4);
    return (C){PICK(a, b, 0, 2, 4, 6), PICK(a, b, 1, 3, 5, 7)};
}
INLINE void NAME(together)(T *to, C x) {
    *(U *)to = PICK(x.re, x.im, 0, 4, 1, 5);
    *(U *)(to + 4) = PICK(x.re, x.im, 2, 6, 3, 7);
}
#endif

INLINE C NAME(swapped)(C x, bool swap) { return swap ? (C){x.im, x.re} : x; }

// Lines to lanes: `wide` groups of them, whose buffers follow each other. Lanes beyond the last line hold it once more.
static void NAME(load)(const Pass *pass, const T *source, const i64 *offset, i64 count, C *x) {
    i64 rows = pass->rows_in, buffer = pass->buffer, step = pass->from_step, imaginary = pass->from_imaginary;
    i64 wide = pass->wide, side_by_side = wide * LANES;
    bool swap = pass->swap_in;
    i64 apart = offset[side_by_side - 1] - offset[0];
    if (count == side_by_side && imaginary == 1 && pass->from_line == 2 && apart == 2 * (side_by_side - 1)) {
        source += offset[0];
        for (i64 j = 0; j < rows; j++, source += step)
            for (i64 g = 0; g < wide; g++)
                x[g * buffer + j] = NAME(swapped)(NAME(apart)(source + 2 * LANES * g), swap);
        return;
    }
    if (count == side_by_side && imaginary != 1 && pass->from_line == 1 && apart == side_by_side - 1) {
        source += offset[0];
        for (i64 j = 0; j < rows; j++, source += step)
            for (i64 g = 0; g < wide; g++) {
                const T *from = source + LANES * g;
                x[g * buffer + j] = NAME(swapped)((C){*(const U *)from, *(const U *)(from + imaginary)}, swap);
            }
        return;
    }
    for (i64 g = 0; g * LANES < count; g++, offset += LANES, x += buffer) {
        i64 j = 0;
        if (imaginary == 1 && step == 2)
            for (; j + LANES / 2 <= rows; j += LANES / 2) {
                V block[LANES];
                UNROLLED
                for (i64 l = 0; l < LANES; l++)
                    block[l] = *(const U *)(source + offset[l] + 2 * j);
                NAME(transpose)(block);
                UNROLLED
                for (i64 i = 0; i < LANES / 2; i++)
                    x[j + i] = NAME(swapped)((C){block[2 * i], block[2 * i + 1]}, swap);
            }
        for (; j < rows; j++) {
            T *to = (T *)(x + j);
            UNROLLED
            for (i64 l = 0; l < LANES; l++) {
                const T *from = source + offset[l] + j * step;
                to[swap ? LANES + l : l] = from[0];
                to[swap ? l : LANES + l] = from[imaginary];
            }
        }
    }
}

// The twiddles of a result between both passes of a long line: those of lanes, and one of the group.
INLINE C NAME(between)(C x, const T *lanes, const T *group) {
    C w = NAME(times)((C){*(const U *)lanes, *(const U *)(lanes + LANES)}, group);
    return (C){x.re * w.re - x.im * w.im, x.im * w.re + x.re * w.im};
}

static void NAME(store)(const Pass *pass, T *target, const i64 *offset, i64 count, i64 group, C *x) {
    i64 rows = pass->rows_out, buffer = pass->buffer, step = pass->to_step, imaginary = pass->to_imaginary;
    i64 wide = pass->wide, side_by_side = wide * LANES;
    const int32_t *stored = pass->stored;
    bool swap = pass->swap_out;
    T scale = pass->scale;
    i64 apart = offset[side_by_side - 1] - offset[0];
    const T *lanes = pass->lane_twiddles, *groups = (const T *)pass->block_twiddles + 2 * group * rows;
    if (lanes && count == side_by_side) {
        target += offset[0];
        for (i64 k = 0; k < rows; k++, target += step)
            for (i64 g = 0; g < wide; g++) {
                C y = NAME(between)(x[g * buffer + stored[k]], lanes + 2 * LANES * k, groups + 2 * (g * rows + k));
                NAME(together)(target + 2 * LANES * g, NAME(swapped)(y, swap));
            }
        return;
    }
    if (lanes)
        for (i64 g = 0; g * LANES < count; g++)
            for (i64 k = 0; k < rows; k++) {
                C *y = x + g * buffer + stored[k];
                *y = NAME(between)(*y, lanes + 2 * LANES * k, groups + 2 * (g * rows + k));
            }
    if (count == side_by_side && imaginary == 1 && pass->to_line == 2 && apart == 2 * (side_by_side - 1)) {
        target += offset[0];
        for (i64 k = 0; k < rows; k++, target += step)
            for (i64 g = 0; g < wide; g++)
                NAME(together)(target + 2 * LANES * g,
                               NAME(swapped)(NAME(scaled)(x[g * buffer + stored[k]], scale), swap));
        return;
    }
    if (count == side_by_side && imaginary != 1 && pass->to_line == 1 && apart == side_by_side - 1) {
        target += offset[0];
        for (i64 k = 0; k < rows; k++, target += step)
            for (i64 g = 0; g < wide; g++) {
                C y = NAME(swapped)(NAME(scaled)(x[g * buffer + stored[k]], scale), swap);
                *(U *)(target + LANES * g) = y.re;
                *(U *)(target + LANES * g + imaginary) = y.im;
            }
        return;
    }
    for (; count > 0; count -= LANES, offset += LANES, x += buffer) {
        i64 k = 0;
        if (imaginary == 1 && step == 2)
            for (; k + LANES / 2 <= rows; k += LANES / 2) {
                V block[LANES];
                UNROLLED
                for (i64 i = 0; i < LANES / 2; i++) {
                    C y = NAME(swapped)(NAME(scaled)(x[stored[k + i]], scale), swap);
                    block[2 * i] = y.re;
                    block[2 * i + 1] = y.im;
                }
                NAME(transpose)(block);
                UNROLLED
                for (i64 l = 0; l < LANES; l++)
                    if (l < count)
                        *(U *)(target + offset[l] + 2 * k) = block[l];
            }
        for (; k < rows; k++) {
            C y = NAME(swapped)(NAME(scaled)(x[stored[k]], scale), swap);
            for (i64 l = 0; l < least(LANES, count); l++) {
                T *to = target + offset[l] + k * step;
                to[0] = y.re[l];
                to[imaginary] = y.im[l];
            }
        }
    }
}

// From the transform of the pairs of a real line's elements to half of the line's own: the other half is its mirror.
static void NAME(to_half)(const Pass *pass, C *x) {
    i64 h = pass->line;
    const int32_t *places = pass->places;
    const T *w = pass->half_twiddles;
    C first = x[places[0]];
    x[places[0]] = (C){first.re + first.im, (V){}};
    x[places[h]] = (C){first.re - first.im, (V){}};
    for (i64 k = 1; 2 * k <= h; k++) {
        C a = x[places[k]], b = x[places[h - k]];
        C even = NAME(scaled)((C){a.re + b.re, a.im - b.im}, 0.5), odd = {(a.im + b.im) * (T)0.5, (b.re - a.re) * (T)0.5};
        odd = NAME(times)(odd, w + 2 * k);
        x[places[k]] = NAME(plus)(even, odd);
        x[places[h - k]] = (C){even.re - odd.re, odd.im - even.im};
    }
}

// The way back, with real and imaginary parts in each other's place: what follows is the inverse transform.
static void NAME(from_half)(const Pass *pass, C *x) {
    i64 h = pass->line;
    const T *w = pass->half_twiddles;
    C first = x[0], last = x[h];
    x[0] = (C){first.re - last.re, first.re + last.re};
    for (i64 k = 1; 2 * k <= h; k++) {
        C a = x[k], b = x[h - k];
        C even = {a.re + b.re, a.im - b.im}, odd = {a.re - b.re, a.im + b.im}, u;
        u.re = odd.re * w[2 * k] + odd.im * w[2 * k + 1];  // by the conjugate
        u.im = odd.im * w[2 * k] - odd.re * w[2 * k + 1];
        x[k] = (C){even.im + u.re, even.re - u.im};
        x[h - k] = (C){u.re - even.im, even.re + u.im};
    }
}

// A real line of odd length, of which pairs were read as complex numbers, and its last element, `from` on in memory.
static void NAME(from_odd)(const Pass *pass, const T *from, const i64 *offset, C *x) {
    i64 n = pass->line;
    for (i64 j = n / 2 - 1; j >= 0; j--) {
        C pair = x[j];
        x[2 * j + 1] = (C){pair.im, (V){}};
        x[2 * j] = (C){pair.re, (V){}};
    }
    C last = {};
    for (i64 l = 0; l < LANES; l++)
        last.re[l] = from[offset[l] + n / 2 * pass->from_step];
    x[n - 1] = last;
}

// A transform whose other half is its mirror; parts in each other's place for the inverse.
static void NAME(from_mirror)(const Pass *pass, C *x) {
    i64 n = pass->line;
    x[0] = (C){(V){}, x[0].re};
    for (i64 k = 1; 2 * k < n; k++) {
        C a = x[k];
        x[k] = (C){a.im, a.re};
        x[n - k] = (C){-a.im, a.re};
    }
}

// The pairs of a real line of odd length to be written, which are imaginary parts here; its last element at once.
static void NAME(to_odd)(const Pass *pass, T *to, const i64 *offset, i64 count, C *x) {
    i64 n = pass->line;
    const int32_t *places = pass->places;
    V last = x[places[n - 1]].im * (T)pass->scale;
    for (i64 l = 0; l < least(LANES, count); l++)
        to[offset[l] + n / 2 * pass->to_step] = last[l];
    for (i64 k = 0; k < n / 2; k++)
        x[pass->stored[k]] = (C){x[places[2 * k]].im, x[places[2 * k + 1]].im};
}

// A transform of any length as a convolution with a chirp (Bluestein 1970), by transforms of another length: forth in
// the first half of the buffer, back in the second.
static void NAME(convolved)(const Pass *pass, C *x) {
    i64 n = pass->line, m = pass->length;
    const T *chirp = pass->chirp, *filter = pass->filter;
    const int32_t *order = pass->order;
    for (i64 j = 0; j < n; j++)
        x[j] = NAME(times)(x[j], chirp + 2 * j);
    for (i64 j = n; j < m; j++)
        x[j] = (C){};
    NAME(stages)(pass, x);
    C *y = x + m;
    for (i64 k = 0; k < m; k++)
        y[k] = NAME(swapped)(NAME(times)(x[order[k]], filter + 2 * k), true);
    NAME(stages)(pass, y);
    for (i64 k = 0; k < n; k++)
        y[order[k]] = NAME(times)(NAME(swapped)(y[order[k]], true), chirp + 2 * k);
}

static void NAME(group)(const Pass *pass, const T *source, T *target, i64 group, C *x) {
    i64 all = pass->wide * LANES, first = group * all, count = least(all, pass->lines - first);
    i64 from[MOST_WIDE * LANES], to[MOST_WIDE * LANES];
    i64 outer = first / pass->inner, inner = first - outer * pass->inner;
    for (i64 l = 0; l < all; l++) {
        from[l] = outer * pass->from_outer + inner * pass->from_line;
        to[l] = outer * pass->to_outer + inner * pass->to_line;
        if (l < count - 1 && ++inner == pass->inner) {
            inner = 0;
            outer++;
        }
    }
    NAME(load)(pass, source, from, count, x);
    for (i64 g = 0; g * LANES < count; g++) {
        C *y = x + g * pass->buffer;
        if (pass->real == HALF_TO_PAIRS)
            NAME(from_half)(pass, y);
        else if (pass->real == ODD_TO_HALF)
            NAME(from_odd)(pass, source, from + g * LANES, y);
        else if (pass->real == HALF_TO_ODD)
            NAME(from_mirror)(pass, y);
        if (pass->chirp)
            NAME(convolved)(pass, y);
        else
            NAME(stages)(pass, y);
        if (pass->real == PAIRS_TO_HALF)
            NAME(to_half)(pass, y);
        else if (pass->real == HALF_TO_ODD)
            NAME(to_odd)(pass, target, to + g * LANES, count - g * LANES, y);
    }
    NAME(store)(pass, target, to, count, group * pass->wide, x);
}

// Some elements of a long real line's transform, as to_half and from_half do with a short one's. _PAIRS in plan.py.
enum { NAME(PAIRS) = 256 };

// From elements k and h - k, with the twiddle of k, to the same elements of the other side.
INLINE void NAME(pair)(bool to_half, C *a, C *b, C w) {
    C even = {a->re + b->re, a->im - b->im}, u;
    if (to_half) {
        C odd = {a->im + b->im, b->re - a->re};
        u = (C){odd.re * w.re - odd.im * w.im, odd.im * w.re + odd.re * w.im};
        *a = NAME(scaled)(NAME(plus)(even, u), 0.5);
        *b = NAME(scaled)((C){even.re - u.re, u.im - even.im}, 0.5);
    } else {
        C odd = {a->re - b->re, a->im + b->im};
        u = (C){odd.re * w.re + odd.im * w.im, odd.im * w.re - odd.re * w.im};
        *a = (C){even.im + u.re, even.re - u.im};
        *b = (C){u.re - even.im, even.re + u.im};
    }
}

static void NAME(pairs)(const Pass *pass, const T *x, T *y, i64 group) {
    i64 h = pass->line, low = group * NAME(PAIRS), high = least(low + NAME(PAIRS), h / 2 + 1), k = low;
    const T *fine = pass->lane_twiddles, *coarse = (const T *)pass->block_twiddles + 2 * group;
    bool to_half = pass->kind == TO_HALF;
    if (k == 0) {
        T a = x[0], b = to_half ? x[1] : x[2 * h];
        y[0] = to_half ? a + b : a - b;
        y[1] = to_half ? 0 : a + b;
        if (to_half) {
            y[2 * h] = a - b;
            y[2 * h + 1] = 0;
        }
        k = 1;
    }
    while (k < high) {
        // Both ends' elements in vectors while they do not meet; one of them beyond.
        i64 count = k + LANES <= high && 2 * (k + LANES - 1) < h ? LANES : 1, mirror = h - k - count + 1;
        const T *twiddles = fine + 2 * (k - low);
        C a, b, w;
        if (count == LANES) {
            a = NAME(apart)(x + 2 * k);
            b = NAME(reversed)(NAME(apart)(x + 2 * mirror));
            w = NAME(times)(NAME(apart)(twiddles), coarse);
        } else {
            a = (C){(V){} + x[2 * k], (V){} + x[2 * k + 1]};
            b = (C){(V){} + x[2 * mirror], (V){} + x[2 * mirror + 1]};
            w = NAME(times)((C){(V){} + twiddles[0], (V){} + twiddles[1]}, coarse);
        }
        NAME(pair)(to_half, &a, &b, w);
        if (count == LANES) {
            NAME(together)(y + 2 * k, a);
            NAME(together)(y + 2 * mirror, NAME(reversed)(b));
        } else {
            y[2 * k] = a.re[0];
            y[2 * k + 1] = a.im[0];
            y[2 * mirror] = b.re[0];
            y[2 * mirror + 1] = b.im[0];
        }
        k += count;
    }
}

// Groups of an item's sheets.
static i64 NAME(groups)(const Pass *pass) {
    return pass->kind == LINES ? (pass->lines - 1) / (pass->wide * LANES) + 1 : pass->line / 2 / NAME(PAIRS) + 1;
}

static void NAME(step)(const Pass *pass, i64 item, i64 group, Address *slots, C *x) {
    i64 each = NAME(groups)(pass), sheet = pass->sheets == 1 ? 0 : group / each;
    const T *source = (const T *)slots[pass->source] + item * pass->from_item + sheet * pass->from_sheet;
    T *target = (T *)slots[pass->target] + item * pass->to_item + sheet * pass->to_sheet;
    group -= sheet * each;
    if (pass->kind == LINES)
        NAME(group)(pass, source, target, group, x);
    else
        NAME(pairs)(pass, source, target, group);
}

void NAME(transform)(Address *table, i64 low, i64 high, i64 index) {
    const Loop *loop = (const Loop *)table[LOOP];
    // A worker's memory is one thread's at a time; there are as many workers as threads.
    int32_t *taken = (int32_t *)table[WORKERS];
    i64 worker = 0;
    while (loop->workers > 1 && __atomic_exchange_n(taken + worker, 1, __ATOMIC_ACQUIRE))
        worker = worker + 1 < loop->workers ? worker + 1 : 0;
    Address slots[] = {table[OPERAND], table[RESULT], table[SCRATCH] + worker * loop->scratch,
                       table[MORE_SCRATCH] + worker * loop->more_scratch};
    C *x = (C *)(table[WORKSPACE] + worker * loop->workspace);
    for (i64 i = low; i < high; i++) {
        if (loop->groups) {
            NAME(step)(loop->pass[0], i / loop->groups, i % loop->groups, slots, x);
            continue;
        }
        for (i64 p = 0; p < loop->passes; p++)
            for (i64 g = 0, groups = loop->pass[p]->sheets * NAME(groups)(loop->pass[p]); g < groups; g++)
                NAME(step)(loop->pass[p], i, g, slots, x);
    }
    if (loop->workers > 1)
        __atomic_store_n(taken + worker, 0, __ATOMIC_RELEASE);
}
#undef V
#undef U
#undef C
#undef INLINE
#undef UNROLLED
