# SPDX-License-Identifier: Apache-2.0
"""What programs of training share: parameters, layers, and one step of an optimiser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..side import Side, Work, mapped


def normal(seed: int, *shape: int, scale: float | None = None) -> np.ndarray:
    """Normal numbers; a matrix's are scaled by its inputs, so that what goes through it keeps its size."""
    fan = float(np.prod(shape[:-1])) if len(shape) > 1 else 1.0
    drawn = np.random.default_rng(seed).standard_normal(shape, np.float32)
    return drawn * np.float32(fan**-0.5 if scale is None else scale)


def scaled(np: Any, x: Any, gain: Any, axes: Any = -1) -> Any:
    """The norm of layers: mean 0 and variance 1 along axes, times a gain."""
    centred = x - np.mean(x, axis=axes, keepdims=True)
    return centred / np.sqrt(np.mean(centred * centred, axis=axes, keepdims=True) + 1e-5) * gain


def cross_entropy(side: Side, logits: Any, labels: Any) -> Any:
    """The mean of the negative logarithms of what is given to the right labels."""
    logarithms = side.module("nn").log_softmax(logits, axis=-1)
    return -side.np.mean(side.np.take_along_axis(logarithms, labels[..., None], axis=-1))


def convolution(side: Side, x: Any, kernel: Any, stride: int = 1) -> Any:
    """Images of (batch, height, width, channels) with a kernel of (height, width, channels, channels)."""
    return side.module("lax").conv_general_dilated(
        x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def zeros(tree: Any) -> Any:
    """A tree of zeros, in NumPy."""
    return mapped(np.zeros_like, tree)


def adam(side: Side, loss: Callable[..., Any]) -> Callable[..., Any]:
    """A step of Adam (Kingma and Ba 2015): parameters and both moments, then the loss."""
    library, xp = side.library, side.np

    def step(state: Any, *batch: Any) -> Any:
        value, slopes = library.value_and_grad(loss)(state["parameters"], *batch)
        turn = state["turn"] + 1
        first = library.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["first"], slopes)
        second = library.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state["second"], slopes)
        small, large = 1 - 0.9**turn, 1 - 0.999**turn
        moved = library.tree.map(
            lambda p, m, v: p - 1e-3 * (m / small) / (xp.sqrt(v / large) + 1e-8), state["parameters"], first, second)
        return {"parameters": moved, "first": first, "second": second, "turn": turn}, value

    return step


def momentum(side: Side, loss: Callable[..., Any]) -> Callable[..., Any]:
    """A step of gradient descent with momentum: parameters and their velocity, then the loss."""
    library = side.library

    def step(state: Any, *batch: Any) -> Any:
        value, slopes = library.value_and_grad(loss)(state["parameters"], *batch)
        first = library.tree.map(lambda m, g: 0.9 * m + g, state["first"], slopes)
        moved = library.tree.map(lambda p, m: p - 0.01 * m, state["parameters"], first)
        return {"parameters": moved, "first": first}, value

    return step


def training(
    side: Side, optimiser: Callable[..., Any], loss: Callable[..., Any], parameters: Any, batch: Sequence[np.ndarray],
    tolerance: float = 1e-3,
) -> Work:
    """A step as a work: what is compared is the loss and what the optimiser holds of the gradient."""
    state = {"parameters": parameters, "first": zeros(parameters)}
    if optimiser is adam:
        state |= {"second": zeros(parameters), "turn": np.float32(0)}
    names = {"step": side.jit(optimiser(side, loss)), "state": side.put_tree(state),
             "batch": [side.put(array) for array in batch]}
    return Work("step(state, *batch)", names, None, tolerance, tree=True, read=gradient)


def gradient(result: Any) -> Any:
    """What is compared of a step's result: its loss, and the gradient in the optimiser's state."""
    state, loss = result
    return {"loss": loss, "first": state["first"]}
