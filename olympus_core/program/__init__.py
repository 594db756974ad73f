"""Programs: typed values, operations by record, regions; text, fingerprint, verifier, interpreter."""

from .builder import ProgramBuilder
from .factors import DimensionFactors, Factor, FactorRule
from .groups import AxisGroup, DeviceGroups, Groups, axis_groups
from .interpreter import run, run_members
from .program import DeviceProgram, Operation, Program, Value, operations_of
from .record import Attributes, LocalEmitter, OperationRecord, Steps
from .text import attribute_text, first_difference, operation_text, program_text
from .types import ArrayType
from .verify import verify

__all__ = [
    "ArrayType", "Attributes", "AxisGroup", "DeviceGroups", "DeviceProgram", "DimensionFactors", "Factor",
    "FactorRule", "Groups", "LocalEmitter", "Operation", "OperationRecord", "Program", "ProgramBuilder", "Steps",
    "Value", "attribute_text", "axis_groups", "first_difference", "operation_text", "operations_of", "program_text",
    "run", "run_members", "verify",
]
