# SPDX-License-Identifier: Apache-2.0
"""Detects broken connections under MPI before MPI is asked to send over one.

MPICH's UCX device opens its connections without an error handler. When the other process or the network to it is lost,
the next message to it makes `MPI_Isend` write through a null pointer. UCX reports a failed connection only in its log:
while it makes progress, or inside the very call that then crashes.
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
_STOP, _CONTINUE = 0, 1  # results of a log handler: whether other handlers get the message
_FAILURE_FUNCTION = b"ucp_ep_set_failed"  # the function in which UCX marks a connection as failed
_TEXT = "another process, or the network to it, has gone"
_LOUD = ("diag", "info", "debug", "trace", "req", "data", "async", "func", "poll")  # levels that show them
_HANDLER = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.c_uint, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p,
    ctypes.c_void_p)


class Connections:
    """The state of this process's connections under MPI.

    Attributes:
        are_broken: Whether one has failed; MPI must then not be called any more.
        is_sending: Set around a call that sends; if a failure is reported inside it, returning to it would crash.

    Args:
        rendezvous: Reports which process is lost.
    """

    def __init__(self, rendezvous: Rendezvous) -> None:
        self._rendezvous = rendezvous
        self.are_broken = self.is_sending = False
        self._shown = _DIAGNOSTIC - 1
        self._handler = _HANDLER(self._handle_log)

    def watch(self) -> None:
        """Installs a handler of UCX's log, if MPI uses UCX here; once in a process, because UCX keeps the handler."""
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

        atexit.register(forget)  # UCX writes to its log after Python has ended

    def error(self, what: str) -> TransportError:
        """The error of a communication that needs a connection after one has failed."""
        return TransportError("mpi", what, _TEXT)

    def _handle_log(self, file: bytes, line: int, function: bytes, level: int, *_: Any) -> int:
        if function == _FAILURE_FUNCTION:
            self.are_broken = True
            if self.is_sending:
                self._end_process()
        return _STOP if level >= _DIAGNOSTIC > self._shown else _CONTINUE

    def _end_process(self) -> None:
        """Ends the process inside a call that would crash; the error is shown like an uncaught one."""
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
    """The library of UCX's log, if it is loaded and has the functions needed."""
    with suppress(OSError, AttributeError), open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
        found = re.search(r"/\S*/libucs\.so\S*", file.read())
        if found is not None:
            library = ctypes.CDLL(found[0])
            library.ucs_log_push_handler.argtypes = (_HANDLER,)
            library.ucs_global_opts_set_value.argtypes = (ctypes.c_char_p, ctypes.c_char_p)
            return library
    return None
