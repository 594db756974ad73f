# SPDX-License-Identifier: Apache-2.0
"""What platforms that generate code share: the log of fallbacks, and what happens when the generator fails."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import KernelFormError, NotCompiledWarning
from olympus_core.program import ArrayType, Program, ProgramBuilder
from olympus_core.toolkit import ArrayBuffer, compile_with_generator, table_from_references
from olympus_core.toolkit.fallbacks import FallbackLog

from .programs import FLOAT, device_program, fake_devices


def program() -> Program:
    builder = ProgramBuilder("sines")
    x = builder.input(ArrayType((3,), FLOAT))
    (y,) = builder.emit(ops.OPERATIONS["sin"], [x])
    (z,) = builder.emit(ops.OPERATIONS["cos"], [y])
    return builder.finish([z])


class Broken:
    """A generator that fails at once."""

    def __getattr__(self, name: str) -> Any:
        raise KernelFormError("sines", "nothing works", "")


def test_a_fault_of_the_generator_is_a_warning_and_the_table_runs_it() -> None:
    (device,) = fake_devices(1)
    with pytest.warns(NotCompiledWarning, match="sines.*nothing works"):
        executable = compile_with_generator(
            device_program(program(), [device]), table_from_references(), None, ArrayBuffer, Broken())  # type: ignore[arg-type]
    x = np.array([0.5, 1.0, -2.0], FLOAT)
    ((found,),) = executable.execute([[ArrayBuffer(x, device)]])
    np.testing.assert_allclose(found.to_host(), np.cos(np.sin(x)), rtol=1e-6)


def test_each_place_is_told_once_as_a_warning_unless_it_is_well_served(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("olympus.tiny")
    caplog.set_level(logging.INFO, "olympus.tiny")
    note = FallbackLog(logger, "NumPy", ["cos"])
    first, second = program().operations
    for _ in range(3):
        note(first)
        note(second)
    line, other = [record.getMessage() for record in caplog.records]
    assert line.startswith(f"sin({first.operands[0].type}) at ")
    assert " is not compiled: NumPy runs it." in line
    assert "olympus.profiler.trace" in line and "logging.getLogger('olympus.tiny')" in line
    assert other.startswith("cos(") and other.endswith("NumPy runs it")
    assert [r.levelno for r in caplog.records] == [logging.WARNING, logging.INFO]
    FallbackLog(logger, "the host")(second)
    assert caplog.records[-1].getMessage().startswith("cos(") and caplog.records[-1].levelno == logging.WARNING
    assert "the host runs it." in caplog.records[-1].getMessage()


def test_nothing_is_told_of_arrays_without_elements_and_of_what_has_no_kernel(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "olympus.tiny")
    builder = ProgramBuilder("empty")
    (y,) = builder.emit(ops.OPERATIONS["sin"], [builder.input(ArrayType((0, 3), FLOAT))])
    (c,) = builder.emit(ops.OPERATIONS["constant"], [], {"value": np.ones(3, FLOAT)})
    for operation in builder.finish([y, c]).operations:
        FallbackLog(logging.getLogger("olympus.tiny"), "NumPy")(operation)
    assert not caplog.records
