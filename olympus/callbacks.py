# SPDX-License-Identifier: Apache-2.0
"""Calls from a program into the host's Python: for values (`pure_callback`) and for what people look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, CallbackResultError, NotSupportedError, described
from olympus_core.ops import HostFunction, host_callback
from olympus_core.program import ArrayType
from olympus_core.runtime import get_world, sealed

from . import tree
from .operands import element_type, key_words, shape_argument
from .tracing import aval_of, bind_all, canonical_dtype, is_array_like
from .tracing.tracebacks import entrance

VMAP_METHODS = (None, "sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized")

class Effect:
    """What an equation does besides giving results; libraries derive classes of their own.

    Args:
        name: What that is; None for the class's name.

    Example:
        >>> Effect("launches")
        launches
    """

    __slots__ = ("name",)

    def __init__(self, name: str | None = None) -> None:
        self.name = type(self).__name__ if name is None else name

    def __repr__(self) -> str:
        """Its name."""
        return self.name

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.name == self.name

    def __hash__(self) -> int:
        return hash((type(self), self.name))


class DebugEffect(Effect):
    """A program is looked into, by `olympus.debug`."""

    __slots__ = ()


class OrderedDebugEffect(Effect):
    """A program is looked into, and the user asked for the order of the program."""

    __slots__ = ()


class IOEffect(Effect):
    """A function of the host is called for what it does, by `olympus.experimental.io_callback`."""

    __slots__ = ()


class OrderedIOEffect(Effect):
    """Such a function is called, and the user asked for the order of the program."""

    __slots__ = ()


_IO, _ORDERED_IO = IOEffect(), OrderedIOEffect()


@dataclass(frozen=True, slots=True)
class _Call:
    """A user's function as programs call it: flat arrays to flat arrays; equal for equal calls.

    Args:
        name: The function's, the same in every process.
        function: The function.
        structure: Structure of its arguments, positional and named.
        statics: The leaves that are no arrays, each with its position.
        results: Structure of its results; None where they are dropped.
        types: Types of the results.
        vmap_method: How it is called for all indices of a mapped dimension.
        effect: What it does; None where it is called for its results alone.
    """

    name: str
    function: Callable[..., Any]
    structure: Any
    statics: tuple[tuple[int, Any], ...]
    results: Any
    types: tuple[ArrayType, ...]
    vmap_method: str | None = None
    effect: Effect | None = None

    def mapped(self, size: int) -> _Call:
        """The call for all indices of a mapped dimension, which stands in front of arrays and results."""
        return replace(self, types=tuple(t.with_shape((size, *t.shape)) for t in self.types))

    def __call__(self, *arrays: np.ndarray) -> list[np.ndarray]:
        leaves: list[Any] = [sealed(array) for array in arrays]  # values of the program, which others read too
        for position, value in self.statics:  # ascending, so that each comes to its position
            leaves.insert(position, value)
        args, kwargs = tree.unflatten(self.structure, leaves)
        given = self.function(*args, **kwargs)
        if self.results is None:
            return []
        found, structure = tree.flatten(given)
        if structure != self.results:
            raise CallbackResultError(self.name, str(structure), str(self.results))
        return [self._result(value, type_) for value, type_ in zip(found, self.types, strict=True)]

    def _result(self, value: Any, type_: ArrayType) -> np.ndarray:
        try:
            array = np.asarray(value)
        except ValueError:
            raise CallbackResultError(self.name, f"nested lists of unequal lengths: {described(value)}",
                                      repr(type_)) from None
        # Python's and NumPy's numbers are wide where the program's are narrow.
        if array.shape != type_.shape or not (
            canonical_dtype(array.dtype) == type_.dtype or isinstance(value, (bool, int, float, complex))
        ):
            raise CallbackResultError(self.name, f"{array.dtype.name}{list(array.shape)}", repr(type_))
        try:
            return dtypes.cast(array, type_.dtype)
        except (TypeError, ValueError, OverflowError):  # complex, or greater than its numbers
            raise CallbackResultError(self.name, described(value), repr(type_)) from None


def call_host(
    name: str, function: Callable[..., Any], results: Any, types: tuple[ArrayType, ...], args: Any, kwargs: Any,
    effect: Effect | None, vmap_method: str | None = None,
) -> list[Any]:
    """Binds the operation.

    Args:
        name: The function's name, the same in every process.
        function: What is called.
        results: Structure of its results; None where they are dropped.
        types: Types of the results.
        args: Its arguments.
        kwargs: Its named arguments.
        effect: What it does, so that it is called even if nobody uses its results; None for nothing.
        vmap_method: As for `pure_callback`.
    """
    leaves, structure = tree.flatten((args, kwargs))
    statics = tuple((i, leaf) for i, leaf in enumerate(leaves) if not is_array_like(leaf))
    try:
        hash(statics)
    except TypeError:
        raise ArgumentError(name, "an argument of a callback that is no array cannot be hashed",
                            ", ".join(described(leaf) for _, leaf in statics), "arrays, and hashable values") from None
    # Where an object lies says nothing, and differs from process to process.
    callback = HostFunction(name.replace(" at 0x", " at "), _Call(name, function, structure, statics, results, types,
                                                                  vmap_method, effect))
    attributes = {"callback": callback, "result_types": types, "ordered": effect is not None}
    operands = [leaf for leaf in leaves if is_array_like(leaf)]
    operands = [key_words(x) if dtypes.is_key(aval_of(x).dtype) else x for x in operands]  # the host knows no keys
    return bind_all(host_callback, operands, attributes, (), False)


def name_of(function: Callable[..., Any]) -> str:
    """What stands for a function in programs: the same in every process."""
    kind = type(function)
    return f"{getattr(function, '__module__', kind.__module__)}.{getattr(function, '__qualname__', kind.__qualname__)}"


@entrance
def pure_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None,
    vmap_method: str | None = None, **kwargs: Any,
) -> Any:
    """Calls a function of NumPy arrays from inside of a program.

    The function is called with whole values, once for all devices, in the process of the first one, which hands the
    results to the others; inside of `shard_map` and `pmap` once for each device, with its part, so that the results
    differ from device to device there. It should give the same results for the same arguments: it may be called again
    where a program is run again, and not at all where nobody uses the results.

    Args:
        callback: Takes NumPy arrays (read-only) in the structure of the arguments, of keys their words; gives arrays
            or numbers.
        result_shape_dtypes: What it gives: an object with `shape` and `dtype`, or a container of them.
        *args: Its arguments: arrays, containers of them, and what is no array, which it gets as it is.
        sharding: Not taken: the results are where they are needed.
        vmap_method: What `olympus.vmap` does. ``"sequential"`` (also None) and ``"sequential_unrolled"``: the function
            is called for one index after another. ``"expand_dims"``: it is called once, with the mapped dimension in
            front of arguments and results; arguments that all indices share have a dimension of size 1 there.
            ``"broadcast_all"``: the same, and these are repeated to the full size. ``"legacy_vectorized"``: the same,
            and these are as they are.
        **kwargs: Its named arguments.

    Returns:
        The results, in the structure of `result_shape_dtypes`.

    Raises:
        CallbackResultError: When the function gives something else than was declared.

    Example:
        >>> import numpy as np, olympus, olympus.numpy as jnp
        >>> kind = olympus.ShapeDtypeStruct((3,), "float32")
        >>> f = olympus.jit(lambda x: 1 + olympus.pure_callback(np.cumsum, kind, x))
        >>> print(f(jnp.ones(3)))
        [2. 3. 4.]
    """
    if vmap_method not in VMAP_METHODS:
        raise ArgumentError("pure_callback", "there is no such vmap_method", described(vmap_method),
                            ", ".join(map(repr, VMAP_METHODS)))
    return _called("pure_callback", callback, result_shape_dtypes, args, kwargs, sharding, None, vmap_method)


@entrance
def io_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, ordered: bool = False,
    **kwargs: Any,
) -> Any:
    """Calls a function of NumPy arrays from inside of a program for what it does: each time the program comes here.

    As `olympus.pure_callback`, but the call is never left out, and never done twice. Under `olympus.vmap` the function
    is called for one index after another.

    Args:
        callback: Takes NumPy arrays (read-only) in the structure of the arguments, of keys their words; gives arrays
            or numbers.
        result_shape_dtypes: What it gives: an object with `shape` and `dtype`, or a container of them; None for none.
        *args: Its arguments: arrays, containers of them, and what is no array, which it gets as it is.
        sharding: Not taken: the results are where they are needed.
        ordered: Accepted for compatibility: calls always come in the order of the program.
        **kwargs: Its named arguments.

    Returns:
        The results, in the structure of `result_shape_dtypes`.

    Raises:
        CallbackResultError: When the function gives something else than was declared.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import io_callback
        >>> numbers = iter(range(100))
        >>> kind = olympus.ShapeDtypeStruct((), "int32")
        >>> f = olympus.jit(lambda: io_callback(lambda: np.int32(next(numbers)), kind))
        >>> int(f()), int(f())
        (0, 1)
    """
    return _called("io_callback", callback, result_shape_dtypes, args, kwargs, sharding,
                   _ORDERED_IO if ordered else _IO)


def effects_barrier() -> None:
    """Waits until all that programs do besides their results is done: calls of the host's functions, printing.

    Example:
        >>> import olympus
        >>> seen = []
        >>> y = olympus.jit(lambda x: (olympus.debug.callback(lambda v: seen.append(float(v)), x), x)[1])(1.0)
        >>> olympus.effects_barrier()
        >>> seen
        [1.0]
    """
    for client in get_world().clients.values():
        client.synchronize()


def _called(
    name: str, callback: Callable[..., Any], results: Any, args: Any, kwargs: Any, sharding: Any,
    effect: Effect | None, vmap_method: str | None = None,
) -> Any:
    if not callable(callback):
        raise ArgumentError(name, "a function is needed", repr(callback), "a callable")
    if sharding is not None:
        raise NotSupportedError(f"{name} with sharding=", "one device calls the function for all",
                                "Leave it out, and place the result with olympus.with_sharding_constraint.")
    declared, structure = tree.flatten(results)
    for one in declared:
        if not hasattr(one, "shape") or not hasattr(one, "dtype"):
            raise ArgumentError(name, "a result is not described", described(one),
                                "an object with shape and dtype, such as olympus.ShapeDtypeStruct(shape, dtype)")
    types = tuple(ArrayType(shape_argument(name, one.shape), element_type(name, one.dtype, is_told=False))
                  for one in declared)
    found = call_host(name_of(callback), callback, structure, types, args, kwargs, effect, vmap_method)
    return tree.unflatten(structure, found)
