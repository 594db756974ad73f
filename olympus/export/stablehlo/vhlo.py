# SPDX-License-Identifier: Apache-2.0
"""VHLO, the dialect of portable artefacts: its attributes, types, and the properties of its operations.

Numbers are those of the dialect's bytecode, which never change (openxla.org/stablehlo/vhlo); operations are named with
their version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArtefactError, OlympusError
from olympus_core.program import ArrayType

from .bytecode import Bytecode, Instruction, Reader

_MOST_NESTED = 32
_BUILTIN_DICTIONARY, _BUILTIN_STRING = 1, 2  # of MLIR's own dialect
_UNKNOWN = -(1 << 63)  # a size that is not known

INDEX = 9
ELEMENTS: Mapping[int, np.dtype] = {
    0: np.dtype(bool), INDEX: np.dtype("int64"),
    2: dtypes.bfloat16, 3: dtypes.float16, 4: dtypes.float32, 5: dtypes.float64,
    11: np.dtype("int8"), 12: np.dtype("int16"), 13: np.dtype("int32"), 14: np.dtype("int64"),
    16: np.dtype("uint8"), 17: np.dtype("uint16"), 18: np.dtype("uint32"), 19: np.dtype("uint64"),
    **{code: dtype for code, name in ((10, "int4"), (15, "uint4"), (6, "float8_e4m3fn"), (7, "float8_e5m2"),
                                      (27, "float8_e4m3fnuz"), (28, "float8_e5m2fnuz"), (29, "float8_e4m3b11fnuz"))
       for dtype in dtypes.KNOWN_IN_ORDER if dtypes.name_of(dtype) == name},
}
COMPLEX, FUNCTION, TENSOR, _TENSOR_WITH, _TOKEN, _NONE = 1, 8, 20, 21, 22, 33
OF_PARTS: Mapping[np.dtype, np.dtype] = {
    np.dtype("float32"): np.dtype("complex64"), np.dtype("float64"): np.dtype("complex128")}
# Attributes that are the number of an enumeration's entry.
_ENUMERATIONS = frozenset({3, 4, 5, 7, 11, 12, 13, 16, 19})
ARRAY, BOOLEAN, DICTIONARY, _FLOAT, INTEGER, _ALIAS, STRING, CONSTANT, TYPE, _ACCURACY = (
    1, 2, 6, 8, 9, 10, 14, 15, 17, 20)

_OF_CONVOLUTION = (
    "batch_group_count feature_group_count input_batch_dimension input_feature_dimension input_spatial_dimensions "
    "kernel_input_feature_dimension kernel_output_feature_dimension kernel_spatial_dimensions lhs_dilation "
    "output_batch_dimension output_feature_dimension output_spatial_dimensions padding precision_config rhs_dilation "
    "window_reversal window_strides")
_ACCURATE = "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh"
# The properties of each operation that has any, in their order.
PROPERTIES: Mapping[str, tuple[str, ...]] = {name: tuple(words.split()) for name, words in {
    "all_gather_v1": "all_gather_dim channel_id replica_groups use_global_device_ids",
    "all_reduce_v1": "channel_id replica_groups use_global_device_ids",
    "all_to_all_v1": "channel_id concat_dimension replica_groups split_count split_dimension",
    "broadcast_in_dim_v1": "broadcast_dimensions",
    "call_v1": "callee",
    "cholesky_v1": "lower",
    "collective_permute_v1": "channel_id source_target_pairs",
    "compare_v1": "compare_type comparison_direction",
    "composite_v1": "composite_attributes decomposition name version",
    "composite_v2": "composite_attributes decomposition name version",
    "concatenate_v1": "dimension",
    "constant_v1": "value",
    "convolution_v1": _OF_CONVOLUTION,
    "custom_call_v1": "api_version backend_config call_target_name called_computations has_side_effect operand_layouts "
                      "output_operand_aliases result_layouts",
    "dot_general_v1": "lhs_batching_dimensions lhs_contracting_dimensions precision_config rhs_batching_dimensions "
                      "rhs_contracting_dimensions",
    "dot_general_v2": "accumulation_type allow_imprecise_accumulation lhs_batching_dimensions lhs_component_count "
                      "lhs_contracting_dimensions lhs_precision_type num_primitive_operations precision_config "
                      "rhs_batching_dimensions rhs_component_count rhs_contracting_dimensions rhs_precision_type",
    "dynamic_slice_v1": "slice_sizes",
    "fft_v1": "fft_length fft_type",
    "func_v1": "arg_attrs function_type res_attrs sym_name sym_visibility",
    "gather_v1": "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes start_index_map",
    "gather_v2": "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims "
                 "slice_sizes start_index_map start_indices_batching_dims",
    "get_dimension_size_v1": "dimension",
    "iota_v1": "iota_dimension",
    "pad_v1": "edge_padding_high edge_padding_low interior_padding",
    "reduce_v1": "dimensions",
    "reduce_precision_v1": "exponent_bits mantissa_bits",
    "reduce_scatter_v1": "channel_id replica_groups scatter_dimension use_global_device_ids",
    "reduce_window_v1": "base_dilations padding window_dilations window_dimensions window_strides",
    "reverse_v1": "dimensions",
    "rng_bit_generator_v1": "rng_algorithm",
    "scatter_v1": "index_vector_dim indices_are_sorted inserted_window_dims scatter_dims_to_operand_dims "
                  "unique_indices update_window_dims",
    "scatter_v2": "index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims "
                  "scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices update_window_dims",
    "select_and_scatter_v1": "padding window_dimensions window_strides",
    "slice_v1": "limit_indices start_indices strides",
    "sort_v1": "dimension is_stable",
    "transpose_v1": "permutation",
    "triangular_solve_v1": "left_side lower transpose_a unit_diagonal",
    **{f"{name}_v2": "result_accuracy" for name in _ACCURATE.split()},
}.items()}


@dataclass(frozen=True, slots=True)
class Constant:
    """An array of numbers as it stands in a module.

    Args:
        type: Its type.
        content: Its elements, or the one that all are, one after the other.
        is_splat: Whether all elements are the same one, of which `content` has one.
    """

    type: ArrayType
    content: bytes
    is_splat: bool

    def scalar_or_array(self) -> np.ndarray:
        """The elements; of a splat its one element, whatever the type's shape."""
        dtype = self.type.dtype
        if dtype == np.bool_ and not self.is_splat and len(self.content) != self.type.size:
            bits = np.unpackbits(np.frombuffer(self.content, np.uint8), bitorder="little")
            return bits[:self.type.size].astype(bool).reshape(self.type.shape)
        if dtype == np.bool_:
            found = np.frombuffer(self.content, np.uint8) != 0
        else:
            found = np.frombuffer(self.content, np.uint8).copy().view(dtype)
        return found.reshape(() if self.is_splat else self.type.shape)

    def array(self) -> np.ndarray:
        """All elements."""
        return np.broadcast_to(self.scalar_or_array(), self.type.shape)


@dataclass(frozen=True, slots=True)
class FunctionType:
    """The type of a function.

    Args:
        inputs: Its arguments' types.
        outputs: Its results'.
    """

    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]


class Entries:
    """The attributes and types of a module, decoded when they are asked for.

    Args:
        module: The module.

    Raises:
        ArtefactError: By all methods, for what is none of the dialect, or not known.
    """

    def __init__(self, module: Bytecode) -> None:
        self._module = module
        self._known: dict[tuple[bool, int], Any] = {}
        self._depth = 0

    def attribute(self, number: int) -> Any:
        """An attribute's value: a number, a string, a list, a dict, a `Constant`, a type."""
        return self._found(False, number, self._attribute)

    def type(self, number: int) -> Any:
        """A type: an `ArrayType`, a `FunctionType`, or None for a token."""
        return self._found(True, number, self._type)

    def array_type(self, number: int) -> ArrayType:
        """A type that arrays have."""
        found = self.type(number)
        if not isinstance(found, ArrayType):
            raise ArtefactError("a value of its module is no array", repr(found)[:80])
        return found

    def dictionary(self, number: int) -> dict[str, Any]:
        """The attributes of an operation besides its properties: a dictionary of MLIR's own."""
        dialect, content = self._module.entry(False, number)
        reader = Reader(content)
        if dialect != "builtin" or reader.number() != _BUILTIN_DICTIONARY:
            raise ArtefactError("attributes of its module are no dictionary")
        found = {}
        for name, value in reader.several(lambda: (reader.number(), reader.number())):
            kind, text = self._module.entry(False, name)
            word = Reader(text)
            if kind != "builtin" or word.number() != _BUILTIN_STRING:
                raise ArtefactError("the name of an attribute of its module is none")
            if self._is_own(value):
                found[self._module.string(word.number())] = self.attribute(value)
        return found

    def properties(self, name: str, operation: Instruction) -> tuple[dict[str, Any], dict[str, Any]]:
        """The properties of an operation of the dialect, and its other attributes.

        Args:
            name: Its name, without the dialect's.
            operation: The operation. Its properties are bytes of their own, or, in old modules, attributes like others.
        """
        names = PROPERTIES.get(name, ())
        further = {} if operation.attributes is None else self.dictionary(operation.attributes)
        if not self._module.has_properties:
            found = {each: further.pop(each) for each in names if each in further}
            return found, further
        reader = Reader(operation.properties)
        found = {each: self.attribute(reader.number()) for each in names}
        if reader.left:
            raise ArtefactError(f"operation {name} has other properties than are known")
        return found, further

    def _found(self, is_type: bool, number: int, read: Callable[[Reader], Any]) -> Any:
        key = is_type, number
        if key not in self._known:
            dialect, content = self._module.entry(is_type, number)
            if dialect != "vhlo":
                raise ArtefactError("an attribute or type of its module is of another dialect", dialect)
            if self._depth >= _MOST_NESTED:
                raise ArtefactError("attributes of its module are nested too deep")
            self._depth += 1
            try:
                self._known[key] = read(Reader(content))
            finally:
                self._depth -= 1
        return self._known[key]

    def _type(self, reader: Reader) -> Any:
        code = reader.number()
        if code in ELEMENTS:
            return ArrayType((), ELEMENTS[code])
        if code == COMPLEX:
            part = self.array_type(reader.number())
            if part.dtype not in OF_PARTS:
                raise ArtefactError("a complex type of its module has parts that none has", str(part))
            return ArrayType((), OF_PARTS[part.dtype])
        if code in (TENSOR, _TENSOR_WITH):
            if code == _TENSOR_WITH:
                raise ArtefactError("an array of its module has an encoding or bounds of sizes, which is not read")
            shape = reader.several(reader.signed)
            element = self.array_type(reader.number())
            if _UNKNOWN in shape:
                raise ArtefactError("it has arrays of symbolic shapes, and those of JAX are not read (export it for "
                                    "known shapes, or with olympus)")
            if element.shape:
                raise ArtefactError("an array of its module has arrays as elements")
            try:
                return ArrayType(tuple(shape), element.dtype)
            except OlympusError as error:
                raise ArtefactError("a type of its module is none that arrays have", repr(shape)[:80]) from error
        if code == FUNCTION:
            return FunctionType(tuple(map(self.type, reader.several(reader.number))),
                                tuple(map(self.type, reader.several(reader.number))))
        if code in (_TOKEN, _NONE):
            return None
        raise ArtefactError(f"a type of its module (number {code} of VHLO) is not known here")

    def _attribute(self, reader: Reader) -> Any:
        code = reader.number()
        if code in _ENUMERATIONS or code == BOOLEAN:
            return reader.number() != 0 if code == BOOLEAN else reader.number()
        if code == ARRAY:
            return [self.attribute(n) for n in reader.several(reader.number)]
        if code == DICTIONARY:
            pairs = reader.several(lambda: (reader.number(), reader.number()))
            own = [(name, value) for name, value in pairs if self._is_own(value)]
            return {self.text(self.attribute(name)): self.attribute(value) for name, value in own}
        if code in (_FLOAT, INTEGER):
            return self._number(reader, self.array_type(reader.number()).dtype)
        if code == STRING:
            return self._module.string(reader.number())
        if code == CONSTANT:
            return self._constant(self.array_type(reader.number()), reader.take(reader.number()))
        if code == TYPE:
            return self.type(reader.number())
        if code in (_ACCURACY, _ALIAS):
            return None  # how exact a result is to be at least; which memory a result may share
        raise ArtefactError(f"an attribute of its module (number {code} of VHLO) is not known here")

    def _is_own(self, number: int) -> bool:
        """Whether an attribute is the dialect's; others, such as shardings, mean nothing here."""
        return self._module.entry(False, number)[0] == "vhlo"

    @staticmethod
    def text(value: Any) -> str:
        """A value that must be a string."""
        if not isinstance(value, str):
            raise ArtefactError("a name in its module is none", repr(value)[:80])
        return value

    @staticmethod
    def _number(reader: Reader, dtype: np.dtype) -> Any:
        bits = 8 * dtype.itemsize
        found = (reader.byte() if bits <= 8 else reader.signed()) & ((1 << bits) - 1)
        if dtypes.is_integer(dtype):
            is_negative = dtype.kind == "i" and found >> (bits - 1)
            return found - (1 << bits) if is_negative else found
        return np.frombuffer(found.to_bytes(dtype.itemsize, "little"), np.uint8).copy().view(dtype)[0].item()

    @staticmethod
    def _constant(type: ArrayType, content: bytes) -> Constant:
        size = type.dtype.itemsize
        if type.dtype == np.bool_:
            is_splat = len(content) == 1 and content[0] in (0, 1, 0xFF) and type.size != 1 and (
                content[0] != 1 or type.size > 8)
            fits = is_splat or len(content) in (type.size, -(-type.size // 8))
            # One byte for two to eight elements: all bits alike are a splat.
            return _checked(Constant(type, content, is_splat), fits)
        if type.dtype in dtypes.NARROW_INTEGERS:
            return _checked(Constant(type, content, False), False)
        is_splat = len(content) == size and type.size != 1
        return _checked(Constant(type, content, is_splat), is_splat or len(content) == type.nbytes)


def _checked(constant: Constant, fits: bool) -> Constant:
    if not fits:
        raise ArtefactError("a constant of its module has another size than its type", str(constant.type))
    return constant


__all__ = ["PROPERTIES", "Constant", "Entries", "FunctionType"]
