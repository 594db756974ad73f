# SPDX-License-Identifier: Apache-2.0
"""Keys and values that a library shares between processes: the C functions, and the meetings behind them.

The CPU library takes the functions and never calls them, so a library made of functions of this process does.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from olympus_core.errors import JobAbortedError, ProcessLostError
from olympus_core.toolkit import SharedKeyValues
from olympus_pjrt.bridge import Client, load
from olympus_pjrt.bridge.functions import FUNCTIONS, HEAD_BYTES, KNOWN_VERSION
from olympus_pjrt.bridge.keyvalues import KeyValueCallbacks
from olympus_pjrt.bridge.library import Library
from olympus_pjrt.bridge.structs import SIZES, STRUCTS
from olympus_pjrt.errors import PjrtError, PjrtMissingError
from tests.conformance.broken.jobs import Hub, ThreadRendezvous

from ..libraries import cpu_library

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
MAKE_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Sharing:
    """A library whose clients are made by a function of the test's, which is given the three functions.

    Args:
        create: Called while a client is made.
    """

    def __init__(self, create: Callable[[Sharing, Any], int | None]) -> None:
        self.errors: dict[int, tuple[int, bytes]] = {}
        self.create = create
        functions = {
            "Plugin_Initialize": lambda _: None, "Error_Message": self._message, "Error_GetCode": self._code,
            "Error_Destroy": lambda a: self.errors.pop(STRUCTS["Error_Destroy"].from_address(a).error) and None,
            "Client_Create": self._create, "Client_Destroy": lambda _: None,
            "Client_AddressableDevices": lambda _: None, "Client_Devices": lambda _: None,
        }
        self.kept = [FUNCTION(f) for f in functions.values()]
        self.table = (ctypes.c_size_t * (5 + len(FUNCTIONS)))()
        self.table[0] = HEAD_BYTES + 8 * len(FUNCTIONS)
        (ctypes.c_int * 2).from_address(ctypes.addressof(self.table) + 32)[:] = KNOWN_VERSION
        for name, function in zip(functions, self.kept, strict=True):
            self.table[5 + FUNCTIONS.index(name)] = ctypes.cast(function, ctypes.c_void_p).value or 0
        self.make_error = MAKE_ERROR(self._make)
        self.error_slot = ctypes.c_void_p(ctypes.cast(self.make_error, ctypes.c_void_p).value)
        self.library: Any = Library(ctypes.addressof(self.table), "made here")
        self.library.made = self  # its functions live as long as it does

    def _make(self, code: int, text: int, size: int) -> int:
        number = 1 + len(self.errors)
        self.errors[number] = code, ctypes.string_at(text, size)
        return number

    def _message(self, address: int) -> None:
        struct: Any = STRUCTS["Error_Message"].from_address(address)
        self.text = ctypes.create_string_buffer(self.errors[struct.error][1])
        struct.message, struct.message_size = ctypes.addressof(self.text), len(self.errors[struct.error][1])

    def _code(self, address: int) -> None:
        struct: Any = STRUCTS["Error_GetCode"].from_address(address)
        struct.code = self.errors[struct.error][0]

    def _create(self, address: int) -> int | None:
        struct: Any = STRUCTS["Client_Create"].from_address(address)
        struct.client = 77
        return self.create(self, struct)

    def call(self, functions: Any, name: str, key: bytes, **fields: Any) -> tuple[int | None, bytes]:
        """Calls one of the three as a library would: the error, or the value, which it gives back at once."""
        kind = {"get": "KeyValueGetCallback", "try_get": "KeyValueTryGetCallback", "put": "KeyValuePutCallback"}[name]
        struct: Any = STRUCTS[kind]()
        struct.struct_size = SIZES[kind]
        struct.callback_error = ctypes.addressof(self.error_slot)
        struct.user_arg = getattr(functions, f"kv_{name}_user_arg")
        held = ctypes.create_string_buffer(key)
        struct.key, struct.key_size = ctypes.addressof(held), len(key)
        if "value" in fields:
            value = ctypes.create_string_buffer(fields["value"], max(len(fields["value"]), 1))
            struct.value, struct.value_size = ctypes.addressof(value), len(fields["value"])
        if "timeout" in fields:
            struct.timeout_in_ms = fields["timeout"]
        failure = FUNCTION(getattr(functions, f"kv_{name}_callback"))(ctypes.addressof(struct))
        if failure or name == "put":
            return failure, b""
        found = ctypes.string_at(struct.value, struct.value_size)
        DELETER(struct.value_deleter_callback)(struct.value)
        return None, found


def together(count: int, work: Callable[[ThreadRendezvous], Any]) -> list[Any]:
    """What becomes of some work in several processes; these are threads."""
    hub = Hub(count)
    with ThreadPoolExecutor(count) as pool:
        return [future.result(60) for future in [pool.submit(work, ThreadRendezvous(hub, i)) for i in range(count)]]


def test_values_go_round_while_clients_are_made() -> None:
    """As libraries do it: each tells its own, and waits for everybody's."""

    def work(rendezvous: ThreadRendezvous) -> dict[bytes, bytes]:
        found = {}
        mine = rendezvous.process_index

        def create(it: Sharing, functions: Any) -> None:
            nothing, _ = it.call(functions, "try_get", b"nobody's")
            assert nothing and it.errors.pop(nothing)[0] == 5  # NOT_FOUND
            assert it.call(functions, "put", b"node/%d" % mine, value=bytes([mine, 0, 255]))[0] is None
            for other in range(3):
                key = b"node/%d" % other
                assert it.call(functions, "get", key, timeout=20000) == (None, bytes([other, 0, 255]))
                found[key] = it.call(functions, "try_get", key)[1]
            it.call(functions, "put", b"empty", value=b"")
            assert it.call(functions, "get", b"empty", timeout=20000) == (None, b"")

        made = Sharing(create)
        with SharedKeyValues(rendezvous, "clients") as values:
            client = Client(made.library, {"node_id": mine}, values)
        assert not made.errors and client.owner._kept.lent_count == 0
        client.close()
        return found

    assert together(3, work) == [{b"node/%d" % i: bytes([i, 0, 255]) for i in range(3)}] * 3


def test_what_does_not_come_is_not_waited_for_longer() -> None:
    def work(rendezvous: ThreadRendezvous) -> str | None:
        def create(it: Sharing, functions: Any) -> int | None:
            return it.call(functions, "get", b"never", timeout=30)[0]

        # The first one's deadline ends the job, which the other may learn of before its own.
        with pytest.raises((PjrtError, JobAbortedError), match="never") as caught, \
                SharedKeyValues(rendezvous, "clients") as values:
            Client(Sharing(create).library, None, values)
        return getattr(caught.value, "code_name", None)

    assert "DEADLINE_EXCEEDED" in together(2, work)


def test_a_process_that_cannot_is_named_by_the_others() -> None:
    def work(rendezvous: ThreadRendezvous) -> Exception:
        def create(it: Sharing, functions: Any) -> int | None:
            if rendezvous.process_index == 1:
                text = ctypes.create_string_buffer(b"no chip")
                return it.make_error(5, ctypes.addressof(text), 7)
            return it.call(functions, "get", b"node/1", timeout=50000)[0]

        with pytest.raises((PjrtMissingError, JobAbortedError)) as caught, \
                SharedKeyValues(rendezvous, "clients") as values:
            Client(Sharing(create).library, None, values)
        return caught.value

    first, second = together(2, work)
    assert isinstance(second, PjrtMissingError) and isinstance(first, JobAbortedError)
    assert first.process == 1 and "no chip" in str(first)


def test_a_lost_process_ends_the_wait() -> None:
    class Losing(ThreadRendezvous):
        def exchange(self, *_: Any, **__: Any) -> list[bytes]:
            raise ProcessLostError(1, "lost", "it was killed")

    with pytest.raises(ProcessLostError), SharedKeyValues(Losing(Hub(2), 0), "clients") as values:
        Client(Sharing(lambda it, f: it.call(f, "get", b"x", timeout=50000)[0]).library, None, values)


def test_errors_do_not_go_through_the_library() -> None:
    class Wrong:
        def put(self, key: bytes, value: bytes) -> None:
            raise ZeroDivisionError("put")

        get = try_get = put

    callbacks = KeyValueCallbacks(Wrong())
    with pytest.raises(ZeroDivisionError):
        Client(Sharing(lambda it, f: it.call(f, "put", b"x", value=b"y")[0]).library, None, Wrong())
    assert callbacks.failure is None and callbacks.lent_count == 0


def test_the_cpu_library_takes_the_functions() -> None:
    asked: list[bytes] = []

    class Noting:
        def put(self, key: bytes, value: bytes) -> None:
            asked.append(key)

        def get(self, key: bytes, seconds: float) -> bytes:
            raise TimeoutError

        def try_get(self, key: bytes) -> bytes:
            raise KeyError(key)

    with Client(load(cpu_library()), {"cpu_device_count": 2}, Noting()) as client:
        assert len(client.devices) == 2 and asked == []
