# SPDX-License-Identifier: Apache-2.0
"""The text of a tiling: which numbered device holds which tile, as compilers write it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from olympus_core.errors import TilingError

from .boxes import part_numbers
from .device import Device
from .layout import Layout

# devices=[tiles]<=[sizes]T(axes), or devices=[tiles]0,2,1,3; then whether the last tile dimension is replicas.
_TILES = re.compile(
    r"\{?\s*devices=\[(?P<tiles>[\d,]+)\]"
    r"(?:<=\[(?P<sizes>[\d,]+)\](?:T\((?P<axes>[\d,]+)\))?|(?P<listed>[\d,]+))"
    r"(?P<replicate>\s+last_tile_dim_replicate)?\s*\}?"
)


def tiling_grid(tiling: str | Layout, devices: Sequence[Device]) -> np.ndarray:
    """The devices' numbers in the shape of the tiles, replicas along the last dimension.

    Args:
        tiling: The text, or a layout over the same devices.
        devices: The devices that the numbers count.

    Raises:
        TilingError: For something that is not a tiling over these devices.
    """
    grid = _from_layout(tiling, devices) if isinstance(tiling, Layout) else _from_text(tiling, len(devices))
    if grid is None or sorted(grid.flat) != list(range(len(devices))):
        raise TilingError(str(tiling), len(devices))
    return grid


def tiling_text(grid: np.ndarray) -> str:
    """The text of a grid as `tiling_grid` gives it."""
    tiles, replicas = grid.shape[:-1], grid.shape[-1]
    if math.prod(tiles) == 1:
        return "{replicated}"
    shape = tiles if replicas == 1 else grid.shape
    numbers = [int(n) for n in grid.flat]
    order = f"<=[{len(numbers)}]" if numbers == sorted(numbers) else ",".join(map(str, numbers))
    last = "" if replicas == 1 else " last_tile_dim_replicate"
    return "{" + f"devices=[{','.join(map(str, shape))}]{order}{last}" + "}"


def _from_text(text: object, count: int) -> np.ndarray | None:
    if not isinstance(text, str):
        return None
    if text.strip("{} ") == "replicated":
        return np.arange(count).reshape(1, count)
    found = _TILES.fullmatch(text.strip())
    if found is None:
        return None
    tiles, sizes, axes, listed = (_numbers(found[name]) for name in ("tiles", "sizes", "axes", "listed"))
    try:
        numbers = np.array(listed) if listed else np.arange(math.prod(sizes)).reshape(sizes)
        if axes:
            numbers = numbers.transpose(axes)
        return numbers.reshape(tiles if found["replicate"] else (*tiles, 1))
    except ValueError:
        return None


def _from_layout(layout: Layout, devices: Sequence[Device]) -> np.ndarray | None:
    numbers = {device: i for i, device in enumerate(devices)}
    if set(layout.mesh.flat_devices) != set(numbers):
        return None
    order = np.argsort(part_numbers(layout), kind="stable")
    listed = np.array([numbers[layout.mesh.flat_devices[i]] for i in order])
    return listed.reshape((*layout.parts(), -1))


def _numbers(text: str | None) -> list[int]:
    return [int(n) for n in text.split(",") if n] if text else []
