"""Which operations have work of their own here: products, convolutions, sorts, scatters of many updates."""

from __future__ import annotations

from olympus_core.program import Operation
from olympus_core.toolkit import Flat

from ..compiled.work import Work
from .convolutions import convolution_work
from .dots import dot_work
from .epilogues import NAME as EPILOGUE
from .epilogues import epilogue_of, product_of, with_epilogues
from .scatters import NAME as SCATTER
from .scatters import scatter_work, with_sorted_scatters
from .sorts import sort_work, with_sorted_top_k


def rewritten(flat: Flat) -> Flat:
    """A program as it is planned: products take on what follows them, scatters of many updates, `top_k` are sorts."""
    return with_epilogues(with_sorted_scatters(with_sorted_top_k(flat)))


def made_step(operation: Operation) -> Work | None:
    """The work of an operation, or None where it has none here."""
    if operation.name == "dot_general":
        return dot_work(operation)
    if operation.name == EPILOGUE:
        return dot_work(product_of(operation), epilogue_of(operation), operation.operands)
    if operation.name == "convolution":
        return convolution_work(operation)
    if operation.name == "sort":
        return sort_work(operation)
    if operation.name == SCATTER:
        return scatter_work(operation)
    return None


def made_sum(operation: Operation, count: int) -> Work | None:
    """The sum of what `count` devices multiply: always None, since adding up their results costs less than waiting."""
    return None
