# SPDX-License-Identifier: Apache-2.0
"""What a process reports when it ends: an uncaught exception, or that it leaves normally."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import traceback
import weakref
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any

from .connection import Connection

_SCREEN_TIME = 1.0  # for the own traceback to be written
# Each hook's connection, and the hook that was there before it.
_hooks: weakref.WeakKeyDictionary[Any, tuple[weakref.ref[Connection], Any]] = weakref.WeakKeyDictionary()


def install(connection: Connection) -> None:
    """Wraps `sys.excepthook`, and lets the connection leave at the program's end.

    The hook that was there still runs, and first: the own traceback is on the screen before the others'.
    """
    reference = weakref.ref(connection, lambda _: atexit.unregister(leave))
    leave = partial(_leave, reference)
    pid = os.getpid()
    previous = _unwrapped(sys.excepthook)

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        def tell() -> None:
            living = reference()
            if living is not None and os.getpid() == pid:
                living.report_exit(describe(error, trace))

        # Where nobody reads the screen, writing on it may last for ever.
        late = threading.Timer(_SCREEN_TIME, tell)
        late.daemon = True
        try:
            with suppress(RuntimeError):  # where no more threads can start, the words come after the traceback
                late.start()
            previous(kind, error, trace)
            sys.stderr.flush()
        finally:
            late.cancel()
            tell()

    sys.excepthook = hook
    _hooks[hook] = reference, previous
    atexit.register(leave)


def _unwrapped(hook: Any) -> Any:
    """What stands behind the hooks of connections that have ended well: else they would be one more after each job."""
    while hook in _hooks:
        reference, previous = _hooks[hook]
        connection = reference()
        if connection is not None and not connection.ended_well:
            break
        hook = previous
    return hook


def describe(error: BaseException, trace: TracebackType | None) -> str:
    """An exception in one line: type, message, and where it was raised."""
    name = type(error).__name__
    first_line = str(error).partition("\n")[0].strip()
    words = f"{name}: {first_line}" if first_line else name
    frames = traceback.extract_tb(trace)
    if frames:
        # The user's own line says more than the library's that noticed.
        own = [frame for frame in frames if "site-packages" not in frame.filename]
        last = (own or frames)[-1]
        words += f", at {os.path.basename(last.filename)}:{last.lineno}"
    return words


def _leave(reference: weakref.ref[Connection]) -> None:
    connection = reference()
    if connection is not None:
        try:
            connection.leave()
        except KeyboardInterrupt:
            return
