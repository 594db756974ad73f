// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of many lines side by side, one in each lane of a vector; see lines.h.
#include <stdbool.h>
#include <stdint.h>

typedef int64_t i64;
typedef char *Address;

static inline i64 least(i64 a, i64 b) { return a < b ? a : b; }

enum { LINES, TO_HALF, FROM_HALF };  // what a pass does; LINES and so on in plan.py
// Complex lines; a real one as pairs of elements, to and from the half of its transform that says all; one of odd length.
enum { COMPLEX, PAIRS_TO_HALF, HALF_TO_PAIRS, ODD_TO_HALF, HALF_TO_ODD };
enum { MOST_STAGES = 32, MOST_PASSES = 32, MOST_WIDE = 8 };  // the same in plan.py

// A pass over the lines of each item. Distances are in numbers, of which an element has one or two. _FIELDS in plan.py.
typedef struct {
    i64 kind;
    i64 line, length;            // of a line as complex numbers; of the transform that the stages make
    i64 sheets, lines, inner;    // an item's sheets, whose groups are apart; of a sheet's lines so many lie side by side
    i64 wide, buffer;            // groups of lines that are read together, and rows of each one's buffer
    i64 source, target;          // slots of the table
    i64 rows_in, rows_out;       // complex elements of a line before and after
    i64 real;                    // whether lines are real, before or after: COMPLEX and so on
    i64 swap_in, swap_out;       // whether real and imaginary parts change places: the inverse transform
    i64 from_item, from_sheet, from_outer, from_line, from_step, from_imaginary;
    i64 to_item, to_sheet, to_outer, to_line, to_step, to_imaginary;
    double scale;
    const void *twiddles;        // of the stages, one after the other
    const int32_t *order;        // where the stages leave each result
    const int32_t *places;       // where each result of the line lies in the buffer in the end, and one more place
    const int32_t *stored;       // where each row that is written lies
    const void *chirp, *filter;  // null, or what makes a convolution of length `length` of the transform
    const void *half_twiddles;   // of the real transform
    const void *lane_twiddles;   // between the two passes of a long line: for each result its lanes
    const void *block_twiddles;  // and for each group of lines each result; the product is what counts
    i64 stages;
    i64 radices[MOST_STAGES];
} Pass;

// A loop over groups of lines, or over items that go through several passes; `loop` in table.py.
typedef struct {
    i64 passes, groups;  // groups of an item; 0: the loop is over items
    i64 workers, workspace, scratch, more_scratch;  // how many, and bytes of each worker
    const Pass *pass[MOST_PASSES];
} Loop;

enum { OPERAND, RESULT, SCRATCH, MORE_SCRATCH, WORKSPACE, WORKERS, LOOP };  // slots of the table

#define T float
#define LANES 8
#define NAME(name) name##_f32
#include "lines.h"
#undef T
#undef LANES
#undef NAME

#define T double
#define LANES 4
#define NAME(name) name##_f64
#include "lines.h"

// No worker's memory is taken.
void begin(Address *table, i64 low, i64 high, i64 index) {
    i64 workers = ((const Loop *)table[LOOP])->workers;
    for (i64 i = 0; i < workers; i++)
        ((int32_t *)table[WORKERS])[i] = 0;
}
