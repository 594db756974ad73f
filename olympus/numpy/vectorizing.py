# SPDX-License-Identifier: Apache-2.0
"""Functions over arrays of arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, described

from ..operands import shape_of
from ..tracing.tracebacks import entrance
from ..tracing.wrapping import wraps
from ..transforms.batching import vmap
from .creation import asarray
from .shapes import squeeze

__all__ = ["vectorize"]

_NAMES = r"\(\s*(?:[\w]+\s*(?:,\s*[\w]+\s*)*)?\)"
_SIDE = rf"\s*{_NAMES}\s*(?:,\s*{_NAMES}\s*)*"
_SIGNATURE = re.compile(rf"({_SIDE})->({_SIDE})")
CoreDimensions = list[tuple[str, ...]]


def vectorize(
    pyfunc: Callable[..., Any], *, excluded: Collection[int | str] = frozenset(), signature: str | None = None
) -> Callable[..., Any]:
    """A function that is applied along the leading dimensions of its arguments, which broadcast.

    Args:
        pyfunc: A function of arrays; traced once, for all indices at once (`olympus.vmap`).
        excluded: Positions from zero on, and names, of arguments that are passed as they are.
        signature: The dimensions that the function itself takes and gives, such as ``"(m,n),(n)->(m)"``; scalars when
            left out.

    Returns:
        The function. Without a signature arrays that are given by name broadcast with the others, too; what else is
        given by name is passed as it is.

    Raises:
        ArgumentError: When arguments do not fit the signature or each other, the signature is none, or `excluded` holds
            something else.

    Example:
        >>> import olympus.numpy as jnp
        >>> product = jnp.vectorize(jnp.dot, signature="(m,n),(n)->(m)")
        >>> product(jnp.ones((4, 2, 3)), jnp.ones(3)).shape
        (4, 2)
    """
    for one in excluded:
        if not (isinstance(one, str) or isinstance(one, int) and one >= 0):
            raise ArgumentError("vectorize", "an excluded argument is neither a position nor a name", described(one),
                                "integers from zero on, and strings")
    taken, given = (None, None) if signature is None else _parsed(signature)

    @wraps(pyfunc)
    @entrance
    def vectorized(*args: Any, **kwargs: Any) -> Any:
        positions = [i for i in range(len(args)) if i not in excluded and args[i] is not None]
        if taken is not None and len(taken) != len(positions):
            raise ArgumentError("vectorize", "the signature is for another number of arguments",
                                f"{len(positions)} arguments", f"{len(taken)}, as in {signature!r}")
        names = [name for name, value in kwargs.items() if name not in excluded and len(
            getattr(value, "shape", ()))] if taken is None else []
        cores: CoreDimensions = taken if taken is not None else [()] * (len(positions) + len(names))
        arrays = [asarray(args[i]) for i in positions] + [asarray(kwargs[name]) for name in names]

        def function(*values: Any) -> Any:
            merged = list(args)
            for position, value in zip(positions, values, strict=False):
                merged[position] = value
            result = pyfunc(*merged, **{**kwargs, **dict(zip(names, values[len(positions):], strict=True))})
            if given is not None:
                _check("result", given, result if isinstance(result, tuple) else (result,), sizes)
            return result

        sizes: dict[str, int] = {}
        _check("argument", cores, arrays, sizes)
        loops = [shape_of(x)[:len(shape_of(x)) - len(core)] for x, core in zip(arrays, cores, strict=True)]
        try:
            whole = np.broadcast_shapes(*loops)
        except ValueError:
            raise ArgumentError("vectorize", "leading dimensions do not broadcast", ", ".join(map(str, loops)),
                                "equal sizes, or 1, counted from the last") from None
        for back in range(1, len(whole) + 1):  # from the last leading dimension outwards
            axes = tuple(0 if len(loop) >= back and loop[-back] == whole[-back] else None for loop in loops)
            function = vmap(function, axes, axis_size=whole[-back])
        values = []
        for array, loop in zip(arrays, loops, strict=True):
            aligned = whole[len(whole) - len(loop):]
            shared = tuple(d for d, (n, m) in enumerate(zip(loop, aligned, strict=True)) if n != m)
            values.append(squeeze(array, shared))
        return function(*values)

    return vectorized


def _parsed(signature: str) -> tuple[CoreDimensions, CoreDimensions]:
    """The names of the dimensions of arguments and results."""
    found = _SIGNATURE.fullmatch(signature) if isinstance(signature, str) else None
    if found is None:
        raise ArgumentError("vectorize", "the signature is none", described(signature), "text such as '(m,n),(n)->(m)'")
    arguments, results = ([tuple(re.findall(r"\w+", names)) for names in re.findall(_NAMES, side)]
                          for side in found.groups())
    return arguments, results


def _check(what: str, cores: CoreDimensions, values: Sequence[Any], sizes: dict[str, int]) -> None:
    """Compares dimensions with their names, and takes note of the names' sizes."""
    if len(cores) != len(values):
        raise ArgumentError("vectorize", f"the signature is for another number of {what}s", len(values), len(cores))
    for number, (core, value) in enumerate(zip(cores, values, strict=True)):
        shape = shape_of(value)
        last = shape[len(shape) - len(core):] if len(core) <= len(shape) else None
        exact = what == "result" and len(shape) != len(core)
        if last is None or exact or any(sizes.setdefault(n, size) != size for n, size in zip(core, last, strict=True)):
            raise ArgumentError("vectorize", f"{what} {number} does not fit the signature", f"shape {shape}",
                                f"dimensions ({', '.join(f'{n}={sizes[n]}' if n in sizes else n for n in core)})")
