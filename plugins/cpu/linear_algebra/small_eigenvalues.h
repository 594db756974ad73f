// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of small symmetric matrices by Jacobi's rotations, for one element type: cyclic by rows, each lane until
// its own elements beside the diagonal are rounding errors, so that a result depends on nothing but its matrix.
// Golub and Van Loan, Matrix Computations, 4th edition, section 8.5.

#define V NAME(Lanes)
typedef WORD NAME(Words) __attribute__((vector_size(sizeof(T) * LANES)));
#define W NAME(Words)

// An element where a lane of the mask is all ones, and the other one where it is all zeros.
static inline V NAME(chosen)(W mask, V one, V other) { return (V)(((W)one & mask) | ((W)other & ~mask)); }

// The greatest element's power of two, as the bits of its exponent, such that its inverse is a normal number.
static inline WORD NAME(exponent)(T greatest) {
    union { T value; WORD bits; } x = {greatest};
    WORD found = (x.bits & NOT_A_SIGN) >> FRACTION_BITS, most = (NOT_A_SIGN >> FRACTION_BITS) - 2;
    return found < 1 ? 1 : found > most ? most : found;
}

static inline T NAME(power_of_two)(WORD exponent) {
    union { WORD bits; T value; } x = {exponent << FRACTION_BITS};
    return x.value;
}

// Makes element (p, q) zero by a rotation of rows and columns p < q in the upper triangle, and rotates the vectors.
static inline void NAME(rotated)(V *a, V *v, i64 n, i64 p, i64 q, W is_done) {
    V zero = {}, one = zero + 1, off = a[p * n + q];
    V size = (V)((W)off & NOT_A_SIGN);
    W stays = is_done | (size <= zero + NEGLIGIBLE);
    V theta = (a[q * n + q] - a[p * n + p]) / NAME(chosen)(stays, one, 2 * off);
    W sign = (W)theta & ~NOT_A_SIGN;
    V steep = (V)((W)theta & NOT_A_SIGN);
    V t = (V)((W)(one / (steep + __builtin_elementwise_sqrt(steep * steep + one))) | sign);
    t = (V)((W)t & ~stays);
    V c = one / __builtin_elementwise_sqrt(t * t + one), s = t * c;
    a[p * n + p] -= t * off;
    a[q * n + q] += t * off;
    a[p * n + q] = (V)((W)off & is_done);
#define ROTATE(x, y) do { V left = x, right = y; x = c * left - s * right; y = s * left + c * right; } while (0)
    for (i64 k = 0; k < p; k++)
        ROTATE(a[k * n + p], a[k * n + q]);
    for (i64 k = p + 1; k < q; k++)
        ROTATE(a[p * n + k], a[k * n + q]);
    for (i64 k = q + 1; k < n; k++)
        ROTATE(a[p * n + k], a[q * n + k]);
    if (v)
        for (i64 k = 0; k < n; k++)
            ROTATE(v[p * n + k], v[q * n + k]);
#undef ROTATE
}

// Of as many matrices as there are lanes. `sizes`: rows, whether the lower triangle is read.
static inline void NAME(symmetric)(const T *operand, T *values, T *vectors, const i64 *sizes, i64 first, i64 count) {
    i64 n = sizes[0], row = sizes[1] ? n : 1, column = sizes[1] ? 1 : n;
    V a[MOST * MOST], v[MOST * MOST], kept = {}, inverse;
    for (i64 l = 0; l < LANES; l++) {
        const T *matrix = operand + (first + least(l, count - 1)) * n * n;
        T greatest = 0;
        bool is_finite = true;
        for (i64 e = 0; e < n * n; e++)
            is_finite &= ABSOLUTE(matrix[e]) < INFINITE;
        for (i64 i = 0; i < n; i++)
            for (i64 j = 0; j <= i; j++)
                greatest = ABSOLUTE(matrix[i * row + j * column]) > greatest ? ABSOLUTE(matrix[i * row + j * column])
                                                                             : greatest;
        WORD exponent = NAME(exponent)(greatest);
        T scale = NAME(power_of_two)((NOT_A_SIGN >> FRACTION_BITS) - 1 - exponent);
        kept[l] = is_finite ? 0 : NOT_A_NUMBER;
        inverse[l] = NAME(power_of_two)(exponent);
        for (i64 i = 0; i < n; i++)
            for (i64 j = 0; j <= i; j++)
                ((T *)(a + j * n + i))[l] = is_finite ? matrix[i * row + j * column] * scale : 0;
    }
    if (vectors)
        for (i64 e = 0; e < n * n; e++)
            v[e] = (V){} + (T)(e % (n + 1) == 0);
    W is_done = {};
    for (i64 sweep = 0; sweep < SWEEPS; sweep++) {
        V off = {};
        for (i64 p = 0; p < n; p++)
            for (i64 q = p + 1; q < n; q++)
                off = __builtin_elementwise_max(off, (V)((W)a[p * n + q] & NOT_A_SIGN));
        is_done |= off <= (V){} + ROUNDING;
        bool are_done = true;
        for (i64 l = 0; l < LANES; l++)
            are_done &= is_done[l] != 0;
        if (are_done)
            break;
        for (i64 p = 0; p < n; p++)
            for (i64 q = p + 1; q < n; q++)
                NAME(rotated)(a, vectors ? v : 0, n, p, q, is_done);
    }
    for (i64 l = 0; l < count; l++) {
        i64 order[MOST];
        for (i64 i = 0; i < n; i++) {
            i64 place = i;
            for (; place > 0 && a[order[place - 1] * (n + 1)][l] > a[i * (n + 1)][l]; place--)
                order[place] = order[place - 1];
            order[place] = i;
        }
        for (i64 i = 0; i < n; i++)
            values[(first + l) * n + i] = a[order[i] * (n + 1)][l] * inverse[l] + kept[l];
        if (vectors)
            for (i64 i = 0; i < n; i++)
                for (i64 j = 0; j < n; j++)
                    vectors[(first + l) * n * n + i * n + j] = v[order[j] * n + i][l] + kept[l];
    }
}

// Eigenvalues in ascending order, and vectors in columns; NaN where an element is not finite. Words: size, triangle.
void NAME(eigh)(Address *table, i64 low, i64 high, i64 index) {
    for (i64 first = low; first < high; first += LANES)
        NAME(symmetric)((const T *)table[1], (T *)table[2], (T *)table[3], (const i64 *)table[0], first,
                        least(LANES, high - first));
}

// The values alone.
void NAME(eigvalsh)(Address *table, i64 low, i64 high, i64 index) {
    for (i64 first = low; first < high; first += LANES)
        NAME(symmetric)((const T *)table[1], (T *)table[2], 0, (const i64 *)table[0], first,
                        least(LANES, high - first));
}
#undef V
#undef W
