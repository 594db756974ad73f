// What threads do to memory, in modules that are compiled with the compiler's instrumentation for races: its calls come
// here. Nothing may touch what another thread may be writing, nothing may be outside the buffers of the launch.
//
// Of every byte the last write, the last read and the lanes that read it are kept. Threads of a block are ordered by its barriers; lanes of a
// warp by its own barriers too, with a vector clock; shuffles and votes order nothing, nor does anything order blocks.

#include "checker.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

namespace {

constexpr unsigned kWarp = 32, kMostThreads = 1024, kMostRegions = 256;

// When something was done: 0 is never.
struct Stamp {
    uint64_t bits;
    static Stamp of(unsigned thread, unsigned block, unsigned epoch, unsigned time) {
        return {1ull << 63 | (uint64_t)(block & 0x1fffff) << 42 | (uint64_t)(epoch & 0xffff) << 26 |
                (uint64_t)(time & 0x7fff) << 11 | thread};
    }
    bool never() const { return bits == 0; }
    unsigned block() const { return bits >> 42 & 0x1fffff; }
    unsigned epoch() const { return bits >> 26 & 0xffff; }
    unsigned time() const { return bits >> 11 & 0x7fff; }
    unsigned thread() const { return bits & 0x3ff; }
    bool several() const { return bits >> 10 & 1; }  // other threads did, too, since the block's last barrier
};

struct Cell {
    Stamp write, read;
    unsigned lanes;  // of the reader's warp, that read since the block's last barrier
};

struct Region {
    uint64_t address, bytes;
    Cell* cells;
    uint64_t mapped;
    bool is_shared;
};

struct Checker {
    Region regions[kMostRegions];
    unsigned region_count;
    uint64_t image, image_end, dynamic, dynamic_end;
    bool knows_buffers;
    unsigned block, epoch, threads, thread;
    unsigned time[kMostThreads];
    unsigned known[kMostThreads][kWarp];  // up to what time of each lane of its warp a thread is later
    const char *stack, *stack_end;
};

thread_local Checker* checker = nullptr;

void add(uint64_t address, uint64_t bytes, bool is_shared) {
    Checker& c = *checker;
    if (bytes == 0 || c.region_count == kMostRegions) return;
    uint64_t mapped = bytes * sizeof(Cell);
    void* cells = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    c.regions[c.region_count++] = {address, bytes, (Cell*)cells, mapped, is_shared};
}

// Whether what was done then is before what the running thread does now; where several did it, they are these lanes.
bool is_before(Stamp then, bool is_shared, unsigned lanes = ~0u) {
    const Checker& c = *checker;
    if (then.never()) return true;
    if (!is_shared && then.block() != (c.block & 0x1fffff)) return false;
    if (then.epoch() != (c.epoch & 0xffff)) return true;
    if (then.several()) {
        if (then.thread() / kWarp != c.thread / kWarp) return false;
        for (unsigned lane = 0; lane < kWarp; ++lane) {
            unsigned other = c.thread / kWarp * kWarp + lane;
            if (!(lanes >> lane & 1)) continue;  // a barrier of the others says nothing of it
            if (other < c.threads && other != c.thread && c.known[c.thread][lane] < then.time()) return false;
        }
        return true;
    }
    if (then.thread() == c.thread) return true;
    return then.thread() / kWarp == c.thread / kWarp && c.known[c.thread][then.thread() % kWarp] >= then.time();
}

void report(const char* what, const char* memory, Stamp other, uint64_t offset, uint64_t size) {
    char text[256];
    const bool reads = what[0] == 'r';
    const char* did = reads ? "writes" : what[1] == 'w' ? "writes, too," : "reads";
    snprintf(text, sizeof text,
             "%s %lu bytes at offset %lu of %s, which thread %u of block %u %s without a barrier between",
             reads ? "reads" : "writes", (unsigned long)size, (unsigned long)offset, memory, other.thread(),
             other.block(), did);
    olympus_fail(text);
}

void outside(const char* verb, uint64_t address, uint64_t size) {
    const Checker& c = *checker;
    char text[256];
    int written = snprintf(text, sizeof text, "%s %lu bytes outside of all buffers", verb, (unsigned long)size);
    for (unsigned i = 0; i < c.region_count; ++i) {
        const Region& r = c.regions[i];
        if (r.is_shared || address + 65536 < r.address || address > r.address + r.bytes + 65536) continue;
        snprintf(text + written, sizeof text - written, ", at offset %ld of one with %lu bytes",
                 (long)(address - r.address), (unsigned long)r.bytes);
        break;
    }
    olympus_fail(text);
}

void access(void* pointer, uint64_t size, bool is_write) {
    if (checker == nullptr) return;
    Checker& c = *checker;
    const uint64_t address = (uint64_t)pointer;
    for (unsigned i = 0; i < c.region_count; ++i) {
        Region& r = c.regions[i];
        if (address < r.address || address >= r.address + r.bytes) continue;
        if (address + size > r.address + r.bytes) break;
        const char* name = r.is_shared ? "shared memory" : "a buffer";
        const Stamp now = Stamp::of(c.thread, c.block, c.epoch, c.time[c.thread]);
        for (uint64_t offset = address - r.address; offset < address - r.address + size; ++offset) {
            Cell& cell = r.cells[offset];
            if (is_write) {
                if (!is_before(cell.write, r.is_shared)) return report("ww", name, cell.write, offset, size);
                if (!is_before(cell.read, r.is_shared, cell.lanes)) return report("wr", name, cell.read, offset, size);
                cell.write = now;
                continue;
            }
            if (!is_before(cell.write, r.is_shared)) return report("r", name, cell.write, offset, size);
            if (r.is_shared && cell.write.never()) {
                return olympus_fail("reads shared memory that no thread of the block has written");
            }
            Stamp before = cell.read;
            unsigned others = cell.lanes;
            cell.read = now;
            cell.lanes = 1u << now.thread() % kWarp;
            // Other readers stay remembered: one of their own time, or later, stands for all of a warp.
            if (!before.never() && before.block() == now.block() && before.epoch() == now.epoch() &&
                (before.several() || before.thread() != now.thread())) {
                bool one_warp = before.thread() / kWarp == now.thread() / kWarp;
                if (before.time() > now.time() || !one_warp) cell.read = before;
                cell.read.bits |= 1 << 10;
                cell.lanes |= others;
                if (!one_warp) {  // later than any warp's barrier, whoever comes
                    cell.read.bits |= 0x7fffull << 11;
                    cell.lanes = ~0u;
                }
            }
            if (!before.never() && before.block() != now.block() && !r.is_shared) {
                cell.read.bits |= 0x1fffffull << 42;  // several blocks: of none that writes it
            }
        }
        return;
    }
    const char* place = (const char*)pointer;
    if (place >= c.stack && place < c.stack_end) return;  // a thread's own
    if (address >= c.image && address < c.image_end) {
        if (address >= c.dynamic && address < c.dynamic_end) outside(is_write ? "writes" : "reads", address, size);
        return;  // tables, and where a thread finds its place
    }
    if (c.knows_buffers) outside(is_write ? "writes" : "reads", address, size);
}

}  // namespace

void checker_begin(const Run& run) {
    if (checker == nullptr) checker = new Checker();
    Checker& c = *checker;
    c.region_count = 0;
    c.image = (uint64_t)run.image;
    c.image_end = (uint64_t)run.image_end;
    c.dynamic = (uint64_t)run.dynamic;
    c.dynamic_end = c.dynamic + run.dynamic_capacity;
    c.knows_buffers = run.buffer_count != 0;
    if (run.shared < run.shared_end) add((uint64_t)run.shared, run.shared_end - run.shared, true);
    add((uint64_t)run.dynamic, run.dynamic_bytes, true);
    for (unsigned long i = 0; i < run.buffer_count; ++i) add(run.buffers[2 * i], run.buffers[2 * i + 1], false);
    c.epoch = 0;
}

void checker_end() {
    if (checker == nullptr) return;
    for (unsigned i = 0; i < checker->region_count; ++i) munmap(checker->regions[i].cells, checker->regions[i].mapped);
    delete checker;
    checker = nullptr;
}

void checker_begin_block(unsigned block, unsigned threads) {
    Checker& c = *checker;
    c.block = block;
    c.threads = threads;
    c.epoch = 0;
    for (unsigned thread = 0; thread < threads; ++thread) {
        c.time[thread] = 1;
        memset(c.known[thread], 0, sizeof c.known[thread]);
    }
    for (unsigned i = 0; i < c.region_count; ++i) {
        if (c.regions[i].is_shared) memset((void*)c.regions[i].cells, 0, c.regions[i].mapped);
    }
}

void checker_turn(unsigned thread, const void* stack, unsigned long bytes) {
    checker->thread = thread;
    checker->stack = (const char*)stack;
    checker->stack_end = checker->stack + bytes;
}

void checker_block_barrier() { ++checker->epoch; }

void checker_warp_barrier(unsigned first, unsigned mask) {
    Checker& c = *checker;
    unsigned joined[kWarp] = {};
    for (unsigned i = 0; i < kWarp; ++i) {
        if (!(mask >> i & 1)) continue;
        for (unsigned lane = 0; lane < kWarp; ++lane) {
            unsigned known = lane == i ? c.time[first + i] : c.known[first + i][lane];
            if (known > joined[lane]) joined[lane] = known;
        }
    }
    for (unsigned i = 0; i < kWarp; ++i) {
        if (!(mask >> i & 1)) continue;
        memcpy(c.known[first + i], joined, sizeof joined);
        ++c.time[first + i];
    }
}

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
#define OLYMPUS_ACCESS(size)                                                       \
    void __tsan_read##size(void* p) { access(p, size, false); }                    \
    void __tsan_write##size(void* p) { access(p, size, true); }                    \
    void __tsan_unaligned_read##size(void* p) { access(p, size, false); }          \
    void __tsan_unaligned_write##size(void* p) { access(p, size, true); }          \
    void __tsan_volatile_read##size(void* p) { access(p, size, false); }           \
    void __tsan_volatile_write##size(void* p) { access(p, size, true); }
OLYMPUS_ACCESS(1)
OLYMPUS_ACCESS(2)
OLYMPUS_ACCESS(4)
OLYMPUS_ACCESS(8)
OLYMPUS_ACCESS(16)
void __tsan_read_range(void* p, unsigned long size) { access(p, size, false); }
void __tsan_write_range(void* p, unsigned long size) { access(p, size, true); }
}
