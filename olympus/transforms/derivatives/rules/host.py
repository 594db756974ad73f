"""Random bits have no derivatives, and functions of the host none that is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core import ops
from olympus_core.errors import NotSupportedError

from ....tracing import Aval, bind_all
from ...traces.table import Step, constant, forward, has_tangent

constant(ops.threefry2x32, ops.random_bits)


@forward(ops.host_callback)
def _host_callback(step: Step) -> tuple[Sequence[Any], Sequence[Any]]:
    if any(has_tangent(Aval(type)) for type in step.attributes["result_types"]):
        raise NotSupportedError(
            "The derivative of a callback", "what a function of the host computes is not known",
            "Give the function that calls it a rule with olympus.custom_jvp or olympus.custom_vjp, or put "
            "olympus.lax.stop_gradient around the arguments.")
    results = bind_all(ops.host_callback, step.primals, step.attributes, step.regions, step.weak)
    return results, [None] * len(results)
