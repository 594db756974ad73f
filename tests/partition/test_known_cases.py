# SPDX-License-Identifier: Apache-2.0
"""Which collectives known programs get, and what `explain` says of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import IndivisibleError, NotSupportedError
from olympus_core.partition import format_collectives, partition
from olympus_core.placement import AbstractMesh, Mesh
from olympus_core.program import ArrayType, Program, ProgramBuilder

from .oracle import check, fake_devices, mesh_of, whole

DOT = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": (), "dtype": None}


def names(program: Program) -> list[str]:
    return [operation.name for operation in program.operations]


def matmul(m: int, k: int, n: int, relu: bool = True) -> Program:
    """The program of the first document: nn.relu(x @ y)."""
    builder = ProgramBuilder("matmul")
    x, y = builder.input(ArrayType((m, k), "float32")), builder.input(ArrayType((k, n), "float32"))
    (z,) = builder.emit(ops.dot_general, [x, y], DOT, location="toy.py:10")
    if relu:
        (zero,) = builder.emit(ops.constant, [], {"value": np.zeros((), np.float32)})
        (zeros,) = builder.emit(ops.broadcast_in_dim, [zero], {"shape": (m, n), "dimensions": ()})
        (z,) = builder.emit(ops.max, [z, zeros], location="toy.py:11")
    return builder.finish([z])


def test_matmul_of_the_document() -> None:
    partitioned = partition(matmul(4096, 2048, 4096), mesh_of(8, 2), [(("a",), ("b",)), (("b",), ())], [None])
    assert partitioned.out_dims == ((("a",), ()),)
    (use,) = partitioned.collectives
    assert (use.operation, use.axes, use.location) == ("all_reduce", ("b",), "toy.py:10")
    assert use.bytes_per_device == 512 * 4096 * 4
    assert use.bytes_in_all == 16 * use.bytes_per_device


def test_matmul_whose_result_is_wanted_split_scatters() -> None:
    program = matmul(4096, 2048, 4096, relu=False)
    partitioned = partition(program, mesh_of(8, 2), [(("a",), ("b",)), (("b",), ())], [(("a",), ("b",))])
    assert [use.operation for use in partitioned.collectives] == ["reduce_scatter"]


def test_small_weights_are_gathered_instead() -> None:
    program = matmul(4096, 16, 4096, relu=False)
    partitioned = partition(program, mesh_of(2, 2), [(("a",), ("b",)), (("b",), ())], [None])
    assert [use.operation for use in partitioned.collectives] == ["all_gather", "all_gather"]


def test_elementwise_talks_to_nobody() -> None:
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((8, 8), "float32"))
    (y,) = builder.emit(ops.sin, [x])
    (z,) = builder.emit(ops.mul, [x, y])
    partitioned = partition(builder.finish([z]), mesh_of(2, 4), [(("a",), ("b",))], [None])
    assert partitioned.out_dims == ((("a",), ("b",)),)
    assert names(partitioned.device_program.program) == ["sin", "mul"]
    assert format_collectives(partitioned) == "no collectives: the devices do not talk"


def test_decompositions_of_a_split_batch_talk_to_nobody() -> None:
    builder = ProgramBuilder("f")
    a, b = builder.input(ArrayType((8, 4, 4), "float64")), builder.input(ArrayType((8, 4, 6), "float64"))
    (product,) = builder.emit(ops.dot_general, [a, a], {
        "lhs_contracting": (2,), "rhs_contracting": (2,), "lhs_batch": (0,), "rhs_batch": (0,), "dtype": None})
    (factor,) = builder.emit(ops.cholesky, [product])
    flags = {"left_side": True, "lower": True, "transpose": False, "conjugate": False, "unit_diagonal": False}
    (solved,) = builder.emit(ops.triangular_solve, [factor, b], flags)
    values, vectors = builder.emit(ops.eigh, [product], {"lower": True, "vectors": True})
    singular = builder.emit(ops.svd, [product], {"full_matrices": False, "vectors": True})
    schur = builder.emit(ops.schur, [a], {"vectors": True})
    program = builder.finish([solved, values, vectors, *singular, *schur])
    random = np.random.default_rng(0)
    inputs = [random.integers(-3, 4, shape) + 5.0 * np.eye(*shape[1:]) for shape in ((8, 4, 4), (8, 4, 6))]
    batch = (("a",), (), ())
    for sides in (batch, (("a",), (), ("b",))):  # columns of right-hand sides may be split, too
        partitioned = check(program, inputs, whole(program, inputs), mesh_of(4, 2), [batch, sides])
        assert partitioned.collectives == ()
        assert partitioned.out_dims == (sides, (("a",), ()), batch, (("a",), ()), *[batch] * 4)


def test_replicated_operand_is_cut_not_moved() -> None:
    builder = ProgramBuilder("f")
    x, y = (builder.input(ArrayType((8, 8), "float32")) for _ in range(2))
    partitioned = partition(
        builder.finish(builder.emit(ops.add, [x, y])), mesh_of(2, 4), [(("a",), ()), ((), ())], [None]
    )
    assert partitioned.out_dims == ((("a",), ()),)
    assert partitioned.collectives == ()


def test_sum_of_sines_is_one_all_reduce_of_a_scalar() -> None:
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((64,), "float32"))
    (y,) = builder.emit(ops.sin, [x])
    (total,) = builder.emit(ops.reduce_sum, [y], {"dimensions": (0,)}, location="toy.py:20")
    partitioned = partition(builder.finish([total]), mesh_of(2, 4), [(("a", "b"),)], [None])
    assert names(partitioned.device_program.program) == ["sin", "reduce_sum", "all_reduce"]
    (use,) = partitioned.collectives
    assert use.axes == ("a", "b")
    assert partitioned.device_program.program.operations[-1].operands[0].type == ArrayType((), "float32")


def test_terms_are_combined_once_after_the_linear_operations() -> None:
    builder = ProgramBuilder("f")
    x, y = builder.input(ArrayType((64, 64), "float32")), builder.input(ArrayType((64, 64), "float32"))
    (p,) = builder.emit(ops.dot_general, [x, y], DOT)
    (q,) = builder.emit(ops.dot_general, [y, x], DOT)
    (total,) = builder.emit(ops.add, [p, q])
    (negative,) = builder.emit(ops.neg, [total])
    (turned,) = builder.emit(ops.transpose, [negative], {"permutation": (1, 0)})
    (out,) = builder.emit(ops.reduce_sum, [turned], {"dimensions": (0,)})
    partitioned = partition(
        builder.finish([out]), mesh_of(8), [((), ("a",)), (("a",), ())], [None]
    )
    # y @ x has its contraction whole on every device, so its rows go where those of x @ y are partial.
    reduced = [use for use in partitioned.collectives if use.operation in ("all_reduce", "reduce_scatter")]
    assert len(reduced) == 1
    random = np.random.default_rng(0)
    inputs = [random.integers(-3, 4, (64, 64)).astype(np.float32) for _ in range(2)]
    program = builder.finish([out])
    check(program, inputs, whole(program, inputs), mesh_of(8), [((), ("a",)), (("a",), ())])


def test_only_sums_pass_through_linear_operations() -> None:
    """The largest of the negatives is not the negative of the largest."""
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((64, 4), "float32"))
    (s,) = builder.emit(ops.reduce_max, [x], {"dimensions": (0,)})
    (n,) = builder.emit(ops.neg, [s])
    (turned,) = builder.emit(ops.reshape, [n], {"shape": (2, 2)})
    program = builder.finish([turned])
    inputs = [np.arange(256, dtype=np.float32).reshape(64, 4)]
    partitioned = check(program, inputs, whole(program, inputs), mesh_of(8), [(("a",), ())])
    assert names(partitioned.device_program.program) == ["reduce_max", "all_reduce", "neg", "reshape"]


def test_terms_over_an_axis_do_not_meet_parts_over_it() -> None:
    """x @ w is partial over the axis that splits the next matrix."""
    builder = ProgramBuilder("f")
    x, w, v = (builder.input(ArrayType(shape, "float32")) for shape in ((8, 64), (64, 8), (8, 64)))
    (z,) = builder.emit(ops.dot_general, [x, w], DOT)
    (y,) = builder.emit(ops.dot_general, [z, v], DOT)
    program = builder.finish([y])
    random = np.random.default_rng(0)
    inputs = [random.integers(-3, 4, t.shape).astype(np.float32) for t in program.input_types]
    for last in (((), ("a",)), (("a",), ())):
        partitioned = check(
            program, inputs, whole(program, inputs), mesh_of(8), [((), ("a",)), (("a",), ()), last]
        )
        assert sum(use.operation in ("all_reduce", "reduce_scatter") for use in partitioned.collectives) <= 2


def test_value_used_twice_is_combined_once() -> None:
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((64, 4), "float32"))
    (s,) = builder.emit(ops.reduce_sum, [x], {"dimensions": (0,)})
    (n,) = builder.emit(ops.neg, [s])
    (e,) = builder.emit(ops.exp, [s])
    partitioned = partition(builder.finish([n, e, s]), mesh_of(8), [(("a",), ())], [None] * 3)
    assert [use.operation for use in partitioned.collectives] == ["all_reduce"]


def training_step(batch: int, width: int) -> Program:
    """One step of data-parallel training: z = x @ w; w - x^T z."""
    builder = ProgramBuilder("step")
    x, w = builder.input(ArrayType((batch, width), "float32")), builder.input(ArrayType((width, width), "float32"))
    (z,) = builder.emit(ops.dot_general, [x, w], DOT, location="train.py:1")
    (g,) = builder.emit(ops.dot_general, [x, z], {**DOT, "lhs_contracting": (0,)}, location="train.py:2")
    (new,) = builder.emit(ops.sub, [w, g], location="train.py:3")
    return builder.finish([new])


def test_data_parallel_step_with_split_state() -> None:
    partitioned = partition(training_step(1024, 64), mesh_of(8), [(("a",), ()), (("a",), ())], [None])
    assert partitioned.out_dims == ((("a",), ()),)
    assert [(use.operation, use.location) for use in partitioned.collectives] == [
        ("all_gather", "train.py:1"), ("reduce_scatter", "train.py:2"),
    ]


def test_data_parallel_step_with_replicated_state() -> None:
    partitioned = partition(training_step(1024, 64), mesh_of(8), [(("a",), ()), ((), ())], [((), ())])
    assert [use.operation for use in partitioned.collectives] == ["all_reduce"]


def test_one_device_gets_the_program_itself() -> None:
    program = matmul(4, 4, 4)
    partitioned = partition(program, mesh_of(1), [((), ()), ((), ())], [None], donated=(1,))
    assert partitioned.device_program.program is program
    assert partitioned.device_program.donated == (1,)
    assert partitioned.out_dims == (((), ()),)


def test_axes_of_one_device_keep_their_names() -> None:
    partitioned = partition(matmul(4, 4, 4), mesh_of(1, 1), [(("a",), ("b",)), (("b",), ())], [None])
    assert partitioned.out_dims == ((("a",), ()),)
    partitioned = partition(matmul(4, 4, 4), mesh_of(4, 1), [(("a",), ("b",)), (("b",), ())], [None])
    assert partitioned.out_dims == ((("a",), ()),)
    assert partitioned.collectives == ()


def test_sorted_dimension_moves_to_another_one() -> None:
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((8, 16), "float32"))
    program = builder.finish(builder.emit(ops.sort, [x], {"dimension": 1, "keys": 1}))
    partitioned = partition(program, mesh_of(8), [((), ("a",))], [None])
    assert partitioned.out_dims == (((), ("a",)),)
    assert [use.operation for use in partitioned.collectives] == ["all_to_all", "all_to_all"]


ROWS = {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "operand_batching_dims": (),
        "indices_batching_dims": (), "slice_sizes": (1, 64), "mode": "clip"}


def test_rows_of_a_split_table_are_looked_up_where_they_are() -> None:
    builder = ProgramBuilder("f")
    table, rows = builder.input(ArrayType((4096, 64), "float32")), builder.input(ArrayType((32, 1), "int32"))
    program = builder.finish(builder.emit(ops.gather, [table, rows], ROWS))
    partitioned = partition(program, mesh_of(8), [(("a",), ()), ((), ())], [None])
    (use,) = partitioned.collectives
    assert use.operation == "all_reduce"
    assert use.bytes_per_device == 2 * 32 * 64 * 4 * 7 // 8


def test_rows_are_added_to_a_split_table_without_talking() -> None:
    builder = ProgramBuilder("f")
    table, rows, updates = (
        builder.input(ArrayType(shape, dtype))
        for shape, dtype in (((4096, 64), "float32"), ((32, 1), "int32"), ((32, 64), "float32"))
    )
    attributes = {"update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
                  "operand_batching_dims": (), "indices_batching_dims": (), "combine": "add", "mode": "drop"}
    program = builder.finish(builder.emit(ops.scatter, [table, rows, updates], attributes))
    partitioned = partition(program, mesh_of(8), [(("a",), ()), ((), ()), ((), ())], [None])
    assert partitioned.out_dims == ((("a",), ()),)
    assert partitioned.collectives == ()


def test_intermediate_that_does_not_divide_is_split_less() -> None:
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((8, 8), "float32"))
    (y,) = builder.emit(ops.slice, [x], {"starts": (0, 0), "limits": (6, 8), "strides": (1, 1)})
    partitioned = partition(builder.finish([y]), mesh_of(2, 2), [(("a", "b"), ())], [None])
    assert partitioned.out_dims == ((("a",), ()),)


def test_inputs_that_do_not_divide_are_refused() -> None:
    with pytest.raises(IndivisibleError, match="6 is not a multiple of 4"):
        partition(matmul(6, 4, 4), mesh_of(4), [(("a",), ()), ((), ())], [None])
    with pytest.raises(IndivisibleError, match="6 is not a multiple of 4"):
        partition(matmul(6, 4, 4), mesh_of(4), [((), ()), ((), ())], [(("a",), ())])


def constrained(mesh: Mesh | AbstractMesh, dims: tuple[tuple[str, ...], ...]) -> Program:
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((8, 8), "float32"))
    (y,) = builder.emit(ops.neg, [x])
    (z,) = builder.emit(ops.sharding_constraint, [y], {"mesh": mesh, "dims": dims})
    return builder.finish(builder.emit(ops.abs, [z]))


def test_constraint_is_propagated_both_ways() -> None:
    mesh = mesh_of(2, 4)
    partitioned = partition(constrained(mesh, (("b",), ())), mesh, [((), ())], [None])
    assert partitioned.out_dims == ((("b",), ()),)
    assert names(partitioned.device_program.program)[-2:] == ["neg", "abs"]


def test_constraint_over_a_coarser_mesh_of_the_same_devices() -> None:
    fine = mesh_of(2, 4)
    coarse = Mesh(np.array(fine.flat_devices, dtype=object), ("x",))
    partitioned = partition(constrained(coarse, (("x",), ())), fine, [((), ())], [None])
    assert partitioned.out_dims == ((("a", "b"), ()),)


def test_constraint_over_an_abstract_mesh_is_over_the_devices_of_the_program() -> None:
    mesh = mesh_of(2, 4)
    for abstract, out in ((AbstractMesh((2, 4), ("a", "b")), ("b",)), (AbstractMesh((2, 2, 2), ("x", "b", "z")), None)):
        program = constrained(abstract, (("b",), ()))
        if out is None:
            with pytest.raises(NotSupportedError, match="not a product of neighbouring axes"):
                partition(program, mesh, [((), ())], [None])
        else:
            assert partition(program, mesh, [((), ())], [None]).out_dims == ((out, ()),)


def test_constraint_over_another_mesh_is_refused() -> None:
    others = Mesh(np.array(fake_devices(8), dtype=object), ("x",))
    with pytest.raises(NotSupportedError, match="their devices, or the order of their devices, differ"):
        partition(constrained(others, (("x",), ())), mesh_of(2, 4), [((), ())], [None])
    across = Mesh(np.array(mesh_of(2, 4).flat_devices, dtype=object).reshape(4, 2), ("x", "y"))
    with pytest.raises(NotSupportedError, match="not a product of neighbouring axes"):
        partition(constrained(across, (("x",), ())), mesh_of(2, 4), [((), ())], [None])


def test_constraint_that_does_not_divide_is_refused() -> None:
    mesh = mesh_of(3)
    with pytest.raises(IndivisibleError, match="8 is not a multiple of 3"):
        partition(constrained(mesh, (("a",), ())), mesh, [((), ())], [None])


def test_conflicts_are_explained() -> None:
    builder = ProgramBuilder("f")
    x, y = (builder.input(ArrayType((8, 8), "float32")) for _ in range(2))
    program = builder.finish(builder.emit(ops.add, [x, y], location="user.py:7"))
    partitioned = partition(program, mesh_of(2, 4), [(("a",), ()), (("b",), ())], [None])
    assert partitioned.out_dims == ((("a",), ()),)
    (decision,) = partitioned.decisions
    assert decision.startswith("add at user.py:7: float32[8,8] placed P('b', None) asks for ('b',)")


def test_table_of_collectives() -> None:
    partitioned = partition(matmul(64, 64, 64), mesh_of(2, 2), [(("a",), ("b",)), (("b",), ())], [None])
    head, rule, line, total = format_collectives(partitioned).splitlines()
    assert head == "operation   line       axes  bytes per device  bytes in all  why"
    assert set(rule) == {"-", " "}
    assert line.split("  ")[:3] == ["all_reduce", "toy.py:10", "b"]
    assert line.endswith("8,192        32,768  the partial sum of dot_general is combined for max")
    assert total == "total: 8,192 bytes per device, 32,768 in all"


_ANYWHERE = """
from tests.partition.oracle import mesh_of
from tests.partition.test_known_cases import training_step
from olympus_core.partition import partition
for sizes, dims in [((8,), (("a",), ())), ((2, 4), (("b",), ("a",))), ((2, 2, 2), (("c", "a"), ("b",)))]:
    print(partition(training_step(64, 32), mesh_of(*sizes), [dims, dims], [None]).device_program.program.fingerprint)
"""


def test_every_process_makes_the_same_program() -> None:
    """Whatever the hash of strings: processes that partition differently would wait for each other."""
    root = Path(__file__).resolve().parents[2]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _ANYWHERE], capture_output=True, text=True, check=True, cwd=root, timeout=60,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().split()) == 3


@pytest.mark.parametrize("shift", [1, 5, 15])
def test_a_rolled_array_lies_as_it_did_before(shift: int) -> None:
    builder = ProgramBuilder("roll")
    x = builder.input(ArrayType((16, 3), "float32"))
    ends = [(16 - shift, 16), (0, 16 - shift)]
    pieces = [builder.emit(ops.slice, [x], {"starts": (a, 0), "limits": (b, 3), "strides": (1, 1)})[0] for a, b in ends]
    (rolled,) = builder.emit(ops.concatenate, pieces, {"dimension": 0})
    host = np.arange(48, dtype=np.float32).reshape(16, 3)
    found = check(builder.finish([rolled]), [host], [np.roll(host, shift, 0)], mesh_of(4), [(("a",), ())])
    assert found.out_dims == ((("a",), ()),)
