# SPDX-License-Identifier: Apache-2.0
"""Parts of models."""

from __future__ import annotations

from .served import case

ROW = "models"

CASES = (
    case("mlp", "MLP forward, 784-1024-1024-10, batch 256", ROW, 0.7, "mlp"),
    case("attention", "attention block, 8 heads, 512 tokens, 64 wide", ROW, 0.7, "attention"),
)
