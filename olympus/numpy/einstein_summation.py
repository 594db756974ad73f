# SPDX-License-Identifier: Apache-2.0
"""`einsum`: products and sums written with an index letter for each dimension."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, described

from .. import lax
from ..operands import convert, dtype_of, element_type, shape_of
from ..tracing import aval_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .diagonals import _diagonal
from .linear import _operands, multiplied
from .promotion import promote_types_of
from .reductions import sum as numpy_sum

__all__ = ["einsum", "einsum_path"]

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def einsum(
    subscripts: Any, /, *operands: Any, out: None = None, optimize: Any = "auto", precision: Any = None,
    preferred_element_type: DTypeLike | None = None, _dot_general: Any = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Products and sums over dimensions named by letters (Einstein's convention).

    Args:
        subscripts: Such as ``"ij,jk->ik"``: the letters of each operand's dimensions, and of the result's; letters that
            the result lacks are summed over; ``...`` stands for dimensions that are broadcast.
        *operands: The arrays.
        out: Not used: arrays never change.
        optimize: The order of contractions: ``"optimal"``, ``"greedy"``, True or ``"auto"`` for one of them, False for
            left to right.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.
        _dot_general: The function that multiplies two operands, called as `lax.dot_general` is; that one for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The result.

    Raises:
        ArgumentError: If the letters do not fit the operands.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.einsum("ij,kj->ik", jnp.ones((2, 3)), jnp.ones((4, 3))).shape
        (2, 4)
    """
    if not isinstance(subscripts, str):
        subscripts, operands = _from_lists(subscripts, *operands)
    inputs, output = parse(subscripts, [shape_of(x) for x in operands])
    sizes = _sizes(subscripts, inputs, operands)
    path = _path(inputs, output, sizes, optimize)
    dtype = None if preferred_element_type is None else element_type("einsum", preferred_element_type)
    if _dot_general is not None and _dot_general is not lax.dot_general:
        # Not kept as compiled: the function may use traced values of its own.
        run: Any = functools.partial(_contract, multiply=_dot_general)
        return lax.structure.scoped(out_sharding, functools.partial(
            run, inputs=inputs, output=output, path=path, dtype=dtype, precision=precision), *operands)
    run = _contracted if out_sharding is None else functools.partial(_contracted_in, out_sharding=out_sharding)
    return run(*operands, inputs=inputs, output=output, path=path, dtype=dtype, precision=precision)


def _from_lists(*arguments: Any) -> tuple[str, tuple[Any, ...]]:
    """The form in which each operand is followed by a list of labels for its dimensions: numbers, texts or others."""
    count = len(arguments) // 2
    lists = [list(arguments[2 * i + 1]) for i in range(count)] + ([list(arguments[-1])] if len(arguments) % 2 else [])
    labels = list(dict.fromkeys(label for given in lists for label in given if label is not Ellipsis))
    with suppress(TypeError):  # letters in the order of the labels, where they have one, as the result's dimensions
        labels.sort()
    if len(labels) > len(_LETTERS):
        raise ArgumentError("einsum", "there are too many labels", len(labels), f"at most {len(_LETTERS)}")
    letters = dict(zip(labels, _LETTERS, strict=False))
    words = ["".join("..." if label is Ellipsis else letters[label] for label in given) for given in lists]
    text = ",".join(words[:count]) + ("->" + words[-1] if len(arguments) % 2 else "")
    return text, tuple(arguments[2 * i] for i in range(count))


def parse(subscripts: str, shapes: Sequence[tuple[int, ...]]) -> tuple[tuple[str, ...], str]:
    """The letters of the operands and of the result, ``...`` replaced by letters."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    words = left.split(",")
    if len(words) != len(shapes):
        raise ArgumentError("einsum", "operands and subscripts differ in number",
                            f"{subscripts!r} for {len(shapes)} operands",
                            f"{len(words)} operands")
    spare = [c for c in _LETTERS if c not in text]
    named = [len(word.replace("...", "")) for word in words]
    dots = [len(s) - n for word, n, s in zip(words, named, shapes, strict=True) if "..." in word]
    broadcasts = "".join(spare[:max(dots, default=0)])
    inputs = []
    for word, shape in zip(words, shapes, strict=True):
        count = len(shape) - len(word.replace("...", ""))
        letters = word.replace("...", broadcasts[len(broadcasts) - count:] if count else "") if "..." in word else word
        if count < 0 or len(letters) != len(shape) or not all(c.isalnum() for c in letters):
            raise ArgumentError("einsum", f"the subscripts {word!r} do not fit an operand", f"shape {shape}",
                                f"a letter for each of its {len(shape)} dimensions")
        inputs.append(letters)
    everything = "".join(inputs)
    if arrow:
        output = right.replace("...", broadcasts)
    else:
        output = broadcasts + "".join(sorted(c for c in set(everything) - set(broadcasts) if everything.count(c) == 1))
    if len(set(output)) != len(output) or not set(output) <= set(everything):
        raise ArgumentError("einsum", f"the result's subscripts {right!r} do not fit", subscripts,
                            "letters of the operands, each once")
    # Digits and other alphabets: from here on they are letters, which NumPy's search for a path knows.
    others = sorted(set(everything) - set(_LETTERS))
    free = [c for c in _LETTERS if c not in everything]
    if len(others) > len(free):
        raise ArgumentError("einsum", "there are too many subscripts", subscripts, f"at most {len(_LETTERS)}")
    table = str.maketrans(dict(zip(others, free, strict=False)))
    return tuple(word.translate(table) for word in inputs), output.translate(table)


def _sizes(subscripts: str, inputs: Sequence[str], operands: Sequence[Any]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for word, x in zip(inputs, operands, strict=True):
        for letter, n in zip(word, shape_of(x), strict=True):
            known = sizes.setdefault(letter, n)
            if known != n and 1 not in (known, n):
                raise ArgumentError("einsum", f"dimension {letter!r} has different sizes",
                                    f"{known} and {n} in {subscripts!r}", "equal sizes")
            sizes[letter] = n if known == 1 else known
    return sizes


def _path(inputs: Sequence[str], output: str, sizes: dict[str, int], optimize: Any) -> tuple[tuple[int, ...], ...]:
    """Which operands to contract, one step after another."""
    if len(inputs) <= 2 or optimize is False:
        return tuple((0, 1) for _ in range(max(len(inputs) - 1, 1))) if len(inputs) > 1 else ((0,),)
    if isinstance(optimize, (list, tuple)) and all(isinstance(step, tuple) for step in optimize):
        return tuple(optimize)
    dummies = [np.broadcast_to(np.zeros(()), tuple(sizes[c] for c in word)) for word in inputs]
    method = "optimal" if optimize in ("auto", "optimal", True) and len(inputs) <= 5 else "greedy"
    path, _ = np.einsum_path(",".join(inputs) + "->" + output, *dummies, optimize=method)
    return tuple(tuple(step) for step in path[1:])


def _contract(
    *operands: ArrayLike, inputs: tuple[str, ...], output: str, path: tuple[tuple[int, ...], ...],
    dtype: np.dtype | None, precision: Any, multiply: Callable[..., Any] | None = None,
) -> Any:
    arrays, weak = promote_types_of("einsum", *operands)
    if dtype is not None:
        arrays = [_operands("einsum", x, x, dtype)[0] for x in arrays]
    terms = list(zip(arrays, inputs, strict=True))
    for step in path:
        chosen = [terms[i] for i in step]
        terms = [t for i, t in enumerate(terms) if i not in step]
        kept = set(output).union(*(word for _, word in terms))
        result = chosen[0]
        for other in chosen[1:]:
            later = kept.union(*(word for _, word in chosen[2:]))
            left, right = _simplified(result, later | set(other[1])), _simplified(other, later | set(result[1]))
            result = _pair(left, right, later, dtype, precision, multiply)
        terms.append(_simplified(result, kept))
    (found, letters), = terms
    missing = [c for c in output if c not in letters]
    found = lax.transpose(found, [letters.index(c) for c in output if c in letters])
    if missing:  # dimensions of size one that were left out
        found = lax.reshape(found, tuple(1 if c in missing else shape_of(found)[
            [d for d in output if d not in missing].index(c)] for c in output))
    return convert(found, dtype_of(found) if dtype is None else dtype, weak and dtype is None)


_contracted = api(_contract, static=("inputs", "output", "path", "dtype", "precision"))


@api(static=("inputs", "output", "path", "dtype", "precision", "out_sharding"))
def _contracted_in(*operands: ArrayLike, out_sharding: ShardingLike | None, **how: Any) -> Any:
    return lax.structure.scoped(out_sharding, functools.partial(_contracted, **how), *operands)


def _simplified(term: tuple[Any, str], kept: set[str]) -> tuple[Any, str]:
    """Takes diagonals of repeated letters, and sums over letters that no other operand has."""
    x, word = term
    while len(set(word)) < len(word):
        letter = next(c for c in word if word.count(c) > 1)
        first, second = [i for i, c in enumerate(word) if c == letter][:2]
        x = _diagonal(x, offset=0, axis1=first, axis2=second)
        word = "".join(c for i, c in enumerate(word) if i not in (first, second)) + letter
    gone = tuple(i for i, c in enumerate(word) if c not in kept)
    if gone:
        x = numpy_sum(x, axis=gone, dtype=dtype_of(x)) if not aval_of(x).dtype == np.bool_ else lax.reduce_or(x, gone)
        word = "".join(c for i, c in enumerate(word) if i not in gone)
    return x, word


def _pair(
    left: tuple[Any, str], right: tuple[Any, str], kept: set[str], dtype: np.dtype | None, precision: Any,
    multiply: Callable[..., Any] | None,
) -> tuple[Any, str]:
    """The product of two terms, summed over the letters that only they have."""
    (x, p), (y, q) = _without_ones(left, right), _without_ones(right, left)
    if dtype is not None and dtype_of(x) != dtype_of(y):  # one is a product, which has the wanted type
        x, y = convert(x, dtype), convert(y, dtype)
    shared = [c for c in p if c in q]
    summed = [c for c in shared if c not in kept]
    batch = [c for c in shared if c in kept]
    contracting = tuple(p.index(c) for c in summed), tuple(q.index(c) for c in summed)
    batched = tuple(p.index(c) for c in batch), tuple(q.index(c) for c in batch)
    if multiply is not None:
        found = multiply(x, y, (contracting, batched), precision,
                         preferred_element_type=dtype_of(x) if dtype is None else dtype)
    else:
        wanted = dtype if dtype != dtype_of(x) else None
        found = multiplied(x, y, contracting, batched, wanted, False, precision, "einsum")
    rest = [c for c in p if c not in shared], [c for c in q if c not in shared]
    return found, "".join([*batch, *rest[0], *rest[1]])


def _without_ones(term: tuple[Any, str], other: tuple[Any, str]) -> tuple[Any, str]:
    """The term without dimensions of size one that the other term fills."""
    x, word = term
    sizes = dict(zip(other[1], shape_of(other[0]), strict=True))
    ones = [i for i, (c, n) in enumerate(zip(word, shape_of(x), strict=True)) if n == 1 and sizes.get(c, 1) != 1]
    if not ones:
        return term
    return lax.squeeze(x, ones), "".join(c for i, c in enumerate(word) if i not in ones)


def einsum_path(subscripts: str, /, *operands: Any, optimize: Any = "auto") -> tuple[list[Any], str]:
    """The order in which `einsum` contracts its operands.

    Args:
        subscripts: As in `einsum`.
        *operands: The arrays, or anything with a shape.
        optimize: As in `einsum`.

    Returns:
        The steps, and a description.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.einsum_path("ij,jk->ik", jnp.ones((2, 3)), jnp.ones((3, 2)))[0]
        ['einsum_path', (0, 1)]
    """
    dummies = [np.broadcast_to(np.zeros(()), shape_of(x)) for x in operands]
    try:
        return np.einsum_path(subscripts, *dummies, optimize="greedy" if optimize == "auto" else optimize)
    except (TypeError, ValueError, KeyError, IndexError) as error:
        shapes = ", ".join(str(shape_of(x)) for x in operands)
        given = f"{described(subscripts)} for shapes {shapes}, optimize={described(optimize)}"
        raise ArgumentError("einsum_path", f"NumPy finds no order ({error})", given,
                            "subscripts such as 'ij,jk->ik', one for each operand") from error
