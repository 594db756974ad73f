# SPDX-License-Identifier: Apache-2.0
"""What a platform that generates kernels implements; the toolkit plans, and generates the host code around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from olympus_core.plugin import Device
from olympus_core.program import ArrayType, Operation, OperationRecord, Value

from .dumps import Dump
from .fusion import FusionOptions, KernelStep, ViewStep, lowering_passes
from .kept_plans import StoredStep
from .passes import PassList

_CODE_BYTES = 1 << 16


class KernelGenerator(Protocol):
    """What a platform that generates code gives `compile_with_generator`.

    A platform's class may inherit it: the methods that can wait have a plain answer here.

    Attributes:
        options: How large blocks and tiles should be.
        dump: Where texts are written down for people.

    A generator that keeps plans for later processes has a further attribute, `plans`: a `kept_plans.PlanStore`. One
    that knows how much temporary memory a call of what it made takes may tell it: ``scratch_bytes(made)``.
    """

    options: FusionOptions
    dump: Dump

    @cached_property
    def passes(self) -> PassList:
        """What is done to a program before it is planned.

        The platform's own passes, such as narrow contractions made wide, then the toolkit's `lowering_passes`; here
        these alone.
        """
        return PassList(*lowering_passes(self.supports, self.options))

    def supports(self, record: OperationRecord | None, dtypes: tuple[np.dtype, ...]) -> bool:
        """Whether kernels can hold this elementwise operation on these types; None: whether they can move them.

        Addresses and conditions are computed without asking: by ``add mul div rem clamp convert select and`` and
        comparisons of integers.
        """

    def make(
        self, steps: Sequence[KernelStep | StoredStep | ViewStep], inputs: Sequence[Value],
        outputs: Sequence[Value], reused: Mapping[Value, Value], count: int, name: str,
        renew: Callable[[Callable[..., Any]], None],
    ) -> Callable[..., Any]:
        """Kernels that run one after the other, as one callable for `count` devices.

        A better callable that is ready later, in any thread, is handed to `renew`.

        A platform that keeps plans takes two arguments more. It tells ``on_stored=`` what the callable is made of, and
        again when that is a better one; a later process gives that back in a `StoredStep`, and what it cannot use of it
        is an `UnfitData`. With ``is_hot=`` it makes the best callable at once.

        It takes the inputs' allocations, `count` for each, and gives the outputs' in the same order: a tuple, or one
        allocation where there is one. Outputs that stand in `reused` are written over that input's memory, not given.
        """

    def code_bytes(self, made: Callable[..., Any]) -> int:
        """About how much memory the code of what `make` gave takes; here a guess, for drivers that do not tell."""
        return _CODE_BYTES

    def array(self, allocation: Any, type: ArrayType) -> Any:
        """An allocation as an array of the table's kind."""

    def allocation(self, array: Any) -> Any:
        """The allocation of a row-major array."""

    def wrap_allocation(self, allocation: Any, type: ArrayType, device: Device) -> Any:
        """A buffer of an allocation, which it gives back as `allocation` until it is deleted or given away by `give()`.

        From then on reading it raises `DeletedError`, at `allocation`, too.
        """

    def wrap_array(self, array: Any, device: Device) -> Any:
        """A buffer of a row-major array, whose allocation it gives as `allocation`."""

    def settled(self, array: Any) -> Any:
        """A row-major array with the content of what a function of the table gave."""

    def is_exclusive(self, allocation: Any) -> bool:
        """Whether nobody but the donated buffer that it came in, and the one who asks, holds the allocation.

        The buffer's `give()` was called before: a buffer keeps the allocation then, but nobody can read it there. Here
        never: no kernel writes over donated memory. Where allocations are objects, `exclusive.is_exclusive` knows.
        """
        return False

    def are_exclusive(self, allocations: Sequence[Any]) -> bool:
        """Whether this holds of every allocation of a list."""
        return False

    def note_fallback(self, operation: Operation) -> None:
        """Told of an operation that the table runs at every call."""

    def made_step(self, operation: Operation) -> Any:
        """A step of the platform's own for an operation, control flow too, to stand among kernels in `make`, or None.

        It has the attributes `inputs`, `outputs` and `reusable` of a `KernelStep`.
        """
        return None

    def made_sum(self, operation: Operation, count: int) -> Any:
        """The same for the sum of what `count` devices compute: inputs are all devices' first operands, then others."""
        return None

    def made_collective(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]] | None:
        """A collective among this process's devices as the platform would rather do it, or None for kernels.

        It takes the allocations of all groups' members, one group after the other, and gives their results' in the same
        order: blocks of their own on the members' devices, which nobody else holds. Groups are given by local indices.
        """
        return None
