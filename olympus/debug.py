"""Looking into a program while it runs; together with the command line the only part of olympus that prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core.errors import NotShardedError
from olympus_core.placement import Sharding

from .visualize import sharding_table, sharding_text


def visualize_sharding(
    shape: Sequence[int], sharding: Sharding, *, use_color: bool = True, scale: float = 1.0, min_width: int = 9,
    max_width: int = 80,
) -> None:
    """Prints how an array of this shape lies on its devices, of all processes.

    Args:
        shape: The array's shape, of one or two dimensions.
        sharding: How it lies on its devices.
        use_color: Whether to draw in colour where the terminal or the notebook has 256 colours or more.
        scale: Factor of the drawing's size.
        min_width: Least width of a box.
        max_width: Greatest width of the drawing, as far as the texts fit.

    Raises:
        VisualizeRankError: For no, or more than two, dimensions.
        IndivisibleError: Where the sharding does not divide the shape.

    Example:
        ``olympus.debug.visualize_sharding((8, 8), NamedSharding(mesh, P("x")))``
    """
    sizes = {"scale": scale, "min_width": min_width, "max_width": max_width}
    if use_color:
        from rich.console import Console

        console = Console(width=max_width)
        # With sixteen colours neighbours, or a text and its ground, can come out alike.
        if console.color_system in ("256", "truecolor"):
            console.print(sharding_table(shape, sharding, **sizes))  # type: ignore[arg-type]
            return
    print(sharding_text(shape, sharding, **sizes))  # type: ignore[arg-type]


def visualize_array_sharding(arr: Any, **kwargs: Any) -> None:
    """Prints how an array lies on its devices, of all processes.

    Args:
        arr: An array of one or two dimensions.
        **kwargs: As for `visualize_sharding`.

    Raises:
        NotShardedError: For a value that lies on no device.
        VisualizeRankError: For no, or more than two, dimensions.

    Example:
        ``olympus.debug.visualize_array_sharding(x)``
    """
    sharding = getattr(arr, "sharding", None)
    if not isinstance(sharding, Sharding):
        raise NotShardedError(type(arr).__name__)
    visualize_sharding(arr.shape, sharding, **kwargs)
