# SPDX-License-Identifier: Apache-2.0
"""The passes of the CPU platform: what is done to a program before it is planned."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from olympus_core.program import Operation, OperationRecord
from olympus_core.toolkit import Flat
from olympus_core.toolkit.fusion import FusionOptions, lowering_passes
from olympus_core.toolkit.passes import Pass, PassList, rewriting_pass

from ..fourier.merging import FOURIER_RULES
from .dead_carries import without_dead_carries
from .power_rules import POWER_RULES
from .product_rules import COMPLEX_PRODUCT_RULES, PRODUCT_RULES
from .scan_products import SCAN_RULES

# Products and convolutions of complex numbers are those of their parts; no equations are conjugated.
COMPLEX_PRODUCTS = rewriting_pass("complex-products", *COMPLEX_PRODUCT_RULES)
# Scans carry and stack what is used.
DEAD_CARRIES = Pass("dead-carries", without_dead_carries)
# Products of scans that wait for no turn, or only add up, are one before or after them.
SCANS = rewriting_pass("scans", *SCAN_RULES)
# Products of narrow floats are summed in float32 and rounded once, as their reference does; those with few results and
# very many contracted elements are split-K; products with a vector become sums, and those with little to contract
# multiplications, which fuse with what is around them; convolutions have their features last and no padding.
PRODUCTS = rewriting_pass("products", *PRODUCT_RULES)
# Powers by constants are multiplications and roots.
POWERS = rewriting_pass("powers", *POWER_RULES)
# Transforms along several dimensions are one operation.
TRANSFORMS = rewriting_pass("transforms", *FOURIER_RULES)


def cpu_passes(
    supports: Callable[[OperationRecord | None, tuple[np.dtype, ...]], bool], options: FusionOptions,
    start_calls: Callable[[Iterable[Operation]], None],
) -> PassList:
    """All passes, in their order.

    Args:
        supports: Whether kernels can hold an operation on elements of these types.
        options: How programs are fused.
        start_calls: Begins to make what the program's products and routines run, while all the rest is made.
    """

    def start(flat: Flat) -> Flat:
        start_calls(flat.operations)
        return flat

    return PassList(DEAD_CARRIES, SCANS, COMPLEX_PRODUCTS, PRODUCTS, POWERS, TRANSFORMS,
                    *lowering_passes(supports, options), Pass("start-calls", start))
