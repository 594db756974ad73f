// SPDX-License-Identifier: Apache-2.0
// CUDA C++ for the host's compiler, as far as the generated kernels use it; no standard header is included.
#pragma once
#define OLYMPUS_EMULATED 1
#include "run.h"

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_assume(condition)
// One memory for the block that runs; the runtime poisons the section before each block.
#define __shared__ static __attribute__((section("olympus_shared")))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
struct dim3 : Index {
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) { x = a, y = b, z = c; }
};

extern "C" __attribute__((weak, visibility("hidden"))) char __start_olympus_shared[];
extern "C" __attribute__((weak, visibility("hidden"))) char __stop_olympus_shared[];
extern "C" __attribute__((visibility("hidden"))) char __ehdr_start[], _end[];

namespace {
Index threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;
#ifdef OLYMPUS_CHECKED
constexpr bool olympus_is_checked = true;
#else
constexpr bool olympus_is_checked = false;
#endif
// The most that an H200's block may have, and a guard behind it.
__attribute__((aligned(1024))) char olympus_dynamic[232448 + 1024];
}  // namespace

// ---------------------------------------------------------------------------------------------- vectors
#define OLYMPUS_VECTORS(name, type)                                                                                \
    struct name##1 { type x; };                                                                                    \
    struct __attribute__((aligned(2 * sizeof(type)))) name##2 { type x, y; };                                      \
    struct name##3 { type x, y, z; };                                                                              \
    struct __attribute__((aligned(sizeof(type) == 8 ? 16 : 4 * sizeof(type)))) name##4 { type x, y, z, w; };       \
    inline name##1 make_##name##1(type x) { return {x}; }                                                          \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }                                               \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                                    \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
OLYMPUS_VECTORS(char, signed char)
OLYMPUS_VECTORS(uchar, unsigned char)
OLYMPUS_VECTORS(short, short)
OLYMPUS_VECTORS(ushort, unsigned short)
OLYMPUS_VECTORS(int, int)
OLYMPUS_VECTORS(uint, unsigned)
OLYMPUS_VECTORS(long, long)
OLYMPUS_VECTORS(ulong, unsigned long)
OLYMPUS_VECTORS(longlong, long long)
OLYMPUS_VECTORS(ulonglong, unsigned long long)
OLYMPUS_VECTORS(float, float)
OLYMPUS_VECTORS(double, double)

// ---------------------------------------------------------------------------------------------- bits
template <class To, class From>
inline To olympus_same_bits(From x) {
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}
inline int __float_as_int(float x) { return olympus_same_bits<int>(x); }
inline unsigned __float_as_uint(float x) { return olympus_same_bits<unsigned>(x); }
inline float __int_as_float(int x) { return olympus_same_bits<float>(x); }
inline float __uint_as_float(unsigned x) { return olympus_same_bits<float>(x); }
inline long long __double_as_longlong(double x) { return olympus_same_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return olympus_same_bits<double>(x); }
inline int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return (int)__double_as_longlong(x); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long y = 0;
    for (int i = 0; i < 64; ++i) y |= (x >> i & 1) << (63 - i);
    return y;
}
inline unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
inline int __dp4a(int x, int y, int sum) {
    for (int i = 0; i < 32; i += 8) sum += (int)(signed char)(x >> i) * (int)(signed char)(y >> i);
    return sum;
}
inline int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
inline long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    by &= 31;
    return by ? high << by | low >> (32 - by) : high;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    by &= 31;
    return by ? high << (32 - by) | low >> by : low;
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned nibble = selector >> (4 * i) & 15, byte = bytes >> (8 * (nibble & 7)) & 255;
        result |= (nibble & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * i);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------- memory
#define OLYMPUS_READ(name) \
    template <class T>     \
    inline T name(const T* p) { return *p; }
OLYMPUS_READ(__ldg) OLYMPUS_READ(__ldca) OLYMPUS_READ(__ldcg) OLYMPUS_READ(__ldcs)
OLYMPUS_READ(__ldcv) OLYMPUS_READ(__ldlu)
#define OLYMPUS_WRITE(name) \
    template <class T, class U> \
    inline void name(T* p, U x) { *p = x; }
OLYMPUS_WRITE(__stwb) OLYMPUS_WRITE(__stcg) OLYMPUS_WRITE(__stcs) OLYMPUS_WRITE(__stwt)
inline void __threadfence() {}
inline void __threadfence_block() {}
extern "C" void* memcpy(void*, const void*, size_t) noexcept;
extern "C" void* memset(void*, int, size_t) noexcept;

// Threads never run at the same time.
template <class T, class F>
__attribute__((no_sanitize("thread"))) inline T olympus_atomic(T* p, F next) {
    T before = *p;
    *p = next(before);
    return before;
}
// A handle of a conditional node is the address of its value.
extern "C" __attribute__((no_sanitize("thread"), used)) inline void cudaGraphSetConditional(
    unsigned long long handle, unsigned value) {
    *(unsigned*)handle = value;
}
#define OLYMPUS_ATOMIC(name, result) \
    template <class T, class U>      \
    inline T name(T* p, U given) {   \
        T y = (T)given;              \
        return olympus_atomic(p, [&](T x) { return (T)(result); }); \
    }
OLYMPUS_ATOMIC(atomicAdd, x + y)
OLYMPUS_ATOMIC(atomicSub, x - y)
OLYMPUS_ATOMIC(atomicExch, y)
OLYMPUS_ATOMIC(atomicMin, y < x ? y : x)
OLYMPUS_ATOMIC(atomicMax, y > x ? y : x)
OLYMPUS_ATOMIC(atomicAnd, x & y)
OLYMPUS_ATOMIC(atomicOr, x | y)
OLYMPUS_ATOMIC(atomicXor, x ^ y)
template <class T, class U, class V> inline T atomicCAS(T* p, U expected, V y) {
    return olympus_atomic(p, [&](T x) { return x == (T)expected ? (T)y : x; });
}

// ---------------------------------------------------------------------------------------------- threads together
inline void __syncthreads() { olympus_block_barrier(0); }
inline int __syncthreads_count(int predicate) { return olympus_block_barrier(predicate); }
inline int __syncthreads_or(int predicate) { return olympus_block_barrier(predicate) > 0; }
inline int __syncthreads_and(int predicate) { return olympus_block_barrier(!predicate) == 0; }
inline void __syncwarp(unsigned mask = 0xffffffffu) { olympus_warp_operation(kWarpBarrier, mask, 0, 0); }
inline unsigned __ballot_sync(unsigned mask, int predicate) {
    return (unsigned)olympus_warp_operation(kBallot, mask, predicate != 0, 0);
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

template <class T>
inline T olympus_shuffle(unsigned mask, T value, int source) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "CUDA shuffles values of 4 and 8 bytes");
    unsigned long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = olympus_warp_operation(kShuffle, mask, bits, source);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
inline void olympus_check_width(int width) {
    if (width < 1 || width > 32 || (width & (width - 1))) olympus_fail("a shuffle's width is a power of two up to 32");
}
template <class T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    olympus_check_width(width);
    int lane = (int)olympus_lane();
    return olympus_shuffle(mask, value, (lane & ~(width - 1)) | (source & (width - 1)));
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    olympus_check_width(width);
    int lane = (int)olympus_lane(), source = lane - (int)delta;
    return olympus_shuffle(mask, value, source < (lane & ~(width - 1)) ? lane : source);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    olympus_check_width(width);
    int lane = (int)olympus_lane(), source = lane + (int)delta;
    return olympus_shuffle(mask, value, source > (lane | (width - 1)) ? lane : source);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32) {
    olympus_check_width(width);
    int lane = (int)olympus_lane(), source = lane ^ with;
    return olympus_shuffle(mask, value, source > (lane | (width - 1)) ? lane : source);
}

#include "cuda_math.h"
#include "cuda_tensor_cores.h"

// ---------------------------------------------------------------------------------------------- launching
template <class T>
inline T olympus_argument(unsigned long bits, T*) { return (T)bits; }
inline float olympus_argument(unsigned long bits, float*) { return __uint_as_float((unsigned)bits); }
inline double olympus_argument(unsigned long bits, double*) { return __longlong_as_double((long long)bits); }

template <int... I> struct OlympusPlaces {};
template <int N, int... I> struct OlympusCount : OlympusCount<N - 1, N - 1, I...> {};
template <int... I> struct OlympusCount<0, I...> { typedef OlympusPlaces<I...> type; };
template <class... A, int... I>
__attribute__((no_sanitize("thread"))) inline void olympus_call(void (*kernel)(A...), const unsigned long* bits,
                                                               OlympusPlaces<I...>) {
    kernel(olympus_argument(bits[I], (A*)0)...);
}
template <class... A>
inline void olympus_call(void (*kernel)(A...), const unsigned long* bits) {
    olympus_call(kernel, bits, typename OlympusCount<sizeof...(A)>::type());
}
template <class... A>
constexpr int olympus_arity(void (*)(A...)) { return (int)sizeof...(A); }

#define OLYMPUS_KERNEL(NAME)                                                                                        \
    extern "C" int olympus_arity_##NAME() { return olympus_arity(NAME); }                                           \
    extern "C" int olympus_launch_##NAME(Index grid, Index block, unsigned long shared, const unsigned long* bits,  \
                                         char* error, const unsigned long* buffers, unsigned long count) {          \
        Run run = {#NAME, [](const unsigned long* a) { olympus_call(NAME, a); }, bits, &threadIdx, &blockIdx,       \
                   &blockDim, &gridDim, __start_olympus_shared, __stop_olympus_shared, olympus_dynamic, shared,     \
                   sizeof olympus_dynamic, olympus_is_checked, buffers, count, __ehdr_start, _end};                 \
        return olympus_run(&run, grid, block, error);                                                               \
    }
