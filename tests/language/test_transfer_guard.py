# SPDX-License-Identifier: Apache-2.0
"""Guards of transfers, of arrays that the garbage collector finds, and of the thread that launches."""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P
from olympus.errors import OptionValueError, ThreadGuardError, TransferGuardError
from olympus_core.config import config
from olympus_core.runtime import transfers
from olympus_core.runtime.launches import check_thread


def _mesh() -> NamedSharding:
    return NamedSharding(olympus.make_mesh((8,), ("i",)), P("i"))


def _x() -> Any:
    return jnp.zeros(8)


_IMPLICIT: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "jit of a NumPy array": ("host_to_device", lambda x: olympus.jit(lambda a: a + 1)(np.ones(3, np.float32))),
    "jit of a number": ("host_to_device", lambda x: olympus.jit(lambda a: a + 1)(2.0)),
    "an operator": ("host_to_device", lambda x: x + 1),
    "an index": ("host_to_device", lambda x: x[np.int32(1)]),
    "asarray": ("host_to_device", lambda x: jnp.asarray(np.ones(3, np.float32))),
    "array of a list": ("host_to_device", lambda x: jnp.array([1, 2])),
    "sin of a number": ("host_to_device", lambda x: jnp.sin(1.0)),
    "vmap": ("host_to_device", lambda x: olympus.vmap(lambda a: a * a)(np.ones(3, np.float32))),
    "pmap": ("host_to_device", lambda x: olympus.pmap(lambda a: a)(np.ones((8, 2), np.float32))),
    "a key": ("host_to_device", lambda x: olympus.random.key(0)),
    "a callback's parts": ("host_to_device", lambda x: olympus.make_array_from_callback(
        (8,), _mesh(), lambda i: np.ones(1, np.float32))),
    "in_shardings": ("device_to_device", lambda x: olympus.jit(lambda a: a, in_shardings=_mesh())(x)),
    "pmap of an array": ("device_to_device", lambda x: olympus.pmap(lambda a: a)(x)),
}
_EXPLICIT: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a NumPy array": ("host_to_device", lambda x: olympus.device_put(np.ones(3, np.float32))),
    "a number": ("host_to_device", lambda x: olympus.device_put(1.0)),
    "over devices": ("host_to_device", lambda x: olympus.device_put(np.ones(8, np.float32), _mesh())),
    "an array to a device": ("device_to_device", lambda x: olympus.device_put(x, olympus.devices()[1])),
    "an array over devices": ("device_to_device", lambda x: olympus.device_put(x, _mesh())),
}
_NONE: dict[str, Callable[[Any], Any]] = {
    "arrays that are there": lambda x: olympus.jit(lambda a: a + 1)(x),
    "an operator": lambda x: x + x,
    "a slice": lambda x: x[0:2],
    "arange": lambda x: jnp.arange(4),
    "to NumPy": lambda x: np.asarray(x * x),
    "a number": lambda x: (x * x).tolist(),
    "text": lambda x: str(x * x),
    "a copy": lambda x: x.copy(),
    "put where it is": lambda x: olympus.device_put(x),
    "get": lambda x: olympus.device_get(x * x),
}


_READ = {"to NumPy", "a number", "text", "get"}


@pytest.mark.parametrize("name", _IMPLICIT)
def test_implicit_transfers(name: str, caplog: pytest.LogCaptureFixture) -> None:
    direction, run = _IMPLICIT[name]
    x, own = _x(), getattr(olympus, f"transfer_guard_{direction}")
    run(x)  # what is compiled for it is known before: the guard is in the key
    for level in ("disallow", "disallow_explicit"):
        for guard in (own, olympus.transfer_guard):
            with guard(level), pytest.raises(TransferGuardError, match=f"^Disallowed {direction.replace('_', '-')} "):
                run(x)
    run(x)
    with own("log"), caplog.at_level(logging.WARNING, "olympus"):
        run(x)
    assert f"{direction.replace('_', '-')} transfer" in caplog.text and "test_transfer_guard.py" in caplog.text
    with olympus.transfer_guard("disallow"), olympus.transfer_guard("allow"):
        run(x)


@pytest.mark.parametrize("name", _EXPLICIT)
def test_explicit_transfers(name: str, caplog: pytest.LogCaptureFixture) -> None:
    direction, run = _EXPLICIT[name]
    x, own = _x(), getattr(olympus, f"transfer_guard_{direction}")
    with caplog.at_level(logging.WARNING, "olympus"):
        for level in ("allow", "log", "disallow"):
            with own(level):
                run(x)
        assert not caplog.records
        with own("log_explicit"):
            run(x)
        assert "which was asked for" in caplog.text
    with own("disallow_explicit"), pytest.raises(TransferGuardError):
        run(x)


@pytest.mark.parametrize("name", _NONE)
def test_what_is_no_transfer(name: str) -> None:
    x = _x()
    is_read = name in _READ and olympus.default_backend() != "cpu"  # from memory that is not the host's
    with olympus.transfer_guard("disallow_explicit"), pytest.raises(TransferGuardError) if is_read else nullcontext():
        _NONE[name](x)


def test_the_more_precise_option_counts_unless_another_guard_is_inside() -> None:
    x = _x()
    with olympus.transfer_guard("disallow"), olympus.transfer_guard_host_to_device("allow"):
        x + 1
        with pytest.raises(TransferGuardError):
            olympus.jit(lambda a: a, in_shardings=_mesh())(x)
        with olympus.transfer_guard("disallow"), pytest.raises(TransferGuardError):
            x + 1
    with olympus.transfer_guard_host_to_device("disallow"), olympus.transfer_guard("allow"):
        x + 1


def test_option_decorator_and_thread() -> None:
    @olympus.transfer_guard("disallow")
    def run() -> Any:
        return jnp.zeros(3) + 1

    with pytest.raises(TransferGuardError):
        run()
    seen: list[Any] = []
    with olympus.transfer_guard("disallow"):
        thread = threading.Thread(target=lambda: seen.append(jnp.arange(3) + 1))
        thread.start()
        thread.join()
    assert len(seen) == 1
    config.update("olympus_transfer_guard", "disallow")
    try:
        with pytest.raises(TransferGuardError):
            jnp.arange(3) + 1
    finally:
        config.update("olympus_transfer_guard", None)
    with pytest.raises(OptionValueError, match="disallow_explicit"):
        olympus.transfer_guard("forbid")


class _Far:
    """A buffer whose memory is not the host's."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


@pytest.mark.parametrize("buffer", [_Far(), object()])
def test_reading_is_a_transfer_where_the_memory_is_not_the_hosts(buffer: Any) -> None:
    transfers.to_host("float32[3]", [buffer])
    with olympus.transfer_guard_device_to_host("disallow"):
        with pytest.raises(TransferGuardError, match="device-to-host"):
            transfers.to_host("float32[3]", [buffer])
        with transfers.explicit_transfers():
            transfers.to_host("float32[3]", [buffer])
        with nullcontext() if olympus.default_backend() == "cpu" else pytest.raises(TransferGuardError):
            transfers.to_host("float32[3]", jnp.ones(3)._buffers)


class _Node:
    pass


def _cycle() -> None:
    node: Any = _Node()
    node.array, node.own = jnp.arange(3) + 1, node


def test_arrays_in_cycles_are_told(caplog: pytest.LogCaptureFixture) -> None:
    gc.collect()
    with caplog.at_level(logging.WARNING, "olympus"):
        with olympus.array_garbage_collection_guard("log"):
            x = jnp.arange(5) + 1
            del x
            gc.collect()
            assert not caplog.records
            _cycle()
            gc.collect()
        assert len(caplog.records) == 1 and "int32[3]" in caplog.text
        _cycle()
        gc.collect()
    assert len(caplog.records) == 1


def test_one_thread_launches() -> None:
    errors: list[Any] = []

    def other() -> None:
        try:
            check_thread("f")
        except ThreadGuardError as error:
            errors.append(str(error))

    with olympus.thread_guard(True):
        check_thread("f")
        thread = threading.Thread(target=other, name="the other")
        thread.start()
        thread.join()
    assert len(errors) == 1 and "thread the other" in errors[0] and "MainThread" in errors[0]
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert len(errors) == 1
