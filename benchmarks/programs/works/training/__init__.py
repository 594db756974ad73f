# SPDX-License-Identifier: Apache-2.0
"""Whole programs, most of them a step of training, that no kernel was made for.

NumPy has the results of some; those of the others, gradients mostly, are compared with each other's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..side import Work
from . import language, networks, parallel, science, vision

TRAINING: dict[str, Callable[..., Work]] = {
    "gpt": language.gpt, "encoder": language.encoder,
    "cnn": vision.cnn, "resnet": vision.resnet, "unet": vision.unet,
    "mlp_step": networks.mlp, "lstm": networks.lstm, "examples": networks.examples, "embedding": networks.embedding,
    "graph": networks.graph,
    "heat": science.heat, "bodies": science.bodies, "neighbours": science.neighbours,
    "monte_carlo": science.monte_carlo, "mandelbrot": science.mandelbrot,
    "data_parallel": partial(parallel.mlp, sharded=False), "fully_sharded": partial(parallel.mlp, sharded=True),
}
