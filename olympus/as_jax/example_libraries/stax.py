# SPDX-License-Identifier: Apache-2.0
"""`jax.example_libraries.stax`: layers of neural networks, each a pair of functions.

``init_fun(key, input_shape)`` gives the output's shape and parameters, ``apply_fun(params, inputs, **kwargs)`` the
output; the keyword ``rng`` is a key for layers that draw.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

import olympus.numpy as jnp
from olympus import lax, nn, random
from olympus.nn import (
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    relu,
    selu,
    sigmoid,
    softmax,
    softplus,
    standardize,
)
from olympus.nn.initializers import glorot_normal, normal, ones, zeros
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

# Names by which older programs know these functions.
glorot = glorot_normal
logsoftmax = log_softmax
randn = normal

Layer = tuple[Callable[..., Any], Callable[..., Any]]


def Dense(out_dim: int, W_init: Any = glorot_normal(), b_init: Any = normal()) -> Layer:  # noqa: B008
    """A dense layer."""
    def init_fun(rng: Any, input_shape: Sequence[int]) -> Any:
        of_weights, of_biases = random.split(rng)
        return (*input_shape[:-1], out_dim), (W_init(of_weights, (input_shape[-1], out_dim)),
                                              b_init(of_biases, (out_dim,)))

    def apply_fun(params: Any, inputs: Any, **_: Any) -> Any:
        weights, biases = params
        return jnp.dot(inputs, weights) + biases

    return init_fun, apply_fun


def _convolution(shape_of: Any, convolve: Any) -> Callable[..., Layer]:
    """A layer of a function that convolves, and of one that gives the shape of its result."""

    def layer(
        dimension_numbers: tuple[str, str, str], out_chan: int, filter_shape: Sequence[int],
        strides: Sequence[int] | None = None, padding: Any = "VALID", W_init: Any = None,
        b_init: Any = normal(1e-6),  # noqa: B008
    ) -> Layer:
        of_input, of_kernel, of_output = dimension_numbers
        steps = strides or (1,) * len(filter_shape)
        kernel_init = W_init or glorot_normal(of_kernel.index("I"), of_kernel.index("O"))

        def init_fun(rng: Any, input_shape: Sequence[int]) -> Any:
            sizes = iter(filter_shape)
            channels = {"O": out_chan, "I": input_shape[of_input.index("C")]}
            kernel_shape = [channels[c] if c in channels else next(sizes) for c in of_kernel]
            batch = of_input.index("N")
            # The batch may be left open, as -1.
            whole = tuple(1 if i == batch else n for i, n in enumerate(input_shape))
            shape = list(shape_of(whole, tuple(kernel_shape), steps, padding, dimension_numbers))
            shape[of_output.index("N")] = input_shape[batch]
            of_weights, of_biases = random.split(rng)
            bias_shape = [out_chan if c == "C" else 1 for c in of_output]
            return tuple(shape), (kernel_init(of_weights, kernel_shape), b_init(of_biases, bias_shape))

        def apply_fun(params: Any, inputs: Any, **_: Any) -> Any:
            weights, biases = params
            return convolve(inputs, weights, steps, padding, dimension_numbers=dimension_numbers) + biases

        return init_fun, apply_fun

    return layer


GeneralConv = _convolution(lax.conv_general_shape_tuple, lax.conv_general_dilated)
Conv = partial(GeneralConv, ("NHWC", "HWIO", "NHWC"))
GeneralConvTranspose = _convolution(lax.conv_transpose_shape_tuple, lax.conv_transpose)
Conv1DTranspose = partial(GeneralConvTranspose, ("NHC", "HIO", "NHC"))
ConvTranspose = partial(GeneralConvTranspose, ("NHWC", "HWIO", "NHWC"))


def BatchNorm(
    axis: Sequence[int] | int = (0, 1, 2), epsilon: float = 1e-5, center: bool = True, scale: bool = True,
    beta_init: Any = zeros, gamma_init: Any = ones,
) -> Layer:
    """Values of the batch, without their mean and of unit variance (Ioffe, Szegedy, 2015)."""
    axes = (axis,) if isinstance(axis, int) else tuple(axis)

    def init_fun(rng: Any, input_shape: Sequence[int]) -> Any:
        shape = tuple(n for i, n in enumerate(input_shape) if i not in axes)
        of_beta, of_gamma = random.split(rng)
        return input_shape, (beta_init(of_beta, shape) if center else (), gamma_init(of_gamma, shape) if scale else ())

    def apply_fun(params: Any, x: Any, **_: Any) -> Any:
        beta, gamma = params
        z = nn.standardize(x, axes, epsilon=epsilon)
        if scale:
            z = z * jnp.expand_dims(gamma, axes)
        return z + jnp.expand_dims(beta, axes) if center else z

    return init_fun, apply_fun


def elementwise(fun: Callable[..., Any], **fun_kwargs: Any) -> Layer:
    """A layer of a function of each element."""
    return lambda rng, input_shape: (input_shape, ()), lambda params, inputs, **_: fun(inputs, **fun_kwargs)


Tanh = elementwise(jnp.tanh)
Relu = elementwise(nn.relu)
Exp = elementwise(jnp.exp)
LogSoftmax = elementwise(nn.log_softmax, axis=-1)
Softmax = elementwise(nn.softmax, axis=-1)
Softplus = elementwise(nn.softplus)
Sigmoid = elementwise(nn.sigmoid)
Elu = elementwise(nn.elu)
LeakyRelu = elementwise(nn.leaky_relu)
Selu = elementwise(nn.selu)
Gelu = elementwise(nn.gelu)


def _pooling(reducer: Any, initial: float, averages: bool = False) -> Callable[..., Layer]:
    def layer(
        window_shape: Sequence[int], strides: Sequence[int] | None = None, padding: str = "VALID",
        spec: str | None = None,
    ) -> Layer:
        steps = strides or (1,) * len(window_shape)
        places = spec or ("NHWC" if len(window_shape) == 2 else f"N{'?' * len(window_shape)}C")
        sizes, moves = iter(window_shape), iter(steps)
        window = tuple(1 if c in "NC" else next(sizes) for c in places)
        movement = tuple(1 if c in "NC" else next(moves) for c in places)

        def init_fun(rng: Any, input_shape: Sequence[int]) -> Any:
            batch = places.index("N")
            whole = tuple(1 if i == batch else n for i, n in enumerate(input_shape))
            pads = lax.padtype_to_pads(whole, window, movement, padding)
            ones_ = (1,) * len(window)
            shape = list(lax.reduce_window_shape_tuple(whole, window, movement, pads, ones_, ones_))
            shape[batch] = input_shape[batch]
            return tuple(shape), ()

        def apply_fun(params: Any, inputs: Any, **_: Any) -> Any:
            out = lax.reduce_window(inputs, initial, reducer, window, movement, padding)
            if not averages:
                return out
            counts = lax.reduce_window(jnp.ones_like(inputs), 0.0, lax.add, window, movement, padding)
            return out / counts

        return init_fun, apply_fun

    return layer


MaxPool = _pooling(lax.max, -jnp.inf)
SumPool = _pooling(lax.add, 0.0)
AvgPool = _pooling(lax.add, 0.0, averages=True)

Flatten: Layer = (
    lambda rng, input_shape: ((input_shape[0], math.prod(input_shape[1:])), ()),
    lambda params, inputs, **_: jnp.reshape(inputs, (inputs.shape[0], -1)),
)
Identity: Layer = (lambda rng, input_shape: (input_shape, ()), lambda params, inputs, **_: inputs)
FanInSum: Layer = (
    lambda rng, input_shape: (input_shape[0], ()), lambda params, inputs, **_: reduce(operator.add, inputs))


def FanOut(num: int) -> Layer:
    """The input, so many times."""
    return lambda rng, input_shape: ([input_shape] * num, ()), lambda params, inputs, **_: [inputs] * num


def FanInConcat(axis: int = -1) -> Layer:
    """The inputs, one after the other along a dimension."""
    def init_fun(rng: Any, input_shape: Sequence[Sequence[int]]) -> Any:
        place = axis % len(input_shape[0])
        size = sum(shape[place] for shape in input_shape)
        return (*input_shape[0][:place], size, *input_shape[0][place + 1:]), ()

    return init_fun, lambda params, inputs, **_: jnp.concatenate(inputs, axis)


def Dropout(rate: float, mode: str = "train") -> Layer:
    """Keeps elements with a probability, in training."""
    def apply_fun(params: Any, inputs: Any, **kwargs: Any) -> Any:
        rng = kwargs.get("rng")
        if rng is None:
            raise ArgumentError("Dropout", "a key is needed", described(None), "the keyword rng",
                                "Write apply_fun(params, inputs, rng=key).")
        if mode != "train":
            return inputs
        return jnp.where(random.bernoulli(rng, rate, inputs.shape), inputs / rate, 0)

    return lambda rng, input_shape: (input_shape, ()), apply_fun


def _keys(rng: Any, count: int) -> Any:
    return itertools.repeat(None, count) if rng is None else random.split(rng, count)


def serial(*layers: Layer) -> Layer:
    """Layers one after the other."""
    def init_fun(rng: Any, input_shape: Any) -> Any:
        params = []
        for begin, _ in layers:
            rng, used = random.split(rng)
            input_shape, own = begin(used, input_shape)
            params.append(own)
        return input_shape, params

    def apply_fun(params: Any, inputs: Any, **kwargs: Any) -> Any:
        keys = _keys(kwargs.pop("rng", None), len(layers))
        for (_, run), own, key in zip(layers, params, keys, strict=True):
            inputs = run(own, inputs, rng=key, **kwargs)
        return inputs

    return init_fun, apply_fun


def parallel(*layers: Layer) -> Layer:
    """Layers side by side, each with an input of its own."""
    def init_fun(rng: Any, input_shape: Any) -> Any:
        found = [begin(key, shape) for (begin, _), key, shape in zip(
            layers, random.split(rng, len(layers)), input_shape, strict=True)]
        return [shape for shape, _ in found], [params for _, params in found]

    def apply_fun(params: Any, inputs: Any, **kwargs: Any) -> Any:
        keys = _keys(kwargs.pop("rng", None), len(layers))
        return [run(own, x, rng=key, **kwargs) for (_, run), own, x, key in zip(
            layers, params, inputs, keys, strict=True)]

    return init_fun, apply_fun


def shape_dependent(make_layer: Callable[[Any], Layer]) -> Layer:
    """A layer that is made for the shape of its input."""
    return (lambda rng, input_shape: make_layer(input_shape)[0](rng, input_shape),
            lambda params, inputs, **kwargs: make_layer(inputs.shape)[1](params, inputs, **kwargs))


__all__ = [
    "AvgPool", "BatchNorm", "Conv", "Conv1DTranspose", "ConvTranspose", "Dense", "Dropout", "Elu", "Exp", "FanInConcat",
    "FanInSum", "FanOut", "Flatten", "Gelu", "GeneralConv", "GeneralConvTranspose", "Identity", "LeakyRelu",
    "LogSoftmax", "MaxPool", "Relu", "Selu", "Sigmoid", "Softmax", "Softplus", "SumPool", "Tanh", "elementwise",
    "elu", "gelu", "glorot", "glorot_normal", "leaky_relu", "log_softmax", "logsoftmax", "normal", "ones", "parallel",
    "randn", "relu", "selu", "serial", "shape_dependent", "sigmoid", "softmax", "softplus", "standardize", "zeros",
]
__dir__ = listed(__all__)
