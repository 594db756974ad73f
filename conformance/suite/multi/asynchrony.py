# SPDX-License-Identifier: Apache-2.0
"""Communications that go on while a process does something else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from olympus_core.plugin import Buffer, Pending

from ...checks import require, require_equal, require_raises, require_same_bits
from ...context import Context
from ...errors import Failed
from ...programs import array_type, doubling, heavy, needs
from ...requirement import requirement
from .case_lists import process_cases
from .groups import (
    Begin,
    Devices,
    Findings,
    added,
    begin,
    collective,
    communicate,
    host,
    own_buffers,
    random_values,
    require_results,
)

_SMALL, _LARGE = 7, 1 << 15  # elements for each member of the group
_WINDOW = 16
_PAUSE = 0.0005
_AT_ONCE = 2.0  # seconds that what does not wait may take on a busy machine


def _wait_by_asking(context: Context, pending: Pending, label: str) -> list[Buffer]:
    """Asks whether it is done until it is; then the result must be there at once."""
    end = context.deadline()
    while not pending.is_done():
        require(time.monotonic() < end, observed=f"{label} is not done, however often one asks",
                required="is_done is true once all members have begun")
        time.sleep(_PAUSE)  # with more processes than processors, asking all the time keeps the others from working
    try:
        return list(pending.result(context.deadline(0.5)))
    except TimeoutError:
        raise Failed(f"result of {label} timed out though is_done was true", "result gives the buffers") from None


_STARTS: dict[str, Begin] = {
    "all_reduce": collective("all_reduce", "sum"),
    "all_gather": collective("all_gather", 0),
    "reduce_scatter": collective("reduce_scatter", 0, "sum"),
    "all_to_all": collective("all_to_all", 0, 0),
}


def _expected(name: str, values: list[np.ndarray], position: int) -> np.ndarray:
    size = len(values[0]) // len(values)
    mine = slice(position * size, (position + 1) * size)
    if name == "all_gather":
        return np.concatenate(values)
    if name == "all_to_all":
        return np.concatenate([v[mine] for v in values])
    total = added(values)
    return total if name == "all_reduce" else total[mine]


@requirement(
    "collectives/pending",
    "A communication MUST be begun without waiting for the other members; until they have begun it, is_done MUST be "
    "false and result MUST raise TimeoutError at its deadline, after which it can be asked for again.",
    why="Whoever waits must be able to look, now and then, whether the others still live.",
    profile="multi", cases=process_cases(2, 4), seconds=90.0,
)
def pending(context: Context) -> None:
    """One process comes late, each once; the others look, and then ask until it is done."""
    findings, devices = Findings(), context.all_devices
    communicator = context.communicator()
    for iteration, (name, start) in enumerate(_STARTS.items()):
        late = iteration % context.process_count
        for size in (_SMALL, _LARGE):
            values = [np.arange(size * len(devices), dtype=np.int32) * 3 + i for i in range(len(devices))]
            buffers = own_buffers(context, devices, values)
            label = f"{name} of int32[{size * len(devices)}]"
            begun = start(communicator, buffers) if context.process_index != late else None
            with findings:
                if begun is not None:
                    _require_waiting(context, begun, label)
            context.exchange(f"{label} was looked at", b"")
            if begun is None:
                begun = start(communicator, buffers)
            results = _wait_by_asking(context, begun, label)
            with findings:
                for position, buffer in zip(context.group(devices).local_positions, results, strict=True):
                    observed = host(buffer, devices[position], label)
                    require_same_bits(observed, _expected(name, values, position), label)
    findings.settle()


def _require_waiting(context: Context, begun: Pending, label: str) -> None:
    """Fails where something that lacks a member is done, or where its deadline is not kept."""
    require(not begun.is_done(), observed=f"{label} is done", required="not before all members have begun it")
    for seconds in (-1.0, 0.0, 0.1):
        started = time.monotonic()
        require_raises(TimeoutError, partial(begun.result, context.deadline(seconds)), f"result of {label}")
        took = time.monotonic() - started
        require(max(0.0, seconds) - 0.01 <= took < max(0.0, seconds) + _AT_ONCE,
                observed=f"result of {label} with a deadline in {seconds:g} s gave up after {took:.3f} s",
                required="TimeoutError at the deadline")


@requirement(
    "collectives/several_under_way",
    "Several communications of one communicator MUST be able to be under way at once; their results may be asked for "
    "in another order than they were begun in.",
    why="Gradients of many layers are on their way at the same time.",
    profile="multi", cases=process_cases(),
)
def several_under_way(context: Context) -> None:
    """All kinds, small and large, begun one after the other; the last one's result is asked for first."""
    findings, devices = Findings(), context.all_devices
    begun = []
    for size in (_SMALL, 1 << 13):
        for name, start in _STARTS.items():
            values = random_values(context, len(devices), size * len(devices), np.dtype(np.int32))
            begun.append((name, values, begin(context, devices, values, start)))
    for number, (name, values, waiting) in list(enumerate(begun))[::-1]:
        wanted = [_expected(name, values, position) for position in range(len(devices))]
        label = f"{name}, number {number} of {len(begun)} under way"
        require_results(context, findings, devices, waiting, wanted, label)
    findings.settle()


@requirement(
    "collectives/order",
    "Communications MUST be paired between the members in the order in which they are begun.",
    why="One message that overtakes another gives everything after it the wrong values.",
    profile="multi", cases=process_cases(), seconds=90.0,
)
def order(context: Context) -> None:
    """A thousand small ones, some of them under way at the same time, each with its own number."""
    devices, count = context.all_devices, len(context.all_devices)
    communicator, findings = context.communicator(), Findings()
    under_way: list[tuple[int, Pending]] = []

    def settle_first() -> None:
        number, waiting = under_way.pop(0)
        label = f"communication {number} of 1000"
        results = context.wait(waiting, label)
        with findings:
            for buffer in results:
                wanted = number * count if number % 2 else np.arange(count) + number
                require_same_bits(buffer.to_host(), np.full(3, wanted, np.int32) if number % 2 else
                                  np.asarray(wanted, np.int32), label)

    for number in range(1000):
        if number % 2:
            buffers = own_buffers(context, devices, [np.full(3, number, np.int32)] * count)
            under_way.append((number, communicator.all_reduce(buffers, "sum")))
        else:
            buffers = own_buffers(context, devices, [np.array([number + i], np.int32) for i in range(count)])
            under_way.append((number, communicator.all_gather(buffers, 0)))
        if len(under_way) == _WINDOW:
            settle_first()
    while under_way:
        settle_first()
    findings.settle()


@requirement(
    "collectives/inputs_untouched",
    "A communication MUST NOT change its inputs, and its results MUST live on by themselves: when inputs, or results "
    "of other members, are deleted, they stay as they are.",
    why="The runtime deletes what the program needs no more, and uses again what it still needs.",
    profile="multi", cases=process_cases(),
)
def inputs_untouched(context: Context) -> None:
    """Every kind: inputs compared afterwards and deleted, memory used again, results deleted one after the other."""
    findings, devices = Findings(), context.all_devices
    communicator, positions = context.communicator(), context.group(context.all_devices).local_positions
    starts = {
        **_STARTS, "permute": collective("permute", [(i, (i + 1) % len(devices)) for i in range(len(devices))]),
        "broadcast": collective("broadcast", 0),
    }
    for name, start in starts.items():
        for size in (3, 50_000):
            values = random_values(context, len(devices), size * len(devices), np.dtype(np.int32))
            inputs = own_buffers(context, devices, values)
            results = context.wait(start(communicator, inputs), name)
            before = [np.array(buffer.to_host()) for buffer in results]
            with findings:
                for position, buffer in zip(positions, inputs, strict=True):
                    require_same_bits(buffer.to_host(), values[position], f"the input of {name}")
                    buffer.delete()
                own_buffers(context, devices, [np.full(size * len(devices), -1, np.int32)] * len(devices))
                for i, buffer in enumerate(results):
                    require_same_bits(buffer.to_host(), before[i], f"a result of {name} whose inputs are deleted")
                    buffer.delete()
    findings.settle()


@requirement(
    "collectives/beside_executions",
    "Programs MUST run, and buffers be made and read, while a communication is under way.",
    why="Hiding communication behind computation is what it is asynchronous for.",
    profile="multi", cases=process_cases(needs=needs("add")),
)
def beside_executions(context: Context) -> None:
    """The late process computes first; the others compute while they wait for it."""
    findings, devices = Findings(), context.all_devices
    kind = array_type(1000, dtype=np.int32)
    executable = context.compile(doubling("doubling", kind), context.devices)
    values = [np.full(1000, i + 1, np.int32) for i in range(len(devices))]
    communicator = context.communicator()
    buffers = own_buffers(context, devices, values)

    def compute() -> None:
        with findings:
            for column in executable.execute([buffers]):
                for position, buffer in zip(context.group(devices).local_positions, column, strict=True):
                    require_same_bits(buffer.to_host(), values[position] * 2, "a sum computed beside an all_reduce")

    for iteration in range(4):
        if iteration % context.process_count == context.process_index:
            compute()
        begun = communicator.all_reduce(buffers, "sum")
        compute()
        label = f"all_reduce {iteration} beside executions"
        require_results(context, findings, devices, begun, [added(values)] * len(devices), label)
    findings.settle()


@requirement(
    "collectives/unready_inputs",
    "A communication MUST wait for inputs that an execution has still to bring, and an execution for what a "
    "communication gives.",
    why="A buffer that is sent before it is made carries whatever was in its memory.",
    profile="multi", cases=process_cases(needs=needs("dot_general", "rem", "add", "broadcast_in_dim", "constant")),
)
def unready_inputs(context: Context) -> None:
    """A long program's output goes into an all-reduce at once, and its result into the next program."""
    findings, devices = Findings(), context.all_devices
    program, size = heavy("long", 64, 30), 64
    executable = context.compile(program, context.devices)
    after = context.compile(doubling("after", array_type(size, size)), context.devices)
    values = [context.random.integers(0, 7, (size, size)).astype(np.float32) for _ in devices]
    made = []
    for value in values:
        for _ in range(30):
            value = (value @ value) % np.float32(7)
        made.append(value)
    for _ in range(3):
        (column,) = executable.execute([own_buffers(context, devices, values)])
        results = context.wait(context.communicator().all_reduce(column, "sum"), "all_reduce of what is being made")
        (doubled,) = after.execute([results])
        with findings:
            for buffer in doubled:
                wanted = added(made) * 2
                require_same_bits(buffer.to_host(), wanted, "twice the sum of what was being made", program.text)
    findings.settle()


@requirement(
    "collectives/any_thread",
    "A communicator MUST work from any thread, one at a time.",
    why="Callers have threads of their own: data loaders, servers, notebooks.",
    profile="multi", cases=process_cases(),
)
def any_thread(context: Context) -> None:
    """Begun in one thread, waited for in another, and all over again in a third."""
    devices: Devices = context.all_devices
    values = [np.full(1000, i, np.int32) for i in range(len(devices))]
    total, problems = added(values), []
    begun: list[Pending] = []

    def in_thread(work: Callable[[], object]) -> None:
        def guarded() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001  (it is raised again where the check can see it)
                problems.append(error)

        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        thread.join(context.session.links.seconds + 10.0)
        require(not thread.is_alive(), observed="the thread still waits", required="every communication ends")
        if problems:
            raise problems[0]

    def use() -> None:
        label = "all_reduce in a thread of its own"
        for _, buffer in communicate(context, devices, values, collective("all_reduce", "sum"), label):
            require_same_bits(buffer.to_host(), total, label)

    in_thread(lambda: begun.append(begin(context, devices, values, collective("all_reduce", "sum"))))
    for buffer in context.wait(begun[0], "all_reduce that another thread began"):
        require_same_bits(buffer.to_host(), total, "all_reduce that another thread began")
    in_thread(use)
    use()


@requirement(
    "collectives/abort",
    "abort MUST return without waiting and end what is under way in this process with an error that is no "
    "TimeoutError; the communicator can then be closed.",
    why="When one process has failed, the others must be able to leave a collective that will never be done.",
    profile="multi", cases=process_cases(2, 4), fresh=True,
)
def abort(context: Context) -> None:
    """Process 0 never comes: the others abort, each by itself."""
    devices = context.all_devices
    communicator = context.open_communicator(devices)
    findings = Findings()
    if context.process_index:
        values = [np.zeros(1000, np.float32)] * len(devices)
        begun = [
            communicator.all_reduce(own_buffers(context, devices, values), "sum"),
            communicator.all_gather(own_buffers(context, devices, values), 0),
        ]
        require_raises(TimeoutError, lambda: begun[0].result(context.deadline(0.05)), "result without process 0")
        started = time.monotonic()
        communicator.abort("the check ends it")
        with findings:
            for waiting in begun:
                error = require_raises(Exception, partial(waiting.result, context.deadline(5.0)),
                                       "result after abort")
                took = time.monotonic() - started
                require(not isinstance(error, TimeoutError) and took < _AT_ONCE,
                        observed=f"{type(error).__name__} after {took:.1f} s", required="another error, at once")
    context.exchange("aborted", b"")
    communicator.close()
    with findings:
        require_equal(len(context.exchange("closed", b"")), context.process_count, "the number of processes")
    findings.settle()
