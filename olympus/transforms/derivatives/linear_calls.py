# SPDX-License-Identifier: Apache-2.0
"""linear_call: linear functions whose transpose the user says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from olympus_core.errors import CustomRuleError
from olympus_core.ops import call
from olympus_core.program import Program

from ...tracing import Aval, aval_of, bind_all, is_evaluating, stage
from ...tracing.aval import has_tangent
from ...tracing.tracebacks import entrance
from ...tracing.values import number_as
from ...trees import inside as tree
from ..arguments import function_given
from ..context import argument_axes, current_manual_axes, use_manual_axes_again
from ..traces.annotations import annotated
from ..traces.arithmetic import convert
from ..traces.table import TransposeCall
from .batched_rules import UserRule
from .calling import named, no_captured, own_tangent
from .symbolic_zeros import zero_array

Function = Callable[[Any, Any], Any]


@entrance
def linear_call(fun: Function, fun_transpose: Function, residual_args: Any, linear_args: Any) -> Any:
    """Calls a linear function, whose transpose is another function of the user's.

    The transpose of such a call is a call of `fun_transpose`, whose transpose is `fun`.

    Args:
        fun: A function ``(residual_args, linear_args) -> result``, linear in the second argument.
        fun_transpose: A function ``(residual_args, cotangent of the result) -> cotangent of linear_args``.
        residual_args: What the functions need not be linear in; it is not differentiated.
        linear_args: What they are linear in.

    Returns:
        The result of `fun`.

    Raises:
        CustomRuleError: When what is not linear is differentiated, or `fun_transpose` gives what does not fit.

    Example:
        >>> import olympus
        >>> from olympus.custom_derivatives import linear_call
        >>> def third(x):
        ...     return linear_call(lambda r, x: x / r, lambda r, c: c / r, 3.0, x)
        >>> print(olympus.linear_transpose(third, 1.0)(6.0))
        (Array(2., dtype=float32, weak_type=True),)
    """
    for function in (fun, fun_transpose):
        function_given("linear_call", function)
    residuals, residual_tree = tree.flatten(residual_args)
    linear, linear_tree = tree.flatten(linear_args)
    pair = _Pair(fun, fun_transpose, residual_tree, linear_tree)
    results, structure = _call(pair, residuals, linear)
    return tree.unflatten(structure, results)


@dataclass(frozen=True)
class _Pair:
    """Two functions that are transposes of each other, and the structure of the first one's arguments."""

    fun: Function
    fun_transpose: Function
    residual_tree: Any
    linear_tree: Any

    def swapped(self, results: Any) -> _Pair:
        """The transpose, of cotangents in the results' structure."""
        return replace(self, fun=self.fun_transpose, fun_transpose=self.fun, linear_tree=results)

    def __call__(self, residuals: Sequence[Any], linear: Sequence[Any]) -> tuple[list[Any], Any]:
        return tree.flatten(self.fun(
            tree.unflatten(self.residual_tree, residuals), tree.unflatten(self.linear_tree, linear)))


def _call(pair: _Pair, residuals: Sequence[Any], linear: Sequence[Any]) -> tuple[list[Any], Any]:
    """The flat results and their structure."""
    if is_evaluating():
        return pair(residuals, linear)
    structure: Any = None

    def flat(*leaves: Any) -> list[Any]:
        nonlocal structure
        results, structure = pair(leaves[:len(residuals)], leaves[len(residuals):])
        return results

    operands = [*residuals, *linear]
    program, avals, captured = stage(
        flat, [aval_of(x) for x in operands], named(pair.fun), argument_axes(operands))
    rule = _LinearCall(pair, len(residuals), [aval_of(x) for x in linear], structure, avals)
    return bind_all(call, [*operands, *captured], {}, (annotated(program, rule),), False), structure


class _LinearCall(UserRule):
    """The annotation of such a call in a program.

    Args:
        pair: The functions.
        residuals: How many of the operands are residuals; they come first.
        linear: What is known of the linear ones, which follow. What was captured comes last.
        structure: The results' structure.
        avals: What is known of them.
    """

    primitive = "linear_call"

    def __init__(
        self, pair: _Pair, residuals: int, linear: Sequence[Aval], structure: Any, avals: Sequence[Aval]
    ) -> None:
        self.pair, self.residuals, self.linear, self.structure, self.avals = pair, residuals, linear, structure, avals
        self.manual = current_manual_axes()

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """The tangents of the results are the function of the tangents."""
        name, end = named(self.pair.fun), self.residuals + len(self.linear)
        self._no_residual(tangents[:self.residuals])
        no_captured(name, primals, tangents, end)
        residuals, linear = primals[:self.residuals], primals[self.residuals:end]
        changes = [zero_array(aval_of(x)) if t is None else t
                   for x, t in zip(linear, tangents[self.residuals:end], strict=True)]
        with use_manual_axes_again(self.manual):
            results, _ = _call(self.pair, residuals, linear)
            moved, _ = _call(self.pair, residuals, changes)
        return results, [own_tangent(t, tangents) if has_tangent(aval) else None
                         for t, aval in zip(moved, self.avals, strict=True)]

    def transpose(self, t: TransposeCall) -> Sequence[Any]:
        """By the user's transpose."""
        end = self.residuals + len(self.linear)
        self._no_residual([True if is_linear else None for is_linear in t.linear[:self.residuals]])
        cotangents = [zero_array(aval) if c is None else c for c, aval in zip(t.cotangents, self.avals, strict=True)]
        with use_manual_axes_again(self.manual):
            found, structure = _call(self.pair.swapped(self.structure), t.operands[:self.residuals], cotangents)
        name = named(self.pair.fun_transpose)
        if structure != self.pair.linear_tree:
            raise CustomRuleError(name, "it gives cotangents of another structure than linear_args", structure,
                                  self.pair.linear_tree)
        wanted = zip(self.linear, t.linear[self.residuals:end], found, strict=True)
        return [*[None] * self.residuals, *(_fitting(name, aval, c) if is_linear else None
                                            for aval, is_linear, c in wanted), *[None] * (len(t.linear) - end)]

    def _no_residual(self, tangents: Sequence[Any]) -> None:
        if any(t is not None for t in tangents):
            raise CustomRuleError(named(self.pair.fun), "linear_call is differentiated in residual_args", None,
                                  "derivatives in linear_args alone",
                                  "Apply stop_gradient to the residuals, or write a custom_vjp.")


def _fitting(name: str, aval: Aval, cotangent: Any) -> Any:
    own = aval_of(cotangent)
    if own.shape != aval.shape:
        raise CustomRuleError(name, "it gives a cotangent that does not fit its argument", repr(own), repr(aval),
                              "Give a cotangent of the argument's shape and element type.")
    if isinstance(cotangent, (int, float, complex)):
        return number_as(cotangent, aval.dtype)
    return convert(cotangent, aval.dtype)
