# SPDX-License-Identifier: Apache-2.0
"""Conditional nodes of graphs, as the platform makes them by the driver's own functions."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from typing import Any

from .machine import MACHINE, CUDARuntimeError, Item, Violation

_CONDITIONAL, _IF, _RELAXED = 13, 0, 2
_HANDLE, _KIND, _SIZE, _GRAPHS = 16, 24, 28, 32  # offsets in the node's parameters
_MOST_TURNS = 1_000_000
_HOOK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t))
_cells: dict[int, ctypes.c_uint32] = {}  # the values of handles, by their addresses, which are the handles
_held: dict[int, tuple[list[Item], Item, Any]] = {}  # what nodes hold, by the number of that graph


def _write(address: int, value: int, kind: type = ctypes.c_uint64) -> None:
    kind.from_address(address).value = value  # type: ignore[attr-defined]


def _capture_info(stream: int, status: int, number: int, graph: int, nodes: int, count: int) -> None:
    MACHINE.check(MACHINE.stream(stream).captured is not None, "a stream that is not captured tells of its graph")
    _write(status, 1, ctypes.c_int)
    for address, value in ((number, 1), (graph, stream), (nodes, 1), (count, 1)):
        _write(address, value)


def _new_handle(handle: int, graph: int, context: int, value: int, flags: int) -> None:
    MACHINE.check(MACHINE.stream(graph).captured is not None, "a handle is made for a graph that is not captured")
    cell = ctypes.c_uint32(value)
    _cells[ctypes.addressof(cell)] = cell
    _write(handle, ctypes.addressof(cell))


def _add_node(node: int, graph: int, nodes: int, count: int, given: int) -> None:
    captured = MACHINE.stream(graph).captured
    kind = ctypes.c_int.from_address(given + _KIND).value
    cell = _cells.get(ctypes.c_uint64.from_address(given + _HANDLE).value)
    is_known = ctypes.c_int.from_address(given).value == _CONDITIONAL and cell is not None and captured is not None
    MACHINE.check(is_known and ctypes.c_uint.from_address(given + _SIZE).value == 1, "a node is not as it has to be")
    body: list[Item] = []

    def run() -> None:
        turns = 0
        while cell is not None and cell.value:
            for item in body:
                item.run()
            turns += 1
            if kind == _IF:
                return
            if turns > _MOST_TURNS:
                raise Violation("a loop has no end")

    item, number = Item("a conditional node", run), next(MACHINE.numbers)
    graphs = (ctypes.c_void_p * 1)(number)
    _held[number] = body, item, graphs
    _write(given + _GRAPHS, ctypes.addressof(graphs))
    _write(node, number)
    assert captured is not None
    captured.append(item)


def _begin(stream: int, graph: int, nodes: int, edges: int, count: int, mode: int) -> None:
    found = MACHINE.stream(stream)
    MACHINE.check(found.captured is None, "a stream is captured twice")
    MACHINE.check(graph in _held and mode == _RELAXED, "a stream is captured into no node")
    found.captured = _held[graph][0]


def _end(stream: int, graph: int) -> None:
    found = MACHINE.stream(stream)
    body, item = next((body, item) for body, item, _ in _held.values() if body is found.captured)
    found.captured = None
    touched = dict.fromkeys(access for inner in body for access in inner.accesses)
    item.accesses = tuple(sorted(touched, key=lambda access: access.writes))


def _nothing(*arguments: int) -> None:
    """What the stand-in's graphs have no use for."""


_FUNCTIONS: dict[bytes, tuple[Callable[..., None], int]] = {
    b"cuCtxGetCurrent": (_nothing, 1), b"cuGraphAddNode": (_add_node, 5),
    b"cuGraphConditionalHandleCreate": (_new_handle, 5), b"cuStreamBeginCaptureToGraph": (_begin, 6),
    b"cuStreamEndCapture": (_end, 2), b"cuStreamGetCaptureInfo_v2": (_capture_info, 6),
    b"cuStreamUpdateCaptureDependencies": (_nothing, 4),
}


@_HOOK
def _hook(name: bytes, arguments: Sequence[int]) -> int:
    function, count = _FUNCTIONS[name]
    try:
        with MACHINE.lock:
            function(*(arguments[i] for i in range(count)))
    except (Violation, CUDARuntimeError):  # told by the next call: a callback of C cannot raise
        return 1
    return 0


def connect() -> None:
    """Tells the stand-in for the driver library what its functions do."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return
    tell = getattr(library, "olympus_fake_hook", None)
    if tell is not None and os.environ.get("OLYMPUS_STANDIN_LACKS", "") != "conditional":
        tell.argtypes, tell.restype = [_HOOK], None
        tell(_hook)
