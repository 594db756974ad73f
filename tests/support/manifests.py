# SPDX-License-Identifier: Apache-2.0
"""What Kubernetes' objects look like, as far as the manifests of this repository use them."""

from __future__ import annotations

import re
from typing import Any

# A type; a list of one kind of item; the values that are allowed; or the fields of a mapping, those with a question
# mark optional, where "*" stands for any name. None stands for what the reader fills in.


def problems(value: Any, kind: Any, where: str = "") -> list[str]:
    """Where a value differs from its kind."""
    if isinstance(kind, frozenset):
        return [] if isinstance(value, str) and value in kind else [f"{where}: {value!r} is none of {sorted(kind)}"]
    if isinstance(kind, re.Pattern):
        return [] if isinstance(value, str) and kind.fullmatch(value) else [f"{where}: {value!r}"]
    if isinstance(kind, dict):
        if not isinstance(value, dict):
            return [f"{where}: no mapping"]
        if set(kind) == {"*"}:
            return [p for name, inner in value.items() for p in problems(inner, kind["*"], f"{where}.{name}")]
        fields = {name.rstrip("?"): name for name in kind}
        found = [f"{where}.{name}: unknown" for name in value if name not in fields]
        found += [f"{where}.{name}: missing" for name in kind if not name.endswith("?") and name not in value]
        inner = (problems(v, kind[fields[n]], f"{where}.{n}") for n, v in value.items() if n in fields)
        return found + [problem for part in inner for problem in part]
    if isinstance(kind, list):
        if not isinstance(value, list) or not value:
            return [f"{where}: no list"]
        return [p for i, item in enumerate(value) for p in problems(item, kind[0], f"{where}[{i}]")]
    allowed = tuple(type(None) if k is None else k for k in (kind if isinstance(kind, tuple) else (kind,)))
    return [] if type(value) in allowed else [f"{where}: {value!r}"]


_NAME = re.compile(r"[a-z]([-a-z0-9]{0,50}[a-z0-9])?")
_QUANTITY = {"*": (int, str)}
_METADATA = {"name": _NAME}
_CONTAINER = {
    "name": _NAME, "image": str, "command": [str],
    "env?": [{"name": re.compile("[A-Z_]+"), "value?": str, "valueFrom?": {"fieldRef": {"fieldPath": str}}}],
    "ports?": [{"name": re.compile("[a-z]{1,15}"), "containerPort": int}],
    "resources": {"requests": _QUANTITY, "limits": _QUANTITY},
    "securityContext": {"allowPrivilegeEscalation": bool, "capabilities": {"drop": [frozenset({"ALL"})]}},
    "volumeMounts?": [{"name": _NAME, "mountPath": str, "readOnly": bool}],
}


def _template(*restarts: str, labelled: bool = False) -> dict[str, Any]:
    """A pod's template, in which the policies are the ones that its owner allows."""
    pod = {
        "subdomain?": _NAME, "serviceAccountName?": _NAME, "automountServiceAccountToken?": bool,
        "securityContext": {
            "runAsNonRoot": bool, "runAsUser": int, "runAsGroup": int, "fsGroup?": int,
            "seccompProfile": {"type": frozenset({"RuntimeDefault", "Localhost", "Unconfined"})},
        },
        "containers": [_CONTAINER],
        "volumes?": [{"name": _NAME, "secret": {"secretName": _NAME, "defaultMode": int}}],
        **({"restartPolicy": frozenset(restarts)} if restarts else {}),
    }
    return {"metadata" if labelled else "metadata?": {"labels": {"*": str}}, "spec": pod}


_JOB = {
    "completionMode": frozenset({"Indexed"}), "completions": int, "parallelism": int, "backoffLimit": int,
    "template": _template("Never", "OnFailure"),
}
_REPLICAS = {"replicas": int, "restartPolicy": frozenset({"Never", "OnFailure"}), "template": _template()}
KINDS: dict[tuple[str, str], dict[str, Any]] = {
    ("v1", "Service"): {"metadata": _METADATA, "spec": {
        "clusterIP": frozenset({"None"}), "publishNotReadyAddresses": bool, "selector": {"*": str},
        "ports": [{"name": _NAME, "port": int}],
    }},
    ("batch/v1", "Job"): {"metadata": _METADATA, "spec": _JOB},
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): {"metadata": _METADATA, "spec": {
        "network": {"enableDNSHostnames": bool, "publishNotReadyAddresses": bool, "subdomain?": _NAME},
        "failurePolicy": {"maxRestarts": int},
        "replicatedJobs": [{"name": _NAME, "replicas": int, "template": {"spec": _JOB}}],
    }},
    ("kubeflow.org/v2beta1", "MPIJob"): {"metadata": _METADATA, "spec": {
        "mpiImplementation": frozenset({"OpenMPI", "Intel", "MPICH"}), "slotsPerWorker": int, "sshAuthMountPath": str,
        "runPolicy": {"cleanPodPolicy": frozenset({"None", "Running", "All"}), "backoffLimit": int},
        "mpiReplicaSpecs": {"Launcher": _REPLICAS, "Worker": _REPLICAS},
    }},
    ("apps/v1", "StatefulSet"): {"metadata": _METADATA, "spec": {
        "serviceName": _NAME, "replicas": int, "podManagementPolicy": frozenset({"Parallel"}),
        "selector": {"matchLabels": {"*": str}}, "template": _template("Always", labelled=True),
    }},
    ("v1", "ServiceAccount"): {"metadata": _METADATA},
    ("rbac.authorization.k8s.io/v1", "Role"): {
        "metadata": _METADATA, "rules": [{"apiGroups": [str], "resources": [str], "verbs": [str]}],
    },
    ("rbac.authorization.k8s.io/v1", "RoleBinding"): {
        "metadata": _METADATA, "subjects": [{"kind": frozenset({"ServiceAccount"}), "name": _NAME}],
        "roleRef": {"kind": frozenset({"Role"}), "name": _NAME, "apiGroup": str},
    },
}
