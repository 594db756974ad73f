# SPDX-License-Identifier: Apache-2.0
"""Errors under the names by which other programs catch them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors


@pytest.mark.parametrize(("act", "error", "builtin"), [
    (lambda x: 1 if x[0] > 0 else 0, errors.TracerBoolConversionError, TypeError),
    (lambda x: range(3)[x[0].astype(int)], errors.TracerIntegerConversionError, TypeError),
    (np.asarray, errors.TracerArrayConversionError, TypeError),
    (lambda x: x[x > 0], errors.NonConcreteBooleanIndexError, IndexError),
    (lambda x: x[x > 0], errors.JAXIndexError, IndexError),
    (lambda x: float(x[0]), errors.ConcretizationTypeError, TypeError),
    (lambda x: x[0].item(), errors.JAXTypeError, TypeError),
    (jnp.nonzero, errors.ConcretizationTypeError, TypeError),
])
def test_traced_values_are_not_known(act: Callable[[Any], Any], error: type[Exception], builtin: type) -> None:
    assert issubclass(error, errors.OlympusError)
    for kind in (error, errors.ConcretizationTypeError, builtin):
        with pytest.raises(kind):
            olympus.jit(act)(jnp.ones(2))


def test_a_traced_value_outside_of_its_trace() -> None:
    kept: list[Any] = []
    olympus.jit(kept.append)(jnp.ones(2))
    with pytest.raises(errors.UnexpectedTracerError):
        kept[0] + 1


def test_what_a_platform_cannot_do_is_a_runtime_error() -> None:
    with pytest.raises(errors.JaxRuntimeError):
        jnp.zeros((1 << 20, 1 << 30), "int8").block_until_ready()
