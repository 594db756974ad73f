# SPDX-License-Identifier: Apache-2.0
"""Every error that olympus raises on purpose, for `except` clauses, and its warnings."""

import typing as _typing

from olympus_core import errors as _errors
from olympus_core.deferred import listed as _listed
from olympus_core.errors import *  # noqa: F403

# Names by which programs written for JAX know them.
ConcretizationTypeError = _errors.ConcretizationError
UnexpectedTracerError = _errors.LeakedTracerError
JAXTypeError = _errors.TracingError
JAXIndexError = _errors.NonConcreteBooleanIndexError
JaxRuntimeError = _errors.PlatformError

if not _typing.TYPE_CHECKING:
    __all__ = [
        "ConcretizationTypeError", "JAXIndexError", "JAXTypeError", "JaxRuntimeError", "UnexpectedTracerError",
    ] + [name for name, value in vars(_errors).items()
               if isinstance(value, type) and issubclass(value, (_errors.OlympusError, Warning))]
    __dir__ = _listed(__all__)
