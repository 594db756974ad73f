# SPDX-License-Identifier: Apache-2.0
"""Errors about derivatives: of what there are none, and what does not fit the functions that take them."""

from __future__ import annotations

from .base import NotSupportedError, OlympusError

__all__ = [
    "CallbackDerivativeError", "CotangentError", "CustomRuleError", "DerivativeError", "ForwardModeError",
    "GradientCheckError", "GradientTypeError", "LoopReverseError", "MissingDerivativeError", "NonScalarLossError",
    "NotLinearError", "TangentError",
]


class DerivativeError(OlympusError):
    """Base of the errors about derivatives."""


class CallbackDerivativeError(DerivativeError, NotSupportedError, ValueError):
    """The derivative is asked for of what a function of the host computes.

    Args:
        function: The function's name.
    """

    def __init__(self, function: str) -> None:
        self.function = function
        NotSupportedError.__init__(
            self, f"The derivative of the callback {function}", "what a function of the host computes is not known",
            "Give the function that calls it a rule with olympus.custom_jvp or olympus.custom_vjp, or put "
            "olympus.lax.stop_gradient around the arguments.")


class GradientCheckError(DerivativeError, AssertionError):
    """A derivative is another than the difference quotient that a check compares it with.

    Args:
        function: What was checked.
        problem: What differs, a clause.
        given: What was found.
        expected: What the difference quotient says.
    """

    def __init__(self, function: str, problem: str, given: object, expected: object) -> None:
        self.function = function
        super().__init__(
            f"{function}: {problem}.", given=given, expected=expected,
            fix="Check the rules of the function at this point; where it is not smooth there, choose another point; "
                "where its values are large, pass eps, atol and rtol.",
        )


class GradientTypeError(DerivativeError, TypeError):
    """A derivative is asked for with respect to, or of, a value whose element type has none.

    Args:
        function: The transformation.
        what: Which value, in words.
        dtype: Its element type's name.
        expected: Which element types would do.
        fix: What to do.
    """

    def __init__(self, function: str, what: str, dtype: str, expected: str, fix: str) -> None:
        self.function, self.what, self.dtype = function, what, dtype
        super().__init__(f"{function}: {what} has no derivative in its element type.", given=dtype, expected=expected,
                         fix=fix)


class NonScalarLossError(DerivativeError, TypeError, ValueError):
    """The gradient of a function is asked for that does not give one number.

    Args:
        function: The transformation.
        given: What the function gave, in text.
    """

    def __init__(self, function: str, given: str) -> None:
        self.function, self.given = function, given
        super().__init__(
            f"{function} needs a function that gives one number.", given=given, expected="a scalar such as float32[]",
            fix="Reduce the result, such as with .sum() or .mean(), use has_aux=True for further results, or "
                "olympus.vjp for functions of many results.",
        )


class CotangentError(DerivativeError, TypeError, ValueError):
    """What was given to a function of `vjp` does not fit the results that it is about.

    Args:
        given: What was given, in text.
        expected: What would fit, in text.
        place: Where in the results, as a path; empty for the whole.
    """

    def __init__(self, given: str, expected: str, place: str = "") -> None:
        self.given, self.expected, self.place = given, expected, place
        where = f" at {place}" if place else ""
        super().__init__(f"A cotangent{where} does not fit the result that it belongs to.", given=given,
                         expected=expected, fix="Give cotangents of the structure, shapes and element types of the "
                                                "results of the function.")


class TangentError(DerivativeError, TypeError, ValueError):
    """The tangents do not fit the values that they belong to.

    Args:
        function: The transformation.
        given: What was given, in text.
        expected: What would fit, in text.
        place: Where in the arguments, as a path; empty for the whole.
    """

    def __init__(self, function: str, given: str, expected: str, place: str = "") -> None:
        self.function, self.given, self.expected, self.place = function, given, expected, place
        where = f" at {place}" if place else ""
        super().__init__(f"{function}: a tangent{where} does not fit the value that it belongs to.", given=given,
                         expected=expected, fix="Give tangents of the structure, shapes and element types of the "
                                                "values.")


class LoopReverseError(DerivativeError, NotImplementedError, ValueError):
    """A loop of unknown length is to be gone through backwards."""

    def __init__(self) -> None:
        super().__init__(
            "A while_loop cannot be differentiated in reverse: how many steps are to be remembered is not known "
            "beforehand.", given="grad or vjp of olympus.lax.while_loop, or of fori_loop with traced bounds",
            fix="Use olympus.lax.scan, or fori_loop with bounds that are Python integers; or olympus.jvp, which goes "
                "forward.",
        )


class ForwardModeError(DerivativeError, TypeError):
    """A function whose derivative is known in reverse only is to be differentiated forward.

    Args:
        function: The function's name.
    """

    def __init__(self, function: str) -> None:
        self.function = function
        super().__init__(
            f"{function} has a rule for reverse differentiation only (custom_vjp).",
            given="a forward derivative of it: jvp, linearize",
            fix="Use grad or vjp, or give the function a custom_jvp rule, which serves both ways.",
        )


class MissingDerivativeError(DerivativeError, NotImplementedError, ValueError):
    """A derivative is asked for that has no rule.

    Args:
        operation: The operation's name.
        operand: The operand's name.
    """

    def __init__(self, operation: str, operand: str) -> None:
        self.operation, self.operand = operation, operand
        super().__init__(
            f"{operation} has no rule for its derivative by {operand}.",
            given=f"a tangent of {operand}", expected=f"a constant {operand}",
            fix=f"Hold {operand} constant with olympus.lax.stop_gradient, or give the function a rule of its own with "
                "olympus.custom_jvp.",
        )


class NotLinearError(DerivativeError, NotImplementedError):
    """A tangent went through an operation that is not linear, so that it cannot be transposed.

    Args:
        operation: The operation's name.
        reason: Why, where it is known.
        fix: What to do, where it is known.
    """

    def __init__(self, operation: str, reason: str = "", fix: str = "") -> None:
        self.operation = operation
        super().__init__(
            f"A tangent went through {operation}, which is not linear and cannot be transposed"
            + (f": {reason}" if reason else "."),
            expected="tangents that are used linearly, in a custom_jvp rule or a function given to linear_transpose",
            fix=fix or "Write the rule so that the tangent is only added, scaled, moved and contracted.",
        )


class CustomRuleError(DerivativeError, TypeError, ValueError):
    """A rule that a user gave for a derivative is missing or does not give what it must.

    Args:
        function: The function that the rule is for.
        problem: What is wrong, a clause.
        given: What the rule gave, in text.
        expected: What it must give, in text.
        fix: What to do.
    """

    def __init__(self, function: str, problem: str, given: object = None, expected: object = None,
                 fix: str | None = None) -> None:
        self.function, self.problem = function, problem
        super().__init__(f"{function}: {problem}.", given=given, expected=expected, fix=fix)
