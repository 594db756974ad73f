# SPDX-License-Identifier: Apache-2.0
"""The trace of forward mode: values carry tangents, which the rules of the operations pass on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core.config import config
from olympus_core.errors import NotSupportedError, ReferenceUseError
from olympus_core.location import user_location
from olympus_core.placement import Layout
from olympus_core.program import OperationRecord, Program

from ...tracing import JittedFunction, Trace, Tracer, aval_of, bind_all, leaked, use_trace
from ...tracing.aval import float0 as float0
from ...tracing.scopes import at_users_line
from ...tracing.trace import Identified
from ...tracing.values import array_behind, stands_for_array
from .linear_trace import only_forward
from .table import NO_RULES, RULES, JvpCall


class DifferentiatedTracer(Tracer):
    """A value that carries derivatives.

    Python may look at the value, where it is known: ``if`` and ``while`` on it are followed as they are taken.
    """

    __slots__ = ()

    def primal(self) -> Any:
        """The value without its derivatives."""
        return self._value.primal() if isinstance(self._value, Tracer) else self._value

    def __repr__(self) -> str:
        return f"Differentiated<{self._value!r}>"

    def __bool__(self) -> bool:
        return bool(self._value)

    def __int__(self) -> int:
        return int(self._value)

    def __index__(self) -> int:
        return self._value.__index__()

    def __float__(self) -> float:
        return float(self._value)

    def __complex__(self) -> complex:
        return complex(self._value)

    def item(self) -> Any:
        """The value as a Python number, without its derivative."""
        return self._value.item()

    def tolist(self) -> Any:
        """The values as Python numbers, without their derivatives."""
        return self._value.tolist()

    @property
    def sharding(self) -> Any:
        """Where the value is."""
        return self._value.sharding

    def devices(self) -> Any:
        """The devices that hold the value."""
        return self._value.devices()

    def block_until_ready(self) -> DifferentiatedTracer:
        """Waits until the value is there."""
        self._value.block_until_ready()
        return self


class JvpTracer(DifferentiatedTracer):
    """A value with its tangent.

    Args:
        trace: The trace that it belongs to.
        value: The value.
        tangent: Its tangent.
    """

    __slots__ = ("tangent",)

    def __init__(self, trace: JvpTrace, value: Any, tangent: Any) -> None:
        super().__init__(trace, value, aval_of(value))
        self.tangent = tangent
        if trace.made is not None:
            trace.made[id(self)] = user_location()

    def typed(self, layout: Layout | None) -> JvpTracer:
        """The same value with another sharding in its type."""
        value, tangent = (x.typed(layout) if isinstance(x, Tracer) else x for x in (self._value, self.tangent))
        return JvpTracer(self._trace, value, tangent)


class JvpTrace(Identified):
    """Binds operations in the trace around it, and the rules of the operations for their tangents.

    Args:
        parent: The trace around; a linear one where tangents are to be transposed.
    """

    is_eager = False  # whether nothing but derivatives surrounds it, so that operations run at once

    def __init__(self, parent: Trace) -> None:
        self.parent = parent
        self._open = True
        self.made: dict[int, str] | None = {} if config.check_tracer_leaks else None  # for leaks

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Its operations are differentiated one by one."""
        return jitted.inline(args, kwargs)

    def wrap(self, value: Any, tangent: Any) -> Any:
        """A value with a tangent; as it is where that is None."""
        return value if tangent is None else JvpTracer(self, value, tangent)

    def split(self, operand: Any) -> tuple[Any, Any]:
        """A value and its tangent; None for zero."""
        if isinstance(operand, Tracer):
            if operand._trace is self:
                return operand._value, operand.tangent
            if not operand._trace._open:
                raise leaked(operand)
        elif stands_for_array(operand):
            return self.split(array_behind(operand))
        return operand, None

    def outward(self, value: Any) -> Any:
        """A value as the trace around knows it, for a reference there."""
        primal, tangent = self.split(value)
        if tangent is not None:
            raise ReferenceUseError(
                "A differentiated value is written to a reference that is not differentiated", repr(aval_of(value)),
                "Make the reference inside of the differentiated function, or write olympus.lax.stop_gradient(value).")
        return primal

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """One operation: its results, and their tangents."""
        pairs = [self.split(operand) for operand in operands]
        primals, tangents = [p for p, _ in pairs], [t for _, t in pairs]
        rules = RULES.get(record.name, NO_RULES)
        is_constant = rules.is_constant or all(t is None for t in tangents)
        if rules.rewrite is not None and not is_constant:
            with use_trace(self):
                return list(rules.rewrite(operands, attributes, regions))
        with use_trace(self.parent), at_users_line(not self.is_eager):
            if is_constant:
                return bind_all(record, primals, attributes, regions, weak)
            if rules.jvp is None:
                raise NotSupportedError(
                    f"The derivative of {record.name}", "the operation has no rule for it",
                    f"Register ad.primitive_jvps[{record.name}_p] = rule, or ad.defjvp."
                    if rules.is_external else "Give the function that uses it a rule with olympus.custom_jvp.")
            forward = only_forward(self.parent, tangents)
            results, found = rules.jvp(JvpCall(record, primals, tangents, attributes, regions, weak, forward))
        return [self.wrap(result, tangent) for result, tangent in zip(results, found, strict=True)]

    def close(self) -> None:
        """Ends the trace: its values cannot be used any more."""
        self._open = False

