# SPDX-License-Identifier: Apache-2.0
"""The names by which programs for JAX know what olympus has under others, and where private ones are found."""

from __future__ import annotations

# The version whose public names are matched, and its oldest library.
VERSION = "0.10.2"

# Private modules that public libraries import without a condition, with the names that they take: each is
# `module:name` of olympus. All other private names are refused.
PRIVATE: dict[str, dict[str, str]] = {
    "jax._src": {},
    "jax._src.ad_util": {"stop_gradient_p": "olympus.as_jax.private:stop_gradient_p"},
    "jax._src.api_util": {
        "infer_argnums_and_argnames": "olympus.as_jax.private:infer_argnums_and_argnames",
    },
    "jax._src.array": {
        "ArrayImpl": "olympus:Array",
        "_reconstruct_array": "olympus.as_jax.private:reconstruct_array",
    },
    "jax._src.checkify": {
        "Error": "olympus.experimental.checkify:Error",
        "JaxException": "olympus.experimental.checkify:JaxRuntimeError",
        "Out": "typing:Any",
        "checkify": "olympus.experimental.checkify:checkify",
        "user_checks": "olympus.experimental.checkify:user_checks",
    },
    "jax._src.compiler": {},
    "jax._src.core": {
        **{name: f"olympus.extend.core:{name}" for name in ("ClosedJaxpr", "Jaxpr", "JaxprEqn", "Literal", "Var")},
        "ShapedArray": "olympus.core:ShapedArray",
        "trace_state_clean": "olympus.as_jax.private:trace_state_clean",
    },
    "jax._src.dispatch": {"wait_for_tokens": "olympus:effects_barrier"},
    "jax._src.distributed": {"global_state": "olympus.as_jax.private:global_state"},
    "jax._src.dtypes": {
        "DType": "numpy:dtype",
        "ExtendedDType": "olympus.as_jax.private:ExtendedDType",
        "TypePromotionError": "olympus.errors:TypePromotionError",
        "extended": "olympus.dtypes:extended",
        "finfo": "olympus.dtypes:finfo",
        "supports_inf": "olympus.as_jax.private:supports_inf",
        "to_complex_dtype": "olympus.as_jax.private:to_complex_dtype",
    },
    "jax._src.interpreters": {},
    "jax._src.interpreters.partial_eval": {
        "JaxprTracer": "olympus.core:Tracer",
        "dce_jaxpr": "olympus.interpreters.partial_eval:dce_jaxpr",
    },
    "jax._src.numpy": {},
    "jax._src.numpy.ufuncs": {"ufunc": "olympus.numpy:ufunc"},
    "jax._src.numpy.util": {"promote_dtypes_complex": "olympus.as_jax.private:promote_dtypes_complex"},
    "jax._src.scipy": {},
    "jax._src.scipy.special": {
        "gammaln": "olympus.scipy.special:gammaln",
        "logsumexp": "olympus.scipy.special:logsumexp",
    },
    "jax._src.flatten_util": {"ravel_pytree": "olympus.flatten_util:ravel_pytree"},
    "jax._src.state": {},
    "jax._src.state.types": {"AbstractRef": "olympus.ref:AbstractRef"},
    "jax._src.traceback_util": {
        "_exclude_paths": "olympus.as_jax.private:excluded_paths",
        "api_boundary": "olympus.as_jax.private:api_boundary",
        "include_frame": "olympus_core.location:is_users",
        "register_exclusion": "olympus.extend.source_info_util:register_exclusion",
    },
    "jax._src.tree_util": {
        "GetAttrKey": "olympus.tree_util:GetAttrKey",
        "_registry": "olympus.as_jax.private:registered_nodes",
        "flatten_one_level": "olympus.tree_util:flatten_one_level",
        "prefix_errors": "olympus.as_jax.private:prefix_errors",
        "register_pytree_with_keys": "olympus.tree_util:register_pytree_with_keys",
    },
    "jax._src.typing": {
        "Array": "olympus:Array",
        "ArrayLike": "olympus.typing:ArrayLike",
        "DType": "numpy:dtype",
        "DTypeLike": "olympus.typing:DTypeLike",
        "SupportsDType": "olympus.as_jax.private:SupportsDType",
    },
    "jax._src.xla_bridge": {"_backends": "olympus.as_jax.private:opened_backends"},
    # The library has had its classes in each of these.
    **dict.fromkeys(("jaxlib._jax", "jaxlib.xla_client", "jaxlib.xla_extension"), {
        "ArrayImpl": "olympus:Array",
        "Device": "olympus:Device",
        "PjitFunction": "olympus.transforms.jit:Jitted",
        "XlaRuntimeError": "olympus.errors:JaxRuntimeError",
    }),
}

# Modules whose names stood in another one before, where programs still seek them; JAX warns of it, too.
MOVED: dict[str, str] = {"jax.core": "jax.extend.core"}

# Modules that stand in this package, because olympus itself has no use for them.
REPLACED: dict[str, str] = {
    "jax.example_libraries": "olympus.as_jax.example_libraries",
    "jax.example_libraries.optimizers": "olympus.as_jax.example_libraries.optimizers",
    "jax.example_libraries.stax": "olympus.as_jax.example_libraries.stax",
    "jax.experimental.array_serialization": "olympus.as_jax.serialization",
    "jax.experimental.array_serialization.serialization": "olympus.as_jax.serialization",
    "jax.experimental.hijax": "olympus.as_jax.hijax",
    **{f"jax.experimental.sparse.{name}": "olympus.experimental.sparse"
       for name in ("ad", "api", "bcoo", "bcsr", "coo", "csr", "random", "transform", "util")},
}

# Public modules that libraries import without a condition and need only on platforms that olympus does not have; any
# use of their names is an error that says why.
UNAVAILABLE: dict[str, str] = {
    "jax.experimental.pallas.mosaic_gpu": "kernels are not written in Mosaic",
    "jax.experimental.pallas.tpu": "kernels do not know the memories and cores of a TPU",
    "jax.experimental.colocated_python": "there are no hosts that a controller gives Python to",
    "jax.experimental.control_deps": "only data order steps; `jax.lax.optimization_barrier` ties values",
    "jax.experimental.fused": "the compiler fuses kernels, and takes no mark for it",
    "jax.experimental.roofline": "a compiled function's `cost_analysis()` says what it takes",
    "jax.experimental.source_mapper": "`jax.make_jaxpr` and `.lower().as_text()` name the lines of each operation",
    "jax.experimental.transfer": "`jax.device_put` takes arrays between the processes of a job, which know each other",
    "jax.extend.ifrt_programs": "olympus does not use IFRT",
    "jax.interpreters.pxla": "programs are split by olympus's own partitioner",
}

# Where what programs seek in private modules is public.
PUBLIC_WAYS: dict[str, str] = {
    "jax._src.ad_checkpoint": "jax.ad_checkpoint, jax.checkpoint",
    "jax._src.ad_util": "jax.interpreters.ad",
    "jax._src.api": "jax",
    "jax._src.api_util": "jax.api_util",
    "jax._src.array": "jax.Array",
    "jax._src.config": "jax.config",
    "jax._src.core": "jax.core, jax.extend.core",
    "jax._src.custom_derivatives": "jax.custom_derivatives",
    "jax._src.debugging": "jax.debug",
    "jax._src.distributed": "jax.distributed",
    "jax._src.dtypes": "jax.dtypes",
    "jax._src.flatten_util": "jax.flatten_util",
    "jax._src.interpreters": "jax.interpreters",
    "jax._src.lax": "jax.lax",
    "jax._src.lib": "jax.extend",
    "jax._src.linear_util": "jax.extend.linear_util",
    "jax._src.mesh": "jax.sharding",
    "jax._src.monitoring": "jax.monitoring",
    "jax._src.named_sharding": "jax.sharding",
    "jax._src.nn": "jax.nn",
    "jax._src.numpy": "jax.numpy",
    "jax._src.partition_spec": "jax.sharding",
    "jax._src.pjit": "jax.jit",
    "jax._src.prng": "jax.random",
    "jax._src.public_test_util": "jax.test_util",
    "jax._src.random": "jax.random",
    "jax._src.scipy": "jax.scipy",
    "jax._src.sharding": "jax.sharding",
    "jax._src.sharding_impls": "jax.sharding",
    "jax._src.stages": "jax.stages",
    "jax._src.state": "jax.ref",
    "jax._src.tree_util": "jax.tree_util",
    "jax._src.typing": "jax.typing",
    "jax._src.xla_bridge": "jax.devices, jax.extend.backend",
}

# Values of JAX's options that an option of olympus means by another value, or by none: what they ask for is not there,
# which is told.
VALUES: dict[str, dict[object, object]] = {
    "jax_traceback_filtering": {"off": False, "auto": True, "tracebackhide": True, "remove_frames": True,
                                "quiet_internal_frames": True},
}
UNUSED_VALUES: dict[str, tuple[object, ...]] = {
    "jax_allow_f16_reductions": (False,),
    "jax_auto_pcast": (False,),
}

# Options that JAX takes at any time, and olympus before it has opened devices: a later change is told.
EARLY: frozenset[str] = frozenset({
    "jax_compilation_cache_dir", "jax_enable_compilation_cache", "jax_persistent_cache_min_compile_time_secs",
    "jax_persistent_cache_min_entry_size_bytes", "jax_platform_name", "jax_platforms",
})

# Variables of olympus whose options are not what they are in JAX when nothing is given.
DEFAULTS: dict[str, str] = {"OLYMPUS_CHECK_STATIC_INDICES": "0"}

# Names of `jax` that give one of JAX's options another value for a block; the options mean nothing on olympus.
CONTEXTS: dict[str, str] = {
    "no_execution": "jax_no_execution",
    "remove_size_one_mesh_axis_from_type": "jax_remove_size_one_mesh_axis_from_type",
}

# JAX's options that mean nothing on olympus, with the values that JAX gives them.
UNUSED_OPTIONS: dict[str, object] = {
    "jax2tf_associative_scan_reductions": False,
    "jax2tf_default_native_serialization": True,
    "jax_serialization_version": 0,
    "jax_export_calling_convention_version": 10,
    "jax_export_ignore_forward_compatibility": False,
    "jax_pjrt_client_create_options": None,
    "jax_captured_constants_warn_bytes": 2000000000,
    "jax_captured_constants_report_frames": 0,
    "jax_debug_leaked_clients_on_clear_backends": False,
    "jax_log_checkpoint_residuals": False,
    "jax_scan3": False,
    "jax_remat3": False,
    "jax_custom_vjp3": False,
    "jax_distributed_debug": False,
    "jax_threefry_gpu_kernel_lowering": False,
    "jax_use_direct_linearize": True,
    "jax_use_simplified_jaxpr_constants": False,
    "jax_embedded_constants_max_bytes": 32,
    "jax_remove_size_one_mesh_axis_from_type": False,
    "check_vma": False,
    "jax_raise_persistent_cache_errors": False,
    "jax_persistent_cache_enable_xla_caches": "xla_gpu_per_fusion_autotune_cache_dir",
    "jax_compilation_cache_include_metadata_in_key": False,
    "jax_hlo_source_file_canonicalization_regex": None,
    "jax_source_url_schema": None,
    "jax_include_full_tracebacks_in_locations": True,
    "jax_traceback_in_locations_limit": 100,
    "jax_share_binary_between_hosts": False,
    "jax_share_binary_between_hosts_timeout_ms": 1200000,
    "jax_enable_pgle": False,
    "jax_pgle_profiling_runs": 3,
    "jax_pgle_aggregation_percentile": 90,
    "jax_compilation_cache_check_contents": False,
    "jax_compilation_cache_expect_pgle": False,
    "jax_compilation_cache_max_size": -1,
    "jax_remove_custom_partitioning_ptr_from_cache_key": False,
    "jax_explicit_x64_dtypes": "warn",
    "jax_disallow_mesh_context_manager": False,
    "jax_error_checking_behavior_nan": "ignore",
    "jax_error_checking_behavior_divide": "ignore",
    "jax_error_checking_behavior_oob": "ignore",
    "jax_use_emit_pipeline_primitive": False,
    "jax_bcoo_cusparse_lowering": False,
    "eager_constant_folding": False,
    "jax_compiler_enable_remat_pass": True,
    "jax_no_execution": False,
    "jax_disable_vmap_shmap_error": False,
    "jax_mutable_array_checks": True,
    "jax_refs_to_pins": False,
    "jax_disable_bwd_checks": False,
    "jax_experimental_unsafe_xla_runtime_errors": False,
    "jax_xla_profile_version": 0,
    "jax_send_traceback_to_runtime": "off",
    "jax_debug_log_modules": "",
    "jax_logging_level": "NOTSET",
    "jax_use_shardy_partitioner": True,
    "jax_use_magma": "auto",
    "jax_exec_time_optimization_effort": 0.0,
    "jax_memory_fitting_effort": 0.0,
    "jax_optimization_level": "UNKNOWN",
    "jax_memory_fitting_level": "O2",
    "jax_cpu_collectives_implementation": "gloo",
    "jax_dump_ir_to": "",
    "jax_include_debug_info_in_dumps": True,
    "jax_dump_ir_modes": "stablehlo",
    "jax_ragged_dot_use_ragged_dot_instruction": True,
    "jax_ragged_dot_use_gpu_pallas_triton_lowering": False,
    "jax_pallas_verbose_errors": False,
    "jax_pallas_enable_debug_checks": False,
    "jax_pallas_use_mosaic_gpu": True,
    "jax_mosaic_allow_hlo": False,
    "jax_pallas_poison_buffers": False,
    "jax_check_proxy_envs": True,
    "jax_enable_recoverability": False,
    "jax_enable_preemption_service": True,
    "jax_xla_backend": "",
    "jax_backend_target": "",
    "jax_cuda_visible_devices": "all",
    "jax_rocm_visible_devices": "all",
    "jax_oneapi_visible_devices": "all",
    "mock_num_gpu_processes": 0,
    "jax_mock_gpu_topology": "",
    "jax_cpu_enable_async_dispatch": True,
    "jax_force_dcn_cross_host_transfers": False,
    "jax_sort_devices_by_process_index": True,
    "jax_cross_host_transfer_socket_address": "",
    "jax_cross_host_transport_addresses": "",
    "jax_cross_host_transfer_timeout_seconds": None,
    "jax_cross_host_transfer_transfer_size": None,
    "jax_cpu_get_local_topology_timeout_minutes": 2,
    "jax_cpu_get_global_topology_timeout_minutes": 5,
    "jax_pprint_use_color": True,
    "jax_tracer_error_num_traceback_frames": 5,
    "jax_disable_most_optimizations": False,
    "jax_compiler_detailed_logging_min_ops": 10,
}
