# SPDX-License-Identifier: Apache-2.0
"""The text: what stands in it, that it is complete and the same every time, and what is refused."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.errors import NotSupportedError, OlympusInternalError
from olympus_core.ops import HostFunction
from olympus_core.program import ArrayType, DeviceGroups, ProgramBuilder
from olympus_pjrt.stablehlo import EMISSIONS, TypePolicy, emit_program, tpu_policy
from olympus_pjrt.stablehlo.literals import dense, type_text
from tests.support.calls import calls_of

from .support import mlp

VECTOR = ArrayType((4,), dtypes.float32)

GOLDEN = """\
module @f_x_ attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
    %0 = "stablehlo.sine"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.all_reduce"(%0) ({
    ^bb0(%a1: tensor<f32>, %a2: tensor<f32>):
      %3 = "stablehlo.add"(%a1, %a2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%4) : (tensor<4xf32>) -> ()
  }
}
"""


def _one(record, types, attributes=None, regions=()):
    builder = ProgramBuilder("one")
    return builder.finish(builder.emit(record, [builder.input(t) for t in types], attributes, regions))


def test_golden() -> None:
    builder = ProgramBuilder("f(x)")
    x = builder.input(VECTOR)
    (y,) = builder.emit(ops.sin, [x])
    (z,) = builder.emit(ops.all_reduce, [y], {"reduction": "sum", "group": DeviceGroups(((0, 1),))})
    text = emit_program(builder.finish([z]), 2, (0,))
    assert text == GOLDEN


def test_every_operation_has_an_emission_but_few() -> None:
    """The others run on the host, which is slow: an explicit list, so that a change is noticed."""
    assert {name for name, record in ops.OPERATIONS.items() if not hasattr(ops.special_functions, name)
            and (record.category != "linear_algebra" or name in ("cholesky", "triangular_solve"))} == set(EMISSIONS)


def test_text_is_the_same_every_time() -> None:
    assert emit_program(mlp()) == emit_program(mlp())


def test_perceptron_takes_few_calls() -> None:
    program = mlp()
    assert calls_of(lambda: emit_program(program)) < 60 * len(program.operations)


@pytest.mark.parametrize(("value", "text"), [
    (np.float32(0.1), "dense<0.10000000149011612>"),
    (np.float64(1e-300), "dense<1.0e-300>"),
    (np.array([1, 2], np.int8), "dense<[1, 2]>"),
    (np.array([7, 7, 7], np.uint64), "dense<7>"),
    (np.full((2, 3), 2 - 1j, np.complex128), 'dense<"0x0000000000000040000000000000F0BF">'),
    (np.array([2 - 1j, 2 + 1j, 2 - 1j]), 'dense<"0x0000000000000040000000000000F0BF0000000000000040000000000000F03F'
                                         '0000000000000040000000000000F0BF">'),
    (np.broadcast_to(np.float16(0.5), (1 << 30, 1 << 30)), "dense<0.5>"),  # nobody reads all of it
    (np.broadcast_to(np.array([[1], [2]], np.int8), (2, 3)), "dense<[[1, 1, 1], [2, 2, 2]]>"),
    (np.array(True), "dense<true>"),
    (np.array([0.0, -0.0], np.float32), "dense<[0.0, -0.0]>"),
    (np.float32(np.inf), 'dense<"0x0000807F">'),
    (np.array(1 + 2j, np.complex64), 'dense<"0x0000803F00000040">'),
    (np.arange(20, dtype=np.int16)[::19], "dense<[0, 19]>"),
    (np.arange(17, dtype=np.uint8), 'dense<"0x000102030405060708090A0B0C0D0E0F10">'),
    (np.array(1.5, ml_dtypes.bfloat16), "dense<1.5>"),
])
def test_constants(value: np.ndarray, text: str) -> None:
    assert dense(np.asarray(value)) == text


def test_types() -> None:
    assert type_text(ArrayType((2, 0), dtypes.float8_e4m3fn)) == "tensor<2x0xf8E4M3FN>"
    assert type_text(ArrayType((), dtypes.uint16)) == "tensor<ui16>"


def test_donated_inputs_go_to_outputs_of_their_type_once() -> None:
    builder = ProgramBuilder("f")
    x, y, z = builder.input(VECTOR), builder.input(VECTOR), builder.input(ArrayType((), dtypes.int32))
    (total,) = builder.emit(ops.add, [x, y])
    text = emit_program(builder.finish([total]), 1, (0, 1, 2))
    assert text.count("tf.aliasing_output") == 1 and "%arg0: tensor<4xf32> {tf.aliasing_output = 0" in text
    del z


def test_precision_is_the_policys() -> None:
    for word in ("default", "high", "highest"):
        found = re.findall(r"#stablehlo<precision (\w+)>", emit_program(mlp(), policy=tpu_policy(word)))
        assert found == [word.upper()] * 6


@pytest.mark.parametrize("dtype", [dtypes.float64, dtypes.complex128])
def test_tpus_refuse_wide_floats_and_name_the_alternative(dtype: np.dtype) -> None:
    narrower = dtypes.narrowed(dtype).name
    program = _one(ops.neg, [ArrayType((2,), dtype)])
    with pytest.raises(NotSupportedError, match=f"(?s){dtype.name}.*a TPU.*Use {narrower}"):
        emit_program(program, policy=tpu_policy())
    inside = _one(ops.convert, [ArrayType((2,), dtypes.float32)], {"dtype": dtypes.float64})
    with pytest.raises(NotSupportedError, match="a result of convert"):
        emit_program(inside, policy=tpu_policy())
    assert "f64" in emit_program(program)


def test_policy_without_alternative_names_what_there_is() -> None:
    with pytest.raises(NotSupportedError, match="Use one of int32"):
        emit_program(_one(ops.neg, [VECTOR]), policy=TypePolicy("a toy", frozenset({dtypes.int32})))


def test_callbacks_and_manual_regions_are_refused() -> None:
    program = _one(ops.host_callback, [VECTOR], {
        "callback": HostFunction("show", print), "result_types": (VECTOR,), "ordered": False})
    with pytest.raises(NotSupportedError, match="show.*PJRT"):
        emit_program(program)
    with pytest.raises(OlympusInternalError, match="manual"):
        EMISSIONS["manual"](None, None, ())


def test_a_region_called_twice_is_written_once() -> None:
    inner = _one(ops.sin, [VECTOR])
    builder = ProgramBuilder("f")
    x = builder.input(VECTOR)
    (y,) = builder.emit(ops.call, [x], {}, [inner])
    (z,) = builder.emit(ops.call, [y], {}, [inner])
    text = emit_program(builder.finish([z]))
    assert text.count("func.func private") == 1 and text.count("callee = @called_0") == 2


def test_collectives_of_one_member_are_no_collectives() -> None:
    alone = DeviceGroups(((0,), (1,)))
    for record, attributes in ((ops.all_reduce, {"reduction": "max"}), (ops.all_gather, {"dimension": 0}),
                               (ops.reduce_scatter, {"reduction": "sum", "dimension": 0}),
                               (ops.all_to_all, {"split_dimension": 0, "concat_dimension": 0}),
                               (ops.broadcast, {"source": 0})):
        assert "replica_groups" not in emit_program(_one(record, [VECTOR], {**attributes, "group": alone}), 2)


def test_some_of_a_programs_devices_have_groups_and_numbers_of_their_own() -> None:
    pairs = {"group": DeviceGroups(((0, 2), (1, 5), (4, 3)))}
    positions = [5, 4, 1, 3]
    text = emit_program(_one(ops.all_reduce, [VECTOR], {"reduction": "sum", **pairs}), positions)
    assert "num_replicas = 4" in text and "replica_groups = dense<[[2, 0], [1, 3]]>" in text
    text = emit_program(_one(ops.permute, [VECTOR], {"pairs": ((0, 1),), **pairs}), positions)
    assert "source_target_pairs = dense<[[2, 0], [1, 3]]>" in text
    place = {"group": DeviceGroups((tuple(range(6)),))}
    text = emit_program(_one(ops.axis_index, [], place), positions)
    assert "dense<[5, 4, 1, 3]>" in text and "replica_id" in text
    text = emit_program(_one(ops.axis_index, [], place), [4])
    assert "dense<4>" in text and "replica_id" not in text


def test_random_bits_never_come_from_the_compilers_generator() -> None:
    text = emit_program(_one(ops.random_bits, [ArrayType((2,), dtypes.uint32)], {
        "shape": (8,), "global_shape": (8,), "dtype": dtypes.uint32}))
    assert "rng" not in text and "ui64" not in text


def test_starts_of_random_bits_far_behind_are_not_cut() -> None:
    operands = [ArrayType((2,), dtypes.uint32), ArrayType((), dtypes.int64)]
    text = emit_program(_one(ops.random_bits, operands, {
        "shape": (8,), "global_shape": (1 << 34,), "dtype": dtypes.uint32}))
    assert "(tensor<i64>) -> tensor<ui64>" in text and "tensor<ui32>) -> tensor<ui64>" not in text
