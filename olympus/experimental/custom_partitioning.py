# SPDX-License-Identifier: Apache-2.0
"""Functions whose authors say how they are split over devices, and what each device does."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described
from olympus_core.placement import Dims, Layout, Mesh, NamedSharding, PartitionSpec
from olympus_core.program import ArrayType, FactorRule, Operation, Program

from .. import tree
from ..shape_dtype import ShapeDtypeStruct
from ..tracing import EVALUATING, Aval, Tracer, aval_of, stage, use_trace
from ..tracing.explicit import hide_axes
from ..tracing.wrapping import wraps
from ..transforms.arguments import function_given, static_parameters, unhashable
from ..transforms.batching.vmap import vmap
from ..transforms.context import ManualAxes, current_mesh, use_manual_axes
from ..transforms.jaxpr.primitive import Primitive, register_lowering
from ..transforms.jaxpr.writing import Lowering, closed
from ..transforms.placement import translate
from ..transforms.prefix import spread
from ..transforms.sharding_rules import BATCHING, ArrayMapping, CompoundFactor, SdyShardingRule, rule_of_text
from ..transforms.traces.table import Batched, BatchingCall, all_batched

__all__ = ["BATCHING", "ArrayMapping", "CompoundFactor", "SdyShardingRule", "custom_partitioning",
           "custom_partitioning_p"]
__dir__ = listed(__all__)


@dataclass(frozen=True, slots=True)
class _Definition:
    """What `def_partition` says."""

    partition: Callable[..., Any]
    infer: Callable[..., Any] | None
    propagate: Callable[..., Any] | None
    rule: Any


class custom_partitioning:
    """A function of arrays whose author says how it is split over devices, and what each device does.

    Under `olympus.jit` over several devices the `partition` function of `def_partition` decides; on one device, inside
    of `olympus.shard_map`, and in what is exported, the function itself is what runs. It has no derivative: put
    `olympus.custom_vjp` around it. Under `olympus.vmap` the mapped dimension is split as its operands are.

    Args:
        fun: The function; it must not use traced values of other functions.
        static_argnums: Positions of arguments that are no arrays; they come first to the functions of `def_partition`.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental.custom_partitioning import custom_partitioning
        >>> @custom_partitioning
        ... def normalized(x):
        ...     return x / x.sum(1, keepdims=True)
        >>> def partition(mesh, arg_shapes, result_shape):
        ...     rows = olympus.NamedSharding(mesh, olympus.P(arg_shapes[0].sharding.spec[0]))
        ...     return mesh, lambda x: x / x.sum(1, keepdims=True), rows, (rows,)
        >>> normalized.def_partition(partition, sharding_rule="i j -> i j", need_replication_factors=("j",))
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> x = olympus.device_put(jnp.ones((8, 4)), olympus.NamedSharding(mesh, olympus.P("x")))
        >>> y = olympus.jit(normalized)(x)
        >>> y.sharding.spec, float(y[0, 0])
        (PartitionSpec('x',), 0.25)
    """

    def __init__(self, fun: Callable[..., Any], static_argnums: Sequence[int] = ()) -> None:
        function_given("custom_partitioning", fun)
        self.fun = fun
        self.static_argnums, _ = static_parameters(
            fun, (static_argnums,) if isinstance(static_argnums, int) else static_argnums, ())
        self._definition: _Definition | None = None
        self._calls: dict[Any, _Call] = {}
        wraps(fun)(self)

    def def_partition(
        self, partition: Callable[..., Any], infer_sharding_from_operands: Callable[..., Any] | None = None,
        propagate_user_sharding: Callable[..., Any] | None = None, decode_shardings: bool = True,
        sharding_rule: Any = None, *, reduction_factors: tuple[str, ...] = (),
        need_replication_factors: tuple[str, ...] = (), permutation_factors: tuple[str, ...] = (), **factor_sizes: int,
    ) -> None:
        """Says how the function is split.

        Args:
            partition: Takes the mesh, and the arguments and the result as trees of `ShapeDtypeStruct` with the
                shardings that they are to have; gives the mesh, the function of one device's parts (it may use
                collectives over the mesh's axes), the shardings of the result and those of the arguments, which are
                brought there.
            infer_sharding_from_operands: Where there is no rule: takes the same, gives the result's shardings.
            propagate_user_sharding: Where there is no rule, and operands are whole: takes the mesh and the result as
                its users want it, gives the shardings that it can have.
            decode_shardings: Accepted for compatibility: shardings are always `NamedSharding`.
            sharding_rule: Factors by name for each dimension: ``"... i j, j k -> ... i k"``, a `SdyShardingRule`, or a
                function of the mesh (None where none is in use), arguments and result that gives either.
            reduction_factors: Of a rule as text: factors over which one device's function has to combine results.
            need_replication_factors: Likewise: those that must not be split.
            permutation_factors: Likewise: those along which devices need parts of their neighbours.
            **factor_sizes: Likewise: sizes of factors that are no whole dimension anywhere.

        Raises:
            ArgumentError: When the rule is none, or nothing says how results lie.
        """
        function_given("def_partition", partition)
        kinds = {"reduction_factors": reduction_factors, "need_replication_factors": need_replication_factors,
                 "permutation_factors": permutation_factors, **factor_sizes}
        if isinstance(sharding_rule, str):
            sharding_rule = rule_of_text(sharding_rule, **kinds)
        elif any(kinds.values()):
            raise ArgumentError("def_partition", "kinds and sizes of factors are said beside a rule that is no text",
                                described(kinds), "such as SdyShardingRule(..., reduction_factors=...)")
        elif not (sharding_rule is None or isinstance(sharding_rule, SdyShardingRule) or callable(sharding_rule)):
            raise ArgumentError("def_partition", "sharding_rule does not fit", described(sharding_rule),
                                "a text, a SdyShardingRule or a function")
        if sharding_rule is None and infer_sharding_from_operands is None:
            raise ArgumentError("def_partition", "nothing says how results lie", "neither sharding_rule nor "
                                "infer_sharding_from_operands", "one of them")
        self._definition = _Definition(partition, infer_sharding_from_operands, propagate_user_sharding, sharding_rule)
        self._calls.clear()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function.

        Args:
            *args: Its arguments.
            **kwargs: Its arguments by name.

        Raises:
            ArgumentError: Before `def_partition` was called.
        """
        if self._definition is None:
            raise ArgumentError(self._name, "nothing says how it is split", fix="Call its def_partition first.")
        bound = inspect.signature(self.fun).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            raise NotSupportedError(f"{self._name} with arguments that have no position",
                                    "shardings are told by position", "Give it parameters that have positions.")
        statics = tuple(bound.args[i] for i in sorted(self.static_argnums) if i < len(bound.args))
        leaves, structure = tree.flatten(tuple(x for i, x in enumerate(bound.args) if i not in self.static_argnums))
        avals = [aval_of(x) for x in leaves]
        key = (statics, structure, tuple((a.type, a.weak) for a in avals))
        try:
            call = self._calls.get(key)
        except TypeError:
            raise unhashable(self._name, statics) from None
        if call is None:
            call = self._calls[key] = self._traced(self._definition, statics, structure, avals, len(bound.args))
        results = custom_partitioning_p.bind(*leaves, call=call)
        return tree.unflatten(call.results, results)

    @property
    def _name(self) -> str:
        return getattr(self.fun, "__name__", type(self.fun).__name__)

    def _traced(
        self, definition: _Definition, statics: tuple[Any, ...], structure: Any, avals: Sequence[Aval], count: int
    ) -> _Call:
        """The function for operands of some types."""
        found: list[Any] = []

        def flat(*values: Any) -> list[Any]:
            dynamic, fixed = iter(tree.unflatten(structure, values)), iter(statics)
            result = self.fun(*(next(fixed if i in self.static_argnums else dynamic) for i in range(count)))
            leaves, out = tree.flatten(result)
            found[:] = [out]
            return leaves

        plain = [Aval(a.type, a.weak) for a in avals]
        with use_trace(EVALUATING):
            program, outs, captured = stage(flat, plain, self._name)
        if any(isinstance(value, Tracer) for value in captured):
            raise NotSupportedError(f"{self._name}, which uses traced values of another function,",
                                    "it is called with its arguments alone, in other places",
                                    "Give it everything that it uses as an argument.")
        program = closed(self._name, program, captured)
        return _Call(self._name, definition, statics, structure, found[0], program,
                     tuple(Aval(a.type, a.weak) for a in outs))


@dataclass(frozen=True, slots=True, eq=False)
class _Call:
    """A function for operands of some types, as programs have it.

    Args:
        name: The function's.
        definition: How it is split.
        statics: Its arguments that are no arrays.
        arguments: Structure of the others.
        results: Structure of its results.
        program: What it computes, on one device.
        outs: What is known of its results.
        mapped: For each dimension that `vmap` maps, outermost first, its size and which operands have it in front.
    """

    name: str
    definition: _Definition
    statics: tuple[Any, ...]
    arguments: Any
    results: Any
    program: Program
    outs: tuple[Aval, ...]
    mapped: tuple[tuple[int, tuple[bool, ...]], ...] = ()

    def compute(self, *operands: Any) -> list[Any]:
        """The results, by the function itself."""
        from ..transforms.traces.linearization import run

        return list(self._over_mapped(lambda *values: run(self.program, values))(*operands))

    def out_avals(self) -> list[Aval]:
        """What is known of the results, mapped dimensions in front."""
        sizes = tuple(size for size, _ in self.mapped)
        return [Aval(a.type.with_shape((*sizes, *a.shape)), a.weak) for a in self.outs]

    def _over_mapped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        for _, batched in reversed(self.mapped):
            function = vmap(function, in_axes=tuple(0 if has else None for has in batched))
        return function

    def _fronts(self, operand: int) -> list[int]:
        """Which of the mapped dimensions an operand has."""
        return [d for d, (_, batched) in enumerate(self.mapped) if batched[operand]]

    def factor_rule(self, operands: Sequence[ArrayType], results: Sequence[ArrayType]) -> FactorRule:
        """How it may be split."""
        fronts = [self._fronts(i) for i in range(len(operands))]
        own = [t.with_shape(t.shape[len(front):]) for t, front in zip(operands, fronts, strict=True)]
        inner = [a.type for a in self.outs]
        rule = self.definition.rule
        if callable(rule) and not isinstance(rule, SdyShardingRule):
            rule = rule(*self.statics, current_mesh(), *self._described(own, inner))
            rule = rule_of_text(rule) if isinstance(rule, str) else rule
            if not isinstance(rule, SdyShardingRule):
                raise ArgumentError(self.name, "what sharding_rule gave is no rule", described(rule),
                                    "a text or a SdyShardingRule")
        found = FactorRule.unsplittable([t.shape for t in own], [t.shape for t in inner]) if rule is None \
            else rule.factor_rule(own, inner)
        if not self.mapped:
            return found
        first = len(found.factors)
        sizes = FactorRule.elementwise(tuple(size for size, _ in self.mapped), 1, 1).factors
        return FactorRule(
            (*found.factors, *sizes),
            tuple((*((first + d,) for d in front), *term)
                  for front, term in zip(fronts, found.operands, strict=True)),
            tuple((*((first + d,) for d in range(len(sizes))), *term) for term in found.results))

    def _described(
        self, operands: Sequence[ArrayType], results: Sequence[ArrayType], where: Sequence[Any] | None = None,
        there: Sequence[Any] | None = None,
    ) -> tuple[Any, Any]:
        """Arguments and result as trees of `ShapeDtypeStruct`."""
        trees = []
        for structure, types, shardings in ((self.arguments, operands, where), (self.results, results, there)):
            trees.append(tree.unflatten(structure, [
                ShapeDtypeStruct(t.shape, t.dtype, sharding=None if shardings is None else shardings[i])
                for i, t in enumerate(types)]))
        return trees[0], trees[1]

    def split(
        self, mesh: Mesh, operation: Operation, operands: Sequence[Dims], results: Sequence[Dims]
    ) -> tuple[tuple[Dims, ...], tuple[Dims, ...], Program]:
        """Asks the author: the dims of operands and results, and the program of one device."""
        definition, count = self.definition, len(self.mapped)
        fronts = [self._fronts(i) for i in range(len(operands))]
        types = [v.type for v in operation.operands]
        own = [t.with_shape(t.shape[len(front):]) for t, front in zip(types, fronts, strict=True)]
        inner = [a.type for a in self.outs]
        # The axes of mapped dimensions: as results have them, or else operands.
        held = [[*(dims[d] for dims in results),
                 *(dims[front.index(d)] for dims, front in zip(operands, fronts, strict=True) if d in front)]
                for d in range(count)]
        split: list[tuple[str, ...]] = [next(filter(None, choices), ()) for choices in held]
        given = [_sharding(mesh, dims[len(front):]) for dims, front in zip(operands, fronts, strict=True)]
        wanted = [_sharding(mesh, dims[count:]) for dims in results]
        if definition.rule is None:
            wanted = self._without_rule(mesh, own, inner, given, wanted)
        answer = definition.partition(*self.statics, mesh, *self._described(own, inner, given, wanted))
        if not isinstance(answer, tuple) or len(answer) != 4:
            raise ArgumentError(self.name, "what partition gave does not fit", described(answer),
                                "(mesh, function, result shardings, argument shardings)")
        _, lower, result_shardings, argument_shardings = answer
        function_given(f"partition of {self.name}", lower)
        in_own = self._dims(mesh, "argument shardings", argument_shardings, self.arguments, own)
        out_own = self._dims(mesh, "result shardings", result_shardings, self.results, inner)
        used = {axis for dims in (*in_own, *out_own) for axes in dims for axis in axes}
        split = [tuple(axis for axis in axes if axis not in used) for axes in split]
        in_dims = tuple((*(split[d] for d in front), *dims) for front, dims in zip(fronts, in_own, strict=True))
        out_dims = tuple((*split, *dims) for dims in out_own)
        local = [t.with_shape(Layout(mesh, d).shard_shape(t.shape)) for t, d in zip(types, in_dims, strict=True)]
        expected = [v.type.with_shape(Layout(mesh, d).shard_shape(v.type.shape))
                    for v, d in zip(operation.results, out_dims, strict=True)]

        def body(*values: Any) -> list[Any]:
            return list(self._over_mapped(self._flat(lower))(*values))

        manual = ManualAxes(mesh.shape_tuple, mesh.axis_names, mesh=mesh)
        with use_trace(EVALUATING), use_manual_axes(manual), hide_axes(mesh.axis_names):
            program, _, captured = stage(body, [Aval(t) for t in local], self.name)
            program = closed(self.name, program, captured)
        if list(program.output_types) != expected:
            raise ArgumentError(
                self.name, "one device's function gives other parts than the result shardings say",
                ", ".join(map(repr, program.output_types)), ", ".join(map(repr, expected)),
                "Let partition give the shardings that its function's results have.")
        return in_dims, out_dims, program

    def _flat(self, lower: Callable[..., Any]) -> Callable[..., Any]:
        def flat(*values: Any) -> list[Any]:
            found, structure = tree.flatten(lower(*tree.unflatten(self.arguments, values)))
            if structure != self.results:
                raise ArgumentError(self.name, "one device's function gives another structure than the function",
                                    str(structure), str(self.results))
            return found
        return flat

    def _without_rule(
        self, mesh: Mesh, operands: Sequence[ArrayType], results: Sequence[ArrayType], given: Sequence[NamedSharding],
        wanted: list[NamedSharding],
    ) -> list[NamedSharding]:
        """Where results are to be, by the functions of `def_partition`: as users want, or as operands make them."""
        definition = self.definition
        split, asked = (any(not s.is_fully_replicated for s in shardings) for shardings in (given, wanted))
        if definition.propagate is not None and asked and not split:
            found = definition.propagate(*self.statics, mesh, self._described(operands, results, given, wanted)[1])
        elif definition.infer is not None:
            found = definition.infer(*self.statics, mesh, *self._described(operands, results, given))
        else:
            return wanted
        dims = self._dims(mesh, "the shardings that were inferred", found, self.results, results)
        return [_sharding(mesh, d) for d in dims]

    def _dims(self, mesh: Mesh, what: str, given: Any, structure: Any, types: Sequence[ArrayType]) -> list[Dims]:
        """The axes that shardings name, on the program's mesh."""
        full = tree.unflatten(structure, list(range(len(types))))
        shardings = spread(self.name, what, given, full, lambda s: isinstance(s, NamedSharding), "a NamedSharding")
        found = []
        for sharding, type in zip(shardings, types, strict=True):
            dims = sharding.spec.dims(type.ndim)
            if sharding.mesh.shape_tuple != mesh.shape_tuple:
                moved = translate(sharding.layout(type.ndim), mesh) if isinstance(sharding.mesh, Mesh) else None
                if moved is None:
                    raise ArgumentError(self.name, f"{what} are over another mesh", repr(sharding.mesh), repr(mesh),
                                        "Use the mesh that partition is given.")
                dims = moved
            Layout(mesh, dims).shard_shape(type.shape)  # refuses what does not divide
            found.append(dims)
        return found


def _sharding(mesh: Mesh, dims: Dims) -> NamedSharding:
    """A sharding whose spec has an entry for each dimension, as authors ask for entries by number."""
    return NamedSharding(mesh, PartitionSpec(*(axes[0] if len(axes) == 1 else axes or None for axes in dims)))


def _split(
    mesh: Mesh, operation: Operation, operands: Sequence[Dims], results: Sequence[Dims]
) -> tuple[tuple[Dims, ...], tuple[Dims, ...], Program] | None:
    if mesh.size == 1:
        return None  # there it is the function itself
    call: _Call = operation.attributes["params"].values["call"]
    return call.split(mesh, operation, operands, results)


def _factors(operands: Sequence[ArrayType], results: Sequence[ArrayType], params: Mapping[str, Any]) -> FactorRule:
    call: _Call = params["call"]
    return call.factor_rule(operands, results)


def _batching(batching: BatchingCall) -> Batched:
    call: _Call = batching.attributes["params"].values["call"]
    mapped = _mapped(call, batching.size, tuple(batching.batched))
    return all_batched(*custom_partitioning_p.bind(*batching.values, call=mapped))


@functools.lru_cache(maxsize=1024)
def _mapped(call: _Call, size: int, batched: tuple[bool, ...]) -> _Call:
    """The call for all indices of a further dimension in front: the same for the same, so that it is compiled once."""
    return replace(call, mapped=((size, batched), *call.mapped))


custom_partitioning_p = Primitive("custom_partitioning")
custom_partitioning_p.multiple_results = True
custom_partitioning_p.def_abstract_eval(lambda *avals, call: call.out_avals())
custom_partitioning_p.def_sharding_rule(_factors)
custom_partitioning_p.def_authors_split(_split)
register_lowering(custom_partitioning_p, Lowering(lambda *args, call: call.compute(*args), True))
custom_partitioning_p.rules.batching = _batching
