# SPDX-License-Identifier: Apache-2.0
"""What a foreign function may call: errors, state, types, threads, memory, futures; structures as in C.

Layouts are those of version 0.3 of XLA's interface (`include/xla/ffi/api/c_api.h`).
"""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ctypes import Structure, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p
from functools import cache
from typing import Any

MAJOR, MINOR = 0, 3
STAGES = ("instantiate", "prepare", "initialize", "execute")  # in the order of their numbers
INSTANTIATE, EXECUTE = 0, 3
INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, UNIMPLEMENTED, INTERNAL = 3, 4, 5, 6, 12, 13
PATIENCE = 1800.0  # seconds that the end of a call which goes on after its handler is waited for, as for processes
OF_ANY: list[Any] = [("struct_size", c_size_t), ("extension_start", c_void_p)]
FUNCTION = ctypes.CFUNCTYPE(c_void_p, c_void_p)
_TASK = ctypes.CFUNCTYPE(None, c_void_p)
Handler = Callable[[Any], Any]


class Version(Structure):
    """Of the interface."""

    _fields_ = [*OF_ANY, ("major", c_int), ("minor", c_int)]


class Span(Structure):
    """A text of C with its length."""

    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]

    @property
    def text(self) -> str:
        """The text."""
        return ctypes.string_at(self.ptr, self.len).decode(errors="replace")


class _ErrorArguments(Structure):
    _fields_ = [*OF_ANY, ("message", c_char_p), ("code", c_int)]


class _MessageArguments(Structure):
    _fields_ = [*OF_ANY, ("error", c_void_p), ("message", c_char_p)]


class _HandlerArguments(Structure):
    _fields_ = [*OF_ANY, ("name", Span), ("platform", Span), ("stages", c_void_p * 4), ("traits", c_uint32)]


class _TypeInfo(Structure):
    _fields_ = [*OF_ANY, ("deleter", c_void_p)]


class _TypeArguments(Structure):
    _fields_ = [*OF_ANY, ("name", Span), ("type_id", c_void_p), ("info", c_void_p)]


class _StateArguments(Structure):
    _fields_ = [*OF_ANY, ("ctx", c_void_p), ("stage", c_int), ("type_id", c_void_p), ("state", c_void_p)]


class _MemoryArguments(Structure):
    _fields_ = [*OF_ANY, ("ctx", c_void_p), ("size", c_size_t), ("alignment", c_size_t), ("data", c_void_p)]


class _FreeArguments(Structure):
    _fields_ = [*OF_ANY, ("ctx", c_void_p), ("size", c_size_t), ("data", c_void_p)]


class _TaskArguments(Structure):
    _fields_ = [*OF_ANY, ("ctx", c_void_p), ("task", c_void_p), ("data", c_void_p)]


class _CountArguments(Structure):
    _fields_ = [*OF_ANY, ("ctx", c_void_p), ("count", c_void_p)]


class _FutureArguments(Structure):
    _fields_ = [*OF_ANY, ("future", c_void_p), ("error", c_void_p)]


class _RunArguments(Structure):
    _fields_ = [*OF_ANY, ("ctx", c_void_p), ("run_id", c_int64)]


class Refused(Exception):  # it becomes the error that the foreign function gets
    """A call of the interface that is wrong.

    Args:
        code: The kind of error.
        message: What is wrong.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


_errors: dict[int, tuple[int, bytes]] = {}
_numbers = itertools.count(1)
_lock = threading.Lock()
_type_ids: dict[str, int] = {}
_deleters: dict[int, int] = {}  # of types by their numbers; 0 where there is none
_contexts: dict[int, Context] = {}
_futures: dict[int, Future] = {}


class Registration:
    """How a library registers its handlers itself; `targets` says it, which knows the names."""

    __slots__ = ("handler",)
    handler: Callable[[str, str, dict[str, int]], None]


REGISTRATION = Registration()


class States:
    """Objects of a foreign function by the stage that made them; deleted with this, by their types' own functions."""

    def __init__(self) -> None:
        self._of_stage: dict[int, tuple[int, int]] = {}
        self._delete = weakref.finalize(self, _delete_all, self._of_stage)

    def set(self, stage: int, type_id: int, address: int) -> None:
        """Keeps an object."""
        if stage in self._of_stage:
            raise Refused(ALREADY_EXISTS, f"there is a state of the stage {STAGES[stage]}")
        self._of_stage[stage] = (type_id, address)

    def get(self, stage: int, type_id: int) -> int:
        """The object that a stage has made."""
        found = self._of_stage.get(stage)
        if found is None:
            raise Refused(NOT_FOUND, f"no state was set in the stage {STAGES[stage]}")
        if found[0] != type_id:
            raise Refused(INVALID_ARGUMENT, f"the state has type {found[0]}, and type {type_id} is asked for")
        return found[1]

    def end(self) -> None:
        """Deletes the objects."""
        self._delete()


def _delete_all(of_stage: dict[int, tuple[int, int]]) -> None:
    for type_id, address in of_stage.values():
        if _deleters.get(type_id):
            _TASK(_deleters[type_id])(address)
    of_stage.clear()


class Instance:
    """One foreign call of a program: what its first stage has made lives as long as this."""

    def __init__(self) -> None:
        self.states = States()
        self._number = next(_numbers)
        self._lock = threading.Lock()
        self._is_made = False

    def make(self, instantiate: Callable[[], None]) -> None:
        """Runs the first stage, unless it has run."""
        with self._lock:
            if not self._is_made:
                instantiate()
                self._is_made = True

    def __repr__(self) -> str:
        return f"instance {self._number}"  # part of programs' texts: calls with own states are told apart


class Context:
    """What belongs to one execution of a foreign call; `with` ends it.

    Args:
        instance: The call.
    """

    def __init__(self, instance: Instance) -> None:
        self.number = next(_numbers)
        self._instance, self._states = instance, States()
        self.memory: dict[int, Any] = {}

    def __enter__(self) -> Context:
        _contexts[self.number] = self
        return self

    def __exit__(self, *error: object) -> None:
        del _contexts[self.number]
        self._states.end()

    def states(self, stage: int) -> States:
        """Where the objects of a stage are kept."""
        if not INSTANTIATE <= stage <= EXECUTE:
            raise Refused(INVALID_ARGUMENT, f"there is no stage {stage}")
        return self._instance.states if stage == INSTANTIATE else self._states


class Future:
    """A result that is there later."""

    def __init__(self) -> None:
        self.number = next(_numbers)
        self.is_there = threading.Event()
        self.error = 0
        self.used: Any = None


def error_of(code: int, message: bytes) -> int:
    """A new error's number, which foreign functions get for its address."""
    number = next(_numbers)
    _errors[number] = (code, message)
    return number


def taken_error(number: int) -> tuple[int, bytes]:
    """The kind and the message of an error that a foreign function has given back."""
    return _errors.pop(number, (2, b"an error that olympus.ffi has not made"))


def awaited(number: int, used: Any) -> int:
    """Waits for a future that a foreign function has given back; gives the number of its error, or 0.

    Args:
        number: The future's.
        used: What those who will end it may still read and write: it lives until they have.
    """
    future = _futures.get(number)
    if future is None:
        return error_of(INVALID_ARGUMENT, b"the call frame has a future that olympus.ffi has not made")
    future.used = used
    if not future.is_there.wait(PATIENCE):
        return error_of(DEADLINE_EXCEEDED, f"nobody has ended its future in {PATIENCE:g} s".encode())
    del _futures[number]
    return future.error


def register_type(name: str, type_id: int, info: int) -> None:
    """Gives a type of states a number.

    Args:
        name: Its name.
        type_id: The address where the number stands, or 0 for a new one, which is then written there.
        info: The address of what is known of the type; 0 for nothing.
    """
    stored = c_int64.from_address(type_id)
    with _lock:
        known = _type_ids.get(name)
        if known is None:
            if stored.value in _deleters:
                raise Refused(ALREADY_EXISTS, f"another type has the number {stored.value}")
            known = _type_ids[name] = stored.value or next(n for n in itertools.count(1) if n not in _deleters)
            _deleters[known] = _TypeInfo.from_address(info).deleter or 0 if info else 0
        elif stored.value not in (0, known):
            raise Refused(ALREADY_EXISTS, f"the type {name} has the number {known}")
        stored.value = known


def _context(number: int | None) -> Context:
    found = _contexts.get(number or 0)
    if found is None:
        raise Refused(INVALID_ARGUMENT, "the execution context is none, or its call has ended")
    return found


def _type(address: int) -> int:
    number = c_int64.from_address(address).value
    if number not in _deleters:
        raise Refused(NOT_FOUND, f"no type with the number {number} is registered")
    return number


def _create(address: int) -> int:
    given = _ErrorArguments.from_address(address)
    return error_of(given.code, given.message or b"")


def _message(address: int) -> None:
    given = _MessageArguments.from_address(address)
    given.message = _errors[given.error][1]


def _destroy(address: int) -> None:
    _errors.pop(_MessageArguments.from_address(address).error, None)


def _register_handler(address: int) -> None:
    given = _HandlerArguments.from_address(address)
    REGISTRATION.handler(given.name.text, given.platform.text, {
        stage: number for stage, number in zip(STAGES, given.stages, strict=True) if number})


def _register_type(address: int) -> None:
    given = _TypeArguments.from_address(address)
    register_type(given.name.text, given.type_id, given.info or 0)


def _get_of_context(address: int) -> None:
    raise Refused(NOT_FOUND, "nobody has put an object of this type into the execution context")


def _set_state(address: int) -> None:
    given = _StateArguments.from_address(address)
    _context(given.ctx).states(given.stage).set(given.stage, _type(given.type_id), given.state or 0)


def _get_state(address: int) -> None:
    given = _StateArguments.from_address(address)
    given.state = _context(given.ctx).states(given.stage).get(given.stage, _type(given.type_id))


def _allocate(address: int) -> None:
    given = _MemoryArguments.from_address(address)
    if given.alignment & given.alignment - 1:
        raise Refused(INVALID_ARGUMENT, f"an alignment of {given.alignment} is no power of two")
    alignment = max(given.alignment, 1)
    memory = ctypes.create_string_buffer(given.size + alignment)
    start = -(-ctypes.addressof(memory) // alignment) * alignment
    _context(given.ctx).memory[start] = memory
    given.data = start


def _free(address: int) -> None:
    given = _FreeArguments.from_address(address)
    if given.data and _context(given.ctx).memory.pop(given.data, None) is None:
        raise Refused(INVALID_ARGUMENT, "memory is freed that this call has not allocated")


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_thread_count(), thread_name_prefix="olympus-ffi")


def _thread_count() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _schedule(address: int) -> None:
    given = _TaskArguments.from_address(address)
    _pool().submit(_TASK(given.task), given.data)


def _count_threads(address: int) -> None:
    c_int64.from_address(_CountArguments.from_address(address).count).value = _thread_count()


def _create_future(address: int) -> None:
    future = Future()
    _futures[future.number] = future
    _FutureArguments.from_address(address).future = future.number


def _future_is_there(address: int) -> None:
    _end_future(_FutureArguments.from_address(address).future, 0)


def _future_has_failed(address: int) -> None:
    given = _FutureArguments.from_address(address)
    _end_future(given.future, given.error or error_of(INTERNAL, b"a future was ended by an error that is none"))


def _end_future(number: int | None, error: int) -> None:
    future = _futures.get(number or 0)
    if future is None or future.is_there.is_set():
        raise Refused(INVALID_ARGUMENT, "the future is none, or has ended")
    future.error, future.used = error, None
    future.is_there.set()


def _run_id(address: int) -> None:
    given = _RunArguments.from_address(address)
    given.run_id = _context(given.ctx).number


def _not_there(what: str) -> Callable[[int], None]:
    def refuse(address: int) -> None:
        raise Refused(UNIMPLEMENTED, what)

    return refuse


def _guarded(function: Callable[[int], Any]) -> Any:
    """The function for C: what it raises is an error that it gives back."""
    def call(address: int) -> int | None:
        try:
            found: int | None = function(address)
            return found
        except Refused as error:
            return error_of(error.code, str(error).encode())
        except Exception as error:  # noqa: BLE001  # there is nobody above it who could catch it
            return error_of(INTERNAL, f"{type(error).__name__}: {error}".encode())

    return FUNCTION(call)


_FUNCTIONS = [_guarded(f) for f in (
    _create, _message, _destroy, _register_handler, _not_there("there is no stream: calls run on the host"),
    _register_type, _get_of_context, _set_state, _get_state, _allocate, _free, _schedule, _count_threads,
    _create_future, _future_is_there, _future_has_failed, _run_id,
    _not_there("a call runs on the host, with the values of all devices"))]


class _Interface(Structure):
    _fields_ = [*OF_ANY, ("version", Version), ("internal", c_void_p), ("functions", c_void_p * len(_FUNCTIONS))]


def _made() -> _Interface:
    made = _Interface()
    made.struct_size = ctypes.sizeof(_Interface)
    made.version = Version(ctypes.sizeof(Version), None, MAJOR, MINOR)
    for i, function in enumerate(_FUNCTIONS):
        made.functions[i] = ctypes.cast(function, c_void_p).value
    return made


API = _made()
