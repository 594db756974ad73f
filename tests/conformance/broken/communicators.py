# SPDX-License-Identifier: Apache-2.0
"""Communications under way, and communicators, that are wrong in one way."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import numpy as np

from olympus_conformance import Status
from olympus_core.plugin import Group, Pending
from olympus_core.toolkit.platform import TablePlatform

from .base import After, Wrapped, arrays, build
from .form import RELEASED, broken


class _Done(After):
    def is_done(self) -> bool:
        return True


@broken("barrier_does_not_wait", fails=["collectives/barrier"], says="a barrier is done at once")
def barrier_does_not_wait() -> TablePlatform:
    """For whoever asks."""

    class Open(Wrapped):
        def barrier(self) -> Pending:
            self.inner.barrier()
            pending = _Done(None)
            pending._results = []
            return pending

    return build(communicator=Open)


@broken("done_too_early", fails=["collectives/pending"], says="is_done is true from the beginning")
def done_too_early() -> TablePlatform:
    """Though others have not come."""

    class Early(Wrapped):
        def changed(self, pending: Pending, what: str) -> Pending:
            return _Done(pending)

    return build(communicator=Early)


@broken("deadline_ignored", fails=["faults/never_comes"],
        says="result takes three seconds more than its deadline allows")
def deadline_ignored() -> TablePlatform:
    """As where the transport has a clock of its own."""

    class Slow(After):
        def result(self, deadline: float) -> list[Any]:
            return super().result(deadline + 3.0)

    class Communicator(Wrapped):
        def changed(self, pending: Pending, what: str) -> Pending:
            return Slow(pending)

    return build(communicator=Communicator)


@broken("one_under_way", fails=["collectives/several_under_way"],
        says="there is room for one communication: the next one takes it")
def one_under_way() -> TablePlatform:
    """Who asks for an earlier one gets zeros."""

    class OneSlot(Wrapped):
        last: Any = None

        def changed(self, pending: Pending, what: str) -> Pending:
            def change(buffers: list[Any]) -> list[Any]:
                is_last = self.last is made
                return buffers if is_last else arrays(lambda i, array: np.zeros_like(array))(buffers)

            made = self.last = After(pending, change)
            return made

    return build(communicator=OneSlot)


@broken("numbers_of_a_byte", fails=["collectives/order"],
        says="communications are numbered in a byte: the 257th gets the first one's results")
def numbers_of_a_byte() -> TablePlatform:
    """As where messages are told apart by a tag that is too narrow."""

    class Narrow(Wrapped):
        count = 0

        def changed(self, pending: Pending, what: str) -> Pending:
            number, self.count = self.count, self.count + 1
            kept = self.__dict__.setdefault("kept", {})

            def change(buffers: list[Any]) -> list[Any]:
                first = kept.setdefault(number % 256, [b.array for b in buffers])
                return arrays(lambda i, array: first[i])(buffers)

            return After(pending, change)

    return build(communicator=Narrow)


@broken("executes_or_communicates", fails=["collectives/beside_executions"],
        says="what is executed while a communication is under way gives zeros")
def executes_or_communicates() -> TablePlatform:
    """As where both use one scratch memory."""

    class Counted(Wrapped):
        def changed(self, pending: Pending, what: str) -> Pending:
            self.client.kept.append(pending)

            def change(buffers: list[Any]) -> list[Any]:
                self.client.kept.remove(pending)
                return buffers

            return After(pending, change)

    def execute(client: Any, run: Any, program: Any, inputs: Any) -> Any:
        columns = run(inputs)
        if client.kept:
            for column in columns:
                arrays(lambda i, array: np.zeros_like(array))(column)
        return columns

    return build(communicator=Counted, execute=execute)


@broken("sends_too_early", fails=["collectives/unready_inputs"], says="inputs are sent before they are made")
def sends_too_early() -> TablePlatform:
    """Executions end in a thread of their own; communications take what the memory holds."""

    class Unready:
        """The output of an execution that is under way."""

        def __init__(self, made: Any, seconds: float = 0.05) -> None:
            self.made, self.device, self.shape, self.dtype = made, made.device, made.shape, made.dtype
            self._ready = threading.Event()
            timer = threading.Timer(seconds, self._ready.set)
            timer.daemon = True
            timer.start()

        @property
        def array(self) -> Any:
            self.block_until_ready()
            return self.made.array

        def to_host(self) -> Any:
            self.block_until_ready()
            return self.made.to_host()

        def is_ready(self) -> bool:
            return self._ready.is_set()

        def block_until_ready(self) -> None:
            self._ready.wait()

        def copy_to(self, device: Any) -> Any:
            self.block_until_ready()
            return self.made.copy_to(device)

        def delete(self) -> None:
            self.made.delete()

    def execute(client: Any, run: Any, program: Any, inputs: Any) -> Any:
        given = [[b.made if isinstance(b, Unready) else b for b in column] for column in inputs]
        return [[Unready(b) for b in column] for column in run(given)]

    class Hasty(Wrapped):
        def all_reduce(self, inputs: Any, reduction: Any) -> Pending:
            taken = [b if b.is_ready() else self.client._wrap(np.zeros(b.shape, b.dtype), b.device) for b in inputs]
            return self.inner.all_reduce(taken, reduction)

    return build(communicator=Hasty, execute=execute)


@broken("thread_bound", fails=["collectives/any_thread"],
        says="results are zeros in another thread than the communicator's")
def thread_bound() -> TablePlatform:
    """As where its memory is local to a thread."""

    class Bound(Wrapped):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.thread = threading.get_ident()

        def changed(self, pending: Pending, what: str) -> Pending:
            return After(pending, lambda buffers: buffers if threading.get_ident() == self.thread
                         else arrays(lambda i, array: np.zeros_like(array))(buffers))

    return build(communicator=Bound)


@broken("abort_is_a_timeout", fails=["collectives/abort"], says="what is aborted ends in TimeoutError")
def abort_is_a_timeout() -> TablePlatform:
    """So that whoever waits in slices waits on."""

    class Aborted(After):
        def result(self, deadline: float) -> list[Any]:
            try:
                return super().result(deadline)
            except Exception as error:
                raise TimeoutError(str(error)) from error

    class Communicator(Wrapped):
        def changed(self, pending: Pending, what: str) -> Pending:
            return Aborted(pending)

    return build(communicator=Communicator)


@broken("group_sorted", fails=["communicators/any_group"], says="a communicator's group is in another order")
def group_sorted() -> TablePlatform:
    """That of the devices' ids; what it does is right."""

    class Sorted(Wrapped):
        def __init__(self, inner: Any, client: Any) -> None:
            super().__init__(inner, client)
            self.group = Group(tuple(sorted(inner.group.devices, key=lambda d: d.id)))

    return build(communicator=Sorted)


@broken("one_for_each_set", fails=["communicators/many_at_once"],
        says="groups of the same devices in different orders share a communicator")
def one_for_each_set() -> TablePlatform:
    """Until it is closed."""

    class Shared(Wrapped):
        def close(self) -> None:
            self.client.__dict__["opened"].pop(frozenset(self.group.devices), None)

    def communicator(inner: Any, client: Any) -> Any:
        opened = client.__dict__.setdefault("opened", {})
        return opened.setdefault(frozenset(inner.group.devices), Shared(inner, client))

    return build(communicator=communicator)


class _OpenFile:
    """An open file that is closed when nobody holds it, whether its client was closed or not."""

    def __init__(self) -> None:
        self.number = os.open(os.devnull, os.O_RDONLY)

    def __del__(self) -> None:
        os.close(self.number)


@broken("files_stay_open", fails=["communicators/open_and_close"], says="each communicator leaves an open file behind")
def files_stay_open() -> TablePlatform:
    """As long as the client lives."""

    class Leaking(Wrapped):
        def close(self) -> None:
            self.client.kept.append(_OpenFile())
            self.inner.close()

    return build(communicator=Leaking)


@broken("all_must_open", fails=["communicators/opened_by_some"],
        says="open_communicator waits for processes that are not in the group", ends=Status.TIMEOUT, seconds=2.0)
def all_must_open() -> TablePlatform:
    """Without end."""

    def communicator(inner: Any, client: Any) -> Any:
        rendezvous = client.settings.rendezvous
        if rendezvous is not None:
            rendezvous.exchange("everybody opens a communicator", b"", timeout=30.0)
        return inner

    return build(communicator=communicator)


@broken("hang_in_third_collective", fails=["collectives/inputs_untouched"],
        says="the third communication never ends", ends=Status.TIMEOUT, seconds=2.5)
def hang_in_third_collective() -> TablePlatform:
    """Whatever the deadline is."""

    class Stuck(After):
        def is_done(self) -> bool:
            return False

        def result(self, deadline: float) -> list[Any]:
            RELEASED.wait()
            raise TimeoutError("the third one")

    class Third(Wrapped):
        count = 0

        def changed(self, pending: Pending, what: str) -> Pending:
            self.count += 1
            return Stuck(pending) if self.count == 3 else pending

    return build(communicator=Third)


@broken("leaked_results", fails=["memory/returned_after_collectives"], says="it keeps the results of communications")
def leaked_results() -> TablePlatform:
    """In a list that nobody reads."""

    class Keeping(Wrapped):
        def changed(self, pending: Pending, what: str) -> Pending:
            def change(buffers: list[Any]) -> list[Any]:
                self.client.kept.extend(np.array(b.array) for b in buffers)
                return buffers

            return After(pending, change)

    return build(communicator=Keeping)


@broken("slow_transport", fails=["performance/collectives"], says="a communication takes thirty milliseconds at least")
def slow_transport() -> TablePlatform:
    """As where a timer drives it."""

    class Slow(After):
        def result(self, deadline: float) -> list[Any]:
            time.sleep(0.03)
            return super().result(deadline)

    class Communicator(Wrapped):
        def changed(self, pending: Pending, what: str) -> Pending:
            return Slow(pending)

    return build(communicator=Communicator)
