# SPDX-License-Identifier: Apache-2.0
"""The facts of a run: its settings, the platform, the machine, the software."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from pathlib import Path

import numpy as np

from olympus_core.plugin import API_VERSION
from olympus_core.plugin.version import DISTRIBUTION

from ..report.facts import Declared, Facts, Git, WaiverUse
from ..report.suite import SUITE_VERSION
from .messages import Opened

_GIT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run.

    Args:
        platform: The platform's name, or an alias.
        profile: The profile.
        only: Patterns of the tests to run; empty for all.
        quick: Whether long cases are left out.
        fraction: The part of the run and the number of parts; None for all.
        launcher: The command that starts processes; None to start them directly.
        devices: Devices of each process; None for the suite's default.
        timeout_factor: The factor by which time limits are multiplied.
    """

    platform: str
    profile: str = "full"
    only: tuple[str, ...] = ()
    quick: bool = False
    fraction: tuple[int, int] | None = None
    launcher: str | None = None
    devices: int | None = None
    timeout_factor: float = 1.0


def identity(settings: RunSettings, opened: Opened) -> dict[str, object]:
    """The facts that identify a run: it can be resumed only if all are equal."""
    return {
        "platform": opened.platform, "distribution": f"{opened.distribution} {opened.version}".strip(),
        "suite": SUITE_VERSION, "olympus": _version(DISTRIBUTION), "profile": settings.profile,
        "quick": settings.quick, "only": list(settings.only), "fraction": settings.fraction,
        "devices": settings.devices, "launcher": settings.launcher,
    }


def facts_of(
    settings: RunSettings, opened: Opened, started: datetime, seconds: float,
    topology: Sequence[tuple[int, int]], waivers: tuple[WaiverUse, ...],
) -> Facts:
    """All facts of a run."""
    return Facts(
        suite_version=SUITE_VERSION, contract_version=contract_version(), platform=opened.platform,
        distribution=opened.distribution, distribution_version=opened.version, api_version=opened.api_version,
        devices=opened.devices, device_kinds=opened.kinds, capabilities=Declared.of(opened.capabilities),
        topology=tuple(topology), python=platform.python_version(), numpy=np.__version__,
        olympus=_version(DISTRIBUTION), system=f"{platform.system()} {platform.release()}", machine=platform.machine(),
        processors=os.cpu_count() or 1, started=started, seconds=round(seconds, 3), profile=settings.profile,
        quick=settings.quick, fraction=settings.fraction, only=settings.only, launcher=settings.launcher or "",
        timeout_factor=settings.timeout_factor, waivers=waivers, git=_git(),
    )


def contract_version() -> str:
    """The contract's version in the installed core."""
    return f"{API_VERSION[0]}.{API_VERSION[1]}"


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _git() -> Git | None:
    """The Git checkout that contains the suite, if there is one."""
    folder = Path(__file__).resolve().parents[2]
    if not (folder / ".git").exists():
        return None
    try:
        commit = _ask_git(folder, "rev-parse", "HEAD")
        return Git(commit, bool(_ask_git(folder, "status", "--porcelain", "--untracked-files=no")))
    except (OSError, subprocess.SubprocessError):
        return None


def _ask_git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True, timeout=_GIT_SECONDS)
    return done.stdout.strip()
