# SPDX-License-Identifier: Apache-2.0
"""The text of each reference page."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

import olympus
from olympus_core.config import OPTIONS

from .docstrings import Docstring, parse
from .names import MODULES, is_ours, module, public_members, public_names
from .variables import INTERNAL, VARIABLES

_MADE = "<!-- Made from the docstrings by `make docs`; do not edit. -->"
_WIDTH = 90
_ADDRESS = re.compile(r"<.* at 0x[0-9a-f]+>|<object .*>")


def pages() -> dict[str, str]:
    """All pages: their paths below `docs`, and their texts."""
    made = {f"reference/{name}.md": _module_page(name) for name in MODULES}
    made["reference/README.md"] = _index()
    made["config.md"] = _config_page()
    return {path: text.rstrip() + "\n" for path, text in made.items()}


def _index() -> str:
    rows = [f"| [`{name}`]({name}.md) | {_cell(parse(module(name).__doc__).summary)} |" for name in MODULES]
    return "\n".join([
        "# Reference", _MADE, "", "Every public name, with its parameters, errors and examples; all examples are run "
        "by the tests.", "", "| module | |", "| --- | --- |", *rows,
        "| [`olympus.config`](../config.md) | The options: their names, variables, types and defaults. |",
    ])


def _module_page(name: str) -> str:
    said = parse(module(name).__doc__)
    names = public_names(name)
    lines = [f"# {name}", _MADE, "", said.summary, *(f"\n{p}" for p in said.text), "", "| name | |", "| --- | --- |"]
    lines += [f"| `{short}` | {_cell(_summary(name, short, value))} |" for short, value in names.items()]
    for short, value in names.items():
        if inspect.ismodule(value) or _alias(names, short, value) or not is_ours(value):
            continue
        lines += ["", f"## {short}", "", *_entry(name, short, value)]
    return "\n".join(lines)


def _alias(names: dict[str, Any], short: str, value: Any) -> str | None:
    """The name under which the page describes what another name stands for, too."""
    own = getattr(value, "__name__", short)
    return own if own != short and names.get(own) is value else None


def _summary(page: str, short: str, value: Any) -> str:
    if inspect.ismodule(value):
        full = f"{page}.{short}"
        said = parse(value.__doc__).summary
        return f"[{said}]({full}.md)" if full in MODULES else said
    alias = _alias(public_names(page), short, value)
    if alias:
        return f"The same as `{alias}`."
    if isinstance(value, (int, float)) or value is None:
        return f"`{value!r}`"
    if not is_ours(value):
        return f"NumPy's `{getattr(value, '__name__', short)}`."
    return parse(value.__doc__).summary


def _entry(page: str, short: str, value: Any) -> Iterator[str]:
    if callable(value) and not _is_instance(value):
        # Errors are caught, and not made, by users; an enumeration's parameters are Python's own.
        bare = inspect.isclass(value) and issubclass(value, (BaseException, enum.Enum))
        yield from ("```python", f"{page}.{short}{'' if bare else signature_of(value, wrap=True)}", "```", "")
    said = parse(value.__doc__)
    yield from _body(said, value)
    if inspect.isclass(value):
        yield from _members(value)


def _is_instance(value: Any) -> bool:
    """Whether a value is no function, class or wrapped function, though it may be called."""
    return not (inspect.isroutine(value) or inspect.isclass(value) or hasattr(value, "__wrapped__"))


def _body(said: Docstring, value: Any) -> Iterator[str]:
    yield said.summary
    for paragraph in said.text:
        yield from ("", paragraph)
    if inspect.isclass(value) and issubclass(value, BaseException):
        bases = [b.__name__ for b in value.__mro__[1:] if issubclass(b, Exception) and b is not Exception]
        if bases:
            yield from ("", f"Is caught as {', '.join(f'`{b}`' for b in bases)}.")
    if inspect.isclass(value) and issubclass(value, enum.Enum):
        yield from ("", f"Is one of {', '.join(f'`{member.name}`' for member in value)}.")
    for section, title in (("Args", "Parameters"), ("Attributes", "Attributes"), ("Raises", "Raises")):
        entries = said.entries(section)
        if section == "Raises" and (said.sentence("Returns") or said.sentence("Yields")):
            yield from ("", f"**Returns**: {said.sentence('Returns') or said.sentence('Yields')}")
        if entries:
            yield from ("", f"**{title}**", "")
            yield from (f"- `{entry}`: {text}" for entry, text in entries)
    if "Example" in said.sections:
        yield from ("", "**Example**", "", "```python", *said.sections["Example"], "```")


def _members(cls: type) -> Iterator[str]:
    rows = []
    for name, member in public_members(cls):
        inner = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        said = parse(getattr(inner, "__doc__", None)).summary
        is_method = callable(inner) and not inspect.isclass(inner)
        shown = signature_of(inner, skip=not isinstance(member, staticmethod)) if is_method else ""
        rows.append(f"- `{name}{shown}`: {said}")
    if rows:
        yield from ("", "**Members**", "", *rows)


def signature_of(value: Any, wrap: bool = False, skip: bool = False) -> str:
    """A function's or class's parameters, with the same text in every version of Python and NumPy.

    Args:
        value: The function or class.
        wrap: Put each parameter on a line of its own where the line would be long.
        skip: Leave the first parameter out, which stands for the object or the class.
    """
    if inspect.isclass(value):
        maker = next(b for b in value.__mro__ if "__init__" in vars(b) or "__new__" in vars(b))
        if maker is object:
            return ""  # others make its objects
        if not is_ours(maker):
            return "(...)"  # Python's own, whose text differs from version to version
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    parts: list[str] = []
    marked = False
    parameters = list(signature.parameters.values())[1 if skip else 0:]
    for i, p in enumerate(parameters):
        if p.kind is p.KEYWORD_ONLY and not marked:
            marked = True
            if not any(q.kind is q.VAR_POSITIONAL for q in parameters):
                parts.append("*")
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        text = star + p.name
        if p.annotation is not p.empty:
            text += f": {_annotation(p.annotation)}"
        if p.default is not p.empty:
            text += f" = {_default(p.default)}" if ":" in text else f"={_default(p.default)}"
        parts.append(text)
        following = parameters[i + 1] if i + 1 < len(parameters) else None
        if p.kind is p.POSITIONAL_ONLY and (following is None or following.kind is not p.POSITIONAL_ONLY):
            parts.append("/")
    returns = "" if signature.return_annotation is signature.empty or inspect.isclass(value) else (
        f" -> {_annotation(signature.return_annotation)}")
    line = f"({', '.join(parts)}){returns}"
    if wrap and len(line) > _WIDTH:
        return "".join(["(\n", *(f"    {part},\n" for part in parts), ")", returns])
    return line


def _annotation(value: Any) -> str:
    return value if isinstance(value, str) else getattr(value, "__name__", str(value))


def _default(value: Any) -> str:
    if isinstance(value, np.generic):
        return repr(value.item())
    if inspect.isclass(value) or inspect.isroutine(value):
        return value.__name__
    text = repr(value)
    return "..." if _ADDRESS.search(text) else text


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _config_page() -> str:
    rows = [
        f"| `{o.name}` | `{o.variable}` | {_cell(o.kind.expected)} | `{o.default!r}` | "
        f"{'block or process' if o.scoped else 'process'} | {_cell(o.sentence)} |"
        for o in OPTIONS
    ]
    view = type(olympus.config)
    said = parse(view.__doc__)
    lines = [
        "# Configuration", _MADE, "", said.summary, *(f"\n{p}" for p in said.text), "",
        "Each value remembers where it came from: `olympus.config.source(name)`; printing `olympus.config` shows all, "
        "and `olympus doctor` prints them for a report. An option that has taken effect cannot be changed any more: "
        "`ConfigFrozenError` names the line that fixed it.", "",
        "| option | variable | takes | default | set for | |", "| --- | --- | --- | --- | --- | --- |", *rows, "",
        "```python", *said.sections["Example"], "```",
    ]
    lines += [
        "", "## Other variables", "",
        "`olympus launch` sets the first seven in its processes; by hand they start a job without a launcher "
        "([how](clusters.md#by-hand)). Variables of other launchers (MPI, Slurm, Kubernetes, torchrun, Cloud TPU) are "
        "understood as they are.", "",
        "| variable | |", "| --- | --- |", *(f"| `{name}` | {said} |" for name, said in VARIABLES.items()), "",
        "Olympus hands these down to processes of its own; nobody has to set them:", "",
        "| variable | |", "| --- | --- |", *(f"| `{name}` | {said} |" for name, said in INTERNAL.items()),
    ]
    for name in ("update", "source"):
        lines += ["", f"## olympus.config.{name}", "", *_method(f"olympus.config.{name}", getattr(view, name))]
    for name in ("enable_x64", "default_device"):
        lines += ["", f"## olympus.{name}", "", *_entry("olympus", name, getattr(olympus, name))]
    return "\n".join(lines)


def _method(full: str, value: Any) -> Iterator[str]:
    yield from ("```python", full + signature_of(value, skip=True), "```", "")
    yield from _body(parse(value.__doc__), value)
