"""One step of a nest: neighbouring iterations that a thread takes together, through vectors where memory allows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from olympus_core.toolkit.loops import Index, Load, Statement, Store

from .functions import storage_type
from .writer import Writer

VECTOR = "template <class T, int N> struct __align__(sizeof(T) * N) olympus_vector { T at[N]; };\n"


def vector(access: Load | Store, width: int) -> str:
    """The type of what neighbouring iterations touch."""
    return f"olympus_vector<{storage_type(access.parameter.dtype)}, {width}>"


def emit_vector_load(writer: Writer, load: Load, name: str, width: int, declare: bool = True) -> None:
    """Reads a vector; the last index must be that of its first element."""
    kind = vector(load, width)
    value = f"*(const {kind}*)&{writer.place(load)}"
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
    """What a thread does with `width` neighbours.

    Args:
        writer: Where the text goes; it knows the last index by the name of the first neighbour's.
        statements: What each of them does.
        last: The index that they differ in.
        width: Their number.
        vectors: What is read and written whole.
        after: Writes what follows the statements.
        before: Writes what they begin with.
    """
    first = writer.indices[last]
    own: list[Load | Store] = []
    for place, access in enumerate(vectors):
        name = f"v{place}"
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
    for place, access in enumerate(vectors):
        if isinstance(access, Store) and access in own:
            condition = f"if ({writer.scalar(access.when)}) " if access.when is not None else ""
            writer.line(f"{condition}*({vector(access, width)}*)&{writer.place(access)} = v{place};")
    for access in own:
        del writer.given[access]
