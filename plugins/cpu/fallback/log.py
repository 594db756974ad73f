"""The log of what the compiler leaves to the operation table."""

from __future__ import annotations

import logging

from olympus_core.toolkit.fallbacks import FallbackLog

note_fallback = FallbackLog(logging.getLogger("olympus.cpu"), "NumPy", ["sort", "top_k"])
