// SPDX-License-Identifier: Apache-2.0
// What the runtime tells the checker, on the thread of the host that runs the launch.
#pragma once
#include "run.h"

void checker_begin(const Run& run);
void checker_end();
void checker_begin_block(unsigned block, unsigned threads);
// A thread goes on, on this stack.
void checker_turn(unsigned thread, const void* stack, unsigned long bytes);
void checker_block_barrier();
// The lanes of the mask, in the warp that begins with this thread, have met.
void checker_warp_barrier(unsigned first, unsigned mask);
