"""The log of operations that run by the operation table instead of compiled code."""

from __future__ import annotations

import logging

from olympus_core.toolkit.fallbacks import FallbackLog

note_fallback = FallbackLog(logging.getLogger("olympus.cpu"), "NumPy", ["fft", "sort", "top_k"])
