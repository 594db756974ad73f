# SPDX-License-Identifier: Apache-2.0
"""Whether the TPU's compiler is here."""

from __future__ import annotations

import pytest

from olympus_tpu import environment


def needed() -> None:
    """Skips the test where libtpu is not installed."""
    if environment.library() is None:
        pytest.skip("libtpu is not installed: pip install 'olympus-runtime[tpu]'; the extra test has it (205 MB) for "
                    "Linux on x86-64 and Python 3.11 or newer")
