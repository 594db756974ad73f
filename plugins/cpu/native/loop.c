// SPDX-License-Identifier: Apache-2.0
// Loops and branches as kernels: the first word of their table is a plan of their own, which loops.py writes.
//
// A loop's table: plan, scratch memory, status, then the addresses of its operands and of its results; these are the
// first slots of its body. The scratch memory begins with the slots, then the tables. A branch's table: plan, scratch
// memory, status, the index, then operands and results of its regions, which are loops of one iteration.
#include "native.h"

// What an iteration leaves for the next one.
typedef struct {
    i64 read, written, temporary;  // slots
    i64 size;
    // Written over; where the first iteration writes; read in the slice of a sequence, whose slot `temporary` is.
    enum : i64 { IN_PLACE, RESULT_FIRST, TEMPORARY_FIRST, FOLLOWING } kind;
} Carry;

// An operand or result of which each iteration has a part: what is added to its slot before the first one and after each.
typedef struct { i64 slot, first, stride; } Sequence;

// A step of one chunk and one table, in one thread, needs no more than this.
typedef struct { Kernel *kernel; i64 total, table; } Call;

// An entry of the tables whose slot changes; what is added to it from one iteration that uses its table to the next one.
typedef struct { i64 entry, slot, stride; } Changing;

typedef struct {
    i64 iterations;  // negative: as long as the condition holds
    i64 state;       // operands and results
    i64 temporaries, constants, entries, condition_stages, body_stages, parallel;
    i64 flag;  // the slot of what the condition says, a byte
    i64 carries, sequences, slots;
    i64 condition_calls, body_calls;  // negative: these have stages
    i64 alternating, moving;          // carries that alternate, which come first; these and those that follow
    i64 changing, turning;            // entries that change with each iteration; those that alternate, which follow
    i64 first_stages;  // of the first iteration, before its others
    // Where these begin in the plan, in words.
    i64 temporaries_at, constants_at, entries_at, condition_stages_at, body_stages_at, carries_at, sequences_at,
        condition_calls_at, body_calls_at, changing_at, first_stages_at;
} LoopPlan;

typedef struct { i64 regions; const LoopPlan *region[]; } BranchPlan;

enum : i64 { NEVER = (i64)(~(u64)0 >> 1) };

#define PART(type, name) ((const type *)((const i64 *)plan + plan->name##_at))

// A kernel: copies bytes.
void copy_bytes(Address *table, i64 low, i64 high, i64 index) {
    __builtin_memcpy(table[1] + low, table[0] + low, high - low);
}

// When to look at the clock: iterations until then, iterations between two looks; the last look and the last question
// to Python, in nanoseconds.
typedef struct { i64 left, each, looked, asked; } Clock;

// Whether the user wants to interrupt: asked for some ten times a second, in threads that Python knows.
static bool is_interrupted(Clock *clock) {
    enum { MILLISECOND = 1000000, MOST_ITERATIONS = 65536 };
    i64 time[2];
    clock_gettime(SYSTEM.clock_monotonic, time);
    i64 now = time[0] * 1000000000 + time[1];
    u64 took = now - clock->looked;
    if (clock->looked == 0)
        clock->asked = now;
    clock->looked = now;
    if (took < MILLISECOND)
        clock->each = least(2 * clock->each, MOST_ITERATIONS);
    else if (took > 20 * MILLISECOND)
        clock->each = most(clock->each / 8, 1);
    clock->left = clock->each;
    if (now - clock->asked <= 100 * MILLISECOND)
        return false;
    clock->asked = now;
    if (!PyGILState_GetThisThreadState())
        return false;
    int lock = PyGILState_Ensure(), raised = PyErr_CheckSignals();
    PyGILState_Release(lock);
    return raised != 0;
}

// Puts carries where the first iteration finds them.
static void begin_carries(const LoopPlan *plan, Address *slots) {
    const Carry *carries = PART(Carry, carries);
    for (const Carry *c = carries; c < carries + plan->carries; c++) {
        Address given = slots[c->read], result = slots[c->written];
        if (c->kind == IN_PLACE) {
            slots[c->read] = result;
            if (given != result)
                __builtin_memcpy(result, given, c->size);
        } else if (c->kind == TEMPORARY_FIRST) {
            slots[c->written] = slots[c->temporary];
            slots[c->temporary] = result;
        }
    }
}

// Lets the next iteration read what this one has written. From the second time on, twice is nothing.
static void turn(const LoopPlan *plan, Address *slots) {
    const Carry *c = PART(Carry, carries);
    for (const Carry *end = c + plan->alternating; c < end; c++) {
        Address written = slots[c->written];
        slots[c->read] = written;
        slots[c->written] = slots[c->temporary];
        slots[c->temporary] = written;
    }
}

static void change(const Changing *c, i64 count, Address *table, Address *slots) {
    for (const Changing *end = c + count; c < end; c++)
        table[c->entry] = slots[c->slot];
}

static inline void advance_entries(const Changing *c, const Changing *end, Address *table) {
    for (; c < end; c++)
        table[c->entry] += c->stride;
}

static void advance_sequences(const LoopPlan *plan, i64 iterations, Address *slots) {
    const Sequence *s = PART(Sequence, sequences);
    for (const Sequence *end = s + plan->sequences; s < end; s++)
        slots[s->slot] += iterations * s->stride;
}

// Sequences, and the carries that follow them, after so many iterations.
static void advance_slots(const LoopPlan *plan, i64 iterations, Address *slots) {
    if (iterations < 1)
        return;
    advance_sequences(plan, iterations - 1, slots);
    const Carry *c = PART(Carry, carries), *following = c + plan->moving;
    for (c += plan->alternating; c < following; c++)
        slots[c->read] = slots[c->temporary];
    advance_sequences(plan, 1, slots);
}

// Makes ready for iteration `i`, whose table this is: sequences advance, carries that alternate do so. There is a table
// for even and one for odd iterations, in which these stay as they are from the third iteration on, as the slots do.
static void next_iteration(const LoopPlan *plan, i64 i, Address *slots, Address *tables, Address *table) {
    const Changing *changing = PART(Changing, changing);
    if (plan->alternating && i <= 2) {
        turn(plan, slots);
        if (i == 1)
            __builtin_memcpy(table, tables, plan->entries * sizeof *table);
        change(changing + plan->changing, plan->turning, table, slots);
    }
    advance_slots(plan, 1, slots);
    change(changing, plan->changing, table, slots);
}

// The first iteration from which on tables only advance, where each step is one call; else no iteration is.
static i64 settled_from(const LoopPlan *plan) {
    if (plan->body_calls < 0 || plan->condition_calls < 0)
        return NEVER;
    return plan->alternating ? 3 : plan->moving ? 2 : plan->first_stages ? 1 : 0;
}

static inline void run_calls(const Call *call, const Call *end, Address *tables) {
    for (; call < end; call++)
        call->kernel(tables + call->table, 0, call->total, 0);
}

// Iterations that are calls and addresses which advance: the tables of this one and of the next one are ready, and are
// again afterwards. Gives how many were run: fewer where the condition or the status ends the loop.
static __attribute__((always_inline)) inline i64 run_settled(
    const LoopPlan *plan, Address *table, Address *other, const char *flag, const char *other_flag, int32_t *status,
    i64 count, bool has_condition) {
    const Call *conditions = PART(Call, condition_calls), *calls = PART(Call, body_calls);
    const Call *conditions_end = conditions + plan->condition_calls, *calls_end = calls + plan->body_calls;
    const Changing *changing = PART(Changing, changing), *changing_end = changing + plan->changing;
    i64 left = count;
    while (left > 0) {
        if (has_condition) {
            run_calls(conditions, conditions_end, table);
            if (!*flag)
                break;
            const char *now = flag;
            flag = other_flag;
            other_flag = now;
        }
        run_calls(calls, calls_end, table);
        advance_entries(changing, changing_end, table);
        left--;
        if (__atomic_load_n(status, __ATOMIC_RELAXED))
            break;
        Address *now = table;
        table = other;
        other = now;
    }
    return count - left;
}

// Leaves the last iteration's carries in the results.
static void end_carries(const LoopPlan *plan, Address *slots, Address *given) {
    const Carry *carries = PART(Carry, carries);
    for (const Carry *c = carries; c < carries + plan->carries; c++)
        if (slots[c->read] != given[c->written])
            __builtin_memcpy(given[c->written], slots[c->read], c->size);
}

static inline void run(const Call *calls, i64 count, const Stage *stages, i64 stage_count, Address *tables, bool parallel) {
    if (count < 0)
        run_stages(stages, stage_count, tables, parallel);
    else
        run_calls(calls, calls + count, tables);
}

// All iterations of a loop whose operands and results are at `given`.
static void run_loop(const LoopPlan *plan, Address *slots, int32_t *status, Address *given) {
    Clock clock = {64, 64, 0, 0};
    Address *tables = slots + plan->slots, *next = slots + plan->state;
    __builtin_memcpy(slots, given, plan->state * sizeof *slots);
    fill_addresses(next, PART(i64, temporaries), plan->temporaries, (Address)slots);
    next += plan->temporaries;
    fill_addresses(next, PART(i64, constants), plan->constants, 0);
    next[plan->constants] = (Address)status;
    begin_carries(plan, slots);
    const Sequence *sequences = PART(Sequence, sequences);
    for (const Sequence *s = sequences; s < sequences + plan->sequences; s++)
        slots[s->slot] += s->first;
    fill_tables(tables, slots, PART(i64, entries), plan->entries);
    bool has_condition = plan->iterations < 0, moves = plan->alternating || plan->sequences;
    Address flags[] = {slots[plan->flag], slots[plan->flag]};
    i64 i = 0, end = has_condition ? NEVER : plan->iterations, settled = settled_from(plan);
    i64 second = plan->alternating ? plan->entries : 0;  // where the table of odd iterations begins
    while (i < end) {
        Address *table = tables + (i & 1) * second, *other = tables + (~i & 1) * second;
        if (i >= settled) {
            if (i == settled && second) {
                const Changing *changing = PART(Changing, changing);
                advance_entries(changing, changing + plan->changing, other);
            }
            i64 count = least(clock.left, end - i);
            const char *flag = flags[i & 1], *other_flag = flags[~i & 1];
            i64 done = has_condition ? run_settled(plan, table, other, flag, other_flag, status, count, true)
                                     : run_settled(plan, table, other, flag, other_flag, status, count, false);
            i += done;
            clock.left -= done;
            advance_slots(plan, done, slots);
            if (done < count)
                break;
        } else {
            if (has_condition) {
                run(PART(Call, condition_calls), plan->condition_calls, PART(Stage, condition_stages),
                    plan->condition_stages, table, plan->parallel);
                if (!*flags[i & 1])
                    break;
            }
            if (i == 0)
                run_stages(PART(Stage, first_stages), plan->first_stages, table, plan->parallel);
            run(PART(Call, body_calls), plan->body_calls, PART(Stage, body_stages), plan->body_stages, table,
                plan->parallel);
            i++;
            clock.left--;
            if (moves)
                next_iteration(plan, i, slots, tables, tables + (i & 1) * second);
            if (i <= 2)
                flags[i & 1] = slots[plan->flag];
        }
        if (__atomic_load_n(status, __ATOMIC_RELAXED))
            break;
        if (clock.left < 1 && is_interrupted(&clock)) {
            __atomic_store_n(status, RAISED, __ATOMIC_RELAXED);
            break;
        }
    }
    if (i > 2 && i & 1)
        turn(plan, slots);
    end_carries(plan, slots, given);
}

// A kernel: a loop.
void loop(Address *table, i64 low, i64 high, i64 index) {
    run_loop((const LoopPlan *)table[0], (Address *)table[1], (int32_t *)table[2], table + 3);
}

// A kernel: one of some regions.
void branch(Address *table, i64 low, i64 high, i64 index) {
    const BranchPlan *plan = (const BranchPlan *)table[0];
    int32_t which;
    __builtin_memcpy(&which, table[3], sizeof which);
    which = least(most(which, 0), plan->regions - 1);
    run_loop(plan->region[which], (Address *)table[1], (int32_t *)table[2], table + 4);
}
