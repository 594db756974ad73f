# SPDX-License-Identifier: Apache-2.0
"""Recognises the launcher that started this process from its environment; few methods ask more than that."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from olympus_core.errors.joining import UnknownDetectionMethodError

from . import environment, kubernetes, mpiexec, slurm, torchrun, tpu
from .detection import Detection, Finding, Method

__all__ = ["METHODS", "Detection", "Finding", "Detections", "detect", "evidence", "recognise"]

# In the order in which they are asked. A launcher inside of another one comes before it, but for a Slurm
# step, which notices that itself.
METHODS: dict[str, Method] = {
    "environment": environment.find,
    "torchrun": torchrun.find,
    "slurm": slurm.find,
    "mpiexec": mpiexec.find,
    "kubernetes": kubernetes.find,
    "tpu": tpu.find,
}

# Those that do more when the user names them.
_ASKED: dict[str, Method] = {"tpu": tpu.find_asked}

# Those that may ask over the network: not where nobody needs it.
_ASKING = ("kubernetes",)

_NO_METHOD = ("none", "deactivate")


class Detections(NamedTuple):
    """What all methods together say.

    Args:
        detection: The launcher; if none tells everything, what the first one that tells something knows; else None.
        problems: Of launchers that cannot be used as they are, ``method: reason`` and what to do; empty if one can.
        evidence: One line for each method.
    """

    detection: Detection | None = None
    problems: tuple[tuple[str, str], ...] = ()
    evidence: tuple[str, ...] = ()


def recognise(environ: Mapping[str, str], method: str | None = None) -> Detections:
    """What the environment tells of a job, whole or in part.

    Args:
        environ: The environment variables.
        method: The only method to try; ``none`` for none of them; None for all.

    Raises:
        UnknownDetectionMethodError: If there is no such method.
    """
    if method in _NO_METHOD:
        return Detections()
    findings = _findings(environ, method)
    lines = _spell(findings)
    whole = {name: finding for name, finding in findings.items() if finding.detection and not finding.is_partial}
    partial = {name: finding for name, finding in findings.items() if finding.is_partial}
    name, found = next(iter({**whole, **{n: f for n, f in partial.items() if f.detection}}.items()), (None, None))
    problems = () if whole else tuple((f"{n}: {finding.reason}", finding.fix) for n, finding in partial.items())
    if found is None or found.detection is None:
        return Detections(None, problems, lines)
    detection = found.detection if name == "environment" else environment.override(found.detection, environ)
    return Detections(replace(detection, evidence=lines), problems, lines)


def detect(environ: Mapping[str, str], method: str | None = None) -> Detection | None:
    """The launcher, or None where there is none that tells everything.

    Args:
        environ: The environment variables.
        method: The only method to try; ``none`` for none of them; None for all.

    Raises:
        UnknownDetectionMethodError: If there is no such method.

    Example:
        >>> detect({"OLYMPUS_PROCESS_ID": "1", "OLYMPUS_NUM_PROCESSES": "4"}).process_id
        1
    """
    found = recognise(environ, method)
    return None if found.problems else found.detection


def evidence(environ: Mapping[str, str], method: str | None = None) -> tuple[str, ...]:
    """What every method saw, one line each: used, or not used and why."""
    return () if method in _NO_METHOD else _spell(_findings(environ, method))


def _findings(environ: Mapping[str, str], method: str | None) -> dict[str, Finding]:
    if method is not None and method not in METHODS:
        nearest = difflib.get_close_matches(method, METHODS, 1)
        raise UnknownDetectionMethodError(method, [*METHODS, "none"], nearest[0] if nearest else None)
    if method is not None:
        return {method: _ASKED.get(method, METHODS[method])(environ)}
    found: dict[str, Finding] = {}
    for name, find in METHODS.items():
        is_found = any(finding.detection and not finding.is_partial for finding in found.values())
        found[name] = Finding(None, "a launcher is known already") if is_found and name in _ASKING else find(environ)
    return found


def _spell(findings: Mapping[str, Finding]) -> tuple[str, ...]:
    lines, used = [], None
    for name, finding in findings.items():
        if finding.detection is None or finding.is_partial:
            lines.append(f"{name}: not used: {finding.reason}")
        elif used is None:
            used = name
            lines.append(f"{name}: used: {finding.reason}")
        else:
            lines.append(f"{name}: not used, {used} comes first: {finding.reason}")
    return tuple(lines)
