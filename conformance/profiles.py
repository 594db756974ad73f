# SPDX-License-Identifier: Apache-2.0
"""The capabilities that each profile requires a platform to declare; the tests require the rest."""

from __future__ import annotations

PURPOSE = {
    "minimal": "devices, buffers, copies, element types: arrays can be put on the platform and read back",
    "single": "programs are compiled and executed on all devices of one process",
    "multi": "communicators and collectives across processes, beginning and end of a job",
    "full": "faults, every element type and operation, performance sanity",
}

_MINIMAL = frozenset({"dtype:bool", "dtype:int32", "dtype:uint32", "dtype:float32"})

# The operations of almost every program: without these a platform cannot run a library.
CORE_OPERATIONS = (
    "neg", "abs", "sign", "floor", "ceil", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "logistic", "is_finite",
    "not", "add", "sub", "mul", "div", "rem", "pow", "max", "min", "and", "or", "xor", "shift_left",
    "shift_right_logical", "eq", "ne", "lt", "le", "gt", "ge", "select", "clamp", "convert", "bitcast_convert",
    "broadcast_in_dim", "reshape", "transpose", "slice", "pad", "concatenate", "reverse", "iota", "constant",
    "dynamic_slice", "dynamic_update_slice", "gather", "reduce_sum", "reduce_max", "reduce_min", "argmax",
    "dot_general", "cond", "while", "scan", "call", "all_reduce", "all_gather", "axis_index", "permute",
)

_SINGLE = _MINIMAL | {f"operation:{name}" for name in CORE_OPERATIONS}

# Undeclared ones of these fail the profile and are not "not supported".
REQUIRED: dict[str, frozenset[str]] = {
    "minimal": _MINIMAL,
    "single": _SINGLE,
    "multi": _SINGLE | {"multi_process"},
    "full": _SINGLE | {"multi_process"},
}
