# SPDX-License-Identifier: Apache-2.0
"""Mathematical functions on vectors, written inline; README.md has their precision and speed."""

from .functions import ULP_BOUNDS, emit_math, has_math

__all__ = ["ULP_BOUNDS", "emit_math", "has_math"]
