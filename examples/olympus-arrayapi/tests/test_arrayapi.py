"""Tests of the platforms whose library is installed: a user's program, and the conformance suite's profile minimal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
import olympus_arrayapi
from olympus.sharding import NamedSharding, PartitionSpec
from olympus_arrayapi import ArrayLibrary
from olympus_conformance import Context, Session, Status, Test, run_test
from olympus_conformance import tests as conformance_tests
from olympus_core.plugin import PlatformSettings

GOOD = (Status.PASS, Status.NOT_SUPPORTED, Status.WARNING)
LIBRARIES = [olympus_arrayapi.strict, olympus_arrayapi.torch]


@pytest.fixture(scope="module", params=LIBRARIES, ids=lambda library: library.name)
def library(request: pytest.FixtureRequest) -> ArrayLibrary:
    """Each platform; skips those whose library is missing."""
    found = request.param.probe()
    if not found.available:
        pytest.skip(found.reason)
    return request.param


@pytest.fixture(scope="module")
def session(library: ArrayLibrary) -> Iterator[Session]:
    """The platform, opened for the conformance suite."""
    opened = Session(library, PlatformSettings(device_count=2))
    yield opened
    opened.close()


def test_a_program(library: ArrayLibrary) -> None:
    """Split over two devices; its results are the library's arrays, and equal NumPy's."""
    devices = olympus.devices(library.name)
    mesh = olympus.Mesh(devices, ("x",))
    values = np.arange(8 * len(devices), dtype=np.float32)
    x = olympus.device_put(values, NamedSharding(mesh, PartitionSpec("x")))
    total = olympus.jit(lambda x: jnp.sum(jnp.sin(x) + x))(x)
    np.testing.assert_allclose(np.asarray(total), np.sum(np.sin(values) + values), rtol=1e-5)


def test_a_missing_library_is_told() -> None:
    """Not installed is no error: the platform is not available."""
    answer = ArrayLibrary("nothing", "nothing_of_this_name", ["nothing_of_this_name"]).probe()
    assert not answer.available and "nothing_of_this_name" in answer.reason


@pytest.mark.parametrize("test", conformance_tests("minimal"), ids=lambda test: test.id)
def test_conformance(session: Session, test: Test) -> None:
    """Profile minimal, a test for each requirement; the command `olympus-conformance` runs the others."""
    outcome = run_test(test, Context(session, test.id))
    assert outcome.status in GOOD, (
        f"{test.requirement.statement}\nobserved: {outcome.observed or outcome.reason}\n"
        f"required: {outcome.required}\n{outcome.program}{outcome.trace}"
    )
