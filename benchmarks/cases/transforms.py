# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms of one long line and of many images. The bars are our own: at most the peer's time."""

from __future__ import annotations

from .served import case

TRANSFORMS = "Fourier transforms"

CASES = (
    case("fft-line", "fft of 2^20 complex64", TRANSFORMS, 1.0, "transform", {"shape": [1 << 20]}),
    case("fft-images", "fft2 of 64 images of 512 x 512, complex64", TRANSFORMS, 1.0, "transform",
         {"shape": [64, 512, 512]}, rounds=7),
)
