# SPDX-License-Identifier: Apache-2.0
"""TCP as a transport: links between processes that outlive their connections."""

from .connector import Limits
from .world import TcpWorld

__all__ = ["Limits", "TcpWorld"]
