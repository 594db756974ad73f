# SPDX-License-Identifier: Apache-2.0
"""References: arrays that are changed in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core.config import config
from olympus_core.deferred import listed
from olympus_core.errors import LeakedTracerError, NotSupportedError, ReferenceUseError

from .dynamic_slices import has_slices, opened, read, replaced
from .numpy.creation import asarray, zeros
from .numpy.dtypes import result_type
from .numpy.indexing_plan import parse
from .numpy.shapes import broadcast_to
from .operands import convert
from .tracing import Aval, Reference, aval_of, shown_dtype
from .tracing.tracebacks import entrance
from .typing import Array, ArrayLike

__all__ = ["AbstractRef", "Ref", "addupdate", "empty_ref", "free_ref", "freeze", "get", "new_ref", "set", "swap"]
__dir__ = listed(__all__)


class AbstractRef:
    """What is known of a reference.

    Args:
        inner_aval: What is known of its content.
        memory_space: Accepted for compatibility.
        kind: Accepted for compatibility.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.typeof(olympus.new_ref(jnp.ones(3)))
        Ref{float32[3]}
    """

    __slots__ = ("inner_aval",)

    def __init__(self, inner_aval: Aval, memory_space: Any = None, kind: Any = None) -> None:
        self.inner_aval = inner_aval

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.inner_aval.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return shown_dtype(self.inner_aval.dtype)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.inner_aval.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.inner_aval.size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbstractRef) and other.inner_aval == self.inner_aval

    def __hash__(self) -> int:
        return hash((AbstractRef, self.inner_aval))

    def __repr__(self) -> str:
        return f"Ref{{{self.inner_aval!r}}}"


class Ref(Reference):
    """An array that is changed in place: ``ref[index]`` reads, ``ref[index] = value`` writes.

    It is an argument of jitted functions, of `vmap` and `shard_map`, and may be used from outside by these, by loops
    and branches. A traced program carries its content as a value; a compiled one writes over it. Made by `new_ref`.

    Args:
        value: The first content.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> count = olympus.new_ref(0)
        >>> @olympus.jit
        ... def double(x):
        ...     count[...] += 1
        ...     return 2 * x
        >>> y = double(double(1.0))
        >>> count
        Ref(2, dtype=int32, weak_type=True)
    """

    __slots__ = ("__weakref__",)

    @property
    def aval(self) -> AbstractRef:
        """What is known of the reference."""
        return AbstractRef(self.content_aval)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.content_aval.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return shown_dtype(self.content_aval.dtype)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.content_aval.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.content_aval.size

    @property
    def sharding(self) -> Any:
        """Where the content is."""
        return self.read().sharding

    @property
    def committed(self) -> bool:
        """Whether the content has to stay on its devices."""
        return bool(self.read().committed)

    @property
    def format(self) -> Any:
        """The order of the content's elements, and where it is."""
        return self.read().format

    @property
    def at(self) -> _Views:
        """Parts of the reference: ``ref.at[index]`` is read and written as the reference is."""
        return _Views(self, ())

    def read(self) -> Any:
        """The content."""
        self.is_shared = True
        return super().read()

    def addupdate(self, index: Any, value: ArrayLike) -> None:
        """Adds to the elements that an index names.

        Args:
            index: The index.
            value: What is added.
        """
        self[index] += value

    @entrance
    def __getitem__(self, index: Any) -> Array:
        content = self.read()
        return _read(content, (index,))

    @entrance
    def __setitem__(self, index: Any, value: ArrayLike) -> None:
        _write(self, (index,), value)

    def __len__(self) -> int:
        return len(self.read())

    def __iter__(self) -> Any:
        return iter(self.read())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.read(), dtype=dtype)

    def __repr__(self) -> str:
        if self._is_freed:
            return "Ref(freed)"
        try:
            text = repr(self.read())
        except LeakedTracerError:
            return f"{self.aval!r} of a trace that has ended"
        return "Ref" + text.removeprefix("Array") if text.startswith("Array") else f"Ref({text})"


class _Views:
    """What ``ref.at`` gives.

    Args:
        reference: The reference.
        indices: The indices that lead to the part.
    """

    __slots__ = ("_indices", "_reference")

    def __init__(self, reference: Ref, indices: tuple[Any, ...]) -> None:
        self._reference, self._indices = reference, indices

    def __getitem__(self, index: Any) -> _View:
        return _View(self._reference, (*self._indices, index))


class _View:
    """A part of a reference.

    Args:
        reference: The reference.
        indices: The indices that lead to the part, each of the part before.
    """

    __slots__ = ("_indices", "_reference")

    def __init__(self, reference: Ref, indices: tuple[Any, ...]) -> None:
        self._reference, self._indices = reference, indices

    @property
    def at(self) -> _Views:
        """Parts of the part."""
        return _Views(self._reference, self._indices)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return tuple(self[...].shape)

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self._reference.dtype

    @entrance
    def __getitem__(self, index: Any) -> Array:
        return _read(self._reference.read(), (*self._indices, index))

    @entrance
    def __setitem__(self, index: Any, value: ArrayLike) -> None:
        _write(self._reference, (*self._indices, index), value)


def masked(ref: Any) -> Any:
    """A reference, or a part of one whose slices may reach outside, for those who mask what is there.

    Args:
        ref: The reference or part.
    """
    return _View(ref._reference, tuple(map(opened, ref._indices))) if isinstance(ref, _View) else ref


def _is_whole(index: Any) -> bool:
    return index is Ellipsis or index is None or isinstance(index, tuple) and not index


def _read(content: Any, indices: tuple[Any, ...]) -> Any:
    for index in indices:
        if has_slices(index):
            content = read(content, index)
        elif not _is_whole(index):
            if not config.check_static_indices:  # in references it is an error all the same
                parse(index, aval_of(content).shape, strict=True)
            content = content[index]
    return content


def _write(reference: Ref, indices: tuple[Any, ...], value: ArrayLike) -> None:
    """Replaces the elements that indices, one after the other, lead to."""
    content = reference.read()
    wanted, given = reference.content_aval.dtype, aval_of(value)
    if result_type(wanted, value) != wanted:
        raise ReferenceUseError("A reference is given elements of another type", f"{given!r} for {reference.aval!r}",
                                f"Convert the value with .astype({wanted.name!r}).")
    replaced = _replaced(content, indices, convert(value, wanted, function="Ref"))
    reference.write(convert(replaced, wanted, reference.content_aval.weak, "Ref"))
    reference.is_shared = reference.is_shared and _is_whole(indices[-1]) and len(indices) == 1


def _replaced(content: Any, indices: tuple[Any, ...], value: Any) -> Any:
    index, *rest = indices
    if has_slices(index):
        return replaced(content, index, lambda part, within: _replaced(part, (within, *rest), value))
    if rest:
        value = _replaced(_read(content, (index,)), tuple(rest), value)
    if not _is_whole(index):
        parse(index, aval_of(content).shape, strict=True)  # refuses what is outside
        return content.at[index].set(value)
    shape, given = aval_of(content).shape, aval_of(value).shape
    if len(given) > len(shape) or any(n not in (1, m) for n, m in zip(given[::-1], shape[::-1], strict=False)):
        raise ReferenceUseError("A reference is given a value of another shape", f"{list(given)} for {list(shape)}",
                                "Give one that broadcasts to the reference's shape.")
    return asarray(value) if shape == given else broadcast_to(value, shape)


@entrance
def new_ref(init_val: ArrayLike, *, memory_space: Any = None, kind: str | None = None) -> Ref:
    """A reference whose content is an array at first.

    Args:
        init_val: The array; it does not change when the reference does.
        memory_space: Must be None.
        kind: Accepted for compatibility.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> ref = olympus.new_ref(jnp.zeros(3))
        >>> ref[1] = 5.0
        >>> ref[1:] += 1
        >>> print(ref[...])
        [0. 6. 1.]
    """
    if memory_space is not None:
        raise NotSupportedError("new_ref with memory_space=", "references are where their content is",
                                "Place the array with olympus.device_put first.")
    return Ref(asarray(init_val))


def empty_ref(ty: Any, memory_space: Any = None) -> Ref:
    """A reference of a shape and element type; its content is zeros.

    Args:
        ty: An object with `shape` and `dtype`, such as `olympus.ShapeDtypeStruct`.
        memory_space: Must be None.

    Example:
        >>> import olympus
        >>> olympus.ref.empty_ref(olympus.ShapeDtypeStruct((2,), "int32"))
        Ref([0, 0], dtype=int32)
    """
    return new_ref(zeros(ty.shape, ty.dtype), memory_space=memory_space)


def freeze(ref: Ref) -> Array:
    """The last content of a reference, which cannot be used any more.

    Args:
        ref: The reference.

    Example:
        >>> import olympus
        >>> ref = olympus.new_ref(olympus.numpy.arange(3))
        >>> ref[0] = 7
        >>> olympus.freeze(ref)
        Array([7, 1, 2], dtype=int32)
    """
    found: Array = _given("freeze", ref).free()
    return found


def free_ref(ref: Ref) -> None:
    """Ends a reference: it cannot be used any more.

    Args:
        ref: The reference.

    Example:
        >>> import olympus
        >>> olympus.free_ref(olympus.new_ref(1.0))
    """
    _given("free_ref", ref).free()


def get(ref: Ref | _View, idx: Any = None) -> Array:
    """The elements of a reference that an index names.

    Args:
        ref: The reference, or a part of one.
        idx: The index; None for all.

    Example:
        >>> import olympus
        >>> print(olympus.ref.get(olympus.new_ref(olympus.numpy.arange(3)), 1))
        1
    """
    return _given("get", ref)[... if idx is None else idx]


def set(ref: Ref | _View, idx: Any, value: ArrayLike) -> None:  # the documents' name
    """Replaces the elements of a reference that an index names.

    Args:
        ref: The reference, or a part of one.
        idx: The index; None for all.
        value: What they become.

    Example:
        >>> import olympus
        >>> ref = olympus.new_ref(olympus.numpy.arange(3))
        >>> olympus.ref.set(ref, 0, 5)
        >>> ref
        Ref([5, 1, 2], dtype=int32)
    """
    _given("set", ref)[... if idx is None else idx] = value


def swap(ref: Ref | _View, idx: Any, value: ArrayLike) -> Array:
    """Replaces the elements of a reference that an index names, and gives those that were there.

    Args:
        ref: The reference, or a part of one.
        idx: The index; None for all.
        value: What they become.

    Example:
        >>> import olympus
        >>> ref = olympus.new_ref(olympus.numpy.arange(3))
        >>> print(olympus.ref.swap(ref, 2, 5), ref[2])
        2 5
    """
    before = get(_given("swap", ref), idx)
    set(ref, idx, value)
    return before


def addupdate(ref: Ref | _View, idx: Any, x: ArrayLike) -> None:
    """Adds to the elements of a reference that an index names.

    Args:
        ref: The reference, or a part of one.
        idx: The index; None for all.
        x: What is added.

    Example:
        >>> import olympus
        >>> ref = olympus.new_ref(olympus.numpy.arange(3))
        >>> olympus.ref.addupdate(ref, 0, 5)
        >>> ref
        Ref([5, 1, 2], dtype=int32)
    """
    _given("addupdate", ref)[... if idx is None else idx] += x


def _given(function: str, ref: Any) -> Any:
    if not isinstance(ref, (Ref, _View)):
        raise ReferenceUseError(f"{function} needs a reference", f"{type(ref).__name__}", "Make one with new_ref.")
    return ref
