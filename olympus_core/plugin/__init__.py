"""The contract between the core and a platform: all that a backend author reads first."""

from .buffer import Buffer
from .capabilities import Capabilities
from .client import Client, Executable
from .communicator import Communicator, Group, Links, Pending, Reduction, Rendezvous, Transfer
from .device import Device, DeviceDescription
from .hooks import ENTRY_POINT_GROUP, PluginHooks, hookimpl
from .platform import Platform, PlatformSettings, Probe, TransportFactory
from .version import API_VERSION

__all__ = [
    "API_VERSION", "ENTRY_POINT_GROUP", "Buffer", "Capabilities", "Client", "Communicator", "Device",
    "DeviceDescription", "Executable", "Group", "Links", "Pending", "Platform", "PlatformSettings",
    "PluginHooks", "Probe", "Reduction", "Rendezvous", "Transfer", "TransportFactory", "hookimpl",
]
