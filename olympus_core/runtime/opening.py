# SPDX-License-Identifier: Apache-2.0
"""Opening one platform in all processes together."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from olympus_core.errors import OlympusError, PluginAnswerError, PluginCallError, PluginTimeoutError, ReceivedError
from olympus_core.errors.platform import ArithmeticWarning
from olympus_core.plugin import Client, Device, DeviceDescription, PlatformSettings

from .answers import Answers
from .guarded import told

if TYPE_CHECKING:
    from olympus_core.cluster.connection import Connection

    from .registry import Selection


class Opening:
    """A platform while it is opened.

    Args:
        selection: The platform.
        settings: What it is told.
    """

    def __init__(self, selection: Selection, settings: PlatformSettings) -> None:
        self._platform, self._settings = selection.platform, settings
        self._plugin = selection.plugin
        self._name = selection.platform.name
        self._distribution = self._plugin.distribution if self._plugin is not None else "an unknown distribution"
        self._client: Client | None = None
        self._mine: list[DeviceDescription] = []
        self._problem: OlympusError | None = None

    def open(self, is_optional: bool) -> None:
        """Opens it and asks for its devices.

        Args:
            is_optional: Whether a failure is one to go on with: kept for `exchange`, so that all processes decide
                alike. Strangers' code then runs for as long as the option lets it.

        Raises:
            OlympusError: It cannot be opened, and the program needs it.
        """
        try:
            self._ask("open()", self._opened, is_optional)
        except OlympusError as error:
            if not is_optional:
                raise
            self._problem = error

    def bound(self, devices: Sequence[Device], is_optional: bool) -> Client:
        """The client, told of the runtime's devices.

        Args:
            devices: Those of this process.
            is_optional: As for `open`, where no other process counts on it by now.

        Raises:
            OlympusError: It cannot be used.
        """
        client = self._client
        if client is None:
            raise PluginAnswerError(self._name, self._distribution, "open()", "nothing", "a client")
        try:
            self._ask("bind_devices()", lambda: client.bind_devices(devices), is_optional)
        except OlympusError as error:
            self._problem = error
            raise
        for device in devices:
            device.knows(client.memory_stats)
        return client

    def _ask(self, what: str, call: Callable[[], None], is_optional: bool) -> None:
        """Calls the platform; an optional one of another distribution in a thread, with a time limit (an option)."""
        plugin = self._plugin
        if is_optional and plugin is not None and not plugin.is_ours:
            plugin.ask(what, call)
            return
        try:
            call()
        except OlympusError:
            raise
        except (Exception, SystemExit) as error:  # named, but for those of our own that are needed
            if plugin is not None and plugin.is_ours and not is_optional:
                raise
            raise told(self._name, self._distribution, what, error) from error

    def _opened(self) -> None:
        answers = Answers(self._name, self._distribution)
        client = self._platform.open(self._settings)
        self._client = client
        answers.client(client)
        self._mine = answers.descriptions(client.describe_devices())

    def exchange(self, connection: Connection | None) -> list[list[DeviceDescription]]:
        """Every process's descriptions of its own devices.

        Raises:
            OlympusError: The platform could not be opened, here or in another process.
        """
        if connection is None:
            if self._problem is not None:
                raise self._problem
            return [self._mine]
        plain: Any = [d.to_plain() for d in self._mine]
        if self._problem is not None:
            plain = str(self._problem).partition("\n")[0]
        try:
            message = json.dumps(plain).encode()
        except (TypeError, ValueError) as error:
            raise PluginAnswerError(
                self._name, self._distribution, "describe_devices()", str(error), "attributes of plain data") from error
        label = f"devices of {self._name}"
        answers = connection.exchange(label, message)
        if self._problem is not None:
            raise self._problem
        return [self._received(label, process, answer) for process, answer in enumerate(answers)]

    def _received(self, label: str, process: int, answer: bytes) -> list[DeviceDescription]:
        try:
            said = json.loads(answer)
            if isinstance(said, str):
                self._problem = PluginCallError(
                    self._name, self._distribution, f"open() in process {process}", said)
                raise self._problem
            found = [DeviceDescription.from_plain(facts) for facts in said]
            return Answers(self._name, self._distribution).descriptions(found)
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ReceivedError(label, process, str(error), "descriptions of devices") from None

    def compare(self, descriptions: Sequence[Sequence[DeviceDescription]]) -> None:
        """Warns where processes compute what is replicated in different ways.

        Args:
            descriptions: Every process's.
        """
        said = [next((str(d.attributes.get("arithmetic", "")) for d in listed), "") for listed in descriptions]
        other = next((process for process, text in enumerate(said) if text and said[0] and text != said[0]), 0)
        if other:
            warnings.warn(ArithmeticWarning(self._name, said[0], other, said[other]), stacklevel=2)

    def is_its_own(self, error: OlympusError) -> bool:
        """Whether an error is the platform's, which the program can do without, and not the job's."""
        return error is self._problem

    def close(self) -> None:
        """Closes what was opened; errors of this are dropped, since one was raised already."""
        client, self._client = self._client, None
        # One that was given up is busy in a thread of its own, and would keep this one, too.
        if client is not None and not isinstance(self._problem, PluginTimeoutError):
            with suppress(OlympusError):
                self._ask("close()", client.close, is_optional=True)
