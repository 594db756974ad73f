# SPDX-License-Identifier: Apache-2.0
"""`jax.config` and JAX's environment variables, as olympus's options."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from olympus_core.config import OPTIONS
from olympus_core.config import config as _config
from olympus_core.errors.config import ConfigFrozenError, ForeignSettingWarning, OptionAssignmentError

from .table import DEFAULTS, EARLY, UNUSED_OPTIONS, UNUSED_VALUES, VALUES

_OURS = {f"jax{option.name[len('olympus'):]}": option.name for option in OPTIONS} | {
    "jax_platform_name": "olympus_platforms",
}
_HOST_DEVICES = "xla_force_host_platform_device_count"
# Environment variables of olympus that are no options; those of JAX have the same endings.
_PLACES = ("COORDINATOR_ADDRESS", "NUM_PROCESSES", "PROCESS_ID")


class Settings:
    """`jax.config`: options under the names that programs for JAX use.

    An option that olympus has is olympus's. One that means nothing here keeps what it is given, for programs that
    read it again; a warning says so once.
    """

    def __init__(self) -> None:
        self._unused = dict(UNUSED_OPTIONS)

    def update(self, name: str, val: Any) -> None:
        """Sets an option for the whole process.

        Args:
            name: The option's name, such as ``"jax_enable_x64"``.
            val: Its new value.

        Raises:
            UnknownOptionError: Neither JAX nor olympus has an option of that name.
            OptionValueError: The option does not take that value.
        """
        if name in self._unused:
            if val != self._unused[name]:
                _tell(f"jax.config.update({name!r})")
            self._unused[name] = val
        elif val in UNUSED_VALUES.get(name, ()):
            _tell(f"jax.config.update({name!r}, {val!r})")
        else:
            try:
                _config.update(_OURS.get(name, name), _translated(name, val))
            except ConfigFrozenError:
                if name not in EARLY:
                    raise
                _tell(f"jax.config.update({name!r})", "devices are open already")

    def read(self, name: str) -> Any:
        """An option's value.

        Args:
            name: The option's name.

        Raises:
            UnknownOptionError: Neither JAX nor olympus has an option of that name.
        """
        return self._unused[name] if name in self._unused else _config.get(_OURS.get(name, name))

    @property
    def values(self) -> dict[str, Any]:
        """All options with their values."""
        return {**self._unused, **{name: _config.get(ours) for name, ours in _OURS.items()}}

    @property
    def x64_enabled(self) -> bool:
        """Whether 64-bit types are kept."""
        return bool(_config.enable_x64)

    @contextmanager
    def during(self, name: str, value: Any = True) -> Iterator[None]:
        """Another value of an option that means nothing here, for a block.

        Args:
            name: The option's name.
            value: The value.
        """
        before = self._unused[name]
        self.update(name, value)
        try:
            yield
        finally:
            self._unused[name] = before

    def config_with_absl(self) -> None:
        """Nothing: flags of the command line are read at the first need."""

    parse_flags_with_absl = config_with_absl

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not (name.startswith("jax") or name in self._unused):
            raise AttributeError(f"jax.config has no attribute {name!r}", name=name)
        return self.read(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_unused":
            raise OptionAssignmentError(name)
        super().__setattr__(name, value)


def _translated(name: str, value: Any) -> Any:
    """The value of olympus's option that means what a value means in JAX."""
    if name in ("jax_platforms", "jax_platform_name") and isinstance(value, str):
        return ",".join(dict.fromkeys("cuda" if one == "gpu" else one for one in value.split(","))) or None
    return VALUES[name].get(value, value) if name in VALUES and isinstance(value, str) else value


class _Environment(Mapping[str, str]):
    """The environment, in which variables of olympus that are not set have the values of JAX's."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def __getitem__(self, name: str) -> str:
        if name not in self._environ and (text := self._translated(name)):
            return text
        return self._environ[name]

    def _translated(self, name: str) -> str | None:
        ending = name.removeprefix("OLYMPUS_")
        if ending == name:
            return None
        text = self._environ.get(f"JAX_{ending}")
        if name == "OLYMPUS_NUM_CPU_DEVICES":
            found = re.search(rf"--{_HOST_DEVICES}=(\d+)", self._environ.get("XLA_FLAGS", ""))
            return text or (found and found[1])
        if name == "OLYMPUS_PLATFORMS":
            names = text or self._environ.get("JAX_PLATFORM_NAME") or ""
            return _translated("jax_platforms", names)
        option = f"jax_{ending.lower()}"
        if self._is_unused(option, text):
            return None
        text = text or DEFAULTS.get(name)
        text = None if text is None else str(_translated(option, text))
        return text if ending in _PLACES or f"olympus_{ending.lower()}" in _OURS.values() else None

    @staticmethod
    def _is_unused(option: str, text: str | None) -> bool:
        """Whether an option's value in JAX's variable means nothing here."""
        values = UNUSED_VALUES.get(option, ())
        return text is not None and (text in values or False in values and text.lower() in ("0", "false", "no", "off"))

    def __iter__(self) -> Iterator[str]:
        names = (f"OLYMPUS_{name[len('JAX_'):]}" for name in self._environ if name.startswith("JAX_"))
        more = ("OLYMPUS_NUM_CPU_DEVICES", "OLYMPUS_PLATFORMS", *DEFAULTS)
        return iter({*self._environ, *(name for name in (*names, *more) if self._translated(name))})

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def unused(self) -> list[str]:
        """The settings in JAX's variables that mean nothing here."""
        known = {f"JAX_{name.removeprefix('OLYMPUS_')}" for name in self} | {"JAX_PLATFORM_NAME"}
        names = [name for name, text in self._environ.items() if name.startswith("JAX_") and text and name not in known]
        flags = self._environ.get("XLA_FLAGS", "").split()
        return names + [f"XLA_FLAGS={flag}" for flag in flags if not flag.startswith(f"--{_HOST_DEVICES}=")]


def translate_environment() -> None:
    """Lets options that no variable of olympus sets have the values that JAX's variables give them."""
    environment = _config.environment
    if not isinstance(environment, _Environment):
        environment = _Environment(environment)
    _config.use_environment(environment)
    for setting in environment.unused():
        _tell(setting)


_told: set[str] = set()


def _tell(setting: str, *reason: str) -> None:
    if setting not in _told:
        _told.add(setting)
        warnings.warn(ForeignSettingWarning(setting, *reason), stacklevel=3)


SETTINGS = Settings()
