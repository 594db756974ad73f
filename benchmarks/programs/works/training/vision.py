# SPDX-License-Identifier: Apache-2.0
"""Networks of convolutions that are trained: a small one, ResNet-18, and a block of a diffusion model's U-Net."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..side import Side, Work
from .parts import convolution, cross_entropy, momentum, normal, scaled, training


def _images(batch: int, size: int, channels: int) -> np.ndarray:
    return normal(1, batch, size, size, channels, scale=1.0)


def cnn(side: Side, batch: int = 32, size: int = 32) -> Work:
    """Three convolutions of stride 2, the mean of what is left, and one product."""
    widths = (3, 16, 32, 32)
    parameters = {"kernels": [normal(k, 3, 3, a, b) for k, (a, b) in enumerate(zip(widths, widths[1:], strict=False))],
                  "head": normal(9, widths[-1], 10)}

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        for kernel in parameters["kernels"]:
            x = side.np.maximum(convolution(side, x, kernel, 2), 0)
        return cross_entropy(side, side.np.mean(x, axis=(1, 2)) @ parameters["head"], labels)

    labels = np.arange(batch, dtype=np.int32) % 10
    return training(side, momentum, loss, parameters, [_images(batch, size, 3), labels])


def resnet(side: Side, batch: int = 8, size: int = 32, width: int = 64) -> Work:
    """ResNet-18 (He et al. 2016) as it is written for images of 32 x 32; norms over the batch."""
    blocks: list[dict[str, Any]] = []
    before = width
    for k, after in enumerate(np.repeat([width, 2 * width, 4 * width, 8 * width], 2).tolist()):
        block = {"one": normal(3 * k, 3, 3, before, after), "two": normal(3 * k + 1, 3, 3, after, after),
                 "gain1": np.ones(after, np.float32), "gain2": np.ones(after, np.float32)}
        if before != after:
            block |= {"way": normal(3 * k + 2, 1, 1, before, after), "gain3": np.ones(after, np.float32)}
        blocks.append(block)
        before = after
    parameters = {"stem": normal(90, 3, 3, 3, width), "gain": np.ones(width, np.float32), "blocks": blocks,
                  "head": normal(91, before, 10)}

    def normed(x: Any, kernel: Any, gain: Any, stride: int = 1) -> Any:
        return scaled(side.np, convolution(side, x, kernel, stride), gain, (0, 1, 2))

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        x = side.np.maximum(normed(x, parameters["stem"], parameters["gain"]), 0)
        for block in parameters["blocks"]:
            stride = 2 if "way" in block else 1
            y = side.np.maximum(normed(x, block["one"], block["gain1"], stride), 0)
            x = normed(x, block["way"], block["gain3"], stride) if "way" in block else x
            x = side.np.maximum(x + normed(y, block["two"], block["gain2"]), 0)
        return cross_entropy(side, side.np.mean(x, axis=(1, 2)) @ parameters["head"], labels)

    labels = np.arange(batch, dtype=np.int32) % 10
    # One of 700,000 rectified numbers that lies within rounding of zero moves a gradient by up to 0.04.
    return training(side, momentum, loss, parameters, [_images(batch, size, 3), labels], tolerance=6e-2)


def unet(side: Side, batch: int = 4, size: int = 32, width: int = 32) -> Work:
    """Down, attention and up with a shortcut, told the time, as in Ho et al. 2020; the loss is that of the noise."""
    def residual(seed: int, before: int, after: int) -> dict[str, np.ndarray]:
        return {"gain1": np.ones(before, np.float32), "one": normal(seed, 3, 3, before, after),
                "time": normal(seed + 1, 4 * width, after), "gain2": np.ones(after, np.float32),
                "two": normal(seed + 2, 3, 3, after, after), "way": normal(seed + 3, 1, 1, before, after)}

    parameters = {
        "stem": normal(1, 3, 3, 3, width), "down": residual(10, width, width),
        "halve": normal(2, 3, 3, width, 2 * width), "middle": residual(20, 2 * width, 2 * width),
        "in": normal(3, 2 * width, 6 * width), "out": normal(4, 2 * width, 2 * width),
        "up": residual(30, 3 * width, width), "last": normal(5, 3, 3, width, 3),
    }

    def grouped(x: Any, gain: Any) -> Any:
        shape = x.shape
        groups = side.np.reshape(x, (*shape[:3], 8, shape[3] // 8))
        return side.np.reshape(scaled(side.np, groups, 1.0, (1, 2, 4)), shape) * gain

    def turn(x: Any, time: Any, block: Any) -> Any:
        silu = side.module("nn").silu
        y = convolution(side, silu(grouped(x, block["gain1"])), block["one"]) + (time @ block["time"])[:, None, None]
        return convolution(side, silu(grouped(y, block["gain2"])), block["two"]) + convolution(side, x, block["way"])

    def attended(x: Any, p: Any) -> Any:
        flat = side.np.reshape(x, (x.shape[0], -1, x.shape[-1]))
        q, k, v = side.np.split(flat @ p["in"], 3, -1)
        scores = side.np.einsum("btd,bsd->bts", q, k) * flat.shape[-1] ** -0.5
        return x + side.np.reshape(side.module("nn").softmax(scores) @ v @ p["out"], x.shape)

    def loss(p: Any, x: Any, time: Any, noise: Any) -> Any:
        xp = side.np
        angles = time[:, None] * xp.exp(-xp.arange(2 * width) * (9.21 / (2 * width)))
        told = xp.concatenate([xp.sin(angles), xp.cos(angles)], axis=-1)
        first = turn(convolution(side, x + noise, p["stem"]), told, p["down"])
        low = attended(turn(convolution(side, first, p["halve"], 2), told, p["middle"]), p)
        wide = xp.repeat(xp.repeat(low, 2, axis=1), 2, axis=2)
        found = convolution(side, turn(xp.concatenate([wide, first], axis=-1), told, p["up"]), p["last"])
        return xp.mean((found - noise) ** 2)

    noise, time = normal(6, batch, size, size, 3, scale=1.0), np.linspace(0, 100, batch, dtype=np.float32)
    return training(side, momentum, loss, parameters, [_images(batch, size, 3), time, noise])
