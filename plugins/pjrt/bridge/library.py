# SPDX-License-Identifier: Apache-2.0
"""A PJRT library: loading, calls of its functions, negotiation of struct sizes, errors."""

from __future__ import annotations

import atexit
import ctypes
import functools
import os
import re
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from olympus_core.errors import ForkedDevicesError

from ..errors import PjrtError, PjrtLibraryError, PjrtUnimplementedError, PjrtVersionError, error_of
from .functions import FUNCTIONS, HEAD_BYTES, KNOWN_VERSION
from .structs import SIZES, SLACK, STRUCTS
from .values import NamedValue, read_values, text_at

# Releases the GIL during the call: any function may take long, or wait for a thread that needs the GIL.
_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_MISMATCH = re.compile(r"(?:Unexpected )?(?:PJRT_)?(\w+?)(?:_Args)? size: expected (\d+), got (\d+)")
_UNIMPLEMENTED = 12

addressof = ctypes.addressof
# The header and one field, with slack for newer libraries.
_Words = ctypes.c_size_t * 8


class Library:
    """The functions of one PJRT library.

    Args:
        table: The address of its table of functions.
        path: Its path, for messages.

    Attributes:
        path: Its path.
        version: Major and minor version of its C API.
        functions: Its functions by name, without prefix; missing ones are left out.
        is_leaving: The process ends, or is a forked child: nothing is destroyed any more, since the library's threads
            may be gone.
        executables: The executables that hold one of the functions.
    """

    def __init__(self, table: int, path: str) -> None:
        self.path, self._table = path, table
        self.is_leaving = False
        self.executables: weakref.WeakSet[Any] = weakref.WeakSet()
        size = ctypes.c_size_t.from_address(table).value
        major, minor = (ctypes.c_int * 2).from_address(table + 32)
        self.version = (int(major), int(minor))
        if major != KNOWN_VERSION[0]:
            raise PjrtVersionError(path, self.version, KNOWN_VERSION, "its major version is another one")
        self.functions: dict[str, Callable[[int], int | None]] = {}
        for number, name in enumerate(FUNCTIONS):
            offset = HEAD_BYTES + 8 * number
            address = ctypes.c_void_p.from_address(table + offset).value if offset + 8 <= size else None
            if address:
                self.functions[name] = _PROTOTYPE(address)
        self._sizes = dict(SIZES)
        self.call("Plugin_Initialize")
        _libraries.add(self)

    def new(self, name: str, /, **fields: Any) -> Any:
        """A zeroed struct of a kind, of the negotiated size, that keeps the memory alive to which it points.

        Bytes fill a text's pointer and size, structs their address.
        """
        struct: Any = STRUCTS[name]()
        struct.struct_size = self._sizes[name]
        kept: list[Any] = []
        for field, value in fields.items():
            if isinstance(value, bytes):
                setattr(struct, f"{field}_size", len(value))
                kept.append(value)
                value = ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value
            elif isinstance(value, (ctypes.Structure, ctypes.Array)):
                kept.append(value)
                value = addressof(value)
            setattr(struct, field, value)
        struct.kept = kept
        return struct

    def call(self, name: str, /, **fields: Any) -> Any:
        """Calls a function with its arguments by name; returns the struct with its results.

        Raises:
            PjrtError: The library's error.
        """
        function = self.functions.get(name)
        if function is None:
            version = ".".join(map(str, self.version))
            raise PjrtUnimplementedError(name, _UNIMPLEMENTED, f"{self.path} (C API {version}) has no such function")
        struct = self.new(name, **fields)
        tries = 0
        while failure := function(addressof(struct)):
            error = self.error(name, failure)
            tries += 1
            if tries > 4 or not self.agree(error, [struct, *struct.kept]):
                raise error
        return struct

    def check(self, name: str, failure: int | None) -> None:
        """Raises the error that a function returned, if any."""
        if failure:
            raise self.error(name, failure)

    def error(self, name: str, failure: int) -> PjrtError:
        """The error behind a pointer, which is destroyed."""
        functions = self.functions
        message = self.new("Error_Message", error=failure)
        functions["Error_Message"](addressof(message))
        code = self.new("Error_GetCode", error=failure)
        further = functions["Error_GetCode"](addressof(code))
        text = text_at(message.message, message.message_size)
        for pointer in (failure, further):
            if pointer:
                functions["Error_Destroy"](addressof(self.new("Error_Destroy", error=pointer)))
        return error_of(name, code.code if not further else 2, text)

    def agree(self, error: PjrtError, structs: list[Any]) -> bool:
        """Adopts the struct size that the library expects; returns whether calling again may help."""
        found = _MISMATCH.search(error.text)
        kind = found[1] if found else ""
        if found is None or kind not in self._sizes:
            return False
        expected = int(found[2])
        known = SIZES[kind]
        if expected > known and (self.version <= KNOWN_VERSION or expected > known + SLACK):
            raise PjrtVersionError(
                self.path, self.version, KNOWN_VERSION, f"its struct {kind} has {expected} bytes and not {known}"
            ) from error
        if self._sizes[kind] == expected:
            return False
        self._sizes[kind] = expected
        for struct in structs:
            if type(struct).__name__ == kind:
                struct.struct_size = expected
        return True

    def text(self, name: str, field: str, /, **fields: Any) -> str:
        """The result of a function that returns one string."""
        struct = self.call(name, **fields)
        return text_at(getattr(struct, field), getattr(struct, f"{field}_size"))

    def attributes(self) -> Mapping[str, NamedValue]:
        """The library's attributes."""
        struct = self.call("Plugin_Attributes")
        return read_values(struct.attributes, struct.num_attributes)

    def ask(self, name: str, pointer: int) -> Any:
        """Calls a function whose struct is a pointer and at most one result, faster than `call`.

        Returns:
            The struct as words: the result is word 3.
        """
        words = _Words(self._sizes[name], 0, pointer)
        failure = self.functions[name](addressof(words))
        if failure:
            error = self.error(name, failure)
            if not self.agree(error, []):
                raise error
            words[0] = self._sizes[name]
            self.check(name, self.functions[name](addressof(words)))
        return words

    def block_until_ready(self, event: int | None) -> None:
        """Waits for an event and destroys it; raises its error. The C API has no timeouts."""
        if event:
            try:
                self.ask("Event_Await", event)
            finally:
                self.destroy("Event_Destroy", event)

    def destroy(self, name: str, pointer: int | None) -> None:
        """Calls a function that destroys one object, unless the process ends."""
        if pointer and not self.is_leaving:
            self.ask(name, pointer)

    def forget_in_child(self) -> None:
        """In a forked child: makes every function raise, since it would wait for threads of the parent."""
        path, parent = self.path, os.getppid()

        def refuse(_: int) -> int | None:
            raise ForkedDevicesError(f"the PJRT library {path}", parent)

        self.is_leaving = True
        self.functions.update(dict.fromkeys(self.functions, refuse))
        for executable in list(self.executables):
            executable.forget_in_child(refuse)

    def leave(self) -> None:
        """Stops destroying objects."""
        self.is_leaving = True


_libraries: weakref.WeakSet[Library] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for library in list(_libraries):
        library.forget_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


@functools.cache  # a library can be initialised once in a process
def _load(path: str) -> Library:
    try:
        table_of = ctypes.CDLL(path).GetPjrtApi
    except OSError as error:
        raise PjrtLibraryError(path, str(error)) from error
    except AttributeError:
        raise PjrtLibraryError(path, "it does not export GetPjrtApi") from None
    table_of.restype, table_of.argtypes = ctypes.c_void_p, ()
    table = table_of()
    if not table:
        raise PjrtLibraryError(path, "GetPjrtApi gave nothing")
    library = Library(table, path)
    # Runs before the interpreter clears its modules.
    atexit.register(library.leave)
    return library


def load(path: str) -> Library:
    """The library of a file, loaded and initialised once in each process.

    Args:
        path: The file's path; a plain name is looked up as the system does.

    Raises:
        PjrtLibraryError: It cannot be loaded, or is none.
        PjrtVersionError: It speaks another major version of the C API.
        PjrtError: It cannot be initialised.
    """
    path = os.path.expanduser(path)
    return _load(os.path.realpath(path) if os.path.exists(path) else path)
