# SPDX-License-Identifier: Apache-2.0
"""A program with what it is given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from olympus_core.program import Program

Columns = list[list[np.ndarray]]  # for each input or output, for each device, an array

MOST_DEVICES = 3


@dataclass(frozen=True)
class Case:
    """A program and what it is given.

    Args:
        program: The program of one device.
        inputs: For each input, for each device, an array.
        donated: Inputs whose memory may be written over.
        is_optimised: Whether optimised code is wanted at once, where a platform has a choice.
        count: Number of devices.
    """

    program: Program
    inputs: Columns
    donated: tuple[int, ...] = ()
    is_optimised: bool = False
    count: int = 1
