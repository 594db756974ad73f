# SPDX-License-Identifier: Apache-2.0
"""Calls into plugins of other distributions: they can fail, hang or end a program's thread, and hurt no one."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import TypeVar

from olympus_core.config import config
from olympus_core.errors.base import OlympusError
from olympus_core.errors.platform import PluginCallError, PluginTimeoutError

Answer = TypeVar("Answer")
_OPTION = "olympus_plugin_timeout"


def guarded(plugin: str, distribution: str, what: str, call: Callable[[], Answer]) -> Answer:
    """What a call gives that runs in a thread of its own, for as long as the option allows.

    In a thread the plugin's own `sys.exit()` and `KeyboardInterrupt` end nothing else, and the user's Ctrl-C is not
    the plugin's. A thread that is given up stays behind: Python can end none.

    Args:
        plugin: The plugin's name.
        distribution: The distribution that brings it, with its version.
        what: What is asked of it, such as ``probe()``.
        call: The call.

    Raises:
        PluginTimeoutError: It took too long.
        PluginCallError: It raised something; an `OlympusError` is raised as it is.
    """
    answers: list[Answer] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # noqa: BLE001  (a stranger's code: whatever it raises is told by the caller)
            failures.append(error)

    limit = config.plugin_timeout
    # A daemon: a plugin that hangs does not keep the program from ending.
    thread = threading.Thread(
        target=contextvars.copy_context().run, args=(run,), name=f"olympus plugin {plugin}", daemon=True)
    thread.start()
    thread.join(limit)
    if answers:
        return answers[0]
    if failures:
        raise told(plugin, distribution, what, failures[0])
    raise PluginTimeoutError(plugin, distribution, what, limit, _OPTION)


def told(plugin: str, distribution: str, what: str, error: BaseException) -> BaseException:
    """The error of a plugin, with the plugin's name: an `OlympusError` has its own words."""
    if isinstance(error, OlympusError):
        return error
    failure = PluginCallError(plugin, distribution, what, in_a_line(error))
    failure.__cause__ = error
    return failure


def in_a_line(error: BaseException) -> str:
    """An error's class and message, without line breaks."""
    return f"{type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"
