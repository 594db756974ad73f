# SPDX-License-Identifier: Apache-2.0
"""Kubernetes: what the environment, the pod's own name and the API server (a small one, over TLS) tell of a Job."""

from __future__ import annotations

import http.server
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from olympus_core.cluster import connect
from olympus_core.cluster.detect import kubernetes, kubernetes_api
from olympus_core.cluster.detect.detection import Finding
from olympus_core.errors import IncompleteLauncherError

CERTIFICATES = Path(__file__).parent / "certificates"
TOKEN = "a-token-of-the-pods-account"


class Api:
    """The answers of an API server that knows a few objects."""

    def __init__(self) -> None:
        self.jobs: dict[str, dict[str, Any]] = {}
        self.pods: list[dict[str, Any]] = []
        self.status = 200
        self.asked: list[str] = []

    def answer(self, path: str) -> tuple[int, Any]:
        parts, self.asked = urlsplit(path), [*self.asked, path]
        if self.status != 200:
            return self.status, {"kind": "Status"}
        if parts.path == "/api/v1/namespaces/team/pods":
            return 200, {"items": self._selected(parse_qs(parts.query))}
        if parts.path.startswith("/api/v1/namespaces/team/pods/"):
            one = [pod for pod in self.pods if pod["metadata"]["name"] == parts.path.rpartition("/")[2]]
            return (200, one[0]) if one else (404, {"kind": "Status"})
        name = parts.path.removeprefix("/apis/batch/v1/namespaces/team/jobs/")
        return (200, self.jobs[name]) if name in self.jobs else (404, {"kind": "Status"})

    def _selected(self, query: Mapping[str, list[str]]) -> list[dict[str, Any]]:
        wanted = dict(part.split("=") for part in query["labelSelector"][0].split(","))
        return [pod for pod in self.pods if wanted.items() <= pod["metadata"]["labels"].items()]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Api, dict[str, str]]]:
    api = Api()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            right = self.headers.get("Authorization") == f"Bearer {TOKEN}"
            status, body = api.answer(self.path) if right else (401, {})
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "api.pem", CERTIFICATES / "api.key")
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    (tmp_path / "token").write_text(TOKEN + "\n")
    (tmp_path / "namespace").write_text("team")
    (tmp_path / "ca.crt").write_bytes((CERTIFICATES / "api-authority.pem").read_bytes())
    (tmp_path / "hosts").write_text("127.0.0.1 localhost\n")
    yield api, {"KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(listener.server_port)}
    listener.shutdown()
    listener.server_close()
    thread.join()


@pytest.fixture
def find(tmp_path: Path) -> Callable[[Mapping[str, str]], Finding]:
    return lambda environ: kubernetes.find(environ, account=tmp_path, names=tmp_path / "hosts")


def jobset_job(pods: int, replicas: int, index: int) -> dict[str, Any]:
    """A Job as the JobSet controller makes it."""
    label = "jobset.sigs.k8s.io/"
    labels = {f"{label}jobset-name": "olympusjob", f"{label}replicatedjob-name": "workers",
              f"{label}replicatedjob-replicas": str(replicas), f"{label}job-index": str(index)}
    template = {"spec": {"subdomain": "olympusjob"}}
    return {"metadata": {"labels": labels}, "spec": {"parallelism": pods, "completions": pods, "template": template}}


def pod(name: str, labels: Mapping[str, str], address: str | None = None) -> dict[str, Any]:
    return {"metadata": {"name": name, "labels": dict(labels)}, "status": {"podIP": address} if address else {}}


def place(found: Finding) -> tuple[str | None, int | None, int | None]:
    assert found.detection is not None and not found.is_partial, found.reason
    return found.detection.coordinator_address, found.detection.process_id, found.detection.num_processes


def test_the_documents_manifest_needs_no_variables(server: Any, find: Any) -> None:
    api, environ = server
    api.jobs["olympusjob-workers-0"] = jobset_job(2, 1, 0)
    for index in range(2):
        pods = {**environ, "JOB_COMPLETION_INDEX": str(index), "HOSTNAME": f"olympusjob-workers-0-{index}"}
        assert place(find(pods)) == ("olympusjob-workers-0-0.olympusjob:8476", index, 2)


def test_jobs_of_a_set_that_are_alike_are_one_program(server: Any, find: Any) -> None:
    api, environ = server
    seen = []
    for job in range(2):
        api.jobs[f"olympusjob-workers-{job}"] = jobset_job(3, 2, job)
        for index in range(3):
            pods = {**environ, "JOB_COMPLETION_INDEX": str(index), "HOSTNAME": f"olympusjob-workers-{job}-{index}"}
            seen.append(place(find(pods)))
    assert seen == [("olympusjob-workers-0-0.olympusjob:8476", process, 6) for process in range(6)]
    # With the number of one Job's pods each Job is a program of its own.
    pods = {**environ, "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "olympusjob-workers-1-1", "OLYMPUS_NUM_PROCESSES": "3"}
    assert place(find(pods)) == ("olympusjob-workers-1-0.olympusjob:8476", 1, 3)
    found = find({**pods, "OLYMPUS_NUM_PROCESSES": "4"})
    assert found.is_partial and "4 processes, but 2 Jobs with 3 pods each" in found.reason


def test_a_service_that_is_not_named_like_the_job(server: Any, find: Any, tmp_path: Path) -> None:
    api, environ = server
    (tmp_path / "hosts").write_text("10.1.0.7\ttrain-3.peers.team.svc.cluster.local\ttrain-3\n")
    pods = {**environ, "JOB_COMPLETION_INDEX": "3", "HOSTNAME": "train-3", "OLYMPUS_NUM_PROCESSES": "4"}
    assert place(find(pods)) == ("train-0.peers:8476", 3, 4)
    assert not api.asked
    # A set's domain has the set's name: with the count alone the first Job's pods know enough.
    (tmp_path / "hosts").write_text("10.1.0.7 s-w-0-1.s.team.svc.cluster.local s-w-0-1\n")
    pods = {**environ, "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "s-w-0-1", "OLYMPUS_NUM_PROCESSES": "2"}
    assert place(find(pods)) == ("s-w-0-0.s:8476", 1, 2)
    assert not api.asked


def test_pods_without_names_meet_at_the_first_ones_address(server: Any, find: Any) -> None:
    api, environ = server
    api.jobs["train"] = {"spec": {"parallelism": 2, "completions": 2}}
    labels = {"batch.kubernetes.io/job-name": "train", "batch.kubernetes.io/job-completion-index": "0"}
    api.pods = [pod("train-0-abc", labels, "10.1.0.9"), pod("train-1-abc", {**labels, "x": "y"}, "10.1.0.10")]
    pods = {**environ, "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "train-1"}
    assert place(find(pods)) == ("10.1.0.9:8476", 1, 2)


def test_a_later_job_of_a_set_of_unknown_size_says_so(server: Any, find: Any, tmp_path: Path) -> None:
    api, environ = server
    api.status = 403
    (tmp_path / "hosts").write_text("10.1.0.7 s-w-1-0.s.team.svc.cluster.local s-w-1-0\n")
    pods = {**environ, "JOB_COMPLETION_INDEX": "0", "HOSTNAME": "s-w-1-0", "OLYMPUS_NUM_PROCESSES": "4"}
    found = find(pods)
    assert found.is_partial and "s-w-1 is not the first Job of JobSet s" in found.reason
    assert place(find({**pods, "JOBSET_REPLICAS": "2", "PROCESSES_IN_JOB": "2"})) == ("s-w-0-0.s:8476", 2, 4)


@pytest.mark.parametrize(("status", "words"), [
    (403, "does not let the pod's account read /apis/batch/v1/namespaces/team/jobs/train (403 Forbidden)"),
    (500, "answers 500 Internal Server Error"),
    (200, "answers 404 Not Found"),
])
def test_what_the_api_does_not_tell_is_missing(server: Any, find: Any, status: int, words: str) -> None:
    api, environ = server
    api.status = status
    found = find({**environ, "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "train-1"})
    assert found.is_partial and "the number of pods is not known" in found.reason and words in found.reason
    assert found.detection is not None and found.detection.process_id == 1
    assert "OLYMPUS_NUM_PROCESSES" in found.fix and "serviceAccountName" in found.fix


def test_a_job_that_does_not_run_all_pods_at_once(server: Any, find: Any) -> None:
    api, environ = server
    api.jobs["train"] = {"spec": {"parallelism": 2, "completions": 4}}
    found = find({**environ, "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "train-1"})
    assert found.is_partial and "parallelism 2 is less than completions 4" in found.reason


@pytest.mark.parametrize("label", ["batch.kubernetes.io/job-name", "job-name"])
def test_several_pods_of_a_job_without_an_index(
    server: Any, tmp_path: Path, label: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    api, environ = server
    api.pods = [pod("train-x7k2p", {label: "train"}, "10.1.0.9")]
    api.jobs["train"] = {"spec": {"parallelism": 4, "completions": 4, "completionMode": "NonIndexed"}}
    monkeypatch.setattr(kubernetes_api, "ACCOUNT", tmp_path)
    with pytest.raises(IncompleteLauncherError) as caught:
        connect(environ={**environ, "HOSTNAME": "train-x7k2p"})
    said = str(caught.value)
    assert "Job train runs 4 pods at once" in said and "its completionMode is NonIndexed" in said
    assert "completionMode: Indexed" in said and "OLYMPUS_CLUSTER_DETECTION_METHOD=none" in said


def test_a_number_of_pods_without_an_index(server: Any, find: Any) -> None:
    api, environ = server
    found = find({**environ, "JOB_COMPLETIONS": "4", "HOSTNAME": "train-x7k2p"})
    assert found.is_partial and "JOB_COMPLETIONS=4, but no JOB_COMPLETION_INDEX" in found.reason
    assert "completionMode: Indexed" in found.fix and not api.asked


def test_a_pod_that_is_alone(server: Any, find: Any) -> None:
    api, environ = server
    # One of a Job of one, one of a Deployment, one of which the account may know nothing: jobs of one process.
    api.pods = [pod("train-x7k2p", {"job-name": "train"}), pod("web-7f9-abc", {"app": "web"})]
    api.jobs["train"] = {"spec": {"parallelism": 1, "completions": 8}}
    for name in ("train-x7k2p", "web-7f9-abc", "node-7"):
        found = find({**environ, "HOSTNAME": name})
        assert found.detection is None and not found.is_partial, name
    api.status = 403
    found = find({**environ, "HOSTNAME": "web-7f9-abc"})
    assert not found.is_partial and "403 Forbidden" in found.reason
    assert not find({**environ, "HOSTNAME": "web-7f9-abc", "POD_NAME": "web"}).is_partial


def test_a_pod_whose_name_says_nothing(server: Any, find: Any) -> None:
    _, environ = server
    found = find({**environ, "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "node-7"})
    assert found.is_partial and "no JOB_NAME" in found.reason and "JOB_NAME" in found.fix


def test_another_authoritys_server_is_not_trusted(server: Any, find: Any, tmp_path: Path) -> None:
    api, environ = server
    api.jobs["train"] = {"spec": {"parallelism": 2}}
    (tmp_path / "ca.crt").write_bytes((CERTIFICATES / "another.pem").read_bytes())
    found = find({**environ, "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "train-1"})
    assert found.is_partial and "certificate verify failed" in found.reason
    assert not api.asked


def test_without_an_account_and_without_a_server(find: Any, tmp_path: Path) -> None:
    environ = {"KUBERNETES_SERVICE_HOST": "127.0.0.1", "JOB_COMPLETION_INDEX": "1", "HOSTNAME": "train-1"}
    found = find(environ)
    assert found.is_partial and "the pod has no account's token" in found.reason
