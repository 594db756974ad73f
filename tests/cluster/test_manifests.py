# SPDX-License-Identifier: Apache-2.0
"""examples/kubernetes: well formed, their parts fit together, and olympus detects each pod's place."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from olympus_core.cluster import detect
from olympus_core.cluster.detect import kubernetes
from olympus_core.cluster.detect.detection import Detection
from olympus_core.config import config
from tests.support.manifests import KINDS, problems

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "kubernetes"
FILES = ("job.yaml", "jobset.yaml", "mpijob.yaml", "pods.yaml")
LABEL = "jobset.sigs.k8s.io/"
Object = dict[str, Any]


def objects(name: str) -> list[Object]:
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


def templates(found: Object) -> list[Object]:
    """The pods' templates of an object, those of the processes last."""
    spec = found["spec"]
    if found["kind"] == "JobSet":
        return [job["template"]["spec"]["template"] for job in spec["replicatedJobs"]]
    if found["kind"] == "MPIJob":
        return [spec["mpiReplicaSpecs"][role]["template"] for role in ("Launcher", "Worker")]
    return [spec["template"]]


def variables(template: Object) -> dict[str, str]:
    """The variables of a pod's first container that have values in the manifest."""
    return {v["name"]: v["value"] for v in template["spec"]["containers"][0].get("env", ()) if "value" in v}


def mistakes(file: list[Object], account: str = "olympus") -> list[str]:
    """What is not as its API has it, or does not fit together."""
    found = [p for o in file for p in problems({k: v for k, v in o.items() if k not in ("apiVersion", "kind")},
                                               KINDS[o["apiVersion"], o["kind"]])]
    return found or [p for o in file if o["kind"] != "Service" for p in _unfit(o, file, account)]


def _unfit(owner: Object, file: list[Object], account: str) -> Iterator[str]:
    spec, services = owner["spec"], {o["metadata"]["name"]: o["spec"] for o in file if o["kind"] == "Service"}
    for job in [spec] if owner["kind"] == "Job" else [j["template"]["spec"] for j in spec.get("replicatedJobs", ())]:
        if job["completions"] != job["parallelism"]:
            yield "completions are not parallelism"
    if owner["kind"] == "StatefulSet":
        labels = spec["template"]["metadata"]["labels"].items()
        if not spec["selector"]["matchLabels"].items() <= labels:
            yield "the set does not select its pods"
        if variables(spec["template"])["OLYMPUS_NUM_PROCESSES"] != str(spec["replicas"]):
            yield "OLYMPUS_NUM_PROCESSES is not replicas"
    if owner["kind"] == "MPIJob":
        launcher, worker = templates(owner)
        command = launcher["spec"]["containers"][0]["command"]
        slots = spec["mpiReplicaSpecs"]["Worker"]["replicas"] * spec["slotsPerWorker"]
        if command[:3] != ["mpiexec", "-n", str(slots)]:
            yield "mpiexec starts another number than there are slots"
        yield from _unfit_ports(variables(launcher), worker)
    if owner["kind"] in ("Job", "StatefulSet"):
        (template,) = templates(owner)
        service = services.get(spec.get("serviceName") or template["spec"].get("subdomain", ""))
        if service is None:
            yield "the pods are of no service"
        elif not service["selector"].items() <= template.get("metadata", {}).get("labels", {}).items():
            yield "the service does not select the pods"
        elif service["ports"] != [{"name": p["name"], "port": p["containerPort"]} for p in _ports(template)]:
            yield "the service has other ports than the container"
    for template in templates(owner):
        pod = template["spec"]
        if pod.get("serviceAccountName") != account and pod.get("automountServiceAccountToken") is not False:
            yield "the account is another one"
        if owner["kind"] != "MPIJob":
            yield from _unfit_ports(variables(template), template)
            yield from _unfit_secret(template)


def _ports(template: Object) -> list[Object]:
    return template["spec"]["containers"][0].get("ports", [])


def _unfit_ports(given: dict[str, str], template: Object) -> Iterator[str]:
    if [str(port["containerPort"]) for port in _ports(template)] != [given.get("OLYMPUS_PORTS")]:
        yield "the container's ports are not OLYMPUS_PORTS"


def _unfit_secret(template: Object) -> Iterator[str]:
    folder = variables(template).get("OLYMPUS_SECRET_FILE", "").rpartition("/")[0]
    mounted = {m["mountPath"]: m["name"] for m in template["spec"]["containers"][0].get("volumeMounts", ())}
    modes = {v["name"]: v["secret"]["defaultMode"] for v in template["spec"].get("volumes", ())}
    mode = modes.get(mounted.get(folder, ""))
    if mode is None:
        yield "OLYMPUS_SECRET_FILE is not mounted"
    elif mode & 0o027:  # the pod's group reads it
        yield "others may use the secret"


@pytest.mark.parametrize("name", [*FILES, "account.yaml"])
def test_manifests_are_as_their_apis_have_them(name: str) -> None:
    if name == "account.yaml":
        for found in objects(name):
            assert problems(found, KINDS[found.pop("apiVersion"), found.pop("kind")]) == []
    else:
        assert mistakes(objects(name)) == []


def at(found: Object, path: str) -> tuple[Any, Any]:
    """What holds the last part of a path, and that part."""
    *parts, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    for part in parts:
        found = found[part]
    return found, last


CONTAINER = "spec/template/spec/containers/0"


@pytest.mark.parametrize(("name", "path", "value", "words"), [
    ("job.yaml", "1/spec/completions", 3, "completions are not parallelism"),
    ("job.yaml", "1/spec/completionMode", "NonIndexed", "is none of ['Indexed']"),
    ("job.yaml", "1/spec/template/spec/restartPolicy", "Always", "'Always' is none of"),
    ("job.yaml", "1/spec/template/spec/subdomain", "other", "of no service"),
    ("job.yaml", "1/spec/template/spec/serviceAccountName", "default", "the account"),
    ("job.yaml", "1/metadata/name", "Train_1", "Train_1"),
    ("job.yaml", "0/spec/selector", {"app": "x"}, "does not select"),
    ("job.yaml", "0/spec/ports/0/port", 80, "other ports"),
    ("job.yaml", "0/spec/clusterIP", "10.0.0.9", "10.0.0.9"),
    ("job.yaml", f"1/{CONTAINER}/env/0/value", "9000", "are not OLYMPUS_PORTS"),
    ("job.yaml", f"1/{CONTAINER}/env/1/value", "/tmp/secret", "is not mounted"),
    ("job.yaml", "1/spec/template/spec/volumes/0/secret/defaultMode", 0o644, "others may use"),
    ("jobset.yaml", "0/spec/replicatedJobs/0/template/spec/parallelism", 1, "completions are not parallelism"),
    ("jobset.yaml", "0/spec/network/dns", True, ".network.dns: unknown"),
    ("mpijob.yaml", "0/spec/slotsPerWorker", 2, "than there are slots"),
    ("mpijob.yaml", "0/spec/mpiImplementation", "mpich", "'mpich' is none of"),
    ("pods.yaml", "1/spec/replicas", 5, "OLYMPUS_NUM_PROCESSES is not replicas"),
    ("pods.yaml", "1/spec/template/metadata/labels/app", "x", "does not select its pods"),
    ("pods.yaml", "1/spec/template/spec/restartPolicy", "Never", "'Never' is none of"),
])
def test_mistakes_are_found(name: str, path: str, value: Any, words: str) -> None:
    file = copy.deepcopy(objects(name))
    holder, last = at(file, path)  # type: ignore[arg-type]
    holder[last] = value
    assert any(words in mistake for mistake in mistakes(file))


def made_jobs(owner: Object) -> dict[str, Object]:
    """The Jobs that the controllers make of an object, by name."""
    name, spec = owner["metadata"]["name"], copy.deepcopy(owner["spec"])
    if owner["kind"] == "Job":
        return {name: {"metadata": {"name": name}, "spec": spec}}
    made = {}
    for of in spec["replicatedJobs"]:
        for index in range(of["replicas"]):
            job = copy.deepcopy(of["template"]["spec"])
            job["template"]["spec"]["subdomain"] = spec["network"].get("subdomain", name)
            labels = {"jobset-name": name, "replicatedjob-name": of["name"], "job-index": str(index),
                      "replicatedjob-replicas": str(of["replicas"])}
            labels = {f"{LABEL}{key}": value for key, value in labels.items()}
            made[f"{name}-{of['name']}-{index}"] = {"metadata": {"labels": labels}, "spec": job}
    return made


def environments(file: list[Object]) -> list[dict[str, str]]:
    """The variables that the processes of a manifest have, in the order of the pods' names."""
    (owner,) = (o for o in file if o["kind"] != "Service")
    always = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}
    if owner["kind"] == "StatefulSet":
        (template,) = templates(owner)
        index_of = {"fieldRef": {"fieldPath": "metadata.labels['apps.kubernetes.io/pod-index']"}}
        by_index = [v["name"] for v in template["spec"]["containers"][0]["env"] if v.get("valueFrom") == index_of]
        return [{**always, **variables(template), **dict.fromkeys(by_index, str(index)),
                 "HOSTNAME": f"{owner['metadata']['name']}-{index}"} for index in range(owner["spec"]["replicas"])]
    if owner["kind"] == "MPIJob":
        count = int(templates(owner)[0]["spec"]["containers"][0]["command"][2])
        given = {**always, **variables(templates(owner)[0]), "PMI_SIZE": str(count), "PMI_PORT": "train-launcher:4711"}
        return [{**given, "PMI_RANK": str(index), "HOSTNAME": f"train-worker-{index}"} for index in range(count)]
    return [{**always, **variables(job["spec"]["template"]), "JOB_COMPLETION_INDEX": str(index),
             "HOSTNAME": f"{name}-{index}"}
            for name, job in made_jobs(owner).items() for index in range(job["spec"]["completions"])]


@pytest.fixture
def detected(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], list[Detection | None]]]:
    def detect_all(name: str) -> list[Detection | None]:
        file = objects(name)
        jobs = made_jobs(file[-1]) if file[-1]["kind"] in ("Job", "JobSet") else None

        class Api:
            """Knows the Jobs, where the pods' account may ask."""

            def __init__(self, *_: object) -> None:
                assert jobs is not None, "the pods have no account"

            def job(self, name: str) -> Object:
                assert jobs is not None
                return jobs[name]

        monkeypatch.setattr(kubernetes, "KubernetesApi", Api)
        found = []
        for environ in environments(file):
            config.update("olympus_ports", environ["OLYMPUS_PORTS"])
            found.append(detect(environ))
        return found

    yield detect_all
    config.update("olympus_ports", None)


@pytest.mark.parametrize(("name", "method", "count", "address"), [
    ("job.yaml", "kubernetes", 4, "train-0.train:8476"),
    ("jobset.yaml", "kubernetes", 8, "train-workers-0-0.train:8476"),
    ("mpijob.yaml", "mpiexec", 4, None),  # MPI tells it
    ("pods.yaml", "environment", 4, "train-0.train:8476"),
])
def test_every_pod_finds_its_place(
    detected: Callable[[str], list[Detection]], name: str, method: str, count: int, address: str | None,
) -> None:
    found = detected(name)
    assert [(d.process_id, d.num_processes) for d in found] == [(index, count) for index in range(count)]
    assert {(d.name, d.coordinator_address, d.is_mpi) for d in found} == {(method, address, name == "mpijob.yaml")}


def test_the_account_may_ask_what_olympus_asks() -> None:
    account, role, binding = objects("account.yaml")
    assert [subject["name"] for subject in binding["subjects"]] == [account["metadata"]["name"]] == ["olympus"]
    assert binding["roleRef"]["name"] == role["metadata"]["name"]
    may = {(group, thing, verb) for rule in role["rules"] for group in rule["apiGroups"]
           for thing in rule["resources"] for verb in rule["verbs"]}
    assert may == {("batch", "jobs", "get"), ("", "pods", "get"), ("", "pods", "list")}
