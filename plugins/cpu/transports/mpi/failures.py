"""Connections that break under MPI: known before MPI is asked to send over one.

MPICH's UCX device opens its connections without a handler of their failures. When the other process has gone, or the
network in between, the next message to it makes `MPI_Isend` write through a null pointer. UCX says in its log, and
nowhere else, that a connection has failed: while it makes progress, or inside the very call that then crashes.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import re
import sys
from contextlib import suppress
from typing import Any

from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Rendezvous

from ..failure_cause import await_cause

_DIAGNOSTIC = 3  # UCX's log levels: fatal, error, warning, diagnostic, ...
_STOP, _CONTINUE = 0, 1  # what a handler answers: whether the message has been dealt with
_PLACE = b"ucp_ep_set_failed"  # the function in which UCX takes a connection for failed
_TEXT = "another process, or the network to it, has gone"
_LOUD = ("diag", "info", "debug", "trace", "req", "data", "async", "func", "poll")  # levels that show such messages
_HANDLER = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.c_uint, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p,
    ctypes.c_void_p)


class Connections:
    """What is known of this process's connections under MPI.

    Attributes:
        are_broken: Whether one has failed; MPI must then not be called any more.
        is_sending: Set around a call that sends: a failure told inside it cannot be survived by returning from it.

    Args:
        rendezvous: Knows which process is lost.
    """

    def __init__(self, rendezvous: Rendezvous) -> None:
        self._rendezvous = rendezvous
        self.are_broken = self.is_sending = False
        self._shown = _DIAGNOSTIC - 1
        self._handler = _HANDLER(self._hear)

    def watch(self) -> None:
        """Listens to UCX, if that is what MPI uses here. Once for a process: UCX keeps the handler."""
        library = _ucx()
        if library is None:
            return
        before = os.environ.get("UCX_LOG_LEVEL", "warn").lower()
        if before in _LOUD:
            self._shown = _DIAGNOSTIC
        else:
            library.ucs_global_opts_set_value(b"LOG_LEVEL", b"diag")
        library.ucs_log_push_handler(self._handler)
        _kept.append(self)

        def forget() -> None:
            library.ucs_log_pop_handler()
            library.ucs_global_opts_set_value(b"LOG_LEVEL", before.encode())

        atexit.register(forget)  # UCX ends after Python, and writes to its log then

    def error(self, what: str) -> TransportError:
        """The error of a communication that needs a connection after one has failed."""
        return TransportError("mpi", what, _TEXT)

    def _hear(self, file: bytes, line: int, function: bytes, level: int, *_: Any) -> int:
        if function == _PLACE:
            self.are_broken = True
            if self.is_sending:
                self._end_process()
        return _STOP if level >= _DIAGNOSTIC > self._shown else _CONTINUE

    def _end_process(self) -> None:
        """Inside a call that crashes when it is returned to: the error is shown as if nobody had caught it."""
        error: BaseException = self.error("a message")
        try:
            await_cause(self._rendezvous)
        except Exception as cause:  # noqa: BLE001  (the better error: it names the process)
            error = cause
        try:
            sys.excepthook(type(error), error, error.__traceback__)
            for stream in (sys.stdout, sys.stderr):
                with suppress(Exception):
                    stream.flush()
        finally:
            os._exit(1)


_kept: list[Connections] = []  # C code holds their handlers


def _ucx() -> Any:
    """The library in which UCX keeps its log, if it is loaded and can do what is needed."""
    with suppress(OSError, AttributeError), open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
        found = re.search(r"/\S*/libucs\.so\S*", file.read())
        if found is not None:
            library = ctypes.CDLL(found[0])
            library.ucs_log_push_handler.argtypes = (_HANDLER,)
            library.ucs_global_opts_set_value.argtypes = (ctypes.c_char_p, ctypes.c_char_p)
            return library
    return None
