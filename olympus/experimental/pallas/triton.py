# SPDX-License-Identifier: Apache-2.0
"""What kernels written for the peer's Triton compiler use: masked reads and writes, and updates that are atomic.

    from olympus.experimental.pallas import triton as plgpu

Steps of a grid run one after another, so every update is atomic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from olympus_core.deferred import listed
from olympus_core.errors import NotSupportedError

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from . import kernels
from .kernels import dot
from .specs import CompilerParams

__all__ = [
    "CompilerParams", "approx_tanh", "atomic_add", "atomic_and", "atomic_cas", "atomic_max", "atomic_min", "atomic_or",
    "atomic_xchg", "atomic_xor", "debug_barrier", "dot", "elementwise_inline_asm", "load", "max_contiguous", "store",
]
__dir__ = listed(__all__)


def load(
    ref: Any, *, mask: ArrayLike | None = None, other: ArrayLike | None = None, cache_modifier: str | None = None,
    eviction_policy: str | None = None, volatile: bool = False,
) -> Array:
    """The elements of a reference or of a part of one.

    Args:
        ref: The reference, or ``ref.at[index]``.
        mask: Where the elements are wanted; elsewhere the part may reach outside.
        other: What stands elsewhere; zero for None.
        cache_modifier: Accepted for compatibility.
        eviction_policy: Likewise.
        volatile: Likewise.

    Returns:
        The elements.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> from olympus.experimental.pallas import triton as plgpu
        >>> ref = olympus.new_ref(jnp.arange(4))
        >>> print(plgpu.load(ref.at[pl.ds(3, 2)], mask=jnp.array([True, False]), other=-1))
        [ 3 -1]
    """
    return kernels.load(ref, mask=mask, other=other)


def store(ref: Any, val: ArrayLike, *, mask: ArrayLike | None = None, eviction_policy: str | None = None) -> None:
    """Replaces the elements of a reference or of a part of one.

    Args:
        ref: The reference, or ``ref.at[index]``.
        val: What they become.
        mask: Which of them are replaced; for others the part may reach outside.
        eviction_policy: Accepted for compatibility.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental.pallas import triton as plgpu
        >>> ref = olympus.new_ref(jnp.arange(3))
        >>> plgpu.store(ref.at[1:], 7, mask=jnp.array([False, True]))
        >>> ref
        Ref([0, 1, 7], dtype=int32)
    """
    kernels.store(ref, ..., val, mask=mask)


def _atomic(name: str, word: str, combine: Callable[[Any, Any], Any], several: str) -> Callable[..., Array]:
    """An update; `several`: the method of ``.at`` for indices that may name an element twice."""

    def update(x_ref_or_view: Any, idx: Any, val: ArrayLike, *, mask: ArrayLike | None = None) -> Array:
        items = idx if isinstance(idx, tuple) else (idx,)
        before = kernels.load(x_ref_or_view, idx, mask=mask)
        if not any(getattr(item, "ndim", 0) for item in items):
            kernels.store(x_ref_or_view, idx, combine(before, val), mask=mask)
        elif several and mask is None:
            x_ref_or_view[...] = getattr(x_ref_or_view[...].at[idx], several)(val)
        else:
            raise NotSupportedError(f"{name} at indices that are arrays{' with a mask' if several else ''}",
                                    "an element may be named twice", "Name the elements with slices.")
        return before

    update.__name__ = update.__qualname__ = name
    update.__doc__ = f"""{word}, and gives those that were there.

    Args:
        x_ref_or_view: The reference, or a part of one.
        idx: The index of the elements.
        val: The other operand.
        mask: Which of them are replaced; for others the index may reach outside.

    Returns:
        The elements before.

    Raises:
        NotSupportedError: For arrays of indices, where elements named twice cannot be combined.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental.pallas import triton as plgpu
        >>> ref = olympus.new_ref(jnp.arange(3))
        >>> int(plgpu.{name}(ref, 2, 5))
        2
    """
    return update


atomic_add = _atomic("atomic_add", "Adds to elements of a reference", jnp.add, "add")
atomic_max = _atomic("atomic_max", "Makes elements of a reference the greater of two", jnp.maximum, "max")
atomic_min = _atomic("atomic_min", "Makes elements of a reference the lesser of two", jnp.minimum, "min")
atomic_and = _atomic("atomic_and", "Keeps the bits of elements that another number has", jnp.bitwise_and, "")
atomic_or = _atomic("atomic_or", "Sets the bits of elements that another number has", jnp.bitwise_or, "")
atomic_xor = _atomic("atomic_xor", "Turns the bits of elements that another number has", jnp.bitwise_xor, "")
atomic_xchg = _atomic(
    "atomic_xchg", "Replaces elements of a reference", lambda before, val: jnp.broadcast_to(val, before.shape), "")


def atomic_cas(ref: Any, cmp: ArrayLike, val: ArrayLike) -> Array:
    """Replaces the elements of a reference that equal a number, and gives those that were there.

    Args:
        ref: The reference, or a part of one.
        cmp: The number.
        val: What they become.

    Returns:
        The elements before.

    Example:
        >>> import olympus
        >>> from olympus.experimental.pallas import triton as plgpu
        >>> ref = olympus.new_ref(3)
        >>> int(plgpu.atomic_cas(ref, 3, 5)), int(ref[...])
        (3, 5)
    """
    before: Array = ref[...]
    ref[...] = jnp.where(before == cmp, val, before).astype(before.dtype)
    return before


def approx_tanh(x: ArrayLike) -> Array:
    """The hyperbolic tangent; here as exact as `olympus.numpy.tanh`.

    Args:
        x: An array.

    Returns:
        The results.

    Example:
        >>> from olympus.experimental.pallas import triton as plgpu
        >>> float(plgpu.approx_tanh(0.0))
        0.0
    """
    return jnp.tanh(x)


def max_contiguous(x: ArrayLike, values: int | Sequence[int]) -> ArrayLike:
    """Says how many neighbours follow one another in an index; of no effect.

    Args:
        x: The index.
        values: The numbers.

    Returns:
        The index.

    Example:
        >>> from olympus.experimental.pallas import triton as plgpu
        >>> plgpu.max_contiguous(3, 1)
        3
    """
    return x


def debug_barrier() -> None:
    """Waits for all threads of a block: here nothing runs beside another thing.

    Example:
        >>> from olympus.experimental.pallas import triton as plgpu
        >>> plgpu.debug_barrier()
    """


def elementwise_inline_asm(
    asm: str, *, args: Sequence[Array], constraints: str, pack: int, result_shape_dtypes: Sequence[Any]
) -> NoReturn:
    """Refused: kernels do not become PTX.

    Args:
        asm: The instructions.
        args: The operands.
        constraints: Where they are.
        pack: How many elements the instructions take at once.
        result_shape_dtypes: Types of the results.

    Raises:
        NotSupportedError: Always.
    """
    raise NotSupportedError("elementwise_inline_asm", "kernels do not become PTX", "Use functions of olympus.numpy.")
