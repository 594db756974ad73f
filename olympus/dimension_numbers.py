# SPDX-License-Identifier: Apache-2.0
"""How the dimensions of gathers, scatters and convolutions are told, and what happens to indices outside."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from olympus_core.dataclass import public_dataclass
from olympus_core.errors import ArgumentError, described

__all__ = ["ConvDimensionNumbers", "GatherDimensionNumbers", "GatherScatterMode", "ScatterDimensionNumbers"]


class GatherScatterMode(enum.Enum):
    """What happens to indices that lie outside.

    Example:
        >>> from olympus import lax
        >>> lax.GatherScatterMode.from_any("clip")
        <GatherScatterMode.CLIP: 1>
    """

    CLIP = 1
    FILL_OR_DROP = 2
    PROMISE_IN_BOUNDS = 3
    ONE_HOT = 4  # a way to do it, for which platforms here have their own: it means FILL_OR_DROP

    @classmethod
    def from_any(cls, mode: Any) -> GatherScatterMode:
        """The mode of a name; None stands for FILL_OR_DROP."""
        if isinstance(mode, cls):
            return mode
        names = {None: cls.FILL_OR_DROP, "fill": cls.FILL_OR_DROP, "drop": cls.FILL_OR_DROP, "clip": cls.CLIP,
                 "promise_in_bounds": cls.PROMISE_IN_BOUNDS, "one_hot": cls.ONE_HOT}
        if not isinstance(mode, (str, type(None))) or mode not in names:
            raise ArgumentError("mode", "is not known", described(mode),
                                "'clip', 'fill', 'drop', 'promise_in_bounds' or 'one_hot'")
        return names[mode]

    @property
    def clips(self) -> bool:
        """Whether indices outside are clamped; for indices promised inside that is cheaper than to drop them."""
        return self in (GatherScatterMode.CLIP, GatherScatterMode.PROMISE_IN_BOUNDS)


@public_dataclass(frozen=True, slots=True)
class GatherDimensionNumbers:
    """How the windows that `lax.gather` takes stand in its result.

    Attributes:
        offset_dims: The result's dimensions that lie inside a window.
        collapsed_slice_dims: The operand's dimensions in which a window has one index, left out of the result.
        start_index_map: The operand's dimension that each component of an index vector is about.
        operand_batching_dims: The operand's dimensions that run together with dimensions of the indices.
        start_indices_batching_dims: Those dimensions of the indices.
    """

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


@public_dataclass(frozen=True, slots=True)
class ScatterDimensionNumbers:
    """How the windows of updates of `lax.scatter` stand in its operand.

    Attributes:
        update_window_dims: The updates' dimensions that lie inside a window.
        inserted_window_dims: The operand's dimensions in which a window has one index, which the updates lack.
        scatter_dims_to_operand_dims: The operand's dimension that each component of an index vector is about.
        operand_batching_dims: The operand's dimensions that run together with dimensions of the indices.
        scatter_indices_batching_dims: Those dimensions of the indices.
    """

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    scatter_indices_batching_dims: tuple[int, ...] = ()


class ConvDimensionNumbers(NamedTuple):
    """Positions of the dimensions in a convolution: batch (or output features), features (or input's), spatial ones.

    Attributes:
        lhs_spec: The operand's.
        rhs_spec: The kernel's.
        out_spec: The result's.
    """

    lhs_spec: tuple[int, ...]
    rhs_spec: tuple[int, ...]
    out_spec: tuple[int, ...]

    def attributes(self, **of_space: Sequence[Any]) -> dict[str, Any]:
        """The layouts as the operation has them, and in its order what is said of each spatial dimension.

        The operation follows the order of the letters in the kernel's layout, these positions that of the specs.

        Args:
            **of_space: Values for the spatial dimensions, in the order of the specs.
        """
        order = sorted(range(len(self.rhs_spec) - 2), key=lambda i: self.rhs_spec[2 + i])
        found: dict[str, Any] = {name: tuple(values[i] for i in order) for name, values in of_space.items()}
        for side, first, spec in zip(("lhs", "rhs", "out"), ("NC", "OI", "NC"), self, strict=True):
            placed = dict(zip(spec, first + "".join(map(str, range(len(order)))), strict=True))
            found[f"{side}_layout"] = "".join(placed[d] for d in range(len(spec)))
        return found


def as_gather(
    scatter: Mapping[str, Any], x: Sequence[int], updates: Sequence[int], fill: Any,
) -> dict[str, Any]:
    """The attributes of a gather that takes windows from where a scatter puts them."""
    removed = {*scatter["inserted_window_dims"], *scatter["operand_batching_dims"]}
    window = iter(scatter["update_window_dims"])
    sizes = tuple(1 if d in removed else updates[next(window)] for d in range(len(x)))
    return {
        "offset_dims": scatter["update_window_dims"], "collapsed_slice_dims": scatter["inserted_window_dims"],
        "start_index_map": scatter["scatter_dims_to_operand_dims"],
        "operand_batching_dims": scatter["operand_batching_dims"],
        "indices_batching_dims": scatter["indices_batching_dims"], "slice_sizes": sizes,
        "mode": "clip" if scatter["mode"] == "clip" else "fill", "fill_value": fill,
    }
