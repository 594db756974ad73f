# SPDX-License-Identifier: Apache-2.0
"""Programs compiled, cached, refused; signatures interned."""

from __future__ import annotations

import gc
from types import SimpleNamespace

import numpy as np
import pytest

import olympus
from olympus.sharding import Mesh
from olympus_core import ops
from olympus_core.errors import NotSupportedError
from olympus_core.placement import NamedSharding, PartitionSpec
from olympus_core.plugin import Capabilities
from olympus_core.program import ArrayType, DeviceProgram, Program, ProgramBuilder
from olympus_core.runtime import Signature, get_world, load
from olympus_core.runtime.execution import check_capabilities

F = ArrayType((8,), "float32")


def doubled(name: str = "doubled") -> Program:
    builder = ProgramBuilder(name)
    x = builder.input(F)
    return builder.finish(builder.emit(ops.add, [x, x]))


def called_back(function) -> Program:
    builder = ProgramBuilder("called back")
    x = builder.input(F)
    attributes = {"callback": ops.HostFunction("f", function), "result_types": (F,), "ordered": False}
    return builder.finish(builder.emit(ops.host_callback, [x], attributes))


@pytest.fixture(scope="module")
def mesh() -> Mesh:
    return olympus.make_mesh((8,), ("x",))


def run(program: Program, mesh: Mesh) -> np.ndarray:
    loaded = load(program, mesh, [((),)], [((),)])
    client = get_world().client(mesh.flat_devices[0])
    buffers = [client.buffer_from_host(np.arange(8, dtype=np.float32), d) for d in mesh.flat_devices]
    ((first, *_),) = loaded.execute([buffers])
    return first.to_host()


def test_the_same_request_gives_the_same_answer(mesh: Mesh) -> None:
    first = load(doubled(), mesh, [(("x",),)], [None])
    assert load(doubled("another name"), mesh, [(("x",),)], [None]) is first
    others = [
        load(doubled(), mesh, [((),)], [None]), load(doubled(), mesh, [(("x",),)], [((),)]),
        load(doubled(), mesh, [(("x",),)], [None], donated=(0,)),
        load(doubled(), Mesh(mesh.devices[::-1], ("x",)), [(("x",),)], [None]),
    ]
    assert len({id(loaded) for loaded in [first, *others]}) == 5


def test_functions_of_one_name_are_told_apart(mesh: Mesh) -> None:
    one, other = called_back(lambda x: [x + 1]), called_back(lambda x: [x * 3])
    assert one.fingerprint == other.fingerprint
    np.testing.assert_array_equal(run(one, mesh), np.arange(8) + 1)
    np.testing.assert_array_equal(run(other, mesh), np.arange(8) * 3)


def test_what_a_platform_does_not_declare_is_refused(mesh: Mesh) -> None:
    program = DeviceProgram(doubled(), mesh.flat_devices)
    types = frozenset({np.dtype("float32")})

    def check(capabilities: Capabilities) -> None:
        check_capabilities(SimpleNamespace(capabilities=capabilities), program, "tiny")

    check(Capabilities(dtypes=types))
    check(Capabilities(dtypes=types, operations=frozenset({"add"})))
    with pytest.raises(NotSupportedError, match="Element type float32 on platform 'tiny'"):
        check(Capabilities(dtypes=frozenset({np.dtype("int32")})))
    with pytest.raises(NotSupportedError, match=r"Operation add .* on platform 'tiny'"):
        check(Capabilities(dtypes=types, operations=frozenset({"mul"})))


def test_equal_signatures_are_one(mesh: Mesh) -> None:
    def make(spec: str | None = "x", weak: bool = False) -> Signature:
        return Signature(ArrayType((8,), "float32"), NamedSharding(mesh, PartitionSpec(spec)), True, weak)

    assert make() is make()
    kept = [make(), make(None), make(weak=True)]
    assert len(set(map(id, kept))) == 3


def test_signatures_are_let_go() -> None:
    from olympus_core.runtime import signature

    mesh = Mesh(np.array(olympus.devices())[[5, 2, 7]], ("only here",))
    made = Signature(ArrayType((3,), "float32"), NamedSharding(mesh, PartitionSpec()), True)
    count = len(signature._interned)
    del made
    gc.collect()
    assert len(signature._interned) < count
