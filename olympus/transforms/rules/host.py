# SPDX-License-Identifier: Apache-2.0
"""Functions of the host: of their derivatives nothing is known; batches call them index by index, or once for all."""

from __future__ import annotations

from olympus_core import ops
from olympus_core.errors import CallbackDerivativeError
from olympus_core.ops import HostFunction

from ...tracing import Aval, bind_all
from ...tracing.aval import has_tangent
from ..traces.batched_regions import one_after_another
from ..traces.dimensions import repeated
from ..traces.table import Batched, BatchingCall, Jvp, JvpCall, all_batched, batching_rule, jvp_rule


@jvp_rule(ops.host_callback)
def _host_callback_jvp(call: JvpCall) -> Jvp:
    if any(has_tangent(Aval(type)) for type in call.attributes["result_types"]):
        raise CallbackDerivativeError(call.attributes["callback"].name)
    results = bind_all(ops.host_callback, call.primals, call.attributes, call.regions, call.weak)
    return results, [None] * len(results)


@batching_rule(ops.host_callback)
def _host_callback_batching(call: BatchingCall) -> Batched:
    callback: HostFunction = call.attributes["callback"]
    method = getattr(callback.function, "vmap_method", None)
    if method in ("expand_dims", "broadcast_all", "legacy_vectorized"):
        count = call.size if method == "broadcast_all" else 1
        values = [value if is_batched or method == "legacy_vectorized" else repeated(value, count)
                  for value, is_batched in zip(call.values, call.batched, strict=True)]
        mapped = callback.function.mapped(call.size)  # type: ignore[attr-defined]
        attributes = {**call.attributes, "callback": HostFunction(callback.name, mapped), "result_types": mapped.types}
        return all_batched(*bind_all(call.record, values, attributes, call.regions, call.weak))

    def body(values: list[object]) -> list[object]:
        return bind_all(call.record, values, call.attributes, call.regions, call.weak)

    return all_batched(*one_after_another(call, body))
