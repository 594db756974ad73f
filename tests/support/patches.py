# SPDX-License-Identifier: Apache-2.0
"""Replaces what the whole process shares for the test's own thread alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest


def patched_here(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, replacement: Callable[..., Any]
) -> None:
    """Replaces a function for this thread; threads that earlier tests left, such as the optimiser, have the old one."""
    here, before = threading.get_ident(), getattr(owner, name)

    def chosen(*args: Any, **options: Any) -> Any:
        return (replacement if threading.get_ident() == here else before)(*args, **options)

    monkeypatch.setattr(owner, name, chosen)
