# SPDX-License-Identifier: Apache-2.0
"""Keys of random numbers that are used twice: told while `olympus.debug_key_reuse` is on, or looked for in a function.

Each key gives the same numbers whenever it is used. What uses a key is `random.split` and every function that draws
numbers; `fold_in`, `key_data` and comparisons do not, and `random.clone` gives a key for use on purpose. Only keys of a
type of their own (`random.key`) are looked at: arrays of words (`random.PRNGKey`) are numbers like others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.config import config
from olympus_core.deferred import listed
from olympus_core.errors import KeyReuseError

from ..operands import function_of
from ..transforms.jit import jit
from ..transforms.key_uses import check_program

__all__ = ["KeyReuseError", "check_key_reuse"]
__dir__ = listed(__all__)


def check_key_reuse(fun: Callable[..., Any], /, *args: Any) -> None:
    """Looks for keys that a function uses twice, without running it.

    Args:
        fun: A function of arrays and nested containers of them.
        *args: Its arguments, or what stands for them (`ShapeDtypeStruct`). All of their keys count as new.

    Raises:
        KeyReuseError: When a key is used twice; the error names both lines.

    Example:
        >>> import olympus
        >>> from olympus.experimental.key_reuse import KeyReuseError, check_key_reuse
        >>> def f(key):
        ...     return olympus.random.normal(key) + olympus.random.uniform(key)
        >>> try:
        ...     check_key_reuse(f, olympus.random.key(0))
        ... except KeyReuseError:
        ...     print("twice")
        twice
    """
    function_of("check_key_reuse", fun, "the argument")
    with config.override("olympus_debug_key_reuse", True):
        check_program(jit(fun).trace(*args).program)
