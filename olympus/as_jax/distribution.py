# SPDX-License-Identifier: Apache-2.0
"""What the metadata of installed distributions says of JAX where olympus stands for it."""

from __future__ import annotations

from importlib.metadata import Distribution
from os import PathLike
from pathlib import PurePosixPath

from .table import VERSION


class Peer(Distribution):
    """JAX, or its library, at the version whose names olympus has.

    Args:
        name: The distribution's name.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def read_text(self, filename: str) -> str | None:
        """The text of a file of metadata; None where there is none."""
        return f"Metadata-Version: 2.1\nName: {self._name}\nVersion: {VERSION}\n" if filename == "METADATA" else None

    def locate_file(self, path: str | PathLike[str]) -> PurePosixPath:  # type: ignore[override]
        """A path of the distribution: it has no files."""
        return PurePosixPath(path)
