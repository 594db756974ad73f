// SPDX-License-Identifier: Apache-2.0
// What the native parts of linear algebra share. Compiled for no processor in particular: see tools/native_ir.py.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef char *Address;

static inline i64 least(i64 a, i64 b) { return a < b ? a : b; }
