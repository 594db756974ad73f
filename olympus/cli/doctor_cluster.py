# SPDX-License-Identifier: Apache-2.0
"""`olympus doctor --cluster`, run in all processes of a job: who reaches whom, at which address and port, how well."""

from __future__ import annotations

import argparse
import concurrent.futures
import platform
import socket
import textwrap
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from olympus_core.cluster.addresses import Address, dial, listen, parse_address
from olympus_core.cluster.bootstrap import inherited_listener
from olympus_core.cluster.detect import recognise
from olympus_core.cluster.dial_warnings import explain
from olympus_core.cluster.mpi_address import agree_on_address
from olympus_core.cluster.secret import Secret, Secrets
from olympus_core.config import config
from olympus_core.errors.base import OlympusError
from olympus_core.errors.joining import IncompleteClusterError
from olympus_core.network import bind_port, own_addresses, own_interfaces
from olympus_core.plugin.version import DISTRIBUTION

from .cluster_probe import ANSWER_TIME, Path, ProbeError, Server, Talk, close, open_talk, probe

# The whole takes about 20 s, whatever is filtered: for all to come, for probes, for their results.
_PROBE_TIME = 8.0
_PAUSE = 0.2
_AT_ONCE = 8
# Others that a process tries, those that follow it: all pairs of a thousand would take too long.
_MOST_TRIED = 64
_MOST_ADDRESSES = 3
_CLOCKS_APART = 1.0
_COMPARED = (DISTRIBUTION, "numpy", "mpi4py", "mpich")


def run(args: argparse.Namespace) -> int:
    """Prints the report; the result is 1 where something is wrong."""
    role = _Role(args)
    print(f"This is process {role.index} of {role.count} on {platform.node()}; the coordinator is {role.address}.")
    for interface in own_interfaces():
        print(f"  interface {interface}")
    problems = list(_Check(role, args.wait).run())
    print("Problems" if problems else f"No problem is seen by process {role.index}.")
    for problem in problems:
        print(textwrap.indent(problem, "  "))
    return 1 if problems else 0


class _Role:
    """What this process is in its job, by the command line and by detection as `initialize` does it."""

    def __init__(self, args: argparse.Namespace) -> None:
        seen = recognise(config.environment, config.cluster_detection_method)
        found = seen.detection
        address = args.coordinator or (found.coordinator_address if found else None)
        count = args.num_processes or (found.num_processes if found else None)
        index = args.process_id if args.process_id is not None else (found.process_id if found else None)
        self.listener: socket.socket | None = None
        from_mpi: bytes | None = None
        if address is None and found is not None and found.is_mpi and count is not None and index is not None:
            told = agree_on_address(found, index, count, args.wait)
            address = found.other_address if told is None else told.address
            self.listener, from_mpi = (None, None) if told is None else (told.listener, told.secret)
        known = {"coordinator_address": address, "num_processes": count, "process_id": index}
        if address is None or count is None or index is None:
            raise IncompleteClusterError(
                {name: value for name, value in known.items() if value is not None},
                [name for name, value in known.items() if value is None],
                seen.evidence,
            )
        self.index, self.count, self.address = index, count, parse_address(address)
        self._secrets = Secrets(config.environment, found, self.address, from_mpi, config.secret_file)

    def secret(self, sealed: bytes) -> bytes:
        """The job's secret, by what process 0 has told."""
        return self._secrets.of_member(sealed).value

    def own_secret(self) -> Secret:
        """Process 0's."""
        return self._secrets.of_coordinator()


class _Check:
    """One process's part of the check.

    Args:
        role: What it is.
        wait: Seconds for the others to come.
    """

    def __init__(self, role: _Role, wait: float) -> None:
        self._role, self._wait = role, wait
        self._started = time.monotonic()
        self._facts: dict[int, dict[str, Any]] = {}
        self._results: dict[int, list[Path]] = {}
        self._changed = threading.Condition()
        self._is_complete = self._is_over = False
        self._conversations = 0

    def run(self) -> Iterator[str]:
        """Does it all; gives the problems."""
        try:
            mine = self._addresses()
        except OlympusError as error:
            yield str(error)
            return
        if self._role.index == 0:
            yield from self._coordinate(mine)
        else:
            yield from self._take_part(mine)

    def _addresses(self) -> list[str]:
        """Under which this machine may be reached."""
        address = self._role.address
        if address.is_loopback:
            return ["127.0.0.1"]
        return own_addresses(address.host if self._role.index else None)[:_MOST_ADDRESSES]

    def _own_facts(self, addresses: Sequence[str], port: int) -> dict[str, Any]:
        return {
            "process": self._role.index, "name": platform.node(), "addresses": list(addresses), "port": port,
            "versions": _versions(),
        }

    def _coordinate(self, mine: Sequence[str]) -> Iterator[str]:
        role = self._role
        secret = role.own_secret()
        try:
            inherited = inherited_listener(config.environment, role.address)  # olympus launch's
            listener = role.listener or inherited or listen(role.address, None)
        except OlympusError as error:
            yield str(error)
            return
        server = Server(listener, secret.value, secret.sealed, self._on_hello)
        host, port = listener.getsockname()[:2]
        facts = self._own_facts(mine if host in ("::", "0.0.0.0") else [host], port)
        with self._changed:
            self._facts[0] = facts
            self._changed.wait_for(lambda: len(self._facts) == role.count, self._wait)
            self._is_complete = True
            self._changed.notify_all()
        self._results[0] = self._probe_all(self._facts, secret.value)
        with self._changed:
            left = self._started + self._wait + _PROBE_TIME + ANSWER_TIME - time.monotonic()
            self._changed.wait_for(lambda: self._results.keys() >= self._facts.keys(), max(1.0, left))
            self._is_over = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._conversations, ANSWER_TIME)  # all have heard that it is over
        close(listener)
        yield from self._report()
        for line in dict.fromkeys(server.turned_away):
            yield f"Somebody at {line}."

    def _on_hello(self, body: Mapping[str, Any], talk: Talk) -> None:
        """Serves another process: takes its facts, tells it all, takes its results."""
        process = body.get("process")
        if not isinstance(process, int) or not 0 < process < self._role.count:
            return
        with self._changed:
            self._conversations += 1
        try:
            self._converse(process, body, talk)
        finally:
            with self._changed:
                self._conversations -= 1
                self._changed.notify_all()

    def _converse(self, process: int, body: Mapping[str, Any], talk: Talk) -> None:
        talk.say({"time": time.time()})
        with self._changed:
            self._facts.setdefault(process, dict(body))
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_complete, self._wait)
            talk.say({"facts": {str(index): facts for index, facts in self._facts.items()}})
        talk.sock.settimeout(_PROBE_TIME + ANSWER_TIME)
        paths = talk.hear().get("paths")
        if isinstance(paths, list):
            with self._changed:
                self._results[process] = [Path(**path) for path in paths]
                self._changed.notify_all()
                # Until all have told what they found, each is still tried by others.
                self._changed.wait_for(lambda: self._is_over, _PROBE_TIME + ANSWER_TIME)
            talk.say({"over": True})

    def _take_part(self, mine: Sequence[str]) -> Iterator[str]:
        role = self._role
        listener = bind_port("127.0.0.1" if role.address.is_loopback else "")
        try:
            talk = self._reach()
            if isinstance(talk, str):
                yield talk
                return
            with talk.sock:
                key = role.secret(talk.sealed)
                Server(listener, key, b"")
                before = time.time()
                talk.say({"kind": "hello", **self._own_facts(mine, listener.getsockname()[1])})
                clock = float(talk.hear()["time"]) - (before + time.time()) / 2
                print(f"  the coordinator answers; its clock is {clock * 1000:+.0f} ms ahead")
                talk.sock.settimeout(self._wait + ANSWER_TIME)
                facts = {int(index): known for index, known in talk.hear()["facts"].items()}
                paths = self._probe_all(facts, key)
                _show(role.index, paths)
                yield from self._judge(role.index, paths, facts)
                talk.say({"paths": [path.to_message() for path in paths]})
                talk.sock.settimeout(_PROBE_TIME + 2 * ANSWER_TIME)
                talk.hear()
        except (OSError, ProbeError, KeyError, TypeError, ValueError) as error:
            text = "it answers no more" if isinstance(error, TimeoutError) else str(error)
            yield f"The conversation with the coordinator at {role.address} broke off: {text}."
        finally:
            close(listener)

    def _reach(self) -> Talk | str:
        """A conversation with process 0; in words why there is none."""
        role = self._role
        while True:
            left = self._wait - (time.monotonic() - self._started)
            result = dial(role.address, max(0.5, min(5.0, left)))
            if result.sock is not None:
                host, port = result.sock.getpeername()[:2]
                result.sock.close()
                try:
                    return open_talk(host, port, role.secret)
                except (OSError, ProbeError) as error:
                    return f"At {role.address} something listens that is no doctor ({error}); a job may run there."
            if time.monotonic() - self._started > self._wait - _PAUSE:
                return (
                    f"The coordinator at {role.address} was not reached in {self._wait:g} s ({result.names}; "
                    f"{result.outcome}): {explain(role.address, result)}.")
            time.sleep(_PAUSE)

    def _probe_all(self, facts: Mapping[int, Mapping[str, Any]], key: bytes) -> list[Path]:
        """Tries all addresses of the others, several at once, those that follow this one first."""
        deadline = time.monotonic() + _PROBE_TIME
        own = self._role.index
        order = sorted(facts, key=lambda process: (process - own) % self._role.count)[1 : 1 + _MOST_TRIED]
        tried = [(p, str(a), int(facts[p]["port"])) for p in order for a in facts[p]["addresses"]]
        pool = concurrent.futures.ThreadPoolExecutor(_AT_ONCE)
        running = [(p, a, port, pool.submit(probe, p, a, port, key)) for p, a, port in tried]
        paths = []
        for process, address, port, future in running:
            try:
                paths.append(future.result(max(0.0, deadline - time.monotonic())))
            except concurrent.futures.TimeoutError:
                paths.append(Path(process, str(Address(address, port)), "not tried: there was no time left"))
        pool.shutdown(wait=False, cancel_futures=True)
        return paths

    def _judge(self, own: int, paths: Sequence[Path], facts: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
        """What is wrong with one process's paths: a process is reached where one of its addresses is."""
        for process in dict.fromkeys(path.process for path in paths):
            those = [path for path in paths if path.process == process]
            good = [path for path in those if path.problem is None]
            for path in those:
                if not good:
                    name = facts[process].get("name")
                    yield f"Process {own} does not reach process {process} ({name}) at {path.address}: {path.problem}."
            bad = [f"{path.address} ({path.problem})" for path in those if path.problem is not None]
            if good and those[0].problem is not None:
                yield (
                    f"Process {own} reaches process {process} at {good[0].address} and not at {', '.join(bad)}: "
                    f"set OLYMPUS_NETWORK to the network of {good[0].address.rpartition(':')[0]}.")
            clock = good[0].clock if good else None
            if clock is not None and abs(clock) > _CLOCKS_APART:
                yield f"The clocks of processes {own} and {process} are {abs(clock):.1f} s apart."

    def _report(self) -> Iterator[str]:
        """Prints the matrix, in process 0; gives all problems."""
        for index, facts in sorted(self._facts.items()):
            print(f"  process {index}: {facts.get('name')}, {', '.join(facts['addresses'])}, port {facts['port']}")
        print("Who reaches whom: address and port, latency, bandwidth")
        for own, paths in sorted(self._results.items()):
            _show(own, paths)
        absent = [index for index in range(self._role.count) if index not in self._facts]
        if absent:
            yield (
                f"Processes {absent} did not come in {self._wait:g} s: not started, or they cannot reach "
                f"{self._role.address}; see what they print.")
        for index in sorted(self._facts.keys() - self._results.keys()):
            yield f"Process {index} came, and did not tell what it has found: see what it prints."
        for own, paths in sorted(self._results.items()):
            yield from self._judge(own, paths, self._facts)
        for name, text in _versions().items():
            others: dict[str, list[int]] = {}
            for index, facts in sorted(self._facts.items()):
                others.setdefault(str(facts.get("versions", {}).get(name)), []).append(index)
            if len(others) > 1:
                told = "; ".join(f"{version} in processes {indices}" for version, indices in others.items())
                yield f"The versions of {name} differ: {told} (process 0 has {text})."


def _show(own: int, paths: Sequence[Path]) -> None:
    """Prints a row for each address that a process has tried."""
    for path in paths:
        how = "NOT REACHED" if path.latency is None else f"{path.latency * 1000:8.3f} ms"
        how += "" if path.bandwidth is None else f" {path.bandwidth / 1e6:10,.0f} MB/s"
        how += " NOT USABLE" if path.problem is not None and path.latency is not None else ""
        print(f"  {own:>3} -> {path.process:<3} {path.address:<28} {how}")


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {"Python": platform.python_version()}
    for name in _COMPARED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
