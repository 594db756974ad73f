# SPDX-License-Identifier: Apache-2.0
"""Random cases: a program of a random generator, with inputs."""

from __future__ import annotations

import random

from olympus_core import dtypes
from olympus_core.program import ArrayType

from ..samples.values import sample
from .case import Case
from .generator import EVERYTHING, Allowed, ProgramGenerator
from .steps import STEPS

# Larger than the blocks of reductions, the chunks of threads and the tiles of transposes.
LARGE = ((70_000,), (300, 400), (1 << 17 | 3,), (5, 40_001), (40_001, 5), (64, 33, 65), (2, 3, 5, 7, 11, 13))
BESIDE = 0.25  # see `drawn_case`


def random_case(seed: int, beside: float = BESIDE) -> Case:
    """The program of a seed, with inputs; for `beside` see `drawn_case`."""
    return drawn_case(random.Random(seed), f"fuzz{seed}", beside=beside)


def drawn_case(
    source: random.Random, name: str, allowed: Allowed = EVERYTHING, longest: int = 20, beside: float = BESIDE,
) -> Case:
    """A program with inputs.

    Args:
        source: The source of randomness.
        name: The program's name.
        allowed: What it may consist of.
        longest: The most steps.
        beside: The share of programs with operations that platforms leave to the host next to arithmetic on the same
            arrays, nearly all of which are donated.
    """
    is_large = source.random() < 0.06
    most = allowed.devices
    count = source.choice((1, 1, most)) if not is_large else source.choice((1, 1, 1, most))
    is_wild = source.random() < 0.5
    # Nearly all arrays have one shape and type and are donated, so that memory is reused wherever possible.
    is_beside = not is_large and source.random() < beside
    generator = ProgramGenerator(source, name, STEPS, is_wild, count, 0, 1 << 18 if is_large else 4096, allowed)
    kinds = 1 if is_beside else source.randint(1, 3)
    shapes = [source.choice(LARGE)] if is_large else [generator.shape() for _ in range(kinds)]
    shapes += [source.choice(shapes) for _ in range(source.randint(0, 2))]
    drawn = [generator.dtype()] * len(shapes) if is_beside else [generator.dtype() for _ in shapes]
    for shape, dtype in zip(shapes, drawn, strict=True):
        dtype = dtype if dtype in allowed.dtypes else dtypes.float32
        generator.pool.append(generator.builder.input(ArrayType(shape, dtype)))
    lengths = (1, 2, 3, 4) if is_beside else (2, 4, 8, 12, 20)
    generator.steps(min(longest, source.randint(1, 5) if is_large else source.choice(lengths)), is_beside)
    outputs = list(generator.pool[-1:])
    candidates = generator.pool[-3:] if is_beside else generator.pool
    outputs += [source.choice(candidates) for _ in range(source.randint(0, 3))]
    program = generator.builder.finish(outputs)
    inputs = [[sample(source, t, is_wild) for _ in range(count)] for t in program.input_types]
    donated = tuple(i for i in range(len(inputs)) if source.random() < (0.8 if is_beside else 0.3))
    return Case(program, inputs, donated, source.random() < 0.4, count)
