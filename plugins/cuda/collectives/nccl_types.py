# SPDX-License-Identifier: Apache-2.0
"""NCCL's constants and structures, as in its public header."""

from __future__ import annotations

import ctypes

import numpy as np

from olympus_core import dtypes

SUCCESS, IN_PROGRESS = 0, 7
ID_BYTES = 128

DATA_TYPE: dict[np.dtype, int] = {
    dtypes.int8: 0, dtypes.uint8: 1, dtypes.int32: 2, dtypes.uint32: 3, dtypes.int64: 4, dtypes.uint64: 5,
    dtypes.float32: 7, dtypes.float64: 8,
}
BYTES = DATA_TYPE[dtypes.uint8]
OPERATION = {"sum": 0, "prod": 1, "max": 2, "min": 3}

_HEADER_VERSION = 23203  # of the configuration below; older and newer libraries accept it, too
_MAGIC = 0xCAFEBEEF
_UNDEFINED = -(1 << 31)
_NUMBERS = (
    "collnet_enable", "cta_policy", "shrink_share", "nvls_ctas", "channels_per_peer", "nvlink_centric", "graph_usage",
    "rma_contexts", "max_peers", "graph_ordering", "launch_order", "rma_signals", "rma_eager", "host_cft", "nvls_host",
)


class UniqueId(ctypes.Structure):
    """`ncclUniqueId`, by which the ranks of a communicator find each other."""

    _fields_ = [("internal", ctypes.c_uint8 * ID_BYTES)]


class Config(ctypes.Structure):
    """`ncclConfig_t`: fields that are not set are left to the library."""

    _fields_ = [
        ("size", ctypes.c_size_t), ("magic", ctypes.c_uint), ("version", ctypes.c_uint), ("blocking", ctypes.c_int),
        ("cga_cluster_size", ctypes.c_int), ("min_ctas", ctypes.c_int), ("max_ctas", ctypes.c_int),
        ("net_name", ctypes.c_char_p), ("split_share", ctypes.c_int), ("traffic_class", ctypes.c_int),
        ("comm_name", ctypes.c_char_p), *((name, ctypes.c_int) for name in _NUMBERS),
    ]


def config_of(blocking: bool) -> Config:
    """The configuration of a communicator whose calls are blocking or not."""
    config = Config()
    for entry in Config._fields_:
        if entry[1] is ctypes.c_int:
            setattr(config, entry[0], _UNDEFINED)
    config.size, config.magic, config.version = ctypes.sizeof(Config), _MAGIC, _HEADER_VERSION
    config.blocking = int(blocking)
    return config
