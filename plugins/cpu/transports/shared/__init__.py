# SPDX-License-Identifier: Apache-2.0
"""Shared memory as a transport, for processes of one machine."""

from .world import SharedWorld, is_usable

__all__ = ["SharedWorld", "is_usable"]
