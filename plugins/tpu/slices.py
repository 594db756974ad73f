# SPDX-License-Identifier: Apache-2.0
"""Slices of TPUs, by their names for users and for libtpu."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .errors import TpuSliceError


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation of TPUs.

    Args:
        name: libtpu's name of it.
        aliases: Further prefixes of names of slices.
        counted: The number in a slice's name for each chip: 2 where names count cores.
        devices: Devices on a chip.
        shapes: The shapes of slices in chips, smallest first.
        single: The shapes of slices for one process that are larger than the share of a process in larger slices.
        options: Options of libtpu in addition to the name.
    """

    name: str
    aliases: tuple[str, ...]
    counted: int
    devices: int
    shapes: tuple[tuple[int, ...], ...]
    single: tuple[tuple[int, ...], ...] = ()
    options: Mapping[str, str] | None = None


_FLAT = ((1, 1), (2, 2), (2, 4), (4, 4), (4, 8), (8, 8), (8, 16), (16, 16))
_CUBES = (
    (2, 2, 1), (2, 2, 2), (2, 2, 4), (2, 4, 4), (4, 4, 4), (4, 4, 8), (4, 8, 8), (8, 8, 8), (8, 8, 16), (8, 16, 16),
)
GENERATIONS = (
    # On the cloud both cores of a chip are one device; libtpu by itself has two.
    Generation("v4", (), 2, 1, _CUBES, options={"chip_config_name": "megacore"}),
    Generation("v5e", ("v5litepod", "v5lite"), 1, 1, _FLAT, ((2, 4),)),
    Generation("v5p", (), 2, 1, _CUBES),
    Generation("v6e", (), 1, 1, _FLAT, ((2, 4),)),
    Generation("tpu7x", ("v7x",), 2, 2, _CUBES),
)


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice.

    Args:
        name: As users write it, in its shortest form.
        generation: Its generation.
        shape: Chips along the sides.
    """

    name: str
    generation: Generation
    shape: tuple[int, ...]

    @property
    def topology(self) -> str:
        """Its name for libtpu."""
        return f"{self.generation.name}:{'x'.join(map(str, self.shape))}"

    @property
    def chips(self) -> int:
        """Number of chips."""
        return math.prod(self.shape)

    @property
    def devices(self) -> int:
        """Number of devices."""
        return self.chips * self.generation.devices

    @property
    def chips_per_process(self) -> tuple[int, int, int]:
        """The shape of one process's chips, if each machine of the slice runs one process."""
        if self.shape in self.generation.single:
            return (self.shape[0], self.shape[1], 1)
        return (min(2, self.shape[0]), min(2, self.shape[1]), 1)

    @property
    def processes(self) -> int:
        """Number of processes, if each machine of the slice runs one."""
        return self.chips // math.prod(self.chips_per_process)


def slices() -> Iterator[Slice]:
    """All slices of the table."""
    for generation in GENERATIONS:
        for shape in generation.shapes:
            yield Slice(f"{generation.name}-{math.prod(shape) * generation.counted}", generation, shape)


def slice_of(name: str) -> Slice:
    """The slice of a name such as ``v5litepod-16``, ``v4-8`` or ``v5e:4x4``.

    Args:
        name: What the user wrote.

    Raises:
        TpuSliceError: No slice has the name.

    Example:
        >>> slice_of("v5litepod-16").topology, slice_of("v4-8").chips
        ('v5e:4x4', 4)
    """
    found = re.fullmatch(r"([a-z0-9]+)(?:-(\d+)|:(\d+(?:x\d+)+))", name.strip().lower())
    if found is not None:
        for generation in GENERATIONS:
            if found[1] in (generation.name, *generation.aliases):
                known = _by_count(generation, int(found[2])) if found[2] else _by_shape(generation, found[3])
                if known is not None:
                    return known
    raise TpuSliceError(name, *_near(name))


def _by_count(generation: Generation, count: int) -> Slice | None:
    """The table's slice with a number of chips or cores."""
    for shape in generation.shapes:
        if math.prod(shape) * generation.counted == count:
            return Slice(f"{generation.name}-{count}", generation, shape)
    return None


def _by_shape(generation: Generation, text: str) -> Slice | None:
    """The slice of a shape: of the table, or another arrangement of the same processes."""
    shape = tuple(int(n) for n in text.split("x"))
    dimensions = len(generation.shapes[0])
    if len(shape) != dimensions or 0 in shape:
        return None
    small = math.prod(shape) < math.prod(generation.shapes[-1]) and all(n % 2 == 0 for n in shape[:2])
    if shape not in generation.shapes and not small:
        return None
    return Slice(f"{generation.name}-{math.prod(shape) * generation.counted}", generation, shape)


def _near(name: str) -> tuple[str | None, list[str]]:
    """The known name that is most similar to an unknown one, and the names of its generation, or of all."""
    import difflib

    text = name.strip().lower()
    mine = next((g for g in GENERATIONS if any(text.startswith(a) for a in (g.name, *g.aliases))), None)
    known = [s for s in slices() if mine in (None, s.generation)]
    spelled = [s.topology for s in known]
    spelled += [f"{a}-{s.name.rpartition('-')[2]}" for s in known for a in (s.generation.name, *s.generation.aliases)]
    near = difflib.get_close_matches(text, spelled, 1, cutoff=0.5)
    return (near[0] if near else None), [s.name for s in known]
