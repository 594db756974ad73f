# SPDX-License-Identifier: Apache-2.0
"""Names that users give to parts of their programs, which stand beside the source lines; the mesh in use."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple, ParamSpec, TypeVar

from olympus_core.location import user_location

from .wrapping import wraps

P = ParamSpec("P")
R = TypeVar("R")


class EnteredMesh(NamedTuple):
    """A mesh of ``with mesh:``, which gives names to specs and moves nothing; the mesh `around` it places arrays."""

    mesh: Any
    around: Any


# A mesh that may have no devices, an `EnteredMesh`, or None.
mesh_in_use: ContextVar[Any] = ContextVar("olympus_mesh", default=None)


def current_mesh() -> Any:
    """A `Mesh` or None; under `use_abstract_mesh` it may have no devices."""
    held = mesh_in_use.get()
    return held.mesh if isinstance(held, EnteredMesh) else held


# Within a function of olympus's own, that is: what it promotes is not the user's.
_is_inside: ContextVar[bool] = ContextVar("olympus_inside", default=False)
_is_deeper: ContextVar[bool] = ContextVar("olympus_deeper", default=False)
_scope: ContextVar[str] = ContextVar("olympus_scope", default="")
current_scope = _scope.get
# While the operations of a program are bound again: where the one stands that is bound now.
_origin: ContextVar[str | None] = ContextVar("olympus_origin", default=None)
_PLACE = re.compile(r"(.*:\d+)(?: \((.*)\))?")  # a file's name may have brackets, too


@contextlib.contextmanager
def named_scope(name: str) -> Iterator[None]:
    """Names a part of a program: the name stands beside the source lines of its operations.

    It shows in `olympus.explain`, in program texts with locations, and in errors. Works as a context manager and as
    a decorator; scopes nest.

    Args:
        name: The name.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> def layer(x):
        ...     with olympus.named_scope("encoder"):
        ...         return jnp.sin(x)
        >>> olympus.make_program(layer)(1.0).operations[0].location.endswith("(encoder)")
        True
    """
    outer = _scope.get()
    token = _scope.set(f"{outer}/{name}" if outer else name)
    try:
        yield
    finally:
        _scope.reset(token)


def named_call(fun: Callable[P, R] | None = None, *, name: str | None = None) -> Any:
    """A function whose operations have a name beside their source lines; see `named_scope`.

    Args:
        fun: The function; left out, a decorator is given.
        name: The name; the function's own for None.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> double = olympus.named_call(lambda x: 2 * x, name="double")
        >>> float(double(3.0))
        6.0
    """
    if fun is None:
        return functools.partial(named_call, name=name)
    shown = name or str(getattr(fun, "__name__", type(fun).__name__))

    @wraps(fun)
    def named(*args: P.args, **kwargs: P.kwargs) -> R:
        with named_scope(shown):
            return fun(*args, **kwargs)

    return named


def inside(function: Callable[..., R], args: Any, kwargs: Any) -> R:
    """Calls one of olympus's own functions, noting that what it calls itself is not called by the user."""
    outer = _is_inside.get(), _is_deeper.get()
    _is_deeper.set(outer[0])
    _is_inside.set(True)
    try:
        return function(*args, **kwargs)
    finally:
        _is_inside.set(outer[0])
        _is_deeper.set(outer[1])


def is_users_call() -> bool:
    """Whether the function of olympus that runs was called by the user, and not by another one."""
    return not _is_deeper.get()


def scoped(location: str) -> str:
    """A source line with the scope in which it stands."""
    scope = _scope.get()
    return f"{location} ({scope})" if scope else location


def origin() -> str | None:
    """Where the operation of a program stands that is bound again; None where the user's function runs."""
    return _origin.get()


@contextlib.contextmanager
def origins() -> Iterator[Callable[[str | None], object]]:
    """Lets operations that are bound have other places than the user's line, which is then not looked for.

    Gives a function of the place of the program's operation that is bound next; None for one of no known place.
    """
    outer = _origin.get()
    try:
        yield lambda location: _origin.set(location or outer)
    finally:
        _origin.set(outer)


class at_users_line:  # written out: every differentiated operation enters it
    """Has all that follows from one operation stand at the user's line, which is looked for once.

    Args:
        is_wanted: Whether any program has what follows: operations that run at once have no place.
    """

    __slots__ = ("_is_wanted", "_token")

    def __init__(self, is_wanted: bool = True) -> None:
        self._is_wanted = is_wanted

    def __enter__(self) -> None:
        is_new = self._is_wanted and _origin.get() is None
        self._token = _origin.set(scoped(user_location(2))) if is_new else None

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _origin.reset(self._token)


@contextlib.contextmanager
def without_origin() -> Iterator[None]:
    """Has the user's lines count again, where a function of the user's runs while a program is bound."""
    token = _origin.set(None)
    try:
        yield
    finally:
        _origin.reset(token)


def within_scope(location: str | None) -> str | None:
    """The place of an operation that was traced before, with the scope in which it is used."""
    scope = _scope.get()
    if not scope or location is None:
        return location
    line, inner = parts_of(location)
    return f"{line} ({scope}/{inner})" if inner else f"{line} ({scope})"


def parts_of(location: str) -> tuple[str, str]:
    """The source line of a place, and the scope that stands beside it."""
    found = _PLACE.fullmatch(location)
    return (found[1], found[2] or "") if found else (location, "")


@contextlib.contextmanager
def without_scope() -> Iterator[None]:
    """Leaves out the scopes around while something is traced that may be used in others."""
    token = _scope.set("")
    try:
        yield
    finally:
        _scope.reset(token)
