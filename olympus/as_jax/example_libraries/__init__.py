# SPDX-License-Identifier: Apache-2.0
"""`jax.example_libraries`: the two small libraries that come with JAX, for libraries that build on them."""

from . import optimizers as optimizers
from . import stax as stax
