# SPDX-License-Identifier: Apache-2.0
"""What kernels are written with: conditions, loops, reads and writes by masks, products, scratch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ... import debug, lax, tree
from ... import numpy as jnp
from ...dynamic_slices import Slice, opened
from ...operands import element_type, integer, is_number, shape_argument
from ...ref import Ref, empty_ref, masked, new_ref
from ...tracing.tracebacks import entrance
from ...typing import Array, ArrayLike, DTypeLike
from ..checkify import debug_check as _debug_check
from .specs import CostEstimate

R = TypeVar("R")


def ds(start: Any, size: Any = None, stride: int | None = None) -> slice | Slice:
    """A part of a dimension of a reference, ``ref[ds(start, size)]``, whose start may be a traced value.

    Args:
        start: The first index; None for the whole dimension. Where there is no size, this is the size.
        size: How many indices there are.
        stride: The distance between them; 1 for None.

    Returns:
        What stands in the brackets of references.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> print(olympus.new_ref(jnp.arange(8))[pl.ds(2, 3, 2)])
        [2 4 6]
    """
    if start is None:
        return slice(None)
    if size is None:
        start, size = 0, start
    return Slice(start, integer("ds", size, "the size", 0), 1 if stride is None else stride)


dslice = ds


@entrance
def load(ref: Any, idx: Any = ..., *, mask: ArrayLike | None = None, other: ArrayLike | None = None) -> Array:
    """The elements of a reference that an index names.

    Args:
        ref: The reference.
        idx: The index.
        mask: Where the elements are wanted; elsewhere the index may reach outside.
        other: What stands elsewhere; zero for None.

    Returns:
        The elements.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> ref = olympus.new_ref(jnp.arange(4))
        >>> print(pl.load(ref, pl.ds(1, 3), mask=jnp.array([True, True, False]), other=-1))
        [ 1  2 -1]
    """
    if mask is None:
        return ref[idx]
    found = masked(ref)[opened(idx)]
    return jnp.where(mask, found, jnp.asarray(0 if other is None else other, found.dtype))


@entrance
def store(ref: Any, idx: Any, val: ArrayLike, *, mask: ArrayLike | None = None) -> None:
    """Replaces the elements of a reference that an index names.

    Args:
        ref: The reference.
        idx: The index.
        val: What they become.
        mask: Which of them are replaced; for others the index may reach outside.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> ref = olympus.new_ref(jnp.arange(4))
        >>> pl.store(ref, pl.ds(1, 2), 9, mask=jnp.array([False, True]))
        >>> ref
        Ref([0, 1, 9, 3], dtype=int32)
    """
    if mask is not None:
        ref, idx = masked(ref), opened(idx)
        val = jnp.where(mask, val, ref[idx])
    ref[idx] = val


def swap(ref: Any, idx: Any, val: ArrayLike, *, mask: ArrayLike | None = None) -> Array:
    """Replaces the elements of a reference that an index names, and gives those that were there.

    Args:
        ref: The reference.
        idx: The index.
        val: What they become.
        mask: Which of them are replaced; for others the index may reach outside.

    Returns:
        The elements before; zero outside.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> ref = olympus.new_ref(jnp.arange(3))
        >>> print(pl.swap(ref, 1, 7), ref[1])
        1 7
    """
    before: Array = ref[idx] if mask is None else masked(ref)[opened(idx)]
    store(ref, idx, val, mask=mask)
    return before


def dot(
    a: ArrayLike, b: ArrayLike, trans_a: bool = False, trans_b: bool = False, allow_tf32: bool | None = None,
    precision: Any = None,
) -> Array:
    """The product of two matrices, of 32-bit floats where those of the operands are narrower.

    Args:
        a: A matrix.
        b: A matrix.
        trans_a: Whether the first one is transposed.
        trans_b: Whether the second one is.
        allow_tf32: Whether products may be rounded to TensorFloat-32; False for the most exact way.
        precision: As in `olympus.lax.dot_general`.

    Returns:
        The product.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> print(pl.dot(jnp.ones((1, 4)), jnp.ones((1, 4)), trans_b=True))
        [[4.]]
    """
    if allow_tf32 is not None and precision is None:
        precision = lax.Precision.HIGH if allow_tf32 else lax.Precision.HIGHEST
    own = jnp.result_type(a, b)
    kind = jnp.int32 if jnp.issubdtype(own, jnp.integer) else jnp.promote_types(own, jnp.float32)
    return lax.dot_general(a, b, (((0 if trans_a else 1,), (1 if trans_b else 0,)), ((), ())), precision=precision,
                           preferred_element_type=kind)


def when(condition: ArrayLike, /) -> Callable[[Callable[[], None]], None]:
    """A decorator that runs a function without arguments where a condition holds.

    Args:
        condition: A bool, which may be traced.

    Returns:
        The decorator.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> def kernel(o_ref):
        ...     @pl.when(pl.program_id(0) == 0)
        ...     def _():
        ...         o_ref[...] = jnp.zeros_like(o_ref)
        ...     o_ref[...] += 1
        >>> print(pl.pallas_call(kernel, grid=(4,), out_shape=olympus.ShapeDtypeStruct((), jnp.int32))())
        4
    """

    def run(function: Callable[[], None]) -> None:
        if isinstance(condition, bool):
            if condition:
                function()
            return

        def then() -> None:
            function()

        lax.cond(condition, then, lambda: None)

    return run


def loop(
    lower: ArrayLike, upper: ArrayLike, *, init_carry: Any = None, step: ArrayLike = 1,
    unroll: int | bool | None = None,
) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that runs a function for the integers from one to another.

    Args:
        lower: The first integer.
        upper: Where they end, not included.
        init_carry: A value that is handed from turn to turn; None for a function of the integer alone.
        step: The distance between the integers.
        unroll: Accepted for compatibility.

    Returns:
        The decorator, which gives the last value.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> ref = olympus.new_ref(jnp.zeros(4, jnp.int32))
        >>> @pl.loop(0, 4, step=2)
        ... def _(i):
        ...     ref[i] = i
        >>> ref
        Ref([0, 0, 2, 0], dtype=int32)
    """

    def run(function: Callable[..., Any]) -> Any:
        def turn(i: Any, carry: Any) -> Any:
            index: Any = lower + i * step
            return function(index) if init_carry is None else function(index, carry)

        known = all(is_number(x) for x in (lower, upper, step))
        distance: Any = upper - lower  # type: ignore[operator]
        turns: Any = max(-(-distance // step), 0) if known else cdiv(distance, step)
        return lax.fori_loop(0, turns, turn, init_carry)

    return run


def run_scoped(f: Callable[..., R], *types: Any, collective_axes: Any = (), **kw_types: Any) -> R:
    """Calls a function with references of its own.

    Args:
        f: The function.
        *types: What the references are like: objects with `shape` and `dtype`, or containers of them.
        collective_axes: Accepted for compatibility.
        **kw_types: Those that it takes by name.

    Returns:
        What the function gives.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> def f(ref):
        ...     ref[...] = jnp.ones(3)
        ...     return ref[...].sum()
        >>> print(pl.run_scoped(f, pl.MemorySpace.ANY((3,), jnp.float32)))
        3.0
    """
    made, named = tree.map(empty_ref_like, (types, kw_types), is_leaf=lambda x: hasattr(x, "shape"))
    return f(*made, **named)


def with_scoped(*types: Any, collective_axes: Any = (), **kw_types: Any) -> Callable[[Callable[..., R]], Any]:
    """A decorator: the function with references of its own after its arguments; see `run_scoped`.

    Args:
        *types: What the references are like.
        collective_axes: Accepted for compatibility.
        **kw_types: Those that it takes by name.

    Returns:
        The decorator.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> @pl.with_scoped(pl.MemorySpace.ANY((2,), jnp.float32))
        ... def f(x, ref):
        ...     ref[...] = x * jnp.ones(2)
        ...     return ref[1]
        >>> print(f(3.0))
        3.0
    """

    def decorated(function: Callable[..., R]) -> Callable[..., R]:
        return lambda *args, **kwargs: run_scoped(
            lambda *refs, **named: function(*args, *refs, **kwargs, **named), *types, **kw_types)

    return decorated


def run_state(f: Callable[[Any], None]) -> Callable[[Any], Any]:
    """A function of references as one of arrays: what the references hold at the end.

    Args:
        f: A function of a container of references.

    Returns:
        A function of a container of arrays.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> def f(refs):
        ...     x_ref, y_ref = refs
        ...     y_ref[...] = x_ref[...] * 2
        >>> x, y = pl.run_state(f)((jnp.arange(2), jnp.zeros(2, jnp.int32)))
        >>> print(y)
        [0 2]
    """

    def run(values: Any) -> Any:
        references = tree.map(new_ref, values)
        f(references)
        return tree.map(lambda ref: ref.read(), references, is_leaf=lambda x: isinstance(x, Ref))

    return run


def empty(shape: Any, dtype: DTypeLike, *, out_sharding: Any = None) -> Array:
    """An array whose elements mean nothing yet: zeros.

    Args:
        shape: Its shape.
        dtype: Its element type.
        out_sharding: Its sharding.

    Example:
        >>> from olympus.experimental import pallas as pl
        >>> pl.empty((2,), "int32").shape
        (2,)
    """
    return jnp.empty(shape, dtype, out_sharding=out_sharding)


def empty_like(x: Any) -> Any:
    """Arrays of the shapes and element types of others, whose elements mean nothing yet.

    Args:
        x: An object with `shape` and `dtype`, or a container of such.

    Example:
        >>> import olympus
        >>> from olympus.experimental import pallas as pl
        >>> pl.empty_like({"a": olympus.ShapeDtypeStruct((2,), "int32")})["a"].shape
        (2,)
    """
    return tree.map(lambda one: empty(one.shape, one.dtype), x, is_leaf=lambda one: hasattr(one, "shape"))


def empty_ref_like(x: Any) -> Ref:
    """A reference of a shape and element type.

    Args:
        x: An object with `shape` and `dtype`.

    Example:
        >>> import olympus
        >>> from olympus.experimental import pallas as pl
        >>> pl.empty_ref_like(olympus.ShapeDtypeStruct((2,), "int32")).shape
        (2,)
    """
    shape_argument("empty_ref_like", tuple(x.shape))
    element_type("empty_ref_like", x.dtype)
    return empty_ref(x)


def cdiv(a: Any, b: Any) -> Any:
    """The quotient of two integers, rounded up.

    Args:
        a: An integer of at least zero, or an array of such.
        b: An integer above zero, or an array of such.

    Example:
        >>> from olympus.experimental import pallas as pl
        >>> pl.cdiv(10, 4)
        3
    """
    return -(-a // b) if isinstance(a, int) and isinstance(b, int) else (a + (b - 1)) // b


def align_to(a: Any, alignment: Any) -> Any:
    """The least multiple of an integer that is not below another one.

    Args:
        a: An integer of at least zero, or an array of such.
        alignment: An integer above zero, or an array of such.

    Example:
        >>> from olympus.experimental import pallas as pl
        >>> pl.align_to(10, 4)
        12
    """
    return cdiv(a, alignment) * alignment


def next_power_of_2(x: int) -> int:
    """The least power of two that is not below an integer.

    Args:
        x: The integer.

    Example:
        >>> from olympus.experimental import pallas as pl
        >>> pl.next_power_of_2(5)
        8
    """
    return 1 << max(integer("next_power_of_2", x, "the argument", 0) - 1, 0).bit_length()


def strides_from_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """How many elements lie between neighbours along each dimension of an array in the order of rows.

    Args:
        shape: The array's shape.

    Example:
        >>> from olympus.experimental import pallas as pl
        >>> pl.strides_from_shape((2, 3, 4))
        (12, 4, 1)
    """
    found, stride = [], 1
    for size in reversed(shape):
        found.append(stride)
        stride *= size
    return tuple(reversed(found))


def reciprocal(x: ArrayLike, *, approx: bool = False, full_range: bool = True) -> Array:
    """One divided by each element.

    Args:
        x: An array.
        approx: Whether it may be less exact; it is not.
        full_range: Accepted for compatibility.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> print(pl.reciprocal(jnp.float32(4)))
        0.25
    """
    return jnp.reciprocal(x)


def broadcast_to(a: ArrayLike, shape: tuple[int, ...]) -> Array:
    """An array in a larger shape; see `olympus.numpy.broadcast_to`.

    Args:
        a: The array.
        shape: The shape.

    Example:
        >>> from olympus.experimental import pallas as pl
        >>> print(pl.broadcast_to(1, (2,)))
        [1 1]
    """
    return jnp.broadcast_to(a, shape)


def multiple_of(x: R, values: Any) -> R:
    """A promise that an integer is a multiple of others: the integer as it is.

    Args:
        x: The integer.
        values: The others.

    Example:
        >>> from olympus.experimental import pallas as pl
        >>> pl.multiple_of(8, 4)
        8
    """
    return x


def debug_print(fmt: str, *args: ArrayLike) -> None:
    """Prints values while a kernel runs, at each step; see `olympus.debug.print`.

    Args:
        fmt: A text with ``{}`` for each value.
        *args: The values.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> def kernel(o_ref):
        ...     pl.debug_print("step {}", pl.program_id(0))
        ...     o_ref[...] = 0
        >>> f = pl.pallas_call(kernel, grid=(1,), out_shape=olympus.ShapeDtypeStruct((), jnp.int32))
        >>> f().block_until_ready()
        step 0
        Array(0, dtype=int32)
    """
    debug.print(fmt, *args)


def debug_check(condition: ArrayLike, message: str) -> None:
    """A check that counts where the function around is a checked one; see `olympus.experimental.checkify`.

    Args:
        condition: What must hold.
        message: What is said where it does not.

    Example:
        >>> from olympus.experimental import checkify, pallas as pl
        >>> error, _ = checkify.checkify(lambda x: pl.debug_check(x > 0, "not positive"))(0.0)
        >>> print(str(error.get()).split(" (")[0])
        not positive
    """
    _debug_check(condition, message)


def estimate_cost(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> CostEstimate:
    """What a function takes.

    Args:
        fun: The function.
        *args: Its arguments, or what stands for them.
        **kwargs: Those by name.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> pl.estimate_cost(jnp.sin, jnp.ones(8)).transcendentals
        8
    """
    from ...transforms.jit import jit

    found = jit(lambda *a, **k: fun(*a, **k)).lower(*args, **kwargs).cost_analysis()
    return CostEstimate(int(found["flops"]), int(found["transcendentals"]), int(found["bytes accessed"]))
