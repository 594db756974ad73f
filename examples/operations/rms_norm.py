"""An operation whose code on the CPU is written by hand in C: root-mean-square normalisation of rows.

Run it with `python rms_norm.py`; it needs a C compiler (`cc`, or what CC says).
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus.extend.core import Primitive
from olympus.interpreters import ad, batching, mlir

SOURCE = Path(__file__).with_name("rms_norm.c")


def compiler():
    """The path of the C compiler; None where there is none."""
    return shutil.which(os.environ.get("CC", "cc"))


def compiled(folder):
    """Compiles the C file to a shared library, and opens it."""
    library = Path(folder) / "rms_norm.so"
    subprocess.run([compiler(), "-O2", "-shared", "-fPIC", "-I", olympus.ffi.include_dir(), str(SOURCE),
                    "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def reference(x, *, eps):
    """What the operation means, in terms of others."""
    return x / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True) + eps)


def register(library):
    """The operation: `norm_p.bind(x, eps=np.float32(...))`."""
    olympus.ffi.register_ffi_target("rms_norm", olympus.ffi.pycapsule(library.rms_norm))
    norm_p = Primitive("rms_norm")
    norm_p.def_abstract_eval(lambda x, *, eps: olympus.core.ShapedArray(x.shape, x.dtype))
    # On the CPU the code in C; elsewhere what it means.
    mlir.register_lowering(norm_p, mlir.lower_fun(reference, multiple_results=False))
    mlir.register_lowering(norm_p, olympus.ffi.ffi_lowering("rms_norm"), platform="cpu")
    # All but the last dimension may be split over devices: each normalises its rows.
    norm_p.def_sharding_rule(_by_rows)

    def jvp(primals, tangents, *, eps):
        (x,), (t,) = primals, tangents
        y = norm_p.bind(x, eps=eps)
        scale = 1 / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True) + eps)
        return y, scale * (t - y * jnp.mean(y * t, -1, keepdims=True))

    ad.primitive_jvps[norm_p] = jvp
    batching.defvectorized(norm_p)  # a mapped dimension is one more dimension of rows
    return norm_p


def _by_rows(operands, results, params):
    from olympus_core.program import FactorRule

    letters = "abcdefgh"[:operands[0].ndim]
    return FactorRule.einsum(f"{letters}->{letters}", [operands[0].shape], [results[0].shape], whole=letters[-1:])


def main():
    """Compares the operation with its reference."""
    if compiler() is None:
        raise SystemExit("skipped: there is no C compiler; install one, or name it in CC")
    with tempfile.TemporaryDirectory() as folder:
        norm_p = register(compiled(folder))
        eps = np.float32(1e-6)
        x = olympus.random.normal(olympus.random.key(0), (4, 256))

        def loss(norm):
            return lambda x: jnp.sum(jnp.sin(norm(x, eps=eps)))

        f, g = loss(norm_p.bind), loss(reference)
        print("value", float(olympus.jit(f)(x)), "reference", float(olympus.jit(g)(x)))
        slope = jnp.max(jnp.abs(olympus.jit(olympus.grad(f))(x) - olympus.grad(g)(x)))
        print("greatest difference of the gradients below 1e-6:", float(slope) < 1e-6)


if __name__ == "__main__":
    main()
