# SPDX-License-Identifier: Apache-2.0
"""The comparison of public names and signatures with another package's: what it tells of two small modules."""

import inspect
import sys
import types

import pytest

from tools.peer_names.compare import _of_callables, differences
from tools.peer_names.listing import names_of

# A signature of theirs, one of ours, and how often they differ.
CASES = [
    (lambda a, b=1: 0, lambda a, b=1: 0, 0), (lambda a, b=1: 0, lambda a: 0, 1),
    (lambda a, b=1: 0, lambda a, b=2: 0, 1),
    (lambda a, b: 0, lambda b, a: 0, 2), (lambda a, /: 0, lambda x: 0, 0), (lambda a: 0, lambda a, /: 0, 1),
    (lambda *, k=None: 0, lambda *, k=(): 0, 0), (lambda *, k=0: 0, lambda *, k=False: 0, 1),
    (lambda *, k=0: 0, lambda **kw: 0, 0), (lambda *, k=0: 0, lambda: 0, 1), (lambda a: 0, lambda a, b: 0, 1),
    (lambda a, b=0: 0, lambda *args: 0, 0), (lambda *, k=object(): 0, lambda *, k=None: 0, 0),
    (lambda *, _private=0: 0, lambda: 0, 0), (lambda a=1: 0, lambda a: 0, 1),
]


@pytest.mark.parametrize(("theirs", "ours", "count"), CASES)
def test_calls_that_are_allowed_there_are_allowed_here(theirs, ours, count):
    found = _of_callables(theirs, ours)
    assert len(found) == count, f"{inspect.signature(theirs)} {inspect.signature(ours)}: {found}"


def test_names_are_listed_without_what_a_module_imports():
    module = types.ModuleType("some_module")
    exec("import os\nfrom functools import partial\ndef f(): pass\n_g = 1\nh = 2", module.__dict__)
    assert [name for name, _ in names_of(module)] == ["f", "h"]
    module.__all__ = ["h", "gone"]
    assert [name for name, _ in names_of(module)] == ["h"]


def test_missing_names_attributes_and_modules_are_told(monkeypatch):
    theirs, ours = types.ModuleType("jaxlike"), types.ModuleType("olympuslike")
    exec("def f(a): pass\nclass C:\n    def m(self, b): pass\n    n = 1\nx = 1", theirs.__dict__)
    exec("def f(b): pass\nclass C:\n    def m(this): pass", ours.__dict__)
    for module in (theirs, ours):
        for value in vars(module).values():
            if hasattr(value, "__module__"):
                value.__module__ = "some"
    monkeypatch.setitem(sys.modules, "jaxlike", theirs)
    monkeypatch.setitem(sys.modules, "olympuslike", ours)
    found = dict(differences(["jaxlike"]))
    assert set(found) == {"jaxlike.f", "jaxlike.C.m", "jaxlike.C.n", "jaxlike.x"}
    assert found["jaxlike.x"] == found["jaxlike.C.n"] == "missing"
    monkeypatch.delitem(sys.modules, "olympuslike")
    assert dict(differences(["jaxlike"])) == {"jaxlike": "there is no such module"}
