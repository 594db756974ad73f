"""Executions that happen when somebody asks for their results: what an asynchronous platform can get wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.plugin import Device
from olympus_core.program import DeviceProgram

Run = Callable[[Sequence[Sequence[Any]]], list[list[Any]]]


class Late:
    """A buffer whose content is made when it is asked for."""

    def __init__(self, make: Callable[[], Any], type_: Any, device: Device, wrong: str) -> None:
        self._make, self._type, self.device, self.wrong = make, type_, device, wrong

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
        return Late(lambda: self._make().copy_to(device), self._type, device, self.wrong)

    def is_ready(self) -> bool:
        if self.wrong == "asking waits":
            time.sleep(0.02)
        return self.wrong != "never ready"

    def block_until_ready(self) -> None:
        return None

    def delete(self) -> None:
        return None


def late(wrong: str) -> Callable[..., Any]:
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
