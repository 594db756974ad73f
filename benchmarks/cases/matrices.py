# SPDX-License-Identifier: Apache-2.0
"""Products of matrices."""

from __future__ import annotations

from .served import case

ROW = "products of matrices"

CASES = (
    *(
        case(f"matmul-{kind}-{size}", f"{dtype} {size} x {size}", ROW, 1.0, "matmul", {"size": size, "dtype": dtype},
             in_quick=size < 2048)
        for kind, dtype in (("f32", "float32"), ("bf16", "bfloat16"))
        for size in (512, 1024, 2048, 4096)
    ),
    case("matmul-small", "64 products (128, 64) x (64, 128), float32", ROW, 1.0, "small_matmuls"),
)
