# SPDX-License-Identifier: Apache-2.0
"""What a primitive from outside is made of: its lowering traced to a program, or a call of its implementation."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.errors import ArgumentError, CallbackResultError, ConcretizationError, NotSupportedError, described
from olympus_core.placement import SingleDeviceSharding
from olympus_core.program import ArrayType, Program
from olympus_core.runtime import get_world, put_host, sealed

from ...array import Array
from ...tracing import EVALUATING, Aval, Tracer, aval_of, bind, bind_all, canonical_dtype, stage, use_trace
from ...tracing.values import host_value, is_host_value


class Lowering:
    """What a primitive is made of: a function of arrays, traced in its place.

    Args:
        function: Takes the operands and the parameters.
        multiple_results: Whether it gives a sequence of results.
        takes_types: Whether the types of the results come as first argument.
        platform: The only platform that it is for; None for all.
    """

    __slots__ = ("function", "multiple_results", "platform", "takes_types")

    def __init__(
        self, function: Callable[..., Any], multiple_results: bool, takes_types: bool = False,
        platform: str | None = None,
    ) -> None:
        self.function, self.multiple_results, self.takes_types = function, multiple_results, takes_types
        self.platform = platform

    def __call__(self, ctx: Any, *args: Any, **params: Any) -> Any:
        """Refused: programs here are not written by calls that make MLIR."""
        raise NotSupportedError("Calling a lowering rule", "operations are lowered as a whole",
                                "Give the rule to register_lowering, or call the function that it is made of.")


class LoweringRuleContext:
    """What a lowering rule is told that is called with the operands themselves.

    Args:
        primitive: The primitive.
        avals_in: The types of its operands.
        avals_out: The types of its results.
    """

    def __init__(self, primitive: Any, avals_in: Sequence[Aval], avals_out: Sequence[Aval]) -> None:
        self.primitive, self.avals_in, self.avals_out = primitive, avals_in, avals_out


def _handing_on(primitive: Any, rule: Callable[..., Any]) -> Lowering:
    """A rule that only hands operands on as results, as those of tags do, for which no MLIR is needed."""

    def function(avals_out: Sequence[Aval], *args: Any, **params: Any) -> list[Any]:
        refused = NotSupportedError(
            f"The lowering of {primitive.name}", f"{described(rule)} writes MLIR, which programs here are not made of",
            "Register mlir.lower_fun(function, multiple_results=...), or olympus.ffi.ffi_lowering(name).")
        try:
            found = list(rule(LoweringRuleContext(primitive, [aval_of(x) for x in args], avals_out), *args, **params))
        except Exception as error:
            raise refused from error
        if not all(any(x is given for given in args) for x in found):
            raise refused
        return found

    return Lowering(function, multiple_results=True, takes_types=True)


def written(
    primitive: Any, types: Sequence[ArrayType], params: Mapping[str, Any], platform: str | None, results: Sequence[Aval]
) -> Program:
    """The program that a primitive is made of.

    Args:
        primitive: The primitive.
        types: Types of its operands.
        params: Its parameters.
        platform: What runs it; None where that is not known.
        results: What the primitive tells of its results.
    """
    expected = [a.type for a in results]
    rule = _chosen(primitive, platform)
    if rule is None:
        return _called_on_host(primitive, types, expected, params)

    def function(*args: Any) -> list[Any]:
        given = ([Aval(t) for t in expected], *args) if rule.takes_types else args
        found = rule.function(*given, **params)
        return list(found) if rule.multiple_results else [found]

    with use_trace(EVALUATING):
        program, _, captured = stage(function, [Aval(t) for t in types], primitive.name)
    if program.output_types != tuple(expected):
        raise ArgumentError(f"The lowering of {primitive.name}", "its results are not what def_abstract_eval tells",
                            ", ".join(map(repr, program.output_types)), ", ".join(map(repr, expected)),
                            "Convert the results in the lowering, or mend def_abstract_eval.")
    return closed(primitive.name, program, captured)


def _chosen(primitive: Any, platform: str | None) -> Lowering | None:
    """The lowering for a platform; None for a call of the implementation."""
    lowerings: dict[str | None, Any] = primitive.lowerings
    rule = lowerings.get(platform, lowerings.get(None))
    if rule is None and platform is None and lowerings:
        rule = next(iter(lowerings.values()))
    if rule is not None and not isinstance(rule, Lowering):
        return _handing_on(primitive, rule)
    if rule is None and (primitive.impl is None or is_applying(primitive.impl)):
        known = ", ".join(str(name) for name in lowerings) or "none"
        raise NotSupportedError(
            f"{primitive.name} in a compiled program" + (f" on platform {platform!r}" if platform else ""),
            f"it has no implementation and no lowering for the platform (those there are: {known})",
            f"Register mlir.register_lowering({primitive.name}_p, mlir.lower_fun(function, multiple_results="
            f"{primitive.multiple_results})), or {primitive.name}_p.def_impl(function of NumPy arrays).")
    return rule


def is_applying(impl: Any) -> bool:
    """Whether an implementation only compiles the primitive: `functools.partial(xla.apply_primitive, prim)`."""
    return isinstance(impl, functools.partial) and impl.func is apply_primitive


def apply_primitive(prim: Any, *args: Any, **params: Any) -> Any:
    """Runs a primitive at once, as a compiled program of its own.

    Args:
        prim: The primitive; it needs a lowering.
        *args: The operands.
        **params: The parameters.

    Example:
        >>> import functools, olympus
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import mlir, xla
        >>> twice_p = Primitive("twice")
        >>> impl = twice_p.def_impl(functools.partial(xla.apply_primitive, twice_p))
        >>> aval = twice_p.def_abstract_eval(lambda x: x)
        >>> mlir.register_lowering(twice_p, mlir.lower_fun(lambda x: x + x, multiple_results=False))
        >>> float(twice_p.bind(2.0))
        4.0
    """
    return prim.bound(args, params, False)


def evaluated(primitive: Any, operands: Sequence[Any], params: Mapping[str, Any]) -> list[Any]:
    """The results of the implementation for values that are there, as arrays."""
    with use_trace(EVALUATING):
        return [_as_array(x) if is_host_value(x) else x
                for x in _several(primitive, primitive.impl(*operands, **params))]


def _as_array(value: Any) -> Array:
    aval = aval_of(value)
    sharding = SingleDeviceSharding.of(get_world().default_device())
    return put_host(Array, host_value(value, aval.dtype), sharding, False, aval.weak)


def _several(primitive: Any, found: Any) -> list[Any]:
    if not primitive.multiple_results:
        return [found]
    if not isinstance(found, (tuple, list)):
        raise CallbackResultError(primitive.name, described(found), "a sequence: multiple_results is set")
    return list(found)


def _called_on_host(
    primitive: Any, types: Sequence[ArrayType], expected: Sequence[ArrayType], params: Mapping[str, Any]
) -> Program:
    """A program that calls the implementation with NumPy arrays."""
    callback = ops.HostFunction(primitive.name, _OnHost(primitive, tuple(expected), params))
    attributes = {"callback": callback, "result_types": tuple(expected), "ordered": primitive.record.has_effects}
    program, _, _ = stage(
        lambda *args: bind_all(ops.host_callback, args, attributes, (), False), [Aval(t) for t in types],
        primitive.name)
    return program


class _OnHost:
    """An implementation as programs call it.

    Args:
        primitive: Whose it is.
        types: Types of the results.
        params: The parameters.
    """

    __slots__ = ("params", "primitive", "types")

    def __init__(self, primitive: Any, types: tuple[ArrayType, ...], params: Mapping[str, Any]) -> None:
        self.primitive, self.types, self.params = primitive, types, params

    def __call__(self, *arrays: np.ndarray) -> list[np.ndarray]:
        found = _several(self.primitive, self.primitive.impl(*map(sealed, arrays), **self.params))
        results = [np.asarray(x) for x in found]
        given = [ArrayType(x.shape, canonical_dtype(x.dtype)) for x in results]
        if given != list(self.types):
            raise CallbackResultError(self.primitive.name, ", ".join(map(repr, given)),
                                      ", ".join(map(repr, self.types)))
        return [x.astype(t.dtype, copy=False) for x, t in zip(results, self.types, strict=True)]


def closed(name: str, program: Program, captured: Sequence[Any]) -> Program:
    """The program with what its function took from outside as constants."""
    if not captured:
        return program
    if any(isinstance(value, Tracer) for value in captured):
        raise ConcretizationError(f"the lowering of {name}, which must not use traced values of other functions",
                                  repr(next(v.aval for v in captured if isinstance(v, Tracer))))
    values = [np.asarray(value) for value in captured]
    count = len(program.inputs) - len(values)

    def inside(*args: Any) -> list[Any]:
        constants = [bind(ops.constant, value=value) for value in values]
        return bind_all(ops.call, [*args, *constants], {}, (program,), False)

    return stage(inside, [Aval(v.type) for v in program.inputs[:count]], name)[0]
