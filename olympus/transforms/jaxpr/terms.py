# SPDX-License-Identifier: Apache-2.0
"""The terms of a jaxpr: variables, literals, equations, and jaxprs of these, open and closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from olympus_core.errors import ArgumentError, described
from olympus_core.program import ArrayType, Program

from ...callbacks import Effect
from ...tracing import Aval, aval_of
from ...tracing.scopes import parts_of
from .primitive import Primitive

Atom = Any  # a `Var` or a `Literal`


class Notation:
    """How jaxprs and equations are printed; `text` says it, which knows the terms."""

    __slots__ = ("equation", "jaxpr")
    jaxpr: Callable[[Any], str]
    equation: Callable[[Any], str]


NOTATION = Notation()
no_effects: frozenset[Effect] = frozenset()


class Var:
    """A variable of a jaxpr; compared by identity.

    Args:
        aval: Its type.
    """

    __slots__ = ("__weakref__", "aval")

    def __init__(self, aval: Aval, initial_qdd: Any = None, final_qdd: Any = None) -> None:
        self.aval = aval

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={id(self)}):{self.aval!r}"


class DropVar(Var):
    """A result that nobody uses."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "_"


class Literal:
    """A constant that stands in an equation.

    Args:
        val: Its value.
        aval: Its type; the value's own when left out.
    """

    __slots__ = ("aval", "val")

    def __init__(self, val: Any, aval: Aval | None = None) -> None:
        self.val, self.aval = val, aval_of(val) if aval is None else aval

    @property
    def hash(self) -> int | None:
        """The value's hash; None where it has none."""
        try:
            return hash(self.val)
        except TypeError:
            return None

    def __repr__(self) -> str:
        return f"Literal({self.val})"


class SourceInfo(str):
    """Where an equation comes from: the user's line, ``file:line``, and the names of the scopes around it.

    Args:
        place: The line, with the names in brackets behind it; empty where none is known.

    Example:
        >>> SourceInfo("toy.py:3 (encoder/linear)").name_stack
        'encoder/linear'
    """

    __slots__ = ()

    def __new__(cls, place: str = "") -> SourceInfo:
        """The place."""
        return super().__new__(cls, place)

    @property
    def line(self) -> str:
        """The user's line, without the names; empty where none is known."""
        return parts_of(self)[0]

    @property
    def name_stack(self) -> str:
        """The names of `olympus.named_scope` around the operation, separated by slashes; empty without any."""
        return parts_of(self)[1]

    @property
    def traceback(self) -> SourceInfo | None:
        """What `olympus.extend.source_info_util.user_context` takes: the line, as of the calls no more is kept."""
        return self or None


class EquationContext:
    """What is in effect around an equation: nothing, since programs say all in their operations."""

    __slots__ = ()

    @property
    def manager(self) -> AbstractContextManager[None]:
        """A context in which an interpreter evaluates the equation."""
        return nullcontext()


NO_CONTEXT = EquationContext()


class JaxprEqn:
    """One step of a jaxpr: results of a primitive, given operands. Never changed; `replace` makes another.

    Args:
        invars: The operands.
        outvars: The results.
        primitive: What is done.
        params: Its constants, sub-programs among them.
        effects: What it does besides.
        source_info: Where it comes from, as text.
        ctx: What evaluating it is done in: `ctx.manager` is a context manager.
    """

    __slots__ = ("ctx", "effects", "invars", "outvars", "params", "primitive", "source_info")

    def __init__(
        self, invars: Iterable[Atom], outvars: Iterable[Var], primitive: Primitive, params: Mapping[str, Any],
        effects: Iterable[Any] = no_effects, source_info: Any = None, ctx: Any = None,
    ) -> None:
        self.invars, self.outvars = list(invars), list(outvars)
        self.primitive, self.params = primitive, dict(params)
        self.effects, self.source_info, self.ctx = frozenset(effects), SourceInfo(source_info or ""), ctx or NO_CONTEXT

    def replace(self, **changes: Any) -> JaxprEqn:
        """The same equation with other fields.

        Args:
            **changes: The fields, by the names of the arguments.
        """
        return JaxprEqn(**_changed("JaxprEqn.replace", self, self.__slots__, changes))

    def __repr__(self) -> str:
        return NOTATION.equation(self)


class DebugInfo(NamedTuple):
    """Where a jaxpr comes from.

    Attributes:
        traced_for: The function of olympus that traced it.
        func_src_info: The traced function.
        arg_names: Names of its arguments, where known.
        result_paths: Names of its results, where known.
    """

    traced_for: str
    func_src_info: str
    arg_names: tuple[str, ...] | None = None
    result_paths: tuple[str, ...] | None = None

    @property
    def func_name(self) -> str:
        """The traced function's name."""
        return self.func_src_info.split(" ")[0]


class Jaxpr:
    """Equations from variables to results; the values of its constants are given by who runs it.

    Args:
        constvars: Variables of the constants.
        invars: Variables of the arguments.
        outvars: The results.
        eqns: The equations, in order.
        effects: What they do besides; found from them when left out.
        debug_info: Where it comes from.
        is_high: Accepted for compatibility.
    """

    __slots__ = ("__weakref__", "_origin", "constvars", "debug_info", "effects", "eqns", "invars", "outvars")

    def __init__(
        self, constvars: Iterable[Var], invars: Iterable[Var], outvars: Iterable[Atom], eqns: Iterable[JaxprEqn],
        effects: Iterable[Any] | None = None, debug_info: DebugInfo | None = None, is_high: bool = False,
    ) -> None:
        self.constvars, self.invars, self.outvars = list(constvars), list(invars), list(outvars)
        self.eqns = list(eqns)
        own = frozenset(effect for eqn in self.eqns for effect in eqn.effects)
        self.effects = own if effects is None else own | frozenset(effects)
        self.debug_info = debug_info
        self._origin: tuple[Program, list[Any]] | None = None

    @property
    def in_avals(self) -> list[Aval]:
        """Types of the arguments."""
        return [v.aval for v in self.invars]

    @property
    def out_avals(self) -> list[Aval]:
        """Types of the results."""
        return [v.aval for v in self.outvars]

    @property
    def is_high(self) -> bool:
        """False: no primitive here stands for others."""
        return False

    def replace(self, **changes: Any) -> Jaxpr:
        """The same jaxpr with other fields.

        Args:
            **changes: The fields, by the names of the arguments.

        Example:
            >>> import olympus, olympus.numpy as jnp
            >>> jaxpr = olympus.make_jaxpr(lambda x: (jnp.sin(x), jnp.cos(x)))(1.0).jaxpr
            >>> print(jaxpr.replace(outvars=jaxpr.outvars[:1], eqns=jaxpr.eqns[:1]))
            { lambda ; a:f32[]. let b:f32[] = sin a in (b,) }
        """
        names = ("constvars", "invars", "outvars", "eqns", "effects", "debug_info")
        if "eqns" in changes:
            changes.setdefault("effects", None)
        return Jaxpr(**_changed("Jaxpr.replace", self, names, changes))

    def pretty_print(self, **options: Any) -> str:
        """The jaxpr as text.

        Args:
            **options: Accepted for compatibility.
        """
        return str(self)

    def _made_of(self, program: Program) -> None:
        """Notes the program that it says the same as."""
        self._origin = (program, self._content())

    def _content(self) -> list[Any]:
        return [*self.constvars, None, *self.invars, None, *self.outvars, None, *self.eqns]

    def _program(self) -> Program | None:
        """The program that it was made of, unless its lists were changed since."""
        if self._origin is None:
            return None
        program, content = self._origin
        now = self._content()
        same = len(now) == len(content) and all(a is b for a, b in zip(now, content, strict=True))
        return program if same else None

    def __repr__(self) -> str:
        return NOTATION.jaxpr(self)


class ClosedJaxpr:
    """A jaxpr with the values of its constants.

    Args:
        jaxpr: The jaxpr.
        consts: A value for each of its `constvars`.

    Raises:
        ArgumentError: When there is not one value for each.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> closed = olympus.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0)
        >>> [eqn.primitive.name for eqn in closed.jaxpr.eqns]
        ['sin', 'mul']
    """

    __slots__ = ("__weakref__", "consts", "jaxpr")

    def __init__(self, jaxpr: Jaxpr, consts: Sequence[Any] = ()) -> None:
        if len(consts) != len(jaxpr.constvars):
            raise ArgumentError("ClosedJaxpr", "there is not one value for each constant", len(consts),
                                len(jaxpr.constvars), "Give a value for each of jaxpr.constvars.")
        self.jaxpr, self.consts = jaxpr, list(consts)

    @property
    def eqns(self) -> list[JaxprEqn]:
        """The equations, in order."""
        return self.jaxpr.eqns

    @property
    def constvars(self) -> list[Var]:
        """Variables of the constants."""
        return self.jaxpr.constvars

    @property
    def invars(self) -> list[Var]:
        """Variables of the arguments."""
        return self.jaxpr.invars

    @property
    def outvars(self) -> list[Atom]:
        """The results."""
        return self.jaxpr.outvars

    @property
    def in_avals(self) -> list[Aval]:
        """Types of the arguments."""
        return self.jaxpr.in_avals

    @property
    def out_avals(self) -> list[Aval]:
        """Types of the results."""
        return self.jaxpr.out_avals

    @property
    def literals(self) -> list[Any]:
        """The values of the constants."""
        return self.consts

    @property
    def effects(self) -> frozenset[Any]:
        """What the equations do besides giving results."""
        return self.jaxpr.effects

    @property
    def debug_info(self) -> DebugInfo | None:
        """Where it comes from."""
        return self.jaxpr.debug_info

    @property
    def is_high(self) -> bool:
        """False: no primitive here stands for others."""
        return False

    def replace(self, *, jaxpr: Jaxpr | None = None, consts: Sequence[Any] | None = None) -> ClosedJaxpr:
        """The same with another jaxpr, or other values of the constants.

        Args:
            jaxpr: The jaxpr; the same when left out.
            consts: The values; the same when left out.
        """
        return ClosedJaxpr(self.jaxpr if jaxpr is None else jaxpr, self.consts if consts is None else consts)

    def map_jaxpr(self, f: Any) -> ClosedJaxpr:
        """The same with the jaxpr that a function makes of its own.

        Args:
            f: Takes the jaxpr and gives one with the same constants.
        """
        return ClosedJaxpr(f(self.jaxpr), self.consts)

    def pretty_print(self, **options: Any) -> str:
        """The jaxpr as text.

        Args:
            **options: Accepted for compatibility.
        """
        return str(self)

    def __repr__(self) -> str:
        return repr(self.jaxpr)


def _changed(function: str, given: Any, names: Sequence[str], changes: Mapping[str, Any]) -> dict[str, Any]:
    unknown = changes.keys() - set(names)
    if unknown:
        raise ArgumentError(function, "there is no such field", ", ".join(sorted(unknown)), ", ".join(names))
    return {name: changes.get(name, getattr(given, name)) for name in names}


def literal_of(value: np.ndarray) -> Literal:
    """A constant of a program as a literal."""
    return Literal(value[()] if value.ndim == 0 else value, Aval(ArrayType(value.shape, value.dtype)))


def jaxpr_of(given: Any, function: str) -> Jaxpr:
    """The jaxpr of an open or a closed one."""
    found = given.jaxpr if isinstance(given, ClosedJaxpr) else given
    if not isinstance(found, Jaxpr):
        raise ArgumentError(function, "a jaxpr is needed", described(given), "a Jaxpr or a ClosedJaxpr",
                            "Make one with olympus.make_jaxpr.")
    return found
