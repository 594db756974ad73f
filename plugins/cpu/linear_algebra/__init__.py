# SPDX-License-Identifier: Apache-2.0
"""Operations of linear algebra by LAPACK, without Python's lock, and by kernels of their own for small matrices."""

from .table import LINEAR_ALGEBRA, routine_of

__all__ = ["LINEAR_ALGEBRA", "routine_of"]
