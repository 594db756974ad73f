# SPDX-License-Identifier: Apache-2.0
"""Primitives: what equations name. Those that libraries make are operations of their own, registered from outside."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.errors import ArgumentError, NotSupportedError, OperandError, described
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program, run
from olympus_core.program.record import AuthorsSplit

from ...tracing import Aval, aval_of, bind_all, canonical_dtype, is_evaluating, use_trace
from ..traces.table import RULES, Rules
from .parameters import Parameters
from .writing import Lowering, written

Params = dict[str, Any]
SplittingRule = Callable[[Sequence[ArrayType], Sequence[ArrayType], Mapping[str, Any]], FactorRule]

_names: dict[str, int] = {}
_lock = threading.Lock()


class Primitive:
    """What an equation does. Made by a name, it is an operation of its own, whose properties are registered with it.

    Needed is `def_abstract_eval`, and `def_impl` or a lowering (`olympus.interpreters.mlir.register_lowering`).
    Derivatives and batching are registered in `olympus.interpreters.ad` and `olympus.interpreters.batching`. Without
    a lowering, compiled programs call the implementation on the host, with NumPy arrays.

    Args:
        name: Its name.

    Attributes:
        multiple_results: Whether it gives a list of results.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import ad, mlir
        >>> cube_p = Primitive("cube")
        >>> aval = cube_p.def_abstract_eval(lambda x: x)
        >>> mlir.register_lowering(cube_p, mlir.lower_fun(lambda x: x * x * x, multiple_results=False))
        >>> ad.defjvp(cube_p, lambda t, x: t * 3 * x**2)
        >>> float(olympus.jit(olympus.grad(cube_p.bind))(2.0))
        12.0
    """

    multiple_results: bool = False
    call_primitive = False
    map_primitive = False
    is_known = False  # whether it stands for operations of olympus
    impl: Callable[..., Any] | None = None  # a subclass may define it as a method

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise ArgumentError("Primitive", "a name is needed", described(name), "a text")
        self.name = name
        self.lowerings: dict[str | None, Any] = {}
        self._types: Callable[..., Any] | None = None
        if type(self).abstract_eval is not Primitive.abstract_eval:  # a subclass tells the types by its method
            self._types = lambda *avals, **params: self.abstract_eval(*avals, **params)[0]
        self._has_effects = False
        self._split: SplittingRule | None = None
        self._authors_split: AuthorsSplit | None = None
        self._record: OperationRecord | None = None
        with _lock:  # equal names are told apart, alike in all processes
            count = _names[name] = _names.get(name, 0) + 1
        self._operation_name = f"{name}.{count}" if count > 1 or name in ops.OPERATIONS else name
        RULES[self._operation_name] = Rules(is_external=True)

    @property
    def record(self) -> OperationRecord:
        """The operation that it is in programs."""
        if self._record is None:
            self._record = OperationRecord(
                self._operation_name, "external", self._type_rule, None if self._split is None else self._factors,
                reference=self._reference, has_effects=self._has_effects, expansion=self._expansion,
                authors_split=self._authors_split)
        return self._record

    @property
    def rules(self) -> Rules:
        """Its derivative and its batching."""
        return RULES[self._operation_name]

    def def_impl(self, impl: Callable[..., Any]) -> Callable[..., Any]:
        """Registers what computes it: called with values that are there, and from compiled programs without a lowering.

        Args:
            impl: Takes arrays (from a compiled program NumPy's) and the parameters; gives the result, or a list.
        """
        self.impl = impl
        return impl

    def def_abstract_eval(self, abstract_eval: Callable[..., Any]) -> Callable[..., Any]:
        """Registers what tells the types of its results.

        Args:
            abstract_eval: Takes the operands' types and the parameters; gives the type of the result, or a list.
        """
        self._types, self._record = abstract_eval, None
        return abstract_eval

    def def_effectful_abstract_eval(self, effectful_abstract_eval: Callable[..., Any]) -> Callable[..., Any]:
        """Registers what tells the types of its results and that it does something besides: it is never left out.

        Args:
            effectful_abstract_eval: As for `def_abstract_eval`, but gives a pair of types and a set of effects.
        """
        self._types = lambda *avals, **params: effectful_abstract_eval(*avals, **params)[0]
        self._has_effects, self._record = True, None
        return effectful_abstract_eval

    def def_sharding_rule(
        self, rule: str | SplittingRule, *, reduced: Mapping[str, Any] | None = None, whole: str = ""
    ) -> None:
        """Registers how it is split over devices: each runs it on its parts. Otherwise what it is made of is split.

        Args:
            rule: As an einsum, one letter for each dimension, such as ``"mk,kn->mn"``; or a function of the operands'
                types, the results' and the parameters, to an `olympus_core.program.FactorRule`.
            reduced: Letters which, split, leave terms of the result on the devices; each with how these combine:
                ``"sum"``, ``"prod"``, ``"max"``, ``"min"``, ``"and"`` or ``"or"``.
            whole: Letters that must not be split.

        Example:
            >>> from olympus.extend.core import Primitive
            >>> Primitive("sort_rows").def_sharding_rule("ij->ij", whole="j")
        """
        if isinstance(rule, str):
            notation = rule.replace(" ", "")
            if notation.count("->") != 1:
                raise ArgumentError("def_sharding_rule", "the notation is not that of an einsum", described(rule),
                                    "such as 'mk,kn->mn'")

            def split(
                operands: Sequence[ArrayType], results: Sequence[ArrayType], params: Mapping[str, Any]
            ) -> FactorRule:
                return FactorRule.einsum(
                    notation, [t.shape for t in operands], [t.shape for t in results], reduced, whole)

            self._split = split
        else:
            self._split = rule
        self._record = None

    def def_authors_split(self, split: Callable[..., Any]) -> None:
        """Registers what is asked where a program that has it is split over devices; it needs a sharding rule, too.

        Args:
            split: As `authors_split` of `olympus_core.program.OperationRecord`.
        """
        self._authors_split, self._record = split, None

    def abstract_eval(self, *avals: Any, **params: Any) -> tuple[Any, frozenset[Any]]:
        """The types of its results, and the effects.

        Args:
            *avals: The operands' types.
            **params: The parameters.
        """
        found = self.result_avals(avals, params)
        return (found if self.multiple_results else found[0]), frozenset()

    def bind(self, *args: Any, **params: Any) -> Any:
        """Does it: computes where values are there, appends to the program that is being traced.

        Args:
            *args: The operands: arrays, traced values or numbers.
            **params: The parameters, as in an equation.

        Returns:
            The result; a list of results where `multiple_results`.

        Raises:
            NotSupportedError: Where what is needed here was not registered.
        """
        return self.bound(args, params, self.impl is not None)

    def bound(self, args: Sequence[Any], params: Params, runs_impl: bool) -> Any:
        """The same.

        Args:
            args: The operands.
            params: The parameters.
            runs_impl: Whether the implementation is what computes values that are there.
        """
        weak, parameters = None, Parameters(self, params, runs_impl)
        if self._types is not None and not (runs_impl and is_evaluating()):
            weak = all(aval.weak for aval in parameters.avals([aval_of(x) for x in args]))
        results = bind_all(self.record, args, {"params": parameters}, (), weak)
        return results if self.multiple_results else results[0]

    def bind_with_trace(self, trace: Any, args: Sequence[Any], avals: Sequence[Any], params: Mapping[str, Any]) -> Any:
        """The same in a trace that is given, as traces do that hand operations on to the one around them.

        Args:
            trace: The trace.
            args: The operands.
            avals: Their types, which they tell themselves.
            params: The parameters.
        """
        with use_trace(trace):
            return self.bind(*args, **self.get_bind_params(params))

    def get_bind_params(self, params: Mapping[str, Any]) -> Params:
        """The parameters of an equation as `bind` takes them.

        Args:
            params: The equation's.
        """
        return dict(params)

    @property
    def is_high(self) -> bool:
        """False: it stands for no others."""
        return False

    def __repr__(self) -> str:
        return self.name

    def result_avals(self, avals: Sequence[Any], params: Mapping[str, Any]) -> list[Aval]:
        """What the results are, asked of what was registered.

        Args:
            avals: The operands' types.
            params: The parameters.
        """
        if self._types is None:
            raise NotSupportedError(
                f"Tracing {self.name}", "nothing tells the types of its results",
                f"Register it: {self.name}_p.def_abstract_eval(lambda *avals, **params: ...).")
        found = self._types(*avals, **params)
        several = list(found) if self.multiple_results else [found]
        return [self._aval(one) for one in several]

    def _aval(self, given: Any) -> Aval:
        if isinstance(given, Aval):
            dtype = canonical_dtype(given.dtype) if given.dtype.kind != "V" else given.dtype
            return given if dtype is given.dtype else Aval(ArrayType(given.shape, dtype), given.weak)
        if hasattr(given, "shape") and hasattr(given, "dtype"):
            return Aval(ArrayType(tuple(given.shape), canonical_dtype(given.dtype)))
        raise ArgumentError(
            f"{self.name}.def_abstract_eval", "what it gave is no type of an array", described(given),
            "a list of ShapedArray" if self.multiple_results else "a ShapedArray",
            "Set multiple_results = True where it gives several." if isinstance(given, (tuple, list)) else None)

    def _type_rule(
        self, types: Sequence[ArrayType], attributes: Attributes, regions: Sequence[Program]
    ) -> Sequence[ArrayType]:
        return tuple(a.type for a in attributes["params"].avals([Aval(t) for t in types]))

    def _factors(
        self, operands: Sequence[ArrayType], results: Sequence[ArrayType], attributes: Attributes
    ) -> FactorRule:
        if self._split is None:
            return FactorRule.unsplittable([t.shape for t in operands], [t.shape for t in results])
        try:
            return self._split(operands, results, attributes["params"].values)
        except ValueError as error:
            raise OperandError(self.name, f"its sharding rule does not fit its operands ({error})", tuple(operands),
                               "one letter for each dimension of operands and results") from error

    def _expansion(self, types: Sequence[ArrayType], attributes: Attributes, platform: str | None) -> Program:
        parameters = attributes["params"]
        return written(self, types, parameters.values, platform, parameters.avals([Aval(t) for t in types]))

    def _reference(self, values: Sequence[Any], attributes: Attributes) -> Sequence[Any]:
        return run(self._expansion([ArrayType(x.shape, x.dtype) for x in values], attributes, None), values)


def register_lowering(prim: Primitive, rule: Any, platform: str | None = None) -> None:
    """Registers what a primitive is made of.

    Args:
        prim: The primitive.
        rule: What `lower_fun` gives. Another one is refused where a program that has the primitive is compiled.
        platform: The platform that it is for; None for all that have none of their own, or for a rule's only one.
    """
    refuse_known(prim, "register_lowering")
    if not isinstance(rule, Lowering) and not callable(rule):
        raise ArgumentError("register_lowering", "a rule is needed", described(rule), "mlir.lower_fun(function)")
    named, only = "cuda" if platform == "gpu" else platform, getattr(rule, "platform", None)
    if only is not None and named not in (None, only):
        raise ArgumentError(
            "register_lowering", f"the rule is for the platform {only} alone", named, f"{only}, or none")
    prim.lowerings[only or named] = rule


def refuse_known(prim: Any, function: str) -> Primitive:
    """The primitive, made by a library; those of olympus have their properties."""
    if not isinstance(prim, Primitive):
        raise ArgumentError(function, "a primitive is needed", described(prim), "olympus.extend.core.Primitive(name)")
    if prim.is_known:
        raise NotSupportedError(f"{function} of {prim.name}", "it is one of olympus's own, which have their rules",
                                "Make a primitive of your own, or use olympus.custom_jvp around a function.")
    return prim
