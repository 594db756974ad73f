// SPDX-License-Identifier: Apache-2.0
// Blocks of memory that begin at a cache line, recycled by size class.
//
// Classes: 64 bytes apart up to 1 KiB, then eight to each doubling. Free blocks up to 256 KiB lie in one list for each
// class and come from the C library; larger ones are mapped, and lie in the list of their class and in one that is
// ordered by age, whose oldest are given back to the system when too much is kept. A free block holds its own links.
#include "native.h"

enum { CLASSES = 320, SMALL_CLASSES = 80, LINE = 64 };
enum { PROT_READ_WRITE = 3, MADV_HUGEPAGE = 14 };
static const i64 MAX_SIZE = 1L << 47, HUGE_PAGE = 2 << 20;

typedef struct Free Free;
struct Free {
    Free *next, *previous;  // of its class
    Free *older, *newer;    // of all large ones
    i64 class;
};

static _Alignas(64) int32_t memory_lock;
static Free *lists[CLASSES], *oldest, *newest;

// Allocator in memory.py; kept and its limit: large blocks, small ones.
_Alignas(64) struct { i64 in_use, peak, kept[2], limit[2], blocks, from_system; } memory_state;
enum { LARGE, SMALL };

// Written by memory.py: the type of blocks, NumPy's of arrays (whose objects have their address at the same offset), and
// what is called with the size when there is no memory.
Object *block_type, *array_type, *block_failure;

// The words behind a block object's header.
typedef struct { char *address; i64 size, class; } Block;

static Block *block_of(Object *object) { return (Block *)((char *)object + SYSTEM.header); }

static void enter(void) {
    while (__atomic_exchange_n(&memory_lock, 1, __ATOMIC_ACQUIRE))
        relax();
}

static void leave(void) { __atomic_store_n(&memory_lock, 0, __ATOMIC_RELEASE); }

// The class of a size below MAX_SIZE.
static i64 class_of(u64 size) {
    u64 last = size ? size - 1 : 0;
    if (last < 1024)
        return last / LINE;
    u64 k = 63 - __builtin_clzl(last);
    return 8 * (k - 10) + (last >> (k - 3)) + 8;
}

static i64 size_of(i64 class) {
    if (class < 16)
        return (class + 1) * LINE;
    u64 above = class - 16;
    return (9 + above % 8) << (7 + above / 8);
}

static bool is_large(i64 class) { return class >= SMALL_CLASSES; }

// New memory from the system, or null.
static void *system_take(i64 class) {
    i64 size = size_of(class);
    void *memory;
    if (!is_large(class))
        return posix_memalign(&memory, LINE, size) ? 0 : memory;
    i64 extra = size >= 2 * HUGE_PAGE ? HUGE_PAGE : 0;
    char *mapped = mmap(0, size + extra, PROT_READ_WRITE, SYSTEM.map_flags, -1, 0);
    if ((i64)mapped == -1)
        return 0;
    if (!extra)
        return mapped;
    // Huge pages begin at multiples of 2 MiB: one fault instead of 512.
    i64 head = -(u64)mapped % HUGE_PAGE;
    if (head)
        munmap(mapped, head);
    if (extra - head)
        munmap(mapped + head + size, extra - head);
    if (SYSTEM.huge_pages)
        madvise(mapped + head, size, MADV_HUGEPAGE);
    return mapped + head;
}

static void system_release(void *block, i64 class) {
    if (is_large(class))
        munmap(block, size_of(class));
    else
        free(block);
}

// Takes a large block out of both lists; inside of the lock.
static void unlink_large(Free *block) {
    *(block->previous ? &block->previous->next : &lists[block->class]) = block->next;
    if (block->next)
        block->next->previous = block->previous;
    *(block->older ? &block->older->newer : &oldest) = block->newer;
    *(block->newer ? &block->newer->older : &newest) = block->older;
    memory_state.kept[LARGE] -= size_of(block->class);
}

// Puts a large block at the head of both lists; inside of the lock.
static void link_large(Free *block, i64 class) {
    Free *first = lists[class];
    *block = (Free){first, 0, newest, 0, class};
    if (first)
        first->previous = block;
    *(newest ? &newest->newer : &oldest) = block;
    lists[class] = newest = block;
    memory_state.kept[LARGE] += size_of(class);
}

// Takes a small block out of its list; inside of the lock.
static void unlink_small(Free *block, i64 class) {
    lists[class] = block->next;
    memory_state.kept[SMALL] -= size_of(class);
}

// Gives the oldest large blocks back until no more than so many bytes are kept.
static void evict(i64 limit) {
    for (;;) {
        enter();
        Free *block = oldest;
        if (memory_state.kept[LARGE] <= limit || !block)
            break;
        i64 class = block->class;
        unlink_large(block);
        leave();
        system_release(block, class);
    }
    leave();
}

// Gives everything that is kept back to the system.
void memory_trim(void) {
    evict(0);
    for (i64 class = 0; class < SMALL_CLASSES; class++)
        for (;;) {
            enter();
            Free *block = lists[class];
            if (block)
                unlink_small(block, class);
            leave();
            if (!block)
                break;
            free(block);
        }
}

// Counts a block as used; inside of the lock.
static void count_taken(i64 size) {
    memory_state.in_use += size;
    memory_state.peak = most(memory_state.peak, memory_state.in_use);
    memory_state.blocks++;
}

// Memory of a class, or null.
static void *memory_take(i64 class) {
    i64 size = size_of(class);
    enter();
    Free *block = lists[class];
    if (block) {
        if (is_large(class))
            unlink_large(block);
        else
            unlink_small(block, class);
        count_taken(size);
        leave();
        return block;
    }
    leave();
    void *fresh = system_take(class);
    if (!fresh) {
        // What is kept of other sizes may be what is missing.
        memory_trim();
        fresh = system_take(class);
    }
    if (fresh) {
        enter();
        count_taken(size);
        memory_state.from_system++;
        leave();
    }
    return fresh;
}

// Keeps a block for later, or gives it back.
static void memory_release(void *memory, i64 class) {
    Free *block = memory;
    i64 size = size_of(class);
    enter();
    memory_state.in_use -= size;
    memory_state.blocks--;
    i64 limit = memory_state.limit[is_large(class) ? LARGE : SMALL];
    if (is_large(class) && size <= limit) {
        link_large(block, class);
        bool over = memory_state.kept[LARGE] > limit;
        leave();
        if (over)
            evict(limit);
    } else if (!is_large(class) && memory_state.kept[SMALL] + size <= limit) {
        block->next = lists[class];
        lists[class] = block;
        memory_state.kept[SMALL] += size;
        leave();
    } else {
        leave();
        system_release(block, class);
    }
}

// Raises the error for a size that cannot be had; always null.
static void *no_memory(i64 size) {
    Object *number = PyLong_FromSsize_t(size);
    if (number) {
        PyObject_CallFunctionObjArgs(block_failure, number, (void *)0);
        Py_DecRef(number);
    }
    return 0;
}

// A block object with memory of its own; null when Python has an error to raise.
static Object *block_new(u64 size) {
    if (size >= MAX_SIZE)
        return no_memory(size);
    i64 class = class_of(size);
    void *memory = memory_take(class);
    if (!memory)
        return no_memory(size);
    Object *object = _PyObject_New(block_type);
    if (object)
        *block_of(object) = (Block){memory, size, class};
    else
        memory_release(memory, class);
    return object;
}

// take(size), as a Python function of one argument.
Object *block_take(Object *self, Object *argument) {
    i64 size = PyLong_AsSsize_t(argument);
    return size < 0 && PyErr_Occurred() ? 0 : block_new(size);
}

void block_dealloc(Object *self) {
    memory_release(block_of(self)->address, block_of(self)->class);
    Object *type = block_type;
    PyObject_Free(self);
    Py_DecRef(type);
}

int block_getbuffer(Object *self, void *view, int flags) {
    return PyBuffer_FillInfo(view, self, block_of(self)->address, block_of(self)->size, 0, flags);
}
