// SPDX-License-Identifier: Apache-2.0
// The native runtime as one unit, which `python -m tools.native_ir` compiles to runtime.ll.
#include "pool.c"
#include "memory.c"
#include "entry.c"
#include "loop.c"
