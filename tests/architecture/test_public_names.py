# SPDX-License-Identifier: Apache-2.0
"""`dir`, `__all__` and a star import show a module's public names, and nothing else."""

from __future__ import annotations

import importlib
import inspect
from collections import Counter
from types import ModuleType

import pytest

import olympus
from tools.reference.names import MODULES

# What imports the names of its files with a star.
PACKAGES = ("olympus.numpy", "olympus.lax", "olympus.nn", "olympus.random")
PUBLIC = {*MODULES, "olympus.typing", "olympus.experimental", "olympus.experimental.compilation_cache",
          "olympus.extend", "olympus.extend.core.primitives", "olympus.interpreters",
          "olympus.scipy", "olympus.scipy.cluster", "olympus.scipy.sparse",
          "olympus.scipy.spatial"}


def module_of(page: str) -> ModuleType:
    return importlib.import_module(MODULES.get(page, page))


@pytest.mark.parametrize("page", sorted(PUBLIC))
def test_dir_shows_public_names_only(page: str) -> None:
    module = module_of(page)
    assert dir(module) == sorted(module.__all__)
    assert not [name for name in dir(module) if name.startswith("_") or not hasattr(module, name)]
    starred: dict[str, object] = {}
    exec(f"from {module.__name__} import *", starred)
    assert set(starred) - {"__builtins__"} == set(dir(module))


@pytest.mark.parametrize("page", sorted(PUBLIC))
def test_modules_among_the_names_are_public_too(page: str) -> None:
    module = module_of(page)
    inner = {f"{page}.{name}" for name in dir(module) if inspect.ismodule(getattr(module, name))}
    known = PUBLIC | {"olympus.ad_checkpoint.checkpoint_policies"}
    assert inner <= known


@pytest.mark.parametrize("package", PACKAGES)
def test_each_name_is_of_one_file(package: str) -> None:
    modules = [value for value in vars(importlib.import_module(package)).values() if inspect.ismodule(value)
               and value.__name__.startswith(f"{package}.") and value.__name__ not in PUBLIC]
    counts = Counter(name for module in modules for name in getattr(module, "__all__", ()))
    assert counts and not [name for name, count in counts.items() if count > 1]
    assert set(counts) <= set(dir(importlib.import_module(package)))


def test_what_is_not_there_is_said() -> None:
    for module in (olympus, olympus.numpy, olympus.lax, olympus.nn, olympus.random):
        with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'nothing'"):
            module.nothing
