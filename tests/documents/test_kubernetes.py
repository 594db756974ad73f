# SPDX-License-Identifier: Apache-2.0
"""The manifests of the documents' "Kubernetes Example": well formed, complete, and enough for detection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from olympus_core.cluster.detect import kubernetes
from tests.support.manifests import problems

from .catalogue import PROGRAMS
from .jobs import file_of

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "k8s"

# What the kinds of object look like, as far as the document's manifests use them.
_METADATA = {"name": str}
_CONTAINER = {
    "name": str, "image": (str, None), "imagePullPolicy?": str, "env?": [{"name": str, "value": str}],
    "resources?": {"limits?": {"cpu?": (int, str), "nvidia.com/gpu?": (int, None)}}, "command?": [str], "args?": [str],
}
_POD = {
    "serviceAccountName?": str, "restartPolicy": str, "imagePullSecrets?": [{"name": (str, None)}],
    "containers": [_CONTAINER],
}
_JOB = {"parallelism?": int, "completions?": int, "backoffLimit?": int, "template": {"spec": _POD}}
_RULE = {"apiGroups": [str], "resources": [str], "verbs": [str]}
KINDS: dict[tuple[str, str], dict[str, Any]] = {
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): {
        "metadata": _METADATA, "spec": {"replicatedJobs": [{"name": str, "template": {"spec": _JOB}}]},
    },
    ("v1", "ServiceAccount"): {"metadata": _METADATA},
    ("rbac.authorization.k8s.io/v1", "Role"): {"metadata": _METADATA, "rules": [_RULE]},
    ("rbac.authorization.k8s.io/v1", "RoleBinding"): {
        "metadata": _METADATA, "subjects": [{"kind": str, "name": str}],
        "roleRef": {"kind": str, "name": str, "apiGroup": str},
    },
}

# The document's manifest, without its comments and its program.
PRINTED = """
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: olympusjob
spec:
  replicatedJobs:
  - name: workers
    template:
      spec:
        parallelism: 2
        completions: 2
        backoffLimit: 0
        template:
          spec:
            serviceAccountName: olympus-job-sa
            restartPolicy: Never
            imagePullSecrets:
            - name: null
            containers:
            - name: main
              image: null
              imagePullPolicy: Always
              resources:
                limits:
                  cpu: 1
                  nvidia.com/gpu: null
              command:
                - python
"""


def objects(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


@pytest.mark.parametrize("name", ["example.yaml", "svc-acct.yaml"])
def test_schema(name: str) -> None:
    for found in objects(name):
        kind = KINDS[found.pop("apiVersion"), found.pop("kind")]
        assert problems(found, kind) == []


def test_schema_finds_mistakes() -> None:
    assert problems({"name": 3, "more": 1}, _METADATA) == [".more: unknown", ".name: 3"]
    assert problems({"metadata": {}}, {"metadata": _METADATA}) == [".metadata.name: missing"]
    assert problems([], [str], "x") == problems("a", [str], "x") == ["x: no list"]
    assert problems({"image": True}, {"image": (str, None)}) == [".image: True"]


def test_manifest_is_the_document_s() -> None:
    (found,) = objects("example.yaml")
    (printed,) = yaml.safe_load_all(PRINTED)
    (job,), (printed_job,) = found["spec"]["replicatedJobs"], printed["spec"]["replicatedJobs"]
    (main,) = job["template"]["spec"]["template"]["spec"]["containers"]
    (printed_main,) = printed_job["template"]["spec"]["template"]["spec"]["containers"]
    assert main.pop("args") == ["-c", file_of(PROGRAMS["000", "job"]).read_text()]
    assert found == printed and main == printed_main


def test_pods_of_the_manifest_find_each_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (found,) = objects("example.yaml")
    (job,) = found["spec"]["replicatedJobs"]
    spec, jobset = job["template"]["spec"], found["metadata"]["name"]
    label = "jobset.sigs.k8s.io/"
    labels = {f"{label}jobset-name": jobset, f"{label}replicatedjob-name": job["name"],
              f"{label}replicatedjob-replicas": "1", f"{label}job-index": "0"}

    class Api:
        """Says of the Job what the JobSet controller made of the manifest."""

        def __init__(self, *_: object) -> None:
            pass

        def job(self, name: str) -> dict[str, Any]:
            assert name == f"{jobset}-{job['name']}-0"
            return {"metadata": {"labels": labels}, "spec": spec}

    monkeypatch.setattr(kubernetes, "KubernetesApi", Api)
    assert spec["parallelism"] == spec["completions"]
    for index in range(spec["completions"]):
        given = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "JOB_COMPLETION_INDEX": str(index),
                 "HOSTNAME": f"{jobset}-{job['name']}-0-{index}"}
        pod = kubernetes.find(given, names=tmp_path / "hosts").detection
        assert pod is not None and pod.name == "kubernetes"
        assert (pod.process_id, pod.num_processes) == (index, spec["completions"])
        # The name of a JobSet's first pod, in the domain that has the JobSet's name.
        assert pod.coordinator_address == "olympusjob-workers-0-0.olympusjob:8476"


def test_account_is_the_one_that_the_manifest_names() -> None:
    (found,) = objects("example.yaml")
    account, role, binding = objects("svc-acct.yaml")
    wanted = found["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["serviceAccountName"]
    assert account["metadata"]["name"] == wanted
    assert [subject["name"] for subject in binding["subjects"]] == [wanted]
    assert binding["roleRef"]["name"] == role["metadata"]["name"]
    assert "list" in next(rule for rule in role["rules"] if "pods" in rule["resources"])["verbs"]
