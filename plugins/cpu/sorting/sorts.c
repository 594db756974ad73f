// SPDX-License-Identifier: Apache-2.0
// Sorts of lines: stable.
//
// Each key of a line becomes integers of the same order, which are sorted with the positions of their elements: runs of
// a few by counting how many come before each, then by merging. Of several keys the last is sorted by first. Elements
// are then moved once.
#include "lines.h"

enum { RUN = 32 };  // elements whose order is counted

typedef i64 Lanes __attribute__((vector_size(8 * LANES)));

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
        for (i64 i = 0; i < length; i++)
            places[i] = i;
        for (const Key *key = given + words->keys - 1; key >= given; key--) {
            i64 size = words->sizes[key->operand];
            const char *at = from[key->operand] + begin * size;
            for (i64 i = 0; i < length; i++)
                keys[i] = key_of(at + order[i] * inner * size, key) ^ flip;
            i64 *other = order == places ? more_places : places;
            order = sort_pairs(keys, order, more_keys, other, length);
        }
        for (i64 i = 0; i < operands; i++)
            move(from[i] + begin * words->sizes[i], to[i] + target * words->sizes[i], words->sizes[i], inner, order,
                 kept);
        if (words->index_size)
            write_places(to[operands] + target * words->index_size, words->index_size, inner, order, kept);
    }
}
