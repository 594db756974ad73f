# SPDX-License-Identifier: Apache-2.0
"""The steps of a work: launches of kernels with texts of their own, and products by cuBLASLt, in stream order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from olympus_core.program import Value

from ..codegen import functions
from ..codegen.module import Launch, Module
from ..errors import CublasLtUnsupportedError
from .cublaslt import ALIGNMENT, Choose, Matmul, PreparedMatmul, library

if TYPE_CHECKING:
    from ..compiled.code import CodeStore
    from ..compiled.work import Enqueue
    from ..gpu import Gpu, Stream

Table = Sequence[int]  # the addresses of a work's inputs, outputs and scratch
Ready = Callable[[Any, Table], None]
SCRATCH = -1
USUAL_SHARED = 48 << 10  # bytes of shared memory that a block may have without being allowed more


@dataclass(frozen=True, slots=True)
class BufferSlice:
    """A part of a work's memory: an offset in bytes from an address of the table."""

    index: int
    offset: int = 0


class Step(Protocol):
    """One thing that a work enqueues."""

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Ready:
        """Prepares it for a GPU."""


@dataclass(frozen=True, slots=True)
class KernelLaunchStep:
    """The launch of a kernel.

    Args:
        written: Generates its module, with one kernel; called on use, since most variants are never used.
        slices: Its arguments.
        numbers: Whole numbers that follow them as arguments, so that one text serves many sizes.
    """

    written: Callable[[], Module]
    slices: tuple[BufferSlice, ...]
    numbers: tuple[int, ...] = ()

    @property
    def module(self) -> Module:
        """Its module."""
        return self.written()

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Ready:
        """Compiles and loads it."""
        module = self.module
        ((launch,),) = module.launches.values()
        function = code.functions(module, ordinal, launch.function)(launch.function)
        slices, numbers = [(p.index, p.offset) for p in self.slices], self.numbers
        run, grid, block, shared = gpu.launch, launch.grid, launch.block, launch.shared
        if shared > USUAL_SHARED:
            gpu.allow_shared(function, shared, ordinal)

        def enqueue(stream: Stream, table: Table) -> None:
            run(function, grid, block, shared, stream.ptr, [*[table[i] + offset for i, offset in slices], *numbers])

        return enqueue


@dataclass(frozen=True, slots=True)
class CopyStep:
    """A copy of bytes.

    Args:
        source: From where.
        target: To where.
        nbytes: How many.
    """

    source: BufferSlice
    target: BufferSlice
    nbytes: int

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Ready:
        """The driver's own copy."""
        copy, source, target, nbytes = gpu.copy, self.source, self.target, self.nbytes
        return lambda stream, table: copy(
            table[target.index] + target.offset, table[source.index] + source.offset, nbytes, stream)


@dataclass(frozen=True, slots=True)
class FillStep:
    """Bytes of zeros.

    Args:
        target: Where.
        nbytes: How many.
    """

    target: BufferSlice
    nbytes: int

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Ready:
        """The driver's own filling of memory."""
        zero, target, nbytes = gpu.zero, self.target, self.nbytes
        return lambda stream, table: zero(table[target.index] + target.offset, nbytes, stream)


@dataclass(frozen=True, slots=True)
class MatmulStep:
    """A product by cuBLASLt.

    Args:
        matmul: The product.
        slices: For each call the operands A and B and the result D.
        bias: The bias, if there is one.
        workspace: The library's workspace.
    """

    matmul: Matmul
    slices: tuple[tuple[BufferSlice, BufferSlice, BufferSlice], ...]
    bias: BufferSlice | None
    workspace: BufferSlice

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Ready:
        """Describes it to the library; once more for addresses with a lower alignment than allocations have."""
        lib, matmul, slices, workspace = library(), self.matmul, self.slices, self.workspace
        bias = self.bias or workspace
        offsets = [_alignment(*(p[i].offset for p in slices)) for i in range(3)]
        known: dict[tuple[int, ...], PreparedMatmul] = {}
        choose = code.choices.for_product(lib, ordinal, matmul) if code.choices is not None else None

        def prepared(bits: Sequence[int], choose: Choose | None = None) -> PreparedMatmul:
            alignments = (*(min(_alignment(b), o) for b, o in zip(bits, offsets, strict=False)), _alignment(bits[3]))
            if alignments not in known:
                with gpu.using(ordinal):
                    known[alignments] = PreparedMatmul(lib, ordinal, matmul, alignments, choose)
            return known[alignments]

        usual = prepared([0] * 4, choose)  # others are prepared when they come, maybe while they are captured
        first, use = slices[0], gpu.use

        def enqueue(stream: Stream, table: Table) -> None:
            bits = [table[p.index] for p in (*first, bias)]
            aligned = not (bits[0] | bits[1] | bits[2] | bits[3]) & (ALIGNMENT - 1)
            ready, at = usual if aligned else prepared(bits), table[workspace.index] + workspace.offset
            use(ordinal)
            for a, b, d in slices:
                ready.enqueue(stream.ptr, table[a.index] + a.offset, table[b.index] + b.offset,
                              table[d.index] + d.offset, table[bias.index] + bias.offset, at)

        return enqueue


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to compute a work.

    Args:
        steps: Its steps.
        scratch: Bytes of device memory that it needs while it runs.
        least: The oldest architecture that it may be tried on, such as 89.
    """

    steps: tuple[Step, ...]
    scratch: int = 0
    least: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class ProductWork:
    """A product, a convolution or a sort among the kernels of a program.

    Args:
        inputs: The values that it reads.
        outputs: The values that it writes.
        variants: Ways to compute it, best first; the last one works on every GPU.
        reusable: Always empty: no result can share an operand's memory.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    variants: tuple[Variant, ...]
    reusable: tuple[tuple[int, int], ...] = ()

    @property
    def scratch(self) -> int:
        """Bytes of device memory that it needs while it runs, in any variant."""
        return max(variant.scratch for variant in self.variants)

    def scratch_on(self, gpu: Gpu, ordinal: int) -> int:
        """As on any GPU."""
        return self.scratch

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Enqueue:
        """Prepares the first variant that the GPU and the library support."""
        architecture = int(gpu.properties(ordinal).architecture.removeprefix("sm_").rstrip("af"))
        fitting = [variant for variant in self.variants if variant.least <= architecture]
        ready = self._first(gpu, ordinal, code, fitting)

        def enqueue(stream: Stream, addresses: Sequence[int], scratch: int) -> None:
            table = [*addresses, scratch]
            for step in ready:
                step(stream, table)

        return enqueue

    @staticmethod
    def _first(gpu: Gpu, ordinal: int, code: CodeStore, variants: Sequence[Variant]) -> list[Ready]:
        for variant in variants[:-1]:
            try:
                return [step.prepare(gpu, ordinal, code) for step in variant.steps]
            except CublasLtUnsupportedError:
                continue
        return [step.prepare(gpu, ordinal, code) for step in variants[-1].steps]


@lru_cache(maxsize=256)
def module_of(name: str, body: str, grid: int, block: int, shared: int = 0) -> Module:
    """A module of one kernel with the device functions that it calls."""
    text = functions.needed(functions.mentioned(body)) + body
    return Module(text, {name: (Launch(name, grid, block, shared),)})


def _alignment(*offsets: int) -> int:
    """The greatest power of two up to an allocation's alignment that divides all offsets."""
    together = ALIGNMENT
    for offset in offsets:
        together |= offset
    return together & -together
