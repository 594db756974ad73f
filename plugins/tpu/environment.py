# SPDX-License-Identifier: Apache-2.0
"""The TPUs of this machine, the installed libtpu, and the environment variables that configure it."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .errors import TpuPrecisionError

if TYPE_CHECKING:
    from olympus_core.plugin import Rendezvous
    from olympus_pjrt.stablehlo import Precision

PRECISION_VARIABLE = "OLYMPUS_TPU_PRECISION"
PRECISIONS = ("default", "high", "highest")
_GOOGLE = "0x1ae0"
# Without these libtpu queries a metadata service for minutes and rejects a second process; the others reduce logs.
_WITHOUT_HARDWARE = {
    "TPU_SKIP_MDS_QUERY": "1", "ALLOW_MULTIPLE_LIBTPU_LOAD": "1", "TPU_ACCELERATOR_TYPE": "v5litepod-4",
    "TPU_WORKER_HOSTNAMES": "localhost", "TPU_LOG_DIR": "disabled", "TF_CPP_MIN_LOG_LEVEL": "2",
}


def library() -> str | None:
    """The file of the installed libtpu; `TPU_LIBRARY_PATH` names another one."""
    given = os.environ.get("TPU_LIBRARY_PATH", "").strip()
    if given:
        return given if os.path.isfile(given) else None
    try:
        found = importlib.util.find_spec("libtpu")
    except (ImportError, ValueError):
        return None
    for folder in (found.submodule_search_locations or ()) if found else ():
        file = os.path.join(folder, "libtpu.so")
        if os.path.isfile(file):
            return file
    return None


def chips(root: Path = Path("/")) -> list[str]:
    """The device files of this machine's TPUs; reads files only.

    Args:
        root: The root of the file system.
    """
    # Accelerators of other vendors have such files, too: the PCI vendor id tells them apart.
    vendors = root.glob("sys/bus/pci/devices/*/vendor")
    if not any(_content(file) == _GOOGLE for file in vendors):
        return []
    numbered = [p for p in root.glob("dev/accel*") if re.fullmatch(r"accel\d+", p.name)]
    groups = [p for p in root.glob("dev/vfio/*") if p.name.isdigit()]
    return [f"/{p.relative_to(root).as_posix()}" for p in sorted(numbered or groups)]


def _content(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def without_hardware() -> dict[str, str]:
    """The environment of a process in which libtpu does not look for TPUs or query services."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TPU_")}
    return {**kept, **_WITHOUT_HARDWARE}


def show_only(chips: Sequence[int]) -> None:
    """Restricts libtpu, before it is loaded, to these chips of the machine."""
    os.environ.setdefault("TPU_VISIBLE_CHIPS", ",".join(map(str, chips)))


def tell_job(rendezvous: Rendezvous) -> None:
    """Configures libtpu, before it is loaded, for the job's processes; the user's variables take precedence."""
    from .processes import meet

    for name, value in meet(rendezvous, os.environ).items():
        os.environ.setdefault(name, value)


def precision(given: str | None = None) -> Precision:
    """The precision of float32 products: as given, else from the environment, else that of float32.

    Raises:
        TpuPrecisionError: There is none of this name.
    """
    text = (given or os.environ.get(PRECISION_VARIABLE, "") or "highest").strip().lower()
    if text not in PRECISIONS:
        raise TpuPrecisionError(text, PRECISIONS)
    return cast("Precision", text)
