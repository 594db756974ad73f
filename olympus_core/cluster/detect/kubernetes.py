# SPDX-License-Identifier: Apache-2.0
"""Kubernetes: an Indexed Job, alone or in a JobSet. What the environment and the pod's names lack, the API says."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from olympus_core.network.ports import first_port

from .detection import Detection, Finding, integer, show
from .kubernetes_api import ApiProblem, KubernetesApi

# No variable of Kubernetes itself tells the number of pods; these are what manifests commonly set.
_NO_NAMES = "Add a headless Service (clusterIP: None), and name it in the pods' `subdomain` (or in JOB_SERVICE)."
_TOTALS = ("OLYMPUS_NUM_PROCESSES", "JOB_COMPLETIONS")
_EACH = "PROCESSES_IN_JOB"
_SHOWN = ("JOB_COMPLETION_INDEX", *_TOTALS, _EACH, "HOSTNAME", "JOBSET_NAME", "JOB_INDEX")
_BATCH = "batch.kubernetes.io/"
_LABEL = "jobset.sigs.k8s.io/"
_NO_INDEX = (
    "Set completionMode: Indexed and completions, the same number as parallelism, in the Job's manifest "
    "(examples/kubernetes/job.yaml).")
_NAMES = Path("/etc/hosts")
_IP_SECONDS = 10.0  # for the first pod to get an address, where pods have no names
_FIX = "Set OLYMPUS_NUM_PROCESSES to the number of pods, or let their account ask (serviceAccountName; examples/k8s)."


@dataclass(frozen=True, slots=True)
class _Job:
    """The Job of this pod, as far as it is known.

    Args:
        name: Its name.
        pods: How many of its pods run at once.
        domain: The domain in which its pods have names.
        jobset: The JobSet that it is of.
        replicated: The name in that set of those that are alike.
        replicas: How many of these there are.
        index: This one's index among them.
    """

    name: str
    pods: int | None = None
    domain: str | None = None
    jobset: str | None = None
    replicated: str | None = None
    replicas: int = 1
    index: int = 0

    @property
    def first(self) -> str:
        """The name of the first Job of those that are alike."""
        return f"{self.jobset}-{self.replicated}-0" if self.jobset and self.replicated else self.name


def find(environ: Mapping[str, str], *, account: Path | None = None, names: Path = _NAMES) -> Finding:
    """The index comes from the Job, the number from the manifest or the API, the address from the pods' names.

    Args:
        environ: The environment variables.
        account: The folder of the pod's account; None for Kubernetes' own.
        names: The file where the kubelet writes this pod's name and domain.
    """
    if "KUBERNETES_SERVICE_HOST" not in environ:
        return Finding(None, "no KUBERNETES_SERVICE_HOST")
    index = integer(environ, "JOB_COMPLETION_INDEX")
    if index is None:
        return _without_index(environ, account)
    given = show(environ, *_SHOWN)
    known = _from_environment(environ, index, names)
    total = next((count for name in _TOTALS if (count := integer(environ, name)) is not None), None)
    api, problem, machine = None, "", None
    if known is None or not known.domain or (total is None and known.pods is None) or _may_be_later(known):
        try:
            api = KubernetesApi(environ, account)
            known = _from_api(api, known)
            given += " by the API server"
        except ApiProblem as error:
            problem = f"; {error}"

    def partial(reason: str, fix: str, process: int | None = index) -> Finding:
        return Finding(Detection("kubernetes", None, process, total), f"{given}{reason}{problem}", True, fix)

    if known is None:
        return partial(" but no JOB_NAME", "Set JOB_NAME to the Job's name in the manifest: HOSTNAME does not tell it.")
    try:
        process, count, first = _place(known, index, total)
        if known.domain or (api is not None and not problem):
            machine = f"{first}-0.{known.domain}" if known.domain or api is None else _first_address(api, first)
    except ApiProblem as error:
        return partial(f", but {error}", _FIX, None if known.index else index)
    if machine is None:
        return partial(" but the pods have no names that others can look up", _NO_NAMES)
    return Finding(Detection("kubernetes", f"{machine}:{first_port()}", process, count), given)


def _without_index(environ: Mapping[str, str], account: Path | None) -> Finding:
    """A pod that is alone; of a Job of several pods that have no index it is not one."""
    given = "KUBERNETES_SERVICE_HOST is set but no JOB_COMPLETION_INDEX: not an Indexed Job"
    several = next((name for name in (*_TOTALS, _EACH) if (integer(environ, name) or 0) > 1), None)
    if several:
        reason = f"{show(environ, several)}, but no JOB_COMPLETION_INDEX: the pods of the Job have no index"
        return Finding(None, reason, True, _NO_INDEX)
    name = environ.get("POD_NAME") or environ.get("HOSTNAME", "")
    try:
        api = KubernetesApi(environ, account)
        labels = _mapping(_mapping(api.pod(name), "metadata"), "labels")
        job = labels.get(f"{_BATCH}job-name") or labels.get("job-name")
        spec = _mapping(api.job(job), "spec") if isinstance(job, str) else {}
    except ApiProblem as error:  # nothing tells of a Job: this may be any pod
        return Finding(None, f"{given}; {error}")
    pods = spec.get("parallelism")
    if not isinstance(pods, int) or pods < 2:
        return Finding(None, given)
    reason = (f"Job {job} runs {pods} pods at once, but they have no index: its completionMode is "
              f"{spec.get('completionMode', 'NonIndexed')}")
    return Finding(None, f"{reason} by the API server", True, _NO_INDEX)


def _place(job: _Job, index: int, total: int | None) -> tuple[int, int, str]:
    """This pod's index, the number of all, and the name of the Job that has the first one."""
    if _may_be_later(job):
        raise ApiProblem(f"{job.name} is not the first Job of JobSet {job.jobset}, of unknown size")
    everybody = None if job.pods is None else job.pods * job.replicas
    if total is not None and job.replicas > 1 and total not in (everybody, job.pods):
        raise ApiProblem(f"{total} processes, but {job.replicas} Jobs with {job.pods or 'unknown'} pods each")
    count = total if total is not None else everybody
    if count is None:
        raise ApiProblem("the number of pods is not known")
    process = index
    if job.replicas > 1 and count == everybody and job.pods is not None:
        process = job.index * job.pods + index  # all Jobs of the set are one program
        first = job.first
    else:
        first = job.name
    if process >= count:
        raise ApiProblem(f"{count} processes have no number {process}")
    return process, count, first


def _may_be_later(job: _Job) -> bool:
    """Whether it is a later Job of a set, of whose size nothing is known."""
    return job.index > 0 and job.replicas <= job.index


def _from_environment(environ: Mapping[str, str], index: int, names: Path) -> _Job | None:
    host = environ.get("HOSTNAME", "")
    # A pod of an Indexed Job has the Job's name and its index as its host name.
    stem = host.removesuffix(f"-{index}")
    jobset, replicated = environ.get("JOBSET_NAME"), environ.get("REPLICATED_JOB_NAME")
    number = integer(environ, "JOB_INDEX")
    name = environ.get("JOB_NAME") or (stem if stem != host and stem else None)
    if not name and jobset and replicated:
        name = f"{jobset}-{replicated}-{number or 0}"
    if not name:
        return None
    domain = environ.get("JOB_SERVICE") or environ.get("POD_SUBDOMAIN") or jobset or _own_domain(host, names)
    # Without the variables the name tells the place in a set whose name is the domain's: SET-JOB-2.
    if not jobset and domain and name.startswith(f"{domain}-"):
        middle, dash, last = name[len(domain) + 1 :].rpartition("-")
        if dash and middle and last.isdigit():
            jobset, replicated, number = domain, middle, int(last)
    return _Job(name, integer(environ, _EACH), domain, jobset, replicated,
                integer(environ, "JOBSET_REPLICAS") or 1, number or 0)


def _own_domain(host: str, names: Path) -> str | None:
    """The domain of this pod, where it has one: the kubelet writes ``ADDRESS HOST.DOMAIN.NAMESPACE.svc... HOST``."""
    for line in names.read_text(errors="replace").splitlines() if names.is_file() else ():
        for name in line.partition("#")[0].split()[1:]:
            first, _, rest = name.partition(".")
            if host and first == host and ".svc." in rest:
                return rest.partition(".")[0]
    return None


def _from_api(api: KubernetesApi, known: _Job | None) -> _Job:
    if known is None:
        raise ApiProblem("which Job to ask for is not known")
    found = api.job(known.name)
    spec, labels = _mapping(found, "spec"), _mapping(_mapping(found, "metadata"), "labels")
    together, all_of_them = spec.get("parallelism"), spec.get("completions")
    if isinstance(together, int) and isinstance(all_of_them, int) and together < all_of_them:
        raise ApiProblem(f"parallelism {together} is less than completions {all_of_them}, and all processes of a job "
                         "run at the same time")
    jobset = labels.get(f"{_LABEL}jobset-name")
    domain = known.domain or _mapping(_mapping(spec, "template"), "spec").get("subdomain") or jobset
    replicated, pods = labels.get(f"{_LABEL}replicatedjob-name"), together if isinstance(together, int) else known.pods
    replicas, at = integer(labels, f"{_LABEL}replicatedjob-replicas") or 1, integer(labels, f"{_LABEL}job-index") or 0
    return replace(known, pods=pods, domain=domain, jobset=jobset, replicated=replicated, replicas=replicas, index=at)


def _first_address(api: KubernetesApi, job: str) -> str:
    """The address of a Job's first pod, where pods have no names."""
    query = f"{_BATCH}job-name={job},{_BATCH}job-completion-index=0"
    end = time.monotonic() + _IP_SECONDS
    while time.monotonic() < end:
        found = [_mapping(pod, "status").get("podIP") for pod in api.pods(query)]
        if found and isinstance(found[0], str):
            return f"[{found[0]}]" if ":" in found[0] else found[0]
        time.sleep(0.5)
    raise ApiProblem(f"pod 0 of Job {job} has no address yet")


def _mapping(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}
