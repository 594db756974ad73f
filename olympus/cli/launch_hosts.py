# SPDX-License-Identifier: Apache-2.0
"""The hosts of `olympus launch`: what --hosts and --hostfile say, and which process runs where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from olympus_core.errors.network import MachineListError

# A hostfile's words after the host: Open MPI's and Intel's; others are refused, since they would change something.
_SLOTS = re.compile(r"(?:slots|max[-_]slots|cpu|np)=(\d+)")
_BRACKETS = re.compile(r"^([^\[]*)\[([^\]]*)\](.*)$")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


class Host(NamedTuple):
    """A machine that processes are started on.

    Args:
        name: What ssh is given: a name, an address, ``user@name``.
        slots: Processes that it takes; None where that is not said.
    """

    name: str
    slots: int | None

    @property
    def address(self) -> str:
        """The name without a user."""
        return self.name.rpartition("@")[2]


class HostSlot(NamedTuple):
    """Where a process runs.

    Args:
        host: The host.
        local: Its index among the processes of this host.
    """

    host: Host
    local: int


def parse_hosts(text: str) -> list[Host]:
    """The hosts of a list such as ``a,b:4,node[01-04]``.

    Args:
        text: Names separated by commas; ``:4`` says how many processes one takes, ``[01-04]`` stands for several.

    Example:
        >>> parse_hosts("a:2,node[08-10]")
        [Host(name='a', slots=2), Host(name='node08', slots=None), Host(name='node09', slots=None), \
Host(name='node10', slots=None)]
    """
    return _merged(host for part in _split(text) for host in _read(part, text))


def read_hostfile(path: str) -> list[Host]:
    """The hosts of a file: one in each line as MPI and Slurm write them, ``host``, ``host slots=4``, ``host:4``.

    Args:
        path: The file; what follows a # is a comment, and a host that stands there twice takes the slots of both.

    Raises:
        MachineListError: If it cannot be read, or a line cannot.
    """
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.partition("#")[0].split() for line in file]
    except (OSError, UnicodeDecodeError) as error:
        raise MachineListError(path, f"the file cannot be read ({getattr(error, 'strerror', None) or error})") from None
    found: list[Host] = []
    for number, words in enumerate(lines, 1):
        if not words:
            continue
        where = f"{path}, line {number}"
        name, *more = words
        slots: int | None = None
        for word in more:
            match = _SLOTS.fullmatch(word)
            if match is None:
                raise MachineListError(where, f"{word!r} is not understood")
            slots = int(match[1]) if slots is None else min(slots, int(match[1]))
        for host in (h for part in _split(name) for h in _read(part, where)):
            # A line for each process is how Slurm lists hosts: a host of three lines takes three.
            found.append(host if slots is None else Host(host.name, slots))
    if not found:
        raise MachineListError(path, "there is no host in it")
    return _merged(found)


def assign(hosts: Sequence[Host], count: int | None) -> list[HostSlot]:
    """Which process runs where: the first on the first host.

    Args:
        hosts: The hosts. Where any has slots all have, one by default, and they are filled in order; otherwise the
            processes are spread evenly, neighbours on the same host.
        count: How many processes; None for as many as there are slots, or hosts.

    Raises:
        MachineListError: If there are too few slots.

    Example:
        >>> [place.host.name for place in assign(parse_hosts("a,b,c"), 5)]
        ['a', 'a', 'b', 'b', 'c']
    """
    if any(host.slots is not None for host in hosts):
        slots = [host.slots or 1 for host in hosts]
        if count is not None and count > sum(slots):
            said = ", ".join(f"{host.name}:{n}" for host, n in zip(hosts, slots, strict=True))
            raise MachineListError(said, f"they have {sum(slots)} slots, and there are {count} processes")
    else:
        each, more = divmod(len(hosts) if count is None else count, len(hosts))
        slots = [each + (index < more) for index in range(len(hosts))]
    places = [HostSlot(host, local) for host, n in zip(hosts, slots, strict=True) for local in range(n)]
    return places if count is None else places[:count]


def _split(text: str) -> list[str]:
    """At commas outside of brackets."""
    return [part for part in re.split(r",(?![^\[]*\])", text) if part]


def _read(part: str, where: str) -> Iterator[Host]:
    """The hosts of one word: ``host``, ``host:4``, ``[::1]:4``, ``node[01-04]``."""
    name, slots = part.strip(), None
    match = re.fullmatch(r"(\[[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\]|[^:]*):(\d+)", name)
    if match is not None:
        name, slots = match[1], int(match[2])
        if slots < 1:
            raise MachineListError(where, f"{part!r} has no slots")
    if name.startswith("[") and ":" in name:
        name = name.strip("[]")
    # ssh would take a name with a dash in front for an option of its own.
    if not name or name.startswith("-") or any(c.isspace() for c in name):
        raise MachineListError(where, f"{part!r} is no host")
    for expanded in _expanded(name, where):
        yield Host(expanded, slots)


def _expanded(name: str, where: str) -> Iterator[str]:
    match = _BRACKETS.match(name)
    if match is None:
        yield name
        return
    before, inside, after = match.groups()
    for part in inside.split(","):
        numbers = _RANGE.fullmatch(part)
        if numbers is None:
            raise MachineListError(where, f"{part!r} in {name!r} is no number and no range of numbers")
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if not first <= last < first + 100_000:
            raise MachineListError(where, f"{part!r} in {name!r} is no range of numbers")
        for number in range(first, last + 1):
            yield from _expanded(f"{before}{number:0{len(numbers[1])}d}{after}", where)


def _merged(hosts: Iterator[Host] | Sequence[Host]) -> list[Host]:
    """Each host once, in the order of its first mention, with the slots of all mentions."""
    found: dict[str, Host] = {}
    for host in hosts:
        before = found.get(host.name)
        found[host.name] = host if before is None else Host(host.name, (before.slots or 1) + (host.slots or 1))
    if not found:
        raise MachineListError("--hosts", "there is no host in it")
    return list(found.values())
