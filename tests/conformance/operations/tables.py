# SPDX-License-Identifier: Apache-2.0
"""Platforms out of the references, whole or with one function replaced, and the cases run on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_conformance import Outcome, Session, requirements, run_test
from olympus_conformance.context import Context
from olympus_conformance.requirement import Test
from olympus_core import dtypes
from olympus_core.plugin import PlatformSettings
from olympus_core.toolkit import table_from_references, table_platform

Broken = Callable[[Sequence[np.ndarray], dict[str, Any]], Sequence[np.ndarray]]
REFERENCES = table_from_references()
AREA = {r.name: r for r in requirements() if r.name.startswith("operations/")}


def find_test(identifier: str) -> Test:
    """A test by its id."""
    name, _, case = identifier.rstrip("]").partition("[")
    return Test(AREA[name], next(c for c in AREA[name].cases if c.name == case))


def outcome(session: Session, test: Test) -> Outcome:
    """What becomes of a test."""
    return run_test(test, Context(session, test.id))


def session(broken: dict[str, Broken] | None = None, known: Sequence[np.dtype] = dtypes.ALL) -> Session:
    """A platform whose operations are the references, but for some."""
    table = REFERENCES.with_entries(broken or {})
    return Session(table_platform("references", table, dtypes=known), PlatformSettings())


def outcome_with(name: str, change: Callable[[np.ndarray], np.ndarray], identifier: str) -> Outcome:
    """What becomes of a test where an operation's first result is changed."""
    reference = REFERENCES.functions[name]

    def broken(operands: Sequence[np.ndarray], attributes: dict[str, Any]) -> list[np.ndarray]:
        first, *rest = reference(operands, attributes)
        with np.errstate(all="ignore"):
            return [np.asarray(change(np.array(first))).astype(first.dtype), *rest]

    opened = session({name: broken})
    try:
        return outcome(opened, find_test(identifier))
    finally:
        opened.close()
