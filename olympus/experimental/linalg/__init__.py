# SPDX-License-Identifier: Apache-2.0
"""Linear algebra of matrices that are split over a mesh, each device with its block: products and decompositions.

The functions of `olympus.numpy.linalg` need a matrix whole on each device. These are programs on `shard_map` that move
panels of it: SUMMA for products, right-looking factorizations in a block-cyclic layout, and tall-skinny QR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

__all__ = ["cholesky", "matmul", "qr", "solve"]

if TYPE_CHECKING:
    from .equations import solve
    from .factors import cholesky
    from .orthogonal import qr
    from .products import matmul
else:
    __getattr__, __dir__ = deferred(__name__, {
        "cholesky": "factors", "matmul": "products", "qr": "orthogonal", "solve": "equations"})
