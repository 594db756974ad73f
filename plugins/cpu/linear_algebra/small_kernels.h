// SPDX-License-Identifier: Apache-2.0
// The kernels for one element type. `table` holds the address of the words of the sizes, then of operands and results.

typedef T NAME(Lanes) __attribute__((vector_size(sizeof(T) * LANES)));
#define V NAME(Lanes)

// The lower Cholesky factor, from the lower triangle; NaN where there is none. Words: size.
void NAME(cholesky)(Address *table, i64 low, i64 high, i64 index) {
    const T *operand = (const T *)table[1];
    T *result = (T *)table[2];
    i64 n = *(const i64 *)table[0];
    V x[MOST * MOST];
    for (i64 first = low; first < high; first += LANES) {
        i64 count = least(LANES, high - first);
        for (i64 i = 0; i < n; i++)
            for (i64 j = 0; j <= i; j++)
                for (i64 l = 0; l < LANES; l++)
                    ((T *)(x + i * n + j))[l] = operand[(first + least(l, count - 1)) * n * n + i * n + j];
        V kept = {};
        for (i64 j = 0; j < n; j++) {
            V left = x[j * n + j];
            for (i64 k = 0; k < j; k++)
                left -= x[j * n + k] * x[j * n + k];
            // What cannot be taken a root of makes this NaN, and it stays.
            for (i64 l = 0; l < LANES; l++)
                kept[l] = left[l] > 0 && left[l] < INFINITE ? kept[l] : NOT_A_NUMBER;
            V root = x[j * n + j] = __builtin_elementwise_sqrt(left);
            for (i64 i = j + 1; i < n; i++) {
                V rest = x[i * n + j];
                for (i64 k = 0; k < j; k++)
                    rest -= x[i * n + k] * x[j * n + k];
                x[i * n + j] = rest / root;
            }
        }
        for (i64 l = 0; l < count; l++) {
            T *out = result + (first + l) * n * n;
            for (i64 i = 0; i < n; i++)
                for (i64 j = 0; j < n; j++)
                    out[i * n + j] = (j <= i ? ((T *)(x + i * n + j))[l] : 0) + kept[l];
        }
    }
}

// The solution of equations with a lower triangle as its strides show it: an upper one runs backwards. Words: size,
// right-hand sides, whether the diagonal is one; strides of the matrix, of the right-hand sides, of either's matrices;
// first elements of both.
void NAME(triangular_solve)(Address *table, i64 low, i64 high, i64 index) {
    const T *matrices = (const T *)table[1], *sides = (const T *)table[2];
    T *results = (T *)table[3];
    const i64 *words = (const i64 *)table[0];
    i64 n = words[0], columns = words[1], unit = words[2], row = words[3], column = words[4], down = words[5],
        across = words[6], step = words[7], jump = words[8], first_a = words[9], first_b = words[10];
    V x[MOST * MOST], b[MOST];
    for (i64 first = low; first < high; first += LANES) {
        i64 count = least(LANES, high - first);
        for (i64 i = 0; i < n; i++)
            for (i64 j = 0; j <= i; j++)
                for (i64 l = 0; l < LANES; l++)
                    ((T *)(x + i * n + j))[l] =
                        matrices[(first + least(l, count - 1)) * step + first_a + i * row + j * column];
        for (i64 c = 0; c < columns; c++) {
            for (i64 i = 0; i < n; i++) {
                for (i64 l = 0; l < LANES; l++)
                    ((T *)(b + i))[l] = sides[(first + least(l, count - 1)) * jump + first_b + i * down + c * across];
                V rest = b[i];
                for (i64 k = 0; k < i; k++)
                    rest -= x[i * n + k] * b[k];
                b[i] = unit ? rest : rest / x[i * n + i];
            }
            for (i64 l = 0; l < count; l++)
                for (i64 i = 0; i < n; i++)
                    results[(first + l) * jump + first_b + i * down + c * across] = ((T *)(b + i))[l];
        }
    }
}

// Both factors with exchanges of rows, the exchanges, and the order of the rows after them. Words: rows, columns.
void NAME(lu)(Address *table, i64 low, i64 high, i64 index) {
    const T *operand = (const T *)table[1];
    T *result = (T *)table[2];
    int32_t *pivots = (int32_t *)table[3], *orders = (int32_t *)table[4];
    i64 m = ((const i64 *)table[0])[0], n = ((const i64 *)table[0])[1], small = least(m, n);
    V x[MOST * MOST];
    for (i64 first = low; first < high; first += LANES) {
        i64 count = least(LANES, high - first);
        for (i64 e = 0; e < m * n; e++)
            for (i64 l = 0; l < LANES; l++)
                ((T *)(x + e))[l] = operand[(first + least(l, count - 1)) * m * n + e];
        for (i64 l = 0; l < count; l++)
            for (i64 i = 0; i < m; i++)
                orders[(first + l) * m + i] = i;
        for (i64 j = 0; j < small; j++) {
            for (i64 l = 0; l < count; l++) {
                T *lane = (T *)x + l;
                i64 best = j;
                T greatest = ABSOLUTE(lane[(j * n + j) * LANES]);
                for (i64 i = j + 1; i < m; i++) {
                    T size = ABSOLUTE(lane[(i * n + j) * LANES]);
                    if (size > greatest) {
                        greatest = size;
                        best = i;
                    }
                }
                pivots[(first + l) * small + j] = best;
                if (best == j)
                    continue;
                for (i64 k = 0; k < n; k++) {
                    T kept = lane[(j * n + k) * LANES];
                    lane[(j * n + k) * LANES] = lane[(best * n + k) * LANES];
                    lane[(best * n + k) * LANES] = kept;
                }
                int32_t *order = orders + (first + l) * m, mine = order[j];
                order[j] = order[best];
                order[best] = mine;
            }
            // A column of zeros has nothing to be divided.
            V divisor = x[j * n + j];
            for (i64 l = 0; l < LANES; l++)
                divisor[l] = divisor[l] == 0 ? 1 : divisor[l];
            for (i64 i = j + 1; i < m; i++) {
                V factor = x[i * n + j] /= divisor;
                for (i64 k = j + 1; k < n; k++)
                    x[i * n + k] -= factor * x[j * n + k];
            }
        }
        for (i64 l = 0; l < count; l++)
            for (i64 e = 0; e < m * n; e++)
                result[(first + l) * m * n + e] = ((T *)(x + e))[l];
    }
}
#undef V
