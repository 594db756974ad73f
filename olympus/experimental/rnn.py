# SPDX-License-Identifier: Apache-2.0
"""Long short-term memory: stacked layers in one or both directions over sequences of different lengths.

The weights of all layers are one vector in cuDNN's order. Of each layer, and within one of the forward direction before
the reverse one, first the matrices of inputs and of hidden states; behind all matrices the biases in the same order.
The rows of each are of the gates i, f, g and o.

References:
    S. Hochreiter, J. Schmidhuber, Long Short-Term Memory, 1997.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described

from .. import lax, nn, random
from .. import numpy as jnp
from ..operands import cast, dtype_of, integer, shape_of
from ..typing import Array, ArrayLike

__all__ = ["get_num_params_in_lstm", "init_lstm_weight", "lstm", "lstm_ref", "swap_lstm_gates", "unpack_lstm_weights"]
__dir__ = listed(__all__)

Weights = dict[int, Any]


def _shapes(function: str, input_size: int, hidden_size: int, num_layers: int, bidirectional: bool) -> list[Any]:
    """The shapes of the matrices in the order of the vector, then of the biases."""
    inputs = integer(function, input_size, "the size of the inputs", 1)
    hidden = integer(function, hidden_size, "the size of the hidden states", 1)
    layers = integer(function, num_layers, "the number of layers", 1)
    ways = 2 if bidirectional else 1
    matrices: list[tuple[int, ...]] = []
    for layer in range(layers):
        matrices += [(4 * hidden, ways * hidden if layer else inputs), (4 * hidden, hidden)] * ways
    return [*matrices, *[(4 * hidden,)] * len(matrices)]


def get_num_params_in_lstm(input_size: int, hidden_size: int, num_layers: int, bidirectional: bool) -> int:
    """How many weights a network has.

    Args:
        input_size: How many numbers each step of a sequence has.
        hidden_size: How many numbers a hidden state has.
        num_layers: How many layers follow each other.
        bidirectional: Whether each layer goes in both directions.

    Returns:
        The length of the vector of all weights.

    Example:
        >>> from olympus.experimental import rnn
        >>> rnn.get_num_params_in_lstm(3, 2, 1, False)
        56
    """
    shapes = _shapes("get_num_params_in_lstm", input_size, hidden_size, num_layers, bidirectional)
    return sum(math.prod(shape) for shape in shapes)


def init_lstm_weight(
    rng: Any, input_size: int, hidden_size: int, num_layers: int, bidirectional: bool,
) -> Array:
    """Random weights, uniform between ``-k`` and ``k`` where ``k`` is ``hidden_size ** -0.5``.

    Args:
        rng: A key of random numbers.
        input_size: How many numbers each step of a sequence has.
        hidden_size: How many numbers a hidden state has.
        num_layers: How many layers follow each other.
        bidirectional: Whether each layer goes in both directions.

    Returns:
        The vector of all weights, float32.

    Example:
        >>> import olympus
        >>> from olympus.experimental import rnn
        >>> rnn.init_lstm_weight(olympus.random.key(0), 3, 2, 1, False).shape
        (56,)
    """
    count = get_num_params_in_lstm(input_size, hidden_size, num_layers, bidirectional)
    most = float(np.sqrt(1.0 / hidden_size))
    return random.uniform(rng, (count,), np.float32, -most, most)


def _parts(function: str, weights: ArrayLike, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """The matrices and biases of a vector."""
    count = sum(math.prod(shape) for shape in shapes)
    if shape_of(weights) != (count,):
        raise ArgumentError(function, "the weights do not fit the sizes", described(shape_of(weights)), f"({count},)")
    ends = list(itertools.accumulate(math.prod(shape) for shape in shapes))
    return [jnp.reshape(part, shape) for part, shape in zip(jnp.split(weights, ends[:-1]), shapes, strict=True)]


def unpack_lstm_weights(
    weights: ArrayLike, input_size: int, hidden_size: int, num_layers: int, bidirectional: bool,
) -> tuple[Weights, Weights, Weights, Weights]:
    """The matrices and biases that a vector of weights holds.

    Args:
        weights: The vector of all weights.
        input_size: How many numbers each step of a sequence has.
        hidden_size: How many numbers a hidden state has.
        num_layers: How many layers follow each other.
        bidirectional: Whether each layer goes in both directions.

    Returns:
        The matrices of inputs, those of hidden states, and the biases of both: dictionaries by number of the layer,
        where the forward and the reverse direction of a layer count as two.

    Raises:
        ArgumentError: If the vector has another length.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import rnn
        >>> w_ih, w_hh, b_ih, b_hh = rnn.unpack_lstm_weights(jnp.zeros(56), 3, 2, 1, False)
        >>> w_ih[0].shape, b_hh[0].shape
        ((8, 3), (8,))
    """
    name = "unpack_lstm_weights"
    parts = _parts(name, weights, _shapes(name, input_size, hidden_size, num_layers, bidirectional))
    half = len(parts) // 2
    groups = (parts[:half:2], parts[1:half:2], parts[half::2], parts[half + 1::2])
    w_ih, w_hh, b_ih, b_hh = (dict(enumerate(group)) for group in groups)
    return w_ih, w_hh, b_ih, b_hh


def swap_lstm_gates(
    weights: ArrayLike, input_size: int, hidden_size: int, num_layers: int, bidirectional: bool,
) -> Array:
    """The weights with the rows of the gates g and o exchanged, as some other libraries order them.

    Args:
        weights: The vector of all weights.
        input_size: How many numbers each step of a sequence has.
        hidden_size: How many numbers a hidden state has.
        num_layers: How many layers follow each other.
        bidirectional: Whether each layer goes in both directions.

    Returns:
        A vector of the same length.

    Raises:
        ArgumentError: If the vector has another length.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental import rnn
        >>> rnn.swap_lstm_gates(jnp.arange(16), 1, 1, 1, False)
        Array([ 0,  1,  3,  2,  4,  5,  7,  6,  8,  9, 11, 10, 12, 13, 15, 14],
              dtype=int32)
    """
    name = "swap_lstm_gates"
    found = []
    for part in _parts(name, weights, _shapes(name, input_size, hidden_size, num_layers, bidirectional)):
        i, f, g, o = jnp.split(part, 4)
        found.append(jnp.ravel(jnp.concatenate([i, f, o, g])))
    return jnp.concatenate(found)


def lstm(
    x: ArrayLike, h_0: ArrayLike, c_0: ArrayLike, weights: ArrayLike, seq_lengths: ArrayLike, input_size: int,
    hidden_size: int, num_layers: int, dropout: float, bidirectional: bool, precision: Any = None,
) -> tuple[Array, Array, Array]:
    """A network of long short-term memory.

    A sequence ends at its length: the states are those of its last step, the reverse direction begins there, and
    outputs behind it are 0. A sequence of length 0 leaves the states as they are.

    Args:
        x: The sequences, of shape ``(batch, steps, input_size)``.
        h_0: The hidden states at the start, of shape ``(directions * num_layers, batch, hidden_size)``.
        c_0: The cell states at the start, of the same shape.
        weights: The vector of all weights.
        seq_lengths: How many steps each sequence has, integers of shape ``(batch,)``.
        input_size: How many numbers each step of a sequence has.
        hidden_size: How many numbers a hidden state has.
        num_layers: How many layers follow each other.
        dropout: 0; what is dropped between layers is to be dropped by the program.
        bidirectional: Whether each layer goes in both directions.
        precision: The precision of the products.

    Returns:
        The last layer's hidden states at all steps, of shape ``(batch, steps, directions * hidden_size)``, and the
        hidden and cell states of all layers at the end.

    Raises:
        ArgumentError: If the shapes do not fit each other, or the lengths are no integers.
        NotSupportedError: If `dropout` is not 0.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import rnn
        >>> weights = rnn.init_lstm_weight(olympus.random.key(0), 3, 2, 1, False)
        >>> start = jnp.zeros((1, 4, 2))
        >>> y, h, c = rnn.lstm(jnp.ones((4, 5, 3)), start, start, weights, jnp.array([5, 5, 2, 1]), 3, 2, 1, 0.0, False)
        >>> y.shape, h.shape
        ((4, 5, 2), (1, 4, 2))
    """
    parts = unpack_lstm_weights(weights, input_size, hidden_size, num_layers, bidirectional)
    return _network("lstm", x, h_0, c_0, *parts, seq_lengths, (input_size, hidden_size, num_layers), dropout,
                    bidirectional, precision)


def lstm_ref(
    x: ArrayLike, h_0: ArrayLike, c_0: ArrayLike, W_ih: Weights, W_hh: Weights, b_ih: Weights, b_hh: Weights,
    seq_lengths: ArrayLike, input_size: int, hidden_size: int, num_layers: int, dropout: float, bidirectional: bool,
) -> tuple[Array, Array, Array]:
    """As `lstm`, of the matrices and biases that `unpack_lstm_weights` gives.

    Args:
        x: The sequences, of shape ``(batch, steps, input_size)``.
        h_0: The hidden states at the start, of shape ``(directions * num_layers, batch, hidden_size)``.
        c_0: The cell states at the start, of the same shape.
        W_ih: The matrices of inputs.
        W_hh: The matrices of hidden states.
        b_ih: The biases of the inputs.
        b_hh: The biases of the hidden states.
        seq_lengths: How many steps each sequence has, integers of shape ``(batch,)``.
        input_size: How many numbers each step of a sequence has.
        hidden_size: How many numbers a hidden state has.
        num_layers: How many layers follow each other.
        dropout: 0.
        bidirectional: Whether each layer goes in both directions.

    Returns:
        As `lstm`.

    Raises:
        ArgumentError: If the shapes do not fit each other, or the lengths are no integers.
        NotSupportedError: If `dropout` is not 0.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import rnn
        >>> parts = rnn.unpack_lstm_weights(jnp.zeros(56), 3, 2, 1, False)
        >>> start = jnp.zeros((1, 4, 2))
        >>> rnn.lstm_ref(jnp.ones((4, 5, 3)), start, start, *parts, jnp.full(4, 5), 3, 2, 1, 0.0, False)[0].shape
        (4, 5, 2)
    """
    return _network("lstm_ref", x, h_0, c_0, W_ih, W_hh, b_ih, b_hh, seq_lengths,
                    (input_size, hidden_size, num_layers), dropout, bidirectional, None)


def _network(
    name: str, x: Any, h_0: Any, c_0: Any, w_ih: Weights, w_hh: Weights, b_ih: Weights, b_hh: Weights, lengths: Any,
    sizes: tuple[int, int, int], dropout: float, bidirectional: bool, precision: Any,
) -> tuple[Array, Array, Array]:
    if dropout:
        raise NotSupportedError(f"{name} with dropout", "the numbers that are dropped are nobody's promise",
                                "Drop numbers between layers with olympus.random.bernoulli, one call for each layer.")
    input_size, hidden, layers = sizes
    ways, dtype = 2 if bidirectional else 1, jnp.result_type(x, w_ih[0])
    batch, steps = (*shape_of(x), 0, 0)[:2]
    wanted = ("x", x, (batch, steps, input_size)), ("h_0", h_0, (ways * layers, batch, hidden)), (
        "c_0", c_0, (ways * layers, batch, hidden)), ("seq_lengths", lengths, (batch,))
    for word, given, shape in wanted:
        if shape_of(given) != shape:
            raise ArgumentError(name, f"{word} does not fit the sizes", described(shape_of(given)), described(shape))
    if not dtypes.is_integer(dtype_of(lengths)):
        raise ArgumentError(name, "the lengths of sequences are no integers", dtype_of(lengths).name, "integers")
    inside = jnp.arange(steps)[:, None, None] < jnp.reshape(lengths, (1, batch, 1))
    y, ends = jnp.swapaxes(cast(x, dtype), 0, 1), []
    for layer in range(layers):
        found = []
        for way in range(ways):
            k = ways * layer + way
            bias = jnp.asarray(b_ih[k]) + b_hh[k]
            given = jnp.matmul(y, jnp.transpose(w_ih[k]), precision=precision) + bias
            start = cast(h_0[k], dtype), cast(c_0[k], dtype)
            end, states = _passed(start, given, jnp.transpose(w_hh[k]), inside, way == 1, precision)
            found.append(states)
            ends.append(end)
        y = jnp.concatenate(found, -1)
    hidden_states, cells = zip(*ends, strict=True)
    return jnp.swapaxes(y, 0, 1), jnp.stack(hidden_states), jnp.stack(cells)


def _passed(start: Any, given: Any, w_hh: Any, inside: Any, reverse: bool, precision: Any) -> Any:
    """The states at the end and the hidden ones at all steps, of what the inputs give to the gates."""

    def step(states: tuple[Any, Any], now: tuple[Any, Any]) -> tuple[tuple[Any, Any], Any]:
        (h, c), (given, counts) = states, now
        i, f, g, o = jnp.split(given + jnp.matmul(h, w_hh, precision=precision), 4, -1)
        cell = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
        state = nn.sigmoid(o) * jnp.tanh(cell)
        # Steps behind a sequence's end change nothing, so that the reverse direction begins at the end.
        return (jnp.where(counts, state, h), jnp.where(counts, cell, c)), jnp.where(counts, state, 0)

    return lax.scan(step, start, (given, inside), reverse=reverse)
