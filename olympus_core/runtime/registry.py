# SPDX-License-Identifier: Apache-2.0
"""The registry: which platforms are installed, which can be used, and why.

Plugins are found by entry points of group `olympus.platforms`, when a platform is first asked for, and loaded one by
one: what goes wrong in one is kept for `olympus doctor` and never reaches another.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from olympus_core.config import config
from olympus_core.errors.platform import (
    DuplicatePlatformError,
    DuplicateTransportError,
    LoosePluginError,
    PlatformUnavailableError,
    PluginLoadError,
    UnknownPlatformError,
)

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    import pluggy

    from olympus_core.plugin import Platform, TransportFactory

    from .plugins import Plugin, PluginReport


class Selection(NamedTuple):
    """A platform that is used.

    Args:
        platform: The platform.
        reason: Why it was chosen.
        plugin: The plugin that offers it.
        is_named: Whether the user named it, by its name or an alias.
    """

    platform: Platform
    reason: str
    plugin: Plugin | None = None
    is_named: bool = True


class Registry:
    """The platforms that are installed.

    Args:
        find: Gives the entry points; None for those of the installed distributions.
    """

    def __init__(self, find: Callable[[], Iterable[EntryPoint]] | None = None) -> None:
        self._find = find or _installed
        self._lock = threading.RLock()
        self._plugins: dict[str, Plugin] | None = None
        self._others: list[Plugin] = []  # of whose names another plugin is used
        self._manager: pluggy.PluginManager | None = None

    def select(self, names: Sequence[str] | None = None, source: str | None = None) -> list[Selection]:
        """The platforms to use, the preferred one first.

        Args:
            names: Platforms or aliases in order of preference; None for all that are available, by priority.
            source: Where the names came from; None for the configuration.

        Returns:
            At least one platform.

        Raises:
            UnknownPlatformError: No platform has one of the names.
            PlatformUnavailableError: A named platform, or in an automatic choice every one, cannot be used here.
            PluginLoadError: The plugin of a named platform cannot be loaded.
            ContractVersionError: The plugin of a named platform was made for another contract.
            DuplicatePlatformError: Several distributions offer a named platform.
        """
        with self._lock:
            if names is None:
                return self._select_automatically()
            if source is None:
                source = config.source("olympus_platforms") if config.platforms == tuple(names) else "the call"
            chosen: dict[str, Selection] = {}
            for name in names:
                for plugin in self._named(name.strip().lower(), source):
                    reason = f"named{'' if plugin.name == name else f' {name!r}'} by {source}: {plugin.probe().reason}"
                    chosen.setdefault(plugin.name, Selection(_platform(plugin), reason, plugin))
            return list(chosen.values())

    def resolve(self, name: str, present: Sequence[str]) -> str:
        """The platform, of those that are open, that a name or an alias stands for.

        Raises:
            UnknownPlatformError: None of them.
        """
        with self._lock:
            if name in present:
                return name
            open_plugins = [self._load(plugin) for plugin in self._known().values() if plugin.name in present]
            for plugin in sorted(open_plugins, key=lambda p: present.index(p.name)):
                if name.lower() in (plugin.name, *_aliases(plugin)):
                    return plugin.name
            raise _unknown(name, open_plugins, None)

    def transports(self) -> Mapping[str, TransportFactory]:
        """Factories of communicators over host memory, by name: olympus' own, and what plugins add under other names.

        No plugin is loaded for it until a name is asked for that olympus has none of, or all names are.
        """
        return _Transports(self)

    def own_transport(self, name: str) -> TransportFactory | None:
        """The factory that olympus' own plugins have for a name, of which no more are loaded than have to be."""
        with self._lock:
            for plugin in self._known().values():
                if plugin.is_ours and name in self._load(plugin).transports:
                    return plugin.transports[name]
            return None

    def all_transports(self) -> dict[str, list[Plugin]]:
        """For each name the plugins that offer it: one, olympus' own first, or several strangers."""
        with self._lock:
            found: dict[str, list[Plugin]] = {}
            for plugin in sorted(self._load_all(), key=lambda p: not p.is_ours):
                for name in plugin.transports:
                    found.setdefault(name, []).append(plugin)
            return found

    def has(self, name: str) -> bool:
        """Whether a plugin has a name, without loading any."""
        with self._lock:
            return name in self._known()

    def installed(self) -> list[Platform]:
        """Every platform that can be loaded, whether or not it can be used here; opens nothing."""
        with self._lock:
            return [plugin.platform for plugin in self._load_all() if plugin.platform is not None]

    def report(self) -> list[PluginReport]:
        """What became of every plugin, loaded for this if need be; opens nothing."""
        with self._lock:
            rows = [plugin.report() for plugin in (*self._load_all(), *self._others)]
            # Of a name that several offer, each row says who has it.
            return [self._with_refused_transports(row) for row in rows]

    def _with_refused_transports(self, row: PluginReport) -> PluginReport:
        problems = []
        for name, plugins in self.all_transports().items():
            users = [p.distribution for p in plugins]
            owner = users[0] if plugins[0].is_ours else None
            if len(plugins) > 1 and row.distribution in users and row.distribution != owner:
                problems.append(str(DuplicateTransportError(name, users, owner)).partition("\n")[0])
        return row._replace(reason=" ".join([row.reason, *problems])) if problems else row

    def _known(self) -> dict[str, Plugin]:
        """The plugins by name, found once: reading the metadata of all distributions is slow."""
        if self._plugins is None:
            from .plugins import Plugin  # not needed before a platform is

            by_name: dict[str, dict[tuple[str, bool, bool], Plugin]] = {}
            for entry in self._find():
                plugin = Plugin(entry)
                # Of one distribution that is there twice Python imports the first; beside a script it is another thing.
                origin = plugin.project, plugin.is_ours, plugin.is_loose
                by_name.setdefault(plugin.name, {}).setdefault(origin, plugin)
            plugins: dict[str, Plugin] = {}
            others: list[Plugin] = []
            for name, found in sorted(by_name.items()):
                plugins[name], *refused = _one_of(name, list(found.values()))
                others += refused
            self._others, self._plugins = others, plugins
        return self._plugins

    def _load(self, plugin: Plugin) -> Plugin:
        return plugin.load(self._plugin_manager())

    def _load_all(self) -> list[Plugin]:
        return [self._load(plugin) for plugin in self._known().values()]

    def _plugin_manager(self) -> pluggy.PluginManager:
        if self._manager is None:
            import pluggy

            from olympus_core.plugin.hooks import PROJECT, PluginHooks

            manager = pluggy.PluginManager(PROJECT)
            manager.add_hookspecs(PluginHooks)
            self._manager = manager
        return self._manager

    def _select_automatically(self) -> list[Selection]:
        plugins = self._load_all()
        usable = [plugin for plugin in plugins if plugin.probe().available]
        if not usable:
            raise PlatformUnavailableError(None, {plugin.name: plugin.probe().reason for plugin in plugins})
        usable.sort(key=lambda plugin: (-plugin.priority, plugin.name))
        return [
            Selection(_platform(p), f"found automatically, priority {p.priority}: {p.probe().reason}", p, False)
            for p in usable
        ]

    def _named(self, name: str, source: str) -> list[Plugin]:
        """The plugins that a user's name stands for: the one of that name, or the usable ones with that alias."""
        plugin = self._known().get(name)
        if plugin is not None:
            error = self._load(plugin).error
            if error is not None:
                # It may be raised again and again, and would gather tracebacks.
                raise error.with_traceback(None)
            candidates = [plugin]
        else:
            candidates = [p for p in self._load_all() if name in _aliases(p)]
            candidates.sort(key=lambda p: (-p.priority, p.name))
            if not candidates:
                raise _unknown(name, list(self._known().values()), source)
        usable = [p for p in candidates if p.probe().available]
        if not usable:
            raise PlatformUnavailableError(name, {p.name: p.probe().reason for p in candidates}, source)
        return usable


class _Transports(Mapping[str, "TransportFactory"]):
    """The transports of all plugins, of which those that are not olympus' own are loaded at the first need."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def __getitem__(self, name: str) -> TransportFactory:
        own = self._registry.own_transport(name)
        if own is not None:
            return own
        plugins = self._registry.all_transports()[name]
        if len(plugins) > 1:
            raise DuplicateTransportError(name, [plugin.distribution for plugin in plugins])
        return plugins[0].transports[name]

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, plugins in self._registry.all_transports().items()
                     if plugins[0].is_ours or len(plugins) == 1])

    def __len__(self) -> int:
        return len(list(iter(self)))


def _one_of(name: str, found: list[Plugin]) -> list[Plugin]:
    """The plugin of a name, before those that are refused for it; where no one's it is, all are."""
    values = {(p.project, p.entry.value) for p in found if not p.is_loose}
    # A source tree beside the script is no news where it is installed, too.
    found = [p for p in found if not p.is_loose or (p.project, p.entry.value) not in values]
    loose = [p for p in found if p.is_loose]
    for plugin in loose:
        plugin.refuse(LoosePluginError(name, plugin.distribution, plugin.folder or ""))
    installed = [p for p in found if p not in loose]
    ours = [p for p in installed if p.is_ours]
    if len(installed) > 1:
        error = DuplicatePlatformError(
            name, sorted(p.distribution for p in installed), ours[0].distribution if ours else None)
        for plugin in installed:
            if plugin not in ours:
                plugin.refuse(error)
    return [*ours, *(p for p in installed if p not in ours), *loose]


def _installed() -> Iterable[EntryPoint]:
    """The entry points of all distributions, also of those that another of their name hides from `entry_points()`."""
    from importlib.metadata import distributions  # slow to import, and not needed before a platform is

    from olympus_core.plugin.hooks import ENTRY_POINT_GROUP

    for distribution in distributions():
        try:
            found = ENTRY_POINT_GROUP in (distribution.read_text("entry_points.txt") or "")
            entries = list(distribution.entry_points.select(group=ENTRY_POINT_GROUP)) if found else []
        except Exception:  # noqa: BLE001  (whatever is wrong with a stranger's files, they offer nothing)
            continue
        yield from entries


def _platform(plugin: Plugin) -> Platform:
    if plugin.platform is None:
        raise PluginLoadError(plugin.name, plugin.distribution, "it offers no platform")
    return plugin.platform


def _aliases(plugin: Plugin) -> tuple[str, ...]:
    return tuple(alias.lower() for alias in plugin.aliases) if plugin.platform else ()


def _unknown(name: str, plugins: Sequence[Plugin], source: str | None) -> UnknownPlatformError:
    names: Mapping[str, tuple[str, ...]] = {plugin.name: _aliases(plugin) for plugin in plugins}
    words = [word for plugin, aliases in names.items() for word in (plugin, *aliases)]
    import difflib  # seldom needed, and slow to import

    near = difflib.get_close_matches(name.lower(), words, 1)
    shown = [f"{plugin} (also {', '.join(aliases)})" if aliases else plugin for plugin, aliases in names.items()]
    return UnknownPlatformError(name, shown, near[0] if near else None, source)


registry = Registry()
