# SPDX-License-Identifier: Apache-2.0
"""Device functions in CUDA C++, which are put before the kernels that call them."""

from __future__ import annotations

from .library import mentioned, names, needed
from .types import function_of, kind_of, register_type, storage_type

__all__ = ["function_of", "kind_of", "mentioned", "names", "needed", "register_type", "storage_type"]
