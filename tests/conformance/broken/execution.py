# SPDX-License-Identifier: Apache-2.0
"""Executions that are wrong in one way, in one process."""

from __future__ import annotations

import itertools
import threading
from dataclasses import replace
from typing import Any

import numpy as np

from olympus_core.errors import NotSupportedError
from olympus_core.plugin import Device
from olympus_core.program import DeviceProgram
from olympus_core.toolkit.platform import TableBuffer, TableClient, TablePlatform

from .base import Execute, Run, build, miscompiling, turned_round, with_attributes, wrong_after
from .buffers import _delete_and_clear
from .form import broken

Inputs = Any


def zeros(client: Any, program: DeviceProgram) -> list[list[Any]]:
    """Outputs of the right shape that are all zero."""
    return [[client._wrap(np.zeros(t.shape, t.dtype), d) for d in program.local_devices]
            for t in program.program.output_types]


@broken("shard_off_by_one", fails=["execution/devices"], says="a device gives its neighbour's outputs")
def shard_off_by_one() -> TablePlatform:
    """The outputs are shifted by a device."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        columns = run(inputs)
        return [[client._wrap(column[i - 1].array, d) for i, d in enumerate(program.local_devices)]
                for column in columns]

    return build(execute=execute)


@broken("results_by_id", fails=["execution/devices"], says="results come in the order of the devices' ids")
def results_by_id() -> TablePlatform:
    """The inputs are sorted and the outputs are not."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        order = sorted(range(len(program.local_devices)), key=lambda i: program.local_devices[i].id)
        return run([[column[i] for i in order] for column in inputs])

    return build(execute=execute)


@broken("results_cached", fails=["execution/repeated"], says="an executable gives its first results again")
def results_cached() -> TablePlatform:
    """Whatever the inputs are."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        known = client.__dict__.setdefault("known", {})
        if run not in known:
            known[run] = run(inputs)
        return known[run]

    return build(execute=execute)


@broken("repeats_left_out", fails=["execution/forms"], says="an output that stands twice is given once")
def repeats_left_out() -> TablePlatform:
    """As where outputs are kept in a dictionary."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        columns = run(inputs)
        return [columns[program.program.outputs.index(v)] for v in dict.fromkeys(program.program.outputs)]

    return build(execute=execute)


@broken("computes_in_place", fails=["execution/inputs_unchanged"], says="it computes in the memory of its inputs")
def computes_in_place() -> TablePlatform:
    """Though nobody has given them away."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        columns = run(inputs)
        for column in inputs:
            for buffer in column:
                if buffer.array.ndim:
                    buffer.array[..., :1] = 0
        return columns

    return build(execute=execute)


@broken("buffer_taken_once", fails=["execution/one_buffer_twice"], says="a buffer that is given twice counts once")
def buffer_taken_once() -> TablePlatform:
    """The second time it is zeros."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        seen: set[int] = set()
        given = []
        for column in inputs:
            given.append([client._wrap(np.zeros_like(b.array), b.device) if id(b) in seen else b for b in column])
            seen |= {id(b) for b in column}
        return run(given)

    return build(execute=execute)


def _noisy(per_run: bool) -> Execute:
    runs = itertools.count()

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        columns, number = run(inputs), next(runs)
        for column in columns:
            for i, buffer in enumerate(column):
                if buffer.array.dtype == np.float32:
                    buffer.array = buffer.array * np.float32(1 + 1e-6 * (number if per_run else i))
        return columns

    return execute


broken("devices_round_apart", fails=["execution/devices_agree"], says="each device rounds in its own way")(
    lambda: build(execute=_noisy(False)))
broken("runs_round_apart", fails=["execution/same_bits_again"], says="each execution rounds in its own way")(
    lambda: build(execute=_noisy(True)))
broken("outputs_share_memory", fails=["execution/outputs_live_alone"], says="outputs share memory that delete clears",
       also=("buffers/host_outlives", "copies/independent"))(
    lambda: build(buffer={"delete": _delete_and_clear}))
broken("no_text", fails=["execution/described"], says="executables have no text")(
    lambda: build(executable={"text": lambda: ""}))
broken("last_device_wrong", fails=["execution/one_device"], says="the last device computes wrong numbers")(
    lambda: wrong_after(name="arithmetic", where=lambda p: p.devices[0].local_index == 2))
broken("large_ends_wrong", fails=["execution/large"], says="the last element of a large array is wrong")(
    lambda: wrong_after(name="large"))
broken("branches_backwards", fails=["control/cond"], says="branches are counted from the last")(
    lambda: miscompiling("cond", lambda operation, depth: {"regions": operation.regions[::-1]}))
broken("inner_branches_backwards", fails=["control/nested"], says="branches inside of regions count from the last")(
    lambda: miscompiling("cond", lambda operation, depth: {"regions": operation.regions[::-1]} if depth else {}))
broken("scans_forwards_only", fails=["control/scan"], says="scans know one direction only")(
    lambda: miscompiling("scan", lambda operation, depth: with_attributes(operation, reverse=False)))
broken("loop_ends_wrong", fails=["control/while"], says="the last element behind a loop is wrong")(
    lambda: wrong_after(name="loop"))
broken("long_loop_ends_wrong", fails=["control/while_many_turns"], says="the count behind a long loop is wrong")(
    lambda: wrong_after(name="count"))
broken("call_ends_wrong", fails=["control/call"], says="the last element of what is called is wrong")(
    lambda: wrong_after("call"))
broken("inner_sums_are_maxima",
       fails=["control/collectives_inside", "control/groups_part_ways", "programs/collectives_in_control_flow"],
       says="sums over devices inside of loops and branches are maxima")(
    lambda: miscompiling("all_reduce", lambda operation, depth: with_attributes(operation, reduction="max")
                         if depth else {}))
broken("minima_are_maxima", fails=["local_collectives/all_reduce"], says="minima over devices are maxima")(
    lambda: miscompiling("all_reduce", lambda operation, depth: with_attributes(
        operation, reduction={"min": "max"}.get(operation.attributes["reduction"], operation.attributes["reduction"]))))


@broken("all_reduce_drops_nan", fails=["local_collectives/special_values"],
        says="reductions over devices leave NaN out")
def all_reduce_drops_nan() -> TablePlatform:
    """As `fmax` and its kin do; other programs are right."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        columns = run(inputs)
        if any(operation.name == "all_reduce" for operation in program.program.operations):
            for buffer in columns[0]:
                if buffer.array.dtype == np.float32:
                    buffer.array = np.where(np.isnan(buffer.array), np.float32(1), buffer.array)
        return columns

    return build(execute=execute)


for _name, _says in (
    ("all_gather", "concatenates"), ("reduce_scatter", "hands out the parts"), ("all_to_all", "counts the members"),
    ("axis_index", "counts the members"),
):
    broken(f"{_name}_backwards", fails=[f"local_collectives/{_name}"], says=f"{_name} {_says} from the last")(
        lambda name=_name: miscompiling(name, lambda operation, depth: turned_round(operation)))
broken("permute_backwards", fails=["local_collectives/permute"], says="permute sends from targets to sources")(
    lambda: miscompiling("permute", lambda operation, depth: with_attributes(
        operation, pairs=tuple((t, s) for s, t in operation.attributes["pairs"]))))
broken("local_broadcast_from_first", fails=["local_collectives/broadcast"], says="the first member is the source")(
    lambda: miscompiling("broadcast", lambda operation, depth: with_attributes(operation, source=0)))
broken("programs_with_products", fails=["random/programs"], says="a wrong element in programs with a product")(
    lambda: wrong_after("mul"))


@broken("stale_after_donation", fails=["donation/others_unchanged", "donation/handed_back"],
        says="donated memory is written over though other buffers share it")
def stale_after_donation() -> TablePlatform:
    """After the execution has used it."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        columns = run(inputs)
        for i in program.donated:
            for buffer in inputs[i]:
                if buffer.array.flags.writeable:
                    buffer.array[...] = -5
        return columns

    return build(execute=execute)


broken("donation_spoils", fails=["donation/results", "donation/steps"],
       says="what is computed in donated memory ends with a wrong element")(
    lambda: wrong_after(where=lambda p: bool(p.donated)))


@broken("donated_names_mixed_up", fails=["donation/beside"],
        says="beside a donated input it gives what an operation gave in the place of what was made of that")
def donated_names_mixed_up() -> TablePlatform:
    """As where the memory that was to be written over is handed out, and fresh memory was written to."""

    def compile(self: Any, program: DeviceProgram, links: Any) -> Any:
        inner = program.program
        sorted_ = {v for o in inner.operations if o.name in ("sort", "top_k") for v in o.results}
        source = {o.results[0]: o.operands[0] for o in inner.operations if o.name == "mul"}
        if program.donated:
            outputs = tuple(source[v] if source.get(v) in sorted_ else v for v in inner.outputs)
            program = replace(program, program=replace(inner, outputs=outputs))
        return TableClient.compile(self, program, links)

    return build(client={"compile": compile})


def _memory_goes_at_once(ends: str) -> TablePlatform:
    """An execution whose input is deleted or donated meanwhile has read what is not its own.

    So that this happens, an execution in a thread of its own waits for it, where others had the buffer before.
    """

    def ended(buffer: Any) -> threading.Event:
        found: threading.Event = buffer.__dict__.setdefault("ended", threading.Event())
        return found

    def delete(self: Any) -> None:
        ended(self).set()
        TableBuffer.delete(self)

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        buffers = [buffer for column in inputs for buffer in column]
        if ends == "donated":
            for i in program.donated:
                for buffer in inputs[i]:
                    ended(buffer).set()
        was_ended = [ended(buffer).is_set() for buffer in buffers]
        columns = run(inputs)
        for buffer in buffers:
            buffer.uses = getattr(buffer, "uses", 0) + 1
            if buffer.uses > 2 and not _is_first_thread():
                ended(buffer).wait(5.0)
        return columns if was_ended == [ended(buffer).is_set() for buffer in buffers] else zeros(client, program)

    return build(execute=execute, buffer={"delete": delete} if ends == "deleted" else {})


broken("memory_goes_under_readers", fails=["threads/deleted_while_read[deleted]"],
       says="delete gives memory back under an execution that reads it")(lambda: _memory_goes_at_once("deleted"))
broken("donation_under_readers", fails=["threads/deleted_while_read[donated]"],
       says="what was donated is written over while another execution reads it")(
    lambda: _memory_goes_at_once("donated"))


@broken("dropped_error", fails=["errors/raised", "errors/spread"], says="zeros instead of an error")
def dropped_error() -> TablePlatform:
    """The error is nowhere."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        try:
            return run(inputs)
        except Exception:  # noqa: BLE001  (to drop it is the defect)
            return zeros(client, program)

    return build(execute=execute)


@broken("stuck_after_error", fails=["errors/leave_others"], says="nothing runs after an error")
def stuck_after_error() -> TablePlatform:
    """Every later execution raises the first one's error."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        if client.kept:
            raise RuntimeError("an earlier execution failed")
        try:
            return run(inputs)
        except Exception:
            client.kept.append(True)
            raise

    return build(execute=execute)


@broken("hides_what_it_spoilt", fails=["errors/leave_others"], says="a donated input is spoilt and says that it is not")
def hides_what_it_spoilt() -> TablePlatform:
    """Written over before the execution fails."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        try:
            return run(inputs)
        except Exception:
            for i in program.donated:
                for buffer in inputs[i]:
                    buffer.array, buffer.is_spoiled = buffer.array + 1, False
            raise

    return build(execute=execute)


@broken("undeclared_operation_crashes", fails=["errors/unknown_operation"],
        says="an operation that it lacks is a KeyError")
def undeclared_operation_crashes() -> TablePlatform:
    """Instead of NotSupportedError."""

    def compile(self: Any, program: DeviceProgram, links: Any) -> Any:
        try:
            return TableClient.compile(self, program, links)
        except NotSupportedError:
            raise KeyError("conformance_unknown") from None

    return build(client={"compile": compile})


broken("callbacks_once", fails=["callbacks/results"], says="callbacks get the first device's values only")(
    lambda: build(execute=lambda client, run, program, inputs: run(
        [[column[0]] * len(column) for column in inputs])))
broken("callbacks_left_out", fails=["callbacks/order"], says="callbacks whose results nobody uses are left out")(
    lambda: build(execute=lambda client, run, program, inputs: zeros(client, program)))


def _is_first_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@broken("executes_in_first_thread", fails=["threads/execute"], says="it executes in the first thread only")
def executes_in_first_thread() -> TablePlatform:
    """The context belongs to a thread."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        return run(inputs) if _is_first_thread() else zeros(client, program)

    return build(execute=execute)


@broken("compiles_in_first_thread", fails=["threads/compile"], says="it compiles in the first thread only")
def compiles_in_first_thread() -> TablePlatform:
    """The compiler belongs to a thread."""

    def compile(self: Any, program: DeviceProgram, links: Any) -> Any:
        if not _is_first_thread():
            raise RuntimeError("the compiler belongs to another thread")
        return TableClient.compile(self, program, links)

    return build(client={"compile": compile})


@broken("memory_of_first_thread", fails=["threads/buffers"], says="buffers that another thread makes are zeros")
def memory_of_first_thread() -> TablePlatform:
    """Only the first thread's reach the device."""

    def put(self: Any, value: np.ndarray, device: Device) -> Any:
        return TableClient.buffer_from_host(self, value if _is_first_thread() else np.zeros_like(value), device)

    return build(client={"buffer_from_host": put})


@broken("leaked_executions", fails=["memory/executions_returned", "memory/failures_returned"],
        says="it keeps what executions took and gave")
def leaked_executions() -> TablePlatform:
    """In a list that nobody reads."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Inputs) -> Any:
        client.kept.append([np.array(b.array) for column in inputs for b in column])
        columns = run(inputs)
        client.kept.append([np.array(b.array) for column in columns for b in column])
        return columns

    return build(execute=execute)
