# SPDX-License-Identifier: Apache-2.0
"""Looking into a program while it runs; together with the command line the only part of olympus that prints."""

from __future__ import annotations

import builtins
import logging
import string
import sys
from collections.abc import Callable as Function
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, overload

import numpy as np

from olympus_core import ops
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotShardedError, NotSupportedError, described
from olympus_core.placement import Sharding
from olympus_core.program import ArrayType

from . import tree
from .array import is_concrete
from .callbacks import DebugEffect, OrderedDebugEffect, call_host, name_of
from .operands import broadcast
from .tracing import Tracer, aval_of, bind, is_evaluating
from .visualize import sharding_table, sharding_text

__all__ = [
    "DebugEffect", "OrderedDebugEffect", "breakpoint", "callback", "inspect_array_sharding", "log", "print",
    "print_saved_residuals", "visualize_array_sharding", "visualize_sharding",
]
__dir__ = listed(__all__)

_ORDERED, _UNORDERED = OrderedDebugEffect(), DebugEffect()
_logger = logging.getLogger("olympus.debug")


@overload
def callback(
    callback: None = None, *, ordered: bool = False, partitioned: bool = False,
) -> Function[..., None]: ...
@overload
def callback(
    callback: Function[..., Any], *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any,
) -> None: ...
def callback(
    callback: Function[..., Any] | None = None, *args: Any, ordered: bool = False, partitioned: bool = False,
    **kwargs: Any,
) -> Any:
    """Calls a function of NumPy arrays whenever the program comes here; what it gives is dropped.

    The values are whole, and the function is called once, in the process of the first device; inside of `shard_map`
    once for each device, with its part.

    Args:
        callback: Takes NumPy arrays (read-only) in the structure of the arguments. Where it is left out, the result is
            a function that takes it and the arguments, and calls with the options of this call.
        *args: Its arguments: arrays, containers of them, and what is no array, which it gets as it is.
        ordered: Accepted for compatibility: calls always come in the order of the program.
        partitioned: Must be False: each device calls with its part inside of `shard_map`.
        **kwargs: Its named arguments.

    Returns:
        None; without a function the one that takes it.

    Raises:
        ArgumentError: When there is no function.
        NotSupportedError: For a call with parts.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> seen = []
        >>> @olympus.jit
        ... def f(x):
        ...     olympus.debug.callback(lambda v: seen.append(float(v)), x.sum())
        ...     return x + 1
        >>> y = f(jnp.ones(3))
        >>> seen
        [3.0]
    """
    if partitioned:
        raise _parts("debug.callback")
    if callback is None and not (args or kwargs):
        return lambda callback, *args, **kwargs: _called(callback, ordered, args, kwargs)
    return _called(callback, ordered, args, kwargs)


def _called(callback: Any, ordered: bool, args: Any, kwargs: Any) -> None:
    """What `callback` does once it has a function."""
    if not callable(callback):
        raise ArgumentError("debug.callback", "a function is needed", repr(callback), "a callable")
    call_host(name_of(callback), callback, None, (), args, kwargs, _ORDERED if ordered else _UNORDERED)


def breakpoint(
    *, backend: str | None = None, filter_frames: bool = True, num_frames: int | None = None, ordered: bool = False,
    token: Any = None, stdin: IO[str] | None = None, stdout: IO[str] | None = None,
) -> Any:
    """Stops the program here whenever it comes here, and talks with the user: a debugger on the command line.

    It shows the frames of the stack in which the breakpoint was traced, with the values that their variables have in
    the program that runs, as NumPy arrays: ``p x + 1``, ``pp``, ``locals``, ``list``, ``up``, ``down``, ``bt``,
    ``continue``, ``quit``, ``help``. Under `olympus.vmap` and in loops it stops for each index and each turn; inside of
    `shard_map` for each device, with its part.

    Args:
        backend: The debugger: ``"cli"``, also for None.
        filter_frames: Whether frames of olympus itself are left out.
        num_frames: How many frames there are, from the innermost one; all for None.
        ordered: Accepted for compatibility: breakpoints always come in the order of the program.
        token: An array, or a container of arrays: it is returned unchanged, and the program stops when it is computed;
            where the result is not used it does not stop.
        stdin: Where commands come from; the process's own for None. At its end the program goes on.
        stdout: Where answers go; the process's own for None.

    Returns:
        The token.

    Raises:
        ArgumentError: For another debugger, or a number of frames that is no positive integer.
        SystemExit: When the user quits.

    Example:
        >>> import io, olympus, olympus.numpy as jnp
        >>> answers = io.StringIO()
        >>> @olympus.jit
        ... def f(x):
        ...     y = jnp.sum(x)
        ...     olympus.debug.breakpoint(stdin=io.StringIO("p y"), stdout=answers)
        ...     return y
        >>> float(f(jnp.ones(3)))
        3.0
        >>> "3." in answers.getvalue()
        True
    """
    if backend not in (None, "cli"):
        raise ArgumentError("debug.breakpoint", "there is no such debugger", repr(backend), "'cli', or None")
    if num_frames is not None and (not isinstance(num_frames, int) or isinstance(num_frames, bool) or num_frames < 1):
        raise ArgumentError("debug.breakpoint", "num_frames is no positive integer", repr(num_frames), "such as 1")
    from .debugger import Breakpoint, Held, frames_at  # few programs stop

    frames = frames_at(sys._getframe(1), filter_frames, num_frames)
    held = Held(frames)
    stop = Breakpoint(held, stdin, stdout)
    if token is None and is_evaluating() and not held.values:
        stop()
        return None
    name = f"debug.breakpoint at {frames[0].file}:{frames[0].line}" if frames else "debug.breakpoint"
    if token is None:
        call_host(name, stop, None, (), tuple(held.values), {}, _ORDERED if ordered else _UNORDERED)
        return None
    leaves, structure = tree.flatten(token)
    count = len(held.values)

    def stops(*values: Any) -> Any:
        stop(*values[:count])
        return np.True_

    done = call_host(name, stops, tree.structure(0), (ArrayType((), np.dtype(np.bool_)),), (*held.values, *leaves), {},
                     None)
    # A choice between equal values: it waits for the condition, and derivatives go through.
    return tree.unflatten(structure, [_chosen(done[0], x) for x in leaves])


def _chosen(done: Any, value: Any) -> Any:
    """A value, as one of two that are equal."""
    condition = broadcast(done, aval_of(value).shape, False)
    return bind(ops.select, condition, value, value, weak=aval_of(value).weak)


def print_saved_residuals(f: Function[..., Any], *args: Any, **kwargs: Any) -> None:
    """Prints what a function keeps for the backward pass, when it is differentiated with respect to all its arguments.

    Args:
        f: The function.
        *args: Its arguments: arrays, or `ShapeDtypeStruct`.
        **kwargs: Likewise.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.ad_checkpoint.print_saved_residuals(lambda x, w: jnp.tanh(w * x).sum(), 1.0, 2.0)
        float32[] from the argument x
        float32[] from the argument w
        float32[] output of sub
    """
    # Not every program that looks at its values differentiates.
    from .transforms.derivatives.residuals import saved_residuals

    for aval, source in saved_residuals(f, *args, **kwargs):
        builtins.print(f"{aval!r} {source}")


@overload
def print(
    fmt: None = None, *, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False,
) -> Function[..., None]: ...
@overload
def print(
    fmt: str, *args: Any, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False,
    **kwargs: Any,
) -> None: ...
def print(  # the documents' name
    fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False,
    skip_format_check: bool = False, **kwargs: Any,
) -> Any:
    """Prints values whenever the program comes here, where and as often as `callback` calls.

    Args:
        fmt: A format string, as for `str.format`. Where it is left out, the result is a function that takes it and the
            values, and prints with the options of this call.
        *args: What its positional fields show.
        ordered: Accepted for compatibility: lines always come in the order of the program.
        partitioned: Must be False: each device prints its part inside of `shard_map`.
        skip_format_check: Whether values that no field shows are accepted.
        **kwargs: What its named fields show.

    Returns:
        None; without a format string the function that prints.

    Raises:
        ArgumentError: When the format string names a field that was not given, or does not show a value.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> @olympus.jit
        ... def f(x):
        ...     olympus.debug.print("x = {}, sum = {total:.1f}", x, total=x.sum())
        ...     return x + 1
        >>> y = f(jnp.arange(3))
        x = [0 1 2], sum = 3.0
    """
    return _said("debug.print", _Printer, fmt, args, ordered, partitioned, skip_format_check, kwargs)


@overload
def log(
    fmt: None = None, *, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False,
) -> Function[..., None]: ...
@overload
def log(
    fmt: str, *args: Any, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False,
    **kwargs: Any,
) -> None: ...
def log(
    fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False,
    skip_format_check: bool = False, **kwargs: Any,
) -> Any:
    """As `print`, but the line goes to the log ``olympus.debug``, at level INFO.

    Args:
        fmt: As for `print`, like the following.
        *args: Likewise.
        ordered: Likewise.
        partitioned: Likewise.
        skip_format_check: Likewise.
        **kwargs: Likewise.

    Returns:
        None; without a format string the function that logs.

    Raises:
        ArgumentError: As `print`.

    Example:
        >>> import logging, olympus
        >>> logging.getLogger("olympus.debug").setLevel(logging.INFO)
        >>> logging.getLogger("olympus.debug").addFilter(lambda record: seen.append(record.getMessage()))
        >>> seen = []
        >>> olympus.jit(lambda x: olympus.debug.log("x = {}", x))(3)
        >>> seen
        ['x = 3']
    """
    return _said("debug.log", _Logger, fmt, args, ordered, partitioned, skip_format_check, kwargs)


def _said(
    name: str, kind: type[_Printer | _Logger], fmt: str | None, args: Any, ordered: bool, partitioned: bool,
    skips_check: bool, kwargs: Any,
) -> Any:
    """What `print` and `log` do."""
    if partitioned:
        raise _parts(name)
    if fmt is None:
        if args or kwargs:
            raise ArgumentError(name, "there are values and no format string", ", ".join(map(described, args)),
                                "a format string first, such as '{}'")
        return lambda fmt, *args, **kwargs: _said(name, kind, fmt, args, ordered, False, skips_check, kwargs)
    if not isinstance(fmt, str):
        raise ArgumentError(name, "the format string is no text", described(fmt), "a str, such as 'x = {}'")
    try:
        formatter = _Fields()
        formatter.vformat(fmt, [_ANY] * len(args), dict.fromkeys(kwargs, _ANY))
    except (IndexError, KeyError, ValueError, AttributeError) as error:
        raise ArgumentError(name, f"the format string cannot be filled ({error})", repr(fmt),
                            f"fields for {len(args)} positional and the named arguments {sorted(kwargs)}") from None
    places = sorted(set(range(len(args))) - formatter.places)
    unused = [f"positional value {place}" for place in places] + sorted(set(kwargs) - formatter.names)
    if unused and not skips_check:
        raise ArgumentError(name, f"the format string does not show {', '.join(unused)}", repr(fmt),
                            f"a field such as {{{'' if places else unused[0]}}} for each value",
                            "Write a plain string: an f-string is filled while the function is traced.")
    call_host(f"{name}({fmt!r})", kind(fmt), None, (), args, kwargs, _ORDERED if ordered else _UNORDERED)
    return None


def _parts(name: str) -> NotSupportedError:
    """The error for values that are wanted in parts."""
    return NotSupportedError(f"{name} with partitioned=True", "values are handed over whole",
                             "Call it inside of olympus.shard_map, where each device does with its part.")


class _Fields(string.Formatter):
    """Notes which values a format string shows."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.places: set[int] = set()

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The value of a field."""
        if isinstance(key, str):
            self.names.add(key)
        else:
            self.places.add(key)
        return super().get_value(key, args, kwargs)


class _Any:
    """Can be formatted in any way."""

    def __format__(self, spec: str) -> str:
        return ""

    def __getattr__(self, name: str) -> _Any:
        return self

    def __getitem__(self, key: Any) -> _Any:
        return self


_ANY = _Any()


@dataclass(frozen=True, slots=True)
class _Printer:
    """Prints values; equal to others of the same format string."""

    fmt: str

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        builtins.print(self.fmt.format(*args, **kwargs))


@dataclass(frozen=True, slots=True)
class _Logger:
    """Logs values; equal to others of the same format string."""

    fmt: str

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        _logger.info("%s", self.fmt.format(*args, **kwargs))


def visualize_sharding(
    shape: Sequence[int], sharding: Sharding, *, use_color: bool = True, scale: float = 1.0, min_width: int = 9,
    max_width: int = 80, color_map: Function[[float], Sequence[float]] | None = None,
) -> None:
    """Prints how an array of this shape lies on its devices, of all processes.

    Args:
        shape: The array's shape, of one or two dimensions.
        sharding: How it lies on its devices.
        use_color: Whether to draw in colour where the terminal or the notebook has 256 colours or more.
        scale: Factor of the drawing's size.
        min_width: Least width of a box.
        max_width: Greatest width of the drawing, as far as the texts fit.
        color_map: Numbers from 0 to 1 to red, green and blue between 0 and 1, such as a colour map of Matplotlib; the
            colours of notebooks for None.

    Raises:
        VisualizeRankError: For no, or more than two, dimensions.
        IndivisibleError: Where the sharding does not divide the shape.

    Example:
        ``olympus.debug.visualize_sharding((8, 8), NamedSharding(mesh, P("x")))``

    Example:
        >>> import olympus
        >>> mesh = olympus.make_mesh((2,), ("x",), devices=olympus.devices()[:2])
        >>> sharding = olympus.NamedSharding(mesh, olympus.P("x"))
        >>> olympus.debug.visualize_sharding((8,), sharding, use_color=False)
        ┌───────┬───────┐
        │ CPU 0 │ CPU 1 │
        └───────┴───────┘
    """
    sizes = {"scale": scale, "min_width": min_width, "max_width": max_width}
    if use_color:
        from rich.console import Console

        console = Console(width=max_width)
        # With sixteen colours neighbours, or a text and its ground, can come out alike.
        if console.color_system in ("256", "truecolor"):
            console.print(sharding_table(shape, sharding, color_map=color_map, **sizes))  # type: ignore[arg-type]
            return
    builtins.print(sharding_text(shape, sharding, **sizes))  # type: ignore[arg-type]


def inspect_array_sharding(value: Any, *, callback: Function[[Sharding], Any]) -> None:
    """Calls a function with the sharding of each array of a tree, as soon as it is known.

    Of an array it is known at once; of a traced value when the function is compiled, by its first call or by
    ``jitted.lower(...).compile()``. A call of what is compiled already says nothing. Under `olympus.vmap` it is the
    sharding of the whole array; under `olympus.grad` that of the value, not of its derivative.

    Args:
        value: An array, a traced value, or a nested container of them.
        callback: Takes a sharding.

    Raises:
        ArgumentError: If `callback` is no function.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> mesh = olympus.make_mesh((2,), ("x",), devices=olympus.devices()[:2])
        >>> @olympus.jit
        ... def f(x):
        ...     y = jnp.sin(x)
        ...     olympus.debug.inspect_array_sharding(y, callback=seen.append)
        ...     return y.sum()
        >>> seen = []
        >>> y = f(olympus.device_put(jnp.ones(4), olympus.NamedSharding(mesh, olympus.P("x"))))
        >>> seen[0].spec
        PartitionSpec('x',)
    """
    # Not every program that looks at its values asks where they lie.
    from .transforms.inspecting import inspect

    if not callable(callback):
        raise ArgumentError("inspect_array_sharding", "a function is needed", described(callback), "a callable")
    for leaf in tree.leaves(value):
        inspect(leaf, callback)


def visualize_array_sharding(arr: Any, **kwargs: Any) -> None:
    """Prints how an array lies on its devices, of all processes; of a traced value, when it is compiled.

    Args:
        arr: An array, or a traced value, of one or two dimensions.
        **kwargs: As for `visualize_sharding`.

    Raises:
        NotShardedError: For a value that lies on no device.
        VisualizeRankError: For no, or more than two, dimensions.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.debug.visualize_array_sharding(jnp.arange(8), use_color=False)
        ┌───────────────┐
        │     CPU 0     │
        └───────────────┘
    """
    if not (is_concrete(arr) or isinstance(arr, Tracer)):
        raise NotShardedError(type(arr).__name__)
    inspect_array_sharding(arr, callback=lambda sharding: visualize_sharding(arr.shape, sharding, **kwargs))
