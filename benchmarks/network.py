# SPDX-License-Identifier: Apache-2.0
"""What the transports carry between two hosts: ``python -m benchmarks.network``; needs root, ``ip`` and ``tc``.

For each link (rate, round trip, loss) and each transport a block one way, an all-reduce of as many bytes, and one of 4
bytes. The bandwidth is compared with the link's rate, or with what one plain socket carries where that is less.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import NamedTuple

from .namespaces import ADDRESSES, TwoHosts, are_allowed
from .processes import PROGRAMS, environment, free_port

TRANSPORTS = ("tcp", "mpi")
BAR = 0.9  # of the link, where it loses nothing and is near


class Link(NamedTuple):
    """A link between two hosts.

    Args:
        rate: In Mbit/s; None for as much as the machine copies.
        delay: Milliseconds of a round trip.
        loss: Share of the packets that are lost.
        size: Bytes of the block.
    """

    rate: int | None
    delay: int
    loss: float
    size: int

    def __str__(self) -> str:
        rate = "as it comes" if self.rate is None else f"{self.rate} Mbit/s"
        return f"{rate}, {self.delay} ms, {self.loss:.0%}, {self.size >> 20} MiB"


LINKS = (
    Link(400, 0, 0.0, 64 << 20), Link(1000, 0, 0.0, 64 << 20), Link(2500, 0, 0.0, 64 << 20),
    Link(10000, 0, 0.0, 64 << 20), Link(None, 0, 0.0, 64 << 20), Link(None, 20, 0.0, 16 << 20),
    Link(None, 200, 0.0, 16 << 20), Link(None, 200, 0.02, 16 << 20),
)


def measured(link: Link, transport: str, rounds: int, limit: float) -> dict[str, float] | str:
    """Figures of one transport over one link in seconds, or why there are none.

    Args:
        link: The link.
        transport: Name of a transport, or ``plain`` for one socket.
        rounds: How often; the best counts.
        limit: Seconds for everything.
    """
    address = f"{ADDRESSES[0]}:{free_port()}"
    variables = {"OLYMPUS_CPU_TRANSPORT": transport} if transport != "plain" else {}
    what = "plain" if transport == "plain" else "olympus"
    with TwoHosts(link.delay / 2000, link.loss) as hosts:
        if link.rate is not None:
            hosts.limit(f"{link.rate}mbit")
        processes = [
            subprocess.Popen(
                [*hosts.command(index), sys.executable, str(PROGRAMS / "network.py"), what, str(index), address,
                 str(link.size), str(rounds)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(variables))
            for index in range(2)]
        try:
            output, errors = processes[0].communicate(timeout=limit)
            if processes[0].returncode:
                return f"ends with {processes[0].returncode}: {errors.strip().splitlines()[-1:]}"
            figures: dict[str, float] = json.loads(output)
            return figures
        except subprocess.TimeoutExpired:
            return f"not in {limit:.0f} s"
        finally:
            for process in processes:
                process.kill()
                process.communicate()


def row(link: Link, transport: str, found: dict[str, float] | str, link_time: float | None) -> str:
    """One line of the table.

    Args:
        link: The link.
        transport: The transport.
        found: Its figures in seconds, or why there are none.
        link_time: Seconds that the link itself takes for the block; None where that is not known.

    Example:
        >>> print(row(Link(400, 0, 0.0, 1 << 20), "tcp", {"one_way": 0.022, "all_reduce": 0.023, "small": 1e-4}, 0.021))
        400 Mbit/s, 0 ms, 0%, 1 MiB      tcp        47.7 MB/s    0.95 of the link    45.6 MB/s      100 us
    """
    name = f"{link!s:<32} {transport:<6}"
    if isinstance(found, str):
        return f"{name} {found}"
    ratio = "" if link_time is None else f"{link_time / found['one_way']:.2f} of the link"
    line = f"{name} {link.size / found['one_way'] / 1e6:8.1f} MB/s {ratio:>19}"
    if "all_reduce" in found:
        line += f" {link.size / found['all_reduce'] / 1e6:7.1f} MB/s {found['small'] * 1e6:8.0f} us"
    return line


def main() -> int:
    """Prints the table; 1 where the TCP transport stays below the bar on a near link without loss."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.network", description=__doc__)
    parser.add_argument("--only", type=int, action="append", help="number of a link of the table, from 0")
    parser.add_argument("--transport", action="append", help="a transport instead of tcp and mpi")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured; the best counts")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each")
    arguments = parser.parse_args()
    if not are_allowed():
        print("this machine allows no network namespaces")
        return 2
    is_missed = False
    print(f"{'link: rate, round trip, loss, block':<39} {'one way':>13} {'':>19} {'all-reduce':>12} {'4 bytes':>11}")
    for number, link in enumerate(LINKS):
        if arguments.only and number not in arguments.only:
            continue
        plain = measured(link, "plain", arguments.rounds, arguments.limit)
        print(row(link, "plain", plain, None), flush=True)
        link_time = None if isinstance(plain, str) else plain["one_way"]
        if link.rate is not None and link_time is not None:
            link_time = max(link_time, link.size * 8e-6 / link.rate)
        for transport in arguments.transport or TRANSPORTS:
            found = measured(link, transport, arguments.rounds, arguments.limit)
            print(row(link, transport, found, link_time), flush=True)
            is_near = link.delay == 0 and link.loss == 0 and link_time is not None
            if transport == "tcp" and is_near and (isinstance(found, str) or found["one_way"] * BAR > link_time):
                is_missed = True
    return 1 if is_missed else 0


if __name__ == "__main__":
    sys.exit(main())
