# SPDX-License-Identifier: Apache-2.0
"""checkpoint_policies: which values a checkpointed function keeps for the backward pass.

A policy is a function ``(operation, *types of operands, **attributes) -> bool``: whether its results are kept. The
operation has a `name` and a `category`; the name of `checkpoint_name` is ``"name"``, with the attribute `name`.
Instead of True a policy may give an `Offloadable`: the results are kept in another memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError
from olympus_core.placement import MEMORY_KINDS

__all__ = [
    "checkpoint_dots", "checkpoint_dots_with_no_batch_dims", "dots_saveable", "dots_with_no_batch_dims_saveable",
    "everything_saveable", "nothing_saveable", "offload_dot_with_no_batch_dims",
    "save_and_offload_only_these_names", "save_any_names_but_these", "save_anything_except_these_names",
    "save_from_both_policies", "save_only_these_names",
]
__dir__ = listed(__all__)

Policy = Callable[..., Any]  # gives a bool, Saveable, Recompute, or an Offloadable


class _Answer:
    """What a policy may give instead of a bool.

    Args:
        name: Its name.
        keeps: Whether the value is kept.
    """

    def __init__(self, name: str, keeps: bool) -> None:
        self._name, self._keeps = name, keeps

    def __bool__(self) -> bool:
        return self._keeps

    def __repr__(self) -> str:
        return self._name


Saveable, Recompute = _Answer("Saveable", True), _Answer("Recompute", False)


class Offloadable(NamedTuple):
    """What a policy gives for a value that is kept in another memory between the forward and the backward pass.

    Attributes:
        src: The kind of memory that it is in.
        dst: The other kind.
    """

    src: str
    dst: str


def everything_saveable(operation: Any, *avals: Any, **attributes: Any) -> bool:
    """Keeps everything: nothing is recomputed.

    Args:
        operation: The operation.
        *avals: What is known of its operands.
        **attributes: Its attributes.

    Example:
        >>> import olympus
        >>> f = olympus.checkpoint(lambda x: x * x, policy=olympus.checkpoint_policies.everything_saveable)
        >>> float(olympus.grad(f)(3.0))
        6.0
    """
    return True


def nothing_saveable(operation: Any, *avals: Any, **attributes: Any) -> bool:
    """Keeps nothing but the arguments: everything is recomputed.

    Args:
        operation: The operation.
        *avals: What is known of its operands.
        **attributes: Its attributes.

    Example:
        >>> import olympus
        >>> f = olympus.checkpoint(lambda x: x * x, policy=olympus.checkpoint_policies.nothing_saveable)
        >>> float(olympus.grad(f)(3.0))
        6.0
    """
    return False


def dots_saveable(operation: Any, *avals: Any, **attributes: Any) -> bool:
    """Keeps the results of matrix products and convolutions.

    Args:
        operation: The operation.
        *avals: What is known of its operands.
        **attributes: Its attributes.

    Example:
        >>> import olympus
        >>> f = olympus.checkpoint(lambda x: x * x, policy=olympus.checkpoint_policies.dots_saveable)
        >>> float(olympus.grad(f)(3.0))
        6.0
    """
    return operation.category == "contraction"


def dots_with_no_batch_dims_saveable(operation: Any, *avals: Any, **attributes: Any) -> bool:
    """Keeps the results of matrix products without batch dimensions: those with weights, in most models.

    Args:
        operation: The operation.
        *avals: What is known of its operands.
        **attributes: Its attributes.

    Example:
        >>> import olympus
        >>> policy = olympus.checkpoint_policies.dots_with_no_batch_dims_saveable
        >>> float(olympus.grad(olympus.checkpoint(lambda x: x * x, policy=policy))(3.0))
        6.0
    """
    return operation.name == "dot_general" and not attributes["lhs_batch"]


checkpoint_dots = dots_saveable
checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable


def save_only_these_names(*names: str) -> Policy:
    """Keeps the values that `checkpoint_name` gave one of these names.

    Args:
        *names: The names.

    Returns:
        A policy.

    Example:
        >>> import olympus
        >>> policy = olympus.checkpoint_policies.save_only_these_names("middle")
        >>> float(olympus.grad(olympus.checkpoint(lambda x: x * x, policy=policy))(3.0))
        6.0
    """
    return lambda operation, *avals, **attributes: operation.name == "name" and attributes["name"] in names


def save_any_names_but_these(*names: str) -> Policy:
    """Keeps the values that `checkpoint_name` gave any other name.

    Args:
        *names: The names.

    Returns:
        A policy.

    Example:
        >>> import olympus
        >>> policy = olympus.checkpoint_policies.save_any_names_but_these("large")
        >>> float(olympus.grad(olympus.checkpoint(lambda x: x * x, policy=policy))(3.0))
        6.0
    """
    return lambda operation, *avals, **attributes: operation.name == "name" and attributes["name"] not in names


def save_anything_except_these_names(*names: str) -> Policy:
    """Keeps everything but the values that `checkpoint_name` gave one of these names.

    Args:
        *names: The names.

    Returns:
        A policy.

    Example:
        >>> import olympus
        >>> policy = olympus.checkpoint_policies.save_anything_except_these_names("large")
        >>> float(olympus.grad(olympus.checkpoint(lambda x: x * x, policy=policy))(3.0))
        6.0
    """
    return lambda operation, *avals, **attributes: operation.name != "name" or attributes["name"] not in names


def _offload(function: str, src: str, dst: str) -> Offloadable:
    for name, kind in (("offload_src", src), ("offload_dst", dst)):
        if kind not in MEMORY_KINDS:
            raise ArgumentError(function, f"{name} is no kind of memory", repr(kind),
                                ", ".join(map(repr, MEMORY_KINDS)))
    return Offloadable(src, dst)


def save_from_both_policies(first: Policy, second: Policy) -> Policy:
    """Keeps what either of two policies keeps: where they are if one says so, else in the memory that one says.

    Args:
        first: A policy.
        second: Another one.

    Returns:
        A policy.

    Example:
        >>> import olympus
        >>> policies = olympus.checkpoint_policies
        >>> policy = policies.save_from_both_policies(policies.dots_saveable, policies.save_only_these_names("y"))
        >>> float(olympus.grad(olympus.checkpoint(lambda x: x * x, policy=policy))(3.0))
        6.0
    """
    def policy(operation: Any, *avals: Any, **attributes: Any) -> bool | Offloadable:
        found = [one(operation, *avals, **attributes) for one in (first, second)]
        moved = [one for one in found if isinstance(one, Offloadable)]
        return any(one and not isinstance(one, Offloadable) for one in found) or (moved[0] if moved else False)

    return policy


def save_and_offload_only_these_names(
    *, names_which_can_be_saved: Sequence[str], names_which_can_be_offloaded: Sequence[str], offload_src: str,
    offload_dst: str,
) -> Policy:
    """Keeps named values, some of them in another memory: arrays there until the backward pass needs them.

    Between calls the values are in that memory: where the forward pass is run by itself, or its residuals leave a
    jitted function. Inside of one jitted function that does both, the platform keeps its values where it likes.

    Args:
        names_which_can_be_saved: Names of values that are kept where they are.
        names_which_can_be_offloaded: Names of values that are kept in another memory.
        offload_src: The kind of memory that they are in: ``"device"``.
        offload_dst: The other kind: ``"pinned_host"``.

    Returns:
        A policy.

    Raises:
        ArgumentError: When a name is in both, or one of the memories is of no known kind.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> policy = olympus.checkpoint_policies.save_and_offload_only_these_names(
        ...     names_which_can_be_saved=[], names_which_can_be_offloaded=["y"], offload_src="device",
        ...     offload_dst="pinned_host")
        >>> def f(x):
        ...     return jnp.sin(olympus.ad_checkpoint.checkpoint_name(jnp.sin(x), "y"))
        >>> _, back = olympus.vjp(olympus.checkpoint(f, policy=policy), jnp.ones(2))
        >>> sorted(x.sharding.memory_kind for x in olympus.tree.leaves(back))
        ['device', 'pinned_host']
    """
    function = "save_and_offload_only_these_names"
    saved, moved = tuple(names_which_can_be_saved), tuple(names_which_can_be_offloaded)
    both = sorted(set(saved) & set(moved))
    if both:
        raise ArgumentError(function, "names are to be kept in two memories", ", ".join(both), "each name in one list")
    where = _offload(function, offload_src, offload_dst)

    def policy(operation: Any, *avals: Any, **attributes: Any) -> bool | Offloadable:
        if operation.name == "name" and attributes["name"] in moved:
            return where
        return operation.name == "name" and attributes["name"] in saved

    return policy


def offload_dot_with_no_batch_dims(offload_src: str, offload_dst: str) -> Policy:
    """Keeps the results of matrix products without batch dimensions in another memory.

    Args:
        offload_src: The kind of memory that they are in: ``"device"``.
        offload_dst: The other kind: ``"pinned_host"``; see `save_and_offload_only_these_names`.

    Returns:
        A policy.

    Raises:
        ArgumentError: When one of the memories is of no known kind.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> policy = olympus.checkpoint_policies.offload_dot_with_no_batch_dims("device", "pinned_host")
        >>> f = olympus.checkpoint(lambda w, x: jnp.sin(x @ w).sum(), policy=policy)
        >>> olympus.grad(f)(jnp.ones((3, 2)), jnp.ones((4, 3))).shape
        (3, 2)
    """
    where = _offload("offload_dot_with_no_batch_dims", offload_src, offload_dst)

    def policy(operation: Any, *avals: Any, **attributes: Any) -> bool | Offloadable:
        return where if dots_with_no_batch_dims_saveable(operation, *avals, **attributes) else False

    return policy
