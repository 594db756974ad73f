# SPDX-License-Identifier: Apache-2.0
"""`jax.example_libraries.optimizers`: optimizers of nested containers of arrays, each three functions.

``init_fn(params)`` gives a state, ``update_fn(step, gradients, state)`` the next one, ``params_fn(state)`` its
parameters.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import olympus.numpy as jnp
from olympus import tree_util
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

Schedule = Callable[[Any], Any]
# For one array: its state at the beginning, the next state (of step, gradient, state), and the array in a state.
Rule = tuple[Callable[[Any], Any], Callable[[Any, Any, Any], Any], Callable[[Any], Any]]


class OptimizerState(NamedTuple):
    """A state: for each parameter the leaves of its own state, and the structures."""

    packed_state: Any
    tree_def: Any
    subtree_defs: Any


tree_util.register_pytree_node(
    OptimizerState, lambda state: ((state.packed_state,), (state.tree_def, state.subtree_defs)),
    lambda structures, children: OptimizerState(children[0], *structures))


class Optimizer(NamedTuple):
    """Three functions; see the module."""

    init_fn: Callable[[Any], OptimizerState]
    update_fn: Callable[[Any, Any, OptimizerState], OptimizerState]
    params_fn: Callable[[OptimizerState], Any]


class JoinPoint:
    """A part of a tree that is one leaf of it.

    Args:
        subtree: The part.
    """

    def __init__(self, subtree: Any) -> None:
        self.subtree = subtree

    def __iter__(self) -> Any:
        yield self.subtree


def optimizer(opt_maker: Callable[..., Rule]) -> Callable[..., Optimizer]:
    """Makes an optimizer of nested containers from one of single arrays.

    Args:
        opt_maker: A function that gives the rule for one array.
    """

    @functools.wraps(opt_maker)
    def made(*args: Any, **kwargs: Any) -> Optimizer:
        begin, step, get = opt_maker(*args, **kwargs)

        def init_fn(params: Any) -> OptimizerState:
            leaves, structure = tree_util.tree_flatten(params)
            return _packed([begin(x) for x in leaves], structure)

        def update_fn(i: Any, gradients: Any, state: OptimizerState) -> OptimizerState:
            leaves, structure = tree_util.tree_flatten(gradients)
            if structure != state.tree_def:
                raise ArgumentError("update_fn", "the gradients have another structure than the parameters",
                                    structure, state.tree_def)
            return _packed([step(i, g, s) for g, s in zip(leaves, _states(state), strict=True)], structure, state)

        def params_fn(state: OptimizerState) -> Any:
            return tree_util.tree_unflatten(state.tree_def, [get(s) for s in _states(state)])

        return Optimizer(init_fn, update_fn, params_fn)

    return made


def _states(state: OptimizerState) -> list[Any]:
    return [tree_util.tree_unflatten(structure, leaves)
            for structure, leaves in zip(state.subtree_defs, state.packed_state, strict=True)]


def _packed(states: Sequence[Any], structure: Any, like: OptimizerState | None = None) -> OptimizerState:
    pairs = [tree_util.tree_flatten(state) for state in states]
    packed = OptimizerState(tuple(tuple(leaves) for leaves, _ in pairs), structure, tuple(own for _, own in pairs))
    if like is not None and packed.subtree_defs != like.subtree_defs:
        raise ArgumentError("update_fn", "the rule changes the structure of a state", packed.subtree_defs,
                            like.subtree_defs)
    return packed


def unpack_optimizer_state(opt_state: OptimizerState) -> Any:
    """The state as a tree of the parameters' structure, whose leaves are `JoinPoint` of each parameter's own state.

    Args:
        opt_state: The state.
    """
    return tree_util.tree_unflatten(opt_state.tree_def, [JoinPoint(state) for state in _states(opt_state)])


def pack_optimizer_state(marked_pytree: Any) -> OptimizerState:
    """The state of a tree as `unpack_optimizer_state` gives it.

    Args:
        marked_pytree: The tree.
    """
    leaves, structure = tree_util.tree_flatten(marked_pytree)
    if not all(isinstance(leaf, JoinPoint) for leaf in leaves):
        raise ArgumentError("pack_optimizer_state", "a leaf is no JoinPoint", described(marked_pytree))
    return _packed([leaf.subtree for leaf in leaves], structure)


@optimizer
def sgd(step_size: Any) -> Rule:
    """Plain gradient descent."""
    size = make_schedule(step_size)
    return lambda x: x, lambda i, g, x: x - size(i) * g, lambda x: x


@optimizer
def momentum(step_size: Any, mass: float) -> Rule:
    """Gradient descent with momentum (Polyak, 1964)."""
    size = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, velocity = state
        velocity = mass * velocity + g
        return x - size(i) * velocity, velocity

    return lambda x: (x, jnp.zeros_like(x)), update, _first


@optimizer
def nesterov(step_size: Any, mass: float) -> Rule:
    """Gradient descent with Nesterov's momentum (Nesterov, 1983)."""
    size = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, velocity = state
        velocity = mass * velocity + g
        return x - size(i) * (mass * velocity + g), velocity

    return lambda x: (x, jnp.zeros_like(x)), update, _first


@optimizer
def adagrad(step_size: Any, momentum: float = 0.9) -> Rule:
    """Steps by the sum of squared gradients (Duchi, Hazan, Singer, 2011)."""
    size = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, squares, mean = state
        squares = squares + jnp.square(g)
        mean = (1.0 - momentum) * (g * _inverse_root(squares)) + momentum * mean
        return x - size(i) * mean, squares, mean

    return lambda x: (x, jnp.zeros_like(x), jnp.zeros_like(x)), update, _first


@optimizer
def rmsprop(step_size: Any, gamma: float = 0.9, eps: float = 1e-8) -> Rule:
    """Steps by a running mean of squared gradients (Tieleman, Hinton, 2012)."""
    size = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, squares = state
        squares = squares * gamma + jnp.square(g) * (1.0 - gamma)
        return x - size(i) * g / jnp.sqrt(squares + eps), squares

    return lambda x: (x, jnp.zeros_like(x)), update, _first


@optimizer
def rmsprop_momentum(step_size: Any, gamma: float = 0.9, eps: float = 1e-8, momentum: float = 0.9) -> Rule:
    """`rmsprop` with momentum."""
    size = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, squares, velocity = state
        squares = squares * gamma + jnp.square(g) * (1.0 - gamma)
        velocity = momentum * velocity + size(i) * g / jnp.sqrt(squares + eps)
        return x - velocity, squares, velocity

    return lambda x: (x, jnp.zeros_like(x), jnp.zeros_like(x)), update, _first


@optimizer
def adam(step_size: Any, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Rule:
    """Running means of gradients and of their squares, without bias (Kingma, Ba, 2014)."""
    size = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, mean, squares = state
        mean = (1 - b1) * g + b1 * mean
        squares = (1 - b2) * jnp.square(g) + b2 * squares
        unbiased = mean / (1 - jnp.asarray(b1, mean.dtype) ** (i + 1))
        scale = squares / (1 - jnp.asarray(b2, mean.dtype) ** (i + 1))
        return x - size(i) * unbiased / (jnp.sqrt(scale) + eps), mean, squares

    return lambda x: (x, jnp.zeros_like(x), jnp.zeros_like(x)), update, _first


@optimizer
def adamax(step_size: Any, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Rule:
    """`adam` by the largest gradient instead of the squares' mean (Kingma, Ba, 2014, section 7)."""
    size = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, mean, largest = state
        mean = (1 - b1) * g + b1 * mean
        largest = jnp.maximum(b2 * largest, jnp.abs(g))
        unbiased = size(i) / (1 - jnp.asarray(b1, mean.dtype) ** (i + 1))
        return x - unbiased * mean / (largest + eps), mean, largest

    return lambda x: (x, jnp.zeros_like(x), jnp.zeros_like(x)), update, _first


@optimizer
def sm3(step_size: Any, momentum: float = 0.9) -> Rule:
    """Sums of squared gradients along each dimension alone (Anil, Gupta, Koren, Singer, 2019)."""
    size = make_schedule(step_size)

    def begin(x: Any) -> Any:
        return x, jnp.zeros_like(x), [jnp.zeros(n, x.dtype) for n in x.shape]

    def update(i: Any, g: Any, state: Any) -> Any:
        x, mean, sums = state
        along = [jnp.expand_dims(s, [d for d in range(g.ndim) if d != axis]) for axis, s in enumerate(sums)]
        whole = functools.reduce(jnp.minimum, along) + jnp.square(g)
        mean = (1.0 - momentum) * (g * _inverse_root(whole)) + momentum * mean
        sums = [whole.max(tuple(d for d in range(x.ndim) if d != axis)) for axis in range(x.ndim)]
        return x - size(i) * mean, mean, sums

    return begin, update, _first


def _first(state: Any) -> Any:
    return state[0]


def _inverse_root(x: Any) -> Any:
    """One by the root; zero where there is nothing."""
    return jnp.where(x > 0, 1.0 / jnp.sqrt(x), 0.0)


def constant(step_size: Any) -> Schedule:
    """The same size for all steps."""
    return lambda i: step_size


def exponential_decay(step_size: Any, decay_steps: Any, decay_rate: Any) -> Schedule:
    """Steps that shrink by a factor with so many steps."""
    return lambda i: step_size * decay_rate ** (i / decay_steps)


def inverse_time_decay(step_size: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False) -> Schedule:
    """Steps that shrink by the inverse of the time, in stairs if wanted."""
    if staircase:
        return lambda i: step_size / (1 + decay_rate * jnp.floor(i / decay_steps))
    return lambda i: step_size / (1 + decay_rate * i / decay_steps)


def polynomial_decay(step_size: Any, decay_steps: Any, final_step_size: Any, power: float = 1.0) -> Schedule:
    """Steps that go from one size to another within so many steps."""
    def schedule(i: Any) -> Any:
        part = (1 - jnp.minimum(i, decay_steps) / decay_steps) ** power
        return part * (step_size - final_step_size) + final_step_size

    return schedule


def piecewise_constant(boundaries: Any, values: Any) -> Schedule:
    """The size of each piece, where a step belongs to the piece after the boundaries that it has passed."""
    boundaries, values = jnp.array(boundaries), jnp.array(values)
    if not boundaries.ndim == values.ndim == 1 or boundaries.shape[0] != values.shape[0] - 1:
        raise ArgumentError("piecewise_constant", "boundaries and values do not fit", (boundaries.shape, values.shape),
                            "one dimension each, and a value more than boundaries")
    return lambda i: values[jnp.sum(i > boundaries)]


def make_schedule(scalar_or_schedule: Any) -> Schedule:
    """A schedule, of one or of a number."""
    if callable(scalar_or_schedule):
        return scalar_or_schedule
    if jnp.ndim(scalar_or_schedule) == 0:
        return constant(scalar_or_schedule)
    raise ArgumentError("make_schedule", "a step size is neither a number nor a function",
                        described(scalar_or_schedule))


def l2_norm(tree: Any) -> Any:
    """The Euclidean norm of all leaves together."""
    return jnp.sqrt(sum(jnp.vdot(x, x) for x in tree_util.tree_leaves(tree)))


def clip_grads(grad_tree: Any, max_norm: Any) -> Any:
    """Gradients scaled to a norm where they have a larger one."""
    norm = l2_norm(grad_tree)
    return tree_util.tree_map(lambda g: jnp.where(norm < max_norm, g, g * (max_norm / norm)), grad_tree)


__all__ = [
    "JoinPoint", "Optimizer", "OptimizerState", "Schedule", "adagrad", "adam", "adamax", "clip_grads", "constant",
    "exponential_decay", "inverse_time_decay", "l2_norm", "make_schedule", "momentum", "nesterov", "optimizer",
    "pack_optimizer_state", "piecewise_constant", "polynomial_decay", "rmsprop", "rmsprop_momentum", "sgd", "sm3",
    "unpack_optimizer_state",
]
__dir__ = listed(__all__)
