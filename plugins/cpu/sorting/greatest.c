// SPDX-License-Identifier: Apache-2.0
// The few greatest elements of lines, by one key; of equal ones the first comes first.
//
// They are held in order while a line is read. A text of its own: a process compiles no sort for it.
#include "lines.h"

enum { WIDE = 32 };  // elements that are compared at once with the least of those that are held

typedef bool Mask __attribute__((ext_vector_type(WIDE)));

// Which of WIDE elements, next to each other, may be greater than a bound: all that are, NaN, and some equal zeros.
#define MAY_BE_GREATER(T)                                                                                             \
    static __attribute__((noinline)) uint32_t may_be_greater_##T(const char *at, const char *bound, const Key *key) { \
        typedef T Vector __attribute__((vector_size(WIDE * sizeof(T)), aligned(sizeof(T))));                          \
        const T sign = (T)(1ull << (8 * sizeof(T) - 1)), magnitude = (T)~sign, last = *(const T *)bound;              \
        const i64 digits = 8 * sizeof(T) - 1;                                                                         \
        Vector bits = *(const Vector *)at;                                                                            \
        Mask found;                                                                                                   \
        if (key->kind == FLOAT) {                                                                                     \
            T order = (T)(last ^ ((T)(last >> digits) & magnitude));                                                  \
            found = __builtin_convertvector(((bits ^ ((bits >> digits) & magnitude)) > order) |                       \
                                            ((bits & magnitude) > (T)key->infinity), Mask);                           \
        } else {                                                                                                      \
            T flip = key->kind == UNSIGNED ? sign : 0;                                                                \
            found = __builtin_convertvector((bits ^ flip) > (T)(last ^ flip), Mask);                                  \
        }                                                                                                             \
        uint32_t mask;                                                                                                \
        __builtin_memcpy(&mask, &found, sizeof mask);                                                                 \
        return mask;                                                                                                  \
    }

MAY_BE_GREATER(int8_t)
MAY_BE_GREATER(int16_t)
MAY_BE_GREATER(int32_t)
MAY_BE_GREATER(int64_t)

static inline uint32_t may_be_greater(const char *at, const char *bound, const Key *key) {
    if (key->size == 4)
        return may_be_greater_int32_t(at, bound, key);
    if (key->size == 8)
        return may_be_greater_int64_t(at, bound, key);
    return key->size == 2 ? may_be_greater_int16_t(at, bound, key) : may_be_greater_int8_t(at, bound, key);
}

// The greatest of the elements that were read, the greatest first; of equal ones the first comes first.
typedef struct {
    i64 count, kept;
    i64 *keys, *places;
} Greatest;

static __attribute__((noinline)) void insert(Greatest *held, i64 own, i64 place) {
    i64 *keys = held->keys, *places = held->places;
    if (held->count == held->kept && own >= keys[held->kept - 1])
        return;
    i64 at = held->count < held->kept ? held->count++ : held->kept - 1;
    for (; at > 0 && keys[at - 1] > own; at--) {
        keys[at] = keys[at - 1];
        places[at] = places[at - 1];
    }
    keys[at] = own;
    places[at] = place;
}

static void find_greatest(const char *line, i64 stride, const Key *key, i64 length, Greatest *held) {
    for (i64 i = 0; i < length;) {
        if (held->count < held->kept || stride != key->size || i + WIDE > length) {
            insert(held, ~key_of(line + i * stride, key), i);
            i++;
            continue;
        }
        // Most elements are not among the greatest: many are compared at once with the least of those that are held.
        uint32_t mask = may_be_greater(line + i * stride, line + held->places[held->kept - 1] * stride, key);
        for (; mask; mask &= mask - 1) {
            i64 place = i + __builtin_ctz(mask);
            insert(held, ~key_of(line + place * stride, key), place);
        }
        i += WIDE;
    }
}

void greatest_of_lines(Address *table, i64 low, i64 high, i64 index) {
    const Words *words = (const Words *)table[0];
    i64 length = words->length, inner = words->inner, kept = words->kept, size = words->sizes[0];
    const Key *key = (const Key *)(words->sizes + words->operands);
    i64 results = 1 + (words->index_size != 0), padded = (length + LANES - 1) / LANES * LANES;
    i64 *keys = (i64 *)(table[2 + results] + index * 4 * 8 * padded);
    for (i64 line = low; line < high; line++) {
        i64 outer = line / inner, rest = line % inner;
        i64 begin = outer * length * inner + rest, target = outer * kept * inner + rest;
        Greatest held = {0, kept, keys, keys + padded};
        find_greatest(table[1] + begin * size, inner * size, key, length, &held);
        move(table[1] + begin * size, table[2] + target * size, size, inner, held.places, kept);
        if (words->index_size)
            write_places(table[3] + target * words->index_size, words->index_size, inner, held.places, kept);
    }
}
