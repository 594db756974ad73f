# SPDX-License-Identifier: Apache-2.0
"""Operations that libraries define with a rule for the backward pass, for operands of given types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import tree as public_tree
from ...tracing import Reference
from ...tracing.high import high_type, is_mutable, missing, presented
from ..jaxpr.conventions import Zero
from .accumulators import Accumulator, gathered
from .linear import recorded
from .primitives import HighRule, key_of, split_by
from .rules import Parts


class VJPHiPrimitive:
    """An operation with a rule for the backward pass, made for operands of given types; to derive from.

    A derived class's ``__init__`` sets the attributes and then calls this one.

    Attributes:
        in_avals: A tuple with the type, or tree of types, of each operand.
        out_aval: The type, or tree of types, of the result.
        params: What else it depends on, which become attributes.
    """

    in_avals: tuple[Any, ...]
    out_aval: Any
    params: dict[str, Any]
    effects: Any = frozenset()

    def __init__(self) -> None:
        for name in ("in_avals", "out_aval", "params"):
            if not hasattr(self, name):
                raise AttributeError(f"__init__ of {type(self).__name__} sets no self.{name}")
        if self._defines("vjp_bwd") and self._defines("vjp_bwd_retval"):
            raise AttributeError(f"{type(self).__name__} defines both vjp_bwd and vjp_bwd_retval; one is enough")
        self.in_avals_flat, self.in_tree = public_tree.flatten(self.in_avals)
        self.out_avals_flat, self.out_tree = public_tree.flatten(self.out_aval)
        self.__dict__.update(self.params)
        self.check(*self.in_avals)

    def _defines(self, name: str) -> bool:
        return getattr(type(self), name) is not getattr(VJPHiPrimitive, name)

    def expand(self, *args: Any) -> Any:
        """What it does, on the library's own objects."""
        raise missing(self, "expand", "any program")

    def vjp_fwd(self, nzs_in: Any, /, *args: Any) -> Any:
        """The result and what the backward pass needs; and, if wanted, which results have tangents."""
        raise missing(self, "vjp_fwd", "a gradient")

    def vjp_bwd(self, res: Any, outgrad: Any, /, *arg_accums: Any) -> None:
        """Gives each operand's accumulator its cotangent."""
        found = self.vjp_bwd_retval(res, outgrad)
        flat = self.in_tree.flatten_up_to(found if isinstance(found, tuple) else tuple(found))
        for accumulator, cotangent in zip(self.in_tree.flatten_up_to(arg_accums), flat, strict=True):
            accumulator.accum(cotangent)

    def vjp_bwd_retval(self, res: Any, outgrad: Any, /) -> Any:
        """The cotangents of the operands."""
        raise missing(self, "vjp_bwd or vjp_bwd_retval", "a gradient")

    def jvp(self, primals: Any, tangents: Any) -> Any:
        """The result and its tangent."""
        raise missing(self, "jvp", "forward mode")

    def lin(self, nzs_in: Any, /, *primals: Any) -> Any:
        """The result and what `linearized` needs."""
        raise missing(self, "lin and linearized", "linearize")

    def linearized(self, residuals: Any, /, *tangents: Any) -> Any:
        """The result's tangent."""
        raise missing(self, "lin and linearized", "linearize")

    def transpose(self, out_ct: Any, *maybe_accums: Any) -> None:
        """Where it is linear: gives the accumulators among the operands their cotangents."""
        raise missing(self, "transpose", "a gradient")

    def batch_dim_rule(self, axis_data: Any, dims: Any, /) -> Any:
        """Which dimension of the result is mapped; here what it is made of is mapped."""
        raise missing(self, "batch_dim_rule", "vmap")

    def check(self, *arg_tys: Any) -> None:
        """May refuse operands of some types."""

    def __call__(self, *args: Any) -> Any:
        """Does it, or appends it to the program that is being traced."""
        flat = self.in_tree.flatten_up_to(args)
        kinds = [high_type(x) for x in flat]
        if any(map(is_mutable, kinds)) or any(isinstance(x, Reference) for x in flat):
            return self.expand(*args)  # what it writes is seen by the traces around, as if the caller wrote it
        return self.out_tree.unflatten(OperationRule(self).call(flat))

    def __repr__(self) -> str:
        return f"{type(self).__name__}[{self.params}]"

    def __hash__(self) -> int:
        return hash((type(self).__name__, tuple(self.params.items())))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.params == other.params


class OperationRule(HighRule):
    """A `VJPHiPrimitive`."""

    def __init__(self, operation: VJPHiPrimitive) -> None:
        self.operation = operation
        self._has_linear = operation._defines("lin") and operation._defines("linearized")
        self.is_forward = self._has_linear or operation._defines("jvp")  # whether it has a rule for forward mode
        super().__init__((operation, key_of(operation.params), operation.in_tree, operation.out_tree),
                         operation.in_avals_flat, operation.out_avals_flat)

    def inputs(self, flat: Sequence[Any]) -> tuple[Any, ...]:
        """The operands in their trees."""
        given: tuple[Any, ...] = self.operation.in_tree.unflatten(list(flat))
        return given

    def outputs(self, result: Any) -> list[Any]:
        """The results, flat."""
        return self.operation.out_tree.flatten_up_to(result)

    def evaluated(self, values: Sequence[Any]) -> Sequence[Any]:
        """The results of libraries' own objects."""
        return self.outputs(self.operation.expand(*self.inputs(values)))

    def derivative(self, primals: Parts, tangents: Parts, forward: bool) -> tuple[list[Any], list[Any]]:
        """Its results and their tangents."""
        operation = self.operation
        if operation._defines("vjp_fwd") and not (forward and self.is_forward):
            return recorded(self, primals, tangents)
        values, changes = self.inputs(self.presented(primals)), self.inputs(self.tangents(tangents))
        if self._has_linear and not (forward and operation._defines("jvp")):
            moving = self.inputs([not isinstance(t, Zero) for t in self.tangents(tangents)])
            result, residuals, *_ = operation.lin(moving, *values)
            return self.found(self.outputs(result), self.outputs(operation.linearized(residuals, *changes)))
        result, change = operation.jvp(values, changes)
        return self.found(self.outputs(result), self.outputs(change))

    def transposed(self, cotangents: Parts, operands: Parts, linear: Sequence[bool]) -> list[Any]:
        """A cotangent for each operand."""
        if not self.operation._defines("transpose"):
            return super().transposed(cotangents, operands, linear)
        flags = [any(x) for x in split_by(self.types, linear)]
        given = [Accumulator(t.to_ct_aval()) if f else presented(t, x)
                 for t, f, x in zip(self.types, flags, split_by(self.types, operands), strict=True)]
        self.operation.transpose(self.operation.out_tree.unflatten(self.cotangents(cotangents)), *self.inputs(given))
        return gathered(self.types, [x if f else None for x, f in zip(given, flags, strict=True)])
