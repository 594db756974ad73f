# SPDX-License-Identifier: Apache-2.0
"""The client of the platform: this machine's TPUs."""

from __future__ import annotations

import dataclasses

from olympus_core.plugin import Capabilities, PlatformSettings
from olympus_pjrt.client import PjrtClient
from olympus_pjrt.stablehlo import Precision, tpu_policy


class TpuClient(PjrtClient):  # type: ignore[misc]  # see the checker's settings
    """One process's TPUs.

    Args:
        path: libtpu's file.
        settings: What the runtime says about this process and the job.
        precision: The precision of float32 products.
    """

    def __init__(self, path: str, settings: PlatformSettings, precision: Precision) -> None:
        super().__init__(path, {}, settings, "tpu")
        policy = tpu_policy(precision)
        # libtpu accepts more element types than TPUs support.
        known = self.capabilities.dtypes & policy.dtypes
        self.capabilities: Capabilities = dataclasses.replace(self.capabilities, dtypes=known)
        self._policy = dataclasses.replace(policy, name="platform tpu", dtypes=known)
