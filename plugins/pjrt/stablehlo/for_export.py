# SPDX-License-Identifier: Apache-2.0
"""What is written only into modules for others than our platforms, which have their own ways."""

from __future__ import annotations

from collections.abc import Mapping

from .incomplete import INCOMPLETE
from .lapack import LAPACK
from .writer import Emission
from .zeta import BESSEL_AND_ZETA

FOR_EXPORT: Mapping[str, Emission] = {**LAPACK, **INCOMPLETE, **BESSEL_AND_ZETA}
