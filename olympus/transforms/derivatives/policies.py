"""checkpoint_policies: which values a checkpointed function keeps for the backward pass.

A policy is a function ``(operation, *types of operands, **attributes) -> bool``: whether its results are kept. The
operation has a `name` and a `category`; the name of `checkpoint_name` is ``"name"``, with the attribute `name`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from olympus_core.deferred import listed
from olympus_core.errors import NotSupportedError

__all__ = [
    "checkpoint_dots", "checkpoint_dots_with_no_batch_dims", "dots_saveable", "dots_with_no_batch_dims_saveable",
    "everything_saveable", "nothing_saveable", "save_and_offload_only_these_names", "save_any_names_but_these",
    "save_anything_except_these_names", "save_from_both_policies", "save_only_these_names",
]
__dir__ = listed(__all__)

Policy = Callable[..., Any]


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
    """What a policy gives for a value that is to be kept in another memory, which is refused.

    Attributes:
        src: The memory that it is in.
        dst: The other memory.
    """

    src: str
    dst: str

    def __bool__(self) -> bool:
        raise not_moved(self.src, self.dst)


def not_moved(source: str, destination: str) -> NotSupportedError:
    """The error for values that would have to be brought to another memory."""
    return NotSupportedError("Moving values to another memory for the backward pass",
                             f"values are kept where they are, not brought from {source} to {destination}",
                             "Name them in save_only_these_names, or let them be recomputed.")


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


def save_from_both_policies(first: Policy, second: Policy) -> Policy:
    """Keeps what either of two policies keeps.

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
    return lambda operation, *avals, **attributes: bool(
        first(operation, *avals, **attributes) or second(operation, *avals, **attributes))


def save_and_offload_only_these_names(
    *, names_which_can_be_saved: Any, names_which_can_be_offloaded: Any, offload_src: str, offload_dst: str
) -> Policy:
    """Keeps named values, some of them in another memory: refused, for values are kept where they are.

    Args:
        names_which_can_be_saved: Names of values that are kept where they are.
        names_which_can_be_offloaded: Names of values that are kept in another memory.
        offload_src: The memory that they are in.
        offload_dst: The other memory.

    Raises:
        NotSupportedError: Where any value would be moved.

    Example:
        >>> import olympus
        >>> policy = olympus.checkpoint_policies.save_and_offload_only_these_names(
        ...     names_which_can_be_saved=["y"], names_which_can_be_offloaded=[], offload_src="device",
        ...     offload_dst="pinned_host")
    """
    if tuple(names_which_can_be_offloaded):
        raise not_moved(offload_src, offload_dst)
    return save_only_these_names(*names_which_can_be_saved)
