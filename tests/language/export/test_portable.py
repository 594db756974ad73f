# SPDX-License-Identifier: Apache-2.0
"""Portable artefacts that are written, read back by our reader; `python -m tools.portable_artefacts` asks JAX's."""

from __future__ import annotations

import random
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import olympus
import olympus.numpy as jnp
from olympus import export, lax
from olympus.errors import ArtefactError, NotSupportedError
from olympus.export.stablehlo.artefact import TABLE
from olympus.export.stablehlo.bytecode import Bytecode, Reader
from olympus.export.stablehlo.module import Module
from olympus.export.stablehlo.vhlo import Constant, Entries
from olympus.export.stablehlo.writing import portable_artefact, varint
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_conformance.samples.compare import require_results
from olympus_conformance.samples.instance import inputs_of, program_of, results_of
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, DeviceGroups, ProgramBuilder
from olympus_pjrt.stablehlo import TypePolicy, emit_program
from olympus_pjrt.stablehlo.for_export import FOR_EXPORT
from tests.pjrt.stablehlo.samples import of_all_operations

# Their forms are written, and not read: comparators that put NaN last, and collectives.
WRITTEN_ONLY = {"sort", "top_k", "permute"}
MODULE = """\
module @m attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main() -> {type} {{
    %0 = "stablehlo.constant"() {{value = dense<{value}> : {type}}} : () -> {type}
    "func.return"(%0) : ({type}) -> ()
  }}
}}
"""
EDGES = [
    np.array([0, 255, 7], np.uint8), np.array([2**64 - 1, 0, 1 << 63], np.uint64), np.array([-2**63, 2**63 - 1]),
    np.array([-128, 127], np.int8), np.arange(40, dtype=np.int16).reshape(8, 5), np.zeros((0, 3), np.float32),
    np.array([0.1, -0.0, 1e-45, 3.4e38], np.float32), np.array([np.nan, np.inf, -np.inf, -0.0]), np.array(0.1),
    np.array([0.1, 65504], np.float16), np.array([0.1, 3e38], ml_dtypes.bfloat16), np.full((3, 4), -0.0, np.float32),
    np.array([0.5, 448], ml_dtypes.float8_e4m3fn), np.array([0.5, np.inf], ml_dtypes.float8_e5m2),
    np.array([1 + 2j, np.nan], np.complex64), np.array(-0.0 - 1j), np.full(9, True), np.full(8, False), np.array(True),
    np.array([1.0], np.float32), np.full((1, 1), 3, np.uint16), np.array([[True, False, True]]),
]


def ran(blob: bytes, inputs: list[Any]) -> list[np.ndarray]:
    """The results of the function `main`."""
    with olympus.enable_x64(True):
        return [np.asarray(x) for x in Module(blob, TABLE).call("main", inputs)]


def operations(blob: bytes) -> set[str]:
    """The names of the operations."""
    return set(Bytecode(blob)._names)


def test_a_module_of_two_devices_by_its_parts() -> None:
    builder = ProgramBuilder("f(x)")
    (y,) = builder.emit(ops.sin, [builder.input(ArrayType((4,), dtypes.float32))])
    (z,) = builder.emit(ops.all_reduce, [y], {"reduction": "sum", "group": DeviceGroups(((0, 1),))})
    blob = portable_artefact(emit_program(builder.finish([z]), 2, (0,)))
    assert blob == portable_artefact(emit_program(builder.finish([z]), 2, (0,)))
    code = Bytecode(blob)
    assert code.version == 6 and code.producer == "StableHLO_v1.0.0"
    assert code._names == ["builtin.module", *("vhlo." + name for name in (
        "func_v1", "sine_v1", "all_reduce_v1", "add_v1", "return_v1"))]
    entries, (module,) = Entries(code), code.block.operations
    (function,) = module.regions[0][0].operations
    found = entries.properties("func_v1", function)[0]
    assert found["arg_attrs"] == [{"tf.aliasing_output": 0}] and found["res_attrs"] == []
    assert (found["sym_name"], found["sym_visibility"]) == ("main", "public")
    sine, reduction, end = function.regions[0][0].operations
    assert (sine.operands, sine.first, reduction.operands, reduction.first, end.operands) == ([0], 1, [1], 2, [2])
    (block,) = reduction.regions[0]
    assert (block.first, [(o.operands, o.first) for o in block.operations]) == (3, [([3, 4], 5), ([5], 6)])
    groups = entries.properties("all_reduce_v1", reduction)[0]
    assert isinstance(groups["replica_groups"], Constant) and groups["replica_groups"].array().tolist() == [[0, 1]]
    assert (groups["channel_id"], groups["use_global_device_ids"]) == (0, False)


def test_all_operations_are_written_and_read_back() -> None:
    """One artefact of most operations, with the values that the catalogue says."""
    held = []
    for instance in of_all_operations(1):
        portable_artefact(emit_program(program_of([instance])))
        if instance.record.name not in WRITTEN_ONLY:
            held.append(instance)
    assert len(held) > 300
    whole = held[::3]
    program = program_of(whole)
    found = ran(portable_artefact(emit_program(program)), inputs_of(whole))
    for instance, results in zip(whole, results_of(whole, found), strict=True):
        require_results(instance, results, program.text)


def test_what_is_written_for_export_only() -> None:
    """Decompositions are calls of LAPACK, incomplete gamma and zeta functions loops: what StableHLO lacks."""
    policy, seen = TypePolicy(for_export=True), set()
    for instance in of_all_operations(5, FOR_EXPORT):
        program = program_of([instance])
        with pytest.raises(NotSupportedError, match=f"operation {instance.record.name}"):
            emit_program(program)
        blob = portable_artefact(emit_program(program, policy=policy))
        seen.add(instance.record.name)
        require_results(instance, next(iter(results_of([instance], ran(blob, inputs_of([instance]))))), program.text)
    assert seen == {*FOR_EXPORT}
    matrix = np.array([[[2, 1], [1, 3]], [[1, np.nan], [0, 1]]], np.float32)
    exported = export.export(olympus.jit(lambda x: (jnp.linalg.eigvalsh(x), jnp.linalg.inv(x[:1]))))(matrix)
    values, inverse = ran(exported.mlir_module_serialized, [matrix])
    np.testing.assert_allclose(values, [np.linalg.eigvalsh(matrix[0]), [np.nan] * 2], rtol=1e-6)
    np.testing.assert_allclose(inverse, np.linalg.inv(matrix[:1]), rtol=1e-6)
    assert "lapack_ssyevd_ffi" in exported.mlir_module() and "tensor<3xindex>" in exported.mlir_module()


def layer(parameters: dict[str, Any], x: Any) -> Any:
    """A dense layer."""
    return jnp.tanh(x @ parameters["w"] + parameters["b"])


def choose(n: Any, x: Any) -> Any:
    """A branch of three, one of which holds a loop that uses values from outside."""
    def walk(v: Any) -> Any:
        return lax.while_loop(lambda c: c[0] < n + 3, lambda c: (c[0] + 1, c[1] * v), (0, v))[1]

    return lax.switch(n, [jnp.cos, walk, lambda v: v - x.sum()], x)


SQUARE = np.array([[4, 1, 0.5], [1, 3, 0.2], [0.5, 0.2, 5]], np.float32)
WEIGHTS = {"w": SQUARE[:, :2], "b": np.array([0.1, -0.2], np.float32)}
FUNCTIONS = {
    "layer": (layer, (WEIGHTS, SQUARE)),
    "slope": (olympus.grad(lambda p, x: (layer(p, x) ** 2).sum()), (WEIGHTS, SQUARE)),
    "scan": (lambda x: lax.scan(lambda c, v: (c * 0.5 + v, jnp.sin(c)), jnp.zeros(3), x, reverse=True), (SQUARE,)),
    "branches": (choose, (np.int32(1), SQUARE[0])),
    "places": (lambda x, i: (x[i], x.at[i].add(1.0), x.at[i].set(2.0)), (SQUARE, np.array([1, 1, 2], np.int32))),
    "batches": (lambda x, i: olympus.vmap(lambda r, j: r[j])(x, i), (SQUARE, np.array([2, 0, 1], np.int32))),
    "convolution": (lambda x, k: lax.conv_general_dilated(x, k, (1, 2), "SAME"), (
        np.arange(54, dtype=np.float32).reshape(2, 3, 3, 3), np.ones((4, 3, 2, 2), np.float32))),
    "transforms": (lambda x: (jnp.fft.rfft(x), jnp.fft.ifft(x, axis=0), jnp.linalg.cholesky(x)), (SQUARE,)),
    "types": (lambda x: (x.astype("bfloat16"), x > 1, jnp.argmax(x, 1), jnp.cumsum(x, 0), x.astype("int8")), (SQUARE,)),
    "bits": (lambda k: olympus.random.uniform(olympus.random.wrap_key_data(k), (5,)), (np.array([1, 2], np.uint32),)),
    "nothing": (lambda x: (), (SQUARE,)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_exported_function_is_its_module(name: str) -> None:
    function, arguments = FUNCTIONS[name]
    exported = export.export(olympus.jit(function))(*arguments)
    blob = exported.mlir_module_serialized
    assert blob == export.deserialize(exported.serialize()).mlir_module_serialized
    assert Bytecode(blob).producer == ("StableHLO_v1.1.0" if name == "batches" else "StableHLO_v1.0.0")
    wanted = olympus.tree.leaves(exported.call(*arguments))
    found = ran(blob, olympus.tree.leaves(arguments))
    assert len(found) == len(wanted)
    for x, y in zip(found, wanted, strict=True):
        assert x.dtype == y.dtype and x.shape == y.shape
        np.testing.assert_allclose(x.astype(np.complex128), np.asarray(y).astype(np.complex128), rtol=1e-5, atol=1e-5)


def test_functions_that_are_called_stay_functions() -> None:
    inner = ProgramBuilder("inner")
    body = inner.finish(inner.emit(ops.sin, [inner.input(ArrayType((4,), dtypes.float32))]))
    builder = ProgramBuilder("outer")
    x = builder.input(ArrayType((4,), dtypes.float32))
    for _ in range(2):
        (x,) = builder.emit(ops.call, [x], regions=(body,))
    blob = portable_artefact(emit_program(builder.finish([x])))
    assert "vhlo.call_v1" in operations(blob) and len(Bytecode(blob).block.operations[0].regions[0][0].operations) == 2
    start = np.arange(4, dtype=np.float32)
    np.testing.assert_allclose(ran(blob, [start])[0], np.sin(np.sin(start)), rtol=1e-6)


def test_programs_of_several_devices_hold_their_collectives() -> None:
    sharding = NamedSharding(olympus.make_mesh((8,), ("x",)), P("x"))
    given_ = olympus.ShapeDtypeStruct((16,), "float32", sharding=sharding)
    exported = export.export(olympus.jit(jnp.sum))(given_)
    code = Bytecode(exported.mlir_module_serialized)
    assert "vhlo.all_reduce_v1" in code._names and "mhlo.num_replicas" in code.strings


@pytest.mark.parametrize("value", EDGES, ids=lambda v: f"{v.dtype}{list(v.shape)}")
def test_constants_keep_their_bits(value: np.ndarray) -> None:
    builder = ProgramBuilder("constant")
    (made,) = builder.emit(ops.constant, [], {"value": value})
    (found,) = ran(portable_artefact(emit_program(builder.finish([made]))), [])
    assert found.dtype == value.dtype and found.shape == value.shape and found.tobytes() == value.tobytes()


@pytest.mark.parametrize(("kind", "text", "wanted"), [
    ("tensor<9xi1>", "[true, false, true, true, false, false, true, true, true]", [1, 0, 1, 1, 0, 0, 1, 1, 1]),
    ("tensor<2x2xi1>", "[[true, false], [false, true]]", [[1, 0], [0, 1]]),
    ("tensor<3xi1>", "[true, true, true]", [1, 1, 1]), ("tensor<0xi1>", "", []), ("tensor<i1>", "false", 0),
    ("tensor<2x1xi32>", "[[-1], [2]]", [[-1], [2]]), ("tensor<2xui8>", "255", [255, 255]),
])
def test_literals_of_the_text(kind: str, text: str, wanted: Any) -> None:
    (found,) = ran(portable_artefact(MODULE.format(type=kind, value=text)), [])
    assert found.tolist() == np.asarray(wanted).tolist()


@given(some.integers(0, 2**64 - 1))
def test_numbers_are_read_as_they_were_written(value: int) -> None:
    reader = Reader(varint(value))
    assert reader.number() == value and not reader.left


@pytest.mark.parametrize("value", [0, 127, 128, 2**14 - 1, 2**14, 2**56 - 1, 2**56, 2**63, 2**64 - 1])
def test_numbers_have_the_shortest_form(value: int) -> None:
    written = varint(value)
    assert len(written) == min(9, max(1, -(-value.bit_length() // 7))) and Reader(written).number() == value


def test_what_is_not_written_is_named() -> None:
    good = MODULE.format(type="tensor<2xf32>", value="[1.0, 2.0]")
    portable_artefact(good)
    for old, new, match in (
            ("stablehlo.constant", "stablehlo.invented", r"stablehlo\.invented"),
            ("stablehlo.constant", "chlo.erf", r"chlo\.erf in MLIR's bytecode.*(?s:.*)mlir_module\(\)"),
            ("value =", "worth =", "value, worth"), ("{value", "{further = true, value", "further"),
            ("2xf32", "2xf42", "f42"), ("[1.0, 2.0]", "[1.0, 2.0, 3.0]", "3 elements"),
            ("1 : i32", '"x"', "no integer"),
            ("dense<[1.0, 2.0]>", "dense_resource<a>", "dense_resource"), ("-> ()", "", "form"),
            ("tensor<2xf32>", "tensor<?xf32>", "form"), ("tensor<2xf32>", "!stablehlo.token", "form"),
            ("1 : i32", "1 : i8", "16 bits"), ("(%0)", "(%1)", "form")):
        assert old in good
        with pytest.raises(NotSupportedError, match=match):
            portable_artefact(good.replace(old, new))
    with pytest.raises(NotSupportedError, match="form"):
        portable_artefact(good[:-3])


@pytest.mark.parametrize("name", ["layer", "branches", "convolution"])
def test_every_beginning_is_refused(name: str) -> None:
    function, arguments = FUNCTIONS[name]
    blob = export.export(olympus.jit(function))(*arguments).mlir_module_serialized
    for size in range(len(blob)):
        with pytest.raises(ArtefactError):
            Bytecode(blob[:size])


def test_damaged_bytes_are_read_or_refused() -> None:
    chance, refused = random.Random(0), 0
    function, arguments = FUNCTIONS["branches"]
    whole = export.export(olympus.jit(function))(*arguments).mlir_module_serialized
    for _ in range(1500):
        blob = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3))):
            blob[chance.randrange(len(blob))] = chance.randrange(256)
        try:
            code = Bytecode(bytes(blob))
            entries = Entries(code)
            for number in range(len(code._entries[True])):
                entries.type(number)
        except ArtefactError:
            refused += 1
    assert refused > 300


def test_incomplete_gamma_functions_by_their_definitions() -> None:
    """By mpmath, with 50 digits."""
    a = np.array([0.2, 1e-6, 0.5, 3.0, 250.0, 5e4, 8.697e8, 2.0, 0.0, np.inf, -1.0])
    x = np.array([0.99, 0.9, 40.0, 1.5, 230.0, 5.02e4, 8.6955e8, np.inf, 1.0, 3.0, 1.0])
    under = [0.9468109694056641, 0.9999997398158148, 1.0, 0.19115316946194186, 0.10043419856707392, 0.814533642938086,
             1.8223667727208156e-7, 1.0, 1.0, 0.0, np.nan]
    over = [0.053189030594335884, 2.601841851662104e-07, 3.744097384202899e-19, 0.8088468305380582, 0.8995658014329261,
            0.185466357061914, 1.0 - under[6], 0.0, 0.0, 1.0, np.nan]
    at_mean = [0.698175422597633, 0.9999861122342474, 0.6796743296874181, 0.45472474576535343, 0.4994935930589019,
               0.50000167706052054]

    def f(a: Any, x: Any) -> Any:
        return lax.igamma(a, x), lax.igammac(a, x), lax.betainc(a[:6], x[:6], a[:6] / (a[:6] + x[:6]))

    with olympus.enable_x64(True):
        blob = export.export(olympus.jit(f))(a, x).mlir_module_serialized
    for found, wanted in zip(ran(blob, [a, x]), (under, over, at_mean), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-11)
    halves = np.array([0.25, 7.5], np.float16)
    (narrow,) = ran(export.export(olympus.jit(lax.igamma))(halves, halves).mlir_module_serialized, [halves, halves])
    assert narrow.dtype == np.float16
    np.testing.assert_allclose(narrow, lax.igamma(halves, halves), rtol=1e-3)
