# SPDX-License-Identifier: Apache-2.0
"""The conformance suite: the requirements of the plugin contract, and a test of how far a platform fulfils them.

Example:
    >>> from olympus_conformance import tests
    >>> len(tests("minimal")) > 0
    True
"""

from __future__ import annotations

from .checks import require, require_close, require_equal, require_raises, require_refusal, require_same_bits
from .context import Context, Session
from .errors import ConformanceError, Failed, Skipped
from .outcome import Outcome, Status, run_test
from .requirement import PROFILES, Case, Requirement, Test, requirement, requirements, tests

__all__ = [
    "PROFILES", "Case", "ConformanceError", "Context", "Failed", "Outcome", "Requirement", "Session", "Skipped",
    "Status", "Test", "require", "require_close", "require_equal", "require_raises", "require_refusal",
    "require_same_bits", "requirement", "requirements", "run_test", "tests",
]
