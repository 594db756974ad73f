// SPDX-License-Identifier: Apache-2.0
// Matrices of a batch, one after the other, through a plan: LAPACK's functions and what has to be done around them.
//
// `table` holds the addresses of the plan, of operands, results and workspace. The plan begins with four words for each
// slot: its place in the table, bytes from there, bytes from one matrix to the next, bytes from one chunk to the next
// (workspace: no two threads run one chunk). A matrix whose operand is not finite, or whose iteration did not converge,
// has failed: it is filled with NaN where the plan says so.
#include "shared.h"

enum { END, CALL, TRANSPOSE, COPY, TRIANGLE, CHECK, FILL, PIVOTS, VALUES, VECTORS };
enum { BLOCK = 16, ARGUMENTS = 16 };

// LAPACK takes addresses alone. The caller removes arguments, so that more of them than a function takes do no harm.
typedef void Lapack(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                    void *, void *, void *, void *);

#define TRANSPOSED(NAME, T)                                                                                          \
    static void NAME(const T *from, T *to, i64 rows, i64 columns) {                                                  \
        for (i64 i0 = 0; i0 < rows; i0 += BLOCK)                                                                     \
            for (i64 j0 = 0; j0 < columns; j0 += BLOCK)                                                              \
                for (i64 i = i0; i < least(i0 + BLOCK, rows); i++)                                                   \
                    for (i64 j = j0; j < least(j0 + BLOCK, columns); j++)                                            \
                        to[j * rows + i] = from[i * columns + j];                                                    \
    }

typedef struct { u64 low, high; } Pair;
TRANSPOSED(transpose4, uint32_t)
TRANSPOSED(transpose8, u64)
TRANSPOSED(transpose16, Pair)

static bool is_finite(const char *x, i64 count, i64 step, bool is_double) {
    for (i64 i = 0; i < count; i++) {
        // The difference of an infinity or NaN and itself is NaN.
        double value = is_double ? ((const double *)x)[i * step] : ((const float *)x)[i * step];
        if (!(value - value == 0))
            return false;
    }
    return true;
}

static void fill(char *x, i64 count, bool is_double) {
    for (i64 i = 0; i < count; i++) {
        if (is_double)
            ((double *)x)[i] = __builtin_nan("");
        else
            ((float *)x)[i] = __builtin_nanf("");
    }
}

// From LAPACK's exchanges, counted from one, to those counted from zero, and the order of rows after them.
static void count_pivots(int32_t *pivots, int32_t *order, i64 count, i64 rows) {
    for (i64 i = 0; i < rows; i++)
        order[i] = i;
    for (i64 i = 0; i < count; i++) {
        int32_t other = --pivots[i], mine = order[i];
        order[i] = order[other];
        order[other] = mine;
    }
}

// Real matrices' eigenvalues, as LAPACK gives them, as complex numbers.
#define VALUES_OF(NAME, T)                                                                                           \
    static void NAME(const T *reals, const T *imaginaries, T *to, i64 size) {                                        \
        for (i64 i = 0; i < size; i++) {                                                                             \
            to[2 * i] = reals[i];                                                                                    \
            to[2 * i + 1] = imaginaries[i];                                                                          \
        }                                                                                                            \
    }

// Their vectors: of two conjugate values the first column is the vectors' real part, the second the first's imaginary
// part.
#define VECTORS_OF(NAME, T)                                                                                          \
    static void NAME(const T *imaginaries, const T *columns, T *to, i64 size) {                                      \
        for (i64 j = 0; j < size; j++) {                                                                             \
            bool is_first = imaginaries[j] > 0, is_second = imaginaries[j] < 0;                                      \
            const T *real = columns + (is_second ? j - 1 : j) * size;                                                \
            const T *imaginary = columns + (is_first ? j + 1 : j) * size;                                            \
            for (i64 i = 0; i < size; i++) {                                                                         \
                to[2 * (i * size + j)] = real[i];                                                                    \
                to[2 * (i * size + j) + 1] = is_first ? imaginary[i] : is_second ? -imaginary[i] : 0;                \
            }                                                                                                        \
        }                                                                                                            \
    }

VALUES_OF(values4, float)
VALUES_OF(values8, double)
VECTORS_OF(vectors4, float)
VECTORS_OF(vectors8, double)

static void run(const i64 *plan, char *const *at) {
    bool failed = false;
    for (;;) {
        i64 operation = *plan++;
        if (operation == END)
            return;
        if (operation == CALL) {  // function, slot of its status or -1, arguments
            if (!failed) {
                void *a[ARGUMENTS];
                for (i64 i = 0; i < ARGUMENTS; i++)
                    a[i] = plan[2 + i] < 0 ? 0 : at[plan[2 + i]];
                ((Lapack *)plan[0])(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                                    a[13], a[14], a[15]);
                failed = plan[1] >= 0 && *(int32_t *)at[plan[1]];
            }
            plan += 2 + ARGUMENTS;
        } else if (operation == TRANSPOSE) {  // bytes of an element, rows, columns, from, to
            void *from = at[plan[3]], *to = at[plan[4]];
            if (plan[0] == 4)
                transpose4(from, to, plan[1], plan[2]);
            else if (plan[0] == 8)
                transpose8(from, to, plan[1], plan[2]);
            else
                transpose16(from, to, plan[1], plan[2]);
            plan += 5;
        } else if (operation == COPY) {  // bytes, from, to
            __builtin_memcpy(at[plan[2]], at[plan[1]], plan[0]);
            plan += 3;
        } else if (operation == TRIANGLE) {  // bytes of an element, size, slot: zeros above the diagonal
            for (i64 i = 0; i < plan[1]; i++)
                __builtin_memset(at[plan[2]] + plan[0] * (i * plan[1] + i + 1), 0, plan[0] * (plan[1] - i - 1));
            plan += 3;
        } else if (operation == CHECK) {  // whether doubles, numbers, one of how many, slot
            failed = failed || !is_finite(at[plan[3]], plan[1], plan[2], plan[0]);
            plan += 4;
        } else if (operation == FILL) {  // whether doubles, numbers, slot
            if (failed)
                fill(at[plan[2]], plan[1], plan[0]);
            plan += 3;
        } else if (operation == VALUES) {  // whether doubles, size, real parts, imaginary parts, to
            void *reals = at[plan[2]], *imaginaries = at[plan[3]], *to = at[plan[4]];
            if (!failed && plan[0])
                values8(reals, imaginaries, to, plan[1]);
            else if (!failed)
                values4(reals, imaginaries, to, plan[1]);
            plan += 5;
        } else if (operation == VECTORS) {  // whether doubles, size, imaginary parts of values, columns, to
            void *imaginaries = at[plan[2]], *columns = at[plan[3]], *to = at[plan[4]];
            if (!failed && plan[0])
                vectors8(imaginaries, columns, to, plan[1]);
            else if (!failed)
                vectors4(imaginaries, columns, to, plan[1]);
            plan += 5;
        } else {  // exchanges, order, numbers of both
            count_pivots((int32_t *)at[plan[0]], (int32_t *)at[plan[1]], plan[2], plan[3]);
            plan += 4;
        }
    }
}

enum { SLOTS = 32 };

void batch(Address *table, i64 low, i64 high, i64 index) {
    const i64 *slots = (const i64 *)table[0];
    i64 count = *slots++;
    char *at[SLOTS];
    for (i64 i = low; i < high; i++) {
        for (i64 s = 0; s < count; s++)
            at[s] = table[slots[4 * s]] + slots[4 * s + 1] + i * slots[4 * s + 2] + index * slots[4 * s + 3];
        run(slots + 4 * count, at);
    }
}
