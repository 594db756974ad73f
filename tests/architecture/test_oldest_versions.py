# SPDX-License-Identifier: Apache-2.0
"""The sources name nothing that the oldest supported Python, NumPy and ml_dtypes lack: this one may have it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from .source import ROOT

_PACKAGES = ("olympus", "olympus_core", "plugins", "conformance")
# What came after Python 3.10, NumPy 1.26 and ml_dtypes 0.5, by module: what programs like these would take.
_LATER = {
    "typing": {
        "LiteralString", "Never", "NotRequired", "ReadOnly", "Required", "Self", "TypeAliasType", "TypeIs",
        "TypeVarTuple", "Unpack", "assert_never", "assert_type", "clear_overloads", "dataclass_transform",
        "get_overloads", "override", "reveal_type"},
    "enum": {"EnumType", "ReprEnum", "StrEnum", "member", "nonmember", "verify"},
    "contextlib": {"chdir"},
    "datetime": {"UTC"},
    "functools": {"Placeholder"},
    "hashlib": {"file_digest"},
    "inspect": {"BufferFlags", "getasyncgenstate", "getmembers_static", "markcoroutinefunction"},
    "itertools": {"batched"},
    "logging": {"getHandlerByName", "getHandlerNames", "getLevelNamesMapping"},
    "math": {"cbrt", "exp2", "fma", "sumprod"},
    "operator": {"call", "is_none", "is_not_none"},
    "os": {"process_cpu_count", "unshare", "setns"},
    "queue": {"ShutDown"},
    "sys": {"activate_stack_trampoline", "exception", "monitoring"},
    "threading": {"setprofile_all_threads", "settrace_all_threads"},
    "numpy": {
        "acos", "acosh", "asin", "asinh", "astype", "atan", "atan2", "atanh", "bitwise_count", "bitwise_invert",
        "bitwise_left_shift", "bitwise_right_shift", "bool", "concat", "cumulative_prod", "cumulative_sum", "isdtype",
        "long", "matrix_transpose", "matvec", "permute_dims", "pow", "trapezoid", "ulong", "unique_all",
        "unique_counts", "unique_inverse", "unique_values", "unstack", "vecdot", "vecmat"},
    "ml_dtypes": {"int1", "uint1"},
}
_LATER_MODULES = {"tomllib", "compression", "concurrent.interpreters", "annotationlib", "string.templatelib"}
# Each of these asks first.
_ASKED = {
    ("olympus/numpy/dtypes.py", "ml_dtypes.int1"), ("olympus/numpy/dtypes.py", "ml_dtypes.uint1"),
    ("conformance/waivers.py", "tomllib"),
}


def _named(tree: ast.AST) -> list[tuple[str, int]]:
    """What a source takes of the listed modules, with its line."""
    modules: dict[str, str] = {}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update({name.asname or name.name: name.name for name in node.names})
            found += [(name.name, node.lineno) for name in node.names if name.name in _LATER_MODULES]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [(f"{node.module}.{name.name}", node.lineno) for name in node.names
                      if name.name in _LATER.get(node.module, ())]
            found += [(node.module, node.lineno)] if node.module in _LATER_MODULES else []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id, "")
            if node.attr in _LATER.get(module, ()):
                found.append((f"{module}.{node.attr}", node.lineno))
    return found


@pytest.mark.parametrize("package", _PACKAGES)
def test_sources_name_nothing_that_came_later(package: str) -> None:
    found = []
    for path in sorted((ROOT / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        found += [f"{name}:{line} {what}" for what, line in _named(ast.parse(path.read_text(encoding="utf-8")))
                  if (name, what) not in _ASKED]
    assert found == []


def test_what_came_later_is_found(tmp_path: Path) -> None:
    text = "import numpy as np\nimport tomllib\nfrom typing import Any, Self\nx = np.vecdot(np.sin(1), 2)\n"
    assert [what for what, _ in _named(ast.parse(text))] == ["tomllib", "typing.Self", "numpy.vecdot"]
