# SPDX-License-Identifier: Apache-2.0
"""The processes of a job: how they find each other, and how each learns that another is lost."""

from olympus_core.errors.cluster import Standing

from .bootstrap import connect
from .connection import Connection
from .detect import Detection, detect, evidence
from .settings import ClusterSettings

__all__ = ["ClusterSettings", "Connection", "Detection", "Standing", "connect", "detect", "evidence"]
