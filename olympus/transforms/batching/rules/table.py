"""What a batching rule is."""

from __future__ import annotations

from collections.abc import Callable

from ...traces.batching_call import Call, Result

Rule = Callable[[Call], list[Result]]
