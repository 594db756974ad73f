// SPDX-License-Identifier: Apache-2.0
// Products by a warp's tensor cores (from sm_80 on), and copies into shared memory that do not wait. Which lane holds
// which element is the instruction set's (PTX ISA: mma.m16n8k16, ldmatrix, cp.async). A warp's lanes call together.

// c += a b: rows of a and columns of b are contiguous along the 16 contracted elements; two elements for each word.
__device__ __forceinline__ void olympus_mma_float16(
    float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#ifdef __CUDA_ARCH__
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    emulated_mma(c, a, b0, b1, [](unsigned short x) { return olympus_load_float16(x); });
#endif
}

__device__ __forceinline__ void olympus_mma_bfloat16(
    float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#ifdef __CUDA_ARCH__
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    emulated_mma(c, a, b0, b1, [](unsigned short x) { return olympus_load_bfloat16(x); });
#endif
}

// Four matrices of 8 x 8 elements of 16 bits; lane 8 j + i says how many bytes behind `tile`, in shared memory, row i of
// matrix j begins.
__device__ __forceinline__ void olympus_load_matrices(
    unsigned (&x)[4], const void* tile, unsigned row) {
#ifdef __CUDA_ARCH__
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
        : "r"((unsigned)__cvta_generic_to_shared(tile) + row) : "memory");
#else
    emulated_load_matrices(x, (const char*)tile + row, false);
#endif
}

// The same, each matrix transposed.
__device__ __forceinline__ void olympus_load_transposes(
    unsigned (&x)[4], const void* tile, unsigned row) {
#ifdef __CUDA_ARCH__
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
        : "r"((unsigned)__cvta_generic_to_shared(tile) + row) : "memory");
#else
    emulated_load_matrices(x, (const char*)tile + row, true);
#endif
}

// Starts a copy of 16 bytes into shared memory, of zeros where it is not wanted.
__device__ __forceinline__ void olympus_copy_async(void* to, const void* from, bool wanted) {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
        :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(wanted ? 16 : 0) : "memory");
#else
    emulated_copy_async<uint4>(to, from, wanted);
#endif
}

// The same for 4 bytes.
__device__ __forceinline__ void olympus_copy_word_async(void* to, const void* from, bool wanted) {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
        :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(wanted ? 4 : 0) : "memory");
#else
    emulated_copy_async<unsigned>(to, from, wanted);
#endif
}

// Waits until this thread's copies have ended; a barrier makes them known to others.
__device__ __forceinline__ void olympus_await_copies() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_all;" ::: "memory");
#else
    emulated_await_copies();
#endif
}

// Two numbers in a word, the first one in the low half.
__device__ __forceinline__ unsigned olympus_pair_float16(float low, float high) {
#ifdef __CUDA_ARCH__
    unsigned bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
#else
    return olympus_store_float16(low) | (unsigned)olympus_store_float16(high) << 16;
#endif
}

__device__ __forceinline__ unsigned olympus_pair_bfloat16(float low, float high) {
#ifdef __CUDA_ARCH__
    unsigned bits;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
#else
    return olympus_store_bfloat16(low) | (unsigned)olympus_store_bfloat16(high) << 16;
#endif
}

// 2^x to two units of the last place; numbers below the normal ones are zero.
__device__ __forceinline__ float olympus_quick_exp2(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return exp2f(x);
#endif
}
