# SPDX-License-Identifier: Apache-2.0
"""The requirements of several processes that one process can check: good platforms pass, wrong ones fail by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from olympus_conformance import Context, Session, Status, require, run_test
from olympus_conformance import tests as all_tests
from olympus_conformance.suite.multi.groups import Findings, all_groups
from olympus_core.plugin import Buffer, Device, DeviceDescription, Group, Pending, PlatformSettings, Transfer
from olympus_core.runtime.registry import registry
from olympus_core.toolkit import LocalCommunicator, table_from_references, table_platform

AREAS = ("collectives/", "communicators/", "programs/", "devices/unique_ac", "memory/returned_after_c")
TESTS = {t.id: t for t in all_tests() if t.case.processes == 1 and t.id.startswith(AREAS)}
COMMON = ("bool", "int32", "float32")
FEW = [i for i in TESTS if "," not in i or any(f"{d},1 process" in i for d in COMMON)]


@pytest.fixture(scope="module")
def cpu() -> Iterator[Session]:
    (found,) = registry.select(["cpu"])
    session = Session(found.platform, PlatformSettings(device_count=4, transports=registry.transports()))
    yield session
    session.close()


@pytest.fixture
def toy() -> Iterator[Session]:
    session = Session(table_platform("toy", table_from_references(), 4), PlatformSettings())
    yield session
    session.close()


@pytest.mark.parametrize("identifier", list(TESTS))
def test_cpu_passes(cpu: Session, identifier: str) -> None:
    outcome = run_test(TESTS[identifier], Context(cpu, identifier))
    assert outcome.status is Status.PASS, outcome


@pytest.mark.parametrize("identifier", FEW)
def test_a_platform_of_the_toolkit_passes(toy: Session, identifier: str) -> None:
    outcome = run_test(TESTS[identifier], Context(toy, identifier))
    undeclared = {n for n in TESTS[identifier].case.needs if n == "donation"}
    assert outcome.status is (Status.NOT_SUPPORTED if undeclared else Status.PASS), outcome


class Again:
    """A communication whose results are changed."""

    def __init__(self, inner: Pending, change: Callable[[list[Any]], list[Any]]) -> None:
        self._inner, self._change = inner, change

    def is_done(self) -> bool:
        return self._inner.is_done()

    def result(self, deadline: float) -> list[Any]:
        return self._change(self._inner.result(deadline))


class Wrong(LocalCommunicator):
    """A communicator that is wrong in one way."""

    defect = ""

    def _of(self, arrays: Sequence[np.ndarray]) -> list[Any]:
        return [self._wrap(a, d) for a, d in zip(arrays, self.group.devices, strict=True)]

    def _changed(self, pending: Pending, change: Callable[[np.ndarray], np.ndarray]) -> Pending:
        return Again(pending, lambda results: self._of([change(b.to_host()) for b in results]))

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Any) -> Pending:
        pending = super().all_reduce(inputs, reduction)
        if self.defect == "drops the last member":
            arrays = [b.to_host() for b in inputs]
            return super().all_reduce([*inputs[:-1], inputs[0]] if len(arrays) > 1 else inputs, reduction)
        if self.defect == "no nan in max" and reduction == "max":
            return self._changed(pending, lambda a: np.nan_to_num(a, nan=0.0) if a.dtype.kind == "f" else a)
        if self.defect == "other bits for the last" and len(inputs) > 1:
            def last(results: list[Any]) -> list[Any]:
                arrays = [b.to_host() for b in results]
                if arrays[-1].dtype == np.float32 and arrays[-1].size:
                    arrays[-1] = np.nextafter(arrays[-1], np.float32(np.inf))
                return self._of(arrays)
            return Again(pending, last)
        if self.defect == "in place":
            for buffer, result in zip(inputs, pending.result(0.0), strict=True):
                buffer.array = result.to_host()
        return pending

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        if self.defect == "order of ids":
            order = sorted(range(len(inputs)), key=lambda i: self.group.devices[i].id)
            return super().all_gather([inputs[i] for i in order], dimension)
        return super().all_gather(inputs, dimension)

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        if self.defect == "keeps its own":
            targets = {t for _, t in pairs}
            full = [*pairs, *((i, i) for i in range(len(inputs)) if i not in targets)]
            return super().permute(inputs, full)
        return super().permute(inputs, pairs)

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        return super().broadcast(inputs, 0 if self.defect == "first is source" else source)

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        if self.defect == "reversed parts":
            return super().all_to_all(inputs[::-1], split_dimension, concat_dimension)
        return super().all_to_all(inputs, split_dimension, concat_dimension)

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Any) -> Pending:
        pending = super().reduce_scatter(inputs, dimension, reduction)
        if self.defect == "off by one":
            return Again(pending, lambda r: self._of([b.to_host() for b in (*r[1:], r[0])]))
        return pending

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        return super().exchange(sends[::-1] if self.defect == "last first" else sends, receives)

    def barrier(self) -> Pending:
        if self.defect == "gives buffers":
            return Again(super().barrier(), lambda r: self._of([np.zeros(1)] * len(self.group.devices)))
        return super().barrier()


DEFECTS = {
    "drops the last member": "collectives/all_reduce[sum,float32,1 process]",
    "no nan in max": "collectives/special_values[1 process]",
    "other bits for the last": "collectives/all_reduce_same_bits[1 process]",
    "in place": "collectives/inputs_untouched[1 process]",
    "order of ids": "communicators/any_group[1 process]",
    "keeps its own": "collectives/permute[int32,1 process]",
    "first is source": "collectives/broadcast[int32,1 process]",
    "reversed parts": "collectives/all_to_all[int32,1 process]",
    "off by one": "collectives/reduce_scatter[sum,int32,1 process]",
    "last first": "collectives/exchange[1 process]",
    "gives buffers": "collectives/barrier[1 process]",
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_wrong_communicators_are_found(toy: Session, defect: str) -> None:
    identifier = DEFECTS[defect]
    assert run_test(TESTS[identifier], Context(toy, identifier)).status is Status.PASS

    def open_wrong(group: Group, rendezvous: object) -> Wrong:
        found = Wrong(group, toy.client._wrap)
        found.defect = defect
        return found

    toy.links.close()
    toy.client.open_communicator = open_wrong
    outcome = run_test(TESTS[identifier], Context(toy, identifier))
    assert outcome.status is Status.FAIL, outcome


def test_groups_are_alike_in_every_process() -> None:
    """What each process sees of the groups: the same names and devices, in the same order."""
    seen = []
    for here in range(4):
        devices = tuple(
            Device(DeviceDescription(i, "toy", f"TOY_{i}", f"Toy({i})"), platform="toy", process_index=i // 2,
                   local_index=i % 2, is_addressable=i // 2 == here)
            for i in range(8)
        )

        class Seen:
            all_devices = devices

        seen.append([(name, [d.id for d in group]) for name, group in all_groups(Seen())])
    assert all(groups == seen[0] for groups in seen)
    assert len({tuple(group) for _, group in seen[0]}) == len(seen[0])
    sizes = {len(group) for _, group in seen[0]}
    assert sizes == {1, 2, 4, 8}


def test_findings_keep_the_first_failure_and_nothing_else() -> None:
    findings = Findings()
    for number in range(2):
        with findings:
            require(False, observed=number, required="nothing")
    with pytest.raises(Exception, match="0"):
        findings.settle()
    with pytest.raises(ZeroDivisionError), findings:
        _ = 1 // 0
