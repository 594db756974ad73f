// SPDX-License-Identifier: Apache-2.0
// Lines of arrays, the keys by which their elements are ordered, and how elements are moved: NaN last, zeros of both
// signs equal.
//
// A routine's `table` holds the addresses of the words, of operands, results and workspace.
#include <stdbool.h>
#include <stdint.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef char *Address;

enum { LANES = 8 };  // the workspace's columns are multiples of it
// FALSE_OR_TRUE: whether a complex number has a NaN in it.
enum { SIGNED, UNSIGNED, FLOAT, FALSE_OR_TRUE };

typedef struct {
    i64 operand, kind;
    i64 size, offset;  // bytes of the number that is compared, and where it stands in its element
    i64 infinity;      // the bits of the greatest float that is no NaN
} Key;

typedef struct {
    i64 length, inner;  // elements of a line, and from one of its elements to the next
    i64 kept;           // elements of a line of the results
    i64 is_descending;
    i64 index_size;  // bytes of a result's positions; 0 where there are none
    i64 operands, keys;
    i64 sizes[];  // bytes of an element of each operand, then the keys
} Words;

static inline i64 least(i64 a, i64 b) { return a < b ? a : b; }

// An element's integer: the order of these is the order of elements.
static inline i64 integer_of(const char *at, const Key *key) {
    u64 bits = 0;
    if (key->size == 4)
        bits = *(const uint32_t *)at;
    else if (key->size == 8)
        bits = *(const u64 *)at;
    else if (key->size == 2)
        bits = *(const uint16_t *)at;
    else
        bits = *(const uint8_t *)at;
    u64 sign = 1ull << (8 * key->size - 1);
    if (key->kind == UNSIGNED)
        return key->size == 8 ? (i64)(bits ^ sign) : (i64)bits;
    if (key->kind == SIGNED)
        return (i64)((bits ^ sign) - sign);
    i64 magnitude = bits & ~sign;
    i64 found = magnitude > key->infinity ? INT64_MAX : bits & sign ? -magnitude : magnitude;
    return key->kind == FLOAT ? found : found == INT64_MAX;
}

static inline i64 key_of(const char *at, const Key *key) {
    i64 found = integer_of(at + key->offset, key);
    return key->kind == FALSE_OR_TRUE ? found | integer_of(at + key->offset + key->size, key) : found;
}

#define MOVED(T)                                                                                                      \
    for (i64 i = 0; i < kept; i++)                                                                                    \
        ((T *)to)[i * inner] = ((const T *)from)[places[i] * inner];

typedef struct { u64 low, high; } Pair;

static void move(const char *from, char *to, i64 size, i64 inner, const i64 *places, i64 kept) {
    if (size == 4) {
        MOVED(uint32_t)
    } else if (size == 8) {
        MOVED(u64)
    } else if (size == 2) {
        MOVED(uint16_t)
    } else if (size == 1) {
        MOVED(uint8_t)
    } else {
        MOVED(Pair)
    }
}

static void write_places(char *to, i64 size, i64 inner, const i64 *places, i64 kept) {
    for (i64 i = 0; i < kept; i++) {
        char *at = to + i * inner * size;
        if (size == 4)
            *(int32_t *)at = places[i];
        else if (size == 8)
            *(i64 *)at = places[i];
        else if (size == 2)
            *(int16_t *)at = places[i];
        else
            *(int8_t *)at = places[i];
    }
}
