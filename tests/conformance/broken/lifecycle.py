# SPDX-License-Identifier: Apache-2.0
"""Jobs that begin, end or fail in a wrong way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from olympus_conformance import Status
from olympus_core.plugin import Pending
from olympus_core.toolkit.platform import TableClient, TablePlatform

from .base import After, Wrapped, WrappedLinks, arrays, build
from .form import RELEASED, broken


@broken("ids_of_each_process", fails=["devices/unique_across_processes"],
        says="each process numbers its devices from zero")
def ids_of_each_process() -> TablePlatform:
    """Their texts are unlike."""

    def describe(self: Any) -> Any:
        return [replace(d, id=i) for i, d in enumerate(TableClient.describe_devices(self))]

    return build(client={"describe_devices": describe})


class _Zeros(Wrapped):
    """Whose results are zeros once the platform says so."""

    def changed(self, pending: Pending, what: str) -> Pending:
        is_broken = getattr(self.client.platform, "is_broken", False)
        return After(pending, arrays(lambda i, array: np.zeros_like(array))) if is_broken else pending


@broken("works_once", fails=["lifecycle/open_again"], says="the second client's communications give zeros")
def works_once() -> TablePlatform:
    """As where the transport of the first is half torn down."""

    def close(self: Any) -> None:
        self.platform.is_broken = True
        TableClient.close(self)

    return build(client={"close": close}, communicator=_Zeros)


@broken("idle_client_breaks", fails=["lifecycle/closed_unused"],
        says="closing a client that has done nothing breaks the next one")
def idle_client_breaks() -> TablePlatform:
    """As where what never began is ended."""

    def close(self: Any) -> None:
        self.platform.is_broken = not self.kept
        TableClient.close(self)

    class Noted(_Zeros):
        def changed(self, pending: Pending, what: str) -> Pending:
            self.client.kept.append(None)
            return super().changed(pending, what)

    return build(client={"close": close}, communicator=Noted)


@broken("death_unnoticed", fails=["faults/killed[all_reduce,2 processes]", "faults/first_killed", "faults/given_up"],
        says="what waits for a process that is lost waits for ever", ends=Status.TIMEOUT, seconds=2.5)
def death_unnoticed() -> TablePlatform:
    """Neither deadlines nor the job's end reach it; closing waits for everybody."""

    class Blind(After):
        def result(self, deadline: float) -> list[Any]:
            while not RELEASED.is_set():
                try:
                    return super().result(deadline)
                except Exception:  # noqa: BLE001  (to be deaf is the defect)
                    RELEASED.wait(0.02)
            raise TimeoutError("nobody came")

    class Communicator(Wrapped):
        def changed(self, pending: Pending, what: str) -> Pending:
            return Blind(pending)

        def close(self) -> None:
            Blind(self.inner.barrier()).result(0.0)

    return build(communicator=Communicator)


@broken("waits_by_itself", fails=["faults/program_waits_by_links"],
        says="executions wait with a deadline of their own", ends=Status.TIMEOUT, seconds=4.0)
def waits_by_itself() -> TablePlatform:
    """Of ten seconds."""

    class Links(WrappedLinks):
        def wait(self, pending: Pending, label: str) -> Any:
            for _ in range(500):
                if pending.is_done():
                    return pending.result(0.0)
                RELEASED.wait(0.02)
            raise RuntimeError("others have not come")

    return build(links=Links)
