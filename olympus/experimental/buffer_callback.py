# SPDX-License-Identifier: Apache-2.0
"""Functions of the host that write their results into memory which they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described

from .. import tree
from ..callbacks import io_callback, pure_callback
from ..tracing import aval_of, canonical_dtype


class ExecutionContext:
    """What is known of the call; on CPUs nothing.

    Example:
        >>> from olympus.experimental.buffer_callback import ExecutionContext
        >>> context = ExecutionContext()
    """

    __slots__ = ()

    @property
    def stream(self) -> int:
        """Of GPUs the stream of the call: the function is called on the host."""
        raise NotSupportedError("The stream of a buffer_callback", "the function is called with the host's memory",
                                "Write to the arrays that it is given.")


class Buffer:
    """The memory of an argument, or of a result that is to be written.

    Args:
        array: The memory.

    Example:
        >>> import numpy as np
        >>> from olympus.experimental.buffer_callback import Buffer
        >>> buffer = Buffer(np.zeros(2))
        >>> np.asarray(buffer)[...] = 1
        >>> buffer.shape, buffer.writeable, float(np.asarray(buffer).sum())
        ((2,), True, 2.0)
    """

    __slots__ = ("_array",)

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self._array.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self._array.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._array.ndim

    @property
    def writeable(self) -> bool:
        """Whether it is a result's."""
        return bool(self._array.flags.writeable)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if dtype is not None and np.dtype(dtype) != self.dtype:
            return self._array.astype(dtype)
        return self._array.copy() if copy else self._array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


def buffer_callback(
    callback: Callable[..., None], result_shape_dtypes: Any, *, has_side_effect: bool = False,
    vmap_method: str | None = None, input_output_aliases: Mapping[int, int] | None = None,
    command_buffer_compatible: bool = False,
) -> Callable[..., Any]:
    """A function that calls one of the host, which writes its results in place.

    Args:
        callback: Takes an `ExecutionContext`, the results as a tree of `Buffer`, and the arguments as such trees.
        result_shape_dtypes: The results' shapes and element types: a tree of `ShapeDtypeStruct`, for example.
        has_side_effect: Whether it does something besides: the call is never left out.
        vmap_method: What `vmap` does, as of `olympus.pure_callback`.
        input_output_aliases: For numbers of flat arguments that of the flat result which has its content at first.
        command_buffer_compatible: Accepted.

    Returns:
        A function of arrays.

    Raises:
        ArgumentError: When an argument and its result differ in shape or element type, or there is none of a number.
        NotSupportedError: For a `vmap_method` that calls once for all, beside `has_side_effect`.

    Example:
        >>> import numpy as np, olympus, olympus.numpy as jnp
        >>> from olympus.experimental.buffer_callback import buffer_callback
        >>> def add_one(context, out, x):
        ...     np.asarray(out)[...] = np.asarray(x) + 1
        >>> x = jnp.arange(3)
        >>> print(olympus.jit(buffer_callback(add_one, olympus.ShapeDtypeStruct(x.shape, x.dtype)))(x))
        [1 2 3]
    """
    if not callable(callback):
        raise ArgumentError("buffer_callback", "a function is needed", described(callback), "a callable")
    if has_side_effect and vmap_method not in (None, "sequential"):
        raise NotSupportedError(f"vmap_method={vmap_method!r} of a buffer_callback with has_side_effect=True",
                                "it is called for one index after another", "Leave one of them out.")
    results, structure = tree.flatten(result_shape_dtypes)
    types = [(tuple(r.shape), canonical_dtype(r.dtype)) for r in results]
    aliases = dict(input_output_aliases or {})

    def call(*args: Any, **kwargs: Any) -> Any:
        avals = [aval_of(x) for x in tree.leaves((args, kwargs))]
        for i, o in aliases.items():
            if not (0 <= i < len(avals) and 0 <= o < len(types)) or (avals[i].shape, avals[i].dtype) != types[o]:
                raise ArgumentError("buffer_callback", "input_output_aliases names what is not there, or not alike",
                                    f"{i}: {o}", "an argument and a result of its shape and element type")

        def host(*args: Any, **kwargs: Any) -> Any:
            given = tree.map(np.asarray, (args, kwargs))
            flat = tree.leaves(given)
            mapped = [x.shape[:x.ndim - aval.ndim] for x, aval in zip(flat, avals, strict=True)]
            front = np.broadcast_shapes(*mapped)  # the dimensions that `vmap` maps
            written = [np.empty((*front, *shape), dtype) for shape, dtype in types]
            for i, o in aliases.items():
                written[o][...] = flat[i]
            buffers, named = tree.map(lambda x: Buffer(_read_only(x)), given)
            callback(ExecutionContext(), tree.unflatten(structure, [Buffer(x) for x in written]), *buffers, **named)
            return tree.unflatten(structure, written)

        if has_side_effect:
            return io_callback(host, result_shape_dtypes, *args, **kwargs)
        return pure_callback(host, result_shape_dtypes, *args, vmap_method=vmap_method, **kwargs)

    return call


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


__all__ = ["Buffer", "ExecutionContext", "buffer_callback"]
__dir__ = listed(__all__)
