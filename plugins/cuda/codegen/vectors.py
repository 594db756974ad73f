# SPDX-License-Identifier: Apache-2.0
"""Vectorized iterations: a thread takes consecutive iterations, and accesses memory by vectors where it is aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from olympus_core.toolkit.c_text import Writer
from olympus_core.toolkit.loops import Index, Load, Statement, Store

from .functions import storage_type

VECTOR = "template <class T, int N> struct __align__(sizeof(T) * N) olympus_vector { T at[N]; };\n"


def vector(access: Load | Store, width: int) -> str:
    """The C++ type of the vector that consecutive iterations access."""
    return f"olympus_vector<{storage_type(access.parameter.dtype)}, {width}>"


def emit_vector_load(writer: Writer, load: Load, name: str, width: int, declare: bool = True) -> None:
    """Writes the load of a vector; the last loop index must be that of its first element."""
    kind = vector(load, width)
    value = f"*(const {kind}*)&{writer.element(load)}"
    if load.when is None:
        writer.line(f"{f'const {kind} ' if declare else ''}{name} = {value};")
        return
    if declare:
        writer.line(f"{kind} {name} = {{}};")
    writer.line(f"if ({writer.scalar(load.when)}) {name} = {value};")


def step(
    writer: Writer, statements: Sequence[Statement], last: Index, width: int,
    vectors: Sequence[Load | Store], after: Callable[[], None] = lambda: None,
    before: Callable[[], None] = lambda: None,
) -> None:
    """Writes `width` consecutive iterations of one thread.

    Args:
        writer: Where the text goes; its name of the last index is that of the first iteration.
        statements: The statements of an iteration.
        last: The index in which they differ.
        width: Number of iterations.
        vectors: The accesses that are whole vectors.
        after: Writes lines after the statements.
        before: Writes lines before the statements.
    """
    first = writer.indices[last]
    own: list[Load | Store] = []
    for number, access in enumerate(vectors):
        name = f"v{number}"
        if isinstance(access, Load):
            emit_vector_load(writer, access, name, width)
        elif access not in writer.given:
            writer.line(f"{vector(access, width)} {name};")
        if access not in writer.given:
            writer.given[access] = f"{name}.at[v]"
            own.append(access)
    writer.line("#pragma unroll")
    with writer.block(f"for (int v = 0; v < {width}; ++v)"):
        del writer.indices[last]
        inner = f"{first}_"
        writer.indices[last] = inner
        writer.line(f"const {writer.index_type} {inner} = {first} + v;")
        before()
        writer.statements(statements)
        after()
        writer.indices[last] = first
    for number, access in enumerate(vectors):
        if isinstance(access, Store) and access in own:
            condition = f"if ({writer.scalar(access.when)}) " if access.when is not None else ""
            writer.line(f"{condition}*({vector(access, width)}*)&{writer.element(access)} = v{number};")
    for access in own:
        del writer.given[access]
