"""Tests of the platform inplace: its compiler, a user's program, and what the plugin contract asks of platforms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec
from olympus_conformance import Context, Session, Status, Test, run_test
from olympus_conformance import tests as conformance_tests
from olympus_core import ops
from olympus_core.plugin import PlatformSettings
from olympus_core.program import ArrayType, DeviceGroups, DeviceProgram, ProgramBuilder
from olympus_inplace import olympus_platform
from olympus_inplace.compiler import CompiledProgram

GOOD = (Status.PASS, Status.NOT_SUPPORTED, Status.WARNING)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """The platform, opened for the conformance suite."""
    opened = Session(olympus_platform(), PlatformSettings(device_count=2))
    yield opened
    opened.close()


def test_memory_is_used_again(session: Session) -> None:
    """A long chain takes two blocks, and the donated input becomes the result."""
    builder = ProgramBuilder("chain")
    x = value = builder.input(ArrayType((1000,), "float32"))
    for _ in range(10):
        (value,) = builder.emit(ops.sin, [value])
    program = DeviceProgram(builder.finish([value]), session.devices[:1], donated=(0,))
    executable = session.client.compile(program, session.links)
    assert isinstance(executable, CompiledProgram), "the toolkit ran it"
    assert executable.cost()["peak_memory_bytes"] <= 2 * x.type.nbytes
    buffer = session.client.buffer_from_host(np.ones(1000, np.float32), session.devices[0])
    address = buffer.array.ctypes.data
    ((result,),) = executable.execute([[buffer]])
    assert result.array.ctypes.data == address
    expected = np.ones(1000, np.float32)
    for _ in range(10):
        expected = np.sin(expected)
    np.testing.assert_allclose(result.to_host(), expected, rtol=1e-5)


@pytest.mark.parametrize("steps", [0, 1])
def test_what_others_read_is_left_alone(session: Session, steps: int) -> None:
    """All devices read the first one's memory, a donated input's or a block, while it goes on computing."""
    builder = ProgramBuilder("others")
    x = value = builder.input(ArrayType((5,), "float32"))
    for _ in range(steps):
        (value,) = builder.emit(ops.neg, [value])
    group = DeviceGroups(((0, 1),))
    (first,) = builder.emit(ops.broadcast, [value], {"source": 0, "group": group})
    (other,) = builder.emit(ops.neg, [x])
    (total,) = builder.emit(ops.add, [other, first])
    program = DeviceProgram(builder.finish([total]), session.devices, donated=(0,))
    values = [np.full(5, i + 1, np.float32) for i in range(len(session.devices))]
    inputs = [[session.client.buffer_from_host(x, d) for x, d in zip(values, session.devices, strict=True)]]
    (results,) = session.client.compile(program, session.links).execute(inputs)
    for i, result in enumerate(results):
        np.testing.assert_array_equal(result.to_host(), np.full(5, (-1.0) ** steps - (i + 1)))


def test_a_program() -> None:
    """Split over the devices, with a sum over all of them."""
    devices = olympus.devices("inplace")
    mesh = olympus.Mesh(devices, ("x",))
    values = np.arange(8 * len(devices), dtype=np.float32)
    x = olympus.device_put(values, NamedSharding(mesh, PartitionSpec("x")))
    total = olympus.jit(lambda x: jnp.sum(jnp.sin(x) + x))(x)
    np.testing.assert_allclose(np.asarray(total), np.sum(np.sin(values) + values), rtol=1e-5)


@pytest.mark.parametrize("test", conformance_tests("minimal"), ids=lambda test: test.id)
def test_conformance(session: Session, test: Test) -> None:
    """Profile minimal, a test for each requirement; the command `olympus-conformance` runs the others."""
    outcome = run_test(test, Context(session, test.id))
    assert outcome.status in GOOD, (
        f"{test.requirement.statement}\nobserved: {outcome.observed or outcome.reason}\n"
        f"required: {outcome.required}\n{outcome.program}{outcome.trace}"
    )
