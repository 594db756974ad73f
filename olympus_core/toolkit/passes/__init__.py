# SPDX-License-Identifier: Apache-2.0
"""Passes over device programs: patterns, what they are replaced by, and ordered lists of passes."""

from .builder import Builder, splat_of
from .pass_list import Observer, Pass, PassList
from .patterns import Match, Pattern, anything, op, splat
from .rewriter import Build, Rule, needed_operations, rewriting_pass

__all__ = [
    "Build", "Builder", "Match", "Observer", "Pass", "PassList", "Pattern", "Rule", "anything",
    "needed_operations", "op", "rewriting_pass", "splat", "splat_of",
]
