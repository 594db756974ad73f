# SPDX-License-Identifier: Apache-2.0
"""The log of operations that run by the operation table instead of compiled code."""

from __future__ import annotations

import logging

from olympus_core.ops import OPERATIONS
from olympus_core.toolkit.fallbacks import FallbackLog

from ..fourier.merging import SEVERAL

# Native code of ours or of LAPACK's does what these are, whoever calls it.
_LIBRARY = [name for name, record in OPERATIONS.items() if record.category == "linear_algebra"]
note_fallback = FallbackLog(
    logging.getLogger("olympus.cpu"), "NumPy", ["fft", SEVERAL.name, "sort", "top_k", *_LIBRARY])
