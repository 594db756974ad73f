# SPDX-License-Identifier: Apache-2.0
"""Runs whole programs beside the peer: ``python -m benchmarks.programs [--only NAME] [--quick]``."""

from __future__ import annotations

import sys

from benchmarks.__main__ import main
from benchmarks.cases.programs import CASES

if __name__ == "__main__":
    sys.exit(main(every=CASES, name="benchmarks.programs"))
