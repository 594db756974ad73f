"""An operation whose code is a loop nest: y[i] = decay * y[i - 1] + x[i] along the last dimension.

Every platform that generates code compiles the nest. Run it with `python linear_recurrence.py`.
"""

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.extend.core import Primitive
from olympus.extend.kernels import lower_kernel
from olympus.interpreters import ad, batching, mlir
from olympus_core import ops
from olympus_core.program import FactorRule
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    Kernel,
    Load,
    Loop,
    Parameter,
    Recurrence,
    Scalar,
    Store,
)


def nest(operands, results, *, decay, reverse):
    """One row after another, each in order; rows know nothing of each other."""
    (x,) = operands
    columns = x.shape[-1]
    rows = x.size // columns
    source, target = Parameter("x", x.dtype, x.size, "input"), Parameter("y", x.dtype, x.size, "output")
    zero, factor, before, term, decayed, after, last = (Scalar(x.dtype) for _ in range(7))
    row, i = Index("row"), Index("i")
    first = Affine.of(row, columns)
    at = first.plus(Affine.of(i, -1).shifted(columns - 1) if reverse else Affine.of(i))
    along = Loop(i, columns, "serial", (
        Load(term, source, at),
        Compute((decayed,), ops.mul, (before, factor)),
        Compute((after,), ops.add, (decayed, term)),
        Store(target, at, after),
    ), recurrences=(Recurrence(last, zero, before, after),))
    body = (Constant(zero, x.dtype.type(0)), Constant(factor, x.dtype.type(decay)), along)
    return Kernel("linear_recurrence", (source, target), Loop(row, rows, "parallel", body))


def by_rows(operands, results, params):
    """All but the last dimension may be split over devices."""
    letters = "abcdefgh"[:operands[0].ndim]
    return FactorRule.einsum(f"{letters}->{letters}", [operands[0].shape], [results[0].shape], whole=letters[-1:])


recurrence_p = Primitive("linear_recurrence")
recurrence_p.def_abstract_eval(lambda x, **params: x)
recurrence_p.def_sharding_rule(by_rows)
mlir.register_lowering(recurrence_p, lower_kernel(nest))
# It is linear: its transpose runs the other way.
ad.deflinear(recurrence_p, lambda c, *, decay, reverse: [recurrence_p.bind(c, decay=decay, reverse=not reverse)])
batching.defvectorized(recurrence_p)


def linear_recurrence(x, decay, reverse=False):
    """The sums of all elements up to each one, those further away decayed.

    Args:
        x: An array of floats.
        decay: A number.
        reverse: Whether it begins at the end.
    """
    return recurrence_p.bind(jnp.asarray(x), decay=float(decay), reverse=bool(reverse))


def reference(x, decay, reverse=False):
    """The same by a scan."""
    def step(y, term):
        y = decay * y + term
        return y, y

    rows = jnp.moveaxis(x, -1, 0)
    return jnp.moveaxis(lax.scan(step, jnp.zeros_like(rows[0]), rows, reverse=reverse)[1], 0, -1)


def main():
    """Compares the operation and its gradient with the reference, and shows the kernel."""
    x = jnp.asarray(np.sin(np.arange(24, dtype=np.float32)).reshape(3, 8))

    def loss(function):
        return olympus.jit(olympus.value_and_grad(lambda x: jnp.sum(jnp.cos(function(x, 0.5)))))

    found, expected = loss(linear_recurrence)(x), loss(reference)(x)
    print("value", float(found[0]), "reference", float(expected[0]))
    print("greatest difference of the gradients below 1e-6:",
          float(jnp.max(jnp.abs(found[1] - expected[1]))) < 1e-6)
    print(olympus.jit(lambda x: linear_recurrence(x, 0.5)).lower(x).compile().as_text("kernels"))


if __name__ == "__main__":
    main()
