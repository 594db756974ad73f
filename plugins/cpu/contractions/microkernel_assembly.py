# SPDX-License-Identifier: Apache-2.0
"""The micro-kernel of a GEMM in x86-64 assembly (AVX2, AVX-512): LLVM need not allocate registers, nor schedule."""

from __future__ import annotations

from ..codegen.target import Target
from .gemm_variant import AHEAD, GemmVariant, bytes_of, lines_of_panel, tile_shape

_SUFFIXES = {"float": "s", "double": "d"}
_VECTORS = {256: "ymm", 512: "zmm"}
# Registers for the rows' addresses: those that the caller keeps for itself last.
_FREE = ("rax", "r10", "r11", "rbx", "r12", "r13", "r14", "r15", "rbp")
_OTHERS = 3  # of the first of these
_FACTORS = 2  # registers for broadcast elements of rows


def has_assembly(variant: GemmVariant, target: Target) -> bool:
    """Whether there is assembly for this processor, system and element type."""
    rows, _ = tile_shape(target, variant)
    registers = 32 if target.vector_bits == 512 else 16
    fits = target.vector_bits in _VECTORS and (rows + 1) * variant.tile_vectors + _FACTORS <= registers
    known = target.is_x86 and target.has_fma and fits and "linux" in target.triple
    return known and variant.compute in _SUFFIXES and variant.group == 1


def microkernel_assembly(variant: GemmVariant, target: Target) -> str:
    """The function ``sums`` of `baseline.py` as module-level assembly: the same sums in the same order.

    System V arguments: rows in rdi, y in rsi, the address to prefetch in rdx and its step in rcx, the length in r8, y's
    stride in r9; on the stack the address of the sums, a length that is not used here, and the step from one contracted
    element to the next in contiguous rows. The first vector registers hold the sums, then come those for vectors of y
    and two for broadcast elements of rows.
    """
    rows, columns = tile_shape(target, variant)
    size, suffix, kind = bytes_of(variant.compute), _SUFFIXES[variant.compute], _VECTORS[target.vector_bits]
    across = variant.tile_vectors
    count = across * rows  # of sums
    vectors = [f"%{kind}{i}" for i in range(count + across + _FACTORS)]
    y_row, factors = vectors[count:count + across], vectors[count + across:]
    # rdi is the last row's, since it is the table's. Where two more are wanted, steps lie in memory.
    own = () if variant.packs_rows else _FREE[:rows - 1]
    spilt = ("r9", "rcx") if len(own) < rows - 1 and variant.prefetches and own else ()
    starts = () if variant.packs_rows else (*own, *(spilt or ("rcx", "rdx"))[:rows - 1 - len(own)], "rdi")
    stride, step = ("8(%rsp)", "(%rsp)") if spilt else ("%r9", "%rcx")
    pushed = (*own[_OTHERS:], *spilt)
    sums = f"{8 + 8 * len(pushed)}(%rsp)"
    width = columns // across * size  # of a vector
    stored = [f"{i * width}(%rax)" for i in range(count)]
    lines = [f"push %{r}" for r in pushed]
    lines += [] if starts else ["mov 24(%rsp), %r10"]
    lines += [f"mov {sums}, %rax", *(f"vmovups {slot}, {v}" for slot, v in zip(stored, vectors, strict=False))]
    lines += ["test %r8, %r8", "jz 2f"]
    # One negative index counts up to zero for all rows.
    for i, start in enumerate(starts):
        lines += [f"mov {8 * i}(%rdi), %{start}", f"lea (%{start},%r8,{size}), %{start}"]
    lines += ["neg %r8"] if starts else []
    lines += [".p2align 4", "1:", *(f"vmovups {j * width}(%rsi), {y}" for j, y in enumerate(y_row))]
    lines += ["prefetcht1 (%rdx)"] if variant.prefetches else []
    # Columns that are prefetched from afar are packed, so their stride is known, and its register may hold a row.
    packed, unknown = (AHEAD * columns * size, "") if variant.prefetches else (0, f",%r9,{AHEAD}")
    lines += [f"prefetcht0 {packed + at}(%rsi{unknown})" for at in lines_of_panel(columns * size)]
    for i in range(rows):
        element = f"(%{starts[i]},%r8,{size})" if starts else f"{i * size}(%rdi)"
        lines += [f"vbroadcasts{suffix} {element}, {factors[i % 2]}",
                  *(f"vfmadd231p{suffix} {y}, {factors[i % 2]}, {vectors[across * i + j]}"
                    for j, y in enumerate(y_row))]
    lines += [f"add {step}, %rdx"] if variant.prefetches else []
    lines += [f"add {stride}, %rsi"]
    lines += ["inc %r8"] if starts else ["add %r10, %rdi", "dec %r8"]
    lines += ["jnz 1b", "2:", f"mov {sums}, %rax", *(f"vmovups {v}, {slot}" for slot, v in zip(stored, vectors,
                                                                                           strict=False))]
    lines += ["vzeroupper", *(f"pop %{r}" for r in reversed(pushed)), "ret"]
    head = [".text", ".globl sums", ".type sums,@function", ".p2align 4", "sums:"]
    return "".join(f'module asm "{line}"\n' for line in (*head, *lines, ".size sums, .-sums"))
