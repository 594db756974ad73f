# SPDX-License-Identifier: Apache-2.0
"""Walking jaxprs: sub-programs of equations, new equations, checks; types with a dimension more or less."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import JaxprTypeError
from olympus_core.program import ArrayType

from ...tracing import Aval, is_array_like
from ..traces.jvp_trace import float0
from .evaluating import region_of
from .primitive import Primitive
from .terms import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, jaxpr_of, no_effects


def jaxprs_in_params(params: Mapping[str, Any]) -> Iterator[Jaxpr]:
    """The sub-programs among the parameters of an equation, those in tuples and lists included.

    Args:
        params: The equation's parameters.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> eqn = olympus.make_jaxpr(olympus.checkpoint(jnp.sin))(1.0).jaxpr.eqns[0]
        >>> [jaxpr.eqns[0].primitive.name for jaxpr in olympus.extend.core.jaxprs_in_params(eqn.params)]
        ['sin']
    """
    for value in params.values():
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(one, Jaxpr):
                yield one
            elif isinstance(one, ClosedJaxpr):
                yield one.jaxpr


def subjaxprs(jaxpr: Jaxpr) -> Iterator[Jaxpr]:
    """The sub-programs of a jaxpr's equations; not those inside of them.

    Args:
        jaxpr: The jaxpr, open or closed.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> closed = olympus.make_jaxpr(olympus.checkpoint(jnp.sin))(1.0)
        >>> len(list(olympus.extend.core.subjaxprs(closed.jaxpr)))
        1
    """
    for eqn in jaxpr_of(jaxpr, "subjaxprs").eqns:
        yield from jaxprs_in_params(eqn.params)


def new_jaxpr_eqn(
    invars: Iterable[Any], outvars: Iterable[Var], primitive: Primitive, params: Mapping[str, Any],
    effects: Iterable[Any] = no_effects, source_info: Any = None, ctx: Any = None,
) -> JaxprEqn:
    """A new equation.

    Args:
        invars: The operands: variables and literals.
        outvars: Variables of the results.
        primitive: What is done.
        params: Its parameters.
        effects: What it does besides.
        source_info: The user's line, ``file:line``.
        ctx: What evaluating it is done in.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import Jaxpr, Var, new_jaxpr_eqn, primitives
        >>> x, y = (Var(olympus.typeof(1.0)) for _ in range(2))
        >>> print(Jaxpr([], [x], [y], [new_jaxpr_eqn([x, x], [y], primitives.mul_p, {})]))
        { lambda ; a:f32[]. let b:f32[] = mul a a in (b,) }
    """
    return JaxprEqn(invars, outvars, primitive, params, effects, source_info, ctx)


def check_jaxpr(jaxpr: Jaxpr) -> None:
    """Checks that every variable is made before it is read, once, and that each equation gives what its results say.

    Args:
        jaxpr: The jaxpr, open or closed.

    Raises:
        JaxprTypeError: For the first that is not so.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.extend.core.check_jaxpr(olympus.make_jaxpr(jnp.sin)(1.0))
    """
    jaxpr = jaxpr_of(jaxpr, "check_jaxpr")
    known: set[Var] = set()
    for variable in [*jaxpr.constvars, *jaxpr.invars]:
        _make(known, variable, "an argument")
    for eqn in jaxpr.eqns:
        _read(known, eqn.invars, f"equation {eqn!r}")
        alone = Jaxpr([], [v for v in dict.fromkeys(eqn.invars) if isinstance(v, Var)], eqn.outvars, [eqn])
        program, captured = region_of(alone, "check_jaxpr")
        given = tuple(v.type for v in program.outputs)
        said = tuple(v.aval.type for v in eqn.outvars)
        if given != said or captured:
            raise JaxprTypeError(f"{eqn.primitive.name} gives other types than its variables have", given, said)
        for variable in eqn.outvars:
            _make(known, variable, f"equation {eqn!r}")
    _read(known, jaxpr.outvars, "a result")


def _make(known: set[Var], variable: Var, where: str) -> None:
    if variable in known:
        raise JaxprTypeError(f"a variable is made twice, the second time by {where}", repr(variable), "once")
    known.add(variable)


def _read(known: set[Var], atoms: Sequence[Any], where: str) -> None:
    for atom in atoms:
        if not isinstance(atom, Literal) and atom not in known:
            raise JaxprTypeError(f"{where} reads a variable that nothing before it has made", repr(atom))


def mapped_aval(size: int, axis: int | None, aval: Aval) -> Aval:
    """The type of one index of a dimension.

    Args:
        size: The dimension's size.
        axis: The dimension; None: the type stays as it is.
        aval: The type with the dimension.

    Raises:
        JaxprTypeError: Where the dimension has another size.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.extend.core.mapped_aval(2, 0, olympus.typeof(jnp.ones((2, 3))))
        float32[3]
    """
    if axis is None:
        return aval
    if aval.shape[axis] != size:
        raise JaxprTypeError(f"dimension {axis} has another size", repr(aval), size)
    return Aval(ArrayType((*aval.shape[:axis], *aval.shape[axis + 1:]), aval.dtype), aval.weak)


def unmapped_aval(size: int, axis: int | None, aval: Aval, explicit_mesh_axis: Any = None) -> Aval:
    """The type of all indices of a new dimension.

    Args:
        size: The dimension's size.
        axis: Where it is put; None: the type stays as it is.
        aval: The type of one index.
        explicit_mesh_axis: Accepted for compatibility.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.extend.core.unmapped_aval(2, 0, olympus.typeof(jnp.ones(3)))
        float32[2,3]
    """
    if axis is None:
        return aval
    return Aval(ArrayType((*aval.shape[:axis], size, *aval.shape[axis:]), aval.dtype), aval.weak)


def primal_dtype_to_tangent_dtype(primal_dtype: Any) -> Any:
    """The element type of tangents: the same for real and complex numbers, `float0` for what has none.

    Args:
        primal_dtype: The element type of the values.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.extend.core import primal_dtype_to_tangent_dtype
        >>> primal_dtype_to_tangent_dtype(jnp.float32), primal_dtype_to_tangent_dtype(jnp.int32)
        (dtype('float32'), dtype([('float0', 'V')]))
    """
    dtype = np.dtype(primal_dtype)
    return dtype if dtypes.is_float(dtype) or dtypes.is_complex(dtype) else float0


def valid_jaxtype(x: Any) -> bool:
    """Whether a value is an array, a traced value or a number.

    Args:
        x: Any value.

    Example:
        >>> from olympus.extend.core import valid_jaxtype
        >>> valid_jaxtype(1.0), valid_jaxtype("one")
        (True, False)
    """
    return is_array_like(x)
