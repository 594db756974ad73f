# SPDX-License-Identifier: Apache-2.0
"""Cloud TPU by captured variables and metadata, and a metadata server that answers, lies, or does not answer."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from olympus_core.cluster.detect import detect, metadata, tpu
from olympus_core.config import Config
from olympus_core.network import ports

# A pod of GKE's, of a job on a slice of 2x4 with 4 chips a machine.
GKE = {
    "TPU_WORKER_ID": "1", "TPU_WORKER_HOSTNAMES": "train-0.train,train-1.train", "TPU_TOPOLOGY": "2x4",
    "TPU_ACCELERATOR_TYPE": "v5litepod-8", "TPU_NAME": "train", "TPU_PROCESS_PORT": "8476",
    "TPU_PROCESS_ADDRESSES": "train-0.train:8476,train-1.train:8476", "TPU_CHIPS_PER_HOST_BOUNDS": "2,2,1",
}
# One machine alone: what GKE puts into a pod of its own, and a notebook's machine.
GKE_ALONE = {"TPU_WORKER_ID": "0", "TPU_WORKER_HOSTNAMES": "localhost", "TPU_ACCELERATOR_TYPE": "v5litepod-4",
             "TPU_TOPOLOGY": "2x2"}
NOTEBOOK = {
    "TPU_WORKER_ID": "0", "TPU_WORKER_HOSTNAMES": "localhost", "TPU_SKIP_MDS_QUERY": "1",
    "TPU_CHIPS_PER_HOST_BOUNDS": "2,4,1", "TPU_HOST_BOUNDS": "1,1,1", "TPU_PROCESS_ADDRESSES": "local",
    "TPU_ACCELERATOR_TYPE": "v5litepod-8",
}
# Four processes on one machine of four chips.
FOUR = {
    "TPU_PROCESS_ADDRESSES": "localhost:8476,localhost:8477,localhost:8478,localhost:8479", "CLOUD_TPU_TASK_ID": "2",
    "TPU_PROCESS_PORT": "8478", "TPU_PROCESS_BOUNDS": "2,2,1", "TPU_CHIPS_PER_PROCESS_BOUNDS": "1,1,1",
    "TPU_VISIBLE_CHIPS": "2",
}
# Two machines of four processes each: the second machine's second.
EIGHT = {
    "TPU_PROCESS_ADDRESSES": ",".join(f"10.130.0.{host}:{port}" for host in (31, 30) for port in range(8476, 8480)),
    "CLOUD_TPU_TASK_ID": "5", "TPU_WORKER_ID": "1", "TPU_WORKER_HOSTNAMES": "10.130.0.31,10.130.0.30",
}
MULTISLICE = {**GKE, "MEGASCALE_NUM_SLICES": "4", "MEGASCALE_SLICE_ID": "2",
              "MEGASCALE_COORDINATOR_ADDRESS": "train-slice-0-0.train", "MEGASCALE_PORT": "8081"}


@pytest.mark.parametrize(("environ", "address", "process", "count", "local"), [
    (GKE, "train-0.train:8476", 1, 2, None),
    (GKE_ALONE, "localhost:8476", 0, 1, None),
    (NOTEBOOK, "localhost:8476", 0, 1, None),
    (FOUR, "localhost:8476", 2, 4, 2),
    (EIGHT, "10.130.0.31:8476", 5, 8, 1),
    (MULTISLICE, "train-slice-0-0.train:8476", 5, 8, None),
    ({**MULTISLICE, "MEGASCALE_COORDINATOR_ADDRESS": "10.0.0.1:8081"}, "10.0.0.1:8476", 5, 8, None),
    ({**MULTISLICE, "MEGASCALE_NUM_SLICES": "1", "MEGASCALE_SLICE_ID": "0"}, "train-0.train:8476", 1, 2, None),
])
def test_captured_variables(
    environ: Mapping[str, str], address: str, process: int, count: int, local: int | None
) -> None:
    found = detect(environ)
    assert found is not None and found.name == "tpu"
    assert (found.coordinator_address, found.process_id, found.num_processes) == (address, process, count)
    assert found.local_index == local


def test_the_slice_is_told() -> None:
    here = tpu.described(MULTISLICE)
    assert (here.accelerator, here.topology, here.slices, here.slice_index) == ("v5litepod-8", "2x4", 4, 2)
    assert "TPU_TOPOLOGY=2x4" in tpu.find(GKE).reason and "v5litepod-8" in tpu.find(GKE).reason
    assert tpu.described({}) == tpu.TpuVm(slice_index=0)


@pytest.mark.parametrize(("change", "words"), [
    ({"TPU_WORKER_ID": ""}, "no TPU_WORKER_ID"),
    ({"TPU_WORKER_ID": "2"}, "have no number 2"),
    ({"TPU_WORKER_HOSTNAMES": "", "TPU_PROCESS_ADDRESSES": ""}, "no TPU_WORKER_HOSTNAMES"),
    ({"MEGASCALE_NUM_SLICES": "2"}, "no MEGASCALE_SLICE_ID or"),
    ({"MEGASCALE_NUM_SLICES": "2", "MEGASCALE_SLICE_ID": "0"}, "MEGASCALE_COORDINATOR_ADDRESS"),
])
def test_what_is_incomplete_is_not_used(change: Mapping[str, str], words: str) -> None:
    found = tpu.find({**GKE, **change, "TPU_SKIP_MDS_QUERY": "1"})
    assert found.detection is None and found.is_partial and words in found.reason


# `tpu-env` of a v4-256's first machine, as its attribute has it; the other attributes of a v4-32's second.
TPU_ENV = """\
ACCELERATOR_TYPE: 'v4-256'
AGENT_BOOTSTRAP_IMAGE: 'gcr.io/cloud-tpu-v2-images/instance_agent:stable'
ALT: 'false'
CHIPS_PER_HOST_BOUNDS: '2,2,1'
HOST_BOUNDS: '2,2,8'
INJECT_SLICE_BUILDER_FAULT: ''
NODE_ID: 'tpu-1'
TOPOLOGY: '4x4x8'
TPU_CHIPS_PER_PROCESS_BOUNDS: '2,2,1'
TPU_PROCESS_BOUNDS: '2,2,8'
TPU_RUNTIME_METRICS_PORTS: '8431,8432,8433,8434'
TYPE: 'V4'
WORKER_ID: '0'
WRAP: 'true,true,true'
ZONE: 'us-central2-b'
"""
ENDPOINTS = ("t1v-n-0f996b37-w-0:12345:10.130.0.26,t1v-n-0f996b37-w-1:12346:10.130.0.27,"
             "t1v-n-0f996b37-w-2:12347:10.130.0.25,t1v-n-0f996b37-w-3:12348:10.130.0.28")
ATTRIBUTES = {"agent-worker-number": "1", "accelerator-type": "v4-32", "worker-network-endpoints": ENDPOINTS}


def test_captured_metadata() -> None:
    assert tpu.from_metadata({"tpu-env": TPU_ENV}) == {
        "TPU_WORKER_ID": "0", "TPU_ACCELERATOR_TYPE": "v4-256", "TPU_TOPOLOGY": "4x4x8"}
    here = tpu.described(tpu.from_metadata({**ATTRIBUTES, "tpu-env": TPU_ENV}))
    assert (here.index, here.accelerator, here.topology) == (1, "v4-32", "4x4x8")
    assert here.machines == ("10.130.0.26", "10.130.0.27", "10.130.0.25", "10.130.0.28")
    assert tpu.from_metadata({"startup-script": "x", "tpu-env": "no: such text"}) == {}


def test_captured_metadata_of_several_slices() -> None:
    text = TPU_ENV + ("MEGASCALE_COORDINATOR_ADDRESS: '10.128.0.7'\nMEGASCALE_NUM_SLICES: '2'\n"
                      "MEGASCALE_SLICE_ID: '1'\nMEGASCALE_TRANSPORT_TYPE: 'grpc'\n")
    here = tpu.described(tpu.from_metadata({**ATTRIBUTES, "tpu-env": text}))
    assert (here.slices, here.slice_index, here.coordinator) == (2, 1, "10.128.0.7")


class _Answering(BaseHTTPRequestHandler):
    attributes: Mapping[str, str] = {**ATTRIBUTES, "tpu-env": TPU_ENV}
    flavor = "Google"
    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        assert self.headers["Metadata-Flavor"] == "Google"
        content = json.dumps(self.attributes).encode()
        self.send_response(200)
        self.send_header("Metadata-Flavor", self.flavor)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The variables that name a metadata server."""
    monkeypatch.setattr(_Answering, "asked", [])
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answering) as it:
        thread = threading.Thread(target=it.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield {"GCE_METADATA_HOST": f"127.0.0.1:{it.server_port}"}
        it.shutdown()
        thread.join()


def test_the_server_is_asked_by_who_names_the_method(server: dict[str, str]) -> None:
    found = detect(server, "tpu")
    assert found is not None and "by the metadata server" in found.evidence[0]
    assert (found.coordinator_address, found.process_id, found.num_processes) == ("10.130.0.26:8476", 1, 4)
    assert len(_Answering.asked) == 1


def test_the_server_is_asked_on_machines_with_tpus_only(
    server: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for has, expected in ((False, None), (True, 1)):
        monkeypatch.setattr(metadata, "has_accelerator", lambda has=has: has)
        found = detect(server)
        assert (found and found.process_id) == expected and bool(_Answering.asked) == has


@pytest.mark.parametrize("environ", [GKE, FOUR, {"TPU_SKIP_MDS_QUERY": "1"}, {"TPU_SKIP_MDS_QUERY": "true"}])
def test_the_server_is_not_asked_what_variables_say(server: dict[str, str], environ: Mapping[str, str]) -> None:
    tpu.find({**server, **environ}, asked=True)
    assert _Answering.asked == []


def test_variables_come_before_the_server(server: dict[str, str]) -> None:
    found = tpu.find({**server, "TPU_WORKER_ID": "3"}, asked=True).detection
    assert found is not None and found.process_id == 3


def test_somebody_else_s_answer_is_none(server: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("flavor", "Other"), ("attributes", ["no", "names"])):
        with monkeypatch.context() as change:
            change.setattr(_Answering, name, value)
            assert metadata.attributes(server) is None
    assert metadata.attributes(server) is not None


@pytest.mark.parametrize("answer", [
    b"", b"x\r\n", b"HTTP/1.1 200 OK\r\nMetadata-Flavor: Google\r\nContent-Length: 9\r\n\r\n{",
])
def test_nobody_is_waited_for(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as it:

        def half() -> None:
            peer, _ = it.accept()
            with peer:
                peer.recv(4096)
                peer.sendall(answer)
                peer.recv(1)  # until the other side gives up

        thread = threading.Thread(target=half)
        thread.start()
        began = time.monotonic()
        found = detect({"GCE_METADATA_HOST": f"127.0.0.1:{it.getsockname()[1]}"}, "tpu")
        assert found is None and time.monotonic() - began < 10
        thread.join()


def test_an_answer_in_small_pieces_is_not_waited_for_either() -> None:
    """Each comes in time, and there is no end of them."""
    gone = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as it:

        def trickle() -> None:
            peer, _ = it.accept()
            with peer, contextlib.suppress(OSError):
                peer.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                while not gone.wait(0.02):
                    peer.sendall(b"x")

        thread = threading.Thread(target=trickle)
        thread.start()
        began = time.monotonic()
        found = metadata.attributes({"GCE_METADATA_HOST": f"127.0.0.1:{it.getsockname()[1]}"})
        seconds = time.monotonic() - began
        gone.set()
        thread.join()
    assert found is None and seconds < 10


def test_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as it:
        port = it.getsockname()[1]
    assert metadata.attributes({"GCE_METADATA_HOST": f"127.0.0.1:{port}"}) is None


@pytest.mark.parametrize(("files", "expected"), [
    ({"dev/accel0": "", "sys/bus/pci/devices/0000:00:04.0/vendor": "0x1ae0\n"}, True),
    ({"dev/vfio/0": "", "sys/bus/pci/devices/0000:00:04.0/vendor": "0x1ae0\n"}, True),
    ({"dev/vfio/vfio": "", "sys/bus/pci/devices/0000:00:04.0/vendor": "0x1ae0\n"}, False),
    ({"dev/accel0": "", "sys/bus/pci/devices/0000:00:04.0/vendor": "0x8086\n"}, False),
    ({"sys/bus/pci/devices/0000:00:04.0/vendor": "0x1ae0\n"}, False),  # their network cards have the number, too
    ({}, False),
])
def test_signs_of_tpus(tmp_path: Path, files: Mapping[str, str], expected: bool) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert metadata.has_accelerator(tmp_path) == expected


def test_the_ports_that_the_user_allows_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "config", Config(environ={"OLYMPUS_PORTS": "9000-9003"}, arguments=[]))
    environ = {"TPU_WORKER_ID": "1", "TPU_WORKER_HOSTNAMES": "t1v-0,t1v-1"}
    found = tpu.find(environ).detection
    assert found is not None and found.coordinator_address == "t1v-0:9000"
