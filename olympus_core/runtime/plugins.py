# SPDX-License-Identifier: Apache-2.0
"""One plugin: loaded when it is asked for, its answers checked, what goes wrong in it kept for `olympus doctor`."""

from __future__ import annotations

import os
import re
import site
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from olympus_core.config import config
from olympus_core.errors.base import OlympusError
from olympus_core.errors.platform import (
    ContractVersionError,
    DuplicatePlatformError,
    DuplicateTransportError,
    LoosePluginError,
    PluginAnswerError,
    PluginCallError,
    PluginLoadError,
    PluginTimeoutError,
    PluginWarning,
)
from olympus_core.plugin.version import API_VERSION, DISTRIBUTION

from .guarded import guarded, in_a_line, told

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    import pluggy

    from olympus_core.plugin import Platform, Probe, TransportFactory

_UNNAMED = "an unknown distribution"
_REFUSALS = (ContractVersionError, DuplicatePlatformError, DuplicateTransportError, LoosePluginError)
_Answer = TypeVar("_Answer")


class PluginReport(NamedTuple):
    """What the registry knows of one plugin.

    Args:
        name: The name of its entry point, which is its platform's name.
        distribution: The distribution that brings it, with its version.
        module: The module with its hooks.
        state: ``available``, ``unavailable`` (no hardware or libraries), ``failed`` (cannot be loaded), ``refused``
            (contract version, a name that another has, not installed) or ``no platform`` (offers other things only).
        reason: Why.
        aliases: Other names of its platform.
        priority: Its platform's priority.
        transports: Names of the transports it offers.
        traceback: Where it failed.
    """

    name: str
    distribution: str
    module: str
    state: str
    reason: str
    aliases: tuple[str, ...] = ()
    priority: int | None = None
    transports: tuple[str, ...] = ()
    traceback: str | None = None


class Plugin:
    """One entry point, and what became of it.

    Attributes:
        is_ours: Whether it is of the distribution that this module is of; its calls are made directly.
        folder: Where its distribution's metadata lie; None where that is no folder.
        platform: Its platform, once it is loaded.
        aliases: What its platform answered when it was loaded, like `priority`.
        error: Why it is not used.
        was_slow: Whether it was given up.
    """

    def __init__(self, entry: EntryPoint) -> None:
        self.entry = entry
        self.name = entry.name.lower()
        project, version = _distribution_of(entry)
        self.distribution = f"{project} {version}" if version else project
        self.project = re.sub(r"[-_.]+", "-", project).lower()  # as its name is compared
        self.is_ours = self.project == DISTRIBUTION and entry.value == f"olympus_{self.name}.hooks"
        self.folder = _folder_of(entry)
        self.platform: Platform | None = None
        self.aliases: tuple[str, ...] = ()
        self.priority = 0
        self.transports: dict[str, TransportFactory] = {}
        self.error: OlympusError | None = None
        self.traceback: str | None = None
        self.was_slow = False
        self._is_loaded = False
        self._probe: Probe | None = None

    @property
    def is_loose(self) -> bool:
        """Whether its metadata lie beside the script or in the current folder, where nobody has installed them."""
        return self.folder is not None and self.folder in _loose_folders()

    def load(self, manager: pluggy.PluginManager) -> Plugin:
        """Imports the hooks and asks them for what they offer; keeps an error instead of raising it."""
        if self._is_loaded:
            return self
        try:
            platform, transports = self.ask("its import", lambda: self._offers(manager))
            if platform is None and not transports:
                raise PluginLoadError(self.name, self.distribution, "its module implements no hook of olympus")
            self.platform, self.transports = platform, transports
        except OlympusError as error:
            self._fail(error)
        # Only now: a Ctrl-C on the way leaves the plugin as it was, to be loaded by the next who asks.
        self._is_loaded = True
        return self

    def probe(self) -> Probe:
        """Whether the platform can be used here, asked once; an error in the answer is a no."""
        from olympus_core.plugin import Probe

        from .answers import Answers

        if self._probe is None:
            platform = self.platform
            if self.error is None and platform is not None:
                try:
                    asked = Answers(self.name, self.distribution)
                    self._probe = self.ask("probe()", lambda: asked.probe(platform.probe()))
                except (PluginAnswerError, PluginTimeoutError) as error:
                    self._fail(error)
                except OlympusError as error:
                    self.traceback = _traceback(error)
                    reason = error.reason if isinstance(error, PluginCallError) else in_a_line(error)
                    self._probe = Probe(False, f"its probe failed: {reason}")
            if self.error is not None:
                self._probe = Probe(False, str(self.error).partition("\n")[0])
            elif self._probe is None:
                self._probe = Probe(False, "the plugin offers no platform")
        return self._probe

    def report(self) -> PluginReport:
        """The row for doctor."""
        probe = self.probe()
        if isinstance(self.error, _REFUSALS):
            state = "refused"
        elif self.error is not None:
            state = "failed"
        elif self.platform is None:
            state = "no platform"
        else:
            state = "available" if probe.available else "unavailable"
        return PluginReport(
            self.name, self.distribution, self.entry.value, state,
            str(self.error) if self.error is not None else probe.reason,
            self.aliases, self.priority if self.platform else None, tuple(self.transports), self.traceback,
        )

    def refuse(self, error: OlympusError) -> None:
        """Marks the plugin as not to be used, before it is loaded."""
        self._is_loaded, self.error = True, error

    def ask(self, what: str, call: Callable[[], _Answer]) -> _Answer:
        """What a call into the plugin gives; see `guarded`. Ours have limits of their own, and are trusted."""
        if not self.is_ours:
            try:
                return guarded(self.name, self.distribution, what, call)
            except PluginTimeoutError as error:
                # Whoever waits that long for what was not asked for should know why.
                warnings.warn(PluginWarning(self.name, str(error).partition("\n")[0]), stacklevel=2)
                raise
        try:
            return call()
        except OlympusError:
            raise
        except (Exception, SystemExit) as error:
            raise told(self.name, self.distribution, what, error) from error

    def _offers(self, manager: pluggy.PluginManager) -> tuple[Platform | None, dict[str, TransportFactory]]:
        """Runs in a thread that may be given up: what it finds is kept by who asked."""
        from .answers import Answers

        hooks = self.entry.load()
        if manager.get_plugin(self.name) is None:  # a Ctrl-C may have come after this
            manager.register(hooks, name=self.name)
        platform: Platform | None = self._asked(manager, "olympus_platform")
        answers = Answers(self.name, self.distribution)
        if platform is not None:
            self._check(platform)
            self.aliases, self.priority = answers.aliases(platform.aliases), answers.priority(platform.priority)
        return platform, answers.transports(self._asked(manager, "olympus_transports"))

    def _asked(self, manager: pluggy.PluginManager, hook: str) -> Any:
        # Calling the one plugin's function, not the hook, keeps the plugins apart.
        for implementation in getattr(manager.hook, hook).get_hookimpls():
            if implementation.plugin_name == self.name:
                return implementation.function()
        return None

    def _check(self, platform: Platform) -> None:
        try:
            major, minor = platform.api_version
            made_for = (int(major), int(minor))
        except (AttributeError, TypeError, ValueError):
            raise PluginLoadError(
                self.name, self.distribution, "its platform has no api_version (major, minor)"
            ) from None
        if made_for[0] != API_VERSION[0] or made_for > API_VERSION:
            raise ContractVersionError(self.name, self.project, made_for, API_VERSION)
        missing = [a for a in ("name", "aliases", "priority", "probe", "open") if not hasattr(platform, a)]
        if missing:
            raise PluginLoadError(self.name, self.distribution, f"its platform lacks {', '.join(missing)}")
        if platform.name != self.name:
            raise PluginLoadError(
                self.name, self.distribution, f"its platform is named {platform.name!r}, unlike its entry point"
            )

    def _fail(self, error: OlympusError) -> None:
        """Keeps an error; one that the plugin's own code raised becomes one of loading it."""
        self.traceback = _traceback(error)
        self.was_slow = isinstance(error, PluginTimeoutError)
        if isinstance(error, PluginCallError):
            failure = PluginLoadError(self.name, self.distribution, error.reason)
            failure.__cause__ = error.__cause__
            error = failure
        self.error = error
        self.platform, self.transports = None, {}


def _traceback(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


def _distribution_of(entry: EntryPoint) -> tuple[str, str]:
    """Name and version of the distribution that brings an entry point, as far as its files tell."""
    try:
        dist = entry.dist
        return (str(dist.name or _UNNAMED), str(dist.version or "")) if dist is not None else (_UNNAMED, "")
    except Exception:  # noqa: BLE001  (its files may be broken in any way)
        return _UNNAMED, ""


def _folder_of(entry: EntryPoint) -> str | None:
    """The folder that holds the metadata of an entry point's distribution."""
    try:
        return os.path.realpath(str(entry.dist.locate_file(""))) if entry.dist is not None else None
    except Exception:  # noqa: BLE001  (a distribution may come from any finder, which need not know of folders)
        return None


def _loose_folders() -> set[str]:
    """The script's folder and the current one, but where these are what Python or PYTHONPATH installs from.

    Python looks for modules there, too, and so for metadata: a download beside a script would be a plugin.
    """
    if config.local_plugins:
        return set()
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    loose = {os.path.dirname(os.path.abspath(main))} if main else set()
    with suppress(OSError):  # the current folder may be gone
        loose.add(os.getcwd())
    named = [] if sys.flags.ignore_environment else config.python_path()
    installed = map(os.path.realpath, [*site.getsitepackages(), site.getusersitepackages(), *named])
    return {os.path.realpath(folder) for folder in loose}.difference(installed)
