// SPDX-License-Identifier: Apache-2.0
// What tensor cores and copies that do not wait do, a lane at a time: each fetches others' registers by shuffles.
#pragma once

template <class Load>
inline void emulated_mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1, Load load) {
    const int lane = (int)olympus_lane(), row = lane / 4, column = lane % 4 * 2;
    unsigned from_a[4][4], from_b[2][4][2];
    for (int t = 0; t < 4; ++t) {
        for (int i = 0; i < 4; i += 2) {
            unsigned long long two = __shfl_sync(~0u, a[i] | (unsigned long long)a[i + 1] << 32, row * 4 + t);
            from_a[t][i] = (unsigned)two, from_a[t][i + 1] = (unsigned)(two >> 32);
        }
        for (int n = 0; n < 2; ++n) {
            unsigned long long two = __shfl_sync(~0u, b0 | (unsigned long long)b1 << 32, (column + n) * 4 + t);
            from_b[n][t][0] = (unsigned)two, from_b[n][t][1] = (unsigned)(two >> 32);
        }
    }
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 16; ++k) {
            int shift = k % 2 * 16, t = k % 8 / 2, half = k / 8;
            float x = load((unsigned short)(from_a[t][half * 2 + i / 2] >> shift));
            float y = load((unsigned short)(from_b[i % 2][t][half] >> shift));
            c[i] = __builtin_fmaf(x, y, c[i]);
        }
    }
}

inline void emulated_load_matrices(unsigned (&x)[4], const void* row, bool transposed) {
    const int lane = (int)olympus_lane();
    if ((unsigned long long)row % 16) olympus_fail("a row of a matrix does not begin at a multiple of 16 bytes");
    for (int j = 0; j < 4; ++j) {
        unsigned short two[2];
        for (int e = 0; e < 2; ++e) {
            int from = transposed ? lane % 4 * 2 + e : lane / 4, at = transposed ? lane / 4 : lane % 4 * 2 + e;
            two[e] = ((const unsigned short*)__shfl_sync(~0u, (unsigned long long)row, 8 * j + from))[at];
        }
        x[j] = two[0] | (unsigned)two[1] << 16;
    }
}

// Copies take place when they are waited for: who forgets to wait finds what was there before.
struct EmulatedCopies {
    struct { void* to; const void* from; unsigned bytes; bool wanted; } started[256];
    int count;
};
namespace { EmulatedCopies emulated_copies[1024]; }

inline EmulatedCopies& emulated_own_copies() {
    return emulated_copies[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)];
}
template <class T>
__attribute__((no_sanitize("thread"))) inline void emulated_copy_async(void* to, const void* from, bool wanted) {
    if (((unsigned long long)to | (unsigned long long)from) % sizeof(T))
        olympus_fail("a copy does not begin at a multiple of its size");
    EmulatedCopies& own = emulated_own_copies();
    if (own.count == 256) olympus_fail("more than 256 copies of a thread are under way");
    own.started[own.count++] = {to, from, sizeof(T), wanted};
}
template <class T>
inline void emulated_move(void* to, const void* from, bool wanted) { *(T*)to = wanted ? *(const T*)from : T(); }
__attribute__((no_sanitize("thread"))) inline void emulated_await_copies() {
    EmulatedCopies& own = emulated_own_copies();
    int count = own.count;
    own.count = 0;
    for (int i = 0; i < count; ++i) {
        auto& copy = own.started[i];
        if (copy.bytes == 4) emulated_move<unsigned>(copy.to, copy.from, copy.wanted);
        else emulated_move<uint4>(copy.to, copy.from, copy.wanted);
    }
}
