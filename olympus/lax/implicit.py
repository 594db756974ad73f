# SPDX-License-Identifier: Apache-2.0
"""Functions whose derivatives come from the equation that they solve: custom_linear_solve and custom_root."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, CustomRuleError, described
from olympus_core.ops import call
from olympus_core.program import Program, Value

from ..operands import cast, function_of, is_number
from ..tracing import Aval, aval_of, bind_all, current_trace, is_evaluating, stage, use_trace
from ..tracing.tracebacks import entrance
from ..transforms.arguments import value_of
from ..transforms.derivatives.batched_rules import UserRule
from ..transforms.traces.annotations import annotated
from ..transforms.traces.arithmetic import neg, plus, zeros
from ..transforms.traces.jvp_trace import JvpTrace
from ..transforms.traces.linearization import run, transposed
from ..transforms.traces.table import TransposeCall
from ..trees import inside as tree

__all__ = ["custom_linear_solve", "custom_root"]
__dir__ = listed(__all__)

Function = Callable[[Any], Any]
Solve = Callable[[Function, Any], Any]


class _Programs:
    """Programs of several functions that share what they use from outside: it comes first in the inputs of each."""

    def __init__(self) -> None:
        self.constants: list[Any] = []
        self._made: list[tuple[Program, int, int]] = []  # the program, its arguments, where its constants begin

    def add(self, function: Callable[..., Sequence[Any]], avals: Sequence[Aval], name: str) -> list[Aval]:
        """Traces one more function of flat arguments; gives what is known of its results."""
        program, results, captured = stage(function, avals, name)
        self.append(program, len(avals), captured)
        return results

    def append(self, program: Program, arguments: int, captured: Sequence[Any]) -> None:
        """Adds a program whose last inputs are what it captured."""
        self._made.append((program, arguments, len(self.constants)))
        self.constants.extend(captured)

    def finished(self) -> list[Program]:
        """The programs: constants of all, then their own arguments."""
        types = [aval_of(x).type for x in self.constants]
        found = []
        for program, arguments, start in self._made:
            own, captured = program.inputs[:arguments], program.inputs[arguments:]
            after = types[start + len(captured):]
            inputs = (*map(Value, types[:start]), *captured, *map(Value, after), *own)
            found.append(Program(program.name, inputs, program.operations, program.outputs))
        return found


def _checked(function: str, what: str, result: Any, structure: Any, avals: Sequence[Aval]) -> list[Any]:
    """A function's result as flat arrays, which must be of the shapes and element types of its argument."""
    leaves, found = tree.flatten(result)
    if found != structure:
        raise ArgumentError(function, f"{what} gives another structure", found, structure)
    own = [aval_of(x) for x in leaves]
    if [(a.shape, a.dtype) for a in own] != [(a.shape, a.dtype) for a in avals]:
        raise ArgumentError(function, f"{what} gives other types", ", ".join(map(repr, own)),
                            ", ".join(map(repr, avals)), "Convert its result with .astype.")
    return leaves


def _tangents(program: Program, primals: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
    """The tangents of a program's outputs, None for zero."""
    trace = JvpTrace(current_trace())
    with use_trace(trace):
        results = run(program, [trace.wrap(x, t) for x, t in zip(primals, tangents, strict=True)])
    found = [trace.split(result)[1] for result in results]
    trace.close()
    return found


def _strong(leaves: Sequence[Any]) -> list[Aval]:
    return [Aval(aval.type, layout=aval.layout) for aval in map(aval_of, leaves)]


class _LinearSolve(UserRule):
    """The annotation of a solution x of A x = b.

    Args:
        matvec: The program of x -> A x; all programs take the constants first.
        vecmat: That of the transpose; None where there is no rule for it.
        solve: The program of b -> x, with further results after x.
        transpose_solve: That of the transpose, likewise.
        constants: How many constants there are.
        count: How many arrays x is.
    """

    def __init__(self, matvec: Program, vecmat: Program | None, solve: Program, transpose_solve: Program | None,
                 constants: int, count: int) -> None:
        self.matvec, self.vecmat, self.solve, self.transpose_solve = matvec, vecmat, solve, transpose_solve
        self.constants, self.count = constants, count

    def bind(self, operands: Sequence[Any], region: Program) -> list[Any]:
        """A solution, with this rule."""
        return bind_all(call, operands, {}, (annotated(region, self),), False)

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """A (dx) = db - (dA) x."""
        results = self.bind(primals, region)
        solution, constants = results[:self.count], primals[:self.constants]
        right = list(tangents[self.constants:])
        if any(t is not None for t in tangents[:self.constants]):
            moved = _tangents(self.matvec, [*constants, *solution],
                              [*tangents[:self.constants], *([None] * self.count)])
            right = [plus(b, None if m is None else neg(m)) for b, m in zip(right, moved, strict=True)]
        if all(t is None for t in right):
            return results, [None] * len(results)
        right = [zeros(aval_of(x)) if t is None else t for t, x in zip(right, solution, strict=True)]
        found = self.bind([*constants, *right], region)[:self.count]
        return results, [*found, *([None] * (len(results) - self.count))]

    def transpose(self, t: TransposeCall) -> Sequence[Any] | None:
        """The cotangent of b solves the transposed system."""
        if any(t.linear[:self.constants]):
            return None
        if self.transpose_solve is None or self.vecmat is None:
            raise CustomRuleError(
                "custom_linear_solve", "its transpose is needed, for reverse mode, and there is no rule for it",
                "transpose_solve=None", "a function transpose_solve(vecmat, b), or symmetric=True")
        other = _LinearSolve(self.vecmat, self.matvec, self.transpose_solve, self.solve, self.constants, self.count)
        given = [zeros(a) if c is None else c
                 for c, a in zip(t.cotangents[:self.count], t.results[:self.count], strict=True)]
        found = other.bind([*t.operands[:self.constants], *given], self.transpose_solve)
        return [*([None] * self.constants), *found[:self.count]]


@entrance
def custom_linear_solve(
    matvec: Function, b: Any, solve: Solve, transpose_solve: Solve | None = None, symmetric: bool = False,
    has_aux: bool = False,
) -> Any:
    """Solves linear equations by a function that the caller gives, with derivatives from the equations.

    Derivatives solve the same equations for another right-hand side, so that they never go through `solve`, which
    may be a loop of unknown length. Values that `matvec` uses from outside are differentiated as well.

    Args:
        matvec: A linear function of arrays, a nested container of them: the matrix times a vector.
        b: The right-hand side, in the structure of the vectors.
        solve: A function ``(matvec, b) -> x``.
        transpose_solve: A function ``(vecmat, b) -> x`` that solves the transposed equations, for reverse mode.
        symmetric: Whether the matrix is symmetric, so that `matvec` and, where there is no other, `solve` serve for
            the transpose.
        has_aux: Whether `solve` and `transpose_solve` give a pair, the second part of which has no derivative.

    Returns:
        The solution; with `has_aux` a pair with the second part.

    Raises:
        ArgumentError: If `matvec` or `solve` gives another structure or other types than `b` has.
        CustomRuleError: In reverse mode, if there is neither `transpose_solve` nor symmetry.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> def half(a, b):
        ...     return olympus.lax.custom_linear_solve(lambda x: a * x, b, lambda f, b: b / f(jnp.ones_like(b)),
        ...                                            symmetric=True)
        >>> [float(x) for x in olympus.grad(half, (0, 1))(2.0, 6.0)]
        [-1.5, 0.5]
    """
    name = "custom_linear_solve"
    for what, given in (("matvec", matvec), ("solve", solve)):
        function_of(name, given, what)
    if transpose_solve is not None:
        function_of(name, transpose_solve, "transpose_solve")
    leaves, structure = tree.flatten(b)
    avals = _strong(leaves)
    auxiliary: list[Any] = []

    def flat_matvec(*x: Any) -> list[Any]:
        return _checked(name, "matvec", matvec(tree.unflatten(structure, x)), structure, avals)

    def flat_solve(function: Solve, multiply: Function) -> Callable[..., list[Any]]:
        def flat(*right: Any) -> list[Any]:
            result = function(multiply, tree.unflatten(structure, right))
            if not has_aux:
                return _checked(name, "solve", result, structure, avals)
            if not isinstance(result, tuple) or len(result) != 2:
                raise ArgumentError(name, "solve gives no pair", described(result), "(x, aux), since has_aux is True")
            more, aux_structure = tree.flatten(result[1])
            auxiliary[:] = [aux_structure]
            return [*_checked(name, "solve", result[0], structure, avals), *more]
        return flat

    def finished(results: Sequence[Any]) -> Any:
        solution = tree.unflatten(structure, results[:len(leaves)])
        return (solution, tree.unflatten(auxiliary[0], results[len(leaves):])) if has_aux else solution

    if is_evaluating():
        return finished(flat_solve(solve, matvec)(*map(value_of, leaves)))
    programs = _Programs()
    programs.add(flat_matvec, avals, "matvec")
    programs.add(flat_solve(solve, matvec), avals, "solve")
    aux_of_solve = list(auxiliary)
    if transpose_solve is not None and symmetric:
        programs.add(flat_matvec, avals, "vecmat")
        programs.add(flat_solve(transpose_solve, matvec), avals, "transpose_solve")
    elif transpose_solve is not None:
        forward, *_ = programs.finished()
        known = _strong(programs.constants)
        linear = [False] * len(known) + [True] * len(avals)
        back, more = transposed(forward, [*known, *avals], linear, [True] * len(avals))
        constants = list(programs.constants)

        def flat_vecmat(*y: Any) -> list[Any]:
            return run(back, [*constants, *y, *more])

        def vecmat(y: Any) -> Any:
            return tree.unflatten(structure, flat_vecmat(*_checked(name, "vecmat", y, structure, avals)))

        programs.add(flat_vecmat, avals, "vecmat")
        programs.add(flat_solve(transpose_solve, vecmat), avals, "transpose_solve")
    made = programs.finished()
    pair = (made[2], made[3]) if transpose_solve is not None else (made[0], made[1]) if symmetric else (None, None)
    auxiliary[:] = aux_of_solve
    rule = _LinearSolve(made[0], pair[0], made[1], pair[1], len(programs.constants), len(leaves))
    return finished(rule.bind([*programs.constants, *leaves], made[1]))


class _Root(UserRule):
    """The annotation of a root x of f(x) = 0.

    Args:
        function: The program of f; all programs take the constants first.
        tangent_solve: The program that solves (df/dx) t = right, given x and right.
        constants: How many constants there are.
        count: How many arrays x is.
    """

    def __init__(self, function: Program, tangent_solve: Program, constants: int, count: int) -> None:
        self.function, self.tangent_solve = function, tangent_solve
        self.constants, self.count = constants, count

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """By the implicit function theorem; the guess has no effect."""
        results = bind_all(call, primals, {}, (annotated(region, self),), False)
        solution, constants = results[:self.count], primals[:self.constants]
        moved: list[Any] = [None] * self.count
        if any(t is not None for t in tangents[:self.constants]):
            moved = _tangents(self.function, [*constants, *solution],
                              [*tangents[:self.constants], *([None] * self.count)])
        if any(t is not None for t in moved):
            right = [zeros(aval_of(x)) if t is None else neg(t) for t, x in zip(moved, solution, strict=True)]
            moved = run(self.tangent_solve, [*constants, *solution, *right])
        return results, [*moved, *([None] * (len(results) - self.count))]


@entrance
def custom_root(
    f: Function, initial_guess: Any, solve: Solve, tangent_solve: Solve, has_aux: bool = False,
) -> Any:
    """Finds where a function is zero, with derivatives by the implicit function theorem.

    Derivatives never go through `solve`, which may be a loop of unknown length. Values that `f` uses from outside
    are differentiated; the guess is not.

    Args:
        f: A function from arrays, a nested container of them, to the same structure.
        initial_guess: Where to begin.
        solve: A function ``(f, initial_guess) -> x`` with f(x) = 0.
        tangent_solve: A function ``(g, y) -> x`` with g(x) = y for linear functions g; for a scalar
            ``lambda g, y: y / g(1.0)``.
        has_aux: Whether `solve` gives a pair, the second part of which has no derivative.

    Returns:
        The root; with `has_aux` a pair with the second part.

    Raises:
        ArgumentError: If `f` or `solve` gives another structure or other types than the guess has.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> def root(a):
        ...     def newton(f, x):
        ...         return olympus.lax.fori_loop(0, 9, lambda _, x: x - f(x) / olympus.grad(f)(x), x)
        ...     return olympus.lax.custom_root(lambda x: x * x - a, 1.0, newton, lambda g, y: y / g(1.0))
        >>> float(root(4.0)), float(olympus.grad(root)(4.0))
        (2.0, 0.25)
    """
    name = "custom_root"
    for what, given in (("f", f), ("solve", solve), ("tangent_solve", tangent_solve)):
        function_of(name, given, what)
    leaves, structure = tree.flatten(initial_guess)
    avals = _strong(leaves)
    auxiliary: list[Any] = []

    def flat_f(*x: Any) -> list[Any]:
        return _checked(name, "f", f(tree.unflatten(structure, x)), structure, avals)

    def flat_solve(*guess: Any) -> list[Any]:
        result = solve(f, tree.unflatten(structure, guess))
        if not has_aux:
            return _checked(name, "solve", result, structure, avals)
        if not isinstance(result, tuple) or len(result) != 2:
            raise ArgumentError(name, "solve gives no pair", described(result), "(x, aux), since has_aux is True")
        more, aux_structure = tree.flatten(result[1])
        auxiliary[:] = [aux_structure]
        return [*_checked(name, "solve", result[0], structure, avals), *more]

    def flat_tangent_solve(*values: Any) -> list[Any]:
        x, right = values[:len(avals)], values[len(avals):]

        def g(v: Any) -> Any:
            given = [cast(t, a.dtype, name) if is_number(t) else t for t, a in zip(tree.leaves(v), avals, strict=False)]
            v = tree.unflatten(tree.structure(v), given)
            tangents = _checked(name, "the argument of g", v, structure, avals)
            found = _tangents(program, [*constants, *x], [*([None] * len(constants)), *tangents])
            return tree.unflatten(structure, [zeros(a) if t is None else t for t, a in zip(found, avals, strict=True)])

        return _checked(name, "tangent_solve", tangent_solve(g, tree.unflatten(structure, right)), structure, avals)

    def finished(results: Sequence[Any]) -> Any:
        solution = tree.unflatten(structure, results[:len(leaves)])
        return (solution, tree.unflatten(auxiliary[0], results[len(leaves):])) if has_aux else solution

    if is_evaluating():
        return finished(flat_solve(*map(value_of, leaves)))
    programs = _Programs()
    programs.add(flat_f, avals, "f")
    program, constants = programs.finished()[0], list(programs.constants)
    programs.add(flat_solve, avals, "solve")
    programs.add(flat_tangent_solve, [*avals, *avals], "tangent_solve")
    made = programs.finished()
    rule = _Root(made[0], made[2], len(programs.constants), len(leaves))
    return finished(bind_all(call, [*programs.constants, *leaves], {}, (annotated(made[1], rule),), False))
