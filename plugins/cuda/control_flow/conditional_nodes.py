# SPDX-License-Identifier: Apache-2.0
"""Conditional nodes of CUDA graphs, by the driver: what they hold runs as often as a number on the GPU says.

Source: CUDA driver API, "Graph Management" and "Stream Management", `cuGraphConditionalHandleCreate`.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import CudaCallError
from ..nvidia import DRIVER, declare
from ..products.work_steps import module_of

if TYPE_CHECKING:
    from ..gpu import Gpu, Stream

IF, WHILE = 0, 1  # CUgraphConditionalNodeType
_CONDITIONAL = 13  # CU_GRAPH_NODE_TYPE_CONDITIONAL
_SET, _RELAXED = 1, 2  # CU_STREAM_SET_CAPTURE_DEPENDENCIES, CU_STREAM_CAPTURE_MODE_RELAXED
_LEAST_DRIVER = 12040  # the first whose conditional nodes may hold copies, and other conditional nodes
_POINTER, _SIZE, _INT, _LONG = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_uint64
_SIGNATURES: dict[str, list[Any]] = {
    "cuCtxGetCurrent": [_POINTER],
    "cuGraphAddNode": [_POINTER, _POINTER, _POINTER, _SIZE, _POINTER],
    "cuGraphConditionalHandleCreate": [_POINTER, _POINTER, _POINTER, ctypes.c_uint, ctypes.c_uint],
    "cuStreamBeginCaptureToGraph": [_POINTER, _POINTER, _POINTER, _POINTER, _SIZE, _INT],
    "cuStreamEndCapture": [_POINTER, _POINTER],
    "cuStreamGetCaptureInfo_v2": [_POINTER, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER],
    "cuStreamUpdateCaptureDependencies": [_POINTER, _POINTER, _SIZE, ctypes.c_uint],
}

_HEAD = 'extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned int value);\n'
_KERNEL = 'extern "C" __global__ void __launch_bounds__(1) '
_GOES_ON = f"""{_HEAD}{_KERNEL}goes_on(const bool* condition, unsigned long long handle) {{
    cudaGraphSetConditional(handle, *condition ? 1 : 0);
}}
"""
_TAKES = f"""{_HEAD}{_KERNEL}takes(
    const int* index, unsigned long long branch, unsigned long long last, unsigned long long handle) {{
    int wanted = *index < 0 ? 0 : *index > (int)last ? (int)last : *index;
    cudaGraphSetConditional(handle, wanted == (int)branch ? 1 : 0);
}}
"""
# A loop goes on: (condition) handle. A branch is taken: (index) branch, the last branch, handle.
GOES_ON = module_of("goes_on", _GOES_ON, 1, 1)
TAKES = module_of("takes", _TAKES, 1, 1)


class _NodeParameters(ctypes.Structure):
    """`CUgraphNodeParams` of a conditional node, with 256 bytes."""

    _fields_ = (
        ("type", _INT), ("reserved", _INT * 3), ("handle", _LONG), ("kind", _INT), ("size", ctypes.c_uint),
        ("graphs", ctypes.POINTER(_POINTER)), ("context", _POINTER), ("rest", ctypes.c_char * 200),
        ("reserved_too", ctypes.c_longlong),
    )


class _Captured(ctypes.Structure):
    """What `cuStreamGetCaptureInfo` gives."""

    _fields_ = (("status", _INT), ("id", _LONG), ("graph", _POINTER), ("nodes", _POINTER), ("count", _SIZE))


class ConditionalNodes:
    """The driver's functions.

    Args:
        driver: The loaded library.
    """

    def __init__(self, driver: ctypes.CDLL) -> None:
        declare(driver, _SIGNATURES)
        self._driver = driver

    def handle(self, stream: Stream) -> int:
        """A handle of the graph that a stream is captured into; kernels give its number."""
        made, context = _LONG(), _POINTER()
        self._call("cuCtxGetCurrent", ctypes.byref(context))
        self._call("cuGraphConditionalHandleCreate", ctypes.byref(made), self._captured(stream).graph, context, 0, 0)
        return made.value

    def begin(self, stream: Stream, handle: int, kind: int, inner: Stream) -> None:
        """Adds a node behind what a stream has captured, and captures another stream into what it holds."""
        captured, node, context = self._captured(stream), _POINTER(), _POINTER()
        self._call("cuCtxGetCurrent", ctypes.byref(context))
        given = _NodeParameters(type=_CONDITIONAL, handle=handle, kind=kind, size=1, context=context)
        self._call("cuGraphAddNode", ctypes.byref(node), captured.graph, captured.nodes, captured.count,
                   ctypes.byref(given))
        self._call("cuStreamUpdateCaptureDependencies", stream.ptr, ctypes.byref(node), 1, _SET)
        self._call("cuStreamBeginCaptureToGraph", inner.ptr, given.graphs[0], None, None, 0, _RELAXED)
        inner.is_captured = True

    def end(self, inner: Stream) -> None:
        """Ends capturing what the node holds."""
        inner.is_captured = False
        self._call("cuStreamEndCapture", inner.ptr, ctypes.byref(_POINTER()))

    def _captured(self, stream: Stream) -> _Captured:
        found = _Captured()
        at = {name: ctypes.addressof(found) + getattr(_Captured, name).offset for name, _ in _Captured._fields_}
        self._call("cuStreamGetCaptureInfo_v2", stream.ptr, *at.values())
        return found

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._driver, name)(*arguments)
        if status:
            raise CudaCallError(f"{name} returns {status}")


@cache
def _loaded() -> ConditionalNodes | None:
    try:
        return ConditionalNodes(ctypes.CDLL(DRIVER))
    except (OSError, AttributeError):  # a driver that is older than they are
        return None


def conditional_nodes(gpu: Gpu) -> ConditionalNodes | None:
    """The driver's conditional nodes; None where it has none, or not as they are needed."""
    return _loaded() if gpu.driver_version() >= _LEAST_DRIVER else None
