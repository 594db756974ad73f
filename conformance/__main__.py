# SPDX-License-Identifier: Apache-2.0
"""``python -m olympus_conformance``."""

from __future__ import annotations

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
