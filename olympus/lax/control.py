# SPDX-License-Identifier: Apache-2.0
"""Control flow on traced values: cond, switch, while_loop, fori_loop, scan, map."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.config import config, current_version
from olympus_core.errors import ArgumentError, SplitDimensionError, TracingError, described
from olympus_core.partition import same_layout
from olympus_core.program import ArrayType, Program, SymbolicSize, Value

from ..operands import check_range, function_of, integer, set_apart, weakly
from ..tracing import Aval, Reference, Tracer, aval_of, bind, bind_all, scalar_dtype, stage
from ..tracing.high import steps_in
from ..tracing.scopes import current_scope
from ..tracing.trace import kept_calls
from ..tracing.tracebacks import entrance
from ..transforms.context import argument_axes, mesh_key
from ..transforms.shared_calls import StagedEntry, calls_of, is_for_itself, known_program
from ..trees import inside as tree
from ..typing import ArrayLike

R = TypeVar("R")
S = TypeVar("S")

__all__ = ["cond", "fori_loop", "map", "scan", "switch", "while_loop"]

_INT32 = np.dtype(np.int32)


class _Absent:
    """What a keyword holds that is not given, where None is an operand."""

    def __repr__(self) -> str:
        return "<absent>"


_ABSENT: Any = _Absent()


def _operands_of(function: str, operands: tuple[Any, ...], operand: Any) -> tuple[Any, ...]:
    """The operands, given by position or, if there is one, by name."""
    if operand is _ABSENT:
        return operands
    if operands:
        raise ArgumentError(function, "operands are given by position and by name", f"{len(operands)} by position",
                            "one way of both")
    return (operand,)


def _hidden(value: Any, **options: Any) -> Any:
    """A container without its tangents of integers, which programs do not know, and which come back with its shape."""
    if any(type(x) is np.ndarray and x.dtype.names == ("float0",) for x in tree.leaves(value)):
        from ..transforms.float0 import hidden  # few programs loop over tangents

        return hidden(value, **options)
    return value


def _in_front(steps: int, value: Any) -> Any:
    """A container whose tangents of integers get a dimension of all steps in front, as the arrays have it."""
    return tree.map(lambda x: np.zeros((steps, *x.shape), x.dtype) if type(x) is np.ndarray and x.dtype.names == (
        "float0",) else x, value)


class _Staged:
    """A Python function as a region: its program, its results' structure, what it uses from outside.

    The contents of the references that it writes, and of those that are given, are the last inputs and outputs.
    """

    def __init__(
        self, function: Callable[..., Any], avals: Sequence[Aval], structure: Any, name: str,
        axes: Sequence[frozenset[str]] | None = None, references: Sequence[Reference] = (),
    ) -> None:
        found: list[Any] = []

        def flat(*tracers: Any) -> list[Any]:
            outputs, out_tree = tree.flatten(_hidden(function(*tree.unflatten(structure, tracers))))
            found.append(out_tree)
            return outputs

        self.references = list(references)
        self.program, self.out_avals, self.captured = stage(flat, avals, name, axes, self.references)
        self.out_tree = found[0]
        self.arguments = len(avals)


    def carrying(self, references: Sequence[Reference]) -> Program:
        """The program with the contents of all these references as its last inputs and outputs, in this order."""
        program, count = self.program, len(self.references)
        start = len(program.inputs) - count
        first = dict(zip(self.references, program.inputs[start:], strict=True))
        last = dict(zip(self.references, program.outputs[len(program.outputs) - count:], strict=True))
        for reference in references:
            if reference not in first:
                first[reference] = last[reference] = Value(reference.content_aval.type)
        return Program(
            program.name, (*program.inputs[:start], *(first[r] for r in references)), program.operations,
            (*program.outputs[:len(program.outputs) - count], *(last[r] for r in references)))


def _staged(
    function: Callable[..., Any], owner: tuple[str, Any], avals: Sequence[Aval], structure: Any, name: str,
    axes: Sequence[frozenset[str]] | None = None, references: Sequence[Reference] = (),
) -> _Staged:
    """A function as a region, kept for arguments of the same types.

    Args:
        function: What is staged.
        owner: What it is made for, and the user's function of which it is made.
        avals: What is known of its flat arguments.
        structure: Their structure.
        name: The region's name.
        axes: As `stage` takes it.
        references: Likewise.
    """
    if axes is not None or references or not is_for_itself():
        return _Staged(function, avals, structure, name, axes, references)
    kept = calls_of(owner[1], ("part of", owner[0]))
    key = (structure, structure.marks, tuple(avals), tuple([a.layout for a in avals]), name, current_version(),
           mesh_key(), kept_calls.get(), current_scope())
    known = None if kept is None else known_program(kept, key)
    if known is not None:
        found: _Staged = known.about
        return found
    staged = _Staged(function, avals, structure, name)
    if kept is not None and not staged.captured and not staged.references:
        entry = StagedEntry(staged.program, staged)
        kept.remember(key, entry, entry)
    return staged


def _of_all(staged: Sequence[_Staged]) -> list[Reference]:
    """The references that functions write."""
    return list(dict.fromkeys(r for s in staged for r in s.references))


def _typed(results: Sequence[Any], avals: Sequence[Aval]) -> list[Any]:
    """Results of a loop or of branches, weakly typed where their types are weak."""
    return [weakly(x, aval.weak) for x, aval in zip(results, avals, strict=True)]


def _write(references: Sequence[Reference], contents: Sequence[Any]) -> None:
    for reference, content in zip(references, contents, strict=True):
        reference.write(content)


def _with_inputs(
    program: Program, arguments: int, before: Sequence[ArrayType], after: Sequence[ArrayType], references: int = 0
) -> Program:
    """The program with further, unused inputs around what it captured; the contents of references come last."""
    end = len(program.inputs) - references
    own, captured, contents = program.inputs[:arguments], program.inputs[arguments:end], program.inputs[end:]
    inputs = (*own, *(Value(t) for t in before), *captured, *(Value(t) for t in after), *contents)
    return Program(program.name, inputs, program.operations, program.outputs)


def _as_loop_body(program: Program, arguments: int, carried: int, references: int = 0) -> Program:
    """The program with what it captured in front, and references' contents among the carried, as loops take it."""
    end, results = len(program.inputs) - references, len(program.outputs) - references
    inputs = (*program.inputs[arguments:end], *program.inputs[:carried], *program.inputs[end:],
              *program.inputs[carried:arguments])
    outputs = (*program.outputs[:carried], *program.outputs[results:], *program.outputs[carried:results])
    return Program(program.name, inputs, program.operations, outputs)


def _as_loop_condition(program: Program, arguments: int, references: int) -> Program:
    """The program with what it captured in front, as loops take it."""
    end = len(program.inputs) - references
    inputs = (*program.inputs[arguments:end], *program.inputs[:arguments], *program.inputs[end:])
    return Program(program.name, inputs, program.operations, program.outputs)


def _name(function: Callable[..., Any], fallback: str) -> str:
    return getattr(function, "__name__", fallback)


@entrance
def switch(index: ArrayLike, branches: Sequence[Callable[..., R]], *operands: Any, operand: Any = _ABSENT) -> R:
    """Runs one of several functions, chosen by a traced index.

    Args:
        index: An integer scalar; clamped to the branches there are.
        branches: Functions of the operands whose results have the same structure and types.
        *operands: Their arguments.
        operand: Their only argument, by name.

    Returns:
        The chosen branch's result.

    Raises:
        ArgumentError: When the branches' results differ in structure or type.

    Example:
        >>> from olympus import lax
        >>> print(lax.switch(1, [lambda x: x, lambda x: x * 10], 3))
        30
    """
    operands = _operands_of("switch", operands, operand)
    if not isinstance(branches, (tuple, list)) or not branches:
        raise ArgumentError("switch", "the branches are not a list of functions",
                            described(branches), "one function or more, in a list")
    for number, branch in enumerate(branches):
        function_of("switch", branch, f"branch {number}")
    return _switch(index, branches, operands)


def _switch(index: ArrayLike, branches: Sequence[Callable[..., R]], operands: Sequence[Any], step: int = 1) -> R:
    """The same; `step`: in which order the branches are traced, which the effects that they have on Python follow."""
    chosen = aval_of(index)
    if chosen.shape or not dtypes.is_integer(chosen.dtype):
        raise ArgumentError("switch", "the index must be one integer", repr(chosen), "int32[]")
    if config.disable_jit and (known := _known(index)) is not None:
        return branches[min(max(int(known), 0), len(branches) - 1)](*operands)
    if (apart := set_apart(operands)) is not None:
        others, together = apart
        apart_of = {id(f): lambda *xs, f=f: f(*together(xs)) for f in branches}
        return _switch(index, [apart_of[id(f)] for f in branches], others, step)
    leaves, structure = tree.flatten(_hidden(operands))
    avals = [aval_of(leaf) for leaf in leaves]
    axes = argument_axes(leaves)
    # A function that is several branches is traced once.
    once = {number: _staged(f, ("switch", f), avals, structure, _name(f, "branch"), axes)
            for number, f in {id(f): f for f in branches[::step]}.items()}
    staged = [once[id(f)] for f in branches]
    for number, other in enumerate(staged[1:], 1):
        _check_alike("switch", "branch 0", f"branch {number}", staged[0], other)
    references = _of_all(staged)
    captured = [aval_of(c).type for s in staged for c in s.captured]
    regions, start = [], 0
    for s in staged:
        stop = start + len(s.captured)
        program = s.carrying(references)
        regions.append(_with_inputs(program, s.arguments, captured[:start], captured[stop:], len(references)))
        start = stop
    index = bind(ops.convert, index, dtype=_INT32) if chosen.dtype != _INT32 else index
    avals = staged[0].out_avals  # whose types are weak says the first branch
    weak = bool(avals) and all(aval.weak for aval in avals) and not references
    outside = [*(c for s in staged for c in s.captured), *(r.read() for r in references)]
    results = bind_all(ops.cond, [index, *leaves, *outside], {}, regions, weak)
    _write(references, results[len(avals):])
    own = results[:len(avals)]
    return tree.unflatten(staged[0].out_tree, own if weak else _typed(own, avals))


@entrance
def cond(
    pred: ArrayLike, true_fun: Callable[..., R], false_fun: Callable[..., R], *operands: Any, operand: Any = _ABSENT,
) -> R:
    """Runs one of two functions, chosen by a traced bool.

    The form ``cond(pred, true_operand, true_fun, false_operand, false_fun)``, an operand for each, is taken too.

    Args:
        pred: A scalar; numbers count as true when they are not zero.
        true_fun: A function of the operands.
        false_fun: Another one, whose result has the same structure and types.
        *operands: Their arguments.
        operand: Their only argument, by name.

    Returns:
        The chosen function's result.

    Raises:
        ArgumentError: When the results differ in structure or type, or `pred` is no scalar.

    Example:
        >>> from olympus import lax
        >>> print(lax.cond(True, lambda x: x + 1, lambda x: x - 1, 5))
        6
    """
    aval = aval_of(pred)
    if aval.shape:
        raise ArgumentError("cond", "the predicate must be a scalar", repr(aval), "bool[]",
                            "Reduce it with .any() or .all(), or use olympus.numpy.where for element-wise choice.")
    if len(operands) == 2 and not callable(true_fun) and callable(false_fun) and callable(operands[1]):
        first, second, on_true, on_false = true_fun, operands[0], false_fun, operands[1]
        return cond(pred, lambda x, _: on_true(x), lambda _, y: on_false(y), first, second)
    operands = _operands_of("cond", operands, operand)
    function_of("cond", true_fun, "true_fun")
    function_of("cond", false_fun, "false_fun")
    if aval.dtype != np.bool_:
        pred = bind(ops.convert, pred, dtype=np.dtype(np.bool_))
    return _switch(bind(ops.convert, pred, dtype=_INT32), [false_fun, true_fun], operands, -1)  # true_fun first


@entrance
def while_loop(cond_fun: Callable[[Any], ArrayLike], body_fun: Callable[[Any], R], init_val: Any) -> R:
    """Repeats a function of a value while a condition on it holds.

    Args:
        cond_fun: The value to a boolean scalar.
        body_fun: The value to the next one, of the same structure and types.
        init_val: The first value.

    Returns:
        The last value.

    Raises:
        ArgumentError: When the body's result differs from its argument in structure or type.

    Example:
        >>> from olympus import lax
        >>> print(lax.while_loop(lambda n: n < 100, lambda n: n * 2, 3))
        192
    """
    function_of("while_loop", cond_fun, "cond_fun")
    function_of("while_loop", body_fun, "body_fun")
    return _while_loop(cond_fun, body_fun, ("while_loop", body_fun), init_val)


def _while_loop(
    cond_fun: Callable[[Any], ArrayLike], body_fun: Callable[[Any], R], owner: tuple[str, Any], init_val: Any
) -> R:
    """The loop; `owner`: as in `_staged`."""
    if config.disable_jit:
        value: Any = init_val
        while (goes_on := _known(cond_fun(value))) is not None and goes_on:
            value = body_fun(value)
        if goes_on is not None:
            return value
        init_val = value  # from here on it depends on values that are traced
    leaves, structure = tree.flatten(init_val := _hidden(init_val))
    avals = [aval_of(leaf) for leaf in leaves]
    unary = tree.structure((init_val,))

    def step(value: Any) -> Any:
        result = _hidden(body_fun(value))
        _check_structure("while_loop", result, structure)
        return result

    body, avals, leaves = _carried("while_loop", step, owner, avals, leaves, unary)
    references = body.references
    condition = _staged(cond_fun, ("condition", cond_fun), avals, unary, _name(cond_fun, "condition"), None, references)
    if condition.references != references:
        goes, last = _while_loop(lambda state: state[0], lambda state: _goes_on(cond_fun, body_fun(state[1])),
                                 ("while_loop that writes in its condition", body_fun), _goes_on(cond_fun, init_val))
        return last
    if len(condition.out_avals) != 1 or condition.out_avals[0].shape or condition.out_avals[0].dtype != np.bool_:
        raise ArgumentError("while_loop", "the condition must give one boolean scalar", condition.out_avals, "bool[]")
    in_condition = [aval_of(c).type for c in condition.captured]
    in_body = [aval_of(c).type for c in body.captured]
    count, written = len(avals), len(references)
    predicate = Program(condition.program.name, condition.program.inputs, condition.program.operations,
                        condition.program.outputs[:1])
    regions = (
        _as_loop_condition(_with_inputs(predicate, count, (), in_body, written), count, written),
        _as_loop_body(_with_inputs(body.program, count, in_condition, (), written), count, count, written),
    )
    constants = [*condition.captured, *body.captured]
    contents = [r.read() for r in references]
    results = bind_all(ops.while_, [*constants, *leaves, *contents], {"constants": len(constants)}, regions, False)
    _write(references, results[count:])
    return tree.unflatten(structure, _typed(results[:count], avals))


@entrance
def fori_loop(
    lower: ArrayLike, upper: ArrayLike, body_fun: Callable[[Any, Any], R], init_val: Any, *,
    unroll: int | bool | None = None,
) -> R:
    """Repeats ``value = body_fun(i, value)`` for i from `lower` to `upper` (not included).

    With bounds that are Python integers, it can be differentiated in reverse.

    Args:
        lower: An integer scalar, or a floating-point one where `upper` has its type.
        upper: Likewise; of bounds that are known the fractions are dropped.
        body_fun: Index and value to the next value.
        init_val: The first value.
        unroll: Accepted for compatibility, with bounds that are known.

    Returns:
        The last value.

    Raises:
        ArgumentError: When a bound is no integer, or the loop is to be unrolled and its bounds are not known.

    Example:
        >>> from olympus import lax
        >>> print(lax.fori_loop(0, 5, lambda i, total: total + i, 0))
        10
    """
    function_of("fori_loop", body_fun, "body_fun")
    if unroll is not None:
        integer("fori_loop", unroll, "unroll", 0)
    # As with the peer, two floating-point bounds of one type count, too: the index then is such a number.
    avals = [aval_of(bound) for bound in (lower, upper)]
    floating = avals[0].dtype == avals[1].dtype and dtypes.is_float(avals[0].dtype)
    for bound, aval in zip((lower, upper), avals, strict=True):
        if type(bound) is int:
            check_range("fori_loop", bound, scalar_dtype(int))
        if aval.shape or not (floating or dtypes.is_integer(aval.dtype) or dtypes.is_bool(aval.dtype)):
            raise ArgumentError("fori_loop", "a bound is not an integer", repr(aval), "a scalar such as int32[]")
    if floating and not isinstance(lower, Tracer) and not isinstance(upper, Tracer):
        for bound in (lower, upper):
            if not np.isfinite(bound):
                raise ArgumentError("fori_loop", "a bound is not finite", described(bound), "a finite number",
                                    "Write olympus.lax.while_loop for a loop that ends by its condition.")
        lower, upper = (int(cast("Any", bound)) for bound in (lower, upper))  # known bounds lose their fractions
    if isinstance(lower, (int, np.integer)) and isinstance(upper, (int, np.integer)):
        # Of known length, so that the backward pass can keep its values.
        count = max(int(upper) - int(lower), 0)

        def known(state: Any, _: None) -> Any:
            index, value = state
            return (index + 1, body_fun(index, value)), None

        return _scan(known, ("fori_loop", body_fun), (lower, init_val), None, count)[0][1]

    if unroll is not None and unroll is not False:
        raise ArgumentError("fori_loop", "the loop cannot be unrolled, since its length is not known while tracing",
                            f"bounds {described(lower)} and {described(upper)}", "Python integers", "Leave unroll out.")

    def step(state: Any) -> Any:
        index, stop, value = state
        return index + 1, stop, body_fun(index, value)

    return _while_loop(_is_before, step, ("fori_loop", body_fun), (lower, upper, init_val))[2]


def _is_before(state: Any) -> Any:
    """The condition of `fori_loop`."""
    return state[0] < state[1]


@entrance
def scan(
    f: Callable[[Any, Any], tuple[R, S]], init: Any, xs: Any = None, length: int | None = None,
    reverse: bool = False, unroll: int | bool = 1, _split_transpose: bool = False,
) -> tuple[R, S]:
    """Runs a function along the leading dimension of arrays, handing a value from step to step.

    Args:
        f: ``carry, x -> carry, y``.
        init: The first carry.
        xs: Arrays (a nested container of them) whose leading dimension is walked along; None for none.
        length: Number of steps, needed when `xs` is None.
        reverse: Walk from the end; the results stand in the order of `xs` all the same.
        unroll: Accepted for compatibility.
        _split_transpose: Likewise.

    Returns:
        The last carry, and the `y` of all steps, stacked along a new leading dimension.

    Raises:
        ArgumentError: When leading dimensions differ, the carry changes its structure or type, or `unroll` is no count.

    Example:
        >>> from olympus import lax, numpy as jnp
        >>> total, sums = lax.scan(lambda c, x: (c + x, c + x), 0, jnp.arange(4))
        >>> print(total, sums)
        6 [0 1 3 6]
    """
    function_of("scan", f, "the first argument")
    integer("scan", unroll, "unroll", 0)
    return _scan(f, ("scan", f), init, xs, length, reverse)


def _scan(
    f: Callable[[Any, Any], tuple[R, S]], owner: tuple[str, Any], init: Any, xs: Any, length: int | None,
    reverse: bool = False,
) -> tuple[R, S]:
    """The scan; `owner`: as in `_staged`."""
    slices, xs_structure = tree.flatten(xs)
    if any(isinstance(x, Reference) for x in slices):
        return _scan_of_references(f, init, xs, length, reverse)
    tangents = [x.shape[:1] or (None,) for x in slices if type(x) is np.ndarray and x.dtype.names == ("float0",)]
    slices = tree.leaves(_hidden(xs)) if tangents else slices
    if length is not None:
        length = integer("scan", length, "the length", 0)
    lengths = {aval_of(x).shape[0] if aval_of(x).shape else None for x in slices}
    lengths |= ({length} if length is not None else set()) | {size for size, in tangents}
    if len(lengths) != 1 or None in lengths:
        raise ArgumentError("scan", "the leading dimensions must be there and equal",
                            [repr(aval_of(x)) for x in slices], "one length for all", "Pass length= when xs is None.")
    steps: Any = lengths.pop()
    steps = steps if isinstance(steps, SymbolicSize) else int(steps)
    if config.disable_jit and steps:
        return _step_by_step(f, init, xs, steps, reverse)
    leaves, structure = tree.flatten(init := _hidden(init))
    avals = [aval_of(leaf) for leaf in leaves]
    slice_avals = [_slice_aval(aval_of(x)) for x in slices]
    xs_structure = steps_in(tree.structure(_hidden(xs, skipped=1)), steps, False)
    both = tree.pair(structure, xs_structure)

    def step(carry: Any, x: Any) -> Any:
        result = f(carry, x)
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise ArgumentError("scan", "the function must give a pair (carry, y)", described(result),
                                "a tuple of two: the next carry, and what is stacked")
        carried, y = _hidden(result[0]), result[1]
        _check_structure("scan", carried, structure)
        return carried, y

    staged, avals, leaves = _carried("scan", step, owner, avals, leaves, both, slice_avals, slices)
    references, count = staged.references, len(avals)
    end = count + len(references)
    region = _as_loop_body(staged.program, count + len(slice_avals), count, len(references))
    attributes = {"constants": len(staged.captured), "carry": end, "length": steps, "reverse": bool(reverse)}
    contents = [r.read() for r in references]
    results = bind_all(ops.scan, [*staged.captured, *leaves, *contents, *slices], attributes, (region,), False)
    _write(references, results[count:end])
    ys = _typed(results[end:], staged.out_avals[count:])
    last = tree.unflatten(structure, _typed(results[:count], avals))
    return last, _in_front(steps, tree.unflatten(steps_in(staged.out_tree.children()[1], steps, True), ys))


def _goes_on(cond_fun: Callable[[Any], ArrayLike], value: Any) -> tuple[Any, Any]:
    """Whether a loop goes on with a value, and the value: a condition that writes references belongs to the step."""
    return cond_fun(value), value


def _scan_of_references(
    f: Callable[[Any, Any], Any], init: Any, xs: Any, length: int | None, reverse: bool
) -> tuple[Any, Any]:
    """The scan where references are among what is walked along: each step has one of its part."""
    leaves, structure = tree.flatten(xs)
    walked = {i: leaf for i, leaf in enumerate(leaves) if isinstance(leaf, Reference)}

    def step(carry: Any, parts: list[Any]) -> Any:
        inside = {i: type(reference)(parts[i]) for i, reference in walked.items()}
        found = f(carry, tree.unflatten(structure, [inside.get(i, x) for i, x in enumerate(parts)]))
        if not isinstance(found, tuple) or len(found) != 2:
            return found  # which is refused
        return found[0], (found[1], [reference.read() for reference in inside.values()])

    given = [leaf.read() if i in walked else leaf for i, leaf in enumerate(leaves)]
    last, (ys, contents) = _scan(step, ("scan of references", f), init, given, length, reverse)
    _write([*walked.values()], contents)
    return last, ys


def _known(x: Any) -> Any:
    """A value that Python can look at; None where it is only traced."""
    try:
        return x.item() if hasattr(x, "item") else x
    except TracingError:
        return None


def _step_by_step(f: Callable[..., Any], init: Any, xs: Any, steps: int, reverse: bool) -> tuple[Any, Any]:
    """The same as `scan`, as a loop of Python."""
    carry, ys = init, []
    for i in reversed(range(steps)) if reverse else range(steps):
        carry, y = f(carry, tree.map(operator.itemgetter(i), xs))
        ys.append(y)
    ys = [_hidden(y, front=(steps,)) for y in ys[::-1 if reverse else 1]]
    stacked = tree.map(lambda *parts: bind(ops.concatenate, *(
        bind(ops.reshape, p, shape=(1, *aval_of(p).shape)) for p in parts), dimension=0), *ys)
    return carry, stacked


@entrance
def map(f: Callable[[Any], R], xs: Any, *, batch_size: int | None = None) -> R:  # the documents' name
    """Applies a function to each index of the leading dimension, one after the other.

    Args:
        f: A function of one slice.
        xs: Arrays, a nested container of them.
        batch_size: How many indices to do at a time, by `vmap`; one for None. What is left over is a smaller batch.

    Returns:
        The results, stacked.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.lax.map(lambda row: row.sum(), jnp.arange(6).reshape(3, 2))
        Array([1, 5, 9], dtype=int32)
    """
    function_of("map", f, "the first argument")
    leaves = tree.leaves(xs)
    if not leaves:
        raise ArgumentError("map", "there are no arrays to iterate over", repr(xs), "one array or more, of one length")
    if batch_size is None:
        return scan(lambda carry, x: (carry, f(x)), None, xs)[1]
    size = integer("map", batch_size, "the size of a batch", 1)
    lengths = {aval_of(x).shape[0] if aval_of(x).shape else None for x in leaves}
    if len(lengths) != 1 or None in lengths:
        raise ArgumentError("map", "the leading dimensions must be there and equal", [repr(aval_of(x)) for x in leaves],
                            "one length for all")
    return _map_in_batches(f, xs, int(lengths.pop()), size)  # type: ignore[arg-type]


def _map_in_batches(f: Callable[[Any], R], xs: Any, length: int, size: int) -> R:
    from ..transforms.batching import vmap

    count, rest = divmod(length, size)
    batched = vmap(f)

    def part(x: Any, start: int, stop: int, shape: tuple[int, ...]) -> Any:
        own = aval_of(x).shape
        x = bind(ops.slice, x, starts=(start, *[0] * (len(own) - 1)), limits=(stop, *own[1:]), strides=(1,) * len(own))
        return bind(ops.reshape, x, shape=(*shape, *own[1:]))

    def joined(first: Any, last: Any) -> Any:
        return bind(ops.concatenate, first, last, dimension=0)

    found = last = None
    if count or not rest:
        in_batches = tree.map(lambda x: part(x, 0, count * size, (count, size)), xs)
        ys = scan(lambda carry, x: (carry, batched(x)), None, in_batches)[1]
        found = tree.map(lambda y: bind(ops.reshape, y, shape=(count * size, *aval_of(y).shape[2:])), ys)
    if rest:
        last = batched(tree.map(lambda x: part(x, count * size, length, (rest,)), xs))
    if last is None or found is None:
        return found if last is None else last  # type: ignore[return-value]
    return tree.map(joined, found, last)


def _carried(
    function_name: str, function: Callable[..., Any], owner: tuple[str, Any], avals: list[Aval], leaves: list[Any],
    structure: Any, further: Sequence[Aval] = (), slices: Sequence[Any] = (),
) -> tuple[_Staged, list[Aval], list[Any]]:
    """Stages a loop's body, `owner`; a weakly typed first carry takes the type that the body gives it."""
    for _ in range(len(avals) + 2):
        staged = _staged_body(function, owner, [*avals, *further], structure, [*leaves, *slices], len(leaves))
        found = staged.out_avals[: len(avals)]
        changed = [
            i for i, (a, b) in enumerate(zip(avals, found, strict=True))
            if a.type is not b.type or not same_layout(a.layout, b.layout)
        ]
        if not changed:  # what the body makes strong is so after the loop; inside it stays weak
            both = zip(avals, found, strict=True)
            return staged, [Aval(a.type, a.weak and b.weak, a.layout) for a, b in both], leaves
        if any(avals[i].shape != found[i].shape or not avals[i].weak for i in changed):
            break
        both = zip(avals, found, strict=True)  # what takes another type is strong
        avals = [Aval(b.type, a.weak and b.weak and a.type is b.type, a.layout) for a, b in both]
        leaves = [
            bind(ops.convert, leaf, dtype=b.dtype) if aval_of(leaf).dtype != b.dtype else leaf
            for leaf, b in zip(leaves, found, strict=True)
        ]
    lines = [f"{avals[i]!r} becomes {found[i]!r}" for i in changed]
    same = all(avals[i].type is found[i].type for i in changed)
    fix = ("Bring the first value, or the body's result, to the other's sharding with olympus.reshard(x, P(...))."
           if same else "Convert the result of the body, or the first value, with .astype.")
    raise ArgumentError(function_name, "the carried value changes its type", "; ".join(lines), "the same type", fix)


def _staged_body(
    function: Callable[..., Any], owner: tuple[str, Any], avals: Sequence[Aval], structure: Any, values: Sequence[Any],
    carried: int,
) -> _Staged:
    """Stages a loop's body; along a manual axis a carried value varies where the first one does or a later one."""
    axes = argument_axes(values)
    if axes is None:
        return _staged(function, owner, avals, structure, _name(function, "body"))
    of_results: list[frozenset[str]] = []

    def body(*arguments: Any) -> Any:
        outputs = _hidden(function(*arguments))
        of_results[:] = argument_axes(tree.leaves(outputs)) or ()
        return outputs

    while True:
        staged = _Staged(body, avals, structure, _name(function, "body"), axes)
        grown = [a | b for a, b in zip(axes[:carried], of_results, strict=False)]
        if grown == axes[:carried]:
            return staged
        axes = [*grown, *axes[carried:]]


def _check_structure(function: str, carried: Any, structure: Any) -> None:
    found = tree.structure(carried)
    if found != structure:
        raise ArgumentError(function, "the carried value changes its structure", found, structure)


def _slice_aval(aval: Aval) -> Aval:
    """What is known of one step's part of a scanned array."""
    layout = aval.layout
    if layout is not None:
        if layout.dims[0]:
            raise SplitDimensionError("scan", [repr(aval)], 0, 0, layout.dims[0])
        layout = layout.with_dims(layout.dims[1:])
    return Aval(ArrayType(aval.shape[1:], aval.dtype), aval.weak, layout)


def _check_alike(function: str, first: str, second: str, a: _Staged, b: _Staged) -> None:
    if a.out_tree != b.out_tree:
        raise ArgumentError(function, f"{first} and {second} give different structures", b.out_tree, a.out_tree)
    if [x.type for x in a.out_avals] != [x.type for x in b.out_avals]:
        raise ArgumentError(function, f"{first} and {second} give different types", b.out_avals, a.out_avals,
                            "Convert the results to one type with .astype.")
    if not all(same_layout(x.layout, y.layout) for x, y in zip(a.out_avals, b.out_avals, strict=True)):
        raise ArgumentError(function, f"{first} and {second} give different shardings", b.out_avals, a.out_avals,
                            "Bring the results to one sharding with olympus.reshard(x, P(...)).")
