# SPDX-License-Identifier: Apache-2.0
"""Every public function and class tells its parameters, with their types, and what it gives."""

import enum
import inspect
import typing
from functools import cached_property

import pytest

import olympus
import olympus.numpy as jnp
from tools.reference.names import MODULES, is_ours, public_members, public_names

VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def functions(page):
    """The public functions of a module, and the methods of its classes, by their names."""
    for name, value in public_names(page).items():
        if not is_ours(value) or typing.get_origin(value) is not None:
            continue
        if isinstance(value, type):
            if not issubclass(value, enum.Enum) and not getattr(value, "_is_protocol", False):
                yield name, value, False
            for member, of in public_members(value):
                if isinstance(of, (property, cached_property)):
                    yield f"{name}.{member}", of.fget if isinstance(of, property) else of.func, True
                elif isinstance(of, (staticmethod, classmethod)):
                    yield f"{name}.{member}", of.__func__, isinstance(of, classmethod)
                elif not isinstance(of, (type, enum.Enum)):  # a member of an enumeration may be callable, too
                    yield f"{name}.{member}", of, True
        elif callable(value):
            is_function = inspect.isroutine(value) or hasattr(value, "__wrapped__")
            yield name, value if is_function else type(value).__call__, not is_function


def faults(function, is_method):
    """What a signature does not tell."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[1 if is_method else 0:]
    for parameter in parameters:
        if parameter.annotation is parameter.empty:
            yield f"{parameter.name} has no type"
        if " at 0x" in repr(parameter.default):
            yield f"{parameter.name} has the default {parameter.default!r}"
    if not isinstance(function, type) and signature.return_annotation is signature.empty:
        yield "there is no type of the result"
    hints = typing.get_type_hints(function.__init__ if isinstance(function, type) else function)
    for parameter in parameters:
        if not isinstance(function, type) and parameter.name not in hints and parameter.kind not in VARIADIC:
            yield f"the type of {parameter.name} cannot be looked up"


@pytest.mark.parametrize("page", MODULES)
def test_signatures_are_whole(page):
    found = {}
    for name, function, is_method in functions(page):
        try:
            wrong = list(faults(function, is_method))
        except (TypeError, ValueError, NameError) as error:
            wrong = [repr(error)]
        if wrong:
            found[name] = wrong
    assert not found


def test_functions_of_arrays_say_what_they_take_and_give():
    assert str(inspect.signature(jnp.sin)).replace("'", "") == "(x: ArrayLike, /) -> Array"
    assert str(inspect.signature(jnp.add)).replace("'", "") == (
        "(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array")
    assert typing.get_type_hints(jnp.sum)["return"] is olympus.Array
    assert str(inspect.signature(olympus.lax.floor)).replace("'", "") == "(x: ArrayLike) -> Array"


def test_methods_of_arrays_have_the_signatures_of_their_functions():
    x = jnp.ones(3)
    assert list(inspect.signature(x.sum).parameters) == list(inspect.signature(jnp.sum).parameters)[1:]
    assert inspect.signature(x.sum).return_annotation == "Array"
    assert list(inspect.signature(x.at[0].set).parameters) == [
        "values", "indices_are_sorted", "unique_indices", "mode", "out_sharding", "wrap_negative_indices"]
    assert list(inspect.signature(x.reshape).parameters) == ["shape", "order", "copy", "out_sharding"]
    with_tracer = []
    olympus.jit(lambda y: with_tracer.append(inspect.signature(y.sum)) or y)(x)
    assert with_tracer == [inspect.signature(x.sum)]
