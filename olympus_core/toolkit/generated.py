# SPDX-License-Identifier: Apache-2.0
"""Compiling a device program with a platform's generator of code, or without where that fails."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from olympus_core.errors import KernelFormError, NativeCodeError, NotCompiledWarning, OlympusInternalError
from olympus_core.plugin import Links
from olympus_core.program import DeviceProgram

from .executable import TableExecutable, WrapBuffer, compile_with_table
from .optable import OperationTable
from .speculation import speculative_executable, speculative_program

if TYPE_CHECKING:
    from .kernel_generator import KernelGenerator


def compile_with_generator(
    program: DeviceProgram, table: OperationTable, links: Links, wrap: WrapBuffer, generator: KernelGenerator
) -> TableExecutable:
    """Makes a program ready to run: as generated kernels, and what the generator cannot take by the table.

    A program whose callbacks are all in branches is compiled without them first (`speculation.py`). A fault of the
    generator is a warning, `NotCompiledWarning`, and the whole program then runs by the table.

    Args:
        program: The device program.
        table: The platform's operations.
        links: How to reach other processes' devices.
        wrap: Makes the platform's buffer of an array and its device.
        generator: The platform's.

    Returns:
        The executable.

    Raises:
        NotSupportedError: For an operation that the table lacks.
    """
    quick = speculative_program(program)
    if quick is None:
        return _compiled(program, table, links, wrap, generator)
    return speculative_executable(
        program, _compiled(quick, table, links, wrap, generator),
        lambda: _compiled(program, table, links, wrap, generator), table.to_host)


def _compiled(
    program: DeviceProgram, table: OperationTable, links: Links, wrap: WrapBuffer, generator: KernelGenerator
) -> TableExecutable:
    from .fused import FusedCompiler  # takes time to import, and is needed by the first program only

    compiler = FusedCompiler(table, program.local_positions, generator, program.local_devices, program.program)
    try:
        generator.dump.program(program)
        return compile_with_table(program, table, links, wrap, compiler)
    except (KernelFormError, NativeCodeError, OlympusInternalError) as error:
        warnings.warn(NotCompiledWarning(program.program.name, str(error)), stacklevel=2)
        return compile_with_table(program, table, links, wrap)
