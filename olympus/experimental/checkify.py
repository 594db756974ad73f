# SPDX-License-Identifier: Apache-2.0
"""Checks inside of programs: what fails is a value that the function returns beside its result.

The state of a checked function is one vector of integers in a reference (decisions 0062 and 0063): the number of the
first check that failed, the indices of mapped dimensions at which it did, and the bits of what its message shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any, NamedTuple

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, CheckError, CheckTracedError
from olympus_core.location import user_location
from olympus_core.program import OperationRecord

from .. import lax, tree
from .. import numpy as jnp
from ..array import Array
from ..operands import function_of
from ..random import key_data
from ..tracing import Reference, Tracer, aval_of, current_trace, is_evaluating, use_trace
from ..tracing.aval import has_tangent
from ..tracing.staging import unwatched, watching
from ..transforms.device_put import device_put
from ..transforms.jit import jit

__all__ = [
    "Error", "ErrorCategory", "JaxRuntimeError", "all_checks", "automatic_checks", "check", "check_error", "checkify",
    "debug_check", "div_checks", "float_checks", "index_checks", "init_error", "nan_checks", "user_checks",
]
__dir__ = listed(__all__)

JaxRuntimeError = CheckError  # the peers' name


class ErrorCategory:
    """A kind of checks; `user_checks` and the like are sets of them.

    Args:
        name: Its name.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"ErrorCategory({self.name!r})"


user_checks = frozenset({ErrorCategory("user")})
nan_checks = frozenset({ErrorCategory("nan")})
div_checks = frozenset({ErrorCategory("div")})
index_checks = frozenset({ErrorCategory("index")})
float_checks = nan_checks | div_checks
automatic_checks = float_checks | index_checks
all_checks = automatic_checks | user_checks

# Which argument of a division is the divisor: of operations, and of functions of `olympus.numpy`.
_DIVISORS = {"div": 1, "rem": 1, "divide": 1, "true_divide": 1, "floor_divide": 1, "mod": 1, "remainder": 1, "fmod": 1,
             "divmod": 1, "reciprocal": 0}
_LEVELS = 4  # mapped dimensions whose indices are kept
_HEAD = 2 + _LEVELS  # the check's number, how many indices there are, the indices


class _Message(NamedTuple):
    """What a check says.

    Attributes:
        text: The format of the message.
        structure: That of its arguments.
        types: Shape and element type of each leaf.
        literal: Whether the text is said as it is.
        end: What is said behind a format.
    """

    text: str
    structure: Any = None
    types: tuple[tuple[tuple[int, ...], np.dtype], ...] = ()
    literal: bool = True
    end: str = " (`check` failed)"

    def shown(self, words: np.ndarray) -> str:
        """The message with the values that stand in a state."""
        if self.literal:
            return self.text
        values, start = [], 0
        for shape, dtype in self.types:
            stored = _stored(dtype)
            count = int(np.prod(shape)) * stored.itemsize // 4
            bits = np.ascontiguousarray(words[start:start + count])
            values.append(device_put(bits.view(stored).reshape(shape).astype(dtype)))
            start += count
        args, kwargs = tree.unflatten(self.structure, values)
        return self.text.format(*args, **kwargs) + self.end


class _State(Reference):
    """The state of a function that is checked, while it is traced.

    Args:
        value: The state without an error.
        categories: The kinds of checks that are made.
    """

    __slots__ = ("categories", "messages", "needed")
    has_parts = True

    def __init__(self, value: Any, categories: frozenset[str]) -> None:
        super().__init__(value)
        self.categories, self.messages, self.needed = categories, list[_Message](), 0

    def _crossing(self, trace: Any, value: Any) -> Any:
        """The state as the trace around knows it: of a mapped one that of the first index at which a check failed."""
        if not hasattr(trace, "unwrap"):
            return trace.outward(value)
        whole, is_mapped = trace.unwrap(value)
        if not is_mapped:
            return whole
        with use_trace(trace.parent):
            return self.joined(whole)

    def joined(self, contents: Any) -> Any:
        """The state of the first index at which a check failed."""
        with unwatched():
            before = self.read()  # a failure from before the mapped function is the same at all indices
            return jnp.where(before[0] != 0, before, _first(contents))

    def number(self, message: _Message) -> int:
        """The number of a check with this message."""
        if message not in self.messages:
            self.messages.append(message)
        return self.messages.index(message) + 1

    def fail(self, failed: Any, message: _Message, words: Sequence[Any] = ()) -> None:
        """Notes a failure, unless an earlier check failed: where `failed` is true."""
        before = self.read()
        room = before.shape[0] - _HEAD
        number = jnp.array([self.number(message)] + [0] * (_HEAD - 1), jnp.int32)
        parts = [word for word in words if word.shape[0]]
        count = sum(word.shape[0] for word in parts)
        self.needed = max(self.needed, count)
        if count > room:  # the function is traced again, with more room
            return
        after = jnp.concatenate([number, *parts, jnp.zeros(room - count, jnp.int32)])
        self.write(jnp.where(failed & (before[0] == 0), after, before))


_state: ContextVar[_State | None] = ContextVar("olympus_checked_state", default=None)


def _first(states: Any) -> Any:
    """Of states with a mapped dimension in front the first that is one of a failure, with its index noted."""
    index = jnp.argmax(states[:, 0] != 0).astype(jnp.int32)
    chosen = states[index]
    moved = jnp.concatenate([
        chosen[:1], jnp.minimum(chosen[1:2] + 1, _LEVELS), index[None], chosen[2:_HEAD - 1], chosen[_HEAD:]])
    return jnp.where(chosen[0] != 0, moved, chosen)


class Error:
    """Whether a checked function failed, and where: a tree whose leaf is an array.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import checkify
        >>> error, _ = checkify.checkify(lambda x: checkify.check(x > 0, "not positive"))(jnp.float32(-1))
        >>> error.get()
        'not positive (`check` failed)'
    """

    __slots__ = ("_messages", "_state")

    def __init__(self, state: Any, messages: tuple[_Message, ...]) -> None:
        self._state, self._messages = state, messages

    def get(self) -> str | None:
        """What the check that failed first says; None where none failed. A line for each mapped index where one did."""
        return "\n".join(f"{at}: {said}" if at else said for at, said in self._failures()) or None

    def _failures(self) -> Iterator[tuple[str, str]]:
        """Each failure, with the mapped index at which it was, if any."""
        states = np.zeros((0, _HEAD), np.int32) if self._state is None else np.asarray(self._state)
        for place in np.ndindex(states.shape[:-1]):
            row = states[place]
            if row[0] != 0:
                mapped = [*place, *map(int, row[2:2 + row[1]])]
                at = f"at mapped index {', '.join(map(str, mapped))}" if mapped else ""
                yield at, self._messages[int(row[0]) - 1].shown(row[_HEAD:])

    def get_exception(self) -> CheckError | None:
        """An error that says what `get` does; None where no check failed."""
        message = self.get()
        return None if message is None else CheckError(message)

    def throw(self) -> None:
        """Raises the first failure, if any: its message, with the mapped index behind it.

        Raises:
            JaxRuntimeError: When a check failed.
        """
        check_error(self)

    def __repr__(self) -> str:
        return f"Error({'traced' if isinstance(self._state, Tracer) else self.get()})"


tree.register_pytree_node(
    Error, lambda error: ((error._state,), error._messages), lambda messages, leaves: Error(leaves[0], messages))


init_error = Error(None, ())


def checkify(f: Callable[..., Any], errors: frozenset[Any] = user_checks) -> Callable[..., tuple[Error, Any]]:
    """A function that returns whether a check failed beside its result.

    NaN and division by zero are looked for in what the function does itself, in loops, branches, checkpointed
    functions, those with rules of their own and `shard_map`, of whose devices the first that failed is said. Functions
    of olympus count as one operation: their results are looked at, and divisors that the function itself hands over.
    Indices are looked at wherever elements, slices and windows are read or written by them, in functions of olympus,
    too; negative ones that count from the end are inside.

    Args:
        f: The function; its arguments are trees of arrays.
        errors: The kinds of checks: sums of `user_checks`, `nan_checks`, `div_checks` and `index_checks`.

    Returns:
        A function of the same arguments whose result is an `Error` and what `f` returns.

    Raises:
        ArgumentError: For something else than kinds of checks.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import checkify
        >>> error, result = checkify.checkify(jnp.log, errors=checkify.float_checks)(jnp.float32(-1))
        >>> error.get().startswith("nan generated by primitive: log")
        True
    """
    function_of("checkify", f, "the argument")
    if not isinstance(errors, (frozenset, set)) or not all(isinstance(x, ErrorCategory) for x in errors):
        raise ArgumentError("checkify", "errors are no kinds of checks", repr(errors), "such as checkify.float_checks")
    categories = frozenset(x.name for x in errors)
    room = [16]

    def checked(size: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Error, Any, _Room]:
        return _checked(f, categories, size, args, kwargs)

    checked.__name__ = getattr(f, "__name__", "checked")
    jitted = jit(checked, static_argnums=0)

    @wraps(f)
    def call(*args: Any, **kwargs: Any) -> tuple[Error, Any]:
        while True:
            size = room[0]
            error, result, needed = jitted(size, args, kwargs)
            if needed.words <= size:
                return error, result
            room[0] = max(needed.words, room[0])  # a message shows more: the function is traced again

    return call


class _Room:
    """How many words the messages of a function need: a tree without leaves."""

    __slots__ = ("words",)

    def __init__(self, words: int) -> None:
        self.words = words


tree.register_pytree_node(_Room, lambda room: ((), room.words), lambda words, _: _Room(words))


def _checked(
    f: Callable[..., Any], categories: frozenset[str], size: int, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Error, Any, _Room]:
    """What a function gives, and its checks; apart from the function that is returned, which may be pickled."""
    state = _State(jnp.zeros(_HEAD + size, jnp.int32), categories)
    token = _state.set(state)
    watched = watching.set(_Watcher(state) if categories & {"nan", "div", "index"} else None)
    try:
        result = f(*args, **kwargs)
    finally:
        watching.reset(watched)
        _state.reset(token)
    return Error(state.read(), tuple(state.messages)), result, _Room(state.needed)


def check(pred: Any, msg: str, *fmt_args: Any, debug: bool = False, **fmt_kwargs: Any) -> None:
    """Checks that a predicate holds, in a function that `checkify` is applied to.

    Args:
        pred: A bool, also a traced one.
        msg: What is said where it is false: a format of `str.format`.
        *fmt_args: Trees of arrays that the message shows.
        debug: Whether the check is left out where no `checkify` is around.
        **fmt_kwargs: Likewise, by name. Of keys of random numbers their words are shown.

    Raises:
        JaxRuntimeError: When it is false, outside of any traced function.
        CheckTracedError: In a traced function to which no `checkify` is applied.
        ArgumentError: When the predicate is no bool, or what the message shows is no array.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import checkify
        >>> def root(x):
        ...     checkify.check(x >= 0, "{x} has no root", x=x)
        ...     return jnp.sqrt(x)
        >>> error, _ = olympus.jit(checkify.checkify(root))(jnp.float32(-4))
        >>> error.get()
        '-4.0 has no root (`check` failed)'
    """
    if not isinstance(msg, str):
        raise ArgumentError("checkify.check", "the message is no text", type(msg).__name__, "a str")
    aval = _aval(pred, "the predicate")
    if aval.shape or aval.dtype != np.bool_:
        raise ArgumentError("checkify.check", "the predicate is not one bool", repr(aval), "such as jnp.all(x > 0)")
    leaves, structure = tree.flatten((fmt_args, fmt_kwargs))
    leaves = [key_data(leaf) if _is_key(leaf) else leaf for leaf in leaves]
    types = []
    for leaf in leaves:
        shown = _aval(leaf, "what a message shows")
        types.append((shown.shape, shown.dtype))
    # A format that does not fit is an error now, and not when a check fails.
    _Message(msg, structure, tuple(types), False).shown(np.zeros(sum(
        int(np.prod(s)) * _stored(t).itemsize // 4 for s, t in types), np.int32))
    state = _state.get()
    if state is None:
        if debug:
            return
        if not is_evaluating() or isinstance(pred, Tracer):
            raise CheckTracedError("checkify.check", msg)
        if not bool(pred):
            shown = tree.unflatten(structure, [device_put(leaf) for leaf in leaves])
            raise CheckError(f"{msg.format(*shown[0], **shown[1])} (`check` failed)")
        return
    if "user" in state.categories:
        with unwatched():
            message = _Message(msg, structure, tuple(types), False)
            state.fail(jnp.logical_not(pred), message, [_words(x) for x in leaves])


def debug_check(pred: Any, msg: str, *fmt_args: Any, **fmt_kwargs: Any) -> None:
    """Like `check`, and nothing where no `checkify` is around.

    Args:
        pred: A bool, also a traced one.
        msg: What is said where it is false: a format of `str.format`.
        *fmt_args: Trees of arrays that the message shows.
        **fmt_kwargs: Likewise, by name.

    Raises:
        ArgumentError: As `check`.

    Example:
        >>> from olympus.experimental import checkify
        >>> checkify.debug_check(False, "nobody looks")
    """
    check(pred, msg, *fmt_args, debug=True, **fmt_kwargs)


def check_error(error: Error) -> None:
    """Raises an error if a check failed; in a function that `checkify` is applied to the failure is one of it.

    Args:
        error: What a checked function returned.

    Raises:
        JaxRuntimeError: When a check failed, outside of any traced function.
        CheckTracedError: In a traced function to which no `checkify` is applied.
        ArgumentError: For what is no `Error`.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import checkify
        >>> error, _ = checkify.checkify(jnp.sqrt)(jnp.float32(4))
        >>> checkify.check_error(error)
    """
    if not isinstance(error, Error):
        raise ArgumentError("check_error", "an Error is taken", type(error).__name__, "what a checked function gave")
    state = _state.get()
    if state is None:
        if not is_evaluating() or isinstance(error._state, Tracer):
            raise CheckTracedError("check_error", "an error")
        for at, said in error._failures():  # programs look for the message at the start of what is raised
            raise CheckError(f"{said} ({at})" if at else said)
        return
    if "user" not in state.categories:
        return
    with unwatched():
        found = error._state
        while found.ndim > 1:
            found = lax.map(_first, found) if found.ndim > 2 else _first(found)
        before, room = state.read(), found.shape[0] - _HEAD
        state.needed = max(state.needed, room)
        numbers = jnp.array([0, *map(state.number, error._messages)], jnp.int32)
        size = before.shape[0] - _HEAD
        if room > size:  # the function is traced again, with more room
            return
        found = jnp.concatenate([numbers[found[0]][None], found[1:], jnp.zeros(size - room, jnp.int32)])
        state.write(jnp.where((before[0] == 0) & (found[0] != 0), found, before))


def _aval(value: Any, what: str) -> Any:
    """What is known of an argument, which is an array or a number."""
    if not isinstance(value, (Array, Tracer, np.ndarray, np.generic, bool, int, float, complex)):
        raise ArgumentError("checkify.check", f"{what} is no array", f"{value!r} of type {type(value).__name__}",
                            "arrays and numbers")
    aval = aval_of(value)
    if not (aval.dtype == np.bool_ or dtypes.is_integer(aval.dtype) or dtypes.is_float(aval.dtype)
            or dtypes.is_complex(aval.dtype)):
        raise ArgumentError("checkify.check", f"{what} is no number", repr(aval), "arrays of numbers")
    return aval


def _is_key(value: Any) -> bool:
    """Whether a message shows keys of random numbers: of them it shows the words."""
    return isinstance(value, (Array, Tracer)) and dtypes.is_key(value.dtype)


def _stored(dtype: np.dtype) -> np.dtype:
    """The element type in which values of another one stand in a state."""
    if dtypes.is_complex(dtype) or dtype.itemsize >= 4:
        return dtype
    return np.dtype(np.float32) if dtypes.is_float(dtype) else np.dtype(np.int32)


def _words(value: Any) -> Any:
    """The bits of an array as a vector of int32."""
    dtype = aval_of(value).dtype
    flat = lax.stop_gradient(jnp.ravel(jnp.asarray(value, dtype)).astype(_stored(dtype)))
    if dtypes.is_complex(dtype):
        flat = jnp.ravel(jnp.stack([flat.real, flat.imag], -1))
    return jnp.ravel(lax.bitcast_convert_type(flat, jnp.int32))


class _Watcher:
    """What looks at the operations of a function for NaN, division by zero and indices outside.

    Args:
        state: Where failures are noted.
    """

    def __init__(self, state: _State) -> None:
        self._state = state

    def __call__(
        self, name: str, record: OperationRecord | None, operands: Sequence[Any], results: Sequence[Any],
        attributes: Mapping[str, Any],
    ) -> None:
        """Looks at an operation, or at a call of a function of olympus."""
        state, where = self._state, user_location()
        with unwatched():
            if "index" in state.categories and record is not None:
                self._indices(name, operands, attributes, where)
            divisor = _DIVISORS.get(name)
            if "div" in state.categories and divisor is not None and len(operands) > divisor:
                state.fail(jnp.any(jnp.equal(operands[divisor], 0)), _Message(f"division by zero at {where}."))
            if "nan" in state.categories:
                looked_at: list[Any] = tree.leaves(list(results))
                for result in looked_at:
                    if isinstance(result, Tracer) and result._trace is current_trace() and has_tangent(result.aval):
                        found: Any = result
                        state.fail(jnp.any(jnp.isnan(found)),
                                   _Message(f"nan generated by primitive: {name} at {where}."))

    def inside(
        self, name: str, record: OperationRecord | None, operands: Sequence[Any], results: Sequence[Any],
        attributes: Mapping[str, Any],
    ) -> None:
        """Looks at an operation of a function of olympus: only at indices, since NaN may be what is selected from."""
        if record is None or name not in _INDEXED or "index" not in self._state.categories:
            return
        where = user_location()
        with unwatched():
            self._indices(name, operands, attributes, where)

    def _indices(self, name: str, operands: Sequence[Any], attributes: Mapping[str, Any], where: Any) -> None:
        find = _INDEXED.get(name)
        for axis, index, last in () if find is None else find(operands, attributes):
            flat = jnp.ravel(jnp.asarray(index))
            outside = (flat < 0) | (flat > last) if flat.size else jnp.zeros(1, bool)
            size = operands[0].shape[axis]
            shown = flat[jnp.argmax(outside)] if flat.size else jnp.int32(0)
            structure = tree.structure(((0,), {}))
            message = _Message(
                f"out-of-bounds indexing for array of shape {operands[0].shape}: index {{}} is out of bounds for axis "
                f"{axis} with size {size}", structure, (((), aval_of(shown).dtype),), False, f" at {where}.")
            self._state.fail(jnp.any(outside), message, [_words(shown)])


_Looked = list[tuple[int, Any, int]]  # for each dimension: its number, the indices, the greatest that is inside


def _gathered(operands: Sequence[Any], attributes: Mapping[str, Any]) -> _Looked:
    """What a gather reads."""
    x, indices = operands
    sizes = attributes["slice_sizes"]
    return [(d, indices[..., k], x.shape[d] - sizes[d]) for k, d in enumerate(attributes["start_index_map"])]


def _scattered(operands: Sequence[Any], attributes: Mapping[str, Any]) -> _Looked:
    """What a scatter writes."""
    x, indices, updates = operands
    gone = {*attributes["inserted_window_dims"], *attributes["operand_batching_dims"]}
    kept = [d for d in range(x.ndim) if d not in gone]
    sizes = {d: updates.shape[w] for d, w in zip(kept, attributes["update_window_dims"], strict=True)}
    places = enumerate(attributes["scatter_dims_to_operand_dims"])
    return [(d, indices[..., k], x.shape[d] - sizes.get(d, 1)) for k, d in places]


def _sliced(operands: Sequence[Any], attributes: Mapping[str, Any]) -> _Looked:
    """What a slice with a computed start reads."""
    x, *starts = operands
    return [(d, start, n - m) for d, (start, n, m) in enumerate(zip(starts, x.shape, attributes["sizes"], strict=True))]


def _written(operands: Sequence[Any], attributes: Mapping[str, Any]) -> _Looked:
    """What an update of a window with a computed start writes."""
    x, window, *starts = operands
    return [(d, start, n - m) for d, (start, n, m) in enumerate(zip(starts, x.shape, window.shape, strict=True))]


_INDEXED: dict[str, Callable[[Sequence[Any], Mapping[str, Any]], _Looked]] = {
    "gather": _gathered, "scatter": _scattered, "dynamic_slice": _sliced, "dynamic_update_slice": _written}
