# SPDX-License-Identifier: Apache-2.0
"""Context managers for single options, made from the table of options: `olympus.numpy_rank_promotion("raise")`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.config import config as _config
from olympus_core.config import find_option
from olympus_core.deferred import listed


def _manager(attribute: str, value: Any, name: str = "", clears: tuple[str, ...] = ()) -> Callable[..., Any]:
    """The context manager of an option.

    Args:
        attribute: The option without its prefix.
        value: The value of the example.
        name: The manager's name, if it is another one.
        clears: Options that say more precisely what this one says, and do not in the block.
    """
    option = find_option(f"olympus_{attribute}")

    def manager(new_val: Any = True) -> Any:  # the peers' name
        return _config.override_all({option.name: new_val, **dict.fromkeys(clears)})

    if option.default not in (True, False):  # which value is meant is to be said
        manager.__defaults__ = None
    manager.__name__ = manager.__qualname__ = name = name or attribute
    manager.__doc__ = f"""Another value of ``{option.name}`` for a block, or for a function that is decorated.

    {option.sentence}

    Args:
        new_val: {option.kind.expected[:1].upper()}{option.kind.expected[1:]}.

    Returns:
        A context manager, and decorator; it acts on the current thread.

    Raises:
        OptionValueError: The option does not take the value.

    Example:
        >>> import olympus
        >>> with olympus.{name}({value!r}):
        ...     olympus.config.{option.name}
        {value!r}
    """
    return manager


allow_f16_reductions = _manager("allow_f16_reductions", True)
auto_pcast = _manager("auto_pcast", True)
array_garbage_collection_guard = _manager("array_garbage_collection_guard", "log")
check_tracer_leaks = _manager("check_tracer_leaks", True)
checking_leaks = _manager("check_tracer_leaks", True, "checking_leaks")
debug_infs = _manager("debug_infs", True)
debug_key_reuse = _manager("debug_key_reuse", True)
debug_nans = _manager("debug_nans", True)
default_matmul_precision = _manager("default_matmul_precision", "highest")
default_prng_impl = _manager("default_prng_impl", "rbg")
enable_checks = _manager("enable_checks", True)
enable_custom_prng = _manager("enable_custom_prng", True)
explain_cache_misses = _manager("explain_cache_misses", True)
legacy_prng_key = _manager("legacy_prng_key", "error")
log_compiles = _manager("log_compiles", True)
no_tracing = _manager("no_tracing", True)
numpy_dtype_promotion = _manager("numpy_dtype_promotion", "strict")
numpy_rank_promotion = _manager("numpy_rank_promotion", "raise")
softmax_custom_jvp = _manager("softmax_custom_jvp", True)
thread_guard = _manager("thread_guard", True)
threefry_partitionable = _manager("threefry_partitionable", True)
transfer_guard = _manager("transfer_guard", "disallow", clears=tuple(
    f"olympus_transfer_guard_{way}" for way in ("host_to_device", "device_to_device", "device_to_host")))
transfer_guard_device_to_device = _manager("transfer_guard_device_to_device", "disallow")
transfer_guard_device_to_host = _manager("transfer_guard_device_to_host", "disallow")
transfer_guard_host_to_device = _manager("transfer_guard_host_to_device", "disallow")

__all__ = [
    "allow_f16_reductions", "array_garbage_collection_guard", "auto_pcast", "check_tracer_leaks", "checking_leaks",
    "debug_infs", "debug_key_reuse", "debug_nans", "default_matmul_precision", "default_prng_impl", "enable_checks",
    "enable_custom_prng", "explain_cache_misses", "legacy_prng_key", "log_compiles", "no_tracing",
    "numpy_dtype_promotion", "numpy_rank_promotion", "softmax_custom_jvp", "thread_guard", "threefry_partitionable",
    "transfer_guard", "transfer_guard_device_to_device", "transfer_guard_device_to_host",
    "transfer_guard_host_to_device",
]
__dir__ = listed(__all__)
