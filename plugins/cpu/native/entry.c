// SPDX-License-Identifier: Apache-2.0
// What Python calls: one function for all programs; a plan says what to do.
//
// The plan is an array of 64-bit words in the first item of the function's `self`; entry.py writes it. Slots hold
// addresses: arguments, outputs, temporaries, constants, status. Tables are made of slots, one after the other.
#include "native.h"

typedef struct {
    Kernel *kernel;
    i64 total, chunk, chunks;
    i64 first_table, table_width;  // where the tables of its runs begin among all, how many slots each has
} Step;

typedef struct {
    i64 count;   // steps
    i64 tables;  // of each step
    i64 pieces;  // that each table's steps are run in
    Step steps[];
} Stage;

enum { INLINE, RELEASED, PARALLEL };  // modes: with Python's lock, without, without and over the threads

typedef struct {
    i64 arguments, outputs;
    i64 scratch;  // bytes of a block for slots, tables and temporaries; 0: the frame is large enough
    i64 slots, entries, stages, mode;
    Object *on_status;  // called with a status other than 0
    i64 temporaries, constants;
    // Where these begin in the plan, in words.
    i64 output_sizes_at, temporaries_at, constants_at, entries_at, stages_at;
} Plan;

Object *entry_failure;  // written by entry.py

// One chunk of a step over one table.
static void run_chunk(const Step *step, Address *tables, i64 which, i64 chunk) {
    i64 low = chunk * step->chunk;
    Address *table = tables + step->first_table + which * step->table_width;
    step->kernel(table, low, low + least(step->chunk, step->total - low), chunk);
}

// All steps of a stage over one table each.
static void run_steps(const Stage *stage, Address *tables, i64 which) {
    for (const Step *step = stage->steps; step < stage->steps + stage->count; step++)
        run_serially(step->kernel, tables + step->first_table + which * step->table_width, step->total, step->chunk);
}

typedef struct { const Stage *stage; Address *tables; } Job;

// A kernel for the pool: each iteration is one table, or one piece of it: all steps.
static void spread_tables(Address *table, i64 low, i64 high, i64 index) {
    Job *job = (Job *)table;
    const Stage *stage = job->stage;
    u64 pieces = stage->pieces;
    for (u64 i = low; i < high; i++)
        if (pieces == 1)
            run_steps(stage, job->tables, i);
        else
            for (i64 s = 0; s < stage->count; s++)
                run_chunk(&stage->steps[s], job->tables, i / pieces, i % pieces);
}

// A kernel for the pool: each iteration is one chunk of one table of the only step.
static void spread_chunks(Address *table, i64 low, i64 high, i64 index) {
    Job *job = (Job *)table;
    const Step *step = job->stage->steps;
    u64 chunks = step->chunks;
    for (u64 i = low; i < high; i++)
        run_chunk(step, job->tables, i / chunks, i % chunks);
}

static void run_stage(const Stage *stage, Address *tables, bool parallel) {
    Job job = {stage, tables};
    const Step *step = stage->steps;
    if (!parallel)
        for (i64 which = 0; which < stage->tables; which++)
            run_steps(stage, tables, which);
    else if (stage->count > 1)
        parallel_for(spread_tables, (Address *)&job, stage->tables * stage->pieces, 1);
    else if (stage->tables > 1)
        parallel_for(spread_chunks, (Address *)&job, step->chunks * stage->tables, 1);
    else
        parallel_for(step->kernel, tables + step->first_table, step->total, step->chunk);
}

static void run_stages(const Stage *stage, i64 count, Address *tables, bool parallel) {
    for (i64 i = 0; i < count; i++) {
        run_stage(stage, tables, parallel);
        stage = (const Stage *)(stage->steps + stage->count);
    }
}

// Addresses of the arguments, which are blocks, NumPy's arrays or numbers; false when Python has an error to raise. The
// caller's references hold blocks and arrays until the call is over.
static bool read_arguments(Object **arguments, i64 count, Address *slots) {
    Object *is_block = block_type, *is_array = array_type;
    for (i64 i = 0; i < count; i++) {
        Object *type = ((Object **)block_of(arguments[i]))[-1];
        if (type == is_block || type == is_array)
            slots[i] = block_of(arguments[i])->address;
        else if (!(slots[i] = PyLong_AsVoidPtr(arguments[i])) && PyErr_Occurred())
            return false;
    }
    return true;
}

// What the call gives: None, a block, or a tuple of blocks, whose addresses go to the slots; null when there is no memory.
static Object *make_outputs(const i64 *sizes, i64 count, Address *slots) {
    if (count == 0) {
        Py_IncRef(&Py_None);
        return &Py_None;
    }
    if (count == 1) {
        Object *block = block_new(sizes[0]);
        if (block)
            slots[0] = block_of(block)->address;
        return block;
    }
    Object *tuple = PyTuple_New(count);
    for (i64 i = 0; tuple && i < count; i++) {
        Object *block = block_new(sizes[i]);
        if (!block) {
            Py_DecRef(tuple);
            return 0;
        }
        slots[i] = block_of(block)->address;
        PyTuple_SetItem(tuple, i, block);
    }
    return tuple;
}

// Each address is an offset from the base.
static void fill_addresses(Address *to, const i64 *offsets, i64 count, Address base) {
    for (i64 i = 0; i < count; i++)
        to[i] = (Address)((i64)base + offsets[i]);
}

static void fill_tables(Address *tables, Address *slots, const i64 *entries, i64 count) {
#pragma clang loop unroll_count(4)
    for (i64 i = 0; i < count; i++)
        tables[i] = slots[entries[i]];
}

// Raises the error that a status stands for.
static void report(const Plan *plan, int32_t status) {
    Object *number = PyLong_FromSsize_t(status);
    if (!number)
        return;
    Object *nothing_raised = PyObject_CallFunctionObjArgs(plan->on_status, number, (void *)0);
    Py_DecRef(number);
    if (nothing_raised) {
        Py_DecRef(nothing_raised);
        PyObject_CallFunctionObjArgs(entry_failure, (void *)0);
    }
}

#include "recording.c"

// A call whose slots, tables and temporaries lie at the base.
static Object *run_plan(Object *self, const Plan *plan, Object **arguments, Address *base) {
    const i64 *words = (const i64 *)plan;
    int32_t status = 0;
    if (!read_arguments(arguments, plan->arguments, base))
        return 0;
    Address *slots = base + plan->arguments, *tables = base + plan->slots;
    Object *result = make_outputs(words + plan->output_sizes_at, plan->outputs, slots);
    if (!result)
        return 0;
    slots += plan->outputs;
    fill_addresses(slots, words + plan->temporaries_at, plan->temporaries, (Address)base);
    slots += plan->temporaries;
    fill_addresses(slots, words + plan->constants_at, plan->constants, 0);
    slots[plan->constants] = (Address)&status;
    fill_tables(tables, base, words + plan->entries_at, plan->entries);
    const Stage *stages = (const Stage *)(words + plan->stages_at);
    if (record) {
        record->run(self, plan, stages, tables);
    } else if (plan->mode == INLINE) {
        run_stages(stages, plan->stages, tables, false);
    } else {
        void *thread = PyEval_SaveThread();
        run_stages(stages, plan->stages, tables, plan->mode == PARALLEL);
        PyEval_RestoreThread(thread);
    }
    if (status == 0)
        return result;
    Py_DecRef(result);
    if (status != RAISED)
        report(plan, status);
    return 0;
}

// The Python function: arguments are blocks, arrays or addresses; gives the output blocks.
Object *entry(Object *self, Object **arguments, i64 given) {
    _Alignas(64) Address frame[FRAME];
    const Plan *plan = (const Plan *)PyBytes_AsString(PyTuple_GetItem(self, 0));
    if (given != plan->arguments)
        return PyObject_CallFunctionObjArgs(entry_failure, (void *)0);
    if (plan->scratch == 0)
        return run_plan(self, plan, arguments, frame);
    if (plan->scratch >= MAX_SIZE)
        return no_memory(plan->scratch);
    i64 class = class_of(plan->scratch);
    Address *borrowed = memory_take(class);
    if (!borrowed)
        return no_memory(plan->scratch);
    Object *result = run_plan(self, plan, arguments, borrowed);
    memory_release(borrowed, class);
    return result;
}
