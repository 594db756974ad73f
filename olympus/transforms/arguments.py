# SPDX-License-Identifier: Apache-2.0
"""The arguments of a call: which positions parameters name, and the names by which the function knows them."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.config import find_option
from olympus_core.errors import ArgumentError, LiteralRangeError, NotSupportedError, OlympusError, described

from ..array import Array
from ..tracing import EVALUATING, StagingTrace, Tracer, current_trace, use_trace
from ..tracing.values import array_behind, is_host_value, stands_for_array
from ..trees import inside as tree


def sequence_given(function: str, args: Sequence[Any], error: Exception) -> ArgumentError | None:
    """The error that names the list or tuple which was given for an array; None for another error.

    Args:
        function: The function that was called.
        args: Its arguments. A traced function sees another list, of traced values.
        error: What tracing it raised.
    """
    value = error.value if isinstance(error, ArgumentError) else None
    if not isinstance(value, (list, tuple)):
        return None
    for i, arg in enumerate(args):
        if type(arg) is type(value) and len(arg) == len(value):
            return ArgumentError(function, f"argument {i} is a {type(arg).__name__}, not an array", described(arg),
                                 "an olympus or NumPy array or a number", "Convert it with olympus.numpy.asarray.")
    return None


def call_again(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception
) -> Callable[[], Any] | None:
    """What is to be called instead of one of olympus's own functions that failed.

    Values may stand for arrays, and an integer may not fit the type that it would have as an argument of a program.

    Args:
        function: The function, jitted.
        args: The call's arguments.
        kwargs: Those by name.
        error: What the call raised.

    Returns:
        The call with the arrays, or the one step by step; None where there is nothing else to call.

    Raises:
        ArgumentError: A list or tuple was given for an array.
    """
    if isinstance(error, OlympusError):
        leaves, structure = tree.flatten((args, kwargs), is_leaf=stands_for_array)
        if any(map(stands_for_array, leaves)):
            given, named = tree.unflatten(structure, [array_behind(x) if stands_for_array(x) else x for x in leaves])
            return functools.partial(function, *given, **named)
        if isinstance(error, LiteralRangeError):
            return functools.partial(function.inline, args, kwargs)
    if (worded := sequence_given(function.name, args, error)) is not None:
        raise worded from None
    return None


def positions(function: str, given: Any, what: str) -> tuple[int, ...]:
    """The positions of arguments that a parameter such as `argnums` names: one or several; none for None.

    Args:
        function: The function that has the parameter, for errors.
        given: What the user gave.
        what: The parameter.
    """
    if given is None:
        return ()
    try:
        several = not is_position(given) and not isinstance(given, (str, bytes, Mapping))
        return tuple(map(operator.index, given if several else (given,)))
    except TypeError:
        raise ArgumentError(function, f"{what} does not name positions", described(given),
                            "an integer, or a tuple of integers: positions of arguments, from 0") from None


def is_position(given: Any) -> bool:
    """Whether a parameter such as `argnums` names one position, rather than a sequence of them."""
    return hasattr(type(given), "__index__") and not getattr(given, "ndim", 0)


def chosen_positions(function: str, argnums: Any) -> tuple[tuple[int, ...], bool]:
    """The arguments that a function is differentiated in, one or more, and whether one was given alone."""
    numbers = positions(function, argnums, "argnums")
    if not numbers:
        raise ArgumentError(function, "argnums names no argument", described(argnums),
                            "one position or more, such as 0")
    return numbers, is_position(argnums)


def call_positions(function: str, numbers: Sequence[int], what: str, count: int) -> list[int]:
    """Positions counted from the front, in a call with so many arguments by position."""
    found = [n + count if n < 0 else n for n in numbers]
    if not all(0 <= n < count for n in found) or len(set(found)) != len(found):
        raise ArgumentError(function, f"{what} names arguments that are not given by position", tuple(numbers),
                            f"different positions among the {count} given")
    return found


def function_given(function: str, given: Any) -> None:
    """Refuses what is no function where a transformation needs one."""
    if not callable(given):
        raise ArgumentError(function, "a function is needed", described(given), "a callable")


def no_generator(function: str, given: Any) -> None:
    """Refuses a generator function, whose call gives no arrays but something that makes them later."""
    if inspect.isgeneratorfunction(given):
        raise ArgumentError(function, "a generator function is given", described(given), "a function that returns",
                            "Return a list or a tuple of what it yields.")


def by_position_only(function: str, named: Mapping[str, Any]) -> None:
    """Refuses arguments by name where what is done to each argument is said by its position."""
    if named:
        raise ArgumentError(function, "arguments are taken by position", f"{', '.join(named)} by name",
                            fix="Pass them by position: in_axes, in_specs and the like count positions.")


def leaf_names(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], positions: Sequence[int] | None = None
) -> list[str]:
    """For each leaf of ``(args, kwargs)`` the parameter that it belongs to and its path in it, as users write it.

    Args:
        function: The function.
        args: Positional arguments.
        kwargs: Named arguments.
        positions: For each positional argument its number in the call, where some are left out of `args`.

    Example:
        >>> leaf_names(lambda x, *rest: None, [{"w": 1}, 2, 3], {})
        ["x['w']", 'rest[0]', 'rest[1]']
    """
    numbers = list(range(len(args))) if positions is None else list(positions)
    positional = _positional_names(function, max(numbers, default=-1) + 1)
    names = []
    for path, _ in tree.flatten_with_path((tuple(args), dict(kwargs)))[0]:
        side, argument, *inner = path
        name = positional[numbers[argument.idx]] if side.idx == 0 else str(argument.key)
        names.append(f"{name}{tree.keystr(inner)}")
    return names


def source_of(function: Callable[..., Any]) -> str:
    """A function's name, and where its text is, as debug information of jaxprs tells it."""
    name = getattr(function, "__name__", type(function).__name__)
    code = getattr(inspect.unwrap(function), "__code__", None)
    return name if code is None else f"{name} at {code.co_filename}:{code.co_firstlineno}"


def _positional_names(function: Callable[..., Any], count: int) -> list[str]:
    """Names of the first positional parameters; numbers where the function does not tell."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [f"argument {i}" for i in range(count)]
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    further = range(len(names), count)
    return [*names[:count], *(f"argument {i}" if rest is None else f"{rest}[{i - len(names)}]" for i in further)]


def names_of(what: str, given: Any) -> tuple[str, ...]:
    """The names of arguments that a parameter holds: one or several; none for None."""
    given = () if given is None else (given,) if isinstance(given, str) else given
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(name, str) for name in names):
        raise ArgumentError("jit", f"{what} does not name parameters", described(given), "a name, or a tuple of names")
    return names


def _parameters(function: Callable[..., Any]) -> tuple[list[str], set[str], bool, bool]:
    """Names of the positional parameters, of all parameters; whether any other position, and any name, is taken."""
    if isinstance(function, types.FunctionType) and not {"__wrapped__", "__signature__"} & vars(function).keys():
        # `inspect.signature` says the same and is too slow for the hundreds of functions of an import.
        code = function.__code__
        count = code.co_argcount
        names = code.co_varnames[:count + code.co_kwonlyargcount]
        return (list(names[:count]), set(names), bool(code.co_flags & inspect.CO_VARARGS),
                bool(code.co_flags & inspect.CO_VARKEYWORDS))
    parameters = list(inspect.signature(function).parameters.values())
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    kinds = {p.kind for p in parameters}
    return (positional, {p.name for p in parameters}, inspect.Parameter.VAR_POSITIONAL in kinds,
            inspect.Parameter.VAR_KEYWORD in kinds)


def static_parameters(
    function: Callable[..., Any], numbers: Iterable[int], names: Iterable[str]
) -> tuple[frozenset[int], frozenset[str]]:
    """Both the positions and the names of parameters that were given by either; what both give is left as it is."""
    numbers, names = set(numbers), set(names)
    if not numbers and not names:
        return frozenset(), frozenset()
    try:
        positional, known, takes_more, takes_any = _parameters(function)
    except (TypeError, ValueError):
        return frozenset(numbers), frozenset(names)
    if not takes_any:
        for name in names - known:
            raise ArgumentError(getattr(function, "__name__", "jit"), f"there is no parameter {name!r}",
                                sorted(names), f"names among {sorted(known)}")
    if any(n < -len(positional) or n >= len(positional) and not takes_more for n in numbers):
        raise ArgumentError(getattr(function, "__name__", "jit"), "there is no such parameter", sorted(numbers),
                            f"positions from {-len(positional)} to {len(positional) - 1}")
    numbers = {n + len(positional) if n < 0 else n for n in numbers}
    if numbers and names:
        return frozenset(numbers), frozenset(names)
    both = set(names) | {positional[n] for n in numbers if n < len(positional)}
    return frozenset(numbers | {positional.index(n) for n in both if n in positional}), frozenset(both)


def not_both(
    function: str, static: tuple[frozenset[int], frozenset[str]], donated: tuple[frozenset[int], frozenset[str]]
) -> None:
    """Refuses arguments that are static, which is no array, and donated."""
    both: list[Any] = [*sorted(static[0] & donated[0]), *sorted(static[1] & donated[1])]
    if both:
        raise ArgumentError(function, "an argument is static and donated", both,
                            "one of both: a static argument is no array, whose memory could be reused")


def unhashable(function: str, statics: Sequence[Any]) -> ArgumentError:
    """The error for static arguments that cannot be part of a key."""
    return ArgumentError(function, "a static argument cannot be hashed", statics, "hashable values",
                         "Pass a tuple instead of a list, or do not mark the argument as static.")


def plain(static: Any) -> Any:
    """A list as a tuple, and an array as the numbers in it; anything else as it is."""
    if isinstance(static, (list, tuple)):
        items = [plain(item) for item in static]
        same = isinstance(static, tuple) and all(a is b for a, b in zip(items, static, strict=True))
        return static if same else tuple(items)
    return plain(static.tolist()) if isinstance(static, (Array, np.ndarray)) else static


def with_plain_statics(
    args: tuple[Any, ...], kwargs: Mapping[str, Any], statics: tuple[frozenset[int], frozenset[str]]
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """The arguments with plain static ones; None where these are plain already, so that it would not help."""
    positional = tuple(plain(a) if i in statics[0] else a for i, a in enumerate(args))
    named = {k: plain(v) if k in statics[1] else v for k, v in kwargs.items()}
    before, after = [*args, *kwargs.values()], [*positional, *named.values()]
    return (positional, named) if any(a is not b for a, b in zip(after, before, strict=True)) else None


def with_arrays(
    args: tuple[Any, ...], kwargs: dict[str, Any], static_numbers: frozenset[int], static_names: frozenset[str]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with arrays for what stands for one.

    Args:
        args: The call's arguments.
        kwargs: Those by name.
        static_numbers: Positions of those that stay what they are.
        static_names: Names of those.
    """
    return _replaced(lambda x: array_behind(x) if stands_for_array(x) else x, args, kwargs, static_numbers,
                     static_names)


def has_beyond(leaves: Sequence[Any], *types: np.dtype) -> bool:
    """Whether a Python integer stands beside integers of a type that cannot hold it, or beside one of these types.

    As an argument of a compiled program it would wrap; step by step it is what it is, and refused where it must not be.

    Args:
        leaves: What a call is given, without what is static.
        *types: Further integer types.
    """
    numbers = [a for a in leaves if type(a) is int]
    own = [dtype for a in leaves if isinstance(dtype := getattr(a, "dtype", None), np.dtype) and dtype.kind in "iu"]
    return bool(numbers) and any(
        min(numbers) < info.min or max(numbers) > info.max for info in map(np.iinfo, (*own, *types)))


def with_values(
    args: tuple[Any, ...], kwargs: dict[str, Any], static_numbers: frozenset[int], static_names: frozenset[str]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with values of the program that is traced for host values; arrays where operations run at once.

    A user's jitted function finds what it finds when it is called from outside: Python numbers have a ``dtype``.

    Args:
        args: The call's arguments.
        kwargs: Those by name.
        static_numbers: Positions of those that stay what they are.
        static_names: Names of those.
    """
    return _replaced(value_of, args, kwargs, static_numbers, static_names)


def _replaced(
    function: Callable[[Any], Any], args: tuple[Any, ...], kwargs: dict[str, Any], static_numbers: frozenset[int],
    static_names: frozenset[str],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with others for the leaves of those that are not static."""
    return (tuple(a if i in static_numbers else tree.map(function, a) for i, a in enumerate(args)),
            {k: v if k in static_names else tree.map(function, v) for k, v in kwargs.items()})


def value_of(given: Any) -> Any:
    """A host value as a constant of the program around, or as an array where there is none; others as they are."""
    if isinstance(given, (Tracer, Array)) or not is_host_value(given):
        return given
    if isinstance(given, np.ndarray) and given.dtype.names == ("float0",):
        return given
    trace: Any = current_trace()
    while trace is not None and not isinstance(trace, StagingTrace):
        trace = getattr(trace, "parent", None)
    if trace is not None:
        return trace.lift(given)
    from .device_put import device_put  # which is made of this module

    with use_trace(EVALUATING):
        return device_put(given)


def marked_leaves(
    args: tuple[Any, ...], kwargs: Mapping[str, Any], marked: tuple[frozenset[int], frozenset[str]],
    statics: tuple[frozenset[int], frozenset[str]],
) -> list[int]:
    """The leaves, among those of all arguments that are not static, of arguments at some positions or of some names."""
    if not any(marked):
        return []
    flags: list[bool] = []
    for i, arg in enumerate(args):
        if i not in statics[0]:
            flags += [i in marked[0]] * len(tree.leaves(arg))
    for name, arg in sorted(kwargs.items()):
        if name not in statics[1]:
            flags += [name in marked[1]] * len(tree.leaves(arg))
    return [i for i, flag in enumerate(flags) if flag]


def without_statics(
    jitted: Any, compiled_for: Any, count: int, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Any, Any]:
    """The arguments of a compiled call that are arrays: static ones are left out by the caller, or are the same again.

    Args:
        jitted: The jitted function.
        compiled_for: The static arguments that it was compiled for, as its `_split` gives them.
        count: How many arrays it takes by position.
        args: The call's arguments.
        kwargs: Those by name.

    Raises:
        ArgumentError: Other static arguments are given.
    """
    names = jitted.statics[1]
    if compiled_for == ((), ()) or (len(args) == count and names.isdisjoint(kwargs)):
        return args, kwargs
    dynamic, found = jitted._split(args, kwargs)
    if found != compiled_for:
        raise ArgumentError(
            jitted.name, "was compiled for other static arguments", _shown(found), _shown(compiled_for),
            "Leave static arguments out of the call of what is compiled, or call the jitted function itself.")
    return dynamic[0], dynamic[1]


def _shown(statics: Any) -> str:
    """Static arguments as a call has them."""
    shown = [f"argument {i}: {described(value)}" for i, _, value in statics[0]]
    return ", ".join(shown + [f"{name}={described(value)}" for name, _, value in statics[1]]) or "none"


def foreign_options(function: str, given: Any) -> None:
    """Refuses compiler options that mean something here: they hold for a block, not for a function.

    Args:
        function: The function that has the parameter.
        given: The options by name, or None. Those of other compilers (``xla_...``) are taken.

    Raises:
        ArgumentError: They are no mapping.
        UnknownOptionError: There is no such option.
        NotSupportedError: It is one of `olympus.config`.
    """
    if not isinstance(given, (Mapping, type(None))):
        raise ArgumentError(function, "compiler_options are no mapping", described(given),
                            "names and values, such as {'xla_cpu_enable_fast_math': False}")
    for name in given or {}:
        if not str(name).startswith("xla_"):
            find_option(name)
            raise NotSupportedError(
                f"The option {name} in compiler_options of {function}", "it holds for a block, not for a function",
                "Set it by olympus.config.update before the calls, or give it to Lowered.compile.")


class SignatureOfFunction:
    """The signature of the function that an object stands for, where Python asks the object itself."""

    def __get__(self, instance: Any, owner: type) -> inspect.Signature:
        if instance is None:
            raise AttributeError("__signature__")
        try:
            return inspect.signature(instance.__wrapped__)
        except (TypeError, ValueError):  # there is none
            raise AttributeError("__signature__") from None
