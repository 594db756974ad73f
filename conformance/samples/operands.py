# SPDX-License-Identifier: Apache-2.0
"""What an element of a result was made of, for messages."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .instance import Instance

Index = tuple[int, ...]
_MOST_SHOWN = 48  # elements of one line


def operands_of(instance: Instance, index: Index) -> str:
    """The operands' elements that one element of the result is made of, as text; empty where nothing simple tells.

    Args:
        instance: The operation on its operands.
        index: The index of the element in the result.

    Example:
        >>> from olympus_core import ops
        >>> operands_of(Instance(ops.max, [np.float32([1, np.nan]), np.float32([2, 3])]), (1,))
        'nan, 3.0'
        >>> operands_of(Instance(ops.reduce_max, [np.float32([[1, 2], [np.nan, 3]])], {"dimensions": (1,)}), (1,))
        '[nan 3.0]'
    """
    return ", ".join(_parts(instance, index))


def _parts(instance: Instance, index: Index) -> Iterator[str]:
    category, attributes, operands = instance.record.category, instance.attributes, instance.operands
    if category == "elementwise":
        yield from (str(x[index]) for x in operands)
    elif category == "reduction" and "dimensions" in attributes:
        yield _line(operands[0], _kept(index, operands[0].ndim, tuple(attributes["dimensions"])))
    elif category == "reduction":
        yield _line(operands[0], _kept(index, operands[0].ndim, (attributes["dimension"],)))
    elif category == "cumulative" or "keys" in attributes or "k" in attributes:  # along one dimension
        place = attributes["dimension"]
        at = tuple(slice(None) if i == place else n for i, n in enumerate(index))
        yield from (_line(x, at) for x in operands)
    elif "lhs_contracting" in attributes:
        x, y = operands
        shared = len(attributes["lhs_batch"])
        left = _kept_of(x.ndim, attributes["lhs_batch"], attributes["lhs_contracting"])
        right = _kept_of(y.ndim, attributes["rhs_batch"], attributes["rhs_contracting"])
        middle = shared + len(left)
        yield _line(x, _at(x.ndim, (*attributes["lhs_batch"], *left), index[:middle]))
        yield _line(y, _at(y.ndim, (*attributes["rhs_batch"], *right), (*index[:shared], *index[middle:])))
    elif "scatter_dims_to_operand_dims" in attributes:
        array, places, updates = operands
        yield str(array[index])
        if array.ndim == updates.ndim == 1 and places.shape == (updates.size, 1):
            yield _line(updates, (places[:, 0] == index[0],))
    elif "lhs_layout" in attributes:
        batch, feature = (index[attributes["out_layout"].index(letter)] for letter in "NC")
        if attributes["batch_groups"] == 1:
            yield _line(operands[0], _at(len(index), (attributes["lhs_layout"].index("N"),), (batch,)))
        yield _line(operands[1], _at(len(index), (attributes["rhs_layout"].index("O"),), (feature,)))


def _kept(index: Index, ndim: int, reduced: tuple[int, ...]) -> tuple[int | slice, ...]:
    rest = iter(index)
    return tuple(slice(None) if i in reduced else next(rest) for i in range(ndim))


def _kept_of(ndim: int, batch: tuple[int, ...], contracting: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(i for i in range(ndim) if i not in batch and i not in contracting)


def _at(ndim: int, dimensions: tuple[int, ...], index: Index) -> tuple[int | slice, ...]:
    found = dict(zip(dimensions, index, strict=True))
    return tuple(found.get(i, slice(None)) for i in range(ndim))


def _line(x: np.ndarray, at: tuple[int | slice | np.ndarray, ...]) -> str:
    elements = np.asarray(x[at]).reshape(-1)
    text = " ".join(map(str, elements[:_MOST_SHOWN]))
    return f"[{text}{' ...' if elements.size > _MOST_SHOWN else ''}]"
