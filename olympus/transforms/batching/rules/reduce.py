"""Reductions, cumulative ones, and sorting: the dimension in question shifts by one."""

from __future__ import annotations

from ....tracing import bind_all
from ...traces.batching_call import Call, Result, all_batched
from .table import Rule


def _reduction(call: Call) -> list[Result]:
    return all_batched(call.bind(call.values[0], **call.shifted("dimensions")))


def _along(call: Call) -> list[Result]:
    return all_batched(call.bind(call.values[0], dimension=call.attributes["dimension"] + 1))


def _sort(call: Call) -> list[Result]:
    values = [call.front(i) for i in range(len(call.values))]
    attributes = {**call.attributes, "dimension": call.attributes["dimension"] + 1}
    return all_batched(*bind_all(call.record, values, attributes, (), call.weak))


def _top_k(call: Call) -> list[Result]:
    attributes = {**call.attributes, "dimension": call.attributes["dimension"] + 1}
    return all_batched(*bind_all(call.record, [call.front(0)], attributes, (), call.weak))


REDUCTION: dict[str, Rule] = {
    **dict.fromkeys(
        ("reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_and", "reduce_or"), _reduction),
    **dict.fromkeys(("argmax", "argmin", "cumsum", "cumprod", "cummax", "cummin"), _along),
    "sort": _sort, "top_k": _top_k,
}
