# SPDX-License-Identifier: Apache-2.0
"""The verifier: whether a program is well-formed."""

from __future__ import annotations

from typing import NoReturn

from olympus_core.dataclass import dataclass, field
from olympus_core.errors import OperandError, VerificationError

from .groups import AxisGroup, DeviceGroups
from .program import Operation, Program, Value, operation_text


def verify(program: Program, devices: int | None = None) -> None:
    """Checks a program and its regions.

    Every value is made once, before its use; every operation's results are what its type rule says; regions are
    closed and of the types that their operation demands; the groups of collectives share out all positions.

    Args:
        program: A global program or the program of one device.
        devices: For the program of one device: how many devices run it. None for a global program, where
            collectives may stand in manual regions only.

    Raises:
        VerificationError: At the first rule that is broken.
    """
    _Scope(program, devices).check()


@dataclass(slots=True)
class _Scope:
    """One program or region, and where it stands.

    Args:
        program: What is checked.
        devices: How many devices run it, in a device program.
        mesh_shape: The mesh of the manual regions around it.
        axes: The axes that are manual here.
    """

    program: Program
    devices: int | None
    mesh_shape: tuple[tuple[str, int], ...] | None = None
    axes: frozenset[str] = field(default_factory=frozenset)

    def check(self) -> None:
        """Checks everything in order."""
        known: set[Value] = set()
        for value in self.program.inputs:
            if value in known:
                raise VerificationError("an input stands twice", self.program.name, str(value))
            known.add(value)
        for operation in self.program.operations:
            for i, value in enumerate(operation.operands):
                if value not in known:
                    self._refuse("an operand is made before its use", operation, f"operand {i}")
            self._types(operation)
            self._regions(operation)
            if operation.record.category == "collective":
                self._group(operation)
            for i, value in enumerate(operation.results):
                if value in known:
                    self._refuse("a value is made once", operation, f"result {i}")
                known.add(value)
        for i, value in enumerate(self.program.outputs):
            if value not in known:
                raise VerificationError("an output is made by the program", self.program.name, f"output {i}")

    def _types(self, operation: Operation) -> None:
        try:
            types = tuple(
                operation.record.type_rule(
                    [v.type for v in operation.operands], operation.attributes, operation.regions
                )
            )
        except OperandError as error:
            raise VerificationError(
                "an operation's type rule takes its operands", operation_text(self.program, operation), error.problem
            ) from error
        if types != tuple(v.type for v in operation.results):
            self._refuse("results are of the types that the type rule gives", operation, f"the rule gives {types}")

    def _regions(self, operation: Operation) -> None:
        if not operation.regions:
            return
        if operation.record.category != "control":
            self._refuse("only control flow has regions", operation)
        mesh_shape, axes = self.mesh_shape, self.axes
        if operation.name == "manual":
            inner = tuple(operation.attributes["mesh"].shape_tuple)
            if mesh_shape not in (None, inner):
                self._refuse("nested manual regions are on one mesh", operation, f"around it: {mesh_shape}")
            if self.axes & set(operation.attributes["axes"]):
                self._refuse("an axis becomes manual once", operation, f"around it: {sorted(self.axes)}")
            if self.devices is not None:
                self._refuse("the program of one device has no manual regions", operation)
            mesh_shape, axes = inner, self.axes | set(operation.attributes["axes"])
        for region in operation.regions:
            _Scope(region, self.devices, mesh_shape, axes).check()

    def _group(self, operation: Operation) -> None:
        group = operation.attributes["group"]
        if isinstance(group, AxisGroup):
            if self.mesh_shape is None:
                self._refuse("a collective over axes stands in a manual region", operation)
            if group.mesh_shape != self.mesh_shape or not set(group.axes) <= self.axes:
                self._refuse("a collective is over axes that are manual where it stands", operation,
                             f"manual here: {sorted(self.axes)} of {self.mesh_shape}")
        elif isinstance(group, DeviceGroups):
            if self.devices is None:
                self._refuse("a collective over positions stands in the program of one device", operation)
            if sorted(p for g in group.groups for p in g) != list(range(self.devices or 0)):
                self._refuse("groups share out all positions", operation, f"{self.devices} devices")

    def _refuse(self, rule: str, operation: Operation, detail: str = "") -> NoReturn:
        raise VerificationError(rule, operation_text(self.program, operation), detail)
