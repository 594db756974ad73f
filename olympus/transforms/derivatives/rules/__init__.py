"""The rules, by families of operations."""

from . import binary, collective, contract, control, host, indexing, manual, reduce, structure, unary

__all__ = ["binary", "collective", "contract", "control", "host", "indexing", "manual", "reduce", "structure", "unary"]
