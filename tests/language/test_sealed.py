# SPDX-License-Identifier: Apache-2.0
"""Nobody writes to an array through what it hands out, nor through what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P


def _split() -> Any:
    mesh = olympus.make_mesh((4,), ("x",), devices=olympus.devices()[:4])
    return olympus.device_put(np.arange(8, dtype=np.float32), NamedSharding(mesh, P("x")))


MADE: dict[str, Callable[[], Any]] = {
    "computed": lambda: jnp.arange(8.0) * 1, "matrix": lambda: jnp.ones((3, 4)) + 1,
    "number": lambda: jnp.sum(jnp.ones(3)),
    "large": lambda: jnp.arange(100_000.0) + 1, "brought": lambda: jnp.asarray(np.arange(8)), "split": _split,
    "bfloat16": lambda: jnp.arange(8, dtype="bfloat16"), "float8": lambda: jnp.ones((2, 2), "float8_e4m3fn"),
    "truths": lambda: jnp.ones(5, bool), "complex": lambda: jnp.ones(5, "complex64"),
    "nothing": lambda: jnp.ones((0, 2)),
}
READ: dict[str, Callable[[Any], Any]] = {
    "asarray": np.asarray, "array": lambda x: np.array(x, copy=False), "__array__": lambda x: x.__array__(),
    "view": lambda x: np.asarray(x).view(), "bytes": lambda x: np.asarray(x).view(np.uint8),
    "turned": lambda x: np.asarray(x).T,
    "base": lambda x: np.asarray(x).base, "its base": lambda x: np.asarray(x).base.base,
    "memoryview": lambda x: np.asarray(memoryview(np.asarray(x))),
    "frombuffer": lambda x: np.frombuffer(np.asarray(x), np.uint8),
    "interface": lambda x: np.asarray(type("I", (), {"__array_interface__": np.asarray(x).__array_interface__})()),
    "dlpack": np.from_dlpack, "dlpack's base": lambda x: np.from_dlpack(x).base,
    "shard": lambda x: np.asarray(x.addressable_shards[0].data), "part": lambda x: np.asarray(x.addressable_data(0)),
}


@pytest.mark.parametrize("made", MADE)
def test_what_is_handed_out_cannot_be_unlocked(made: str) -> None:
    for name, read in READ.items():
        x = MADE[made]()
        before = np.array(x, copy=True)
        try:
            found = read(x)
        except (TypeError, ValueError, BufferError, AttributeError):  # what this kind of array does not give at all
            continue
        if isinstance(found, np.ndarray) and found.size:
            assert not found.flags.writeable
            with pytest.raises(ValueError, match="cannot set WRITEABLE"):
                found.flags.writeable = True
        assert np.array(x, copy=True).tobytes() == before.tobytes(), name


def test_reading_copies_nothing_and_readers_do_not_meet() -> None:
    x = jnp.arange(8.0) + 1
    first, second = np.asarray(x), np.asarray(x)
    assert first.__array_interface__["data"] == second.__array_interface__["data"]
    assert first is not second  # nor meets another reader what one does to the shape of his
    assert np.array(x, copy=True).flags.writeable and x.__array__(np.float64).dtype == np.float64


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit], ids=["evaluated", "jitted"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_callback_cannot_write_to_its_arguments(wrap: Any, dtype: str) -> None:
    def write(v: np.ndarray) -> np.ndarray:
        for array in (v, v.base, getattr(v.base, "base", None)):
            if isinstance(array, np.ndarray):
                with pytest.raises(ValueError, match="cannot set WRITEABLE"):
                    array.flags.writeable = True
        return v  # the argument itself

    kind = olympus.ShapeDtypeStruct((8,), dtype)

    def f(v: Any) -> Any:
        olympus.debug.callback(write, v)
        return v * 2, olympus.pure_callback(write, kind, v), olympus.pure_callback(write, kind, v * 2)

    x = jnp.arange(8, dtype=dtype)
    doubled, same, again = wrap(f)(x)
    for found, factor in ((x, 1), (doubled, 2), (same, 1), (again, 2)):
        assert np.asarray(found).astype(float).tolist() == [factor * i for i in range(8)]


def test_what_an_array_was_made_of_may_change() -> None:
    kind = olympus.ShapeDtypeStruct((20_000,), "float32")
    mesh = olympus.make_mesh((4,), ("x",), devices=olympus.devices()[:4])
    whole = NamedSharding(mesh, P())
    made: dict[str, Callable[[np.ndarray], Any]] = {
        "asarray": jnp.asarray, "device_put": olympus.device_put, "jit": olympus.jit(lambda v: v),
        "to all": lambda a: olympus.device_put(a, whole),
        "callback": lambda a: olympus.pure_callback(lambda: a, kind),
        "in jit": lambda a: olympus.jit(lambda: olympus.pure_callback(lambda: a, kind))(),
        "parts": lambda a: olympus.make_array_from_callback(a.shape, whole, lambda i: a[i]),
        "own data": lambda a: olympus.make_array_from_process_local_data(whole, a),
    }
    for name, make in made.items():
        for lock in (lambda a: a, lambda a: a[:], lambda a: np.frombuffer(memoryview(a).toreadonly(), a.dtype),
                     lambda a: np.frombuffer(memoryview(a).toreadonly(), a.dtype).reshape(-1)):
            source = np.arange(20_000, dtype=np.float32)
            x = make(lock(source))
            source[:] = -1
            np.testing.assert_array_equal(x, np.arange(20_000), err_msg=name)


def test_a_donated_copy_of_what_was_read_leaves_it_alone() -> None:
    x = jnp.arange(1000.0) + 0
    read = np.asarray(x)
    olympus.jit(lambda v: v * 0 - 5, donate_argnums=0)(olympus.device_put(read))
    np.testing.assert_array_equal(x, np.arange(1000))
    olympus.jit(lambda v: v * 0 - 5, donate_argnums=0)(x)
    np.testing.assert_array_equal(read, np.arange(1000))
