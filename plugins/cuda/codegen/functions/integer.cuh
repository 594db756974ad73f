// SPDX-License-Identifier: Apache-2.0
// Operations on whole numbers of 8 to 64 bits, which wrap around: T olympus_integer_<operation>(T, ...), and Threefry.

// Unsigned types of as many bits, and those in which such numbers are calculated with: no smaller than int, which does
// not wrap.
template <int bytes> struct olympus_unsigned {};
template <> struct olympus_unsigned<1> { typedef unsigned char type; typedef unsigned int word; };
template <> struct olympus_unsigned<2> { typedef unsigned short type; typedef unsigned int word; };
template <> struct olympus_unsigned<4> { typedef unsigned int type; typedef unsigned int word; };
template <> struct olympus_unsigned<8> { typedef unsigned long long type; typedef unsigned long long word; };
template <class T> using olympus_pattern_of = typename olympus_unsigned<sizeof(T)>::type;
template <class T> using olympus_word_of = typename olympus_unsigned<sizeof(T)>::word;

template <class T> __device__ __forceinline__ olympus_word_of<T> olympus_word(T x) {
    return (olympus_word_of<T>)x;
}

template <class T> __device__ __forceinline__ olympus_pattern_of<T> olympus_pattern(T x) {
    return (olympus_pattern_of<T>)x;
}

template <class T> __device__ __forceinline__ constexpr bool olympus_is_signed(T) { return (T)-1 < (T)1; }

template <class T> __device__ __forceinline__ T olympus_integer_add(T x, T y) {
    return (T)(olympus_word(x) + olympus_word(y));
}

template <class T> __device__ __forceinline__ T olympus_integer_sub(T x, T y) {
    return (T)(olympus_word(x) - olympus_word(y));
}

template <class T> __device__ __forceinline__ T olympus_integer_mul(T x, T y) {
    return (T)(olympus_word(x) * olympus_word(y));
}

template <class T> __device__ __forceinline__ T olympus_integer_and(T x, T y) { return (T)(x & y); }

template <class T> __device__ __forceinline__ T olympus_integer_or(T x, T y) { return (T)(x | y); }

template <class T> __device__ __forceinline__ T olympus_integer_xor(T x, T y) { return (T)(x ^ y); }

template <class T> __device__ __forceinline__ bool olympus_integer_eq(T x, T y) { return x == y; }

template <class T> __device__ __forceinline__ bool olympus_integer_ne(T x, T y) { return x != y; }

template <class T> __device__ __forceinline__ bool olympus_integer_lt(T x, T y) { return x < y; }

template <class T> __device__ __forceinline__ bool olympus_integer_le(T x, T y) { return x <= y; }

template <class T> __device__ __forceinline__ bool olympus_integer_gt(T x, T y) { return x > y; }

template <class T> __device__ __forceinline__ bool olympus_integer_ge(T x, T y) { return x >= y; }

template <class T> __device__ __forceinline__ T olympus_integer_neg(T x) { return (T)(0 - olympus_word(x)); }

template <class T> __device__ __forceinline__ T olympus_integer_not(T x) { return (T)~x; }

template <class T> __device__ __forceinline__ T olympus_integer_abs(T x) {
    return x < (T)0 ? olympus_integer_neg(x) : x;
}

template <class T> __device__ __forceinline__ T olympus_integer_sign(T x) {
    return (T)((x > (T)0) - (x < (T)0));
}

template <class T> __device__ __forceinline__ T olympus_integer_max(T x, T y) { return x > y ? x : y; }

template <class T> __device__ __forceinline__ T olympus_integer_min(T x, T y) { return x < y ? x : y; }

template <class T> __device__ __forceinline__ T olympus_integer_clamp(T low, T x, T high) {
    return olympus_integer_min(olympus_integer_max(x, low), high);
}

// Truncated; by zero -1, or the greatest unsigned number. The least number divided by -1 wraps around.
template <class T> __device__ __forceinline__ T olympus_integer_div(T x, T y) {
    if (y == (T)0) return (T)-1;
    if (olympus_is_signed(x) && y == (T)-1) return olympus_integer_neg(x);
    return (T)(x / y);
}

// By zero: x.
template <class T> __device__ __forceinline__ T olympus_integer_rem(T x, T y) {
    if (y == (T)0) return x;
    if (olympus_is_signed(x) && y == (T)-1) return (T)0;
    return (T)(x % y);
}

// A negative exponent gives zero unless the base is 1 or -1.
template <class T> __device__ __forceinline__ T olympus_integer_pow(T x, T y) {
    if (y < (T)0) {
        if (x == (T)1) return x;
        return x == (T)-1 ? (y & (T)1 ? x : (T)1) : (T)0;
    }
    auto power = olympus_word((T)1), base = olympus_word(x);
    for (auto rest = olympus_word(y); rest; rest >>= 1) {
        if (rest & 1) power *= base;
        base *= base;
    }
    return (T)power;
}

// The amount counts as unsigned; one that is not below the width shifts everything out.
template <class T> __device__ __forceinline__ T olympus_integer_shift_left(T x, T y) {
    return olympus_pattern(y) < 8 * sizeof(T) ? (T)(olympus_word(x) << olympus_pattern(y)) : (T)0;
}

template <class T> __device__ __forceinline__ T olympus_integer_shift_right_logical(T x, T y) {
    return olympus_pattern(y) < 8 * sizeof(T) ? (T)(olympus_pattern(x) >> olympus_pattern(y)) : (T)0;
}

template <class T> __device__ __forceinline__ T olympus_integer_shift_right_arithmetic(T x, T y) {
    int amount = olympus_pattern(y) < 8 * sizeof(T) ? (int)olympus_pattern(y) : (int)(8 * sizeof(T) - 1);
    if (olympus_is_signed(x)) return (T)(x >> amount);
    auto filled = olympus_pattern(x) >> (8 * sizeof(T) - 1) ? ~olympus_pattern(x) : olympus_pattern(x);
    auto shifted = olympus_pattern((T)filled) >> amount;
    return (T)(olympus_pattern(x) >> (8 * sizeof(T) - 1) ? ~shifted : shifted);
}

template <class T> __device__ __forceinline__ T olympus_integer_population_count(T x) {
    return (T)(sizeof(T) == 8 ? __popcll(olympus_pattern(x)) : __popc((unsigned)olympus_pattern(x)));
}

template <class T> __device__ __forceinline__ T olympus_integer_count_leading_zeros(T x) {
    if (sizeof(T) == 8) return (T)__clzll((long long)olympus_pattern(x));
    return (T)(__clz((int)olympus_pattern(x)) - (32 - 8 * (int)sizeof(T)));
}

// Twenty rounds of Threefry-2x32.
__device__ __forceinline__ void olympus_threefry2x32(unsigned k0, unsigned k1, unsigned x0, unsigned x1, unsigned& y0,
                                                     unsigned& y1) {
    const unsigned keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDAu};
    const int distances[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    x0 += k0;
    x1 += k1;
#pragma unroll
    for (int block = 0; block < 5; ++block) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            x0 += x1;
            x1 = x0 ^ (x1 << distances[block % 2][i] | x1 >> (32 - distances[block % 2][i]));
        }
        x0 += keys[(block + 1) % 3];
        x1 += keys[(block + 2) % 3] + (unsigned)(block + 1);
    }
    y0 = x0;
    y1 = x1;
}
