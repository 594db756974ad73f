// SPDX-License-Identifier: Apache-2.0
// What a profile records of the calls of entries: one row for each stage. Rows are written while Python's lock is held.
#include "native.h"

typedef struct { Object *self; i64 stage, thread, start, end; } Row;

// A row whose `self` is not that of the row before it holds a reference to it.
typedef struct {
    Row *rows;
    i64 capacity, used, lost;
    Object *last;  // of the last row; null before the first
    Object *on_full;  // called when there is no room; makes some
    // run_recorded: called through here, so that it is not made a part of each call's code.
    void (*run)(Object *self, const Plan *plan, const Stage *stages, Address *tables);
} Record;

Record *record;  // null while nothing is recorded; written by recording.py

static i64 now(void) {
    i64 time[2];
    clock_gettime(SYSTEM.clock_monotonic, time);
    return time[0] * 1000000000 + time[1];
}

// As `run_stages`; times[i] is when stage i began, times[i + 1] when it ended.
static void run_timed(const Stage *stage, i64 count, Address *tables, bool parallel, i64 *times) {
    for (i64 i = 0; i < count; i++) {
        times[i] = now();
        run_stage(stage, tables, parallel);
        stage = (const Stage *)(stage->steps + stage->count);
    }
    times[count] = now();
}

static bool has_room(Record *to, i64 rows) {
    if (to->used + rows > to->capacity) {
        Object *nothing_raised = PyObject_CallFunctionObjArgs(to->on_full, (void *)0);
        if (nothing_raised)
            Py_DecRef(nothing_raised);
        else
            PyErr_Clear();
    }
    return to->used + rows <= to->capacity;
}

static void write_rows(Object *self, i64 count, const i64 *times) {
    Record *to = record;
    if (!to || !count)
        return;
    if (!has_room(to, count)) {
        to->lost += count;
        return;
    }
    if (to->last != self) {
        Py_IncRef(self);
        to->last = self;
    }
    i64 thread = PyThread_get_thread_ident();
    Row *row = to->rows + to->used;
    for (i64 i = 0; i < count; i++)
        row[i] = (Row){self, i, thread, times[i], times[i + 1]};
    to->used += count;
}

void run_recorded(Object *self, const Plan *plan, const Stage *stages, Address *tables) {
    i64 times[plan->stages + 1];
    if (plan->mode == INLINE) {
        run_timed(stages, plan->stages, tables, false, times);
    } else {
        void *thread = PyEval_SaveThread();
        run_timed(stages, plan->stages, tables, plan->mode == PARALLEL, times);
        PyEval_RestoreThread(thread);
    }
    write_rows(self, plan->stages, times);
}
