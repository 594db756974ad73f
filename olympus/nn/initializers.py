# SPDX-License-Identifier: Apache-2.0
"""Initial values of parameters; reached as `olympus.nn.initializers`.

An initializer is a function of a key, a shape and an element type.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from .. import lax, random
from ..numpy import creation, linalg
from ..numpy.arithmetic import divide, multiply
from ..numpy.elementwise import cos, log1p, negative, sign, sin, sqrt
from ..numpy.shapes import moveaxis, reshape
from ..operands import axes_of, axis_of, element_type, integers, known, shape_argument
from ..transforms.explicit import reshard
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike

__all__ = [
    "Initializer", "constant", "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform",
    "kaiming_normal", "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "ones", "orthogonal",
    "truncated_normal", "uniform", "variance_scaling", "xavier_normal", "xavier_uniform", "zeros",
]
__dir__ = listed(__all__)


class Initializer(Protocol):
    """A function that makes the initial values of a parameter."""

    def __call__(
        self, key: Any, shape: Sequence[int], dtype: DTypeLike | None = ..., out_sharding: ShardingLike | None = None
    ) -> Array:
        """An array of a shape and an element type, drawn with a key."""


class _Scaled(Protocol):
    """Makes one of the initializers that are scaled by the size of the parameter."""

    def __call__(
        self, in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: DTypeLike | None = None
    ) -> Initializer: ...


def zeros(
    key: Any, shape: Sequence[int], dtype: DTypeLike | None = None, out_sharding: ShardingLike | None = None
) -> Array:
    """Zeros.

    Args:
        key: Not used.
        shape: The shape.
        dtype: The element type; float for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The array.

    Example:
        >>> import olympus
        >>> olympus.nn.initializers.zeros(olympus.random.key(0), (2,))
        Array([0., 0.], dtype=float32)
    """
    return creation.zeros(shape, dtype, device=out_sharding)


def ones(
    key: Any, shape: Sequence[int], dtype: DTypeLike | None = None, out_sharding: ShardingLike | None = None
) -> Array:
    """Ones.

    Args:
        key: Not used.
        shape: The shape.
        dtype: The element type; float for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The array.

    Example:
        >>> import olympus
        >>> olympus.nn.initializers.ones(olympus.random.key(0), (2,))
        Array([1., 1.], dtype=float32)
    """
    return creation.ones(shape, dtype, device=out_sharding)


def constant(value: ArrayLike, dtype: DTypeLike | None = None) -> Initializer:
    """An initializer that fills with a value.

    Args:
        value: The value.
        dtype: The element type where the call names none; float for None.

    Returns:
        The initializer.

    Example:
        >>> import olympus
        >>> olympus.nn.initializers.constant(7)(olympus.random.key(0), (2,))
        Array([7., 7.], dtype=float32)
    """

    def init(key: Any, shape: Sequence[int], dtype: Any = dtype, out_sharding: ShardingLike | None = None) -> Any:
        return creation.full(shape, value, float if dtype is None else dtype, device=out_sharding)

    return init


def uniform(scale: ArrayLike = 1e-2, dtype: DTypeLike | None = None) -> Initializer:
    """An initializer with numbers that are equally likely from zero to a bound.

    Args:
        scale: The bound.
        dtype: The element type where the call names none; float for None.

    Returns:
        The initializer.

    Example:
        >>> import olympus
        >>> olympus.nn.initializers.uniform(10.0)(olympus.random.key(0), (2, 3)).shape
        (2, 3)
    """

    def init(key: Any, shape: Sequence[int], dtype: Any = dtype, out_sharding: ShardingLike | None = None) -> Any:
        drawn = random.uniform(key, shape, dtype, out_sharding=out_sharding)
        return multiply(drawn, creation.asarray(scale, drawn.dtype))

    return init


def normal(stddev: ArrayLike = 1e-2, dtype: DTypeLike | None = None) -> Initializer:
    """An initializer with numbers of a normal distribution.

    Args:
        stddev: The standard deviation.
        dtype: The element type where the call names none; float for None.

    Returns:
        The initializer.

    Example:
        >>> import olympus
        >>> olympus.nn.initializers.normal(1.0)(olympus.random.key(0), (2, 3)).shape
        (2, 3)
    """

    def init(key: Any, shape: Sequence[int], dtype: Any = dtype, out_sharding: ShardingLike | None = None) -> Any:
        drawn = random.normal(key, shape, dtype, out_sharding=out_sharding)
        return multiply(drawn, creation.asarray(stddev, drawn.dtype))

    return init


def truncated_normal(
    stddev: ArrayLike = 1e-2, dtype: DTypeLike | None = None, lower: ArrayLike = -2.0, upper: ArrayLike = 2.0
) -> Initializer:
    """An initializer with numbers of a normal distribution between two bounds.

    Args:
        stddev: The standard deviation before the bounds are imposed.
        dtype: The element type where the call names none; float for None.
        lower: The lower bound, in standard deviations.
        upper: The upper bound.

    Returns:
        The initializer.

    Example:
        >>> import olympus
        >>> olympus.nn.initializers.truncated_normal()(olympus.random.key(0), (2, 3)).shape
        (2, 3)
    """

    def init(key: Any, shape: Sequence[int], dtype: Any = dtype, out_sharding: ShardingLike | None = None) -> Any:
        drawn = random.truncated_normal(key, lower, upper, shape, dtype, out_sharding=out_sharding)
        return multiply(drawn, creation.asarray(stddev, drawn.dtype))

    return init


def _fans(
    shape: Sequence[int], in_axis: Any, out_axis: Any, batch_axis: Any
) -> tuple[float, float]:
    """How many inputs an output has, and the other way round."""

    def axes(axis: Any) -> list[int]:
        return list(axes_of("initializers", integers("initializers", axis, "an axis"), len(shape)))

    if len(shape) < 2:
        raise ArgumentError("initializers", "the shape has fewer than two dimensions, so that fans have no meaning",
                            tuple(shape), "two dimensions or more")
    inputs, outputs, batch = (math.prod(shape[a] for a in axes(axis)) for axis in (in_axis, out_axis, batch_axis))
    receptive = math.prod(shape) / inputs / outputs / batch if 0 not in shape else 0.0
    return inputs * receptive, outputs * receptive


_MODES = ("fan_in", "fan_out", "fan_avg", "fan_geo_avg")
_DISTRIBUTIONS = ("truncated_normal", "normal", "uniform")


def _in_disk(key: Any, shape: Sequence[int], kind: Any, radius: float | None, out_sharding: Any) -> Any:
    """Complex numbers of variance one in a disk: uniform for None, else normal ones that lie inside of a radius.

    The square of a normal complex number's size is distributed exponentially, so that the size is drawn by the inverse
    of that distribution.
    """
    part = np.dtype("float64" if np.dtype(kind).itemsize == 16 else "float32")
    sizes, angles = random.split(key)
    share = random.uniform(sizes, shape, part, out_sharding=out_sharding)
    if radius is None:
        size = sqrt(multiply(share, creation.asarray(2, part)))
    else:
        outside = math.exp(-radius * radius)
        size = sqrt(negative(log1p(multiply(share, creation.asarray(outside - 1, part)))))
        # The variance of what lies inside, of an exponential distribution below the square of the radius.
        size = divide(size, creation.asarray(math.sqrt(1 - radius * radius * outside / (1 - outside)), part))
    angle = multiply(random.uniform(angles, shape, part, out_sharding=out_sharding),
                     creation.asarray(2 * math.pi, part))
    return lax.complex(multiply(size, cos(angle)), multiply(size, sin(angle)))


def variance_scaling(
    scale: float, mode: str, distribution: str, in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (),
    dtype: DTypeLike | None = None,
) -> Initializer:
    """An initializer whose variance falls with the number of inputs or outputs.

    Args:
        scale: The variance times that number.
        mode: Which number: ``"fan_in"``, ``"fan_out"``, ``"fan_avg"`` or ``"fan_geo_avg"``.
        distribution: ``"truncated_normal"``, ``"normal"`` or ``"uniform"``.
        in_axis: The dimensions of the inputs.
        out_axis: The dimensions of the outputs.
        batch_axis: Dimensions that do not count.
        dtype: The element type where the call names none; float for None.

    Returns:
        The initializer.

    Raises:
        ArgumentError: For an unknown mode or distribution.

    Example:
        >>> import olympus
        >>> init = olympus.nn.initializers.variance_scaling(1.0, "fan_in", "normal")
        >>> init(olympus.random.key(0), (100, 3)).shape
        (100, 3)
    """
    if getattr(scale, "shape", None) == ():
        scale = known("variance_scaling", scale, "the scale").item()
    if not isinstance(scale, (int, float)) or not scale >= 0:
        raise ArgumentError("variance_scaling", "the scale is no variance", described(scale), "zero or more")
    if not isinstance(mode, str) or mode not in _MODES:
        raise ArgumentError("variance_scaling", "the mode is not known", described(mode), f"one of {', '.join(_MODES)}")
    if not isinstance(distribution, str) or distribution not in _DISTRIBUTIONS:
        raise ArgumentError("variance_scaling", "the distribution is not known", described(distribution),
                            f"one of {', '.join(_DISTRIBUTIONS)}")

    def init(key: Any, shape: Sequence[int], dtype: Any = dtype, out_sharding: ShardingLike | None = None) -> Any:
        kind = element_type("initializers", float if dtype is None else dtype)
        shape = shape_argument("initializers", shape)
        inputs, outputs = _fans(shape, in_axis, out_axis, batch_axis)
        number = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2,
                  "fan_geo_avg": math.sqrt(inputs * outputs)}[mode]
        variance = scale / number if number else 0.0
        if distribution == "normal":
            return normal(math.sqrt(variance))(key, shape, kind, out_sharding)
        if dtypes.is_complex(kind):
            drawn = _in_disk(key, shape, kind, None if distribution == "uniform" else 2.0, out_sharding)
            return multiply(drawn, creation.asarray(math.sqrt(variance), drawn.dtype))
        if distribution == "uniform":
            bound = math.sqrt(3 * variance)
            drawn = random.uniform(key, shape, kind, -1, out_sharding=out_sharding)
            return multiply(drawn, creation.asarray(bound, kind))
        # Cutting at two standard deviations makes the variance smaller by the square of this number.
        return truncated_normal(math.sqrt(variance) / 0.87962566103423978)(key, shape, kind, out_sharding)

    return init


def _scaled(name: str, scale: float, mode: str, distribution: str, who: str) -> _Scaled:
    def function(
        in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: DTypeLike | None = None
    ) -> Initializer:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{who}: `variance_scaling({scale}, {mode!r}, {distribution!r})`.\n\nArgs:\n"
        "    in_axis: The dimensions of the inputs.\n    out_axis: The dimensions of the outputs.\n"
        "    batch_axis: Dimensions that do not count.\n"
        "    dtype: The element type where the call names none; float for None.\n\n"
        "Returns:\n    The initializer.\n\nExample:\n    >>> import olympus\n"
        f"    >>> olympus.nn.initializers.{name}()(olympus.random.key(0), (2, 3)).shape\n    (2, 3)\n"
    )
    return function


glorot_uniform = xavier_uniform = _scaled("glorot_uniform", 1.0, "fan_avg", "uniform", "Glorot's initializer")
glorot_normal = xavier_normal = _scaled("glorot_normal", 1.0, "fan_avg", "truncated_normal", "Glorot's initializer")
lecun_uniform = _scaled("lecun_uniform", 1.0, "fan_in", "uniform", "Lecun's initializer")
lecun_normal = _scaled("lecun_normal", 1.0, "fan_in", "truncated_normal", "Lecun's initializer")
he_uniform = kaiming_uniform = _scaled("he_uniform", 2.0, "fan_in", "uniform", "He's initializer")
he_normal = kaiming_normal = _scaled("he_normal", 2.0, "fan_in", "truncated_normal", "He's initializer")


def orthogonal(scale: ArrayLike = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """An initializer with orthonormal rows or columns, uniformly distributed.

    Args:
        scale: A factor.
        column_axis: The dimension of the columns; all others together are the rows.
        dtype: The element type where the call names none; float for None.

    Returns:
        The initializer.

    Raises:
        ArgumentError: For a shape of fewer than two dimensions.

    Example:
        >>> import olympus
        >>> q = olympus.nn.initializers.orthogonal()(olympus.random.key(0), (3, 2))
        >>> abs(q.T @ q).round(3).tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    References:
        F. Mezzadri, How to generate random matrices from the classical compact groups, 2007.
    """
    def init(key: Any, shape: Sequence[int], dtype: Any = dtype, out_sharding: ShardingLike | None = None) -> Any:
        kind = element_type("initializers", float if dtype is None else dtype)
        shape = shape_argument("initializers", shape)
        if len(shape) < 2:
            raise ArgumentError("orthogonal", "the shape has fewer than two dimensions", shape, "a matrix's or more")
        place = axis_of("orthogonal", column_axis, len(shape))
        columns = shape[place]
        rows = math.prod(shape) // columns if columns else 0
        drawn = random.normal(key, (max(rows, columns), min(rows, columns)), kind)
        q, r = linalg.qr(drawn)
        signs = sign(linalg.diagonal(r))  # so that the decomposition is unique, and Q uniform
        q = multiply(q, signs)
        q = q.T if columns > rows else q
        rest = tuple(n for d, n in enumerate(shape) if d != place)
        found = multiply(moveaxis(reshape(q, (*rest, columns)), -1, place), creation.asarray(scale, kind))
        return found if out_sharding is None else reshard(found, out_sharding)

    return init


def delta_orthogonal(scale: ArrayLike = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """An initializer of convolutions' kernels that are an orthogonal matrix at their middle, and zero elsewhere.

    Args:
        scale: A factor.
        column_axis: The dimension of the matrix's columns.
        dtype: The element type where the call names none; float for None.

    Returns:
        The initializer, for shapes of one to three spatial dimensions, then inputs, then outputs.

    Raises:
        ArgumentError: For other shapes, and for more inputs than outputs.

    Example:
        >>> import olympus
        >>> kernel = olympus.nn.initializers.delta_orthogonal()(olympus.random.key(0), (3, 3, 2, 4))
        >>> float(abs(kernel).sum(axis=(2, 3))[0, 0])
        0.0

    References:
        L. Xiao et al., Dynamical isometry and a mean field theory of CNNs, 2018.
    """
    def init(key: Any, shape: Sequence[int], dtype: Any = dtype, out_sharding: ShardingLike | None = None) -> Any:
        kind = element_type("initializers", float if dtype is None else dtype)
        shape = shape_argument("initializers", shape)
        if len(shape) not in (3, 4, 5):
            raise ArgumentError("delta_orthogonal", "the shape is no convolution's", shape, "3, 4 or 5 dimensions")
        if shape[-1] < shape[-2]:
            raise ArgumentError("delta_orthogonal", "there are more inputs than outputs", shape,
                                "shape[-1] of shape[-2] or more")
        matrix = orthogonal(scale, column_axis, kind)(key, shape[-2:])
        middle = tuple((n - 1) // 2 for n in shape[:-2])
        found = creation.zeros(shape, kind).at[middle].set(matrix)
        return found if out_sharding is None else reshard(found, out_sharding)

    return init
