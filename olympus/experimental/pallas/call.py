# SPDX-License-Identifier: Apache-2.0
"""`pallas_call`: a kernel that reads and writes references, for each step of a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from ... import lax, tree
from ...numpy.creation import asarray, full
from ...numpy.padding import pad
from ...operands import convert, element_type, integer, shape_argument
from ...ref import Ref, new_ref
from ...tracing import aval_of
from ...tracing.aval import shown_dtype
from ...tracing.tracebacks import entrance
from ...transforms.jit import jit
from ...transforms.prefix import spread
from .grid import Step, sizes_of, use_step
from .specs import Blocks, BlockSpec, CostEstimate, GridSpec, blocks_of, no_block_spec


def pallas_call(
    kernel: Callable[..., None], out_shape: Any, *, grid_spec: GridSpec | None = None, grid: Any = (),
    in_specs: Any = no_block_spec, out_specs: Any = no_block_spec, scratch_shapes: Any = (),
    input_output_aliases: Mapping[int, int] | None = None, debug: bool = False, interpret: Any = False,
    name: str | None = None, compiler_params: Any = None, cost_estimate: CostEstimate | None = None,
    metadata: Mapping[str, str] | None = None,
) -> Callable[..., Any]:
    """A function that runs a kernel, which reads and writes references to blocks of its operands, on a grid.

    The steps run one after the other, the last dimension of the grid fastest, as turns of a loop in one compiled
    program, on every platform. What a step writes, later ones see: in results, and in scratch. Before the first step
    results and scratch hold NaN, or the least integer. Blocks that reach over an array's end hold the same there, and
    what is written there is dropped.

    Args:
        kernel: A function of references: to the arguments' blocks, then the results', then scratch. It gives None.
        out_shape: What the results are like: objects with `shape` and `dtype`, one, or in a container; those of a list
            come in a tuple.
        grid_spec: The grid and the specs, in one.
        grid: The number of steps along each dimension; the kernel runs once for none.
        in_specs: How each argument is cut into blocks: a `BlockSpec`, or a tree prefix of such.
        out_specs: The same for results.
        scratch_shapes: What further references hold: objects with `shape` and `dtype`, in a list, or in a dictionary
            for those that the kernel takes by name.
        input_output_aliases: Which argument (by its position, flat) is what a result (by its position) holds at first.
        debug: Accepted for compatibility.
        interpret: Likewise: kernels run the same way with it and without.
        name: The kernel's name; its function's for None.
        compiler_params: Accepted for compatibility.
        cost_estimate: Likewise.
        metadata: Likewise.

    Returns:
        A function of arrays.

    Raises:
        ArgumentError: Specs, aliases or the kernel's result do not fit.
        NotSupportedError: A block of a kind that has no fixed size.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> def scale(x_ref, o_ref):
        ...     o_ref[...] = x_ref[...] * (pl.program_id(0) + 1)
        >>> rows = pl.BlockSpec((1, 3), lambda i: (i, 0))
        >>> f = pl.pallas_call(scale, olympus.ShapeDtypeStruct((2, 3), jnp.int32), grid=(2,), in_specs=[rows],
        ...                    out_specs=rows)
        >>> print(f(jnp.ones((2, 3), jnp.int32)))
        [[1 1 1]
         [2 2 2]]
    """
    if grid_spec is not None:
        if grid != () or in_specs is not no_block_spec or out_specs is not no_block_spec or scratch_shapes != ():
            raise ArgumentError("pallas_call", "the grid or specs are given twice", "grid_spec and others", "one way")
        grid, in_specs, out_specs = grid_spec.grid, grid_spec.in_specs, grid_spec.out_specs
        scratch_shapes = grid_spec.scratch_shapes
    if not callable(kernel):
        raise ArgumentError("pallas_call", "the kernel is not a function", described(kernel), "a function")
    call = _Call(kernel, out_shape, sizes_of(grid), in_specs, out_specs, scratch_shapes,
                 dict(input_output_aliases or {}))

    def run(*args: Any) -> Any:
        return call(args)

    run.__name__ = name or str(getattr(kernel, "__name__", "kernel"))
    return jit(run)


class _Call:
    """A kernel with all that is known of it before its arguments are."""

    def __init__(
        self, kernel: Callable[..., None], out_shape: Any, grid: tuple[Any, ...], in_specs: Any, out_specs: Any,
        scratch_shapes: Any, aliases: dict[int, int],
    ) -> None:
        self.kernel, self.grid, self.in_specs, self.aliases = kernel, grid, in_specs, aliases
        out_shape = tuple(out_shape) if isinstance(out_shape, list) else out_shape
        self.is_single = not isinstance(out_shape, tuple)
        flat, self.out_tree = tree.flatten(out_shape)
        self.results = [_shaped("out_shape", x) for x in flat]
        specs = _specs("out_specs", out_specs, out_shape)
        self.out_blocks = [blocks_of(spec, shape, f"result {i}", len(grid))
                           for i, (spec, (shape, _)) in enumerate(zip(specs, self.results, strict=True))]
        scratch, self.scratch_tree = tree.flatten(scratch_shapes, is_leaf=_has_shape)
        self.scratch = [_shaped("scratch_shapes", x) for x in scratch]

    @entrance
    def __call__(self, args: tuple[Any, ...]) -> Any:
        leaves, structure = tree.flatten(args)
        arrays = [_strong(x) for x in leaves]
        specs = _specs("in_specs", self.in_specs, args)
        in_blocks = [blocks_of(spec, aval_of(x).shape, f"argument {i}", len(self.grid))
                     for i, (spec, x) in enumerate(zip(specs, arrays, strict=True))]
        first = [_unset(shape, dtype) for shape, dtype in self.results]
        for given, result in self.aliases.items():
            target = self._result_of(given, result, arrays)
            first[target] = arrays[given]
        blocks = [*in_blocks, *self.out_blocks]
        whole = [new_ref(_padded(x, b)) for x, b in zip([*arrays, *first], blocks, strict=True)]
        scratch = [new_ref(_unset(shape, dtype)) for shape, dtype in self.scratch]

        def step(indices: Sequence[Any]) -> None:
            with use_step(Step(tuple(indices), self.grid)):
                places = [b.starts(indices) for b in blocks]
                seen = [_block(ref, b, place) for ref, b, place in zip(whole, blocks, places, strict=True)]
                before = [ref._value for ref in seen]
                self._run(seen, structure, scratch)
                for ref, block, place, own, old in zip(whole, blocks, places, seen, before, strict=True):
                    if own is not ref and own._value is not old:
                        _put(ref, block, place, own)

        self._over_grid(step)
        found = [_cut(ref.read(), block, shape) for ref, block, (shape, _) in zip(
            whole[len(arrays):], self.out_blocks, self.results, strict=True)]
        return tree.unflatten(self.out_tree, found)

    def _over_grid(self, step: Callable[[Sequence[Any]], None]) -> None:
        """Runs a function for all indices of the grid, the last dimension fastest."""
        if all(isinstance(n, int) and n == 1 for n in self.grid):
            step([np.int32(0)] * len(self.grid))
            return
        if len(self.grid) == 1:
            def single(index: Any, carry: Any) -> Any:
                step([index])
                return carry

            lax.fori_loop(0, self.grid[0], single, np.int32(0))
            return

        def turn(number: Any, carry: Any) -> Any:
            indices: list[Any] = []
            for size in reversed(self.grid):
                number, index = lax.div(number, np.int32(size)), lax.rem(number, np.int32(size))
                indices.insert(0, index)
            step(indices)
            return carry

        lax.fori_loop(0, math.prod(self.grid), turn, np.int32(0))

    def _run(self, seen: Sequence[Ref], structure: Any, scratch: Sequence[Ref]) -> None:
        """One step of the kernel."""
        args = tree.unflatten(structure, seen[:structure.num_leaves])
        results = tree.unflatten(self.out_tree, seen[structure.num_leaves:])
        further = tree.unflatten(self.scratch_tree, scratch)
        named = further if isinstance(further, dict) else {}
        others = () if named else tuple(further) if isinstance(further, (tuple, list)) else (further,)
        given = self.kernel(*args, *((results,) if self.is_single else results), *others, **named)
        if given is not None:
            raise ArgumentError("pallas_call", "the kernel gives a result", described(given), "None",
                                "Write results to the references that the kernel is given for them.")

    def _result_of(self, given: Any, result: Any, arrays: Sequence[Any]) -> int:
        """The position of the result that is an argument at first."""
        source = integer("input_output_aliases", given, "an argument")
        target = integer("input_output_aliases", result, "a result")
        if not 0 <= source < len(arrays) or not 0 <= target < len(self.results):
            raise ArgumentError("pallas_call", "an alias names what is not there", {given: result},
                                f"one of {len(arrays)} arguments, and of {len(self.results)} results")
        aval, (shape, dtype) = aval_of(arrays[source]), self.results[target]
        if aval.shape != shape or aval.dtype != dtype:
            raise ArgumentError("pallas_call", f"argument {source} is not like result {target}, which is to be it",
                                repr(aval), f"{shown_dtype(dtype)}{list(shape)}")
        return target


def _has_shape(x: Any) -> bool:
    return hasattr(x, "shape") and hasattr(x, "dtype")


def _shaped(what: str, x: Any) -> tuple[tuple[int, ...], np.dtype]:
    if not _has_shape(x):
        raise ArgumentError("pallas_call", f"an entry of {what} has no shape and element type", described(x),
                            "such as olympus.ShapeDtypeStruct((8, 128), olympus.numpy.float32)")
    return shape_argument("pallas_call", tuple(x.shape)), element_type("pallas_call", x.dtype, is_told=False)


def _specs(what: str, given: Any, values: Any) -> list[Any]:
    """The spec of each leaf."""
    if given is no_block_spec or given is None:
        return [no_block_spec] * len(tree.leaves(values))
    if isinstance(given, list) and isinstance(values, tuple):
        given = tuple(given)
    elif isinstance(given, tuple) and isinstance(values, list):
        given = list(given)
    return spread("pallas_call", what, given, values, _is_spec, "a BlockSpec")


def _is_spec(x: Any) -> bool:
    return x is None or x is no_block_spec or isinstance(x, BlockSpec)


def _strong(x: Any) -> Any:
    found = asarray(x)
    return convert(found, aval_of(found).dtype)


def _unset(shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """What results hold before something is written: as far as the type has such a value, one that is seen as wrong."""
    return full(shape, _unset_value(dtype), dtype)


def _unset_value(dtype: np.dtype) -> Any:
    if dtypes.is_bool(dtype):
        return False
    return dtypes.limits(dtype).min if dtypes.is_integer(dtype) else np.nan


def _padded(x: Any, block: Blocks) -> Any:
    aval = aval_of(x)
    if not any(n for pair in block.padding for n in pair):
        return x
    return pad(x, block.padding, constant_values=np.asarray(_unset_value(aval.dtype), aval.dtype))


def _cut(x: Any, block: Blocks, shape: tuple[int, ...]) -> Any:
    """What belongs to the array of a padded one."""
    starts = [before for before, _ in block.padding]
    return lax.slice(x, starts, [a + n for a, n in zip(starts, shape, strict=True)]) if x.shape != shape else x


def _block(ref: Ref, block: Blocks, place: Sequence[Any]) -> Ref:
    """A reference to a block of an array; to the array where it is the only one."""
    if block.is_whole:
        return ref
    part = lax.dynamic_slice(ref.read(), place, block.sizes, allow_negative_indices=False)
    return new_ref(lax.reshape(part, block.shape) if block.shape != block.sizes else part)


def _put(ref: Ref, block: Blocks, place: Sequence[Any], own: Ref) -> None:
    part = own.read()
    part = lax.reshape(part, block.sizes) if block.shape != block.sizes else part
    ref[...] = lax.dynamic_update_slice(ref.read(), part, place, allow_negative_indices=False)
