# SPDX-License-Identifier: Apache-2.0
"""Detection by captured environments: each method is a function of a mapping."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping

import pytest

from olympus_core.cluster import connect, detect, evidence
from olympus_core.cluster.detect import METHODS, recognise
from olympus_core.cluster.detect.slurm import first_node
from olympus_core.errors import (
    IncompleteClusterError,
    IncompleteLauncherError,
    LauncherMismatchError,
    SizeMismatchError,
    UnknownDetectionMethodError,
)

LAUNCHED = {
    "OLYMPUS_COORDINATOR_ADDRESS": "localhost:4711",
    "OLYMPUS_PROCESS_ID": "2",
    "OLYMPUS_NUM_PROCESSES": "4",
    "OLYMPUS_LOCAL_INDEX": "2",
}
SRUN = {
    "SLURM_JOB_ID": "8675309",
    "SLURM_JOB_NODELIST": "gpu[003-004]",
    "SLURM_NTASKS": "8",
    "SLURM_STEP_ID": "0",
    "SLURM_STEP_NUM_TASKS": "8",
    "SLURM_STEP_NODELIST": "gpu[003-004]",
    "SLURM_PROCID": "5",
    "SLURM_LOCALID": "1",
    "SLURM_NODEID": "1",
}
# What a shell inside of an allocation, or reached by ssh, has.
SALLOC = {"SLURM_JOB_ID": "8675309", "SLURM_NTASKS": "8", "SLURM_JOB_NODELIST": "gpu[003-004]"}
HYDRA = {
    "PMI_RANK": "1",
    "PMI_PORT": "vm:4711",
    "PMI_SIZE": "2",
    "MPI_LOCALRANKID": "1",
    "MPI_LOCALNRANKS": "2",
    "PMI_HOSTNAME": "vm",
    "HYDI_CONTROL_FD": "7",
}
OPEN_MPI = {
    "OMPI_COMM_WORLD_RANK": "3",
    "OMPI_COMM_WORLD_SIZE": "4",
    "OMPI_COMM_WORLD_LOCAL_RANK": "3",
    "OMPI_COMM_WORLD_LOCAL_SIZE": "4",
    "PMIX_RANK": "3",
    "PMIX_NAMESPACE": "prterun-vm-2310@1",
}
INDEXED_JOB = {
    "KUBERNETES_SERVICE_HOST": "10.0.0.1",
    "JOB_COMPLETION_INDEX": "2",
    "HOSTNAME": "train-2",
    "JOB_SERVICE": "peers",
    "OLYMPUS_NUM_PROCESSES": "4",
}
TORCHRUN = {
    "RANK": "3",
    "WORLD_SIZE": "4",
    "LOCAL_RANK": "1",
    "GROUP_RANK": "1",
    "MASTER_ADDR": "head",
    "MASTER_PORT": "29500",
    "TORCHELASTIC_RUN_ID": "none",
    "TORCHELASTIC_RESTART_COUNT": "0",
}
TPU = {"TPU_WORKER_ID": "1", "TPU_WORKER_HOSTNAMES": "t1v-0,t1v-1", "TPU_SKIP_MDS_QUERY": "1"}


@pytest.mark.parametrize(
    ("environ", "name", "address", "process", "count", "local"),
    [
        (LAUNCHED, "environment", "localhost:4711", 2, 4, 2),
        (SRUN, "slurm", "gpu003:62924", 5, 8, 1),
        (TORCHRUN, "torchrun", "head:29515", 3, 4, 1),
        # torchrun in every task of a step
        ({**SRUN, **TORCHRUN}, "torchrun", "head:29515", 3, 4, 1),
        (HYDRA, "mpiexec", None, 1, 2, 1),
        (OPEN_MPI, "mpiexec", None, 3, 4, 3),
        (INDEXED_JOB, "kubernetes", "train-0.peers:8476", 2, 4, None),
        (TPU, "tpu", "t1v-0:8476", 1, 2, None),
        ({**SRUN, **LAUNCHED}, "environment", "localhost:4711", 2, 4, 2),
        ({**HYDRA, "OLYMPUS_COORDINATOR_ADDRESS": "head:1"}, "mpiexec", "head:1", 1, 2, 1),
        ({**SRUN, "PMI_RANK": "5", "PMI_SIZE": "8"}, "slurm", "gpu003:62924", 5, 8, 1),
        # what an mpiexec has left that started another process
        ({**SRUN, "PMI_RANK": "0", "PMI_SIZE": "2", "PMI_FD": "1000000"}, "slurm", "gpu003:62924", 5, 8, 1),
        # hydra's helpers are the step's tasks
        ({**SRUN, "SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "0", **HYDRA}, "mpiexec", None, 1, 2, 1),
        (
            {
                "KUBERNETES_SERVICE_HOST": "10.0.0.1",
                "JOB_COMPLETION_INDEX": "1",
                "JOB_INDEX": "2",
                "JOBSET_NAME": "set",
                "REPLICATED_JOB_NAME": "slice",
                "PROCESSES_IN_JOB": "4",
                "JOBSET_REPLICAS": "3",
            },
            "kubernetes",
            "set-slice-0-0.set:8476",
            9,
            12,
            None,
        ),
        (
            {
                **TPU,
                "MEGASCALE_NUM_SLICES": "2",
                "MEGASCALE_SLICE_ID": "1",
                "MEGASCALE_COORDINATOR_ADDRESS": "first-slice:8080",
            },
            "tpu",
            "first-slice:8476",
            3,
            4,
            None,
        ),
    ],
)
def test_captured_environment(
    environ: Mapping[str, str], name: str, address: str | None, process: int, count: int, local: int | None
) -> None:
    found = detect(environ)
    assert found is not None
    assert (found.name, found.coordinator_address, found.process_id, found.num_processes, found.local_index) == (
        name,
        address,
        process,
        count,
        local,
    )
    assert [line.split(":")[0] for line in found.evidence] == list(METHODS)
    assert sum(": used: " in line for line in found.evidence) == 1
    assert any(line.startswith(f"{name}: used: ") for line in found.evidence)


def test_processes_of_one_step_agree_on_name_and_ports() -> None:
    first, last = (detect({**SRUN, "SLURM_PROCID": process}) for process in "07")
    assert first is not None and last is not None
    assert (first.job, first.ports) == (last.job, last.ports)
    assert first.job == "slurm-8675309-0"
    assert first.coordinator_address == f"gpu003:{first.ports[0]}"
    assert len(set(first.ports)) == len(first.ports) == 16 and all(61440 <= port < 65536 for port in first.ports)


@pytest.mark.parametrize("pair", [(("30", "1"), ("61", "0")), (("8", "1"), ("81", "0")), (("1", "11"), ("11", "1"))])
def test_steps_of_jobs_differ_in_name_and_first_port(pair: tuple[tuple[str, str], ...]) -> None:
    found = [detect({**SRUN, "SLURM_JOB_ID": job, "SLURM_STEP_ID": step}) for job, step in pair]
    assert len({f.job for f in found if f}) == len({f.ports[0] for f in found if f}) == 2


def test_the_parts_of_a_heterogeneous_step_are_one_job() -> None:
    # As Slurm 22.05 sets them: the step's are those of the whole.
    whole = {"SLURM_JOB_ID": "3", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "4", "SLURM_STEP_NODELIST": "n[1-2]",
             "SLURM_HET_SIZE": "2", "SLURM_JOB_ID_HET_GROUP_0": "3", "SLURM_JOB_ID_HET_GROUP_1": "4"}
    found = [detect({**whole, "SLURM_PROCID": str(process), "SLURM_STEP_LAUNCHER_PORT": port})
             for process, port in ((0, "40539"), (3, "42597"))]
    assert [f and (f.process_id, f.num_processes, f.job) for f in found] == [
        (0, 4, "slurm-3-0"), (3, 4, "slurm-3-0")]
    assert len({f.ports for f in found if f}) == 1


def test_ports_that_the_user_allows_are_the_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    from olympus_core.config import config

    with monkeypatch.context():
        config.update("olympus_ports", "9000-9003,9100")
        try:
            found = detect(SRUN)
        finally:
            config.update("olympus_ports", None)
    assert found is not None and sorted(found.ports) == [9000, 9001, 9002, 9003, 9100]


def test_torchruns_own_port_is_left_alone() -> None:
    for port in ("29500", "65530"):
        found = detect({**TORCHRUN, "MASTER_PORT": port})
        assert found is not None and int(port) not in found.ports and max(found.ports) < 65536
    again = detect({**TORCHRUN, "TORCHELASTIC_RESTART_COUNT": "1"})
    assert found is not None and again is not None and again.job != found.job


def test_open_mpi_tells_where_process_0_is_if_mpi_cannot() -> None:
    orte = {**OPEN_MPI, "OMPI_COMM_WORLD_LOCAL_SIZE": "2", "PMIX_NAMESPACE": "838795265"}
    uris = {
        "838795264.0;tcp://192.0.2.2,10.0.0.1:42441;tcp6://[fd00::2]:38219": "192.0.2.2",
        "838795264.0;tcp6://[fd00::2,fd00::3]:38219": "[fd00::2]",
    }
    for uri, machine in uris.items():
        found = detect({**orte, "OMPI_MCA_orte_hnp_uri": uri})
        assert found is not None and found.other_address == f"{machine}:{found.ports[0]}"
    found = detect(OPEN_MPI)  # all on one machine
    assert found is not None and found.other_address == f"127.0.0.1:{found.ports[0]}"
    found = detect({**OPEN_MPI, "OMPI_COMM_WORLD_LOCAL_SIZE": "2"})  # prterun-vm-2310@1
    assert found is not None and found.other_address == f"vm:{found.ports[0]}"
    assert found.job == "mpiexec-prterun-vm-2310-1"


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        (SALLOC, "SLURM_JOB_ID=8675309 SLURM_NTASKS=8 but no SLURM_STEP_ID: not a step started by srun"),
        ({"SLURM_JOB_ID": "1", "SLURM_JOB_NUM_NODES": "2", "SLURM_PROCID": "0"}, "not a step started by srun"),
        ({k: v for k, v in SRUN.items() if k != "SLURM_PROCID"}, "no SLURM_PROCID"),
        ({"OLYMPUS_PROCESS_ID": "1"}, "OLYMPUS_NUM_PROCESSES is not set to a number"),
        ({"OLYMPUS_COORDINATOR_ADDRESS": "a:1"}, "OLYMPUS_PROCESS_ID and OLYMPUS_NUM_PROCESSES are not set"),
        ({**LAUNCHED, "OLYMPUS_PROCESS_ID": "two"}, "OLYMPUS_PROCESS_ID is not set to a number"),
        ({"RANK": "1", "WORLD_SIZE": "2"}, "MASTER_ADDR and MASTER_PORT are not set"),
        ({**TORCHRUN, "MASTER_PORT": "none"}, "MASTER_PORT is not set, or to no number"),
        ({"MASTER_ADDR": "a", "MASTER_PORT": "1"}, "RANK and WORLD_SIZE are not set"),
        ({"PMI_RANK": "1"}, "PMI_RANK=1 without its pair"),
        ({"PMI_RANK": "1", "PMI_SIZE": "2"}, "neither PMI_FD nor PMI_PORT is no open connection"),
        ({"PMI_RANK": "1", "PMI_SIZE": "2", "PMI_FD": "1000000"}, "PMI_FD=1000000 is no open connection"),
        ({"OMPI_COMM_WORLD_SIZE": "2"}, "OMPI_COMM_WORLD_SIZE=2 without its pair"),
        ({"PMIX_RANK": "1"}, "does not tell the number of processes"),
        ({"TPU_WORKER_ID": "0"}, "no TPU_WORKER_HOSTNAMES"),
    ],
)
def test_what_looks_like_a_launcher_and_cannot_be_used_is_an_error(environ: Mapping[str, str], words: str) -> None:
    assert detect(environ) is None
    assert any(words in line and "not used" in line for line in evidence(environ))
    with pytest.raises(IncompleteLauncherError) as caught:
        connect(environ=environ)
    assert words in str(caught.value)
    assert "initialize(cluster_detection_method='none')" in str(caught.value)
    assert caught.value.missing
    # Who says so runs alone.
    assert connect(environ=environ, detection_method="none") is None
    assert connect("localhost:1", 1, 0, environ=environ) is None


@pytest.mark.parametrize(
    "environ",
    [
        {"SLURM_JOB_ID": "1", "SLURM_NTASKS": "1", "SLURM_PROCID": "0"},
        {"SLURM_JOB_ID": "1"},
        {**SRUN, "SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"},
        {"OLYMPUS_NUM_PROCESSES": "1"},
        {"PMI_RANK": "0", "PMI_SIZE": "1", "PMI_FD": "1000000"},
        {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"},
        {"WORLD_SIZE": "1", "RANK": "0"},
    ],
)
def test_a_launcher_of_one_process_is_none(environ: Mapping[str, str]) -> None:
    assert connect(environ=environ) is None


ADDRESS, COUNT, INDEX = "OLYMPUS_COORDINATOR_ADDRESS", "OLYMPUS_NUM_PROCESSES", "OLYMPUS_PROCESS_ID"


@pytest.mark.parametrize("variables", [(), (ADDRESS,), (COUNT,), (INDEX,), (ADDRESS, COUNT), (ADDRESS, INDEX),
                                       (COUNT, INDEX), (ADDRESS, COUNT, INDEX)])
def test_arguments_complete_variables(variables: tuple[str, ...]) -> None:
    # Process 2 of 2 is refused before anything is dialled: what is refused shows that all three were known.
    values = {ADDRESS: "localhost:1", COUNT: "2", INDEX: "2"}
    arguments = {ADDRESS: "localhost:1", COUNT: 2, INDEX: 2}
    names = {ADDRESS: "coordinator_address", COUNT: "num_processes", INDEX: "process_id"}
    given = {names[name]: arguments[name] for name in arguments if name not in variables}
    environ = {name: values[name] for name in variables}
    with pytest.raises(SizeMismatchError, match="there is no process 2 among 2"):
        connect(**given, environ=environ)
    for name in given:
        rest = {n: v for n, v in given.items() if n != name}
        if not rest and not variables:
            continue
        with pytest.raises(IncompleteClusterError) as caught:
            connect(**rest, environ=environ)
        assert caught.value.missing == (name,)


def test_an_argument_completes_a_launcher() -> None:
    half = {"RANK": "2", "WORLD_SIZE": "2"}
    with pytest.raises(SizeMismatchError, match="there is no process 2 among 2"):
        connect("localhost:1", environ=half)
    pod = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "JOB_COMPLETION_INDEX": "4", "HOSTNAME": "train-4"}
    with pytest.raises(SizeMismatchError, match="there is no process 4 among 4"):
        connect("localhost:1", num_processes=4, environ=pod)


@pytest.fixture
def open_socket() -> Iterator[socket.socket]:
    left, right = socket.socketpair()
    with left, right:
        yield left


def test_an_open_connection_to_mpiexec_is_its_process(open_socket: socket.socket) -> None:
    environ = {"PMI_RANK": "1", "PMI_SIZE": "2", "PMI_FD": str(open_socket.fileno())}
    assert recognise(environ).problems == ()
    open_socket.close()
    ((problem, what_to_do),) = recognise(environ).problems
    assert "is no open connection" in problem and "mpiexec" in what_to_do


def test_a_pod_of_no_indexed_job_is_alone() -> None:
    assert connect(environ={"KUBERNETES_SERVICE_HOST": "10.0.0.1", "HOSTNAME": "web-7f9-abc"}) is None


def test_no_evidence_is_a_single_process() -> None:
    assert detect({}) is None
    assert connect(environ={}) is None
    assert connect("localhost:10000", 1, 0, environ={}) is None
    assert all("not used" in line for line in evidence({}))


def test_method_can_be_chosen_or_switched_off() -> None:
    both = {**OPEN_MPI, **TPU}
    assert detect(both).name == "mpiexec"
    assert detect(both, "tpu").name == "tpu"
    assert detect(both, "none") is None
    assert connect(environ=both, detection_method="none") is None
    with pytest.raises(UnknownDetectionMethodError, match="Did you mean 'slurm'") as caught:
        detect({}, "slrum")
    assert caught.value.nearest == "slurm"


def test_running_alone_under_a_launcher_is_an_error() -> None:
    with pytest.raises(LauncherMismatchError, match="environment started 4 processes") as caught:
        connect("localhost:1", 1, 0, environ=LAUNCHED)
    assert "OLYMPUS_NUM_PROCESSES=4" in str(caught.value)


def test_incomplete_arguments_name_what_is_missing() -> None:
    with pytest.raises(IncompleteClusterError) as caught:
        connect("localhost:1", environ=SALLOC)
    assert caught.value.missing == ("num_processes", "process_id")
    assert "no SLURM_STEP_ID" in str(caught.value)
    with pytest.raises(IncompleteClusterError) as caught:
        connect(num_processes=2, process_id=1, environ={})
    assert caught.value.missing == ("coordinator_address",)


@pytest.mark.parametrize(
    ("nodes", "first"),
    [
        ("node", "node"),
        ("node1,node2", "node1"),
        ("gpu[003-005,7],login", "gpu003"),
        ("rack[2,3]-node[01-02],x", "rack2-node01"),
        ("a[7]", "a7"),
    ],
)
def test_first_node_of_a_list(nodes: str, first: str) -> None:
    assert first_node(nodes) == first
