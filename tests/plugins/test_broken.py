# SPDX-License-Identifier: Apache-2.0
"""Plugins that are broken in every way: who does not use them is not harmed, who does is told which and how."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from olympus.cli import doctor
from olympus_core.config import Config
from olympus_core.errors import (
    DuplicatePlatformError,
    DuplicateTransportError,
    LoosePluginError,
    OlympusError,
    PluginAnswerError,
    PluginCallError,
    PluginLoadError,
    PluginTimeoutError,
    PluginWarning,
)
from olympus_core.plugin import Capabilities, DeviceDescription, Probe
from olympus_core.runtime import guarded, plugins
from olympus_core.runtime import world as world_room
from olympus_core.runtime.registry import Registry

from .test_registry import Installation, Platform, chosen, installation  # noqa: F401  (a fixture)

forever = threading.Event()  # never set: who waits for it hangs


class Client:
    """A client that can be asked, and does nothing."""

    capabilities = Capabilities(frozenset())

    def __init__(self) -> None:
        self.is_closed = False

    def describe_devices(self) -> Any:
        return [DeviceDescription(0, "kind", "text", "long")]

    def _nothing(self, *_: object) -> None:
        """Never asked for more."""

    bind_devices = buffer_from_host = compile = open_communicator = memory_stats = synchronize = _nothing

    def close(self) -> None:
        self.is_closed = True


class Whole(Platform):
    """A platform that opens."""

    def open(self, settings: object) -> Any:
        return Client()


def raising(error: BaseException) -> Any:
    def call(*_: object) -> Any:
        raise error

    return call


def platform(**answers: Any) -> Whole:
    made = Whole("bad", priority=-5)
    for name, answer in answers.items():
        setattr(made, name, answer)
    return made


def client(**answers: Any) -> Any:
    """A platform whose client answers so."""
    made = Client()
    for name, answer in answers.items():
        setattr(made, name, answer)
    return platform(open=lambda settings: made)


def device(**facts: Any) -> DeviceDescription:
    return DeviceDescription(**{"id": 0, "kind": "kind", "text": "text", "representation": "long", **facts})


def described(*devices: Any) -> Any:
    return client(describe_devices=lambda: list(devices))


PROBES = {
    "hangs": lambda: forever.wait() and None, "exits": raising(SystemExit(3)),
    "interrupts": raising(KeyboardInterrupt()),
    "raises": raising(OSError("no driver")), "base": raising(BaseException("odd")), "none": lambda: None,
    "text": lambda: "yes", "reason": lambda: Probe(True, None), "available": lambda: Probe("no", ""),  # type: ignore
}
ANSWERS = {
    "priority none": platform(priority=None), "priority text": platform(priority="9"),
    "priority float": platform(priority=1e308), "priority true": platform(priority=True),
    "priority large": platform(priority=1 << 40), "aliases none": platform(aliases=None),
    "aliases text": platform(aliases="gpu"), "aliases numbers": platform(aliases=(1,)),
}
OPENINGS = {
    "open raises": platform(open=raising(OSError("no driver"))), "open exits": platform(open=raising(SystemExit())),
    "open interrupts": platform(open=raising(KeyboardInterrupt())), "open none": platform(open=lambda s: None),
    "open hangs": platform(open=lambda s: forever.wait()), "listing hangs": client(describe_devices=forever.wait),
    "listing none": client(describe_devices=lambda: None), "listing text": client(describe_devices=lambda: "devices"),
    "listing empty": described(), "listing other": described(1), "id text": described(device(id="0")),
    "id negative": described(device(id=-1)), "id float": described(device(id=0.0)),
    "ids twice": described(device(), device()),
    "kind none": described(device(kind=None)), "text number": described(device(text=3)),
    "attributes none": described(device(attributes=None)), "capabilities none": client(capabilities=None),
    "dtypes text": client(capabilities=Capabilities(frozenset({"float32"}))),  # type: ignore[arg-type]
    "operations text": client(capabilities=Capabilities(frozenset(), "add")),  # type: ignore[arg-type]
    "donation text": client(capabilities=Capabilities(frozenset(), donation="no")),  # type: ignore[arg-type]
    "no method": client(compile=None), "bind raises": client(bind_devices=raising(OSError("no"))),
    "bind exits": client(bind_devices=raising(SystemExit())),
    "bind hangs": client(bind_devices=lambda devices: forever.wait()),
    "close raises": client(capabilities=None, close=raising(OSError("no"))),
    "close hangs": client(describe_devices=list, close=forever.wait),
}


@pytest.fixture(autouse=True)
def _settings(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Config]:
    """A short wait for who hangs, which ends alike on any machine; a long one for all others, which do not need it."""
    settings = Config(environ={}, arguments=[])
    real, short = guarded.guarded, Config(environ={"OLYMPUS_PLUGIN_TIMEOUT": "0.05"}, arguments=[])

    def asked(plugin: str, *rest: Any) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(guarded, "config", short if "hangs" in request.node.name and plugin == "bad" else settings)
            return real(plugin, *rest)

    monkeypatch.setattr(plugins, "guarded", asked)
    for module in (plugins, world_room):
        monkeypatch.setattr(module, "config", settings)
    yield settings


def told(plugin: str, how: str, registry: Registry) -> str:
    """What doctor says of a plugin, of one that hangs with a warning."""
    if "hangs" in how:
        with pytest.warns(PluginWarning, match="OLYMPUS_PLATFORMS"):
            rows = registry.report()
    else:
        rows = registry.report()
    text = "\n".join(doctor.platforms(registry))
    (row,) = (row for row in rows if row.name == plugin)
    assert row.state in ("failed", "unavailable", "refused") and row.reason.partition("\n")[0] in text
    return row.reason


@pytest.mark.parametrize("how", PROBES)
def test_probes(installation: Installation, how: str) -> None:  # noqa: F811
    installation.add_platform(Platform("good"))
    installation.add_platform(platform(probe=PROBES[how], priority=9))
    registry = installation.registry()
    reason = told("bad", how, registry)
    assert {"hangs": "0.05 s", "exits": "SystemExit", "interrupts": "KeyboardInterrupt", "raises": "no driver",
            "base": "odd", "reason": "expected: a text", "available": "True or False"}.get(how, "a Probe") in reason
    assert chosen(registry) == ["good"]


@pytest.mark.parametrize("how", ANSWERS)
def test_facts(installation: Installation, how: str) -> None:  # noqa: F811
    installation.add_platform(Platform("good"))
    installation.add_platform(ANSWERS[how])
    registry = installation.registry()
    assert chosen(registry) == ["good"]
    with pytest.raises(PluginAnswerError, match=how.partition(" ")[0]) as caught:
        registry.select(("bad",), "the test")
    assert caught.value.plugin == "bad" and caught.value.distribution == "dist-bad 2.5"
    assert caught.value.given and caught.value.expected and isinstance(caught.value, (TypeError, ValueError))
    assert told("bad", how, registry) == str(caught.value)


@pytest.mark.parametrize(("text", "said"), [
    ("raise SystemExit(3)", "SystemExit: 3"), ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ("import threading\nthreading.Event().wait()", "its import in 0.05 s"), ("raise BaseException('odd')", "odd"),
    ("1 / 0", "ZeroDivisionError"), ("syntax error", "SyntaxError"),
], ids=["exits", "interrupts", "hangs", "base", "raises", "syntax"])
def test_imports(installation: Installation, text: str, said: str) -> None:  # noqa: F811
    installation.add_platform(Platform("good"))
    installation.add_file("bad", f"{text}\n")
    registry = installation.registry()
    assert said in told("bad", "hangs" if "wait" in text else "", registry)
    assert chosen(registry) == ["good"]
    kind = PluginTimeoutError if "wait" in text else PluginLoadError
    with pytest.raises(kind, match="'bad' of dist-bad 2.5") as caught:
        registry.select(("bad",), "the test")
    if "wait" in text:
        assert isinstance(caught.value, TimeoutError) and "OLYMPUS_PLUGIN_TIMEOUT" in str(caught.value)


@pytest.mark.parametrize("answer", ["tcp", {"wire": None}, {1: print}, 3, {"": print}], ids=str)
def test_transports(installation: Installation, answer: Any) -> None:  # noqa: F811
    installation.add_platform(Platform("good"))
    installation.add("bad", {"olympus_transports": lambda: answer})
    registry = installation.registry()
    assert "olympus_transports()" in told("bad", "", registry)
    assert list(registry.transports()) == [] and chosen(registry) == ["good"]


def opened(made: Installation, monkeypatch: pytest.MonkeyPatch) -> world_room.World:
    monkeypatch.setattr(world_room, "registry", made.registry())
    return world_room.World(None, "here")


@pytest.mark.parametrize("how", OPENINGS)
def test_what_nobody_named_may_fail_to_open(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, how: str  # noqa: F811
) -> None:
    installation.add_platform(Whole("good"))
    installation.add_platform(OPENINGS[how])
    with pytest.warns(PluginWarning, match="'bad'"):
        world = opened(installation, monkeypatch)
    assert list(world.clients) == ["good"] and len(world.devices()) == 1
    with pytest.raises((PluginAnswerError, PluginCallError, PluginTimeoutError), match="'bad' of dist-bad 2.5"):
        world.devices("bad")
    world.close()


@pytest.mark.parametrize("how", [how for how in OPENINGS if "hangs" not in how and "interrupts" not in how])
def test_what_is_named_and_fails_to_open_is_told(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, _settings: Config, how: str  # noqa: F811
) -> None:
    _settings.update("olympus_platforms", "good,bad")
    good = Client()
    installation.add_platform(Whole("good")).open = lambda settings: good  # type: ignore[method-assign]
    installation.add_platform(OPENINGS[how])
    with pytest.raises((PluginAnswerError, PluginCallError), match="'bad' of dist-bad 2.5"):
        opened(installation, monkeypatch)
    assert good.is_closed


def test_the_default_is_the_program_s_concern(
    installation: Installation, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    installation.add_platform(Whole("good"))
    bad = installation.add_platform(Whole("bad", priority=9))
    bad.open = raising(OSError("no driver"))  # type: ignore[method-assign]
    with pytest.raises(PluginCallError, match=r"open\(\): OSError: no driver") as caught:
        opened(installation, monkeypatch)
    assert "OLYMPUS_PLATFORMS" in str(caught.value)


def test_a_name_that_is_olympus_own_stays_so(tmp_path: Path, installation: Installation) -> None:  # noqa: F811
    own = Installation(tmp_path / "own")
    own.folder.mkdir()
    own.add_entry("cpu", "olympus_cpu.hooks", "olympus-runtime")
    installation.add_platform(Platform("cpu", priority=99))
    for order in (1, -1):
        registry = Registry(lambda order=order: [*own.find(), *installation.find()][::order])
        (selection,) = registry.select(("cpu",), "the test")
        assert type(selection.platform).__module__ == "olympus_cpu.platform"
        first, second = sorted(registry.report(), key=lambda row: row.state)
        assert (first.distribution, first.state) == ("olympus-runtime 2.5", "available")
        assert (second.distribution, second.state) == ("dist-cpu 2.5", "refused")
        assert "the one of olympus-runtime 2.5 is used" in second.reason
        text = "\n".join(doctor.platforms(registry))
        assert "cpu: chosen: " in text and "cpu: refused: The platform 'cpu' is offered by several" in text


def test_two_strangers_of_one_name_refuse_each_other(installation: Installation) -> None:  # noqa: F811
    installation.add_platform(Platform("twice"), "dist-a")
    installation.add_platform(Platform("twice"), "dist-b")
    rows = [row for row in installation.registry().report() if row.name == "twice"]
    assert [row.state for row in rows] == ["refused", "refused"] and all("none of them" in row.reason for row in rows)
    with pytest.raises(DuplicatePlatformError):
        installation.registry().select(("twice",), "the test")


def test_transports_names_are_not_taken_over(tmp_path: Path, installation: Installation) -> None:  # noqa: F811
    from olympus_cpu.transports.selection import TRANSPORTS

    own = Installation(tmp_path / "own")
    own.folder.mkdir()
    own.add_entry("cpu", "olympus_cpu.hooks", "olympus-runtime")
    installation.add("a", {"olympus_transports": lambda: {"tcp": print, "wire": print, "mine": print}})
    installation.add("b", {"olympus_transports": lambda: {"wire": repr}})
    registry = Registry(lambda: [*installation.find(), *own.find()])
    offered = registry.transports()
    assert offered["tcp"] is TRANSPORTS["tcp"]
    assert not [p for p in registry._known().values() if p.transports and not p.is_ours]  # nobody else was asked yet
    assert offered["mine"] is print and set(offered) == {*TRANSPORTS, "mine"}
    with pytest.raises(DuplicateTransportError, match="none of them is used") as caught:
        offered["wire"]
    assert set(caught.value.distributions) == {"dist-a 2.5", "dist-b 2.5"}
    reasons = {row.name: row.reason for row in registry.report()}
    assert "'tcp' is offered by several plugins; the one of olympus-runtime 2.5 is used" in reasons["a"]
    assert "'wire' is offered by several" in reasons["b"] and "several" not in reasons["cpu"]


def test_own_transports_come_first_in_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    from olympus_core.plugin import PlatformSettings
    from olympus_cpu.transports.selection import TRANSPORTS, Transports

    prepared = []
    monkeypatch.setattr(type(TRANSPORTS["tcp"]), "prepare", lambda *_: prepared.append("own"))
    rendezvous: Any = SimpleNamespace(process_count=2)
    Transports(PlatformSettings(rendezvous=rendezvous, transport="tcp", transports={"tcp": print}))
    assert prepared == ["own"]


@pytest.mark.parametrize(("file", "text"), [
    ("METADATA", ""), ("METADATA", None), ("METADATA", "\0\xff"),
    ("entry_points.txt", "[olympus.platforms]\nbad\n=\n[\n"),
    ("entry_points.txt", "\xff[olympus.platforms]"), ("entry_points.txt", "[olympus.platforms]\nbad = no module!\n"),
    ("entry_points.txt", "[olympus.platforms]\nbad =\n"),
], ids=range(7))
def test_metadata(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, file: str, text: str | None  # noqa: F811
) -> None:
    installation.add_platform(Platform("good"))
    installation.add_platform(Platform("bad"))
    (path,) = installation.folder.glob(f"dist_bad*/{file}")
    path.unlink() if text is None else path.write_bytes(text.encode("latin-1"))
    monkeypatch.setattr(sys, "path", [str(installation.folder)])
    registry = Registry()
    assert chosen(registry, ("good",)) == ["good"] and "good" in chosen(registry)
    assert "good: chosen" in "\n".join(doctor.platforms(registry))


class TestBesideTheScript:
    @pytest.fixture
    def loose(self, installation: Installation, monkeypatch: pytest.MonkeyPatch) -> Installation:  # noqa: F811
        monkeypatch.chdir(installation.folder)
        installation.add_platform(Platform("bad"))
        return installation

    def test_is_told_and_not_loaded(self, loose: Installation) -> None:
        loose.add_file("file", "raise AssertionError('imported')\n")
        registry = loose.registry()
        for name in ("bad", "file"):
            with pytest.raises(LoosePluginError, match="OLYMPUS_LOCAL_PLUGINS=1") as caught:
                registry.select((name,), "the test")
            assert caught.value.folder == os.path.realpath(loose.folder) and isinstance(caught.value, ImportError)
            assert "lies beside the script" in told(name, "", registry)
        assert loose.modules[1] not in sys.modules
        with pytest.raises(OlympusError, match="No platform can be used"):
            registry.select()

    def test_the_script_s_folder_is_such_a_one(
        self, installation: Installation, monkeypatch: pytest.MonkeyPatch  # noqa: F811
    ) -> None:
        installation.add_platform(Platform("bad"))
        monkeypatch.setitem(sys.modules, "__main__", SimpleNamespace(__file__=str(installation.folder / "script.py")))
        with pytest.raises(LoosePluginError):
            installation.registry().select(("bad",), "the test")

    def test_an_option_allows_it(self, loose: Installation, _settings: Config) -> None:
        _settings.update("olympus_local_plugins", True)
        assert chosen(loose.registry(), ("bad",)) == ["bad"]

    @pytest.mark.parametrize(("path", "is_good"), [("{}", True), (".", False), (":/elsewhere:", False)])
    def test_a_folder_that_python_path_names(
        self, loose: Installation, monkeypatch: pytest.MonkeyPatch, path: str, is_good: bool
    ) -> None:
        settings = Config(environ={"PYTHONPATH": path.format(loose.folder)}, arguments=[])
        monkeypatch.setattr(plugins, "config", settings)
        assert bool(loose.registry().report()[0].state == "available") is is_good

    def test_it_takes_no_installed_one_s_name(self, tmp_path: Path, loose: Installation) -> None:
        other = Installation(tmp_path / "site")
        other.folder.mkdir()
        module = loose.add("bad", {"olympus_platform": lambda: Platform("bad", priority=7)})
        loose.add_platform(Platform("bad"))
        other.add_entry("bad", module, "installed")
        registry = Registry(lambda: [*loose.find(), *other.find()])
        (selection,) = registry.select(("bad",), "the test")
        assert selection.plugin is not None and selection.plugin.distribution == "installed 2.5"
        assert sorted(row.state for row in registry.report()) == ["available", "refused"]


@pytest.mark.processes
def test_a_distribution_beside_the_script_hides_no_installed_one(tmp_path: Path) -> None:
    """Python's own list has the first of each name only: here one that says it were olympus itself."""
    from tests.support.processes import run_processes

    loose = Installation(tmp_path)
    loose.add_file("cpu", "raise AssertionError('imported')\n")
    loose.add_entry("cpu", loose.modules[0], "olympus-runtime")
    (tmp_path / "script.py").write_text("import olympus\nprint(olympus.devices())\n")
    (end,) = run_processes(tmp_path / "script.py", 1)
    assert (end.returncode, end.stdout.strip()) == (0, "[CpuDevice(id=0)]"), end.stderr


@pytest.mark.processes
def test_the_named_platform_imports_no_other_plugin(tmp_path: Path) -> None:
    """In a process of its own, with our own plugins installed as they are and others that end or hang it."""
    from tests.support.processes import run_processes

    strangers = Installation(tmp_path)
    for name, text in (("hangs", "import threading\nthreading.Event().wait()\n"), ("ends", "import os\nos._exit(7)\n")):
        strangers.add_file(name, text)
    program = f"""
        import sys
        import numpy as np, olympus, olympus.numpy as jnp
        assert float(jnp.sum(olympus.device_put(np.ones(3, np.float32)))) == 3
        names = ["olympus_cuda", "olympus_tpu", "olympus_pjrt", *{strangers.modules!r}]
        print([name for name in names if name in sys.modules])
    """
    (end,) = run_processes(program, 1, env={"OLYMPUS_PLATFORMS": "cpu", "PYTHONPATH": f"{tmp_path}:{os.getcwd()}"})
    assert (end.returncode, end.stdout.strip()) == (0, "[]"), end.stderr
