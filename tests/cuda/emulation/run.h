// SPDX-License-Identifier: Apache-2.0
// What a module tells the runtime about a launch.
#pragma once

struct Index {
    unsigned x, y, z;
};

struct Run {
    const char* name;
    void (*call)(const unsigned long* arguments);
    const unsigned long* arguments;
    Index *thread_index, *block_index, *block_size, *grid_size;
    char *shared, *shared_end;  // what is declared in kernels
    char* dynamic;              // what the launch asks for
    unsigned long dynamic_bytes, dynamic_capacity;
    bool is_checked;              // whether the module tells what it does to memory
    const unsigned long* buffers; // address and size of each that it may touch; none if nothing is known
    unsigned long buffer_count;
    char *image, *image_end;      // the module's own
};

constexpr unsigned long kErrorBytes = 512;

enum WarpOperation { kWarpBarrier, kShuffle, kBallot };

extern "C" {
// 0, or 1 with the error written.
int olympus_run(const Run* run, Index grid, Index block, char* error);
int olympus_block_barrier(int predicate);
unsigned long olympus_warp_operation(int operation, unsigned mask, unsigned long value, int source);
unsigned olympus_lane();
void olympus_fail(const char* what);
}
