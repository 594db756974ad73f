"""Kernels that run one after the other: which memory each of them finds where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from olympus_core.program import Value
from olympus_core.toolkit.fusion import KernelStep, ViewStep

from ..codegen.jam import jammed
from ..contractions.chains import Chain, chains
from ..contractions.steps import ProductStep
from ..native.entry import Slots

GroupStep = KernelStep | ProductStep | ViewStep


class Group:
    """A group's kernels and the slots of its native call.

    A slot stands for each argument, output and temporary of each device. Temporaries whose values are not needed at
    the same time share memory.

    Args:
        steps: Kernels and views, in order.
        inputs: The values that come in.
        outputs: The values that go out.
        reused: Outputs that are written over an input's memory.
        count: Number of devices.
    """

    def __init__(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], count: int,
    ) -> None:
        self.count = count
        self.chains = {chain.steps[0]: chain for chain in chains(steps, reused)}
        chained = {step for chain in self.chains.values() for step in chain.steps}
        self.steps = [
            replace(step, kernel=jammed(step.kernel)) if isinstance(step, KernelStep) and step not in chained else step
            for step in steps if not isinstance(step, ViewStep)
        ]
        self._scratch: dict[ProductStep, int] = {}
        made = [v for v in outputs if v not in reused]
        self._first: dict[Value, int] = {v: i * count for i, v in enumerate(inputs)}
        start = len(inputs) * count
        self._first.update({v: start + i * count for i, v in enumerate(made)})
        self._first.update({v: self._first[source] for v, source in reused.items()})
        self._start = start + len(made) * count
        sizes = self._temporaries(steps, set(outputs))
        products = [step for step in self.steps if isinstance(step, ProductStep)]
        self.slots = Slots(
            len(inputs) * count, tuple(v.type.nbytes for v in made for _ in range(count)),
            tuple(size for size in sizes for _ in range(count)), tuple(a for p in products for a in p.addresses),
        )

    def product_tables(self, step: ProductStep, device: int) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
        """The slots that a product's kernels take: those for packing, one for each member, and for multiplying."""
        constants, at = self.slots.status - len(self.slots.constants), 0
        for other in self.steps:
            if other is step:
                break
            at += len(other.addresses) if isinstance(other, ProductStep) else 0
        inputs = [self._first[v] + device for v in step.inputs]
        members = step.product.members
        rows, columns = inputs[:members], inputs[members:]
        packing: list[tuple[int, ...]] = []
        if step in self._scratch:
            panels = [self._scratch[step] + m * self.count + device for m in range(members)]
            packing = [(constants + at + 1, y, p) for y, p in zip(columns, panels, strict=True)]
            columns = panels
        return packing, (constants + at, *rows, *columns, self._first[step.outputs[0]] + device)

    def table(self, step: KernelStep, device: int) -> tuple[int, ...]:
        """The slots of a kernel's parameters."""
        return tuple(self._first[v] + device for v in (*step.inputs, *step.outputs))

    def _temporaries(self, steps: Sequence[GroupStep], outputs: set[Value]) -> list[int]:
        """Gives every value that stays inside a piece of memory; the sizes of the pieces."""
        root: dict[Value, Value] = {}
        last: dict[Value, int] = {}
        for i, step in enumerate(steps):
            read = (step.source,) if isinstance(step, ViewStep) else step.inputs
            for v in read:
                last[root.get(v, v)] = i
            if isinstance(step, ViewStep):
                root[step.result] = root.get(step.source, step.source)
        sizes: list[int] = []
        free: list[int] = []
        held: dict[Value, int] = {}
        chain: Chain | None = None  # whose steps run at the same time: nothing is free before they all are done
        for i, step in enumerate(steps):
            if isinstance(step, ViewStep):
                self._first[step.result] = self._first[step.source]
                continue
            if step in self.chains:
                chain = self.chains[step]
            if chain is None or step is chain.steps[0]:
                for product in chain.steps if chain is not None else [step]:
                    if isinstance(product, ProductStep) and product.product.packs_columns:  # panels, not used later
                        self._scratch[product] = self._start + len(sizes) * self.count
                        sizes += [product.product.packed_bytes] * product.product.members
            for v in step.outputs:
                if v in self._first:
                    continue
                piece = next((p for p in free if sizes[p] >= v.type.nbytes), None)
                if piece is None:
                    piece = len(sizes)
                    sizes.append(v.type.nbytes)
                else:
                    free.remove(piece)
                held[v] = piece
                self._first[v] = self._start + piece * self.count
            if chain is not None and step is not chain.steps[-1]:
                continue
            for product in chain.steps if chain is not None else [step]:
                if product in self._scratch:
                    first = (self._scratch[product] - self._start) // self.count
                    free += range(first, first + product.product.members)
            chain = None
            for v in [v for v in held if last.get(v, i) <= i]:
                free.append(held.pop(v))
        return sizes
