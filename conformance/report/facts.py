# SPDX-License-Identifier: Apache-2.0
"""The facts of a run besides its results: the platform, the machine, the suite and the settings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from olympus_core.plugin import Capabilities

_STRICT = ConfigDict(extra="forbid")

Version = Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+$")]  # major.minor


@dataclass(frozen=True, slots=True)
class Declared:
    """A platform's capabilities as plain data; see `olympus_core.plugin.Capabilities`.

    Args:
        dtypes: Names of the element types.
        operations: Names of the operations; None for the whole set.
        donation: As in the capabilities.
        asynchronous: As in the capabilities.
        multi_process: As in the capabilities.
        dlpack: As in the capabilities.
    """

    __pydantic_config__ = _STRICT

    dtypes: tuple[str, ...]
    operations: tuple[str, ...] | None = None
    donation: bool = False
    asynchronous: bool = False
    multi_process: bool = False
    dlpack: bool = False

    @classmethod
    def of(cls, capabilities: Capabilities) -> Declared:
        """The capabilities of a client."""
        operations = capabilities.operations
        return cls(
            tuple(sorted(str(dtype) for dtype in capabilities.dtypes)),
            None if operations is None else tuple(sorted(operations)),
            capabilities.donation, capabilities.asynchronous, capabilities.multi_process, capabilities.dlpack,
        )

    def has(self, need: str) -> bool:
        """Whether a need of `olympus_conformance.requirement.Case` is declared; never called for devices."""
        kind, _, name = need.partition(":")
        if kind == "dtype":
            return name in self.dtypes
        if kind == "operation":
            return self.operations is None or name in self.operations
        return bool(getattr(self, kind))


@dataclass(frozen=True, slots=True)
class WaiverUse:
    """A waiver of the run, and whether it matched anything.

    Args:
        pattern: A glob of test ids.
        versions: Versions of the plugin, such as ``>=1.2,<2``; empty for all.
        link: Where the defect is tracked.
        reason: Why the failure is accepted for now.
        expires: The last day on which it is valid.
        matched: Ids of the results that it turned into ``waived``.
        problem: Its problem, such as that it matches nothing; empty without one.
    """

    __pydantic_config__ = _STRICT

    pattern: str
    versions: str
    link: str
    reason: str
    expires: date
    matched: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Git:
    """The Git checkout that the suite was run from.

    Args:
        commit: The commit's full name.
        dirty: Whether tracked files differ from it.
    """

    __pydantic_config__ = _STRICT

    commit: str
    dirty: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a run besides its results.

    Args:
        suite_version: Version of the suite, ``major.minor``.
        contract_version: Version of the plugin contract of the installed core, ``major.minor``.
        platform: The platform's name.
        distribution: Name of the distribution that brings it; empty when unknown.
        distribution_version: Its version; empty when unknown.
        api_version: The version of the contract that the platform was written for.
        devices: Texts of the devices that one process saw.
        device_kinds: Their kinds, each once.
        capabilities: What the platform declares.
        topology: The jobs that were run, each as number of processes and of devices in each.
        python: Version of Python.
        numpy: Version of NumPy.
        olympus: Version of the distribution of the core and the suite.
        system: The operating system and its version.
        machine: The processor's architecture.
        processors: How many processors there are.
        started: When the run began; in UTC.
        seconds: How long it took.
        profile: The selected profile.
        quick: Whether ``--quick`` left tests out.
        fraction: The part of the run, from 1, and the number of parts; None for all.
        only: Patterns of the selected tests.
        launcher: The command that started processes, if there was one.
        timeout_factor: The factor by which time limits were multiplied.
        waivers: The waivers that were given.
        git: The checkout that it was run from, if any.
    """

    __pydantic_config__ = _STRICT

    suite_version: Version
    contract_version: Version
    platform: str
    distribution: str
    distribution_version: str
    api_version: tuple[int, int]
    devices: tuple[str, ...]
    device_kinds: tuple[str, ...]
    capabilities: Declared
    topology: tuple[tuple[int, int], ...]
    python: str
    numpy: str
    olympus: str
    system: str
    machine: str
    processors: int
    started: datetime
    seconds: float
    profile: str
    quick: bool = False
    fraction: tuple[int, int] | None = None
    only: tuple[str, ...] = ()
    launcher: str = ""
    timeout_factor: float = 1.0
    waivers: tuple[WaiverUse, ...] = ()
    git: Git | None = None

    def devices_of(self, processes: int) -> int | None:
        """Devices of each process in jobs of so many processes; None without such a job."""
        return max((devices for count, devices in self.topology if count == processes), default=None)

    def rows(self) -> list[tuple[str, str]]:
        """Labels and texts, in the order in which pages show them."""
        return [(label, text) for label, text in self._rows() if text]

    def _rows(self) -> list[tuple[str, Any]]:
        declared = self.capabilities
        abilities = [n for n in ("donation", "asynchronous", "multi_process", "dlpack") if getattr(declared, n)]
        operations = "the whole set" if declared.operations is None else f"{len(declared.operations)} of the set"
        asked = [f"profile {self.profile}"]
        asked += ["quick"] * self.quick
        asked += [f"fraction {self.fraction[0]} of {self.fraction[1]}"] if self.fraction else []
        asked += [f"only {' '.join(self.only)}"] if self.only else []
        asked += [f"launcher {self.launcher}"] if self.launcher else []
        asked += [f"timeouts x {self.timeout_factor:g}"] if self.timeout_factor != 1 else []
        brought = f"{self.distribution or 'unknown distribution'} {self.distribution_version}".strip()
        return [
            ("Platform", f"{self.platform} ({brought})"),
            ("Written for", f"contract {self.api_version[0]}.{self.api_version[1]}"),
            ("Devices", ", ".join(self.devices)),
            ("Kinds", ", ".join(self.device_kinds)),
            ("Element types", ", ".join(declared.dtypes)),
            ("Operations", operations),
            ("Abilities", ", ".join(abilities) or "none"),
            ("Jobs", ", ".join(f"{processes} x {devices} devices" for processes, devices in self.topology)),
            ("Suite", f"{self.suite_version} (contract {self.contract_version}, olympus {self.olympus})"),
            ("Asked for", ", ".join(asked)),
            ("Python, NumPy", f"{self.python}, {self.numpy}"),
            ("Machine", f"{self.system}, {self.machine}, {self.processors} processors"),
            ("Run", f"{self.started:%Y-%m-%d %H:%M} UTC, {self.seconds:.0f} s"),
            ("Checkout", self.git and f"{self.git.commit[:12]}{' with changes' if self.git.dirty else ''}"),
        ]
