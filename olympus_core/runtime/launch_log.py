# SPDX-License-Identifier: Apache-2.0
"""The launch log: launches that span processes are written to shared memory, so that divergence is detected.

Each process of a machine has a row in a shared file: a direct-mapped table of entries. An entry is a key (which
processes, which of their launches) and a digest chained over all their launches so far. A process writes its entry,
then reads the others' at the same slot: the same key with another digest means that the processes run different
programs. It reads them again after the launch's collectives, when every entry must have been written, so that no
result of a diverged launch is ever handed out.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence

_ENTRIES = 4096
_TEXTS = 256
_TEXT_BYTES = 320
_WORD = (1 << 64) - 1
_PRIME = 0x9E3779B97F4A7C15
_ROW_WORDS = _ENTRIES * 2 + _TEXTS * _TEXT_BYTES // 8


class LaunchLog:
    """The entries of all processes of one machine, in memory that they share.

    Args:
        memory: `size_of` bytes that its processes share; zeros at first.
        process_index: This process.
        processes: The processes of the machine, the same in all of them: each has a row.
    """

    def __init__(self, memory: mmap.mmap, process_index: int, processes: Sequence[int]) -> None:
        self._map = memory
        self.words = memoryview(memory).cast("Q")
        self.process_index = process_index
        self._rows = {process: number * _ROW_WORDS for number, process in enumerate(processes)}

    @staticmethod
    def size_of(process_count: int) -> int:
        """Bytes that the log of so many processes of one machine takes."""
        return process_count * _ROW_WORDS * 8

    def row(self, process: int) -> int:
        """Where a process's entries begin, in words."""
        return self._rows[process]

    def text(self, process: int, key: int) -> str:
        """What a process wrote about its launch."""
        start = (self.row(process) + _ENTRIES * 2) * 8 + key % _TEXTS * _TEXT_BYTES
        return self._map[start:start + _TEXT_BYTES].split(b"\0")[0].decode(errors="replace")

    def write_text(self, key: int, text: bytes) -> None:
        """Says, for people, what this process launches."""
        start = (self.row(self.process_index) + _ENTRIES * 2) * 8 + key % _TEXTS * _TEXT_BYTES
        self._map[start:start + min(len(text) + 1, _TEXT_BYTES)] = text[:_TEXT_BYTES - 1] + b"\0"


class GroupLog:
    """The launches of one set of processes, as this process sees them.

    Args:
        log: The machine's launch log.
        processes: The processes, all on this machine.
    """

    __slots__ = ("_bits", "_shared_log", "_own", "_peers", "_words", "chain", "key", "processes", "sequence")

    def __init__(self, log: LaunchLog, processes: Sequence[int]) -> None:
        self._shared_log, self._words = log, log.words
        self.processes = tuple(processes)
        self._bits = sum(pow(3, p, 1 << 64) for p in processes) * _PRIME & _WORD
        self._own = log.row(log.process_index)
        self._peers = tuple((p, log.row(p)) for p in processes if p != log.process_index)
        self.sequence = self.chain = self.key = 0

    def launch(self, digest: int, text: bytes) -> int | None:
        """Writes the entry of the next launch and looks at the others'.

        Args:
            digest: 64 bits that stand for what is launched.
            text: The same for people.

        Returns:
            A process whose entry differs, or None.
        """
        sequence = self.sequence = self.sequence + 1
        chain = self.chain = ((self.chain ^ digest) * _PRIME + sequence) & _WORD
        key = self.key = (self._bits + sequence * 0x2545F4914F6CDD1D) & _WORD
        slot = key % _ENTRIES * 2
        self._shared_log.write_text(key, text)
        words, own = self._words, self._own + slot
        words[own + 1] = chain  # the digest before the key: whoever sees the key sees its digest
        words[own] = key
        for process, row in self._peers:
            if words[row + slot] == key and words[row + slot + 1] != chain:
                return process
        return None

    def settle(self) -> int | None:
        """Looks again, after the launch's collectives; a process whose entry differs, or None."""
        key, chain, words = self.key, self.chain, self._words
        slot = key % _ENTRIES * 2
        for process, row in self._peers:
            if words[row + slot] == key and words[row + slot + 1] != chain:
                return process
        return None

    def texts(self) -> dict[int, str]:
        """What each process says of this launch; a process that has not reached it is missing."""
        slot = self.key % _ENTRIES * 2
        rows = [(self._shared_log.process_index, self._own), *self._peers]
        return {p: self._shared_log.text(p, self.key) for p, row in sorted(rows) if self._words[row + slot] == self.key}
