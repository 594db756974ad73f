# SPDX-License-Identifier: Apache-2.0
"""Functions of flat values with transformations around them, as libraries pass them to tracing functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, StoreException, described

from ..transforms.jaxpr import DebugInfo


class Store:
    """Holds what a transformation finds out while its function runs, besides the results."""

    __slots__ = ("_full", "_value")

    def __init__(self) -> None:
        self._value: Any = None
        self._full = False

    def store(self, val: Any) -> None:
        """Puts a value in, once.

        Args:
            val: The value.
        """
        if self._full:
            raise StoreException(True)
        self._value, self._full = val, True

    def reset(self) -> None:
        """Empties it."""
        self._value, self._full = None, False

    @property
    def val(self) -> Any:
        """The value; an error where the function was not called."""
        if not self._full:
            raise StoreException(False)
        return self._value

    def __bool__(self) -> bool:
        return self._full


class EqualStore(Store):
    """A store that takes an equal value again."""

    def store(self, val: Any) -> None:
        """Puts a value in; again only an equal one.

        Args:
            val: The value.
        """
        if not self or self.val != val:
            super().store(val)


class WrappedFun:
    """A function with transformations around it; made by `wrap_init`.

    Args:
        f: The function itself.
        f_transformed: What is called.
        transforms: The transformations, outermost first, each with its static arguments.
        stores: Where each of them puts what it finds out; None where it does not.
        params: Named arguments of the function.
        in_type: Types of the arguments, where known.
        debug_info: Where the function comes from.
    """

    __slots__ = ("__weakref__", "debug_info", "f", "f_transformed", "in_type", "params", "stores", "transforms")

    def __init__(
        self, f: Callable[..., Any], f_transformed: Callable[..., Any],
        transforms: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...], stores: tuple[Store | None, ...],
        params: tuple[tuple[str, Any], ...], in_type: Any, debug_info: DebugInfo | None,
    ) -> None:
        self.f, self.f_transformed, self.transforms, self.stores = f, f_transformed, transforms, stores
        self.params, self.in_type, self.debug_info = params, in_type, debug_info

    @property
    def __name__(self) -> str:
        return getattr(self.f, "__name__", "<unnamed function>")

    def wrap(self, gen: Callable[..., Any], gen_static_args: tuple[Any, ...], out_store: Store | None) -> WrappedFun:
        """The same with one more transformation around it.

        Args:
            gen: Takes the function inside, the store where there is one, the static arguments, and the arguments.
            gen_static_args: The static arguments.
            out_store: Where it puts what it finds out.
        """
        given = (self.f_transformed,) if out_store is None else (self.f_transformed, out_store)
        return WrappedFun(
            self.f, functools.partial(gen, *given, *gen_static_args), ((gen, gen_static_args), *self.transforms),
            (out_store, *self.stores), self.params, None, self.debug_info)

    def call_wrapped(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it, transformations included.

        Args:
            *args: Its arguments.
            **kwargs: Its named arguments.
        """
        return self.f_transformed(*args, **kwargs)

    def populate_stores(self, stores: Sequence[Store | None]) -> None:
        """Puts into its stores what other stores hold.

        Args:
            stores: The others, one for each.
        """
        for own, other in zip(self.stores, stores, strict=True):
            if own is not None and other is not None:
                own.store(other.val)

    def replace_debug_info(self, debug_info: DebugInfo) -> WrappedFun:
        """The same with another origin.

        Args:
            debug_info: The origin.
        """
        return WrappedFun(self.f, self.f_transformed, self.transforms, self.stores, self.params, self.in_type,
                          debug_info)

    def _key(self) -> tuple[Any, ...]:
        return (self.transforms, self.f, self.params, self.in_type)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WrappedFun) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        names = [getattr(gen, "__name__", repr(gen)) for gen, _ in self.transforms]
        return f"<{self.__name__} inside of {', '.join(names)}>" if names else f"<{self.__name__}, wrapped>"


def wrap_init(
    f: Callable[..., Any], params: Mapping[str, Any] | None = None, *, debug_info: DebugInfo | None = None
) -> WrappedFun:
    """A function without transformations, to put some around it.

    Args:
        f: The function.
        params: Named arguments that it is always called with.
        debug_info: Where it comes from.

    Example:
        >>> from olympus.extend import linear_util as lu
        >>> lu.wrap_init(lambda x, n: x + n, {"n": 2}).call_wrapped(1)
        3
    """
    if not callable(f):
        raise ArgumentError("wrap_init", "a function is needed", described(f))
    named = dict(params or {})
    return WrappedFun(f, functools.partial(f, **named) if named else f, (), (), tuple(sorted(named.items())), None,
                      debug_info)


def transformation2(gen: Callable[..., Any]) -> Callable[..., WrappedFun]:
    """Makes a transformation of a function that takes the function inside, static arguments, and the arguments.

    Args:
        gen: That function; it gives the results.

    Returns:
        A function of a `WrappedFun` and the static arguments, to a `WrappedFun`.

    Example:
        >>> from olympus.extend import linear_util as lu
        >>> @lu.transformation2
        ... def plus(f, n, *args):
        ...     return f(*args) + n
        >>> plus(lu.wrap_init(lambda x: 2 * x), 3).call_wrapped(5)
        13
    """
    @functools.wraps(gen)
    def transform(fun: WrappedFun, *gen_static_args: Any) -> WrappedFun:
        return fun.wrap(gen, gen_static_args, None)

    return transform


def transformation_with_aux2(
    gen: Callable[..., Any], use_eq_store: bool = False
) -> Callable[..., tuple[WrappedFun, Callable[[], Any]]]:
    """As `transformation2`, with a store after the function inside, for what is found out besides the results.

    Args:
        gen: The function.
        use_eq_store: Whether the store takes an equal value again.

    Returns:
        A function as of `transformation2` that also gives a function, which tells what was stored.

    Example:
        >>> from olympus.extend import linear_util as lu
        >>> @lu.transformation_with_aux2
        ... def counted(f, store, *args):
        ...     store.store(len(args))
        ...     return f(*args)
        >>> f, count = counted(lu.wrap_init(lambda x, y: x * y))
        >>> f.call_wrapped(2, 3), count()
        (6, 2)
    """
    @functools.wraps(gen)
    def transform(
        fun: WrappedFun, *gen_static_args: Any, use_eq_store: bool = use_eq_store
    ) -> tuple[WrappedFun, Callable[[], Any]]:
        store = EqualStore() if use_eq_store else Store()
        return fun.wrap(gen, gen_static_args, store), lambda: store.val

    return transform


def transformation(gen: Callable[..., Any]) -> Callable[..., WrappedFun]:
    """Makes a transformation of a generator: it yields arguments, is sent the results, and yields results.

    Args:
        gen: Takes static arguments, then the arguments; yields a pair of arguments and named arguments first.

    Example:
        >>> from olympus.extend import linear_util as lu
        >>> @lu.transformation
        ... def plus(n, *args):
        ...     found = yield args, {}
        ...     yield found + n
        >>> plus(lu.wrap_init(lambda x: 2 * x), 3).call_wrapped(5)
        13
    """
    @functools.wraps(gen)
    def around(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return _driven(gen, f, args, kwargs)

    return transformation2(around)


def transformation_with_aux(gen: Callable[..., Any]) -> Callable[..., tuple[WrappedFun, Callable[[], Any]]]:
    """As `transformation`; the generator yields results and what is to be told besides.

    Args:
        gen: The generator.

    Example:
        >>> from olympus.extend import linear_util as lu
        >>> @lu.transformation_with_aux
        ... def counted(*args):
        ...     found = yield args, {}
        ...     yield found, len(args)
        >>> f, count = counted(lu.wrap_init(lambda x, y: x * y))
        >>> f.call_wrapped(2, 3), count()
        (6, 2)
    """
    @functools.wraps(gen)
    def around(f: Callable[..., Any], store: Store, *args: Any, **kwargs: Any) -> Any:
        found, aux = _driven(gen, f, args, kwargs)
        store.store(aux)
        return found

    return transformation_with_aux2(around)


def _driven(
    gen: Callable[..., Any], f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    running = gen(*args, **kwargs)
    inner_args, inner_kwargs = next(running)
    try:
        return running.send(f(*inner_args, **inner_kwargs))
    finally:
        running.close()


def merge_linear_aux(aux1: Callable[[], Any], aux2: Callable[[], Any]) -> tuple[bool, Any]:
    """What one of two transformations has told, of which one has run.

    Args:
        aux1: Tells what the first has stored.
        aux2: Tells what the second has stored.

    Returns:
        Whether it was the first, and what it told.

    Raises:
        StoreException: When none, or both, have run.

    Example:
        >>> from olympus.extend import linear_util as lu
        >>> _, never = lu.transformation_with_aux2(lambda f, store: f())(lu.wrap_init(int))
        >>> lu.merge_linear_aux(never, lambda: 5)
        (False, 5)
    """
    try:
        first = aux1()
    except StoreException:
        return False, aux2()
    try:
        aux2()
    except StoreException:
        return True, first
    raise StoreException(True)


def cache(call: Callable[..., Any], *, explain: Callable[..., None] | None = None) -> Callable[..., Any]:
    """Remembers what a function of a `WrappedFun` gives, for as long as the function inside lives.

    Args:
        call: Takes a `WrappedFun` and further arguments, which have a hash.
        explain: Accepted for compatibility.

    Example:
        >>> from olympus.extend import linear_util as lu
        >>> calls = []
        >>> def f(x): return x
        >>> g = lu.cache(lambda fun, n: calls.append(n) or fun.call_wrapped(n))
        >>> g(lu.wrap_init(f), 1), g(lu.wrap_init(f), 1), calls
        (1, 1, [1])
    """
    known: WeakKeyDictionary[Callable[..., Any], dict[Any, Any]] = WeakKeyDictionary()

    @functools.wraps(call)
    def cached(fun: WrappedFun, *args: Any) -> Any:
        of_function = known.setdefault(fun.f, {})
        key = (fun.transforms, fun.params, fun.in_type, args)
        if key in of_function:
            found, stores = of_function[key]
            fun.populate_stores(stores)
            return found
        found = call(fun, *args)
        of_function[key] = (found, fun.stores)
        return found

    return cached


__all__ = [
    "EqualStore", "Store", "StoreException", "WrappedFun", "cache", "merge_linear_aux", "transformation",
    "transformation2", "transformation_with_aux", "transformation_with_aux2", "wrap_init",
]
__dir__ = listed(__all__)
