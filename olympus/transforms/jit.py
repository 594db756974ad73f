# SPDX-License-Identifier: Apache-2.0
"""jit: a function becomes a program, compiled once for each combination of argument types and shardings."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import numpy as np

from olympus_core.config import config, current_version
from olympus_core.errors import ArgumentError, RetracingError, described
from olympus_core.location import user_location
from olympus_core.placement import Device, Sharding, SingleDeviceSharding, sharding_of
from olympus_core.runtime import BoundedCache, Signature, load

from ..array import Array
from ..shape_dtype import described_struct, is_described, struct_of
from ..tracing import EVALUATING, Aval, Reference, StagingTrace, Tracer, UsesReferences, aval_of, current_trace, stage
from ..tracing.aval import PYTHON_SCALARS, scalar_dtype
from ..tracing.high import HeldMutable, UsesMutables, uses
from ..tracing.scopes import at_users_line, inside
from ..tracing.staging import leaked
from ..tracing.trace import kept_calls
from ..tracing.tracebacks import entrance, keep_user_frames
from ..tracing.values import array_behind, stands_for_array
from ..tracing.wrapping import attributes_of
from ..trees import inside as tree
from ..trees.generated import unpacker
from ..trees.kinds import PLAIN, marks_of
from .arguments import (
    SignatureOfFunction,
    call_again,
    foreign_options,
    function_given,
    has_beyond,
    leaf_names,
    marked_leaves,
    names_of,
    no_generator,
    not_both,
    positions,
    source_of,
    static_parameters,
    unhashable,
    with_arrays,
    with_plain_statics,
    with_values,
    without_statics,
)
from .caches import remembers
from .call_shardings import (
    FirstDevice,
    constrained,
    describe,
    dims_on,
    for_arguments,
    memory_kinds,
    sharding_given,
    sharding_typed,
    spread_shardings,
)
from .calls import CompiledCall, any_converter, check_captured, converter, place, rebuilder
from .context import argument_axes, mesh_key
from .jitted_method import JittedMethod
from .placement import Plan, call_mesh, terms_on, translate, typed_by, typed_outputs
from .shared_calls import NotTraced, TracedProgram, calls_of, forget, joined, known_program

if TYPE_CHECKING:
    from olympus_core.partition import Partitioned

    from .stages import Lowered, Staged, Traced

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., Any])


class Jitted(Generic[P, R]):
    """A jitted function; see `jit`. It is called as the function is, and gives what that gives."""

    __signature__ = SignatureOfFunction()

    _is_users = False  # whether a user made it with `jit`
    _is_inline = False  # whether its calls join programs even for those who look at calls
    _is_api = False  # whether it is one of olympus's own functions, whose static arguments are known to be plain

    def __init__(
        self, function: Callable[P, R], *, static_argnums: Sequence[int] = (), static_argnames: Sequence[str] = (),
        donate_argnums: Sequence[int] = (), donate_argnames: Sequence[str] = (), in_shardings: Any = None,
        out_shardings: Any = None,
    ) -> None:
        functools.update_wrapper(self, function, updated=attributes_of(function))
        self._function = function
        self._name = getattr(function, "__name__", type(function).__name__)
        self._static_numbers, self._static_names = static_parameters(function, static_argnums, static_argnames)
        self._donate_numbers, self._donate_names = static_parameters(function, donate_argnums, donate_argnames)
        not_both(self._name, self.statics, (self._donate_numbers, self._donate_names))
        self._in_shardings, self._out_shardings = in_shardings, out_shardings
        self._calls: BoundedCache[Any, Any] = BoundedCache()  # CompiledCall, or CheckedCall
        self._traced: BoundedCache[Any, TracedProgram] = BoundedCache()
        self._direct: BoundedCache[Any, Callable[[Sequence[Any]], Any]] = BoundedCache()
        self._unpackers: BoundedCache[Any, Callable[[Any], list[Any] | None] | None] = BoundedCache()
        self._unpack: Callable[[Any], list[Any] | None] | None = None  # the last call's
        self.references: list[Reference] = []  # those from outside that the function uses
        self._is_carrying = False  # whether it is another's `carrying`
        self._carrying: Jitted[..., Any] | None = None
        self._holding: Jitted[..., Any] | None = None  # see `high.mutable`
        remembers(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function as one program."""
        try:
            trace = current_trace()
            if trace is not EVALUATING:
                return trace.call_jitted(self, args, kwargs)
            # Written for speed: arrays that are where a compiled program wants them need one look-up.
            version, mesh = current_version(), mesh_key()
            if not kwargs:  # attributes are asked of arrays alone: other classes may hand them on
                if len(args) == 1:
                    key: Any = (version, mesh, args[0]._signature if type(args[0]) is Array else None)
                elif len(args) == 2:
                    key = (version, mesh, args[0]._signature if type(args[0]) is Array else None,
                           args[1]._signature if type(args[1]) is Array else None)
                else:
                    key = (version, mesh, *[a._signature if type(a) is Array else None for a in args])
                direct = self._direct.get(key)
                if direct is not None:
                    return direct(args)
            unpack = self._unpack  # another thread may set another one
            if unpack is not None:
                leaves = unpack((args, kwargs))
                if leaves is not None:
                    direct = self._direct.get((unpack, version, mesh, *[
                        a._signature if type(a) is Array else None for a in leaves]))
                    if direct is not None:
                        return direct(leaves)
            return self._call(args, kwargs)
        except UsesReferences as found:
            if self._is_carrying and not isinstance(found, UsesMutables):  # whoever calls it finds out which others
                raise
            from .referring import call_with_references  # few programs use references

            return call_with_references(self, found, args, kwargs)
        except Exception as error:
            keep_user_frames(error)
            again = call_again(self, args, kwargs, error) if self._is_api else None
            if again is None:
                raise
        return again()

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call for any arguments."""
        if self.is_disabled:
            return self.inline(args, kwargs)
        if self.references:
            raise UsesReferences(self._name, self.references)
        key: list[Any] = [current_version(), mesh_key()]
        leaves: Sequence[Any] = args
        if self._static_numbers or kwargs:
            leaves = []
            for i, arg in enumerate(args):
                if i in self._static_numbers:
                    key.append((type(arg) if type(arg) in PLAIN else marks_of(arg), arg))
                else:
                    leaves.append(arg)
            # Sorted, as the tree of the arguments is: leaves must come in one order.
            for name, arg in sorted(kwargs.items()) if len(kwargs) > 1 else kwargs.items():
                key.append(name)
                if name in self._static_names:
                    key.append((type(arg) if type(arg) in PLAIN else marks_of(arg), arg))
                else:
                    leaves.append(arg)
        for leaf in leaves:
            kind = type(leaf)
            if kind is Array:
                key.append(leaf._signature)
            elif kind in PYTHON_SCALARS:
                key.append(kind)
                if kind is int and not 0 <= leaf < 128 and self._is_api and has_beyond(leaves):
                    return self.inline(args, kwargs)
            elif kind is np.ndarray and leaf.dtype.kind != "V":
                key += (leaf.shape, leaf.dtype)
            else:
                return self._call_tree(args, kwargs)
        try:
            call = self._calls.get(tuple(key))
        except TypeError:
            return self._call(*self._with_hashable(args, kwargs))
        if call is None:
            call = self._known_or_compiled(tuple(key), args, kwargs)
        else:
            call.is_wanted()
        results = call(leaves)
        # Only what went well is remembered: the short way does not ask whether an array is deleted.
        if call.direct is not None and leaves is args and None not in (
                signatures := [getattr(a, "_signature", None) for a in args]):
            self._direct.remember((current_version(), mesh_key(), *signatures), call.direct, call, True)
        return results

    def _call_tree(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call for arguments that are nested containers, or of other classes."""
        dynamic, statics = self._split(args, kwargs)
        leaves, structure = tree.flatten(dynamic)
        if self._is_api and has_beyond(leaves):
            return self.inline(args, kwargs)
        key: list[Any] = [current_version(), mesh_key(), structure, structure.marks, statics]
        for i, leaf in enumerate(leaves):
            if type(leaf) is Array:
                key.append(leaf._signature)
            elif type(leaf) in PYTHON_SCALARS:
                key.append(type(leaf))
            elif type(leaf) is np.ndarray:
                if leaf.dtype.names == ("float0",):
                    from .float0 import without  # few programs have integers among what they differentiate by

                    return self._call(*without(args, kwargs, self._static_numbers, self._static_names))
                key += (leaf.shape, leaf.dtype)
            elif isinstance(leaf, (Reference, HeldMutable)):
                raise uses(leaf, self._name)
            elif isinstance(leaf, Tracer):  # nothing is being traced here
                raise leaked(leaf)
            elif stands_for_array(leaf):
                return self._call(*with_arrays(args, kwargs, self._static_numbers, self._static_names))
            else:
                key.append(self._aval(leaf, dynamic, i))
        try:
            call = self._calls.get(tuple(key))
        except TypeError:
            return self._call(*self._with_hashable(args, kwargs))
        if call is None:
            call = self._known_or_compiled(tuple(key), args, kwargs)
        else:
            call.is_wanted()
        results = call(leaves)
        if call.direct is not None and statics == ((), ()):
            self._remember_tree(structure, leaves, call, call.direct)
        return results

    def _remember_tree(
        self, structure: Any, leaves: Sequence[Any], call: CompiledCall, direct: Callable[[Sequence[Any]], Any]
    ) -> None:
        """Lets the next call with arrays in this structure go the short way."""
        known, signatures = (structure, structure.marks), [getattr(leaf, "_signature", None) for leaf in leaves]
        if None in signatures:
            return
        unpack = self._unpackers.get(known)
        if unpack is None and known not in self._unpackers:
            unpack = self._unpackers.remember(known, unpacker(structure), call, True)
        if unpack is not None:
            self._unpack = unpack
            self._direct.remember((unpack, current_version(), mesh_key(), *signatures), direct, call, True)

    def inline(self, args: tuple[Any, ...], kwargs: dict[str, Any], as_given: bool = False) -> Any:
        """Calls the function, so that its operations are bound in the current trace one by one."""
        if self._is_users and not as_given and not config.disable_jit:
            args, kwargs = with_values(args, kwargs, self._static_numbers, self._static_names)
        if self._in_shardings is not None:
            given = self._split(args, {})[0][0]
            dynamic = iter(constrained(self._name, "in_shardings", given, for_arguments(self._in_shardings, given)))
            args = tuple(a if i in self._static_numbers else next(dynamic) for i, a in enumerate(args))
        result = self._run(args, kwargs)
        return result if self._out_shardings is None else constrained(
            self._name, "out_shardings", result, self._out_shardings)

    def _run(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What the function gives, its operations bound one by one."""
        if not self._is_api:
            return self._function(*args, **kwargs)
        with at_users_line():
            if config.numpy_dtype_promotion == "strict" or config.numpy_rank_promotion != "allow":
                return inside(self._function, args, kwargs)
            return self._function(*args, **kwargs)

    def _split(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, tuple[Any, ...]]:
        """The arguments to trace, and the static ones as part of a key."""
        if not self._static_names and not self._static_numbers:
            return (args, kwargs), ((), ())
        dynamic = tuple(a for i, a in enumerate(args) if i not in self._static_numbers)
        named = {k: v for k, v in kwargs.items() if k not in self._static_names}
        statics = (
            tuple((i, marks_of(a), a) for i, a in enumerate(args) if i in self._static_numbers),
            tuple((k, marks_of(v), v) for k, v in sorted(kwargs.items()) if k in self._static_names),
        )
        return (dynamic, named), statics

    def _merge(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], dynamic: Any
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The call's arguments with the dynamic ones replaced."""
        positional, named = iter(dynamic[0]), dynamic[1]
        merged = tuple(a if i in self._static_numbers else next(positional) for i, a in enumerate(args))
        return merged, {k: v if k in self._static_names else named[k] for k, v in kwargs.items()}

    def _trace(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], explained: bool = False, only_known: bool = False
    ) -> TracedProgram:
        """The function traced for a call; `explained`: since the call is not known, which is told if that is wanted."""
        dynamic, statics = self._split(args, kwargs)
        leaves, structure = tree.flatten(dynamic)
        for leaf in leaves:
            if isinstance(leaf, (Reference, HeldMutable)):
                raise uses(leaf, self._name)
        avals = [self._aval(leaf, dynamic, i) for i, leaf in enumerate(leaves)]
        if self._in_shardings is not None:
            avals = [typed_by(a, s) for a, s in zip(avals, self._demanded_inputs(dynamic, len(leaves)), strict=True)]
        axes, layouts = argument_axes(leaves), tuple([a.layout for a in avals])  # the mesh of a whole value may differ
        key = (structure, structure.marks, statics, tuple(avals), layouts, current_version(), mesh_key(),
               kept_calls.get(), None if axes is None else tuple(axes))
        if explained and config.explain_cache_misses and self._is_users:
            from .misses import Asked, explain
            explain(self._name, self._function, Asked(*key), [Asked(*known) for known in list(self._traced)],
                    self._leaf_names(dynamic), leaves, list(self._calls), user_location())
        found = known_program(self._traced, key)
        if found is not None:
            return found
        if only_known:
            raise NotTraced
        if config.no_tracing:
            raise RetracingError(self._name, ", ".join(map(repr, avals)) or "no arguments")
        out_tree: list[Any] = []

        def flat(*tracers: Any) -> list[Any]:
            merged, named = self._merge(args, kwargs, tree.unflatten(structure, tracers))
            results = self._run(merged, named)
            outputs, structure_out = tree.flatten(results)
            if any(type(x) is np.ndarray and x.dtype.names == ("float0",) for x in outputs):
                from .float0 import hidden

                outputs, structure_out = tree.flatten(hidden(results))
            out_tree.append(structure_out)
            return outputs

        references: list[Reference] = []
        started = perf_counter()
        program, out_avals, captured = stage(flat, avals, self._name, axes, references, carries_reads=True)
        from olympus_core.monitoring import TRACED, told  # not before something is traced
        told(TRACED, self._name, perf_counter() - started, avals)
        if references:
            raise UsesReferences(self._name, references)
        traced = TracedProgram(program, out_avals, out_tree[0], avals, captured)
        if not any(isinstance(c, Tracer) for c in captured):
            self._traced.remember(key, traced, traced)
        return traced

    def _aval(self, leaf: Any, dynamic: Any, index: int) -> Aval:
        try:
            return aval_of(leaf)
        except ArgumentError:
            raise ArgumentError(
                self._name, f"{self._leaf_names(dynamic)[index]} is not an array",
                described(leaf), "arrays, numbers, or containers of them",
                "Mark it as static (static_argnums, static_argnames) or convert it.",
            ) from None

    def _known_or_compiled(
        self, key: tuple[Any, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> CompiledCall:
        """The call for arguments like these, which another jitted function of the function may have; remembered."""
        shared = None
        if type(self) is Jitted:
            shared = calls_of(self._function, (
                self._static_numbers, self._static_names, self._donate_numbers, self._donate_names, self._in_shardings,
                self._out_shardings))
        call = None if shared is None else known_program(shared, key)
        if call is None:
            from ..progress import FirstCall  # not before something is compiled
            with FirstCall(self._name):
                call = self._compile(args, kwargs)
            if shared is not None and shared.may_hold(call.captured):
                call = shared.remember(key, call, call)
        else:
            call.is_wanted()
        if config.debug_nans or config.debug_infs or config.debug_key_reuse:
            from .checked import checked
            return self._calls.remember(key, checked(self, call, args, kwargs), call)
        return self._calls.remember(key, call, call)

    def _compile(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CompiledCall:
        dynamic, _ = self._split(args, kwargs)
        leaves, _ = tree.flatten(dynamic)
        traced = self._trace(args, kwargs, explained=True)
        donated = self._donated_leaves(args, kwargs)
        return self._place(traced, leaves, donated, dynamic)

    def _place(
        self, traced: TracedProgram, leaves: Sequence[Any], donated: Sequence[int], dynamic: Any, any_kind: bool = False
    ) -> CompiledCall:
        """Compiles what was traced for arguments like these; `any_kind`: for whatever has their types."""
        plan = self._plan(traced, leaves, dynamic)
        everything = [*leaves, *traced.captured]
        loaded = load(traced.program, plan.mesh, plan.in_dims, plan.out_dims, donated, plan.in_terms, plan.out_terms)
        converts = [
            any_converter(self._name, partial(self._leaf_names, dynamic), i, aval_of(value), layout)
            if any_kind and i < len(leaves)
            else converter(value, aval_of(value), layout, keep=i not in donated)
            for i, (value, layout) in enumerate(zip(everything, loaded.in_layouts, strict=True))
        ]
        fixed = [
            value._buffers if convert is None else convert(value)
            for value, convert in zip(traced.captured, converts[len(leaves):], strict=True)
        ]
        later = [
            moved or (sharding_of(layout).with_memory_kind(kind) if kind is not None and s is None else None)
            for moved, layout, kind, s in zip(
                plan.later, loaded.out_layouts, memory_kinds(traced.program), plan.results, strict=True)
        ]
        outputs = [
            Signature(a.type, sharding_typed(layout, a) if s is None or moved is not None else s, plan.committed,
                      a.weak)
            for a, layout, s, moved in zip(traced.out_avals, loaded.out_layouts, plan.results, later, strict=True)
        ]
        return CompiledCall(self._name, loaded, converts[: len(leaves)], traced.captured, fixed, outputs,
                            rebuilder(traced.out_tree, later), donated, later, traced.host_arrays)

    def _plan(self, traced: TracedProgram, leaves: Sequence[Any], dynamic: Any) -> Plan:
        """Where what was traced runs, and where its inputs and outputs are then."""
        program, captured = traced.program, traced.captured
        for value in captured:
            check_captured(value)
        everything = [*leaves, *captured]
        demanded = [*self._demanded_inputs(dynamic, len(leaves)), *[None] * len(captured)]
        results = self._demanded_outputs(traced)
        where = [None if d is not None else sharding_given(v) for v, d in zip(everything, demanded, strict=True)]
        given = [(s, len(t.shape)) for s, t in zip(where, program.input_types, strict=True) if s is not None]
        wanted = [(s, len(t.shape)) for s, t in zip(
            [*demanded, *results], [*program.input_types, *program.output_types], strict=True) if s is not None]
        typed = next((a.layout.mesh for a in traced.out_avals if a.layout is not None), None)
        mesh, committed = call_mesh(self._name, program, given, wanted, typed, lambda: describe(
            self._leaf_names(dynamic), leaves, captured))
        in_dims = [
            dims_on(mesh, value, demand.layout(len(t.shape)) if demand is not None else None)
            for value, demand, t in zip(everything, demanded, program.input_types, strict=True)
        ]
        out_dims = [
            None if s is None else translate(s.layout(len(a.shape)), mesh)
            for s, a in zip(results, traced.out_avals, strict=True)
        ]
        # What the mesh has no axes for, or the devices no memory, is brought there when it is done.
        later = [s if s is not None and (dims is None or s.is_on_host) else None
                 for s, dims in zip(results, out_dims, strict=True)]
        in_terms: list[tuple[str, ...]] = [()] * len(in_dims)
        out_terms: list[tuple[str, ...]] = [()] * len(out_dims)
        if mesh.has_explicit_axes:
            out_dims = typed_outputs(program, mesh, in_dims, out_dims, traced.out_avals)
            in_terms = [terms_on(mesh, d.layout(len(t.shape)) if d is not None else aval_of(value).layout)
                        for value, d, t in zip(everything, demanded, program.input_types, strict=True)]
            out_terms = [terms_on(mesh, s.layout(a.ndim) if s is not None else a.layout)
                         for s, a in zip(results, traced.out_avals, strict=True)]
        return Plan(mesh, committed, in_dims, out_dims, results, later, in_terms, out_terms)

    def split_over_devices(self, *args: Any, **kwargs: Any) -> Partitioned:
        """The program of a call with these arguments, split over their devices, which need not be there."""
        dynamic, _ = self._split(args, kwargs)
        traced = self._trace(args, kwargs)
        return self._partitioned(traced, self._plan(traced, tree.leaves(dynamic), dynamic),
                                 self._donated_leaves(args, kwargs))

    @staticmethod
    def _partitioned(traced: TracedProgram, plan: Plan, donated: Sequence[int]) -> Partitioned:
        from olympus_core.partition import partition  # slow to import, and not needed before something is compiled

        return partition(traced.program, plan.mesh, plan.in_dims, plan.out_dims, donated=donated,
                         in_terms=plan.in_terms, out_terms=plan.out_terms)

    def _leaf_names(self, dynamic: Any) -> list[str]:
        """How the function calls the leaves of its arguments."""
        count = len(dynamic[0]) + len(self._static_numbers)
        positions = [i for i in range(count) if i not in self._static_numbers][:len(dynamic[0])]
        return leaf_names(self._function, dynamic[0], dynamic[1], positions)

    def _demanded_inputs(self, dynamic: Any, count: int) -> list[Sharding | None]:
        if self._in_shardings is None:
            return [None] * count
        wanted = for_arguments(self._in_shardings, dynamic[0])
        positional = spread_shardings(self._name, "in_shardings", wanted, dynamic[0])
        return positional + [None] * (count - len(positional))

    def _demanded_outputs(self, traced: TracedProgram) -> list[Sharding | None]:
        if self._out_shardings is None:
            return [None] * len(traced.out_avals)
        results = tree.unflatten(traced.out_tree, [0] * len(traced.out_avals))
        return spread_shardings(self._name, "out_shardings", self._out_shardings, results)

    def _donated_leaves(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[int]:
        return marked_leaves(args, kwargs, (self._donate_numbers, self._donate_names), self.statics)

    def _with_hashable(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A public function's arguments with the lists and arrays among its static ones as tuples and numbers."""
        found = with_plain_statics(args, kwargs, self.statics) if self._is_api else None
        if found is None:
            statics = [a for i, a in enumerate(args) if i in self._static_numbers]
            raise unhashable(self._name, statics + [kwargs[k] for k in kwargs if k in self._static_names]) from None
        return found

    @property
    def name(self) -> str:
        """The function's name."""
        return self._name

    @property
    def statics(self) -> tuple[frozenset[int], frozenset[str]]:
        """Positions and names of the static arguments."""
        return self._static_numbers, self._static_names

    @property
    def carrying(self) -> Jitted[..., Any]:
        """The same function with the contents of references as first argument, donated, and second result."""
        if self._carrying is None:
            from .referring import carrying  # few programs use references

            self._carrying = carrying(self)
            self._carrying._is_carrying = True
        return self._carrying

    @property
    def is_disabled(self) -> bool:
        """Whether it is to run step by step, as a user's function may."""
        return self._is_users and config.disable_jit

    @property
    def has_shardings(self) -> bool:
        """Whether it says where arguments or results are to be."""
        return self._in_shardings is not None or self._out_shardings is not None

    def traced(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], only_known: bool = False
    ) -> tuple[TracedProgram, list[Any]]:
        """The function traced for a call, and its arguments, flat; `NotTraced` where it was not, if `only_known`."""
        dynamic, statics = self._split(args, kwargs)
        try:
            hash(statics)
        except TypeError:
            return self.traced(*self._with_hashable(args, dict(kwargs)), only_known)
        leaves = [array_behind(x) if stands_for_array(x) else x for x in tree.leaves(dynamic)]
        if self._is_api and has_beyond(leaves, scalar_dtype(int)):
            raise NotTraced
        return self._trace(args, kwargs, only_known=only_known), leaves

    @entrance
    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """Traces the function for these arguments without running it.

        Args:
            *args: As in a call; `ShapeDtypeStruct` stands for an array.
            **kwargs: Likewise.

        Returns:
            The types of arguments and results, and the program: as it is (`program`), as data (`jaxpr`), or to be
            lowered (`lower`).
        """
        from .stages import Traced  # not every program is looked at
        return Traced(self._staged(args, kwargs))

    @entrance
    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """The program of a call with these arguments.

        Args:
            *args: As in a call; `ShapeDtypeStruct` stands for an array.
            **kwargs: Likewise.

        Returns:
            What can be read (`as_text`) and compiled (`compile`).
        """
        from .stages import Lowered

        return Lowered(self._staged(args, kwargs))

    @entrance
    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """What stands for the results, without computing them.

        Args:
            *args: As in a call; `ShapeDtypeStruct` stands for an array, and so does whatever has a shape and a dtype.
            **kwargs: Likewise.
        """
        traced = self.traced_with_references(*self._standing(args, kwargs))
        return tree.unflatten(traced.out_tree, list(map(struct_of, traced.out_avals, self._said(traced))))

    def _said(self, traced: TracedProgram) -> list[Sharding | None]:
        """The shardings that `out_shardings` demands, for who looks at the results before there are any."""
        is_open = not isinstance(self._out_shardings, FirstDevice)
        return self._demanded_outputs(traced) if is_open else [None] * len(traced.out_avals)

    def _standing(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        """The arguments with `ShapeDtypeStruct` for what is no array and has a shape and an element type."""
        dynamic, _ = self._split(args, kwargs)
        if not any(map(is_described, tree.leaves(dynamic))):
            return args, kwargs
        return self._merge(args, kwargs, tree.map(described_struct, dynamic))

    def traced_with_references(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> TracedProgram:
        """The function traced; of one that uses references the contents are the first inputs and the last outputs."""
        try:
            return self._trace(args, kwargs)
        except UsesReferences as found:
            if self._is_carrying and not isinstance(found, UsesMutables):
                raise
            from .referring import traced_with_references

            traced, results = traced_with_references(self, found, args, kwargs)
            own = traced.out_avals[:results.num_leaves]
            return TracedProgram(traced.program, own, results, traced.in_avals, traced.captured)

    def _staged(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Staged:
        """What the stages of a call with these arguments know."""
        from .stages import Staged

        args, kwargs = self._standing(args, kwargs)
        try:
            traced = self._trace(args, kwargs)
        except UsesReferences as found:
            from .referring import staged_with_references

            return staged_with_references(self, found, args, kwargs)
        dynamic, statics = self._split(args, kwargs)
        leaves, structure = tree.flatten(dynamic)
        donated = self._donated_leaves(args, kwargs)
        return Staged(
            self._name, source_of(self._function), partial(self._leaf_names, dynamic), traced, structure,
            partial(without_statics, self, statics, len(dynamic[0])), structure,
            traced.in_avals[len(traced.in_avals) - len(leaves):], frozenset(donated),
            tuple(sorted(self._donate_numbers)), lambda: self._place(traced, leaves, donated, dynamic, True),
            lambda: self._partitioned(traced, self._plan(traced, leaves, dynamic), donated),
            traced.out_tree, traced.out_avals, demanded=self._said(traced))

    def _cache_size(self) -> int:
        """For how many kinds of arguments it is compiled; libraries of the peers count them by this name."""
        return len(self._calls)

    def clear_cache(self) -> None:
        """Forgets what was traced and compiled."""
        for known in (self._calls, self._traced, self._direct, self._unpackers):
            known.clear()
        forget(self._function)

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Jitted[P, R]: ...
    @overload
    def __get__(self: Jitted[Concatenate[S, Q], R], instance: S, owner: type | None = None) -> JittedMethod[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else JittedMethod(self, instance)

    def __repr__(self) -> str:
        return f"<CompiledFunction of {self._function!r}>"  # libraries look for the word

    def __reduce__(self) -> str | tuple[Any, ...]:
        """By name where a module has it under its own; else the function and what it was jitted with."""
        name = getattr(self, "__qualname__", "")
        found: Any = sys.modules.get(getattr(self, "__module__", None) or "")
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self:
            return str(name)
        return _restored, (self._function, self._static_numbers, self._static_names, self._donate_numbers,
                           self._donate_names, self._in_shardings, self._out_shardings, self._is_inline)

    def again(self) -> Jitted[..., Any]:
        """The same function, jitted anew: nothing that was traced is known of it."""
        made = _restored(self._function, self._static_numbers, self._static_names, self._donate_numbers,
                         self._donate_names, self._in_shardings, self._out_shardings, self._is_inline)
        made._name, made._is_users, made._is_api = self._name, self._is_users, self._is_api
        return made

    def dynamic(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Callable[[Any], Any]]:
        """A call's arguments but the static ones, and what makes all arguments of such ones."""
        return self._split(args, kwargs)[0], lambda dynamic: self._merge(args, kwargs, dynamic)


def _restored(
    function: Callable[..., Any], static_numbers: frozenset[int], static_names: frozenset[str],
    donate_numbers: frozenset[int], donate_names: frozenset[str], in_shardings: Any, out_shardings: Any,
    is_inline: bool = False,
) -> Jitted[..., Any]:
    made = Jitted(function, in_shardings=in_shardings, out_shardings=out_shardings)
    made._static_numbers, made._static_names = static_numbers, static_names
    made._donate_numbers, made._donate_names = donate_numbers, donate_names
    made._is_users, made._is_inline = True, is_inline
    return made


@overload
def jit(
    function: Callable[P, R], *, static_argnums: int | Sequence[int] | None = (),
    static_argnames: str | Sequence[str] | None = (), donate_argnums: int | Sequence[int] | None = (),
    donate_argnames: str | Sequence[str] | None = (), in_shardings: Any = None, out_shardings: Any = None,
    inline: bool = False, keep_unused: bool = True, device: Device | None = None, backend: str | None = None,
    compiler_options: Mapping[str, Any] | None = None,
) -> Jitted[P, R]: ...
@overload
def jit(
    function: None = None, *, static_argnums: int | Sequence[int] | None = (),
    static_argnames: str | Sequence[str] | None = (), donate_argnums: int | Sequence[int] | None = (),
    donate_argnames: str | Sequence[str] | None = (), in_shardings: Any = None, out_shardings: Any = None,
    inline: bool = False, keep_unused: bool = True, device: Device | None = None, backend: str | None = None,
    compiler_options: Mapping[str, Any] | None = None,
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...
def jit(
    function: Callable[..., Any] | None = None, *, static_argnums: int | Sequence[int] | None = (),
    static_argnames: str | Sequence[str] | None = (), donate_argnums: int | Sequence[int] | None = (),
    donate_argnames: str | Sequence[str] | None = (), in_shardings: Any = None, out_shardings: Any = None,
    inline: bool = False, keep_unused: bool = True, device: Device | None = None, backend: str | None = None,
    compiler_options: Mapping[str, Any] | None = None,
) -> Any:
    """Compiles a function of arrays: traced once for each combination of argument types, then run as one program.

    The program runs where its arguments are: over all devices of their shardings, split automatically.

    Args:
        function: A function of arrays, numbers and nested containers of them.
        static_argnums: Positions of the arguments that are Python values, not arrays: part of the program.
        static_argnames: Their names.
        donate_argnums: Positions of the arguments whose memory may be reused; they are deleted by the call.
        donate_argnames: Their names.
        in_shardings: For each positional argument (a tree prefix) a sharding that it is brought to, or None.
        out_shardings: For each result (a tree prefix) a sharding, or None where it may be chosen.
        inline: Whether nested calls join the program also where `make_jaxpr` shows calls; compiled, they always do.
        keep_unused: Accepted for compatibility; unused arguments are kept.
        device: The device on which it runs: arguments and results are brought there.
        backend: A platform: the same, for this process's first device of it.
        compiler_options: Options of other compilers (``xla_...``), which mean nothing here.

    Returns:
        The compiled function.

    Raises:
        ArgumentError: When an argument that is not static is no array.
        UnknownOptionError: For a compiler's option that there is not.
        NotSupportedError: For an option of `olympus.config` among them.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> @olympus.jit
        ... def f(x):
        ...     return 2 * jnp.sin(x) + 1
        >>> f(jnp.zeros(2))
        Array([1., 1.], dtype=float32)
    """
    if function is None:
        return partial(
            jit, static_argnums=static_argnums, static_argnames=static_argnames, donate_argnums=donate_argnums,
            donate_argnames=donate_argnames, in_shardings=in_shardings, out_shardings=out_shardings, device=device,
            backend=backend, compiler_options=compiler_options, inline=inline,
        )
    function_given("jit", function)
    no_generator("jit", function)
    foreign_options("jit", compiler_options)
    if device is not None or backend is not None:
        if (in_shardings, out_shardings) != (None, None) or (device is not None and backend is not None):
            raise ArgumentError("jit", "several parameters say where the function runs",
                                f"device={device}, backend={backend}, in_shardings={in_shardings}, "
                                f"out_shardings={out_shardings}", "one of device, backend, or shardings")
        in_shardings = out_shardings = FirstDevice(backend) if device is None else SingleDeviceSharding(device)
    made = Jitted(
        function, static_argnums=positions("jit", static_argnums, "static_argnums"),
        static_argnames=names_of("static_argnames", static_argnames),
        donate_argnums=positions("jit", donate_argnums, "donate_argnums"),
        donate_argnames=names_of("donate_argnames", donate_argnames), in_shardings=in_shardings,
        out_shardings=out_shardings,
    )
    made._is_users, made._is_inline = True, bool(inline)
    return made


@overload
def api(function: F, *, static: Sequence[str] = (), call: str = "") -> F: ...
@overload
def api(function: None = None, *, static: Sequence[str] = (), call: str = "") -> Callable[[F], F]: ...
def api(function: Callable[..., Any] | None = None, *, static: Sequence[str] = (), call: str = "") -> Any:
    """Marks a public function of arrays: evaluated, it runs as one cached program; traced, it just runs.

    Args:
        function: The function.
        static: Names of the parameters that are Python values.
        call: JAX's name of the call that it is for those who look at calls; "": its operations join programs always.
    """
    if function is None:
        return partial(api, static=static, call=call)
    made = Jitted(function, static_argnames=tuple(static))
    made._is_api, made._is_inline, made._name = True, not call, call or made._name
    return made


def _evaluate(*given: Any) -> list[Any]:
    """Runs one operation; what does it, which is made of jitted functions, is imported when the first one runs."""
    EVALUATING.run = import_module("olympus.transforms.evaluation").evaluate
    return EVALUATING.run(*given)


EVALUATING.run = _evaluate
StagingTrace.join = staticmethod(joined)  # type: ignore[method-assign]
__all__ = ["Jitted", "api", "jit", "place"]
