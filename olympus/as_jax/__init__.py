# SPDX-License-Identifier: Apache-2.0
"""Programs and libraries that are written for JAX run on olympus, unmodified: `import jax` gives olympus's modules.

The door is opened by ``python -m olympus.as_jax script.py``, ``olympus launch --as-jax``, the environment variable
``OLYMPUS_AS_JAX=1`` or `install`, and never by itself. It is a table of names and a finder; no function stands twice.
"""

from __future__ import annotations

import sys

from olympus.tracing.values import array_methods
from olympus_core.deferred import listed
from olympus_core.errors.config import PeerImportedError

from .attributes import give_attributes
from .finder import Finder, opened
from .settings import translate_environment
from .table import VERSION


def install() -> None:
    """Lets ``import jax``, and the import of all that is below it, give olympus's modules from now on.

    Calling it again does nothing. It also translates environment variables whose name begins with ``JAX_``, and
    ``XLA_FLAGS=--xla_force_host_platform_device_count=8``, to olympus's own, where these are not set.

    Raises:
        PeerImportedError: JAX itself, or its library, was imported before.

    Example:
        >>> import olympus.as_jax
        >>> olympus.as_jax.install()
        >>> import jax.numpy as jnp
        >>> type(jnp.ones(3)).__module__.startswith("olympus")
        True
    """
    if opened():
        return
    imported = [name for name in ("jax", "jaxlib") if name in sys.modules]
    if imported:
        raise PeerImportedError(imported[0], getattr(sys.modules[imported[0]], "__file__", None))
    sys.meta_path.insert(0, Finder())
    array_methods.append("__jax_array__")
    give_attributes()
    translate_environment()


def installed() -> bool:
    """Whether ``import jax`` gives olympus's modules in this process.

    Example:
        >>> import olympus.as_jax
        >>> olympus.as_jax.install()
        >>> olympus.as_jax.installed()
        True
    """
    return opened()


__all__ = ["VERSION", "install", "installed"]
__dir__ = listed(__all__)
