# SPDX-License-Identifier: Apache-2.0
"""Errors about configuration: a name, a value, or a change that comes too late."""

from __future__ import annotations

from .base import OlympusError


class ConfigError(OlympusError, ValueError):
    """Base of the errors about configuration."""


class UnknownOptionError(ConfigError, AttributeError):
    """A name that is not in the table of options.

    Args:
        option: What was asked for.
        options: The names there are.
        near: Those that may be meant, the most similar one first.
    """

    def __init__(self, option: str, options: tuple[str, ...], near: tuple[str, ...] = ()) -> None:
        self.option, self.options, self.near = option, options, near
        super().__init__(
            f"There is no option named {option!r}.",
            # A long list would hide the one that is meant.
            expected=f"one of the {len(options)} options" if near else f"one of {', '.join(options)}",
            fix=(f"Did you mean {' or '.join(map(repr, near))}? " if near else "") +
            "Print olympus.config: it lists all options.",
        )


class OptionValueError(ConfigError, TypeError):
    """A value that an option does not take.

    Args:
        option: The option's name.
        value: What was given.
        expected: What the option takes.
        source: Where the value came from.
    """

    def __init__(self, option: str, value: object, expected: str, source: str) -> None:
        self.option, self.value, self.expected, self.source = option, value, expected, source
        super().__init__(
            f"{option} cannot be {value!r}.",
            given=f"{value!r} by {source}",
            expected=expected,
            fix=f"Change the value in the {source}." if not source.startswith(("config", "context")) else None,
        )


class ConfigFrozenError(ConfigError, RuntimeError):
    """An option was changed after it had taken effect.

    Args:
        option: The option's name.
        value: The new value.
        source: Where the change was made.
        fixed: The value in effect.
        fixed_source: Where that value came from.
        by: What fixed it, a noun with its line.
    """

    def __init__(
        self, option: str, value: object, source: str, fixed: object, fixed_source: str, by: str
    ) -> None:
        self.option, self.value, self.source = option, value, source
        self.fixed, self.fixed_source, self.by = fixed, fixed_source, by
        super().__init__(
            f"{option} cannot change any more, because of {by}.",
            given=f"{value!r} by {source}",
            expected=f"{fixed!r}, the value in effect ({fixed_source})",
            fix=f"Set {option} before that line, or in the environment.",
        )


class OptionScopeError(ConfigError, TypeError):
    """An option was overridden for a block that only has one value for the whole process.

    Args:
        option: The option's name.
        options: The options that can be overridden for a block.
    """

    def __init__(self, option: str, options: tuple[str, ...]) -> None:
        self.option, self.options = option, options
        super().__init__(
            f"{option} has one value for the whole process and cannot be overridden for a block.",
            expected=f"one of {', '.join(options)}",
            fix=f"Use config.update({option!r}, ...) at the start of the program.",
        )


class OptionAssignmentError(ConfigError, AttributeError):
    """An option was assigned to as an attribute.

    Args:
        option: The option's name.
    """

    def __init__(self, option: str) -> None:
        self.option = option
        super().__init__(
            "Options are not assigned to: a change must be checked and remember where it was made.",
            given=f"config.{option} = ...",
            fix=f"Write config.update({option!r}, value).",
        )


class ProfilerError(OlympusError, RuntimeError):
    """A profile is started while one runs, or stopped where none does.

    Args:
        is_running: Whether one runs.
        folder: Where the one that runs is to be written.
    """

    def __init__(self, is_running: bool, folder: str | None = None) -> None:
        self.is_running, self.folder = is_running, folder
        if is_running:
            super().__init__("A profile is being recorded already; a process records one at a time.", given=folder,
                             fix="Call olympus.profiler.stop_trace() before the next start_trace() or trace().")
        else:
            super().__init__("No profile is being recorded.",
                             fix="Call olympus.profiler.start_trace(folder) before stop_trace().")


class PeerImportedError(OlympusError, ImportError):
    """JAX itself was imported before olympus could stand for it.

    Args:
        module: What was imported.
        file: Where it lies, if that is known.
    """

    def __init__(self, module: str, file: str | None) -> None:
        self.module, self.file = module, file
        super().__init__(
            f"olympus cannot stand for JAX in this process: {module} is imported already.", given=file,
            fix="Call olympus.as_jax.install() before the first import of jax, or of a library that imports it; or run "
                "the program by `python -m olympus.as_jax`.",
        )


class PrivateNameError(OlympusError, ImportError):
    """A program imports one of JAX's private names, which olympus does not have.

    Args:
        private: The name.
        public: Public modules that have what programs seek there, in text, if that is known.
    """

    def __init__(self, private: str, public: str | None) -> None:
        self.private, self.public = private, public
        super().__init__(f"{private} is private to JAX, and olympus has no such name.", fix=_public_way(public))
        self.name = private


class PrivateAttributeError(OlympusError, AttributeError):
    """A program asks a private module of JAX for a name that olympus does not have.

    Args:
        private: The name.
        public: Public modules that have what programs seek there, in text, if that is known.
    """

    def __init__(self, private: str, public: str | None) -> None:
        self.private, self.public = private, public
        super().__init__(f"{private} is private to JAX, and olympus has no such name.", fix=_public_way(public))


def _public_way(public: str | None) -> str:
    return f"Use the public names of {public}." if public else "Use a public name."


class ForeignSettingWarning(UserWarning):
    """A setting of JAX's that means nothing on olympus, or nothing any more.

    Args:
        setting: The setting, in the user's words.
        reason: Why it has no effect.
    """

    def __init__(self, setting: str, reason: str = "olympus has no such setting") -> None:
        self.setting = setting
        super().__init__(f"{setting} has no effect: {reason}.")
