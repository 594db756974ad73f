# SPDX-License-Identifier: Apache-2.0
"""Errors about tracing: a value was needed before it exists, or outlived its trace."""

from __future__ import annotations

from collections.abc import Sequence

from .base import OlympusError, described


class TracingError(OlympusError):
    """Base of the errors about tracing."""


class ConcretizationError(TracingError, TypeError):
    """Python asked for the value of an array that is only being traced.

    Args:
        what: The Python operation, such as ``bool()``.
        type: The traced value's type, in text.
    """

    def __init__(self, what: str, type: str) -> None:
        self.what = what
        super().__init__(
            f"{what} needs the value of an array that is being traced and has none yet.", given=f"a traced {type}",
            expected="a concrete array or a Python value",
            fix="Use olympus.numpy.where or olympus.lax.cond / while_loop for decisions on traced values, or mark the "
                "argument as static (static_argnums, static_argnames).",
        )


class TracerBoolConversionError(ConcretizationError):
    """Python asked whether an array that is only being traced is true: in an if, while, and, or, not, assert."""


class TracerIntegerConversionError(ConcretizationError):
    """Python asked for an array that is only being traced as an index or a size."""


class TracerArrayConversionError(ConcretizationError):
    """NumPy asked for the content of an array that is only being traced."""


class NonConcreteBooleanIndexError(ConcretizationError, IndexError):
    """A mask that is only being traced is an index: how many elements it chooses is not known."""


class TracedAttributeError(TracingError, AttributeError):
    """An attribute was asked of an array that is only being traced, which has none of that name.

    Args:
        attribute: The attribute.
        type: The traced value's type, in text.
    """

    def __init__(self, attribute: str, type: str) -> None:
        self.attribute = attribute
        super().__init__(
            f"An array that is being traced has no attribute {attribute!r}.", given=f"a traced {type}",
            expected="what is known while tracing: shape, dtype, ndim, size, and the functions of arrays",
            fix="Ask the arrays that go into the traced function or come out of it: only they lie on devices.",
        )


class LeakedTracerError(TracingError, TypeError, RuntimeError):
    """A traced value was used after the function that was traced had returned.

    Args:
        type: The traced value's type, in text.
        made: Where it was made, as far as it is known.
    """

    def __init__(self, type: str, made: str = "") -> None:
        super().__init__(
            f"A traced value ({type}) is used outside of the function in whose tracing it arose.",
            given=f"a value that is {made}" if made else None,
            fix="Return the value from the traced function instead of storing it in a variable outside. "
                "olympus.checking_leaks() tells when the tracing ends.",
        )


class TracerLeakError(TracingError, RuntimeError):
    """A traced value is still referred to when its trace has ended, while `olympus_check_tracer_leaks` is on.

    Args:
        name: The traced function.
        leaked: For each value its type, where it was made, and who refers to it, in text.
    """

    def __init__(self, name: str, leaked: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(
            f"Values that were traced in {name} outlive the trace: leaked traced values.",
            given="; ".join(f"a traced {type}{f', {made}' if made else ''}"
                            f"{f', referred to by {holders}' if holders else ''}" for type, made, holders in leaked),
            expected="that nothing refers to a traced value when the traced function has returned",
            fix="Return the value from the function instead of storing it in a variable outside.",
        )


class KeyReuseError(TracingError, TypeError, RuntimeError):
    """A key of random numbers is used a second time, while `olympus_debug_key_reuse` is on.

    Args:
        first: The line of the first use.
        second: The line of the second one.
        is_turn: Whether it is the same line, in a further turn of a loop.
    """

    def __init__(self, first: str, second: str, is_turn: bool = False) -> None:
        self.first, self.second = first, second
        super().__init__(
            "A key of random numbers is used twice: a previously-consumed key gives the same numbers again.",
            given=f"a key that is used at {second} in every turn of a loop" if is_turn else
                  f"a key that was used at {first} and is used again at {second}",
            expected="a key of its own for each use",
            fix="Make new keys with olympus.random.split or fold_in, or write olympus.random.clone(key) where the same "
                "numbers are wanted.")


class CheckError(OlympusError, ValueError):
    """A check (`olympus.experimental.checkify`) failed.

    Args:
        said: What the check says.
    """

    def __init__(self, said: str) -> None:
        super().__init__(said)


class CheckTracedError(TracingError, ValueError):
    """A check is traced in a function to which `olympus.experimental.checkify` is not applied.

    Args:
        function: The function that checks.
        message: What the check says.
    """

    def __init__(self, function: str, message: str) -> None:
        super().__init__(
            f"{function} ({message!r}) is traced, and no checkify is around it.",
            fix="Apply olympus.experimental.checkify.checkify to the function and look at the error that it returns, "
                "or use debug_check, which does nothing without it.")


class ReferenceUseError(TracingError, ValueError):
    """A reference (`olympus.new_ref`) was used in a way that it does not allow.

    Args:
        what: What happened.
        given: What was given, in text.
        fix: What to do.
    """

    def __init__(self, what: str, given: str | None = None, fix: str | None = None) -> None:
        super().__init__(f"{what}.", given=given, fix=fix)


class TreeError(TracingError, ValueError, TypeError):
    """Nested containers do not have the structure that is needed.

    Args:
        problem: What does not fit, a sentence.
        given: The structure that was given.
        expected: The structure that is needed.
    """

    def __init__(self, problem: str, given: object = None, expected: object = None) -> None:
        super().__init__(problem, given=given, expected=expected, fix="Make both structures alike.")


class ArgumentError(TracingError, TypeError, ValueError):
    """An argument is of a kind or value that the function does not take.

    Args:
        function: The function.
        problem: What does not fit, a clause.
        given: What was given.
        expected: What would fit.
        fix: What to do.

    Attributes:
        value: What stands where an array is needed, if that is the problem.
    """

    value: object = None

    def __init__(self, function: str, problem: str, given: object = None, expected: object = None,
                 fix: str | None = None) -> None:
        self.function = function
        super().__init__(f"{function}: {problem}.", given=given, expected=expected, fix=fix)


class UnboundAxisError(ArgumentError, NameError):
    """A collective names an axis over which no function around it is mapped.

    Args:
        function: The collective.
        axis: The name, or the names where nothing is mapped at all.
        bound: The names that are bound there.
    """

    def __init__(self, function: str, axis: object, bound: Sequence[str]) -> None:
        self.axis, self.bound = axis, tuple(bound)
        super().__init__(
            function, f"axis name {axis!r} is not bound here",
            None if self.bound else "a call outside of shard_map, pmap and vmap",
            f"axes among {self.bound}" if self.bound else "a function that is mapped over the axis",
            "Name an axis over which the surrounding function is mapped." if self.bound else
            "Call it inside olympus.shard_map over a mesh with this axis.",
        )


class ManualConstraintError(ArgumentError):
    """A value of one device's part of a program was to be split over axes along which it is that part already.

    Args:
        type: The value's type, in text.
        spec: The axes for each dimension, in text.
        axis: An axis that is manual.
    """

    def __init__(self, type: str, spec: str, axis: str) -> None:
        self.axis = axis
        super().__init__(
            "with_sharding_constraint", f"{spec} names mesh axis {axis!r}, which is manual here", type,
            "axes that are not manual in the surrounding shard_map",
            "Inside of shard_map a value is one device's part: exchange parts with olympus.lax.all_to_all, all_gather "
            "or psum_scatter, or move the constraint outside.",
        )


class TypePromotionError(ArgumentError):
    """Element types that meet in one operation have no common one.

    Args:
        function: The function.
        given: The element types, in text.
        expected: Which would do.
        fix: What to do.
    """

    def __init__(self, function: str, given: str, expected: str, fix: str) -> None:
        super().__init__(function, "the element types have no common one", given, expected, fix)


class DimensionPromotionError(ArgumentError):
    """Arrays with different numbers of dimensions meet while that is not allowed.

    Args:
        function: The function.
        shapes: The arrays' shapes.
    """

    def __init__(self, function: str, shapes: Sequence[tuple[int, ...]]) -> None:
        super().__init__(
            function, "arrays have different numbers of dimensions, and olympus_numpy_rank_promotion is 'raise'",
            ", ".join(map(str, shapes)), "arrays with the same number of dimensions, or of none",
            "Insert dimensions of size 1 with x[None] or reshape.")


class DimensionPromotionWarning(UserWarning):
    """Arrays with different numbers of dimensions meet, and are broadcast.

    Args:
        function: The function.
        shapes: The arrays' shapes.
    """

    def __init__(self, function: str, shapes: Sequence[tuple[int, ...]]) -> None:
        super().__init__(f"{function} broadcasts arrays with different numbers of dimensions: "
                         f"{', '.join(map(str, shapes))}. Insert dimensions of size 1 with x[None]; "
                         "olympus_numpy_rank_promotion 'allow' leaves this warning out.")


class RetracingError(TracingError, RuntimeError):
    """A function is traced while that is not allowed.

    Args:
        function: The function.
        arguments: The types of the arguments, in text.
    """

    def __init__(self, function: str, arguments: str) -> None:
        super().__init__(
            f"{function} was not traced for these arguments yet, and olympus_no_tracing is on.",
            given=arguments, expected="arguments of types and shardings with which it was called before",
            fix="Call it once with such arguments before; olympus.explain_cache_misses says what differs.")


class MappedSizesError(ArgumentError):
    """The dimensions that a function is mapped over differ in size.

    Args:
        function: The mapped function.
        sizes: For each mapped argument: its name, its type in text, the dimension, and its size there.
        axis_size: The size that the caller gave beside the arguments, if any.
    """

    def __init__(self, function: str, sizes: Sequence[tuple[str, str, int, int]], axis_size: int | None = None) -> None:
        self.sizes, self.axis_size = tuple(sizes), axis_size
        lines = [f"axis_size: {axis_size}"] if axis_size is not None else []
        lines += [f"{name}: {size}, dimension {axis} of {type}" for name, type, axis, size in sizes]
        super().__init__(
            function, "the mapped dimensions differ in size", "".join(f"\n    {line}" for line in lines),
            "one size for all", "Map another dimension with in_axes, or give None there for what all indices share.",
        )


class UnmappedResultError(ArgumentError):
    """A result differs from index to index, and its entry in `out_axes` says that it is the same for all.

    Args:
        function: The mapped function.
        path: Where the result stands among the results, in text.
        axis: The mapped axis' name, if it has one.
    """

    def __init__(self, function: str, path: str, axis: str | None = None) -> None:
        self.path, self.axis = path, axis
        along = f"axis {axis!r}" if axis is not None else "the mapped dimension"
        super().__init__(
            function, f"result{path} differs along {along}, and out_axes has None for it", "None in out_axes",
            "a dimension for what differs", "Give the place of the mapped dimension in out_axes, or make the result "
            "the same for all indices, such as with olympus.lax.psum over the axis' name.",
        )


class StoreException(TracingError, RuntimeError):
    """What a transformation was to store is not there, or is stored twice.

    Args:
        is_full: Whether it is stored twice.
    """

    def __init__(self, is_full: bool) -> None:
        self.is_full = is_full
        super().__init__(f"The store of a transformation is {'full' if is_full else 'empty'}.",
                         fix="Call the transformed function once before asking what it has stored.")


class CallbackResultError(TracingError, TypeError):
    """A function that a program called on the host gave something else than was declared.

    Args:
        function: The function's name.
        given: What it gave, in text.
        expected: What was declared, in text.
    """

    def __init__(self, function: str, given: str, expected: str) -> None:
        self.function, self.given, self.expected = function, given, expected
        super().__init__(
            f"The callback {function} gave something else than it was declared to.", given=given, expected=expected,
            fix="Return arrays of the declared shapes and element types, or declare what it returns.",
        )


class LiteralRangeError(TracingError, OverflowError):
    """A Python integer does not fit the element type of the array that it meets.

    Args:
        function: The function.
        number: The integer.
        dtype: The element type's name.
        low: The least number that fits.
        high: The greatest number that fits.
        needs_x64: Whether it would fit the type that Python's integers have where 64-bit types are enabled.
    """

    def __init__(
        self, function: str, number: int, dtype: str, low: float, high: float, needs_x64: bool = False
    ) -> None:
        self.function, self.number, self.dtype = function, number, dtype
        super().__init__(
            f"{function}: the Python integer {described(number)} does not fit {dtype}.", given=described(number),
            expected=f"a number from {low} to {high}",
            fix='64-bit types are off: olympus.config.update("olympus_enable_x64", True), before arrays are made, '
            "gives Python integers 64 bits. Or make it a float." if needs_x64 else
            "Convert the array to a wider type with x.astype(...), or wrap the number as an array of its own type.",
        )


class NotFiniteError(TracingError, FloatingPointError):
    """A result holds NaN or infinity while the options olympus_debug_nans or olympus_debug_infs forbid it.

    Args:
        name: The operation or function that gave it.
        found: What it gave.
        location: The user's line.
        detail: What else is known.
    """

    def __init__(self, name: str, found: str, location: str, detail: str = "") -> None:
        self.name, self.found, self.location = name, found, location
        option = "olympus_debug_nans" if found == "NaN" else "olympus_debug_infs"
        super().__init__(
            f"{name} gave {found}{f' at {location}' if location else ''}{f', {detail}' if detail else ''}.",
            expected=f"no {found}, since {option} is on",
            fix="Look at the operands there, with olympus.debug.print or in a debugger.",
        )


class AxisError(ArgumentError, IndexError):
    """An axis is named that the array does not have.

    Args:
        function: The function.
        axis: What was given.
        ndim: How many dimensions there are.

    Example:
        The sum of a matrix along `axis=2`.
    """

    def __init__(self, function: str, axis: int, ndim: int) -> None:
        super().__init__(function, f"axis {axis} is out of bounds for an array of {ndim} dimensions", axis,
                         f"an axis from {-ndim} to {ndim - 1}" if ndim else "an array that has dimensions")


class IndexOutOfBoundsError(TracingError, IndexError):
    """A Python integer used as an index lies outside of the array.

    Args:
        index: The index.
        axis: The axis that it indexes.
        size: The array's size along it.
    """

    def __init__(self, index: int, axis: int, size: int) -> None:
        self.index, self.axis, self.size = index, axis, size
        super().__init__(
            f"Index {index} is out of bounds for axis {axis} with size {size}.", given=index,
            expected=f"an index from {-size} to {size - 1}" if size else "no index: the axis is empty",
            fix="Use x.at[index].get(mode='clip') or mode='fill' where an index may lie outside.",
        )


class TooManyIndicesError(TracingError, IndexError):
    """An array was indexed with more indices than it has dimensions.

    Args:
        count: How many there are.
        ndim: The array's number of dimensions.
    """

    def __init__(self, count: int, ndim: int) -> None:
        self.count, self.ndim = count, ndim
        super().__init__(f"Too many indices: {count} for an array of {ndim} dimensions.", given=count,
                         expected=f"at most {ndim}",
                         fix="Leave some out; an array of 0 dimensions takes () or ... only.")


class MaskShapeError(TracingError, IndexError):
    """A mask is not of the shape of the dimensions that it indexes.

    Args:
        mask: The mask's shape.
        shape: The array's shape.
        axis: The first dimension that the mask indexes.
    """

    def __init__(self, mask: tuple[int, ...], shape: tuple[int, ...], axis: int) -> None:
        self.mask, self.shape, self.axis = mask, shape, axis
        super().__init__(
            "A mask does not fit the dimensions that it indexes.", given=f"a mask of shape {mask} from axis {axis} on",
            expected=f"{shape[axis:axis + len(mask)]}, the sizes of an array of shape {shape} there",
            fix="Give the mask the array's shape.",
        )


class IndexTypeError(TracingError, TypeError, IndexError):
    """Something was used as an index that is none.

    Args:
        given: What was used.
    """

    def __init__(self, given: str) -> None:
        super().__init__("An index is of a kind that arrays do not take.", given=given,
                         expected="integers, slices, None, ..., arrays of integers or bools",
                         fix="Convert an array of indices with x.astype(int).")


class ShardingTypeError(TracingError, TypeError):
    """With explicit mesh axes, the sharding of an operation's result does not follow from its operands.

    Args:
        operation: The operation's name.
        operands: The operands' types with their shardings, in text.
        problem: What is not settled, a sentence.
        fix: What to write.
    """

    def __init__(self, operation: str, operands: Sequence[str], problem: str, fix: str) -> None:
        self.operation, self.operands = operation, tuple(operands)
        super().__init__(f"{operation}: {problem}", given=", ".join(operands), fix=fix)


class ShardingConflictError(ShardingTypeError):
    """Two operands are split differently along a dimension that they have in common.

    Args:
        operation: The operation's name.
        operands: The operands' types, in text.
        first: The axes that one of them asks for.
        second: The axes that the other asks for.
        operand: Which operand could be brought to the other's sharding.
        spec: The spec that it would need, in text.
    """

    def __init__(self, operation: str, operands: Sequence[str], first: Sequence[str], second: Sequence[str],
                 operand: int, spec: str) -> None:
        self.first, self.second = tuple(first), tuple(second)
        super().__init__(
            operation, operands,
            f"operands are split differently along a dimension that they share, over {self.first} and {self.second}.",
            f"Bring one to the other's sharding: for operand {operand}, olympus.reshard(x, {spec}).",
        )


class UnreducedOperandError(ShardingTypeError):
    """An operation that is not linear in them was given operands of which each device holds only a term.

    Args:
        operation: The operation's name.
        operands: The operands' types, in text.
        axes: The axes over which one is unreduced.
    """

    def __init__(self, operation: str, operands: Sequence[str], axes: Sequence[str]) -> None:
        self.axes = tuple(axes)
        super().__init__(
            operation, operands,
            f"an operand is unreduced over {self.axes}, and the result does not follow from its terms one by one.",
            "Make the sum first: olympus.reshard(x, P(...)) with a spec that is not unreduced.",
        )


class AmbiguousReductionError(ShardingTypeError):
    """A dimension that is summed over is split in all operands: the result could be whole, or split.

    Args:
        operation: The operation's name.
        operands: The operands' types, in text.
        axes: The axes that split the dimension.
    """

    def __init__(self, operation: str, operands: Sequence[str], axes: Sequence[str]) -> None:
        self.axes = tuple(axes)
        super().__init__(
            operation, operands,
            f"the contracted dimensions are split over {self.axes}, which leaves open how the result is to be split.",
            "Say it: out_sharding=olympus.P(...) in the call (P() for whole on every device, by an all-reduce), or "
            "bring the operands to another sharding first with olympus.reshard(x, P(...)).",
        )


class AxisReuseError(ShardingTypeError):
    """The operands' shardings together would use a mesh axis for two dimensions of the result.

    Args:
        operation: The operation's name.
        operands: The operands' types, in text.
        axes: The axes in question.
        result: The type that would result, in text.
    """

    def __init__(self, operation: str, operands: Sequence[str], axes: Sequence[str], result: str) -> None:
        self.axes, self.result = tuple(axes), result
        super().__init__(
            operation, operands, f"mesh axis {', '.join(map(repr, axes))} would split two dimensions of {result}.",
            f"Free the axis in one operand: olympus.reshard(x, P(...)) with a spec without {axes[0]!r}, or give "
            "out_sharding=olympus.P(...) where the function takes it.",
        )


class SplitDimensionError(ShardingTypeError):
    """A dimension is split that the operation needs whole, or whose split does not carry over to the result.

    Args:
        operation: The operation's name.
        operands: The operands' types, in text.
        operand: The operand; None where several are concerned.
        dimension: Its dimension.
        axes: The axes that split it.
        results: Where the result's shape is what does not fit: the result types, in text.
        is_matrix: Whether the dimension is one of a matrix that is decomposed.
    """

    def __init__(self, operation: str, operands: Sequence[str], operand: int | None = None,
                 dimension: int | None = None, axes: Sequence[str] = (), results: Sequence[str] = (),
                 is_matrix: bool = False) -> None:
        self.operand, self.dimension, self.axes = operand, dimension, tuple(axes)
        if results:
            problem = f"the split over {self.axes} does not carry over to {', '.join(results)}."
        else:
            problem = f"dimension {dimension} of operand {operand} is needed whole, and is split over {self.axes}."
        fix = (f"Bring the operand to a sharding without {self.axes[0]!r} there, olympus.reshard(x, P(...)), or give "
               "out_sharding=olympus.P(...) where the function takes it.")
        if is_matrix:
            fix += " cholesky, solve, qr and matmul of olympus.experimental.linalg take matrices that are split."
        super().__init__(operation, operands, problem, fix)


class UnevenResultError(ShardingTypeError):
    """A dimension keeps its split, and has then a size that does not divide among the devices.

    Args:
        operation: The operation's name.
        operands: The operands' types, in text.
        result: The result's type, in text.
        dimension: The dimension.
        axes: The axes that split it.
        count: Into how many parts.
    """

    def __init__(self, operation: str, operands: Sequence[str], result: str, dimension: int, axes: Sequence[str],
                 count: int) -> None:
        self.result, self.dimension, self.axes, self.count = result, dimension, tuple(axes), count
        super().__init__(
            operation, operands,
            f"dimension {dimension} of the result {result} does not divide among the {count} devices of {self.axes}.",
            f"Bring the operand to a sharding without {self.axes[0]!r} there first: olympus.reshard(x, P(...)).",
        )


class DifferentMeshesError(ShardingTypeError):
    """Operands have explicit shardings over different meshes.

    Args:
        operation: The operation's name.
        operands: The operands' types, in text.
        meshes: The meshes, in text.
    """

    def __init__(self, operation: str, operands: Sequence[str], meshes: Sequence[str]) -> None:
        self.meshes = tuple(dict.fromkeys(meshes))
        super().__init__(
            operation, operands, f"the operands' shardings are over different meshes: {'; '.join(self.meshes)}.",
            "Bring one over: olympus.device_put(x, NamedSharding(mesh, P(...))).",
        )


class ConstraintMismatchError(ShardingTypeError):
    """A sharding constraint says something else than the value's type, which over explicit axes it can only confirm.

    Args:
        function: The function.
        operand: The value's type, in text.
        spec: The spec that was asked for, in text.
    """

    def __init__(self, function: str, operand: str, spec: str) -> None:
        self.spec = spec
        super().__init__(
            function, [operand], f"over explicit axes the sharding is part of the type, which is not {spec}.",
            f"To change it, write olympus.reshard(x, {spec}).",
        )


class AxisNotExplicitError(ShardingTypeError):
    """A type can be sharded over explicit axes only, and the spec names another one.

    Args:
        function: The function.
        operand: The value's type, in text.
        spec: The spec that was asked for, in text.
        axis: The axis.
        axis_type: How its shardings come about here.
    """

    def __init__(self, function: str, operand: str, spec: str, axis: str, axis_type: str) -> None:
        self.axis, self.axis_type, self.spec = axis, axis_type, spec
        fix = (
            "It belongs to the surrounding shard_map: exchange data with the collectives of olympus.lax."
            if axis_type == "Manual"
            else "Use olympus.lax.with_sharding_constraint or olympus.device_put, or make the axis explicit: "
                 "olympus.make_mesh(..., axis_types=AxisType.Explicit)."
        )
        super().__init__(function, [operand], f"{spec} names mesh axis {axis!r}, which is {axis_type} here.", fix)
