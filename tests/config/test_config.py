# SPDX-License-Identifier: Apache-2.0
"""The configuration: precedence, sources, freezing, scopes, what errors say."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from olympus.config import ConfigView
from olympus_core.config import OPTIONS, Config
from olympus_core.errors import OlympusError
from olympus_core.errors.config import (
    ConfigFrozenError,
    OptionAssignmentError,
    OptionScopeError,
    OptionValueError,
    UnknownOptionError,
)
from tests.support.calls import calls_of

HERE = __file__


def made(arguments: tuple[str, ...] = (), **environ: str) -> Config:
    return Config(environ=environ, arguments=list(arguments))


class TestTable:
    def test_defaults_fit_their_own_kind(self) -> None:
        for option in OPTIONS:
            assert option.kind.read(option.default) == option.default, option.name

    def test_rows_are_complete_and_unique(self) -> None:
        assert len({option.name for option in OPTIONS}) == len(OPTIONS)
        for option in OPTIONS:
            assert option.name.startswith("olympus_") and option.sentence.endswith(".")
            assert option.variable == option.name.upper()

    def test_every_option_is_an_attribute(self) -> None:
        config = made()
        for option in OPTIONS:
            assert getattr(config, option.attribute) == option.default == config.get(option.name)
            assert config.source(option.name) == "default"

    def test_unknown_attribute(self) -> None:
        assert not hasattr(made(), "platfroms")


class TestPrecedence:
    def test_each_source_beats_the_next(self) -> None:
        config = made(OLYMPUS_ENABLE_X64="0")
        assert config.source("olympus_enable_x64") == "environment variable OLYMPUS_ENABLE_X64"
        config = made(("--olympus_enable_x64=1",), OLYMPUS_ENABLE_X64="0")
        assert config.enable_x64 is True
        assert config.source("olympus_enable_x64") == "command line flag --olympus_enable_x64"
        config.update("olympus_enable_x64", False)
        assert config.enable_x64 is False
        assert config.source("olympus_enable_x64").startswith(f"config.update at {HERE}:")
        with config.override("olympus_enable_x64", True):
            assert config.enable_x64 is True
            assert config.source("olympus_enable_x64").startswith(f"context manager at {HERE}:")
            assert config.resolve("olympus_enable_x64", "off") is False
            assert config.resolve("olympus_enable_x64") is True
        assert config.enable_x64 is False

    def test_empty_variable_is_not_set(self) -> None:
        assert made(OLYMPUS_PLATFORMS="").platforms is None

    def test_nothing_is_read_before_it_is_needed(self) -> None:
        environ: dict[str, str] = {"OLYMPUS_NUM_CPU_DEVICES": "many"}
        config = Config(environ=environ, arguments=[])
        environ["OLYMPUS_PLATFORMS"] = "cuda, CPU,cuda"
        assert config.platforms == ("cuda", "cpu")
        with pytest.raises(OptionValueError, match="environment variable OLYMPUS_NUM_CPU_DEVICES"):
            config.num_cpu_devices

    def test_update_names_the_callers_line(self) -> None:
        config = made()
        config.update("olympus_num_cpu_devices", 8)
        line = TestPrecedence.test_update_names_the_callers_line.__code__.co_firstlineno + 2
        assert config.source("olympus_num_cpu_devices") == f"config.update at {HERE}:{line}"


class TestFlags:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("--olympus_platforms=tpu,cpu",), ("tpu", "cpu")),
            (("-olympus_platforms=cpu",), ("cpu",)),
            (("--olympus_platforms", "cpu", "x"), ("cpu",)),
            (("--olympus_platforms=a", "--olympus_platforms=b"), ("b",)),
            (("--", "--olympus_platforms=a"), None),
            (("--other=1", "olympus_platforms=a"), None),
        ],
    )
    def test_names(self, arguments: tuple[str, ...], expected: Any) -> None:
        assert made(arguments).platforms == expected

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("--olympus_check_divergence",), True),
            (("--noolympus_check_divergence",), False),
            (("--olympus_check_divergence=false",), False),
            (("--olympus_check_divergence", "no"), True),
        ],
    )
    def test_truth_values(self, arguments: tuple[str, ...], expected: bool) -> None:
        assert made(arguments).check_divergence is expected

    def test_the_process_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.argv", ["--olympus_late_timeout=1", "--olympus_late_timeout=2.5"])
        assert Config(environ={}).late_timeout == 2.5


class TestValues:
    @pytest.mark.parametrize(
        ("name", "value", "expected"),
        [
            ("olympus_platforms", "cpu", ("cpu",)),
            ("olympus_platforms", ["CUDA", "cpu"], ("cuda", "cpu")),
            ("olympus_platforms", None, None),
            ("olympus_local_device_ids", " 2, 0", (2, 0)),
            ("olympus_local_device_ids", 1, (1,)),
            ("olympus_local_device_ids", [3, np.int64(1)], (3, 1)),
            ("olympus_num_cpu_devices", np.int64(3), 3),
            ("olympus_num_cpu_devices", " 4 ", 4),
            ("olympus_enable_x64", np.True_, True),
            ("olympus_enable_x64", "Off", False),
            ("olympus_deadlock_timeout", 3, 3.0),
            ("olympus_default_device", "cpu", "cpu"),
            ("olympus_cpu_transport", "MPI", "mpi"),
            ("olympus_num_threads", "2", 2),
            ("olympus_num_threads", 2048, 2048),
            ("olympus_num_threads", None, None),
            ("olympus_dump_to", "/some/Place", "/some/Place"),
            ("olympus_preemption_signal", "usr2", "SIGUSR2"),
            ("olympus_preemption_signal", " SIGTERM", "SIGTERM"),
            ("olympus_preemption_signal", "none", None),
            ("olympus_compilation_cache_dir", Path("/some/Place"), "/some/Place"),
            ("olympus_ports", 8476, "8476"),
            ("olympus_ports", "8476, 9000-9009", "8476,9000-9009"),
            ("olympus_ports", None, None),
            ("olympus_network", "10.1.2.3/8, eth1", ("10.0.0.0/8", "eth1")),
            ("olympus_network", ["fd00::1/8"], ("fd00::/8",)),
            ("olympus_network", "10.1.2.3", ("10.1.2.3/32",)),
        ],
    )
    def test_taken(self, name: str, value: Any, expected: Any) -> None:
        config = made()
        config.update(name, value)
        assert config.get(name) == expected
        assert type(config.get(name)) is type(expected)

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("olympus_platforms", ""),
            ("olympus_platforms", 3),
            ("olympus_platforms", [1]),
            ("olympus_local_device_ids", ""),
            ("olympus_local_device_ids", "0,0"),
            ("olympus_local_device_ids", -1),
            ("olympus_local_device_ids", True),
            ("olympus_num_cpu_devices", 0),
            ("olympus_num_cpu_devices", True),
            ("olympus_num_cpu_devices", 2.0),
            ("olympus_num_cpu_devices", "two"),
            ("olympus_num_threads", 0),
            ("olympus_num_threads", "100000"),
            ("olympus_enable_x64", 1),
            ("olympus_enable_x64", "maybe"),
            ("olympus_deadlock_timeout", -1),
            ("olympus_deadlock_timeout", float("inf")),
            ("olympus_deadlock_timeout", float("nan")),
            ("olympus_deadlock_timeout", True),
            ("olympus_default_device", 0),
            ("olympus_cpu_transport", 7),
            ("olympus_dump_to", 7),
            ("olympus_preemption_signal", "SIGKILL"),
            ("olympus_preemption_signal", 15),
            ("olympus_preemption_signal", ""),
            ("olympus_dump_to", " "),
            *(("olympus_ports", wrong) for wrong in ("", "0", "84-", "9-3", "65536", "http", "1-2-3", 1.5, True)),
            *(("olympus_network", wrong) for wrong in ("", "10.0.0.0/99", "10.0.0", "eth0,", "fd00::x", "a b", 3)),
        ],
    )
    def test_refused(self, name: str, value: Any) -> None:
        config = made()
        before = config.get(name)
        with pytest.raises(OptionValueError) as caught:
            config.update(name, value)
        assert isinstance(caught.value, (OlympusError, ValueError, TypeError))
        assert caught.value.option == name and caught.value.source.startswith(f"config.update at {HERE}")
        assert repr(value) in str(caught.value) and caught.value.expected in str(caught.value)
        assert config.get(name) == before and config.source(name) == "default"

    def test_a_device_is_kept_as_it_is(self) -> None:
        class Device:
            platform, id = "cpu", 0

        device, config = Device(), made()
        config.update("olympus_default_device", device)
        assert config.default_device is device

    @given(st.text(alphabet="olympus_xcdevnrt64", max_size=30))
    def test_unknown_names_teach(self, name: str) -> None:
        known = {option.name for option in OPTIONS}
        if name not in known:
            with pytest.raises(UnknownOptionError) as caught:
                made().update(name, 1)
            assert set(caught.value.near) <= known

    @pytest.mark.parametrize("name", ["olympus_platfroms", "platforms", "OLYMPUS_PLATFORMS"])
    def test_near_match(self, name: str) -> None:
        with pytest.raises(AttributeError, match="Did you mean 'olympus_platforms'"):
            made().update(name, "cpu")


    @pytest.mark.parametrize(("name", "meant"), [
        ("cache_dir", "olympus_compilation_cache_dir"), ("jax_enable_x64", "olympus_enable_x64"),
        ("float64", "olympus_enable_x64"), ("debug_nan", "olympus_debug_nans"),
        ("heartbeat", "olympus_heartbeat_timeout"),
        ("olympus_matmul_tf32", "olympus_default_matmul_precision"),
    ])
    def test_what_is_meant_is_found_by_words(self, name: str, meant: str) -> None:
        with pytest.raises(UnknownOptionError) as caught:
            made().update(name, 1)
        assert meant in caught.value.near and len(str(caught.value)) < 400, caught.value

    def test_a_name_that_means_nothing_gets_the_list(self) -> None:
        with pytest.raises(UnknownOptionError, match="olympus_platforms, ") as caught:
            made().update("zzz", 1)
        assert caught.value.near == ()


class TestCompilationCache:
    def test_where_it_is(self) -> None:
        assert made(XDG_CACHE_HOME="/x").compilation_cache_folder() == "/x/olympus"
        assert made(XDG_CACHE_HOME="/x", OLYMPUS_COMPILATION_CACHE_DIR="/y").compilation_cache_folder() == "/y"
        assert made(OLYMPUS_COMPILATION_CACHE_DIR="~/y").compilation_cache_folder() == str(Path("~/y").expanduser())
        assert made().compilation_cache_folder() == str(Path("~/.cache/olympus").expanduser())

    def test_nowhere(self) -> None:
        assert made(OLYMPUS_ENABLE_COMPILATION_CACHE="0").compilation_cache_folder() is None
        assert made(XDG_CACHE_HOME="relative").compilation_cache_folder() is None


class TestFreezing:
    NAMES = ("olympus_platforms", "olympus_num_cpu_devices")

    def test_late_change_names_both_lines(self) -> None:
        config = made(OLYMPUS_PLATFORMS="cpu")
        config.freeze(self.NAMES, by="the devices, which were opened by toy.py:7")
        with pytest.raises(ConfigFrozenError) as caught:
            config.update("olympus_platforms", "cuda")
        text = str(caught.value)
        assert "toy.py:7" in text and "environment variable OLYMPUS_PLATFORMS" in text and HERE in text
        assert caught.value.fixed == ("cpu",) and caught.value.value == ("cuda",)
        assert isinstance(caught.value, RuntimeError)
        assert config.frozen_by("olympus_platforms") == "the devices, which were opened by toy.py:7"

    def test_the_same_value_is_no_change(self) -> None:
        config = made(OLYMPUS_PLATFORMS="cpu")
        config.freeze(self.NAMES, by="x")
        config.update("olympus_platforms", "cpu")
        config.update("olympus_deadlock_timeout", 2)
        assert config.deadlock_timeout == 2.0

    def test_the_environment_is_late_too(self) -> None:
        environ: dict[str, str] = {}
        config = Config(environ=environ, arguments=[])
        config.freeze(self.NAMES, by="x")
        environ["OLYMPUS_NUM_CPU_DEVICES"] = "4"
        assert config.num_cpu_devices is None

    def test_unfreezing(self) -> None:
        config = made()
        config.freeze(self.NAMES, by="x")
        config.unfreeze()
        config.update("olympus_platforms", "cuda")
        config.freeze(self.NAMES, by="y")
        config.unfreeze(["olympus_num_cpu_devices"])
        config.update("olympus_num_cpu_devices", 2)
        assert config.num_cpu_devices == 2
        assert config.frozen_by("olympus_platforms") == "y" and config.frozen_by("olympus_num_cpu_devices") is None


class TestScopes:
    def test_only_some_options(self) -> None:
        with pytest.raises(OptionScopeError, match="olympus_enable_x64"):
            made().override("olympus_platforms", "cpu")

    def test_a_block_reads_the_environment_no_more(self) -> None:
        class Counted(dict[str, str]):
            asked = 0

            def get(self, *args: Any) -> Any:
                self.asked += 1
                return super().get(*args)

        environment = Counted(OLYMPUS_DEFAULT_MATMUL_PRECISION="highest")
        config = Config(environment, [])
        before, asked = config.version, environment.asked
        with config.override("olympus_enable_x64", True):
            assert config.enable_x64 is True and config.default_matmul_precision == "highest"
            assert config.version != before and environment.asked == asked
            config.update("olympus_default_matmul_precision", "high")
            assert config.enable_x64 is True and config.default_matmul_precision == "high"
        assert config.enable_x64 is False and config.default_matmul_precision == "high" and config.version != before

    def test_nesting_and_errors(self) -> None:
        config = made()
        with config.override("olympus_enable_x64", True):
            with config.override("olympus_default_device", "cuda"):
                assert config.enable_x64 is True and config.default_device == "cuda"
                with pytest.raises(ZeroDivisionError), config.override("olympus_enable_x64", False):
                    assert config.enable_x64 is False and config.default_device == "cuda"
                    1 / 0
                assert config.enable_x64 is True
            assert config.default_device is None

    def test_update_shows_through(self) -> None:
        config = made()
        with config.override("olympus_enable_x64", True):
            assert config.default_device is None
            config.update("olympus_default_device", "cpu")
            config.update("olympus_enable_x64", False)
            assert config.enable_x64 is True and config.default_device == "cpu"
        assert config.enable_x64 is False

    def test_other_threads_do_not_see_it(self) -> None:
        config, seen = made(), []
        with config.override("olympus_enable_x64", True):
            thread = threading.Thread(target=lambda: seen.append(config.enable_x64))
            thread.start()
            thread.join(10)
        assert seen == [False]

    @given(st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from(["cpu", "cuda", None])), max_size=12))
    def test_versions_are_equal_when_the_values_are(self, changes: list[tuple[bool, bool, str | None]]) -> None:
        config = made()
        seen = {config.version: (config.enable_x64, config.default_device)}
        for nested, wide, device in changes:
            config.update("olympus_default_device", device)
            if nested:
                with config.override("olympus_enable_x64", wide):
                    values, version = (config.enable_x64, config.default_device), config.version
            else:
                config.update("olympus_enable_x64", wide)
                values, version = (config.enable_x64, config.default_device), config.version
            assert seen.setdefault(version, values) == values
        assert len(set(seen.values())) == len(seen)

    def test_version_ignores_what_programs_do_not_depend_on(self) -> None:
        config = made()
        before = config.version
        config.update("olympus_late_timeout", 5)
        assert config.version == before


@pytest.mark.parametrize("attribute", ["enable_x64", "default_device", "version", "platforms", "check_divergence"])
def test_reading_is_fast(attribute: str) -> None:
    config = made()
    getattr(config, attribute)  # the first time works it out
    assert calls_of(lambda: getattr(config, attribute)) <= 4


def test_hints() -> None:
    config = made(OLYMPUS_PLATFROMS="cpu", OLYMPUS_PROCESS_ID="1", HTTPS_PROXY="http://p:1", no_proxy="")
    assert config.misspelled() == [("OLYMPUS_PLATFROMS", "OLYMPUS_PLATFORMS")]
    assert config.proxies() == {"HTTPS_PROXY": "http://p:1"}


class TestView:
    """The user's object, which stands before the process's own configuration."""

    def test_reads(self) -> None:
        view = ConfigView()
        assert view.olympus_check_divergence is True
        assert view.source("olympus_num_cpu_devices").startswith("config.update at ")
        assert "olympus_platforms" in dir(view) and "olympus_platforms" in repr(view)

    def test_refuses(self) -> None:
        view: Any = ConfigView()
        with pytest.raises(OptionAssignmentError, match="config.update"):
            view.olympus_enable_x64 = True
        with pytest.raises(UnknownOptionError, match="olympus_enable_x64"):
            view.olympus_enable_x46
        with pytest.raises(UnknownOptionError):
            view.update("olympus_enable_x46", True)
