# SPDX-License-Identifier: Apache-2.0
"""Executions that happen later than they are called, in a wrong way."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.plugin import Device
from olympus_core.program import DeviceProgram
from olympus_core.toolkit.platform import TablePlatform

from .base import Execute, Run, build, wrong_after
from .form import broken


class Late:
    """A buffer whose content is made when it is asked for."""

    def __init__(self, make: Callable[[], Any], type_: Any, device: Device, wrong: str = "") -> None:
        self._make, self._type, self.device, self._wrong = make, type_, device, wrong

    @property
    def shape(self) -> Any:
        return self._type.shape

    @property
    def dtype(self) -> Any:
        return self._type.dtype

    @property
    def array(self) -> Any:
        return self._make().array

    def to_host(self) -> Any:
        return self._make().to_host()

    def copy_to(self, device: Device) -> Any:
        return Late(lambda: self._make().copy_to(device), self._type, device, self._wrong)

    def is_ready(self) -> bool:
        if self._wrong == "asking waits":
            time.sleep(0.02)
        return self._wrong != "never ready"

    def block_until_ready(self) -> None:
        return None

    def delete(self) -> None:
        return None


def late(wrong: str) -> Execute:
    """Executions that happen when somebody reads, with what the inputs hold then."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
        given = [list(column) for column in inputs]
        if wrong == "stale":  # does not wait for what is still to come
            given = [[client._wrap(np.zeros(b.shape, b.dtype), b.device) if isinstance(b, Late) else b for b in column]
                     for column in given]
        made: list[Any] = []

        def results() -> Any:
            if not made:
                made.append(run([[client._wrap(b.array, b.device) for b in column] for column in given]))
            return made[0]

        return [[Late(lambda i=i, k=k: results()[i][k], t, d, wrong) for k, d in enumerate(program.local_devices)]
                for i, t in enumerate(program.program.output_types)]

    return execute


broken("asynchrony_order_lost", fails=["asynchrony/order"], says="it does not wait for inputs that are still to come")(
    lambda: build(execute=late("stale")))
broken("outputs_never_ready", fails=["asynchrony/readiness"], says="outputs are never ready")(
    lambda: build(execute=late("never ready")))
broken("is_ready_waits", fails=["asynchrony/asking_does_not_wait"], says="is_ready waits")(
    lambda: build(execute=late("asking waits")))
broken("deleted_inputs_read", fails=["asynchrony/delete_inputs"], says="it reads its inputs after they are deleted")(
    lambda: build(execute=late("")))
broken("host_read_late", fails=["asynchrony/host_may_change"], says="the host's array is read when something executes",
       also=("buffers/*",))(
    lambda: build(client={"buffer_from_host": lambda self, value, device: self._wrap(np.asarray(value), device)},
                  execute=late("")))
broken("small_programs_wrong", fails=["asynchrony/many_under_way"], says="a wrong element in small programs")(
    lambda: wrong_after(name="small"))


@broken("close_idle_only", fails=["asynchrony/close_under_way"], says="close fails where something was executed")
def close_idle_only() -> TablePlatform:
    """Once: whoever closes the others is not to be disturbed."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
        client.kept.append(True)
        return run(inputs)

    def close(self: Any) -> None:
        if self.kept and not self.platform.memory:
            self.platform.memory.append(None)
            raise RuntimeError("executions are under way")

    return build(client={"close": close}, execute=execute)
