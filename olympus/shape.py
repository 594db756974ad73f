# SPDX-License-Identifier: Apache-2.0
"""Shapes and types without content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .tracing import Aval, Reference, aval_of
from .tracing.aval import ManualAxisType, RegionAval
from .tracing.explicit import visible
from .tracing.high import high_type
from .tracing.tracebacks import entrance
from .transforms.context import varying_axes
from .transforms.jit import Jitted
from .trees import inside as tree


def typeof(x: Any) -> Aval:
    """The type of a value as olympus sees it: element type, shape, and explicit sharding.

    Args:
        x: An array, a traced value, a NumPy array, or a number.

    Returns:
        What tracing knows of it; prints as ``int32[4@X,2]``. In the body of a `shard_map` its `vma` are the manual axes
        along which devices may hold different values, which prints as ``int32[2]{V:x}``.

    Example:
        >>> import numpy as np, olympus
        >>> print(olympus.typeof(np.arange(8)))
        int32[8]
    """
    if isinstance(x, Reference):
        return x.aval  # type: ignore[attr-defined]
    if (own := high_type(x)) is not None:
        return own
    aval = aval_of(x)
    shown = visible(aval.layout)
    aval = aval if shown is aval.layout else Aval(aval.type, aval.weak, shown)
    varying = varying_axes(x)
    return RegionAval(aval, ManualAxisType(varying=varying)) if varying else aval


@entrance
def eval_shape(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The shapes and element types of a function's results, without computing them.

    Args:
        fun: A function of arrays.
        *args: Its arguments; `ShapeDtypeStruct` stands for an array, and so does whatever has a shape and a dtype.
        **kwargs: Likewise.

    Returns:
        The results' structure with `ShapeDtypeStruct` as leaves, which have the shardings that a jitted function's
        `out_shardings` demand.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.eval_shape(jnp.matmul, jnp.ones((2, 3)), olympus.ShapeDtypeStruct((3, 4), "float32"))
        ShapeDtypeStruct(shape=(2, 4), dtype=float32)
    """
    if any(type(x) is np.ndarray and x.dtype.names == ("float0",) for x in tree.leaves((args, kwargs))):
        from .transforms.float0 import without  # few programs have integers among what they differentiate by

        args, kwargs = without(args, kwargs, (), ())
    return (fun if isinstance(fun, Jitted) else Jitted(fun)).eval_shape(*args, **kwargs)
