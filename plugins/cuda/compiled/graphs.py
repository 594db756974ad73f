# SPDX-License-Identifier: Apache-2.0
"""CUDA graphs of groups: launches with the same addresses as before are captured once and then replayed."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from olympus_core.errors.platform import PlatformError

if TYPE_CHECKING:
    from ..gpu import Gpu, Graph, Stream
    from ..memory import StreamContext

_MOST_GRAPHS = 4
_MOST_SEEN = 16
_MOST_CAPTURES = 64  # a group whose addresses keep changing is not captured any more

logger = logging.getLogger("olympus.cuda")

Addresses = tuple[int, ...]


def captured(gpu: Gpu, stream: Stream, enqueue: Callable[[Stream], None]) -> Graph:
    """What a function enqueues, as a graph.

    Args:
        gpu: The driver interface.
        stream: A stream that nobody else uses.
        enqueue: Enqueues it in that stream.
    """
    gpu.begin_capture(stream)
    try:
        enqueue(stream)
    except BaseException:
        with suppress(*gpu.errors):
            gpu.end_capture(stream)
        raise
    return gpu.end_capture(stream)


class GraphCache:
    """The graphs of one group in one stream; callers hold the stream's lock.

    Args:
        context: The stream.
        enqueue: Enqueues the whole group.
    """

    __slots__ = ("_captures", "_enqueue", "_graphs", "_context", "_seen", "_stream", "replays")

    def __init__(self, context: StreamContext, enqueue: Callable[[Stream], None]) -> None:
        self._context, self._enqueue = context, enqueue
        self._graphs: OrderedDict[Addresses, Graph] = OrderedDict()
        self._seen: OrderedDict[Addresses, None] = OrderedDict()
        self._stream: Stream | None = None
        self._captures = self.replays = 0

    def replay(self, addresses: Addresses) -> bool:
        """Enqueues the group as a graph for these addresses; False where the caller has to enqueue it.

        The graph is captured at the second call with the same addresses.
        """
        graph = self._graphs.get(addresses)
        if graph is None:
            if addresses not in self._seen or self._captures >= _MOST_CAPTURES:
                self._seen[addresses] = None
                if len(self._seen) > _MOST_SEEN:
                    self._seen.popitem(last=False)
                return False
            made = self._captured()
            if made is None:
                return False
            graph = self._graphs[addresses] = made
            if len(self._graphs) > _MOST_GRAPHS:
                self._graphs.popitem(last=False)
        else:
            self._graphs.move_to_end(addresses)
        graph.launch(self._context.stream)
        self.replays += 1
        return True

    def _captured(self) -> Graph | None:
        """Captures the group as a graph, in a stream of its own, so that no other thread's work is captured.

        Returns:
            None where something cannot be captured: the group is then enqueued as before, and never captured again.
        """
        gpu = self._context.gpu
        refusals: tuple[type[Exception], ...] = (*gpu.errors, PlatformError)
        self._captures += 1
        try:
            if self._stream is None:
                self._stream = gpu.stream(self._context.ordinal)
            return captured(gpu, self._stream, self._enqueue)
        except refusals as error:
            logger.warning("work of a program on %s cannot be captured into a graph: %s", self._context.name, error)
            self._captures, self._stream = _MOST_CAPTURES, None
            return None
