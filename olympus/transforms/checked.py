# SPDX-License-Identifier: Apache-2.0
"""Calls whose results are looked at: NaN and infinity are errors that name the operation and the line.

A result that is not allowed has the function called again, step by step, until the first such value is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.config import config
from olympus_core.errors import DeletedError, NotFiniteError
from olympus_core.location import user_location
from olympus_core.ops import call
from olympus_core.program import OperationRecord, Program

from ..array import Array
from ..tracing import EVALUATING, JittedFunction, use_trace
from ..trees import inside as tree
from .arguments import with_values


def checked(jitted: Any, compiled: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A compiled call that looks at what the options ask for.

    Args:
        jitted: Whose call it is, a `Jitted`.
        compiled: The call, a `CompiledCall`.
        args: The arguments of the call that it was compiled for.
        kwargs: Likewise.
    """
    if config.debug_key_reuse:
        from .key_uses import KeyCheckedCall

        compiled = KeyCheckedCall(jitted, compiled, jitted._trace(args, kwargs))
    return CheckedCall(jitted, compiled, args, kwargs) if config.debug_nans or config.debug_infs else compiled


class CheckedCall:
    """A compiled call whose results are looked at.

    Args:
        jitted: Whose call it is, a `Jitted`.
        compiled: The call, a `CompiledCall`.
        args: The arguments of the call that it was compiled for.
        kwargs: Likewise.
    """

    direct = None  # there is no way past the look at the results

    def __init__(
        self, jitted: Any, compiled: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any],
    ) -> None:
        self._jitted, self._compiled = jitted, compiled
        dynamic, _ = jitted._split(args, kwargs)
        structure = tree.structure(dynamic)
        self._arguments: Callable[[Sequence[Any]], Any] = lambda leaves: jitted._merge(
            args, kwargs, tree.unflatten(structure, leaves))
        self._forbidden = _Forbidden(config.debug_nans, config.debug_infs)
        self.captured, self.is_wanted = compiled.captured, compiled.is_wanted

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """The call's results."""
        results = self._compiled(leaves)
        found = self._forbidden.among(tree.leaves(results))
        if found:
            self._trace_back(leaves, found)
        return results

    def _trace_back(self, leaves: Sequence[Any], found: str) -> None:
        """Raises, if possible with the operation that gave the value first."""
        name = self._jitted.name
        args, kwargs = self._arguments(leaves)
        why = "no single operation does: their order differs in the program"
        try:
            with (config.override("olympus_debug_nans", False), config.override("olympus_debug_infs", False),
                  config.override("olympus_disable_jit", True), use_trace(_Checking(self._forbidden))):
                self._jitted.inline(*with_values(tuple(args), dict(kwargs), *self._jitted.statics))
        except DeletedError:
            why = "its arguments were donated, so that it cannot be called again step by step"
        raise NotFiniteError(name, found, user_location(), f"as a whole; {why}")


class _Forbidden:
    """What results may not hold."""

    def __init__(self, nans: bool, infs: bool) -> None:
        self._nans, self._infs = nans, infs

    def among(self, values: Iterable[Any]) -> str:
        """Which forbidden value one of these arrays holds here; empty where none does."""
        for value in values:
            if type(value) is not Array or value.size == 0:
                continue
            dtype = value.dtype
            if not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
                continue
            for shard in value.addressable_shards:
                host = np.asarray(shard.data)
                if self._nans and np.isnan(host).any():
                    return "NaN"
                if self._infs and np.isinf(host).any():
                    return "infinity"
        return ""


class _Checking:
    """Evaluates, and looks at what comes of each operation and of each function of olympus's own."""

    def __init__(self, forbidden: _Forbidden) -> None:
        self._forbidden = forbidden

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """One operation."""
        with use_trace(EVALUATING):
            results = EVALUATING.bind(record, operands, attributes, regions, weak)
        self._look_at(regions[0].name if record is call else record.name, results)
        return results

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One function: a user's step by step, others as a whole, inside of which NaN may be what is selected from."""
        if not jitted._is_api:
            return jitted.inline(*with_values(args, kwargs, *jitted.statics))
        with use_trace(EVALUATING):
            results = jitted(*args, **kwargs)
        self._look_at(jitted.name, tree.leaves(results))
        return results

    def _look_at(self, name: str, results: Iterable[Any]) -> None:
        found = self._forbidden.among(results)
        if found:
            raise NotFiniteError(name, found, user_location())
