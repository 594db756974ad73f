# SPDX-License-Identifier: Apache-2.0
"""What a platform's author may use and need not: executables from tables, collectives, whole platforms."""

from .arrays import ArrayBuffer, own_arrays
from .carried import CarriedCommunicator, Carrier
from .communicators import MoverCommunicator, communicator_from_exchange
from .device_array import DeviceArray, table_on_host
from .executable import TableExecutable, compile_with_table
from .flatten import Flat
from .generated import compile_with_generator
from .keyvalues import SharedKeyValues
from .local import LOCAL_COLLECTIVES, LocalCommunicator
from .namespace import table_from_namespace
from .optable import Kernel, KernelFactory, OperationTable, TableFunction, table_from_references
from .phases import Members, Phase, Steps
from .platform import table_platform
from .queues import DeviceQueue, PendingBuffer, QueuedExecutable, waiting
from .quiet import quietly
from .reduce import combiner, reduce_members, tree_blocks, tree_reduce, working_dtype
from .threads import start_thread

__all__ = [
    "LOCAL_COLLECTIVES", "ArrayBuffer", "CarriedCommunicator", "Carrier", "DeviceArray", "DeviceQueue", "Flat",
    "Kernel", "KernelFactory", "LocalCommunicator", "Members", "MoverCommunicator", "OperationTable", "PendingBuffer",
    "Phase", "QueuedExecutable", "SharedKeyValues", "Steps", "TableExecutable", "TableFunction", "combiner",
    "communicator_from_exchange", "compile_with_generator", "compile_with_table", "own_arrays", "quietly",
    "reduce_members", "start_thread", "table_from_namespace", "table_from_references", "table_on_host",
    "table_platform", "tree_blocks", "tree_reduce", "waiting", "working_dtype",
]
