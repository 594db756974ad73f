# SPDX-License-Identifier: Apache-2.0
"""The registry of platforms, with entry points made up for the test."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from olympus.cli import doctor
from olympus_core.config import Config
from olympus_core.errors import OlympusError
from olympus_core.errors.platform import (
    ContractVersionError,
    DuplicatePlatformError,
    PlatformUnavailableError,
    PluginLoadError,
    UnknownPlatformError,
)
from olympus_core.plugin import API_VERSION, Probe, hookimpl
from olympus_core.runtime.plugins import PluginReport
from olympus_core.runtime.registry import Registry

MAJOR, MINOR = API_VERSION


class Platform:
    """A platform that can be asked, but not opened."""

    def __init__(self, name: str, *, available: bool = True, priority: int = 0, aliases: tuple[str, ...] = (),
                 api_version: Any = API_VERSION) -> None:
        self.name, self.priority, self.aliases, self.api_version = name, priority, aliases, api_version
        self.available = available
        self.probes = 0

    def probe(self) -> Probe:
        self.probes += 1
        return Probe(self.available, f"{self.name} is {'there' if self.available else 'not there'}")

    def open(self, settings: object) -> Any:
        raise AssertionError("the registry opens nothing")


_numbers = count()  # a module that hangs is waited for by whoever imports one of its name


class Installation:
    """Distributions in a folder of their own, found as installed ones are; their modules are made in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scans = 0
        self.modules: list[str] = []

    def add(self, name: str, hooks: Mapping[str, Callable[[], Any]], distribution: str | None = None) -> str:
        """A distribution with one plugin of this name, and a module with these hooks."""
        module = f"registry_test_{next(_numbers)}_{name}"
        self.modules.append(module)
        made = sys.modules[module] = ModuleType(module)
        for hook, function in hooks.items():
            setattr(made, hook, hookimpl(function))
        self.add_entry(name, module, distribution or f"dist-{name}")
        return module

    def add_platform(self, platform: Platform, distribution: str | None = None) -> Platform:
        self.add(platform.name, {"olympus_platform": lambda: platform}, distribution)
        return platform

    def add_file(self, name: str, text: str) -> None:
        """A distribution whose module is a file with this text."""
        module = f"registry_test_{next(_numbers)}_{name}"
        self.modules.append(module)
        (self.folder / f"{module}.py").write_text(text)
        self.add_entry(name, module, f"dist-{name}")

    def add_entry(self, name: str, module: str, distribution: str) -> None:
        info = self.folder / f"{distribution.replace('-', '_')}-2.5.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 2.5\n")
        (info / "entry_points.txt").write_text(f"[olympus.platforms]\n{name} = {module}\n")

    def find(self) -> list[importlib.metadata.EntryPoint]:
        self.scans += 1
        distributions = importlib.metadata.distributions(path=[str(self.folder)])
        return [entry for d in distributions for entry in d.entry_points if entry.group == "olympus.platforms"]

    def registry(self) -> Registry:
        return Registry(self.find)

    def row(self, name: str) -> PluginReport:
        return next(row for row in self.registry().report() if row.name == name)


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    monkeypatch.syspath_prepend(tmp_path)
    made = Installation(tmp_path)
    yield made
    for module in made.modules:
        sys.modules.pop(module, None)


def chosen(registry: Registry, names: tuple[str, ...] | None = None) -> list[str]:
    return [selection.platform.name for selection in registry.select(names, "the test")]


class TestAutomaticChoice:
    def test_by_priority_without_the_unavailable(self, installation: Installation) -> None:
        installation.add_platform(Platform("slow"))
        installation.add_platform(Platform("fast", priority=10))
        installation.add_platform(Platform("absent", priority=99, available=False))
        registry = installation.registry()
        assert chosen(registry) == ["fast", "slow"]
        assert registry.select()[0].reason == "found automatically, priority 10: fast is there"

    def test_broken_plugins_are_passed_by(self, installation: Installation) -> None:
        installation.add_platform(Platform("good"))
        installation.add_file("broken", "import nothing_of_this_name\n")
        installation.add_file("quits", "raise SystemExit(3)\n")
        installation.add_platform(Platform("future", api_version=(MAJOR + 1, 0)))
        assert chosen(installation.registry()) == ["good"]

    def test_nothing_usable(self, installation: Installation) -> None:
        installation.add_platform(Platform("absent", available=False))
        with pytest.raises(PlatformUnavailableError, match="absent is not there") as caught:
            installation.registry().select()
        assert caught.value.platform is None and set(caught.value.reasons) == {"absent"}

    def test_nothing_installed(self, installation: Installation) -> None:
        with pytest.raises(PlatformUnavailableError, match="no platform at all"):
            installation.registry().select()


class TestNames:
    def test_order_is_the_users(self, installation: Installation) -> None:
        for name, priority in (("one", 1), ("two", 2)):
            installation.add_platform(Platform(name, priority=priority))
        registry = installation.registry()
        assert chosen(registry, ("one", "two", "one")) == ["one", "two"]
        assert chosen(registry, ("two",)) == ["two"]
        assert registry.select(("two",), "the test")[0].reason == "named by the test: two is there"

    def test_source_is_the_configuration(
        self, installation: Installation, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        installation.add_platform(Platform("one"))
        registry = installation.registry()
        settings = Config(environ={"OLYMPUS_PLATFORMS": "one"}, arguments=[])
        monkeypatch.setattr("olympus_core.runtime.registry.config", settings)
        reason = registry.select(settings.platforms)[0].reason
        assert reason == "named by environment variable OLYMPUS_PLATFORMS: one is there"
        with pytest.raises(UnknownPlatformError) as caught:
            registry.select(("ome",))
        assert caught.value.source == "the call"

    def test_only_the_named_plugin_is_loaded(self, installation: Installation) -> None:
        installation.add_platform(Platform("one"))
        installation.add_file("other", "raise RuntimeError('must not be imported')\n")
        registry = installation.registry()
        assert chosen(registry, ("one",)) == ["one"]
        assert installation.modules[1] not in sys.modules
        assert {row.name: row.state for row in registry.report()} == {"one": "available", "other": "failed"}

    def test_metadata_are_read_once_and_late(self, installation: Installation) -> None:
        platform = installation.add_platform(Platform("one"))
        registry = installation.registry()
        assert installation.scans == 0
        for _ in range(3):
            registry.select()
            registry.report()
            registry.transports()
        assert installation.scans == 1 and platform.probes == 1

    def test_unknown(self, installation: Installation) -> None:
        installation.add_platform(Platform("cuda", aliases=("gpu",)))
        with pytest.raises(RuntimeError, match="Did you mean 'cuda'") as caught:
            installation.registry().select(("cdua",), "the test")
        assert isinstance(caught.value, UnknownPlatformError) and isinstance(caught.value, OlympusError)
        assert caught.value.platforms == ("cuda (also gpu)",) and caught.value.nearest == "cuda"
        assert "by the test" in str(caught.value)

    def test_alias_stands_for_what_is_present(self, installation: Installation) -> None:
        installation.add_platform(Platform("cuda", aliases=("gpu",), priority=5, available=False))
        installation.add_platform(Platform("rocm", aliases=("GPU",), priority=4))
        installation.add_platform(Platform("cpu"))
        registry = installation.registry()
        assert chosen(registry, ("gpu", "cpu")) == ["rocm", "cpu"]
        assert registry.select(("GPU",), "the test")[0].reason.startswith("named 'GPU' by the test")

    def test_alias_of_nothing_usable(self, installation: Installation) -> None:
        installation.add_platform(Platform("cuda", aliases=("gpu",), available=False))
        installation.add_platform(Platform("cpu"))
        with pytest.raises(PlatformUnavailableError, match="cuda is not there") as caught:
            installation.registry().select(("gpu", "cpu"), "the test")
        assert caught.value.platform == "gpu"

    def test_named_and_unavailable(self, installation: Installation) -> None:
        installation.add_platform(Platform("absent", available=False))
        installation.add_platform(Platform("cpu"))
        with pytest.raises(RuntimeError, match="absent is not there"):
            installation.registry().select(("absent", "cpu"), "the test")

    def test_resolve(self, installation: Installation) -> None:
        installation.add_platform(Platform("cuda", aliases=("gpu",)))
        installation.add_platform(Platform("cpu"))
        registry = installation.registry()
        assert registry.resolve("gpu", ("cpu", "cuda")) == "cuda"
        assert registry.resolve("cpu", ("cpu", "cuda")) == "cpu"
        with pytest.raises(UnknownPlatformError) as caught:
            registry.resolve("gpu", ("cpu",))
        assert caught.value.platforms == ("cpu",)


class TestFailures:
    def test_import_error_keeps_its_traceback(self, installation: Installation) -> None:
        installation.add_file("broken", "def helper():\n    import nothing_of_this_name\n\nhelper()\n")
        with pytest.raises(ImportError, match="nothing_of_this_name") as caught:
            installation.registry().select(("broken",), "the test")
        assert isinstance(caught.value, PluginLoadError)
        assert isinstance(caught.value.__cause__, ModuleNotFoundError)
        assert caught.value.distribution == "dist-broken 2.5"
        row = installation.row("broken")
        assert row.state == "failed" and "in helper" in (row.traceback or "")

    def test_naming_it_twice_raises_twice(self, installation: Installation) -> None:
        installation.add_file("broken", "raise ValueError('no')\n")
        registry = installation.registry()
        for _ in range(2):
            with pytest.raises(PluginLoadError, match="ValueError: no"):
                registry.select(("broken",), "the test")

    @pytest.mark.parametrize(
        ("made_for", "package"),
        [((MAJOR + 1, 0), "olympus-runtime"), ((MAJOR, MINOR + 1), "olympus-runtime"), ((MAJOR - 1, 9), "dist-other")],
    )
    def test_contract_version(self, installation: Installation, made_for: tuple[int, int], package: str) -> None:
        platform = installation.add_platform(Platform("other", api_version=made_for))
        with pytest.raises(ContractVersionError) as caught:
            installation.registry().select(("other",), "the test")
        text = str(caught.value)
        assert f"contract {made_for[0]}.{made_for[1]}" in text and f"to {MAJOR}.{MINOR}" in text
        assert f"pip install --upgrade {package}" in text
        assert installation.row("other").state == "refused" and platform.probes == 0

    def test_older_minor_is_taken(self, installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("olympus_core.runtime.plugins.API_VERSION", (MAJOR, MINOR + 3))
        installation.add_platform(Platform("older", api_version=(MAJOR, MINOR + 1)))
        assert chosen(installation.registry(), ("older",)) == ["older"]

    @pytest.mark.parametrize("version", [None, 1, "1.0.0", (1,), ("a", "b")])
    def test_no_version(self, installation: Installation, version: Any) -> None:
        installation.add_platform(Platform("odd", api_version=version))
        with pytest.raises(PluginLoadError, match="api_version"):
            installation.registry().select(("odd",), "the test")

    def test_two_distributions_with_one_name(self, installation: Installation) -> None:
        installation.add_platform(Platform("twice"), "dist-a")
        installation.add_platform(Platform("twice"), "dist-b")
        installation.add_platform(Platform("good"))
        registry = installation.registry()
        assert chosen(registry) == ["good"]
        with pytest.raises(DuplicatePlatformError, match=r"pip uninstall dist-a \| dist-b") as caught:
            registry.select(("twice",), "the test")
        assert set(caught.value.distributions) == {"dist-a 2.5", "dist-b 2.5"}
        assert installation.row("twice").state == "refused"

    def test_name_unlike_the_entry_point(self, installation: Installation) -> None:
        installation.add("alpha", {"olympus_platform": lambda: Platform("beta")})
        with pytest.raises(PluginLoadError, match="'beta'"):
            installation.registry().select(("alpha",), "the test")

    def test_incomplete_platform(self, installation: Installation) -> None:
        platform = Platform("half")
        del platform.priority
        installation.add_platform(platform)
        with pytest.raises(PluginLoadError, match="lacks priority"):
            installation.registry().select(("half",), "the test")

    def test_hook_with_unknown_arguments(self, installation: Installation) -> None:
        installation.add_platform(Platform("good"))
        installation.add("greedy", {"olympus_platform": lambda settings: None})
        assert chosen(installation.registry()) == ["good"]
        assert "PluginValidationError" in installation.row("greedy").reason

    def test_module_without_hooks(self, installation: Installation) -> None:
        installation.add("empty", {})
        assert installation.row("empty").state == "failed"
        assert "implements no hook" in installation.row("empty").reason

    def test_hook_and_probe_that_raise(self, installation: Installation) -> None:
        def hook() -> Platform:
            raise KeyError("in the hook")

        class Bad(Platform):
            def probe(self) -> Probe:
                raise OSError("no driver")

        installation.add("hooked", {"olympus_platform": hook})
        installation.add_platform(Bad("probed"))
        assert "in the hook" in installation.row("hooked").reason
        row = installation.row("probed")
        assert row.state == "unavailable" and "no driver" in row.reason and "OSError" in (row.traceback or "")


class TestTransports:
    def test_of_all_plugins(self, installation: Installation) -> None:
        def factory(group: Any, rendezvous: Any) -> Any:
            raise AssertionError("nothing is opened")

        installation.add("wires", {"olympus_transports": lambda: {"wire": factory}})
        installation.add("broken", {"olympus_transports": lambda: 1 / 0})
        installation.add_platform(Platform("cpu"))
        registry = installation.registry()
        assert registry.transports() == {"wire": factory}
        assert chosen(registry) == ["cpu"]
        assert installation.row("wires").state == "no platform" and installation.row("wires").transports == ("wire",)
        with pytest.raises(PlatformUnavailableError, match="offers no platform"):
            registry.select(("wires",), "the test")


class TestDoctor:
    def test_tells_all(self, installation: Installation) -> None:
        installation.add_platform(Platform("cpu"))
        installation.add_platform(Platform("cuda", priority=5, available=False, aliases=("gpu",)))
        installation.add_file("broken", "import nothing_of_this_name\n")
        text = "\n".join(doctor.platforms(installation.registry()))
        assert "cpu: chosen: found automatically, priority 0: cpu is there" in text
        assert "cuda: unavailable: cuda is not there" in text and "also named gpu" in text
        assert "broken: failed:" in text and "| ModuleNotFoundError" in text
        assert "default platform: cpu" in text and "error: " not in text

    def test_tells_what_is_wrong(self, installation: Installation) -> None:
        installation.add_platform(Platform("absent", available=False))
        assert list(doctor.platforms(installation.registry()))[-1].startswith("error: No platform can be used here.")

    def test_command(self, capsys: pytest.CaptureFixture[str]) -> None:
        from olympus.cli import main

        assert main(["doctor"]) == 0
        text = capsys.readouterr().out
        for title in ("Versions", "Platforms", "Cluster", "Configuration", "Hints"):
            assert f"{title}\n  " in text
        assert "cpu: chosen" in text and "olympus_num_cpu_devices = 8  (config.update at " in text
        assert "Devices" not in text


def test_installed_platforms() -> None:
    """The distribution's own platform comes by the same door."""
    registry = Registry()
    assert [selection.platform.name for selection in registry.select(("cpu",), "the test")] == ["cpu"]
    assert next(row for row in registry.report() if row.name == "cpu").module == "olympus_cpu.hooks"
