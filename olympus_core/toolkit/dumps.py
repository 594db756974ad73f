# SPDX-License-Identifier: Apache-2.0
"""The folder that a user names with `OLYMPUS_DUMP_TO`: the texts of what is compiled, for people to read."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from pathlib import Path

from olympus_core.errors import DumpWarning
from olympus_core.program import DeviceProgram

from .flatten import Flat
from .loops import Kernel, kernel_key, print_kernel
from .ownership import Folder, write_own
from .passes import Observer

_NOT_IN_NAMES = re.compile(r"[^\w.,()-]+", re.ASCII)
_LONGEST_NAME = 200  # file systems take 255 bytes; what tells texts apart stands at the end


class Dump:
    """A folder for texts; that it cannot be written to is told once.

    Args:
        folder: Where; None for nowhere.

    Example:
        >>> Dump(None).leave("name.txt", "a text that nobody wants")
    """

    def __init__(self, folder: str | None) -> None:
        self._folder = Path(folder) if folder else None
        self._failed = False

    @property
    def is_wanted(self) -> bool:
        """Whether texts are to be written down at all."""
        return self._folder is not None

    def leave(self, name: str, text: str) -> None:
        """Writes a text down.

        Args:
            name: The file's, with its ending; what files cannot be called is replaced, and what is too long is cut.
            text: The text.
        """
        if self._folder is None:
            return
        try:
            # Never through a link that somebody else has laid there, to a file of this user's.
            folder = Folder(str(self._folder), create=True, is_private=False).open()
            try:
                write_own(folder, _NOT_IN_NAMES.sub("_", name)[-_LONGEST_NAME:], text.encode(), 0o666)
            finally:
                os.close(folder)
        except OSError as error:
            if not self._failed:
                self._failed = True
                warnings.warn(DumpWarning(str(self._folder), str(error)), stacklevel=2)

    def program(self, program: DeviceProgram) -> None:
        """Writes a program down."""
        inner = program.program
        if not self.is_wanted:
            return
        self.leave(f"{inner.name}-{inner.fingerprint[:12]}.program.txt", inner.text + "\n")

    def observer(self, name: str, flat: Flat) -> Observer | None:
        """What writes a program down after each pass that has changed it; None where nobody wants that.

        Args:
            name: The program's.
            flat: The program before the passes.
        """
        if not self.is_wanted:
            return None
        before = flat.program(name)
        stem, last = f"{name}-{before.fingerprint[:12]}", before.text

        def observe(number: int, pass_name: str, after: Flat) -> None:
            nonlocal last
            text = after.program(name).text
            if text != last:
                self.leave(f"{stem}.{number:02}-{pass_name}.program.txt", text + "\n")
            last = text

        return observe

    def kernels(self, name: str, kernels: Sequence[Kernel], code: str, ending: str) -> None:
        """Writes a group of kernels down, and the code that was made of them.

        Args:
            name: The group's.
            kernels: At least one.
            code: The code.
            ending: What its file's name ends with.
        """
        stem = f"{name}-{kernel_key(kernels[0])[:12]}"
        self.leave(f"{stem}.kernels.txt", "\n\n".join(map(print_kernel, kernels)) + "\n")
        self.leave(f"{stem}.{ending}", code)
