# SPDX-License-Identifier: Apache-2.0
"""Jobs over networks of this machine: no default route, names that mean nothing, several networks, filtered ports."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from tests.support import networks
from tests.support.networks import Networks
from tests.support.processes import Finished, Processes

pytestmark = [
    pytest.mark.slow, pytest.mark.processes,
    pytest.mark.skipif(not networks.are_allowed(), reason="networks cannot be made here"),
]

_ADDRESSES = """
import sys
from olympus_core.errors import NoAddressError
from olympus_core.network import own_addresses
for towards in (None, *sys.argv[1:]):
    try:
        print(own_addresses(towards))
    except NoAddressError as error:
        print(type(error).__name__, error)
"""


def _python(hosts: Networks, host: int, program: str, *arguments: object, **env: str) -> str:
    with Processes(30) as processes:
        processes.start([*hosts.machine(host), sys.executable, "-c", program], *arguments, env=env)
        (end,) = processes.wait()
    assert end.returncode == 0, end.stderr
    return end.stdout


def test_the_address_without_a_default_route_and_with_names_that_mean_nothing() -> None:
    with Networks(2, 2) as hosts:
        # By no route, by a name that nobody knows, by one that means this machine, by the route to the other host.
        told = _python(hosts, 1, _ADDRESSES, "no.such.name.invalid", "127.0.1.1", hosts.address(0, 1))
        one, other = "10.77.5.2", "10.77.6.2"
        assert told.splitlines() == [str([one, other])] * 3 + [str([other, one])]
        chosen = _python(hosts, 1, _ADDRESSES, hosts.address(0), OLYMPUS_NETWORK="10.99.0.0/16,10.77.6.0/24")
        assert chosen.splitlines() == [str([other])] * 2
        refused = _python(hosts, 1, _ADDRESSES, OLYMPUS_NETWORK="eth7")
        assert "NoAddressError This machine has no address in the network eth7" in refused


# In the place of ssh: the hosts are numbers, which no name service knows.
_SSH = """\
#!/bin/sh
while [ $# -gt 2 ]; do shift; done
case "$1" in {cases} esac
"""
_SUM = """
import olympus as ol
import olympus.numpy as np
from olympus.experimental import multihost_utils
ol.distributed.initialize()
everybody = multihost_utils.process_allgather(np.arange(3.0) + ol.process_index())
print("sum", everybody.sum())
import os
print("coordinator", os.environ["OLYMPUS_COORDINATOR_ADDRESS"])
ol.distributed.shutdown()
"""


def _launch(hosts: Networks, folder: Path, program: str, *options: object, **env: str) -> Finished:
    cases = " ".join(f'{h}) exec {" ".join(hosts.command(h))} unshare --uts sh -c "echo host{h} > '
                     f'/proc/sys/kernel/hostname; $2";;' for h in range(2))
    ssh = folder / "ssh"
    ssh.write_text(_SSH.replace("{cases}", cases))
    ssh.chmod(0o755)
    path = folder / "program.py"
    path.write_text(textwrap.dedent(program))
    with Processes(60) as processes:
        command = [sys.executable, "-m", "olympus", "launch", "-n", "2", "--hosts", "0,1", "--ssh", str(ssh)]
        processes.start([*command, *map(str, options), str(path)], env={"OLYMPUS_CPU_TRANSPORT": "tcp", **env})
        (finished,) = processes.wait()
    return finished


@pytest.mark.parametrize(
    ("cut", "network", "coordinator"), [(1, "", "10.77.5.1:2000"), (0, "wire1", "10.77.6.1:2000"),
                                        (0, "10.77.6.0/24", "10.77.6.1:2000")])
def test_a_job_of_two_hosts_where_one_of_two_networks_passes(
    tmp_path: Path, cut: int, network: str, coordinator: str
) -> None:
    with Networks(2, 2) as hosts:
        hosts.cut(cut)
        end = _launch(hosts, tmp_path, _SUM, OLYMPUS_PORTS="2000-2003", OLYMPUS_NETWORK=network)
    assert end.returncode == 0, end.stdout + end.stderr
    assert end.stdout.count("sum 9.0") == 2 and end.stdout.count(f"coordinator {coordinator}") == 2


def test_of_the_addresses_of_a_name_the_one_that_passes_is_taken() -> None:
    program = """
    import socket, sys
    import numpy as np
    known, look_up = {"front": ["10.77.5.1", "10.77.6.1"]}, socket.getaddrinfo

    def getaddrinfo(host, port, *more, **options):
        return [found for ip in known.get(host, [host]) for found in look_up(ip, port, *more, **options)]

    socket.getaddrinfo = getaddrinfo
    import olympus as ol
    from olympus.experimental import multihost_utils
    ol.distributed.initialize("front:8476", 2, int(sys.argv[1]))
    print("sum", multihost_utils.process_allgather(np.arange(3.0)).sum())
    ol.distributed.shutdown()
    """
    with Networks(2, 2) as hosts, Processes(60) as processes:
        hosts.cut(0)
        for index in range(2):
            command = [*hosts.machine(index), sys.executable, "-c", textwrap.dedent(program)]
            processes.start(command, index, env={"OLYMPUS_CPU_TRANSPORT": "tcp"})
        ends = processes.wait()
    assert [(end.returncode, end.stdout) for end in ends] == [(0, "sum 6.0\n")] * 2, ends


def test_a_filtered_data_port_is_an_error_that_names_it(tmp_path: Path) -> None:
    with Networks(2) as hosts:
        hosts.drop(1, 2000)
        end = _launch(hosts, tmp_path, _SUM, OLYMPUS_PORTS="2000", OLYMPUS_CONNECT_TIMEOUT="1")
    assert end.returncode == 1, end.stdout + end.stderr
    assert "10.77.5.2:2000" in end.stderr and end.seconds < 45, end.stderr


def test_a_filtered_coordinator_is_named_when_the_time_to_join_is_over() -> None:
    program = """
    import sys
    from olympus_core.cluster import connect
    connect(sys.argv[2], 2, int(sys.argv[1]), timeout=3.0)
    """
    with Networks(2) as hosts, Processes(40) as processes:
        hosts.drop(0, 8476)
        for index in range(2):
            command = [*hosts.machine(index), sys.executable, "-c", textwrap.dedent(program)]
            processes.start(command, index, f"{hosts.address(0)}:8476")
        ends = processes.wait()
    assert "The coordinator at 10.77.5.1:8476 was not reached" in ends[1].stderr, ends[1].stderr
    assert "a firewall drops what is sent to port 8476" in ends[1].stderr
    assert "1/2 processes joined" in ends[0].stderr
