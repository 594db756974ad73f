# SPDX-License-Identifier: Apache-2.0
"""Signatures of the functions that are made from tables, for type checkers: no module imports this when it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, overload

from .typing import Array, ArrayLike, DTypeLike, ShardingLike

Axis = int | str | Sequence[int | str] | None


class Unary(Protocol):
    """An elementwise function of one array."""

    def __call__(self, x: ArrayLike, /) -> Array: ...


class UnaryByName(Protocol):
    """An elementwise function of one array, which may be given by name."""

    def __call__(self, x: ArrayLike) -> Array: ...


class Approximated(Protocol):
    """An elementwise function of one array that takes how exact it is to be."""

    def __call__(self, x: ArrayLike, *, accuracy: Any = None) -> Array: ...


class Binary(Protocol):
    """An elementwise function of two arrays."""

    def __call__(self, x: ArrayLike, y: ArrayLike, /) -> Array: ...


class Universal(Protocol):
    """An elementwise function of two arrays that has the methods of `olympus.numpy.ufunc`."""

    nin: int
    nout: int
    nargs: int
    identity: Any

    def __call__(self, x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array: ...

    def reduce(
        self, a: ArrayLike, axis: int | Sequence[int] | None = 0, dtype: DTypeLike | None = None, out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None, where: ArrayLike | None = None,
    ) -> Array: ...

    def accumulate(
        self, a: ArrayLike, axis: int = 0, dtype: DTypeLike | None = None, out: None = None
    ) -> Array: ...

    def reduceat(
        self, a: ArrayLike, indices: Any, axis: int = 0, dtype: DTypeLike | None = None, out: None = None
    ) -> Array: ...

    def at(self, a: ArrayLike, indices: Any, b: ArrayLike | None = None, /, *, inplace: bool = True) -> Array: ...

    def outer(self, A: ArrayLike, B: ArrayLike, /) -> Array: ...


class Activation(Protocol):
    """`olympus.nn.relu` and other activations."""

    def __call__(self, x: ArrayLike) -> Array: ...


class LaxReduction(Protocol):
    """`olympus.lax.reduce_sum` and other reductions."""

    def __call__(self, operand: ArrayLike, axes: Sequence[int]) -> Array: ...


class LaxArgExtremum(Protocol):
    """`olympus.lax.argmax` and `argmin`."""

    def __call__(self, operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array: ...


class LaxCumulative(Protocol):
    """`olympus.lax.cumsum` and other cumulative reductions."""

    def __call__(self, operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Array: ...


class Sum(Protocol):
    """`olympus.numpy.sum` and `prod`."""

    def __call__(
        self, a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False,
        initial: ArrayLike | None = None, where: ArrayLike | None = None, promote_integers: bool = True,
    ) -> Array: ...


class FoldWithoutNan(Protocol):
    """`olympus.numpy.nansum` and `nanprod`."""

    def __call__(
        self, a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False,
        initial: ArrayLike | None = None, where: ArrayLike | None = None,
    ) -> Array: ...


class Extremum(Protocol):
    """`olympus.numpy.max` and `min`, and those without NaN."""

    def __call__(
        self, a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False,
        initial: ArrayLike | None = None, where: ArrayLike | None = None,
    ) -> Array: ...


class Test(Protocol):
    """`olympus.numpy.all` and `any`."""

    def __call__(
        self, a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False, *,
        where: ArrayLike | None = None,
    ) -> Array: ...


class ArgExtremum(Protocol):
    """`olympus.numpy.argmax`, `argmin`, and those without NaN."""

    def __call__(
        self, a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
    ) -> Array: ...


class Cumulative(Protocol):
    """`olympus.numpy.cumsum` and `cumprod`."""

    def __call__(
        self, a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
    ) -> Array: ...


class Moment(Protocol):
    """`olympus.numpy.nanvar` and `nanstd`."""

    def __call__(
        self, a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, ddof: ArrayLike = 0,
        keepdims: bool = False, where: ArrayLike | None = None, mean: ArrayLike | None = None,
    ) -> Array: ...


class Quantile(Protocol):
    """`olympus.numpy.quantile`, `percentile`, and those without NaN."""

    def __call__(
        self, a: ArrayLike, q: ArrayLike, axis: Any = None, out: None = None, overwrite_input: bool = False,
        method: str = "linear", keepdims: bool = False, *, weights: ArrayLike | None = None,
        out_sharding: ShardingLike | None = None,
    ) -> Array: ...


class Join(Protocol):
    """`olympus.numpy.vstack` and others."""

    def __call__(self, tup: Sequence[ArrayLike], dtype: DTypeLike | None = None) -> Array: ...


class Split(Protocol):
    """`olympus.numpy.vsplit` and others."""

    def __call__(self, ary: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[Array]: ...


class AtLeast(Protocol):
    """`olympus.numpy.atleast_1d` and others."""

    @overload
    def __call__(self, ary: ArrayLike, /) -> Array: ...
    @overload
    def __call__(self, *arys: ArrayLike) -> Any: ...


class Distribution(Protocol):
    """`olympus.random.exponential` and others."""

    def __call__(
        self, key: Any, shape: Sequence[int] = (), dtype: DTypeLike | None = None, *,
        out_sharding: ShardingLike | None = None,
    ) -> Array: ...
