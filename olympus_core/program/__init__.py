# SPDX-License-Identifier: Apache-2.0
"""Programs: typed values, operations by record, regions; text, fingerprint, verifier, interpreter."""

from .builder import ProgramBuilder
from .factors import DimensionFactors, Factor, FactorRule, Reduction
from .groups import AxisGroup, DeviceGroups, Groups, axis_groups
from .interpreter import run, run_members
from .program import DeviceProgram, Operation, Program, Value, operation_text, operations_of, program_text
from .record import Attributes, LocalEmitter, OperationRecord, Steps
from .text import attribute_text, first_difference
from .types import ArrayType, SymbolicSize
from .verify import verify

__all__ = [
    "ArrayType", "Attributes", "AxisGroup", "DeviceGroups", "DeviceProgram", "DimensionFactors", "Factor",
    "FactorRule", "Groups", "LocalEmitter", "Operation", "OperationRecord", "Program", "ProgramBuilder", "Reduction",
    "Steps", "SymbolicSize", "Value", "attribute_text", "axis_groups", "first_difference",
    "operation_text", "operations_of", "program_text", "run", "run_members", "verify",
]
