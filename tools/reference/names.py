# SPDX-License-Identifier: Apache-2.0
"""The modules that have a page, and their public names."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

# Each with the module's file, where that has another name than users write.
MODULES = {
    "olympus": "olympus",
    "olympus.numpy": "olympus.numpy",
    "olympus.numpy.fft": "olympus.numpy.fft",
    "olympus.numpy.linalg": "olympus.numpy.linalg",
    "olympus.lax": "olympus.lax",
    "olympus.lax.linalg": "olympus.lax.linalg",
    "olympus.nn": "olympus.nn",
    "olympus.nn.initializers": "olympus.nn.initializers",
    "olympus.random": "olympus.random",
    "olympus.ref": "olympus.ref",
    "olympus.scipy.spatial.transform": "olympus.scipy.spatial.transform",
    "olympus.scipy.special": "olympus.scipy.special",
    "olympus.scipy.stats": "olympus.scipy.stats",
    "olympus.scipy.stats.bernoulli": "olympus.scipy.stats.bernoulli",
    "olympus.scipy.stats.beta": "olympus.scipy.stats.beta",
    "olympus.scipy.stats.betabinom": "olympus.scipy.stats.betabinom",
    "olympus.scipy.stats.binom": "olympus.scipy.stats.binom",
    "olympus.scipy.stats.cauchy": "olympus.scipy.stats.cauchy",
    "olympus.scipy.stats.chi2": "olympus.scipy.stats.chi2",
    "olympus.scipy.stats.dirichlet": "olympus.scipy.stats.dirichlet",
    "olympus.scipy.stats.expon": "olympus.scipy.stats.expon",
    "olympus.scipy.stats.gamma": "olympus.scipy.stats.gamma",
    "olympus.scipy.stats.gennorm": "olympus.scipy.stats.gennorm",
    "olympus.scipy.stats.geom": "olympus.scipy.stats.geom",
    "olympus.scipy.stats.gumbel_l": "olympus.scipy.stats.gumbel_l",
    "olympus.scipy.stats.gumbel_r": "olympus.scipy.stats.gumbel_r",
    "olympus.scipy.stats.laplace": "olympus.scipy.stats.laplace",
    "olympus.scipy.stats.logistic": "olympus.scipy.stats.logistic",
    "olympus.scipy.stats.multinomial": "olympus.scipy.stats.multinomial",
    "olympus.scipy.stats.multivariate_normal": "olympus.scipy.stats.multivariate_normal",
    "olympus.scipy.stats.nbinom": "olympus.scipy.stats.nbinom",
    "olympus.scipy.stats.norm": "olympus.scipy.stats.norm",
    "olympus.scipy.stats.pareto": "olympus.scipy.stats.pareto",
    "olympus.scipy.stats.poisson": "olympus.scipy.stats.poisson",
    "olympus.scipy.stats.t": "olympus.scipy.stats.t",
    "olympus.scipy.stats.truncnorm": "olympus.scipy.stats.truncnorm",
    "olympus.scipy.stats.uniform": "olympus.scipy.stats.uniform",
    "olympus.scipy.stats.vonmises": "olympus.scipy.stats.vonmises",
    "olympus.scipy.stats.wrapcauchy": "olympus.scipy.stats.wrapcauchy",
    "olympus.as_jax": "olympus.as_jax",
    "olympus.stages": "olympus.stages",
    "olympus.tree": "olympus.tree",
    "olympus.tree_util": "olympus.tree_util",
    "olympus.sharding": "olympus.sharding",
    "olympus.distributed": "olympus.distributed",
    "olympus.checkpoints": "olympus.checkpoints",
    "olympus.debug": "olympus.debug",
    "olympus.ad_checkpoint": "olympus.ad_checkpoint",
    "olympus.custom_batching": "olympus.custom_batching",
    "olympus.custom_derivatives": "olympus.custom_derivatives",
    "olympus.checkpoint_policies": "olympus.transforms.derivatives.policies",
    "olympus.core": "olympus.core",
    "olympus.extend.backend": "olympus.extend.backend",
    "olympus.extend.core": "olympus.extend.core",
    "olympus.ffi": "olympus.ffi",
    "olympus.interpreters.ad": "olympus.interpreters.ad",
    "olympus.interpreters.batching": "olympus.interpreters.batching",
    "olympus.interpreters.mlir": "olympus.interpreters.mlir",
    "olympus.interpreters.partial_eval": "olympus.interpreters.partial_eval",
    "olympus.extend.cuda_kernels": "olympus.extend.cuda_kernels",
    "olympus.extend.kernels": "olympus.extend.kernels",
    "olympus.extend.stablehlo_modules": "olympus.extend.stablehlo_modules",
    "olympus.extend.linear_util": "olympus.extend.linear_util",
    "olympus.extend.random": "olympus.extend.random",
    "olympus.extend.source_info_util": "olympus.extend.source_info_util",
    "olympus.api_util": "olympus.api_util",
    "olympus.interpreters.xla": "olympus.interpreters.xla",
    "olympus.errors": "olympus.errors",
    "olympus.export": "olympus.export",
    "olympus.dtypes": "olympus.dtypes",
    "olympus.dlpack": "olympus.dlpack",
    "olympus.flatten_util": "olympus.flatten_util",
    "olympus.memory": "olympus.memory",
    "olympus.monitoring": "olympus.monitoring",
    "olympus.profiler": "olympus.profiler",
    "olympus.ops": "olympus.ops",
    "olympus.image": "olympus.image",
    "olympus.scipy.cluster.vq": "olympus.scipy.cluster.vq",
    "olympus.scipy.fft": "olympus.scipy.fft",
    "olympus.scipy.integrate": "olympus.scipy.integrate",
    "olympus.scipy.interpolate": "olympus.scipy.interpolate",
    "olympus.scipy.ndimage": "olympus.scipy.ndimage",
    "olympus.scipy.linalg": "olympus.scipy.linalg",
    "olympus.scipy.signal": "olympus.scipy.signal",
    "olympus.scipy.optimize": "olympus.scipy.optimize",
    "olympus.scipy.sparse.linalg": "olympus.scipy.sparse.linalg",
    "olympus.test_util": "olympus.test_util",
    "olympus.experimental.aot": "olympus.experimental.aot",
    "olympus.experimental.buffer_callback": "olympus.experimental.buffer_callback",
    "olympus.experimental.checkify": "olympus.experimental.checkify",
    "olympus.experimental.compilation_cache.compilation_cache":
        "olympus.experimental.compilation_cache.compilation_cache",
    "olympus.experimental.compute_on": "olympus.experimental.compute_on",
    "olympus.experimental.custom_partitioning": "olympus.experimental.custom_partitioning",
    "olympus.experimental.jet": "olympus.experimental.jet",
    "olympus.experimental.key_reuse": "olympus.experimental.key_reuse",
    "olympus.experimental.layout": "olympus.experimental.layout",
    "olympus.experimental.linalg": "olympus.experimental.linalg",
    "olympus.experimental.maps": "olympus.experimental.maps",
    "olympus.experimental.mesh_utils": "olympus.experimental.mesh_utils",
    "olympus.experimental.multihost_utils": "olympus.experimental.multihost_utils",
    "olympus.experimental.ode": "olympus.experimental.ode",
    "olympus.experimental.rnn": "olympus.experimental.rnn",
    "olympus.experimental.pallas": "olympus.experimental.pallas",
    "olympus.experimental.pallas.triton": "olympus.experimental.pallas.triton",
    "olympus.experimental.pjit": "olympus.experimental.pjit",
    "olympus.experimental.serialize_executable": "olympus.experimental.serialize_executable",
    "olympus.experimental.random": "olympus.experimental.random",
    "olympus.experimental.scheduling_groups": "olympus.experimental.scheduling_groups",
    "olympus.experimental.shard_alike": "olympus.experimental.shard_alike",
    "olympus.experimental.shard_map": "olympus.experimental.shard_map",
    "olympus.experimental.topologies": "olympus.experimental.topologies",
    "olympus.experimental.xla_metadata": "olympus.experimental.xla_metadata",
    "olympus.experimental.sparse": "olympus.experimental.sparse",
    "olympus.experimental.sparse.linalg": "olympus.experimental.sparse.linalg",
}


def module(page: str) -> ModuleType:
    """The module of a page."""
    return importlib.import_module(MODULES[page])


def public_names(page: str) -> dict[str, Any]:
    """The names of a module's `__all__` and what they are, sorted."""
    source = module(page)
    return {name: getattr(source, name) for name in sorted(source.__all__, key=lambda n: (n.lower(), n))}


def is_ours(value: Any) -> bool:
    """Whether what a name stands for is documented by olympus, and not NumPy's or Python's."""
    where = getattr(value, "__module__", None) or type(value).__module__
    return where.partition(".")[0] in ("olympus", "olympus_core")


def public_members(cls: type) -> Iterator[tuple[str, Any]]:
    """A class's public methods and properties, with those that it inherits from classes of olympus."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] in ("olympus", "olympus_core"):
            found.update((name, value) for name, value in vars(base).items() if not name.startswith("_"))
    for name, value in sorted(found.items()):
        if isinstance(value, (property, classmethod, staticmethod)) or callable(value) or (
            hasattr(value, "func") and getattr(value, "__doc__", None)
        ):
            yield name, value
