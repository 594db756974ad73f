"""The innermost loop of products, for x86-64 with AVX2, as LLVM's assembler takes it: no registers to be found."""

from __future__ import annotations

from ..codegen.target import Target
from .kinds import ProductKind, bytes_of, tile_shape

_SUFFIXES = {"float": "s", "double": "d"}
_ROWS = ("rax", "r10", "r11", "rbx", "r12", "rdi")  # their addresses; rdi last, since they are read through it


def has_assembly(kind: ProductKind, target: Target) -> bool:
    """Whether `sums_assembly` knows this processor, its system's names, and what is multiplied."""
    avx2 = target.is_x86 and target.has_fma and target.vector_bits == 256 and not target.has_avx512
    return avx2 and "linux" in target.triple and kind.compute in _SUFFIXES


def sums_assembly(kind: ProductKind, target: Target) -> str:
    """The function ``sums`` of `quick.py` for any module: the same sums in the same order.

    It gets rows in rdi, y in rsi, what is ahead in rdx, its step in rcx, the length in r8, y's stride in r9, and where
    the sums are on the stack. ymm0 to 11 are the sums, 12 and 13 two vectors of y, 14 and 15 elements of rows.
    """
    rows, columns = tile_shape(target, kind.compute)
    size, suffix = bytes_of(kind.compute), _SUFFIXES[kind.compute]
    saved = [] if kind.packs_rows else ["rbx", "r12"]
    sums = f"{8 + 8 * len(saved)}(%rsp)"
    width = columns // 2 * size  # of a vector
    places = [f"{i * width}(%rax)" for i in range(2 * rows)]
    lines = [f"push %{r}" for r in saved]
    lines += [f"mov {sums}, %rax", *(f"vmovups {place}, %ymm{i}" for i, place in enumerate(places))]
    lines += ["test %r8, %r8", "jz 2f"]
    if not kind.packs_rows:
        # One index counts up to zero for all rows.
        for i, row in enumerate(_ROWS[:rows]):
            lines += [f"mov {8 * i}(%rdi), %{row}", f"lea (%{row},%r8,{size}), %{row}"]
        lines.append("neg %r8")
    lines += [".p2align 4", "1:", "vmovups (%rsi), %ymm12", f"vmovups {width}(%rsi), %ymm13", "prefetcht1 (%rdx)"]
    for i in range(rows):
        place = f"{i * size}(%rdi)" if kind.packs_rows else f"(%{_ROWS[i]},%r8,{size})"
        factor = f"%ymm{14 + i % 2}"
        lines += [f"vbroadcasts{suffix} {place}, {factor}",
                  *(f"vfmadd231p{suffix} %ymm{12 + j}, {factor}, %ymm{2 * i + j}" for j in (0, 1))]
    lines += ["add %rcx, %rdx", "add %r9, %rsi"]
    lines += [f"add ${rows * size}, %rdi", "dec %r8"] if kind.packs_rows else ["inc %r8"]
    lines += ["jnz 1b", "2:", f"mov {sums}, %rax", *(f"vmovups %ymm{i}, {place}" for i, place in enumerate(places))]
    lines += ["vzeroupper", *(f"pop %{r}" for r in reversed(saved)), "ret"]
    head = [".text", ".globl sums", ".type sums,@function", ".p2align 4", "sums:"]
    return "".join(f'module asm "{line}"\n' for line in (*head, *lines, ".size sums, .-sums"))
