# SPDX-License-Identifier: Apache-2.0
"""Decompositions of matrices and equations with them. The bars are our own: at most the peer's time."""

from __future__ import annotations

from .served import case

ROW = "linear algebra"
DECOMPOSITIONS = {
    "cholesky": "Cholesky", "qr": "QR", "svd": "singular values and vectors", "eigh": "eigenvalues and vectors",
    "solve": "equations",
}
SHAPES = {"512": (512, 512), "2048": (2048, 2048), "4096x16": (4096, 16, 16)}

CASES = tuple(
    case(f"{which}-{name}", f"{title} of {' x '.join(map(str, shape))}, float32", ROW, 1.0, "decomposition",
         {"which": which, "shape": shape}, in_quick=name == "4096x16", rounds=5 if name == "2048" else 15)
    for which, title in DECOMPOSITIONS.items() for name, shape in SHAPES.items()
)
