# SPDX-License-Identifier: Apache-2.0
"""Fallbacks: a log names each location of an operation without a kernel once; the table runs it on the host."""

from __future__ import annotations

import logging

from olympus_core.toolkit.fallbacks import FallbackLog

note_fallback = FallbackLog(logging.getLogger("olympus.cuda"), "the host")
