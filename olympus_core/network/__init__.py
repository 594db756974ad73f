# SPDX-License-Identifier: Apache-2.0
"""Ports and interfaces of this machine: where a process listens, and under which address the others reach it."""

from .interfaces import Interface, interface_of, own_address, own_addresses, own_interfaces
from .ports import bind_port, first_port

__all__ = ["Interface", "bind_port", "first_port", "interface_of", "own_address", "own_addresses", "own_interfaces"]
