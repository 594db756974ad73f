# SPDX-License-Identifier: Apache-2.0
"""Random programs of all operations that fusion knows, from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value

_SHAPES = [(), (6,), (4, 6), (6, 4), (2, 3, 4), (24,), (3, 8), (4, 1), (1, 6)]
_TYPES = [dtypes.float32, dtypes.float32, dtypes.float32, dtypes.int32, dtypes.bool_]


class RandomProgram:
    """A program and inputs for it.

    Args:
        seed: What it is made from.
        length: Number of operations to try.
    """

    def __init__(self, seed: int, length: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.builder = ProgramBuilder("random")
        self.values: list[Value] = []
        self.inputs: list[np.ndarray] = []
        for _ in range(int(self.rng.integers(1, 4))):
            shape, dtype = self.pick(_SHAPES), self.pick(_TYPES)
            x = self.rng.integers(0, 2 if dtypes.is_bool(dtype) else 5, shape).astype(dtype)
            self.inputs.append(x)
            self.values.append(self.builder.input(ArrayType(shape, dtype)))
        for _ in range(length):
            self.step()
        count = min(len(self.values), int(self.rng.integers(1, 4)))
        outputs = [self.pick(self.values[-6:]) for _ in range(count)]
        self.program: Program = self.builder.finish(outputs)

    def pick(self, choices: Any) -> Any:
        """One of several."""
        return choices[int(self.rng.integers(len(choices)))]

    def emit(self, record: Any, *operands: Value, **attributes: Any) -> Value:
        """An operation; all its results can be picked later."""
        results = self.builder.emit(record, operands, attributes)
        self.values += [v for v in results if v.type.size]
        return results[0]

    def fitting(self, x: Value) -> Value:
        """A value of the same type."""
        others = [v for v in self.values if v.type is x.type]
        if len(others) > 1 and self.rng.random() < 0.7:
            return self.pick(others)
        same = [v for v in self.values if v.type.dtype == x.type.dtype and _spreads(v.type.shape, x.type.shape)]
        y = self.pick(same)
        return y if y.type is x.type else self.spread(y, x.type.shape)

    def spread(self, y: Value, shape: tuple[int, ...]) -> Value:
        """A value broadcast to a shape whose last dimensions it has."""
        first = len(shape) - y.type.ndim
        return self.emit(ops.broadcast_in_dim, y, shape=shape, dimensions=tuple(range(first, len(shape))))

    def step(self) -> None:
        """One more operation, or several that belong together."""
        x = self.pick(self.values[-8:])
        getattr(self, f"_{self.pick(['compute', 'compute', 'compute', 'move', 'move', 'reduce', 'index', 'rows'])}")(x)

    def _compute(self, x: Value) -> None:
        dtype = x.type.dtype
        if dtypes.is_bool(dtype):
            self.emit(ops.select, x, *(self.fitting(self.emit(ops.convert, x, dtype=dtypes.float32)) for _ in "ab"))
        elif dtypes.is_integer(dtype):
            self.emit(self.pick([ops.add, ops.max, ops.xor, ops.lt, ops.eq]), x, self.fitting(x))
        elif self.rng.random() < 0.5:
            self.emit(self.pick([ops.sin, ops.tanh, ops.neg, ops.abs, ops.logistic]), x)
        else:
            self.emit(self.pick([ops.add, ops.sub, ops.max, ops.min, ops.lt, ops.add]), x, self.fitting(x))

    def _move(self, x: Value) -> None:
        shape, ndim = x.type.shape, x.type.ndim
        kind = self.pick(["reshape", "transpose", "slice", "pad", "reverse", "concatenate", "spread", "iota"])
        if kind == "reshape":
            self.emit(ops.reshape, x, shape=self.pick([s for s in _SHAPES if np.prod(s) == x.type.size] or [shape]))
        elif kind == "transpose":
            self.emit(ops.transpose, x, permutation=tuple(int(d) for d in self.rng.permutation(ndim)))
        elif kind == "slice":
            starts = tuple(int(self.rng.integers(0, n)) for n in shape)
            strides = tuple(int(self.rng.integers(1, 3)) for n in shape)
            self.emit(ops.slice, x, starts=starts, limits=shape, strides=strides)
        elif kind == "pad":
            value = self.builder.emit(ops.constant, [], {"value": np.ones((), x.type.dtype)})[0]
            amounts = {k: tuple(int(self.rng.integers(0, 2)) for _ in shape) for k in ("low", "high", "interior")}
            self.emit(ops.pad, x, value, **amounts)
        elif kind == "reverse" and ndim:
            self.emit(ops.reverse, x, dimensions=(int(self.rng.integers(ndim)),))
        elif kind == "concatenate" and ndim:
            self.emit(ops.concatenate, x, self.fitting(x), dimension=int(self.rng.integers(ndim)))
        elif kind == "spread" and x.type.size < 100:
            self.spread(x, (2, *shape))
        elif ndim and not dtypes.is_bool(x.type.dtype):
            self.emit(ops.iota, shape=shape, dtype=x.type.dtype, dimension=int(self.rng.integers(ndim)))

    def _reduce(self, x: Value) -> None:
        dimensions = tuple(d for d in range(x.type.ndim) if self.rng.random() < 0.5)
        if x.type.ndim and not dtypes.is_bool(x.type.dtype) and self.rng.random() < 0.3:
            dimension = int(self.rng.integers(x.type.ndim))
            if self.rng.random() < 0.5:
                self.emit(self.pick([ops.argmax, ops.argmin]), x, dimension=dimension, dtype=dtypes.int32)
            else:
                reverse = bool(self.rng.random() < 0.5)
                self.emit(self.pick([ops.cumsum, ops.cummax]), x, dimension=dimension, reverse=reverse)
        elif dtypes.is_bool(x.type.dtype):
            self.emit(ops.reduce_or, x, dimensions=dimensions)
        else:
            self.emit(self.pick([ops.reduce_sum, ops.reduce_max, ops.reduce_min]), x, dimensions=dimensions)

    def _rows(self, x: Value) -> None:
        """A value combined with its own reduction, as normalisations do."""
        if dtypes.is_bool(x.type.dtype) or not x.type.ndim:
            return
        gone = int(self.rng.integers(x.type.ndim))
        total = self.emit(self.pick([ops.reduce_sum, ops.reduce_max]), x, dimensions=(gone,))
        kept = tuple(d for d in range(x.type.ndim) if d != gone)
        back = self.emit(ops.broadcast_in_dim, total, shape=x.type.shape, dimensions=kept)
        y = self.emit(ops.sub, x, back)
        if dtypes.is_float(y.type.dtype):
            self.emit(ops.tanh, y)

    def _index(self, x: Value) -> None:
        shape, ndim = x.type.shape, x.type.ndim
        numbers = [v for v in self.values if v.type.dtype == dtypes.int32 and v.type.ndim]
        starts = [self.pick([v for v in self.values if v.type.dtype == dtypes.int32 and not v.type.ndim] or [None])
                  for _ in shape]
        if not ndim:
            return
        if all(s is not None for s in starts) and self.rng.random() < 0.6:
            sizes = tuple(int(self.rng.integers(1, n + 1)) for n in shape)
            part = self.emit(ops.dynamic_slice, x, *starts, sizes=sizes)
            self.emit(ops.dynamic_update_slice, x, part, *starts[::-1])
        elif numbers:
            picked = self.pick(numbers)
            indices = self.emit(ops.reshape, picked, shape=(*picked.type.shape, 1))
            attributes = {"operand_batching_dims": (), "indices_batching_dims": ()}
            windows = tuple(range(picked.type.ndim, picked.type.ndim + ndim - 1))
            if picked.type.size * x.type.size > 2000:
                return
            rows = self.emit(
                ops.gather, x, indices, offset_dims=windows, collapsed_slice_dims=(0,), start_index_map=(0,),
                slice_sizes=(1, *shape[1:]), mode=self.pick(["clip", "fill"]), fill_value=0, **attributes)
            if not dtypes.is_bool(x.type.dtype):
                self.emit(
                    ops.scatter, x, indices, rows, update_window_dims=windows, inserted_window_dims=(0,),
                    scatter_dims_to_operand_dims=(0,), combine=self.pick(["add", "max"]), mode="drop", **attributes)


def _spreads(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    return len(small) <= len(large) and large[len(large) - len(small):] == small
