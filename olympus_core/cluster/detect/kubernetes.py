"""Kubernetes: an Indexed Job, alone or in a JobSet, by its environment and DNS names; the API is not asked."""

from __future__ import annotations

from collections.abc import Mapping

from olympus_core.network.ports import DEFAULT_PORT

from .detection import Detection, Finding, integer, show

# No variable of Kubernetes itself tells the number of pods; these are what manifests commonly set.
_COUNTS = ("OLYMPUS_NUM_PROCESSES", "JOB_COMPLETIONS", "PROCESSES_IN_JOB")


def find(environ: Mapping[str, str]) -> Finding:
    """The index comes from the Job, the number from the manifest, the address from the pods' names."""
    if "KUBERNETES_SERVICE_HOST" not in environ:
        return Finding(None, "no KUBERNETES_SERVICE_HOST")
    index = integer(environ, "JOB_COMPLETION_INDEX")
    if index is None:
        return Finding(None, "KUBERNETES_SERVICE_HOST is set but no JOB_COMPLETION_INDEX: not an Indexed Job")
    given = show(environ, "JOB_COMPLETION_INDEX", *_COUNTS, "HOSTNAME", "JOBSET_NAME", "JOB_INDEX")
    name, count = next(((n, c) for n in _COUNTS if (c := integer(environ, n)) is not None), ("", None))
    if count is None:
        wanted = f"set OLYMPUS_NUM_PROCESSES to the Job's completions ({' or '.join(_COUNTS[1:])} will do)"
        return Finding(Detection("kubernetes", None, index), f"{given} but the number of pods is not known: {wanted}",
                       True)
    process = index
    if name == "PROCESSES_IN_JOB" and "JOBSET_NAME" in environ:
        # Several Jobs of one JobSet make one program.
        jobs, job = integer(environ, "JOBSET_REPLICAS") or 1, integer(environ, "JOB_INDEX") or 0
        process, count = job * count + index, jobs * count
    host = _first_pod(environ)
    address = f"{host}:{DEFAULT_PORT}" if host else None
    return Finding(Detection("kubernetes", address, process, count), given)


def _first_pod(environ: Mapping[str, str]) -> str | None:
    jobset, replicated = environ.get("JOBSET_NAME"), environ.get("REPLICATED_JOB_NAME")
    if jobset and replicated:
        return f"{jobset}-{replicated}-0-0.{jobset}"
    # A pod of an Indexed Job has the Job's name and its index as its host name.
    job = environ.get("JOB_NAME")
    stem, dash, index = environ.get("HOSTNAME", "").rpartition("-")
    if not job and dash and index == environ.get("JOB_COMPLETION_INDEX"):
        job = stem
    if not job:
        return None
    domain = environ.get("JOB_SERVICE") or environ.get("POD_SUBDOMAIN") or job
    return f"{job}-0.{domain}"
