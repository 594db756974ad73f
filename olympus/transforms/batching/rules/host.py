"""Calls of the host: one for each index, in order."""

from __future__ import annotations

from ....tracing import bind_all
from ...traces.batched_regions import one_after_another
from ...traces.batching_call import Call, Result, all_batched
from .table import Rule


def _host_callback(call: Call) -> list[Result]:
    def body(values: list[object]) -> list[object]:
        return bind_all(call.record, values, call.attributes, call.regions, call.weak)

    return all_batched(*one_after_another(call, body))


HOST: dict[str, Rule] = {"host_callback": _host_callback}
