# SPDX-License-Identifier: Apache-2.0
"""Compiles all programs of the documents for the generations on the command line."""

from __future__ import annotations

import sys

from .table import COMPUTES
from .test_documents import require_compiled

if __name__ == "__main__":
    for generation in sys.argv[1:]:
        for program in COMPUTES:
            require_compiled(generation, program, tuple(COMPUTES))
        print(f"{generation}: {len(COMPUTES)} programs")
