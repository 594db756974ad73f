# SPDX-License-Identifier: Apache-2.0
"""Ports that may be listened at, and the address of this machine that others can reach."""

from __future__ import annotations

import errno
import socket

import pytest

from olympus_core.config import Config
from olympus_core.errors import NoAddressError, NoFreePortError, NotOwnAddressError
from olympus_core.network import Interface, bind_port, first_port, interface_of, own_address, own_addresses
from olympus_core.network import interfaces as interfaces_module
from olympus_core.network import ports as ports_module


def _options(monkeypatch: pytest.MonkeyPatch, **environ: str) -> None:
    for module in (interfaces_module, ports_module):
        monkeypatch.setattr(module, "config", Config(environ=environ, arguments=[]))


def _machine(monkeypatch: pytest.MonkeyPatch, *interfaces: str, routes: dict[str, str] | None = None) -> None:
    """A machine with interfaces, `name address/prefix`, with a ! where there is no carrier; and with routes."""
    known = []
    for text in interfaces:
        name, _, address = text.rstrip("!").partition(" ")
        ip, _, prefix = address.partition("/")
        known.append(Interface(name, ip, int(prefix), not text.endswith("!")))
    monkeypatch.setattr(interfaces_module, "_system_interfaces", lambda: known)
    monkeypatch.setattr(interfaces_module, "_route_source", (routes or {}).get)


class TestPorts:
    def test_any_port(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _options(monkeypatch)
        with bind_port("127.0.0.1") as one, bind_port("127.0.0.1") as other:
            assert one.getsockname()[1] != other.getsockname()[1]
        assert first_port() == 8476

    def test_the_next_free_one_of_the_range(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with socket.create_server(("127.0.0.1", 0)) as occupant, socket.create_server(("127.0.0.1", 0)) as other:
            taken, free = occupant.getsockname()[1], other.getsockname()[1]
            other.close()
            _options(monkeypatch, OLYMPUS_PORTS=f"{taken},{free}")
            assert first_port() == taken
            with bind_port("127.0.0.1") as listener:
                assert listener.getsockname()[1] == free
                with pytest.raises(NoFreePortError, match="OLYMPUS_PORTS") as caught:
                    bind_port("127.0.0.1")
        assert f"No port of {taken},{free} is free at 127.0.0.1: Address already in use." in str(caught.value)
        assert "environment variable OLYMPUS_PORTS" in str(caught.value) and isinstance(caught.value, OSError)

    def test_a_range_has_both_its_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tried = []

        def listen(host: str, port: int, backlog: int) -> socket.socket:
            tried.append(port)
            raise OSError(errno.EADDRINUSE if port != 81 else errno.EACCES, "")

        monkeypatch.setattr(ports_module, "listen_at", listen)
        _options(monkeypatch, OLYMPUS_PORTS="80-82, 90")
        with pytest.raises(NoFreePortError):
            bind_port()
        assert tried == [80, 81, 82, 90]

    def test_an_address_of_another_machine(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _options(monkeypatch, OLYMPUS_PORTS="8476-8499")
        with pytest.raises(NotOwnAddressError, match="'203.0.113.7': Cannot assign"):
            bind_port("203.0.113.7")


class TestOwnAddress:
    def test_the_route_to_the_host_then_the_default_route_then_interfaces(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _options(monkeypatch)
        _machine(
            monkeypatch, "lo 127.0.0.1/8", "docker0 172.17.0.1/16", "eth2 10.3.0.1/24!", "eth0 10.1.0.1/24",
            "eth1 10.2.0.1/24", "eth1 fd00::1/64", "eth1 fe80::1/64", "eth3 169.254.1.1/16",
            routes={"10.2.0.9": "10.2.0.1", "192.0.2.1": "10.1.0.1"},
        )
        others = ["eth1", "fd00::1"]
        assert own_addresses("10.2.0.9")[:3] == ["10.2.0.1", "10.1.0.1", others[1]]
        assert own_addresses() == [
            "10.1.0.1", "10.2.0.1", "fd00::1", "169.254.1.1", "172.17.0.1", "10.3.0.1",
        ]
        assert interface_of("10.2.0.1") == "eth1" and interface_of("10.9.9.9") is None

    def test_without_any_route(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _options(monkeypatch)
        _machine(monkeypatch, "lo 127.0.0.1/8", "eth0 10.1.0.1/24")
        assert own_address() == "10.1.0.1"

    def test_never_a_loopback_address(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _options(monkeypatch)
        # As on machines that know their own name as 127.0.1.1.
        _machine(monkeypatch, "lo 127.0.0.1/8", "eth0 10.1.0.1/24", routes={"127.0.1.1": "127.0.0.1"})
        assert own_address("127.0.1.1") == "10.1.0.1"
        _machine(monkeypatch, "lo 127.0.0.1/8", "lo ::1/128", routes={"192.0.2.1": "127.0.0.1"})
        with pytest.raises(NoAddressError, match="no address that other machines could reach") as caught:
            own_address()
        assert "lo 127.0.0.1/8" in str(caught.value)

    @pytest.mark.parametrize(
        ("network", "expected"),
        [
            ("10.2.0.0/16", "10.2.0.1"), ("eth1", "10.2.0.1"), ("192.168.0.0/16,eth0", "10.1.0.1"),
            ("eth1,10.1.0.0/16", "10.2.0.1"), ("fd00::/8", "fd00::1"), ("10.1.0.1", "10.1.0.1"),
        ],
    )
    def test_the_option_comes_first(self, monkeypatch: pytest.MonkeyPatch, network: str, expected: str) -> None:
        _options(monkeypatch, OLYMPUS_NETWORK=network)
        _machine(
            monkeypatch, "eth0 10.1.0.1/24", "eth1 10.2.0.1/24", "eth1 fd00::1/64", routes={"10.1.0.9": "10.1.0.1"}
        )
        assert own_address("10.1.0.9") == expected

    def test_a_network_that_is_not_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _options(monkeypatch, OLYMPUS_NETWORK="10.9.0.0/16,ib0")
        _machine(monkeypatch, "lo 127.0.0.1/8", "eth0 10.1.0.1/24")
        with pytest.raises(NoAddressError, match=r"no address in the network 10.9.0.0/16,ib0") as caught:
            own_address()
        assert "eth0 10.1.0.1/24" in str(caught.value) and "OLYMPUS_NETWORK" in str(caught.value)

    def test_this_machine(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _options(monkeypatch)
        loopback = [i for i in interfaces_module.own_interfaces() if i.address == "127.0.0.1"]
        assert [i.prefix for i in loopback] == [8] and interface_of("127.0.0.1") == loopback[0].name
