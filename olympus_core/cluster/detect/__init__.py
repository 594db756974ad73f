"""Recognises the launcher that started this process from its environment; only machines with TPUs are asked more."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping
from dataclasses import replace

from olympus_core.errors.joining import UnknownDetectionMethodError

from . import environment, kubernetes, mpiexec, slurm, tpu
from .detection import Detection, Finding, Method

__all__ = ["METHODS", "Detection", "Finding", "detect", "evidence"]

_logger = logging.getLogger(__name__)

# In the order in which they are asked. A launcher inside of another one comes before it, but for a Slurm
# step, which notices that itself.
METHODS: dict[str, Method] = {
    "environment": environment.find,
    "slurm": slurm.find,
    "mpiexec": mpiexec.find,
    "kubernetes": kubernetes.find,
    "tpu": tpu.find,
}

# Those that do more when the user names them.
_ASKED: dict[str, Method] = {"tpu": tpu.find_asked}

_NO_METHOD = ("none", "deactivate")


def detect(environ: Mapping[str, str], method: str | None = None) -> Detection | None:
    """The launcher, or None where there is none.

    Args:
        environ: The environment variables.
        method: The only method to try; ``none`` for none of them; None for all.

    Raises:
        UnknownDetectionMethodError: If there is no such method.

    Example:
        >>> detect({"OLYMPUS_PROCESS_ID": "1", "OLYMPUS_NUM_PROCESSES": "4"}).process_id
        1
    """
    if method in _NO_METHOD:
        return None
    findings = _findings(environ, method)
    lines = _spell(findings)
    for name, finding in findings.items():
        if finding.detection is not None:
            found = finding.detection
            if name != "environment":
                found = environment.override(found, environ)
            return replace(found, evidence=lines)
        if finding.is_partial:
            _logger.warning("%s not used: %s", name, finding.reason)
    return None


def evidence(environ: Mapping[str, str], method: str | None = None) -> tuple[str, ...]:
    """What every method saw, one line each: used, or not used and why."""
    return () if method in _NO_METHOD else _spell(_findings(environ, method))


def _findings(environ: Mapping[str, str], method: str | None) -> dict[str, Finding]:
    if method is not None and method not in METHODS:
        nearest = difflib.get_close_matches(method, METHODS, 1)
        raise UnknownDetectionMethodError(method, [*METHODS, "none"], nearest[0] if nearest else None)
    if method is not None:
        return {method: _ASKED.get(method, METHODS[method])(environ)}
    return {name: find(environ) for name, find in METHODS.items()}


def _spell(findings: Mapping[str, Finding]) -> tuple[str, ...]:
    lines, used = [], None
    for name, finding in findings.items():
        if finding.detection is None:
            lines.append(f"{name}: not used: {finding.reason}")
        elif used is None:
            used = name
            lines.append(f"{name}: used: {finding.reason}")
        else:
            lines.append(f"{name}: not used, {used} comes first: {finding.reason}")
    return tuple(lines)
