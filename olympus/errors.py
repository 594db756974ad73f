"""Every error that olympus raises on purpose, for `except` clauses."""

from olympus_core.errors import *  # noqa: F403
