# SPDX-License-Identifier: Apache-2.0
"""Data classes that are made in an eighth of the time: a process makes 180 before its first result.

For type checkers both decorators are Python's own. Python writes a text for each method and compiles it; here that is
done for `__init__` alone, when a class has its first object, which most never have. The others are closures that know
the names of the fields. A frozen `dataclass` is so for type checkers alone, a frozen `public_dataclass` for all.
"""

from __future__ import annotations

from dataclasses import field, fields, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
    from dataclasses import dataclass as public_dataclass
else:
    import dataclasses
    import sys
    from operator import attrgetter

    def dataclass(cls=None, /, *, frozen=False, eq=True, repr=True, **options):
        """As Python's `dataclasses.dataclass`.

        Args:
            cls: The class.
            frozen: Whether it has a hash, and no attributes that change.
            eq: Whether its objects are equal where their fields are.
            repr: Whether its objects are written as calls.
            **options: Others of Python's.
        """
        if cls is None:
            return lambda given: dataclass(given, frozen=frozen, eq=eq, repr=repr, **options)
        own = vars(cls)
        has_hash = own.get("__hash__") is not None or "__hash__" in own and "__eq__" not in own
        cls.__doc__ = cls.__doc__ or cls.__name__  # Python would write the signature there
        above = getattr(cls, "__dataclass_params__", None)
        if frozen and above is not None and above.frozen:
            options["frozen"] = True  # Python insists on it
        made = dataclasses.dataclass(init=False, repr=False, eq=False, **options)(cls)
        known = fields(made)
        made.__dataclass_params__.eq = eq
        made.__init__ = _Deferred(made)
        if eq:
            if "__eq__" not in own:
                made.__eq__ = _equality(_values([f.name for f in known if f.compare]))
            if not has_hash:
                names = [f.name for f in known if (f.compare if f.hash is None else f.hash)]
                made.__hash__ = _hash(_values(names)) if frozen else None
        if repr and "__repr__" not in own:
            made.__repr__ = _text([f.name for f in known if f.repr])
        return made

    def public_dataclass(cls=None, /, *, frozen=False, **options):
        """As `dataclass`, for what users hold: where it is frozen, nobody can set an attribute.

        Args:
            cls: The class.
            frozen: Whether it is.
            **options: Others of Python's.
        """
        if cls is None:
            return lambda given: public_dataclass(given, frozen=frozen, **options)
        made = dataclass(cls, frozen=frozen, **options)
        if frozen:
            made.__dataclass_params__.frozen = True
            _guard(made, [f.name for f in fields(made)])
        return made

    class _Deferred:
        """What stands for Python's `__init__` until somebody asks for it."""

        __slots__ = ("_made",)

        def __init__(self, made):
            self._made = made

        def __get__(self, instance, owner):
            init = self._made.__init__ = _init_of(self._made)
            return init if instance is None else init.__get__(instance)

    def _init_of(made):
        parameters, keywords, lines, annotations = [], [], [], {}
        is_frozen = made.__dataclass_params__.frozen
        scope = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
        for f in fields(made):
            name, default, given = f.name, f"_of_{f.name}", f.name
            has_default, has_factory = (d is not dataclasses.MISSING for d in (f.default, f.default_factory))
            if not (f.init or has_default or has_factory):
                continue
            scope[default] = f.default if has_default else f.default_factory
            if f.init:
                annotations[name] = f.type
                (keywords if f.kw_only else parameters).append(
                    f"{name}={default}" if has_default else f"{name}=_missing" if has_factory else name)
            if has_factory:
                given = f"{default}() if {name} is _missing else {name}" if f.init else f"{default}()"
            elif not f.init:
                given = default
            lines.append(f"_set(self, {name!r}, {given})" if is_frozen else f"self.{name} = {given}")
        if hasattr(made, "__post_init__"):
            lines.append("self.__post_init__()")
        head = ", ".join(["self", *parameters, *(["*", *keywords] if keywords else [])])
        text = "\n  ".join([f"def make({', '.join(scope)}):\n def __init__({head}):", *(lines or ["pass"])])
        # Its globals are the module's, in which annotations mean something.
        found, module = {}, sys.modules.get(made.__module__)
        exec(text + "\n return __init__", {} if module is None else vars(module), found)  # noqa: S102
        init = found["make"](**scope)
        init.__qualname__, init.__annotations__ = f"{made.__qualname__}.__init__", {**annotations, "return": None}
        return init

    def _guard(made, names):
        """Refuses what would change an object, and lets copies be made nevertheless."""
        def refuse(self, name, *value):
            if type(self) is made or name in names:
                raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")
            (object.__setattr__ if value else object.__delattr__)(self, name, *value)

        def restore(self, state):
            for name, value in zip(names, state, strict=True):
                object.__setattr__(self, name, value)

        made.__setattr__ = made.__delattr__ = refuse
        if "__slots__" in vars(made):
            made.__getstate__, made.__setstate__ = lambda self: [getattr(self, name) for name in names], restore

    def _values(names):
        """What gives the fields of an object as a tuple: tuples compare identical items as equal."""
        if len(names) > 1:
            return attrgetter(*names)
        return (lambda x, get=attrgetter(names[0]): (get(x),)) if names else lambda x: ()

    def _equality(values):
        return lambda self, other: (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented)

    def _hash(values):
        return lambda self: hash(values(self))

    def _text(names):
        return lambda self: "{}({})".format(
            self.__class__.__qualname__, ", ".join([f"{name}={getattr(self, name)!r}" for name in names]))


__all__ = ["dataclass", "field", "fields", "public_dataclass", "replace"]
