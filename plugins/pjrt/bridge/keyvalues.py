# SPDX-License-Identifier: Apache-2.0
"""The callbacks by which a library shares keys and values between the processes of a job."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Protocol

from ..errors import CODES
from .structs import STRUCTS

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_MAKE_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)


class KeyValues(Protocol):
    """The key-value store that a library uses while it creates a client, from any thread."""

    def put(self, key: bytes, value: bytes) -> None:
        """Stores a value for all processes."""

    def get(self, key: bytes, seconds: float) -> bytes:
        """The value of a key; waits for it, and raises `TimeoutError`."""

    def try_get(self, key: bytes) -> bytes:
        """The value of a key; raises `KeyError` if there is none yet."""


class KeyValueCallbacks:
    """The three callbacks of the C API; must live as long as the client.

    Args:
        values: The store.

    Attributes:
        fields: The arguments of `Client_Create` with the callbacks.
        failure: The first error of `values`, except for missing keys.
    """

    def __init__(self, values: KeyValues) -> None:
        self._values = values
        self._lent: dict[int, Any] = {}  # values that the library has not released yet
        self.failure: Exception | None = None
        self._kept = {
            "kv_get_callback": self._entry("KeyValueGetCallback", self._get),
            "kv_try_get_callback": self._entry("KeyValueTryGetCallback", self._try_get),
            "kv_put_callback": self._entry("KeyValuePutCallback", self._put),
        }
        self._deleter = _DELETER(lambda address: self._lent.pop(address or 0, None))
        self.fields = {name: ctypes.cast(entry, ctypes.c_void_p).value for name, entry in self._kept.items()}

    @property
    def lent_count(self) -> int:
        """Number of values that the library has not released."""
        return len(self._lent)

    def _entry(self, kind: str, function: Callable[[Any], None]) -> Any:
        def entry(address: int) -> int | None:
            struct: Any = STRUCTS[kind].from_address(address)
            try:
                function(struct)
            except KeyError:
                return _error(struct, "NOT_FOUND", f"there is no key {_text(struct)}")
            except TimeoutError as error:
                return _error(struct, "DEADLINE_EXCEEDED", f"key {_text(struct)} did not come: {error}")
            except Exception as error:  # noqa: BLE001  (none may propagate into the library)
                self.failure = self.failure or error
                return _error(struct, "INTERNAL", f"key {_text(struct)}: {error}")
            return None

        return _CALLBACK(entry)

    def _get(self, struct: Any) -> None:
        self._lend(struct, self._values.get(_key(struct), struct.timeout_in_ms / 1000))

    def _try_get(self, struct: Any) -> None:
        self._lend(struct, self._values.try_get(_key(struct)))

    def _put(self, struct: Any) -> None:
        self._values.put(_key(struct), ctypes.string_at(struct.value, struct.value_size))

    def _lend(self, struct: Any, value: bytes) -> None:
        memory = ctypes.create_string_buffer(value, max(len(value), 1))
        struct.value, struct.value_size = ctypes.addressof(memory), len(value)
        struct.value_deleter_callback = ctypes.cast(self._deleter, ctypes.c_void_p).value
        self._lent[struct.value] = memory


def _key(struct: Any) -> bytes:
    return ctypes.string_at(struct.key, struct.key_size)


def _text(struct: Any) -> str:
    return repr(_key(struct).decode("utf-8", "replace"))


def _error(struct: Any, code: str, text: str) -> int | None:
    """An error of the library, made by the function that it passes for this."""
    make = _MAKE_ERROR(ctypes.c_void_p.from_address(struct.callback_error).value or 0)
    raw = text.encode()
    made: int | None = make(CODES.index(code), raw, len(raw))
    return made
