# SPDX-License-Identifier: Apache-2.0
"""Operations from outside whose code is a module of StableHLO, or a kernel in CUDA C++."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import export
from olympus.extend.core import Primitive
from olympus.extend.cuda_kernels import CudaKernel, lower_cuda
from olympus.extend.stablehlo_modules import lower_stablehlo
from olympus.interpreters import ad, batching, mlir
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import ArgumentError, ArtefactError, NotSupportedError

_TEXT = 'extern "C" __global__ void twice(const float* x, float* y, unsigned long long n) { }'
X = np.linspace(-2, 2, 24, dtype=np.float32).reshape(4, 6)


def _primitive(name: str = "outside") -> Primitive:
    made = Primitive(name)
    made.def_abstract_eval(lambda x, **params: x)
    return made


def _module(function: Callable[..., object], *types: olympus.ShapeDtypeStruct) -> bytes:
    return export.export(olympus.jit(function))(*types).mlir_module_serialized


def _of_any_shape(operands: list, results: list, power: int = 2) -> bytes:
    return _module(lambda x: jnp.sin(x) ** power, olympus.ShapeDtypeStruct(operands[0].shape, operands[0].dtype))


def test_a_module_of_stablehlo_is_an_operation_as_any() -> None:
    prim = _primitive()
    mlir.register_lowering(prim, lower_stablehlo(_of_any_shape))
    ad.primitive_jvps[prim] = lambda primals, tangents, power: (
        prim.bind(*primals, power=power),
        power * prim.bind(*primals, power=power - 1) * jnp.cos(primals[0]) * tangents[0])
    batching.primitive_batchers[prim] = lambda args, axes, power: (prim.bind(*args, power=power), axes[0])

    def f(x: object) -> object:
        return prim.bind(x, power=3) + 1

    expected = np.sin(X) ** 3 + 1
    np.testing.assert_allclose(olympus.jit(f)(X), expected, rtol=1e-5)
    np.testing.assert_allclose(olympus.jit(olympus.vmap(f))(X), expected, rtol=1e-5)
    slopes = olympus.jit(olympus.grad(lambda x: f(x).sum()))(X)
    np.testing.assert_allclose(slopes, 3 * np.sin(X) ** 2 * np.cos(X), rtol=1e-5, atol=1e-6)
    mesh = olympus.make_mesh((4,), ("d",))
    placed = olympus.device_put(X, NamedSharding(mesh, P("d")))
    np.testing.assert_allclose(olympus.jit(f)(placed), expected, rtol=1e-5)
    again = export.deserialize(export.export(olympus.jit(f))(X).serialize())
    np.testing.assert_allclose(again.call(X), expected, rtol=1e-5)


@pytest.mark.parametrize("dtype", ["int8", "float16", "float64", "complex128", "bool"])
def test_types_are_what_the_module_says(dtype: str) -> None:
    with olympus.enable_x64():
        prim, x = _primitive(), np.arange(6).astype(dtype)
        module = _module(lambda x: jnp.flip(x), olympus.ShapeDtypeStruct(x.shape, x.dtype))
        mlir.register_lowering(prim, lower_stablehlo(module))
        found = olympus.jit(prim.bind)(x)
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found, x[::-1])


def test_what_is_no_module_is_refused() -> None:
    for given, error in ((b"no module", ArtefactError), (lambda operands, results: "text", ArgumentError)):
        prim = _primitive()
        mlir.register_lowering(prim, lower_stablehlo(given))
        with pytest.raises(error):
            olympus.jit(prim.bind)(X)
    prim = _primitive()
    other = _module(lambda x: x[:2], olympus.ShapeDtypeStruct(X.shape, X.dtype))
    mlir.register_lowering(prim, lower_stablehlo(other))
    with pytest.raises(ArgumentError, match="def_abstract_eval"):
        olympus.jit(prim.bind)(X)


def test_cuda_has_its_kernel_and_others_their_own_rule() -> None:
    prim = _primitive()
    mlir.register_lowering(prim, lower_cuda(lambda operands, results: CudaKernel(_TEXT, "twice", 1, 32)))
    with pytest.raises(NotSupportedError, match="those there are: cuda"):
        olympus.jit(prim.bind)(X)
    mlir.register_lowering(prim, mlir.lower_fun(lambda x: x * 2, multiple_results=False))
    np.testing.assert_array_equal(olympus.jit(prim.bind)(X), X * 2)
    with pytest.raises(ArgumentError, match="for the platform cuda alone"):
        mlir.register_lowering(prim, lower_cuda(lambda operands, results: CudaKernel(_TEXT, "twice", 1, 32)), "cpu")


def test_kernels_with_other_texts_are_other_programs() -> None:
    one, other = CudaKernel(_TEXT, "twice", 1, 32), CudaKernel(_TEXT + "\n", "twice", 1, 32)
    assert repr(one) != repr(other) and repr(one) == repr(CudaKernel(_TEXT, "twice", 1, 32))
