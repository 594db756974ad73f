# SPDX-License-Identifier: Apache-2.0
"""Products of matrices, and convolutions. The bar of convolutions is our own: at most the peer's time."""

from __future__ import annotations

from .served import case

ROW, CONVOLUTIONS = "products of matrices", "convolutions"

CASES = (
    *(
        case(f"matmul-{kind}-{size}", f"{dtype} {size} x {size}", ROW, 1.0, "matmul", {"size": size, "dtype": dtype},
             in_quick=size < 2048)
        for kind, dtype in (("f32", "float32"), ("bf16", "bfloat16"))
        for size in (512, 1024, 2048, 4096)
    ),
    *(
        case(f"matmul-widened-{kind}", f"{first} 1024 x 1024 to {result}", ROW, 1.0, "widened_matmul",
             {"size": 1024, "dtype": first, "result": result},
             uncounted="what the machine multiplies of integers is not measured" if result == "int32" else "")
        for kind, first, result in (("int8", "int8", "int32"), ("bf16", "bfloat16", "float32"))
    ),
    case("matmul-small", "64 products (128, 64) x (64, 128), float32", ROW, 1.0, "small_matmuls"),
    *(
        case(f"conv-{size}", f"3 x 3 over {images} images of {size} x {size} x {features}, float32", CONVOLUTIONS, 1.0,
             "convolution", {"images": images, "size": size, "features": features})
        for images, size, features in ((8, 56, 64), (8, 14, 256))
    ),
)
