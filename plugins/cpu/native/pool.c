// SPDX-License-Identifier: Apache-2.0
// A parallel loop over the process's threads.
//
// One loop runs at a time. Its chunks are cut into as many shares as there are threads; a thread begins with its own
// share, whose data the same share of the loop before left in that thread's caches, and goes on with what the others
// have left. A share's claim holds the loop's number in the upper half and the next free chunk in the lower half;
// whoever increments it owns that chunk. `finished` counts the chunks that are done. While a chunk is owned and not
// counted, the loop's caller cannot return, so the loop's variables are valid for the owner.
#include "native.h"

enum { MAX_SHARES = 64, MAX_IDS = 8, MASK_BYTES = 128 };
enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };
#define OWN_LINES _Alignas(128)  // a pair of cache lines that no other variable shares

// Pool in pool.py: threads wanted with the caller (or those that could be started), whether they were started, threads
// alive, their generation, pauses before sleeping.
OWN_LINES struct { i64 wanted, started, alive, generation, spin; } pool_state = {1, 0, 0, 0, 1000};

static OWN_LINES struct { OWN_LINES u64 claim; u64 end; } shares[MAX_SHARES];

static OWN_LINES struct {
    i64 share_count;
    u64 number;
    Kernel *kernel;
    Address *table;
    i64 total, chunk, chunks;
} loop_now;
static OWN_LINES int32_t finished;
static OWN_LINES int32_t caller_sleeps;
static OWN_LINES int32_t busy;
static OWN_LINES int32_t signal_word;  // idle threads wait for it: it changes with every loop
static OWN_LINES int32_t sleepers;

// A few threads are kept off the processor that the caller computes on: the system tends to wake them there, where they
// wait until it notices. An id of -1, of a thread that has not said its own yet, is nobody's.
static struct {
    int32_t ids[MAX_IDS];
    i64 id_count;
    _Alignas(16) char processors[MASK_BYTES];
    uint32_t left_out;
} affinity = {.left_out = -1};

static void futex_wait(int32_t *word, int32_t value) {
    syscall(SYSTEM.futex, word, FUTEX_WAIT_PRIVATE, value, (void *)0, (void *)0, 0);
}

static void futex_wake(int32_t *word, int32_t count) {
    syscall(SYSTEM.futex, word, FUTEX_WAKE_PRIVATE, count, (void *)0, (void *)0, 0);
}

static void run_serially(Kernel *kernel, Address *table, i64 total, i64 chunk) {
    i64 low = 0;
    for (i64 index = 0; low < total; index++) {
        i64 high = low + least(chunk, total - low);
        kernel(table, low, high, index);
        low = high;
    }
}

// Claims and runs chunks of the current loop until none is left, those of the thread's own share first.
static void drain(u64 home) {
    u64 count = LOAD(loop_now.share_count);
    for (u64 visited = 0; visited < count; visited++) {
        u64 share = (home + visited) % count;
        for (;;) {
            u64 claim = LOAD(shares[share].claim), end = LOAD(shares[share].end), index = claim & 0xFFFFFFFF;
            if (index >= end)
                break;
            if (!COMPARE_EXCHANGE(shares[share].claim, claim, claim + 1))
                continue;
            i64 low = index * loop_now.chunk, high = low + least(loop_now.chunk, loop_now.total - low);
            int32_t chunks = loop_now.chunks;
            loop_now.kernel(loop_now.table, low, high, index);
            // After the count the loop may be over: its variables are not read any more.
            if (ADD(finished, 1) + 1 == chunks && LOAD(caller_sleeps))
                futex_wake(&finished, 1);
        }
    }
}

// Keeps the sleeping threads off the caller's processor; only the owner of `busy` calls it.
static void keep_off(void) {
    uint32_t here;
    i64 count = LOAD(affinity.id_count);  // grows while threads start
    if (count < 1 || count > MAX_IDS ||
        syscall(SYSTEM.getcpu, &here, (void *)0, (void *)0) || here == affinity.left_out || here >= 8 * MASK_BYTES)
        return;
    affinity.left_out = here;
    _Alignas(16) char mask[MASK_BYTES];
    __builtin_memcpy(mask, affinity.processors, MASK_BYTES);
    mask[here / 8] &= ~(1 << here % 8);
    // An empty set of processors is refused by the system, which leaves all as it was.
    for (i64 i = 0; i < count; i++)
        syscall(SYSTEM.sched_setaffinity, affinity.ids[i], (i64)MASK_BYTES, mask);
}

// An idle thread's life: chunks, a short spin for the next loop, sleep.
static void *pool_thread(void *generation) {
    // One that starts late, when the pool has another size already, must not take the number of one that is wanted.
    if (LOAD(pool_state.generation) == (i64)generation) {
        int32_t id = syscall(SYSTEM.gettid);
        u64 number = ADD(affinity.id_count, 1);
        if (number < MAX_IDS)
            affinity.ids[number] = id;
        for (;;) {
            int32_t seen = LOAD(signal_word);
            if (LOAD(pool_state.generation) != (i64)generation)
                break;
            drain(number + 1);
            u64 limit = LOAD(pool_state.spin), spun = 0;
            while (LOAD(signal_word) == seen && (relax(), ++spun < limit)) {
            }
            if (spun >= limit) {
                ADD(sleepers, 1);
                futex_wait(&signal_word, seen);
                ADD(sleepers, -1);
            }
        }
    }
    ADD(pool_state.alive, -1);
    return 0;
}

// Starts the missing threads; only the owner of `busy` calls it.
static void start_threads(void) {
    void *thread;
    _Alignas(16) char all[MASK_BYTES], old[MASK_BYTES];
    STORE(pool_state.started, 1);
    STORE(affinity.id_count, 0);
    __builtin_memset(affinity.ids, -1, sizeof affinity.ids);
    affinity.left_out = -1;
    syscall(SYSTEM.sched_getaffinity, 0, (i64)MASK_BYTES, affinity.processors);
    i64 wanted = LOAD(pool_state.wanted), generation = LOAD(pool_state.generation);
    // Signals are for Python's main thread, whose waits they must interrupt.
    sigfillset(all);
    pthread_sigmask(SYSTEM.sig_setmask, all, old);
    for (i64 i = 1; i < wanted; i++) {
        ADD(pool_state.alive, 1);
        if (pthread_create(&thread, 0, pool_thread, (void *)generation)) {
            // Fewer threads do as well: the caller runs what nobody takes. So many there are from now on, unless others
            // are wanted meanwhile.
            COMPARE_EXCHANGE(pool_state.wanted, wanted, i);
            ADD(pool_state.alive, -1);
            break;
        }
        pthread_detach(thread);
    }
    pthread_sigmask(SYSTEM.sig_setmask, old, 0);
}

// Writes the loop's variables and opens its shares; idle threads that spin begin at once.
static void publish(Kernel *kernel, Address *table, i64 total, i64 chunk, u64 chunks, u64 count) {
    u64 number = ++loop_now.number << 32;
    // Claims that fit no loop, while the variables change.
    for (u64 i = 0; i < count; i++)
        STORE(shares[i].claim, number | 0xFFFFFFFF);
    loop_now.kernel = kernel, loop_now.table = table;
    loop_now.total = total, loop_now.chunk = chunk, loop_now.chunks = chunks;
    STORE(finished, 0);
    STORE(loop_now.share_count, count);
    for (u64 i = 0, begin = 0; i < count; i++) {
        // Rounded up: where there are fewer chunks than threads the caller has one.
        u64 end = (chunks * (i + 1) + count - 1) / count;
        STORE(shares[i].end, end);
        STORE(shares[i].claim, number | begin);
        begin = end;
    }
    ADD(signal_word, 1);
}

// kernel(table, low, high, index) for every chunk of [0, total); returns when all have run.
void parallel_for(Kernel *kernel, Address *table, i64 total, i64 chunk) {
    i64 threads = LOAD(pool_state.wanted), chunks = (u64)(total + chunk - 1) / (u64)chunk;
    int32_t unclaimed = 0;
    // The threads serve one loop at a time; a second caller, or a loop inside of a loop, does its own work.
    if (threads < 2 || chunks < 2 || chunks > INT32_MAX || !COMPARE_EXCHANGE(busy, unclaimed, 1)) {
        run_serially(kernel, table, total, chunk);
        return;
    }
    if (!LOAD(pool_state.started))
        start_threads();
    publish(kernel, table, total, chunk, chunks, least(threads, MAX_SHARES));
    if (LOAD(sleepers)) {
        keep_off();
        futex_wake(&signal_word, chunks - 1);
    }
    drain(0);
    u64 limit = LOAD(pool_state.spin), spun = 0;
    int32_t done;
    while ((done = LOAD(finished)) != chunks && (relax(), ++spun < limit)) {
    }
    if (done != chunks) {
        STORE(caller_sleeps, 1);
        while ((done = LOAD(finished)) != chunks)
            futex_wait(&finished, done);
        STORE(caller_sleeps, 0);
    }
    STORE(busy, 0);
}

// Sends the threads away; they are gone when the count of those alive is 0. The next loop starts new ones.
void pool_stop(void) {
    ADD(pool_state.generation, 1);
    STORE(pool_state.started, 0);
    ADD(signal_word, 1);
    futex_wake(&signal_word, INT32_MAX);
}

// In a child of fork: there are no threads, and no loop is under way.
void pool_forget(void) {
    STORE(pool_state.started, 0);
    STORE(pool_state.alive, 0);
    STORE(sleepers, 0);
    STORE(caller_sleeps, 0);
    STORE(loop_now.share_count, 0);
    STORE(busy, 0);
}

// Pauses so many times: tells how long one takes.
void pool_pause(u64 count) {
    u64 i = 0;
    do {
        LOAD(signal_word);
        relax();
    } while (++i < count);
}

// A kernel that does nothing, for measurements and tests.
void nothing(Address *table, i64 low, i64 high, i64 index) {}
