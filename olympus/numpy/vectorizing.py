"""Functions over arrays of arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.errors import NotSupportedError


def vectorize(pyfunc: Callable[..., Any], *, excluded: Any = frozenset(), signature: str | None = None) -> Any:
    """A function that is applied along leading dimensions: not supported yet, as it needs batching.

    Args:
        pyfunc: The function.
        excluded: Arguments that are passed as they are.
        signature: The dimensions that the function itself takes.

    Raises:
        NotSupportedError: Always.
    """
    raise NotSupportedError(
        "olympus.numpy.vectorize", "there is no batching transform yet",
        "Write the function for whole arrays, or loop with olympus.lax.map.")
