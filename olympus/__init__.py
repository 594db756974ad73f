# SPDX-License-Identifier: Apache-2.0
"""olympus: one program for one big machine, run on all devices of all processes.

The language traces a program, the core splits it over devices, a plugin runs it.
"""

from typing import TYPE_CHECKING

from olympus_core.config import config as _config
from olympus_core.deferred import deferred as _deferred
from olympus_core.placement import AxisType, Mesh, NamedSharding
from olympus_core.placement import PartitionSpec as P
from olympus_core.plugin import Device
from olympus_core.plugin.version import VERSION as _VERSION
from olympus_core.runtime import Shard

from . import errors, sharding, tree, tree_util, typing

from . import numpy, lax  # isort: skip  (numpy fills the arrays' operators)
from .array import Array
from .config import config, default_device, disable_jit, enable_x64
from .devices import (
    default_backend,
    device_count,
    devices,
    host_count,
    host_id,
    host_ids,
    local_device_count,
    local_devices,
    make_mesh,
    process_count,
    process_index,
    process_indices,
)
from .shape import eval_shape, typeof
from .shape_dtype import ShapeDtypeStruct
from .tracing import named_call, named_scope
from .transforms.caches import clear_caches
from .transforms.constraint import with_sharding_constraint
from .transforms.context import get_mesh, set_mesh
from .transforms.device_put import device_get, device_put
from .transforms.explicit import reshard
from .transforms.jit import jit
from .waiting import block_until_ready, copy_to_host_async

if TYPE_CHECKING:
    from . import (
        ad_checkpoint,
        api_util,
        checkpoints,
        core,
        custom_batching,
        custom_derivatives,
        debug,
        distributed,
        dlpack,
        dtypes,
        experimental,
        export,
        extend,
        ffi,
        flatten_util,
        image,
        interpreters,
        memory,
        monitoring,
        nn,
        ops,
        profiler,
        random,
        ref,
        scipy,
        stages,
        test_util,
    )
    from .assembly import (
        make_array_from_callback,
        make_array_from_process_local_data,
        make_array_from_single_device_arrays,
    )
    from .callbacks import effects_barrier, pure_callback
    from .explaining import explain, explain_device_put, make_jaxpr, make_program
    from .introspection import live_arrays, print_environment_info
    from .options import (
        allow_f16_reductions,
        array_garbage_collection_guard,
        auto_pcast,
        check_tracer_leaks,
        checking_leaks,
        debug_infs,
        debug_key_reuse,
        debug_nans,
        default_matmul_precision,
        default_prng_impl,
        enable_checks,
        enable_custom_prng,
        explain_cache_misses,
        legacy_prng_key,
        log_compiles,
        no_tracing,
        numpy_dtype_promotion,
        numpy_rank_promotion,
        softmax_custom_jvp,
        thread_guard,
        threefry_partitionable,
        transfer_guard,
        transfer_guard_device_to_device,
        transfer_guard_device_to_host,
        transfer_guard_host_to_device,
    )
    from .ref import Ref, empty_ref, free_ref, freeze, new_ref
    from .transforms.batching.vmap import vmap
    from .transforms.compile_time import ensure_compile_time_eval
    from .transforms.derivatives import (
        checkpoint,
        checkpoint_policies,
        closure_convert,
        custom_gradient,
        custom_jvp,
        custom_vjp,
        fwd_and_bwd,
        grad,
        hessian,
        jacfwd,
        jacobian,
        jacrev,
        jvp,
        linear_transpose,
        linearize,
        remat,
        value_and_grad,
        vjp,
    )
    from .transforms.pmap import pmap
    from .transforms.shard_map import shard_map
    from .transforms.smap import smap
    from .transforms.xmap import xmap
else:
    # Not every program differentiates, maps or draws: with these, importing olympus would take half as long again.
    __getattr__, __dir__ = _deferred(__name__, {
        **{module: module for module in (
            "ad_checkpoint", "api_util", "checkpoints", "core", "custom_batching", "custom_derivatives", "debug",
            "distributed", "dlpack", "dtypes", "experimental", "export", "extend", "ffi", "flatten_util", "image",
            "interpreters", "memory", "monitoring", "nn", "ops", "profiler", "random", "ref", "scipy", "stages",
            "test_util")},
        **dict.fromkeys(("make_array_from_callback", "make_array_from_process_local_data",
                         "make_array_from_single_device_arrays"), "assembly"),
        **dict.fromkeys(("effects_barrier", "pure_callback"), "callbacks"),
        **dict.fromkeys(("Ref", "empty_ref", "free_ref", "freeze", "new_ref"), "ref"),
        **dict.fromkeys(("live_arrays", "print_environment_info"), "introspection"),
        **dict.fromkeys(("explain", "explain_device_put", "make_jaxpr", "make_program"), "explaining"),
        **dict.fromkeys(("checkpoint", "checkpoint_policies", "closure_convert", "custom_gradient", "custom_jvp",
                         "custom_vjp", "fwd_and_bwd", "grad", "hessian", "jacfwd", "jacobian", "jacrev", "jvp",
                         "linear_transpose", "linearize", "remat", "value_and_grad", "vjp"),
                        "transforms.derivatives"),
        **dict.fromkeys((
            "allow_f16_reductions", "array_garbage_collection_guard", "auto_pcast", "check_tracer_leaks",
            "checking_leaks", "debug_infs", "debug_key_reuse", "debug_nans", "default_matmul_precision",
            "default_prng_impl", "enable_checks", "enable_custom_prng", "explain_cache_misses", "legacy_prng_key",
            "log_compiles", "no_tracing", "numpy_dtype_promotion", "numpy_rank_promotion", "softmax_custom_jvp",
            "thread_guard", "threefry_partitionable", "transfer_guard", "transfer_guard_device_to_device",
            "transfer_guard_device_to_host", "transfer_guard_host_to_device"), "options"),
        "vmap": "transforms.batching.vmap", "pmap": "transforms.pmap", "shard_map": "transforms.shard_map",
        "smap": "transforms.smap", "ensure_compile_time_eval": "transforms.compile_time",
        "xmap": "transforms.xmap",
    })

__version__ = _VERSION
__version_info__ = tuple(int(part) for part in _VERSION.split(".")[:3])

__all__ = [
    "Array", "AxisType", "Device", "Mesh", "NamedSharding", "P", "Ref", "ShapeDtypeStruct", "Shard", "ad_checkpoint",
    "allow_f16_reductions", "api_util", "array_garbage_collection_guard", "auto_pcast", "block_until_ready",
    "check_tracer_leaks", "checking_leaks", "checkpoint", "checkpoint_policies", "checkpoints", "clear_caches",
    "closure_convert", "config", "copy_to_host_async", "core", "custom_batching", "custom_derivatives",
    "custom_gradient", "custom_jvp", "custom_vjp", "debug", "debug_infs", "debug_key_reuse", "debug_nans",
    "default_backend", "default_device", "default_matmul_precision", "default_prng_impl", "device_count", "device_get",
    "device_put", "devices", "disable_jit", "distributed", "dlpack", "dtypes", "effects_barrier", "empty_ref",
    "enable_checks", "enable_custom_prng", "enable_x64", "ensure_compile_time_eval", "errors", "eval_shape",
    "experimental", "explain", "explain_cache_misses", "explain_device_put", "export", "extend", "ffi", "flatten_util",
    "free_ref", "freeze", "fwd_and_bwd", "get_mesh", "grad", "hessian", "host_count", "host_id", "host_ids", "image",
    "interpreters", "jacfwd", "jacobian", "jacrev", "jit", "jvp", "lax", "legacy_prng_key", "linear_transpose",
    "linearize", "live_arrays", "local_device_count", "local_devices", "log_compiles", "make_array_from_callback",
    "make_array_from_process_local_data", "make_array_from_single_device_arrays", "make_jaxpr", "make_mesh",
    "make_program", "memory", "monitoring", "named_call", "named_scope", "new_ref", "nn", "no_tracing", "numpy",
    "numpy_dtype_promotion", "numpy_rank_promotion", "ops", "pmap", "print_environment_info", "process_count",
    "process_index", "process_indices", "profiler", "pure_callback", "random", "ref", "remat", "reshard", "scipy",
    "set_mesh", "shard_map", "sharding", "smap", "softmax_custom_jvp", "stages", "test_util", "thread_guard",
    "threefry_partitionable", "transfer_guard", "transfer_guard_device_to_device", "transfer_guard_device_to_host",
    "transfer_guard_host_to_device", "tree", "tree_util", "typeof", "typing", "value_and_grad", "vjp", "vmap",
    "with_sharding_constraint", "xmap",
]

if _config.as_jax:  # by OLYMPUS_AS_JAX=1, or by its flag
    from .as_jax import install as _install

    _install()
