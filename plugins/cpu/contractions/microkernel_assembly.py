# SPDX-License-Identifier: Apache-2.0
"""The micro-kernel of a GEMM in x86-64 assembly (AVX2, FMA), which saves LLVM's register allocation and scheduling."""

from __future__ import annotations

from ..codegen.target import Target
from .gemm_variant import GemmVariant, bytes_of, tile_shape

_SUFFIXES = {"float": "s", "double": "d"}
_ROWS = ("rax", "r10", "r11", "rbx", "r12", "rdi")  # the rows' addresses; rdi last, since it is the table's


def has_assembly(variant: GemmVariant, target: Target) -> bool:
    """Whether there is assembly for this processor, system and element type."""
    avx2 = target.is_x86 and target.has_fma and target.vector_bits == 256 and not target.has_avx512
    return avx2 and "linux" in target.triple and variant.compute in _SUFFIXES


def microkernel_assembly(variant: GemmVariant, target: Target) -> str:
    """The function ``sums`` of `baseline.py` as module-level assembly: the same sums in the same order.

    System V arguments: rows in rdi, y in rsi, the address to prefetch in rdx and its step in rcx, the length in r8, y's
    stride in r9, the address of the sums on the stack. ymm0 to ymm11 hold the sums, ymm12 and ymm13 two vectors of y,
    ymm14 and ymm15 broadcast elements of rows.
    """
    rows, columns = tile_shape(target, variant.compute)
    size, suffix = bytes_of(variant.compute), _SUFFIXES[variant.compute]
    saved = [] if variant.packs_rows else ["rbx", "r12"]
    sums = f"{8 + 8 * len(saved)}(%rsp)"
    width = columns // 2 * size  # of a vector
    stored = [f"{i * width}(%rax)" for i in range(2 * rows)]
    lines = [f"push %{r}" for r in saved]
    lines += [f"mov {sums}, %rax", *(f"vmovups {slot}, %ymm{i}" for i, slot in enumerate(stored))]
    lines += ["test %r8, %r8", "jz 2f"]
    if not variant.packs_rows:
        # One negative index counts up to zero for all rows.
        for i, row in enumerate(_ROWS[:rows]):
            lines += [f"mov {8 * i}(%rdi), %{row}", f"lea (%{row},%r8,{size}), %{row}"]
        lines.append("neg %r8")
    lines += [".p2align 4", "1:", "vmovups (%rsi), %ymm12", f"vmovups {width}(%rsi), %ymm13"]
    lines += ["prefetcht1 (%rdx)"] if variant.prefetches else []
    for i in range(rows):
        element = f"{i * size}(%rdi)" if variant.packs_rows else f"(%{_ROWS[i]},%r8,{size})"
        factor = f"%ymm{14 + i % 2}"
        lines += [f"vbroadcasts{suffix} {element}, {factor}",
                  *(f"vfmadd231p{suffix} %ymm{12 + j}, {factor}, %ymm{2 * i + j}" for j in (0, 1))]
    lines += ["add %rcx, %rdx"] if variant.prefetches else []
    lines += ["add %r9, %rsi"]
    lines += [f"add ${rows * size}, %rdi", "dec %r8"] if variant.packs_rows else ["inc %r8"]
    lines += ["jnz 1b", "2:", f"mov {sums}, %rax", *(f"vmovups %ymm{i}, {slot}" for i, slot in enumerate(stored))]
    lines += ["vzeroupper", *(f"pop %{r}" for r in reversed(saved)), "ret"]
    head = [".text", ".globl sums", ".type sums,@function", ".p2align 4", "sums:"]
    return "".join(f'module asm "{line}"\n' for line in (*head, *lines, ".size sums, .-sums"))
