# SPDX-License-Identifier: Apache-2.0
"""Operations by functions in C: buffers, attributes, errors, layouts; under jit, vmap, split; and the example's."""

from __future__ import annotations

import ctypes
import runpy
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import ffi, lax
from olympus.errors import ArgumentError, ForeignCallError, NotSupportedError
from olympus.extend.core import Primitive
from olympus.interpreters import mlir
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus.test_util import check_grads

EXAMPLE = Path(__file__).parents[3] / "examples" / "operations" / "rms_norm.py"
MATRIX = np.arange(6, dtype=np.float32).reshape(2, 3)
KIND = olympus.ShapeDtypeStruct((2, 3), "float32")
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


class Frame:
    """What a handler written in Python reads of a call, at the offsets that C has.

    Args:
        address: The call frame's.
    """

    def __init__(self, address: int) -> None:
        self.address = address
        self.is_question = bool(self._word(8))

    def _word(self, offset: int, base: int | None = None) -> int:
        return ctypes.c_int64.from_address((self.address if base is None else base) + offset).value

    def _entries(self, offset: int, last: int) -> list[int]:
        size, values = self._word(offset + 16), self._word(offset + last)
        return [self._word(8 * i, values) for i in range(size)]

    def _buffer(self, address: int) -> tuple[int, np.ndarray]:
        code, rank = ctypes.c_int.from_address(address + 16).value, self._word(32, address)
        shape = [self._word(8 * i, self._word(40, address)) for i in range(rank)]
        memory = (ctypes.c_float * int(np.prod(shape, dtype=int))).from_address(self._word(24, address))
        return code, np.frombuffer(memory, np.float32).reshape(shape)

    @property
    def arguments(self) -> list[tuple[int, np.ndarray]]:
        return [self._buffer(a) for a in self._entries(40, 32)]

    @property
    def results(self) -> list[tuple[int, np.ndarray]]:
        return [self._buffer(a) for a in self._entries(80, 32)]

    def attributes(self, base: int | None = None) -> dict[str, tuple[int, int]]:
        start = self.address + 120 if base is None else base
        size = self._word(16, start)
        kinds, names, values = (self._word(o, start) for o in (24, 32, 40))
        found = {}
        for i in range(size):
            span = self._word(8 * i, names)
            name = ctypes.string_at(self._word(0, span), self._word(8, span)).decode()
            found[name] = (ctypes.c_int.from_address(kinds + 4 * i).value, self._word(8 * i, values))
        return found


def registered(name: str, function: Any) -> Any:
    def handler(address: int) -> None:
        frame = Frame(address)
        if not frame.is_question:
            function(frame)

    made = CALLBACK(handler)
    ffi.register_ffi_target(name, ffi.pycapsule(made))
    return made  # to be kept


def add_one(frame: Frame) -> None:
    ((_, x),), ((_, y),) = frame.arguments, frame.results
    y[...] = x + 1


KEPT = [registered("add one", add_one)]


def test_at_once_and_in_programs() -> None:
    f = ffi.ffi_call("add one", KIND)
    for wrap in (lambda f: f, olympus.jit):
        np.testing.assert_array_equal(wrap(f)(MATRIX), MATRIX + 1)
    np.testing.assert_array_equal(olympus.jit(lambda x: lax.fori_loop(0, 5, lambda i, c: f(c), x))(MATRIX), MATRIX + 5)
    (several,) = ffi.ffi_call("add one", [KIND])(MATRIX)
    np.testing.assert_array_equal(several, MATRIX + 1)
    (eqn,) = olympus.make_jaxpr(f)(MATRIX).eqns
    assert eqn.primitive.name == "ffi_call" and eqn.params["target_name"] == "add one"
    empty = ffi.ffi_call("add one", olympus.ShapeDtypeStruct((0, 3), "float32"))(np.ones((0, 3), "f"))
    assert empty.shape == (0, 3)


def test_split_over_devices() -> None:
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2])
    x = olympus.device_put(MATRIX, NamedSharding(mesh, P("i")))
    np.testing.assert_array_equal(olympus.jit(ffi.ffi_call("add one", KIND))(x), MATRIX + 1)
    row = ffi.ffi_call("add one", olympus.ShapeDtypeStruct((1, 3), "float32"))
    f = olympus.shard_map(row, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
    np.testing.assert_array_equal(olympus.jit(f)(x), MATRIX + 1)


@pytest.mark.parametrize("method", ["sequential", "sequential_unrolled", "expand_dims", "broadcast_all",
                                    "legacy_vectorized"])
def test_batches(method: str) -> None:
    shapes: list[list[tuple[int, ...]]] = []

    def add(frame: Frame) -> None:
        (_, x), (_, y) = frame.arguments
        shapes.append([x.shape, y.shape])
        frame.results[0][1][...] = x + y

    kept = registered("add", add)
    f = ffi.ffi_call("add", olympus.ShapeDtypeStruct((2,), "float32"), vmap_method=method)
    y = np.ones(2, np.float32)
    np.testing.assert_array_equal(olympus.vmap(f, (1, None))(MATRIX, y), MATRIX.T + 1)
    expected = {"expand_dims": [(3, 2), (1, 2)], "broadcast_all": [(3, 2), (3, 2)],
                "legacy_vectorized": [(3, 2), (2,)]}.get(method, [(2,), (2,)])
    assert shapes == [expected] * (3 if method.startswith("sequential") else 1)
    with pytest.raises(NotSupportedError, match="vmap_method"):
        olympus.vmap(ffi.ffi_call("add", KIND))(jnp.ones((2, 3)), jnp.ones((2, 3)))
    del kept


def test_attributes() -> None:
    seen: dict[str, Any] = {}

    def read(frame: Frame) -> None:
        add_one(frame)
        found = frame.attributes()
        seen["kinds"] = {name: kind for name, (kind, _) in found.items()}
        word, double = ctypes.c_int64.from_address, ctypes.c_double.from_address
        number, text, row, inner = (found[name][1] for name in ("number", "text", "row", "inner"))
        seen["number"] = (ctypes.c_int.from_address(number).value, double(word(number + 8).value).value)
        seen["text"] = ctypes.string_at(word(text).value, word(text + 8).value)
        size, data = word(row + 8).value, word(row + 16).value
        seen["row"] = [word(data + 8 * i).value for i in range(size)]
        seen["inner"] = sorted(frame.attributes(inner))

    kept = registered("attributes", read)
    given = {"number": 2.5, "text": "näme", "row": np.arange(4), "inner": {"a": np.float32(1), "b": True}}
    olympus.jit(lambda x: ffi.ffi_call("attributes", KIND)(x, **given))(MATRIX).block_until_ready()
    assert seen == {"kinds": {"inner": 2, "number": 3, "row": 1, "text": 4}, "number": (12, 2.5),
                    "text": "näme".encode(), "row": [0, 1, 2, 3], "inner": ["a", "b"]}
    with pytest.raises(NotSupportedError, match="no form in C"):
        ffi.ffi_call("attributes", KIND)(MATRIX, wrong=None)
    del kept


def test_layouts_and_shared_memory() -> None:
    memory: list[Any] = []

    def transposed(frame: Frame) -> None:
        ((_, x),), ((_, y),) = frame.arguments, frame.results
        assert x.shape == y.shape == (2, 3)  # the logical dimensions; memory is column-major
        memory.append(x.ravel().copy())
        y.reshape(-1)[...] = x.reshape(-1) * 10

    kept = [registered("columns", transposed)]
    f = ffi.ffi_call("columns", KIND, input_layouts=[(1, 0)], output_layouts=(1, 0))
    np.testing.assert_array_equal(olympus.jit(f)(MATRIX), MATRIX * 10)
    np.testing.assert_array_equal(memory[0], MATRIX.T.ravel())

    def in_place(frame: Frame) -> None:
        (_, y), = frame.results
        y += 1

    order = olympus.experimental.layout.Layout((1, 0))  # of both the slowest dimension first
    np.testing.assert_array_equal(ffi.ffi_call("columns", KIND, input_layouts=[order], output_layouts=order)(MATRIX),
                                  MATRIX * 10)
    for given in ([(0, 1)], [order]):  # a lowering's tuples name the fastest first
        prim = Primitive("columns")
        prim.def_abstract_eval(lambda x: x)
        mlir.register_lowering(prim, ffi.ffi_lowering("columns", operand_layouts=given, result_layouts=given))
        np.testing.assert_array_equal(olympus.jit(prim.bind)(MATRIX), MATRIX * 10)
        np.testing.assert_array_equal(memory[-1], MATRIX.T.ravel())
    kept.append(registered("in place", in_place))
    f = ffi.ffi_call("in place", KIND, input_output_aliases={0: 0})
    x = jnp.asarray(MATRIX)
    np.testing.assert_array_equal(f(x), MATRIX + 1)
    np.testing.assert_array_equal(x, MATRIX)
    with pytest.raises(ArgumentError, match="share memory"):
        ffi.ffi_call("in place", KIND, input_output_aliases={0: 0})(MATRIX.T)
    with pytest.raises(ArgumentError, match="input_layouts"):
        ffi.ffi_call("columns", KIND, input_layouts=[(0, 0)])(MATRIX)
    del kept


def test_effects_keep_a_call() -> None:
    counts = []
    kept = registered("count", lambda frame: counts.append(1))

    @olympus.jit
    def f(x: Any) -> Any:
        ffi.ffi_call("count", KIND, has_side_effect=True)(x)
        ffi.ffi_call("count", KIND)(x)
        return x

    f(MATRIX).block_until_ready()
    olympus.effects_barrier()
    assert counts == [1]
    del kept


def test_errors() -> None:
    with pytest.raises(ForeignCallError, match="NOT_FOUND"):
        ffi.ffi_call("nobody", KIND)(MATRIX)
    with pytest.raises(ArgumentError, match="no function of a library"):
        ffi.register_ffi_target("wrong", 3)
    with pytest.raises(NotSupportedError, match="api_version"):
        ffi.register_ffi_target("wrong", None, api_version=0)
    with pytest.raises(ArgumentError, match="vmap_method"):
        ffi.ffi_call("add one", KIND, vmap_method="all")
    with pytest.raises(ArgumentError, match="not described"):
        ffi.ffi_call("add one", 3)
    with pytest.raises(NotSupportedError, match="derivative of ffi_call"):
        olympus.grad(lambda x: ffi.ffi_call("add one", KIND)(x).sum())(MATRIX)
    ffi.register_ffi_target("elsewhere", None, platform="CUDA")
    with pytest.raises(ForeignCallError, match="platform cpu"):
        ffi.ffi_call("elsewhere", KIND)(MATRIX)


@pytest.fixture(scope="module")
def example(tmp_path_factory: Any) -> Any:
    found = runpy.run_path(str(EXAMPLE))
    if found["compiler"]() is None:
        pytest.skip("there is no C compiler")
    found["norm_p"] = found["register"](found["compiled"](tmp_path_factory.mktemp("library")))
    return found


@pytest.mark.skipif("olympus.default_backend() != 'cpu'", reason="its code is for CPUs")
def test_the_example_in_c(example: Any) -> None:
    norm_p, reference, eps = example["norm_p"], example["reference"], np.float32(1e-6)
    x = np.linspace(-2, 3, 64, dtype=np.float32).reshape(8, 8)

    def f(x: Any) -> Any:
        return norm_p.bind(x, eps=eps)

    for wrap in (lambda f: f, olympus.jit, olympus.vmap, lambda f: olympus.jit(olympus.vmap(f, 1, 1))):
        expected = wrap(lambda x: reference(x, eps=eps))(x)
        np.testing.assert_allclose(wrap(f)(x), expected, rtol=1e-5)
    check_grads(f, (x[:2],), 2, ("fwd", "rev"), rtol=3e-2, atol=3e-2)
    mesh = olympus.make_mesh((8,), ("i",))
    split = olympus.jit(f)(olympus.device_put(x, NamedSharding(mesh, P("i"))))
    np.testing.assert_allclose(split, reference(x, eps=eps), rtol=1e-5)
    assert split.sharding.spec[0] == "i"
    assert "no collectives" in olympus.explain(f, olympus.device_put(x, NamedSharding(mesh, P("i"))))
    with pytest.raises(ForeignCallError, match="INVALID_ARGUMENT: eps must be a number of float32"):
        norm_p.bind(x, eps=1e-6)
    with pytest.raises(ForeignCallError, match="arrays of float32"):
        norm_p.bind(x.astype(np.int32), eps=eps)


def test_the_example_s_program(example: Any, capsys: Any) -> None:
    try:
        example["main"]()
    except subprocess.CalledProcessError as error:
        pytest.fail(str(error))
    assert "below 1e-6: True" in capsys.readouterr().out
