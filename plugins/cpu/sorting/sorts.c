// SPDX-License-Identifier: Apache-2.0
// Sorts of lines, and their greatest elements: stable, NaN last, zeros of both signs equal.
//
// `table` holds the addresses of the words, of operands, results and workspace. Each key of a line becomes integers of
// the same order, which are sorted with the positions of their elements: runs of a few by counting how many come before
// each, then by merging. Of several keys the last is sorted by first. Elements are then moved once.
#include <stdbool.h>
#include <stdint.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef char *Address;

enum { LANES = 8, RUN = 32 };  // of a vector; elements whose order is counted
enum { FEW = 16, WIDE = 32 };  // greatest elements that are held in order while a line is read; read at once
// FALSE_OR_TRUE: whether a complex number has a NaN in it.
enum { SIGNED, UNSIGNED, FLOAT, FALSE_OR_TRUE };

typedef i64 Lanes __attribute__((vector_size(8 * LANES)));
typedef bool Mask __attribute__((ext_vector_type(WIDE)));

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

// Of up to RUN elements: each goes to where as many come before it.
static void sort_run(const i64 *keys, const i64 *places, i64 count, i64 *to_keys, i64 *to_places) {
    for (i64 first = 0; first < count; first += LANES) {
        Lanes own = *(const Lanes *)(keys + first), rank = {}, index = {0, 1, 2, 3, 4, 5, 6, 7};
        i64 end = least(first + LANES, count);
        for (i64 j = 0; j < first; j++)  // of equal ones the first comes first
            rank -= (Lanes){} + keys[j] <= own;
        for (i64 j = first; j < end; j++) {
            Lanes other = (Lanes){} + keys[j];
            rank -= (other < own) | ((other == own) & ((Lanes){} + (j - first) < index));
        }
        for (i64 j = end; j < count; j++)
            rank -= (Lanes){} + keys[j] < own;
        for (i64 l = 0; l < LANES && first + l < count; l++) {
            to_keys[rank[l]] = keys[first + l];
            to_places[rank[l]] = places[first + l];
        }
    }
}

static void merge(const i64 *keys, const i64 *places, i64 low, i64 middle, i64 high, i64 *to_keys, i64 *to_places) {
    i64 a = low, b = middle, at = low;
    while (a < middle && b < high) {
        bool second = keys[b] < keys[a];
        i64 from = a ^ ((a ^ b) & -(i64)second);  // a branch would be foreseen half of the time
        to_keys[at] = keys[from];
        to_places[at++] = places[from];
        b += second;
        a += !second;
    }
    for (; a < middle; a++, at++) {
        to_keys[at] = keys[a];
        to_places[at] = places[a];
    }
    for (; b < high; b++, at++) {
        to_keys[at] = keys[b];
        to_places[at] = places[b];
    }
}

// Sorts pairs by their keys; gives the places, which lie in either array.
static i64 *sort_pairs(i64 *keys, i64 *places, i64 *more_keys, i64 *more_places, i64 count) {
    for (i64 low = 0; low < count; low += RUN)
        sort_run(keys + low, places + low, least(RUN, count - low), more_keys + low, more_places + low);
    for (i64 width = RUN; width < count; width *= 2) {
        i64 *from_keys = more_keys, *from_places = more_places;
        more_keys = keys, more_places = places, keys = from_keys, places = from_places;
        for (i64 low = 0; low < count; low += 2 * width)
            merge(keys, places, low, least(low + width, count), least(low + 2 * width, count), more_keys, more_places);
    }
    return more_places;
}

// Which of WIDE elements, next to each other, may be greater than a bound: all that are, NaN, and some equal zeros.
#define MAY_BE_GREATER(T)                                                                                             \
    static uint32_t may_be_greater_##T(const char *at, const char *bound, const Key *key) {                           \
        typedef T Vector __attribute__((vector_size(WIDE * sizeof(T)), aligned(sizeof(T))));                          \
        const T sign = (T)(1ull << (8 * sizeof(T) - 1)), magnitude = (T)~sign, last = *(const T *)bound;              \
        const i64 digits = 8 * sizeof(T) - 1;                                                                         \
        Vector bits = *(const Vector *)at;                                                                            \
        Mask found;                                                                                                   \
        if (key->kind == FLOAT) {                                                                                     \
            T order = (T)(last ^ ((T)(last >> digits) & magnitude));                                                  \
            found = __builtin_convertvector(((bits ^ ((bits >> digits) & magnitude)) > order) |                       \
                                            ((bits & magnitude) > (T)key->infinity), Mask);                           \
        } else if (key->kind == UNSIGNED) {                                                                           \
            found = __builtin_convertvector((bits ^ sign) > (T)(last ^ sign), Mask);                                  \
        } else {                                                                                                      \
            found = __builtin_convertvector(bits > last, Mask);                                                       \
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

static inline void insert(Greatest *held, i64 own, i64 place) {
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

void sort_lines(Address *table, i64 low, i64 high, i64 index) {
    const Words *words = (const Words *)table[0];
    i64 length = words->length, inner = words->inner, kept = words->kept, operands = words->operands;
    const Key *given = (const Key *)(words->sizes + operands);
    Address *from = table + 1, *to = table + 1 + operands;
    i64 results = operands + (words->index_size != 0), padded = (length + LANES - 1) / LANES * LANES;
    i64 *keys = (i64 *)(to[results] + index * 4 * 8 * padded), flip = words->is_descending ? -1 : 0;
    for (i64 line = low; line < high; line++) {
        i64 outer = line / inner, rest = line % inner;
        i64 begin = outer * length * inner + rest, target = outer * kept * inner + rest;
        i64 *places = keys + padded, *more_keys = keys + 2 * padded, *more_places = keys + 3 * padded, *order = places;
        i64 size = words->sizes[given->operand];
        if (words->keys == 1 && kept <= FEW && kept < length) {
            Greatest held = {0, kept, keys, places};
            find_greatest(from[given->operand] + begin * size, inner * size, given, length, &held);
        } else {
            for (i64 i = 0; i < length; i++)
                places[i] = i;
            for (const Key *key = given + words->keys - 1; key >= given; key--) {
                size = words->sizes[key->operand];
                const char *at = from[key->operand] + begin * size;
                for (i64 i = 0; i < length; i++)
                    keys[i] = key_of(at + order[i] * inner * size, key) ^ flip;
                i64 *other = order == places ? more_places : places;
                order = sort_pairs(keys, order, more_keys, other, length);
            }
        }
        for (i64 i = 0; i < operands; i++)
            move(from[i] + begin * words->sizes[i], to[i] + target * words->sizes[i], words->sizes[i], inner, order, kept);
        if (words->index_size)
            write_places(to[operands] + target * words->index_size, words->index_size, inner, order, kept);
    }
}
