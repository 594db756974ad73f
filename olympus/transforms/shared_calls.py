# SPDX-License-Identifier: Apache-2.0
"""What was traced of a function, and compiled for it, for all jitted functions made of it: `jit(f)(x)` in a loop."""

from __future__ import annotations

import dataclasses
import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ConcretizationError
from olympus_core.ops import constant
from olympus_core.program import Program, operations_of
from olympus_core.runtime import BoundedCache, ProgramEntry, SizedEntry, get_world, size_of

from ..array import Array
from ..tracing import Aval, JittedFunction, UsesReferences, aval_of, current_trace
from ..tracing.aval import PYTHON_SCALARS
from ..tracing.explicit import current_hidden_axes, in_manual_region
from ..tracing.scopes import without_scope
from ..tracing.staging import watching
from ..tracing.values import copy_sources, host_value
from ..trees import inside as tree
from .caches import kept
from .context import bound_axes

_LIMIT = 256  # programs of one function; what they hold lives as long as the function
_ABSENT: Any = object()
_NONE: Any = object()  # a dead weak reference says None
_END: Any = object()  # of a tuple
_UNKNOWN: Any = object()  # stands for what cannot be noted
_MOST_FUNCTIONS = 64  # that are looked through for what a function uses by way of others
# What holds nothing else, and so may be held.
_PLAIN = frozenset({object, bool, int, float, complex, str, bytes, type(None), type(Ellipsis), types.CodeType})
_lock = threading.RLock()  # what is dropped within may run anything


class HostArrays:
    """The host arrays that a program uses from outside, and that may change.

    Args:
        program: A program that was just traced: arrays that nobody holds any more were made for it alone.
    """

    __slots__ = ("_pairs",)

    def __init__(self, program: Program) -> None:
        self._pairs: list[tuple[np.ndarray, Callable[[], np.ndarray | None]]] = []
        for operation in operations_of(program) if copy_sources else ():
            copied = operation.attributes["value"] if operation.record is constant else None
            source = copy_sources.get(id(copied))
            if copied is not None and source is not None and source() is not None:
                self._pairs.append((copied, source))

    @property
    def are_unchanged(self) -> bool:
        """Whether all arrays are there, and what they were when the program was traced."""
        return all((given := source()) is not None and _is_equal(given, copied) for copied, source in self._pairs)


def _is_equal(given: np.ndarray, copied: np.ndarray) -> bool:
    """Whether an array has the content, to the bit, of which a copy was made."""
    if given.shape != copied.shape:
        return False
    now = np.ascontiguousarray(host_value(given, copied.dtype)).reshape(given.shape)
    return np.array_equal(now.reshape(-1).view(np.uint8), copied.reshape(-1).view(np.uint8))


class TracedProgram(SizedEntry):
    """A function traced for arguments of certain types.

    Attributes:
        program: Arguments first, then what was captured.
        out_avals: What is known of the flat results.
        out_tree: Their structure.
        in_avals: What is known of the arguments.
        captured: Arrays, or values of an outer trace, that the function uses from outside.
        host_arrays: Those of NumPy, of which the program has copies.
    """

    __slots__ = ("captured", "host_arrays", "in_avals", "out_avals", "out_tree", "program")

    def __init__(
        self, program: Program, out_avals: list[Aval], out_tree: Any, in_avals: list[Aval], captured: list[Any]
    ) -> None:
        self.program, self.out_avals, self.out_tree, self.captured = program, out_avals, out_tree, captured
        self.in_avals, self.host_arrays = in_avals, HostArrays(program)
        super().__init__(size_of(program))

    @property
    def weak(self) -> bool | None:
        """Whether the results are weakly typed; None where some are and some are not."""
        kinds = {aval.weak for aval in self.out_avals}
        return kinds.pop() if len(kinds) == 1 else None


class SharedCalls(BoundedCache[Any, Any]):
    """The programs of a function while what it names stays what it is.

    The function is a key of the weak dictionary below: nothing here may hold on to it.

    Args:
        named: What the function names, and what the functions among that name.
    """

    __slots__ = ("_named",)

    def __init__(self, named: list[Any]) -> None:
        super().__init__(_LIMIT)
        self._named = [_reference(value) for value in named]

    def may_hold(self, captured: Sequence[Any]) -> bool:
        """Whether a program that uses these arrays from outside belongs here.

        It does where the function names all of them, and no object by which it may have come to one in another way:
        none that may hold one, no module that has one, and no class of such a module.
        """
        if not captured:
            return True
        named, arrays = [known() for known in self._named], {id(array) for array in captured}
        return arrays <= set(map(id, named)) and all(map(_is_fixed, named)) and not any(
            id(value) in arrays for space in _spaces(named) for value in list(space.values()))

    def is_for(self, named: list[Any]) -> bool:
        """Whether the function's names still stand for the same objects."""
        return len(named) == len(self._named) and all(
            known() is value for known, value in zip(self._named, named, strict=True))


_functions: weakref.WeakKeyDictionary[Any, dict[Any, SharedCalls]] = kept(weakref.WeakKeyDictionary())


def calls_of(function: Callable[..., Any], options: tuple[Any, ...]) -> SharedCalls | None:
    """The programs that were compiled for a function with these options, or traced of it, by the keys of the calls.

    Programs with arrays from outside belong there only where the function names these (`may_hold`): another time it may
    find others. For the same reason all are forgotten when a global, a variable of an enclosing function or a default
    has become another object: the function's own, or that of a function among them.

    Args:
        function: The function.
        options: How it is jitted, or what else it is used for.

    Returns:
        The programs, each a `CompiledCall` or what was traced; None for what is no plain function: methods and other
        objects are known by what they hold. None, too, for a function with a default, or a variable of an enclosing
        function, that cannot be referred to weakly, such as a list: it would be kept alive, and may hold the function.
    """
    if type(function) is not types.FunctionType:
        return None
    own = list(_own(function))
    if not all(map(_can_be_noted, own)):
        return None
    named = list(_flat((get_world(), *own, *_globals(function), *_deeper(own))))
    with _lock:
        try:
            found = _functions.setdefault(function, {})
            shared = found.get(options)
        except TypeError:  # shardings in lists
            return None
        if shared is None or not shared.is_for(named):
            shared = found[options] = SharedCalls(named)
        return shared


def known_program(programs: BoundedCache[Any, Any], key: Any) -> Any:
    """What is kept of a function's programs for a call like this; None, too, where host arrays have changed since.

    Args:
        programs: What is kept, with the `host_arrays` that each uses from outside.
        key: The key of the call.
    """
    found = programs.get(key)
    if found is not None and found.host_arrays is not None and not found.host_arrays.are_unchanged:
        programs.forget([key])
        return None
    if found is not None:
        found.was_used = True
    return found


class StagedEntry(ProgramEntry):
    """A region that was traced, in the cache of the function's programs.

    Args:
        program: The region.
        about: What else is known of it.
    """

    __slots__ = ("host_arrays",)

    def __init__(self, program: Program, about: Any) -> None:
        super().__init__(program, size_of(program), about)
        self.host_arrays = HostArrays(program)


def forget(function: Callable[..., Any]) -> None:
    """Forgets what was compiled for a function."""
    if type(function) is types.FunctionType:
        with _lock:
            _functions.pop(function, None)


def _own(function: Any) -> Iterator[Any]:
    """What the function has: its code, the defaults, the variables of enclosing functions."""
    yield function.__code__
    yield from function.__defaults__ or ()
    for name, value in (function.__kwdefaults__ or {}).items():
        yield name
        yield value
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            yield _ABSENT


def _globals(function: Any) -> Iterator[Any]:
    """What the function's code names."""
    variables = function.__globals__
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        for name in code.co_names:
            yield variables.get(name, _ABSENT)
        codes += [constant for constant in code.co_consts if type(constant) is types.CodeType]


def _deeper(values: Iterable[Any]) -> Iterator[Any]:
    """What functions have and name that are among these values, or among what such functions have."""
    left, seen = list(_flat(values)), set[int]()
    while left:
        function = left.pop()
        if type(function) is not types.FunctionType or id(function) in seen:
            continue
        if len(seen) >= _MOST_FUNCTIONS:
            yield _UNKNOWN
            return
        seen.add(id(function))
        own = [x if _can_be_noted(x) else _UNKNOWN for x in _own(function)]
        yield from own
        yield from _globals(function)
        left += _flat(own)


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    """Values with what is in tuples, which cannot be referred to weakly and may hold the function."""
    for value in values:
        if isinstance(value, tuple) and _can_be_noted(value) and not _is_plain(value):
            yield type(value)
            yield from _flat(value)
            yield _END
        else:
            yield _NONE if value is None else value


def _is_plain(value: tuple[Any, ...]) -> bool:
    return all(type(item) in _PLAIN for item in value)


def _can_be_noted(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_can_be_noted, value))
    return type(value) in _PLAIN or type(value).__weakrefoffset__ != 0


def _is_fixed(value: Any) -> bool:
    """Whether no array can be found in a value that was not found there before."""
    if isinstance(value, tuple):
        return _is_plain(value)
    if value is _UNKNOWN or isinstance(value, types.BuiltinFunctionType):  # these may be bound to what holds arrays
        return value is not _UNKNOWN and isinstance(value.__self__, types.ModuleType)
    is_ours = isinstance(value, Array) or getattr(value, "_is_api", False) is True or value is get_world()
    return is_ours or type(value) in _PLAIN or isinstance(value, (
        type, types.FunctionType, types.ModuleType)) or _is_frozen(value)


def _is_frozen(value: Any) -> bool:
    """Whether a value is an instance of a frozen data class, with plain values alone."""
    parameters = getattr(type(value), "__dataclass_params__", None)
    if parameters is None or not parameters.frozen:
        return False
    names = [field.name for field in dataclasses.fields(value)]
    return set(getattr(value, "__dict__", ())) <= set(names) and all(
        type(getattr(value, name, value)) in _PLAIN for name in names)


def _spaces(named: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """The names of modules, and those by which methods of classes and of their instances find what they use."""
    places = [value if isinstance(value, type | types.ModuleType) else type(value) for value in named
              if isinstance(value, type | types.ModuleType) or _is_frozen(value)]
    places += [sys.modules[place.__module__] for place in places
               if isinstance(place, type) and place.__module__ in sys.modules]
    return map(vars, places)


def _reference(value: Any) -> Callable[[], Any]:
    """A reference to an object, weak where there are such: it may hold the function."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


class NotTraced(Exception):
    """A function has not been traced for arguments like these."""


def joined(jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call whose operations join the program that is traced.

    A user's function is traced for itself, once for arguments of the same types, as it is for calls that run at once.
    olympus's own functions are called step by step: they are short, and Python numbers mean more to them.

    Args:
        jitted: The function.
        args: The call's arguments.
        kwargs: Those by name.
    """
    trace: Any = current_trace()
    return bound_as_program(jitted, args, kwargs, lambda traced, operands: trace.splice(
        traced.program, operands, traced.out_avals))


def bound_as_program(
    jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any],
    run: Callable[[Any, list[Any]], list[Any]], only_known: bool = False,
) -> Any:
    """A call by what was traced of the function; the function itself is called where its trace would be another here.

    Args:
        jitted: The function.
        args: The call's arguments.
        kwargs: Those by name.
        run: Binds the operations of what was traced, given that and its program's operands.
        only_known: Whether it is not to be traced for the call.
    """
    if not jitted._is_users or jitted.is_disabled or jitted.has_shardings or not is_for_itself():
        return jitted.inline(args, kwargs)
    try:
        with without_scope():
            traced, leaves = jitted.traced(args, kwargs, only_known)
    except (NotTraced, UsesReferences):  # the contents of these are carried by the program around
        return jitted.inline(args, kwargs)
    except ConcretizationError:
        if not any(type(x) in PYTHON_SCALARS for x in tree.leaves((args, kwargs))):
            raise
        return jitted.inline(args, kwargs, as_given=True)  # within a program Python may look at Python's numbers
    operands = [*leaves, *traced.captured]
    if any(aval.layout is not None for aval in (*map(aval_of, operands), *traced.out_avals)):
        return jitted.inline(args, kwargs)  # types of values inside may be asked for by rules
    return tree.unflatten(traced.out_tree, run(traced, operands))


def is_for_itself() -> bool:
    """Whether what a function's trace gives depends on its arguments alone, and not on what surrounds it."""
    return not (watching.get() is not None or current_hidden_axes() or in_manual_region.get() or bound_axes())
