# SPDX-License-Identifier: Apache-2.0
"""A PMI-1 server in the same process, in place of an external process manager.

MPICH finds the other processes through PMI-1, a protocol of text lines over a file descriptor (Balaji et al., "PMI: a
scalable parallel process-management interface", 2010). The server is a thread of the same process: it stores the keys
that MPICH puts, and at each barrier exchanges them with the other processes through the job's rendezvous. No second
server and no second port is needed.
"""

from __future__ import annotations

import json
import socket
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress

from olympus_core.plugin import Rendezvous

_MOST_NEWS = 1 << 24  # bytes that a process puts between two barriers


class PmiServer(threading.Thread):
    """Serves the MPICH of this process until it closes its end.

    Attributes:
        error: Why the service ended early, if it did. MPICH then gets no answer, because an error would make it
            end the process.

    Args:
        connection: The server's end of a socket pair.
        rendezvous: How to reach the other processes.
    """

    def __init__(self, connection: socket.socket, rendezvous: Rendezvous) -> None:
        super().__init__(name="olympus-pmi", daemon=True)
        self._connection, self._rendezvous = connection, rendezvous
        self._own: dict[str, str] = {}
        self._told: dict[str, set[str]] = {}  # by group: the keys that it has been told
        self._known = {"PMI_process_mapping": process_mapping(rendezvous.hosts)}
        self._barriers: dict[str, int] = {}
        self.error: BaseException | None = None

    def run(self) -> None:
        """Answers line by line."""
        try:
            for line in self._lines():
                answer = self._answer(line)
                with suppress(OSError):
                    self._connection.sendall(answer.encode("latin-1"))
            self._connection.close()  # the other end is gone: MPICH is done
        except Exception as error:  # noqa: BLE001  (of the rendezvous; the thread that waits for MPI_Init raises it)
            self.error = error

    def _lines(self) -> Iterator[str]:
        with suppress(OSError), self._connection.makefile("r", encoding="latin-1") as lines:
            for line in lines:
                yield line.rstrip("\n")

    def _answer(self, line: str) -> str:
        command, fields = split_line(line)
        answer = self._reply(command, fields)
        if answer is None:
            return ""
        thread = f" thrid={fields['thrid']}" if "thrid" in fields else ""
        return f"cmd={answer}{thread}\n"

    def _reply(self, command: str, fields: dict[str, str]) -> str | None:
        if command == "init":
            return "response_to_init rc=0 pmi_version=1 pmi_subversion=2"
        if command == "get_maxes":
            return "maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024"
        if command == "get_appnum":
            return "appnum rc=0 appnum=0"
        if command == "get_my_kvsname":
            return f"my_kvsname rc=0 kvsname=olympus_{self._rendezvous.job}"[:255]
        if command == "get_universe_size":
            return f"universe_size rc=0 size={self._rendezvous.process_count}"
        if command == "put":
            self._own[fields["key"]] = self._known[fields["key"]] = fields["value"]
            for told in self._told.values():
                told.discard(fields["key"])
            return "put_result rc=0"
        if command == "get":
            value = self._known.get(fields["key"])
            return "get_result rc=1" if value is None else f"get_result rc=0 value={value}"
        if command == "barrier_in":
            return f"barrier_out rc=0 tag={self._barrier(fields.get('group', 'WORLD:0'))}"
        if command == "finalize":
            return "finalize_ack rc=0"
        if command == "abort":
            self._rendezvous.abort(f"MPI ended process {self._rendezvous.process_index}: {fields}")
            return None
        return f"{command} rc=-1"

    def _barrier(self, group: str) -> str:
        names, _, tag = group.partition(":")
        number = self._barriers[names] = self._barriers.get(names, 0) + 1
        told = self._told.setdefault(names, set())
        news = {key: value for key, value in self._own.items() if key not in told}
        told.update(news)
        # Every process gets what each has put, 4 KB and more: once, and compressed.
        mine = zlib.compress(json.dumps(news).encode(), 9) if news else b""
        for data in self._rendezvous.exchange(f"MPI start {names} {tag} {number}", mine, self._members(names)):
            if data:
                self._known.update(json.loads(zlib.decompressobj().decompress(data, _MOST_NEWS)))
        return tag or "0"

    def _members(self, names: str) -> Sequence[int] | None:
        if names == "WORLD":
            return None
        if names == "NODE":
            hosts = self._rendezvous.hosts
            here = hosts[self._rendezvous.process_index]
            return [process for process, host in enumerate(hosts) if host == here]
        return [int(name) for name in names.split(",")]


def split_line(line: str) -> tuple[str, dict[str, str]]:
    r"""A line as its command and its fields; values stay as they are, with their backslashes.

    Example:
        >>> split_line(r"cmd=put key=a value=b\ c")
        ('put', {'key': 'a', 'value': 'b\\ c'})
    """
    words: list[str] = [""]
    is_escaped = False
    for character in line:
        if character == " " and not is_escaped:
            words.append("")
            continue
        words[-1] += character
        is_escaped = character == "\\" and not is_escaped
    fields = dict(word.partition("=")[::2] for word in words if word)
    return fields.pop("cmd", None) or fields.pop("mcmd", ""), fields


def process_mapping(hosts: Sequence[str]) -> str:
    """Which processes share a machine, as MPICH writes it.

    Example:
        >>> process_mapping(["a", "a", "b"])
        '(vector,(0,1,2),(1,1,1))'
    """
    numbers: dict[str, int] = {}
    runs: list[list[int]] = []
    for host in hosts:
        number = numbers.setdefault(host, len(numbers))
        if runs and runs[-1][0] == number:
            runs[-1][2] += 1
        else:
            runs.append([number, 1, 1])
    return f"(vector,{','.join(f'({n},1,{length})' for n, _, length in runs)})"
