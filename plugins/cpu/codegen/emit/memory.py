"""Loads and stores: as whole vectors where lanes lie side by side, one by one where they do not."""

from __future__ import annotations

from olympus_core.toolkit.loops import Affine, Load, Scalar, Statement, Store, addressed_by

from ..builder import Ir
from .conversions import from_memory, to_memory
from .hoist import in_bounds
from .interleaved_access import deinterleave, interleave
from .operations import combine
from .state import Parts, State
from .storage import Storage, storage

_LINE = 64  # bytes; blocks of memory begin at multiples of it
_FAR = 1 << 22  # bytes of an input that is not in the nearest caches
_STREAMED = 1 << 25  # bytes of an output that no cache holds


def load(state: State, statement: Load) -> None:
    """Writes a load and notes its value."""
    s = storage(statement.result.dtype)
    if state.shape.width > 1 and statement in state.interleaved.loads:
        _load_interleaved(state, statement, s)
        return
    if is_transposed(state, statement):
        rows = _load_block(state, statement, s)
        state.values[id(statement.result)] = tuple((from_memory(state.builder, s, row),) for row in rows)
        return
    copies = range(state.shape.copies) if is_varied(state, statement) else range(1)
    values = []
    for copy in copies:
        raw = _raw(state, statement, s, copy)
        values.append(tuple(from_memory(state.builder, s, part) for part in raw))
    state.values[id(statement.result)] = tuple(values)


def is_varied(state: State, access: Load | Store) -> bool:
    """Whether lanes touch different elements, or some of them none."""
    return state.varies(access.at) or any(state.is_varied(s) for s in addressed_by(access))


def is_transposed(state: State, access: Load) -> bool:
    """Whether what lies side by side is spread over the copies, and lanes lie apart."""
    if state.vector_loop is None or state.vector_loop.across is None or access.dynamic or access.when is not None:
        return False
    apart = abs(state.lane_stride(access.at)) > 1
    return apart and state.copy_stride(access.at) == 1 and storage(access.parameter.dtype).parts == 1


def _load_block(state: State, access: Load, s: Storage) -> list[Ir]:
    """As many vectors as they have lanes, the lanes of one being what lies apart."""
    b, width, stride = state.builder, state.shape.width, state.lane_stride(access.at)
    place = _place(state, access, s, 0)
    rows = [b.load(b.gep(place, state.number(lane * stride), s.memory), s.memory, width) for lane in range(width)]
    distance = 1
    while distance < width:  # the squares of this size beside the diagonal change their places
        for first in (row for row in range(width) if not row & distance):
            low, high = rows[first], rows[first + distance]
            upper = [lane if not lane & distance else width + lane - distance for lane in range(width)]
            lower = [lane + distance if not lane & distance else width + lane for lane in range(width)]
            rows[first], rows[first + distance] = b.shuffle(low, upper, high), b.shuffle(low, lower, high)
        distance *= 2
    return rows


def _raw(state: State, access: Load, s: Storage, copy: int) -> Parts:
    """The parts as they lie in memory."""
    b = state.builder
    if not is_varied(state, access):
        return _load_scalar(state, access, s)
    if _is_dynamic(state, access):
        return _load_lanes(state, access, s, copy)
    stride = state.lane_stride(access.at)
    if access.when is None or in_bounds(access, state.extents):
        if stride == 0:
            raw = tuple(state.splat(part) for part in _load_at(state, _place(state, access, s, copy), s))
        elif not (vectors := _load_strided(state, access, s, copy, stride)):
            return _load_lanes(state, access, s, copy)
        else:
            raw = vectors
        return raw if access.when is None else _zeroed(state, raw, _mask(state, access.when, copy))
    if stride == 1 and s.parts == 1:
        mask = _mask(state, access.when, copy)
        # Where no lane reads there may be no memory, and processors take hundreds of cycles to find that out.
        place = b.select(b.any(mask), _place(state, access, s, copy), state.parameters[id(access.parameter)])
        return (b.load_masked(place, s.memory, mask),)
    return _load_lanes(state, access, s, copy)


def _load_at(state: State, place: Ir, s: Storage) -> Parts:
    """One element."""
    b = state.builder
    parts = [b.load(place, s.memory)]
    if s.parts == 2:
        parts.append(b.load(b.gep(place, state.number(1), s.memory), s.memory))
    return tuple(parts)


def _zeroed(state: State, parts: Parts, mask: Ir) -> Parts:
    """The parts where the mask holds, else zero."""
    b = state.builder
    return tuple(b.select(mask, part, b.constant(0, part.element, part.lanes)) for part in parts)


def _load_scalar(state: State, access: Load, s: Storage) -> Parts:
    """One element for all lanes."""
    b = state.builder
    if access.when is None or in_bounds(access, state.extents):
        raw = _load_at(state, _place(state, access, s, 0), s)
    else:
        # A lane that must not load reads the buffer's first element, which is always there.
        index = b.select(state.scalar(access.when)[0], _index(state, access), state.number(0))
        raw = _load_at(state, _element(state, access, s, index), s)
    return raw if access.when is None else _zeroed(state, raw, state.scalar(access.when)[0])


def _load_strided(state: State, access: Load, s: Storage, copy: int, stride: int) -> Parts:
    """Vectors of lanes that lie side by side, backwards or two apart; nothing for other strides."""
    b, width = state.builder, state.shape.width
    place = _place(state, access, s, copy)
    if stride == 1 and s.parts == 2:
        both = b.load(place, s.memory, 2 * width)
        return (b.shuffle(both, range(0, 2 * width, 2)), b.shuffle(both, range(1, 2 * width, 2)))
    if stride == 1:
        return (b.load(place, s.memory, width),)
    if stride == -1 and s.parts == 1:
        first = b.gep(place, state.number(1 - width), s.memory)
        return (b.shuffle(b.load(first, s.memory, width), range(width - 1, -1, -1)),)
    if stride == 2 and s.parts == 1:
        # The second vector begins one element early, so that nothing beyond the last lane is read.
        low = b.load(place, s.memory, width)
        high = b.load(b.gep(place, state.number(width - 1), s.memory), s.memory, width)
        half = width // 2
        return (b.shuffle(low, [*range(0, width, 2), *(width + 1 + 2 * i for i in range(half))], high),)
    return ()


def _load_lanes(state: State, access: Load, s: Storage, copy: int) -> Parts:
    """Every lane's element by itself."""
    b, width = state.builder, state.shape.width
    mask = _mask(state, access.when, copy) if access.when is not None else None
    if mask is None and not _is_dynamic(state, access):
        stride = state.lane_stride(access.at)
        place = _place(state, access, s, copy)
        places = [b.gep(place, state.number(lane * stride * s.parts), s.memory) for lane in range(width)]
    else:
        index = _indices(state, access, copy)
        if mask is not None:
            index = b.select(mask, index, b.constant(0, index.element, width))
        places = [_element(state, access, s, b.extract(index, lane)) for lane in range(width)]
    elements = [_load_at(state, place, s) for place in places]
    raw = tuple(b.from_lanes([element[part] for element in elements]) for part in range(s.parts))
    return raw if mask is None else _zeroed(state, raw, mask)


def _is_dynamic(state: State, access: Load | Store) -> bool:
    """Whether a computed part of the address differs between lanes."""
    return any(state.is_varied(s) for s, _ in access.dynamic)


def _mask(state: State, when: Scalar, copy: int) -> Ir:
    return state.vector(when, copy)[0]


def _place(state: State, access: Load | Store, s: Storage, copy: int) -> Ir:
    """The address of the first lane; the computed part must be the same in all lanes."""
    b = state.builder
    place = state.address(access.parameter, access.at, copy * state.copy_stride(access.at))
    for scalar, stride in access.dynamic:
        step = _signed_word(state, state.scalar(scalar)[0], scalar)
        place = b.gep(place, b.mul(step, state.number(stride * s.parts)), s.memory)
    return place


def _signed_word(state: State, value: Ir, scalar: Scalar) -> Ir:
    """A whole number in 64 bits."""
    if value.element == "i64":
        return value
    b = state.builder
    return b.sext(value, "i64") if storage(scalar.dtype).kind == "signed" else b.zext(value, "i64")


def _index(state: State, access: Load | Store) -> Ir:
    """The element's place in its buffer, in scalar code."""
    b, index = state.builder, state.offset(access.at)
    for scalar, stride in access.dynamic:
        step = _signed_word(state, state.scalar(scalar)[0], scalar)
        index = b.add(index, b.mul(step, state.number(stride)))
    return index


def _element(state: State, access: Load | Store, s: Storage, index: Ir) -> Ir:
    """The address of the element at a place of the buffer."""
    b = state.builder
    if index.element != "i64":
        index = b.zext(index, "i64")
    index = b.mul(index, state.number(s.parts)) if s.parts > 1 else index
    return b.gep(state.parameters[id(access.parameter)], index, s.memory)


def _indices(state: State, access: Load | Store, copy: int) -> Ir:
    """Every lane's place in the buffer: in 32 bits where the buffer's size allows, since sums of places wrap."""
    b, width = state.builder, state.shape.width
    element = "i32" if access.parameter.size < 1 << 31 else "i64"
    index = lane_values(state, access.at, copy, element)
    for scalar, stride in access.dynamic:
        step = state.vector(scalar, copy)[0]
        step = step if step.element == element else _resized(state, step, scalar, element)
        index = b.add(index, step if stride == 1 else b.mul(step, b.constant(stride, element, width)))
    return index


def _resized(state: State, value: Ir, scalar: Scalar, element: str) -> Ir:
    b = state.builder
    if int(value.element[1:]) > int(element[1:]):
        return b.trunc_int(value, element)
    return b.sext(value, element) if storage(scalar.dtype).kind == "signed" else b.zext(value, element)


def lane_values(state: State, affine: Affine, copy: int, element: str) -> Ir:
    """An affine's value in every lane of a copy, modulo the type's range."""
    b, width, stride = state.builder, state.shape.width, state.lane_stride(affine)
    first = state.offset(affine)
    if element != "i64":
        first = b.trunc_int(first, element)
    values = state.splat(first)
    if state.varies(affine):
        steps = [copy * state.copy_stride(affine) + stride * lane for lane in range(width)]
        values = b.add(values, b.constant_lanes(steps, element))
    return values


def store(state: State, statement: Store) -> None:
    """Writes a store."""
    s = storage(statement.value.dtype)
    if state.shape.width > 1 and statement in state.interleaved.stores:
        _store_interleaved(state, statement, s)
        return
    varied = state.shape.width > 1 and (is_varied(state, statement) or state.is_varied(statement.value))
    for copy in range(state.shape.copies if varied else 1):
        if not varied:
            _store_scalar(state, statement, s)
        elif _is_dynamic(state, statement) or not _store_vector(state, statement, s, copy):
            _store_lanes(state, statement, s, copy)


def _raw_of(state: State, s: Storage, parts: Parts) -> Parts:
    return tuple(to_memory(state.builder, s, part) for part in parts)


def _combined(state: State, access: Store, s: Storage, old: Parts, new: Parts) -> Parts:
    """The parts in memory after the old and the new element are put together."""
    if access.combine is None:
        return _raw_of(state, s, new)
    old = tuple(from_memory(state.builder, s, part) for part in old)
    return _raw_of(state, s, combine(state.builder, access.combine, s.dtype, old, new))


def _store_at(state: State, place: Ir, s: Storage, raw: Parts) -> None:
    b = state.builder
    b.store(place, raw[0])
    if s.parts == 2:
        b.store(b.gep(place, state.number(1), s.memory), raw[1])


def _store_scalar(state: State, access: Store, s: Storage) -> None:
    b = state.builder
    with b.when(state.scalar(access.when)[0] if access.when is not None else None):
        place = _place(state, access, s, 0)
        new = state.scalar(access.value)
        old = _load_at(state, place, s) if access.combine is not None else new
        _store_at(state, place, s, _combined(state, access, s, old, new))


def _store_vector(state: State, access: Store, s: Storage, copy: int) -> bool:
    """Whether the lanes lie side by side; if so, writes the store of the whole vector."""
    b, width = state.builder, state.shape.width
    if state.lane_stride(access.at) != 1 or (access.when is not None and s.parts == 2):
        return False
    place = _place(state, access, s, copy)
    new = state.vector(access.value, copy)
    mask = _mask(state, access.when, copy) if access.when is not None else None
    if s.parts == 2:
        old = new
        if access.combine is not None:
            both = b.load(place, s.memory, 2 * width)
            old = (b.shuffle(both, range(0, 2 * width, 2)), b.shuffle(both, range(1, 2 * width, 2)))
        raw = _combined(state, access, s, old, new)
        woven = [lane + part * width for lane in range(width) for part in range(2)]
        b.store(place, b.shuffle(raw[0], woven, raw[1]))
        return True
    if mask is None:
        old = (b.load(place, s.memory, width),) if access.combine is not None else new
        (vector,) = _combined(state, access, s, old, new)
        if _is_streamed(state, access, s):
            state.has_streamed = True
            b.store(place, vector, min(width * s.part_bytes, _LINE), streaming=True)
        else:
            b.store(place, vector)
    else:
        old = (b.load_masked(place, s.memory, mask),) if access.combine is not None else new
        b.store_masked(place, _combined(state, access, s, old, new)[0], mask)
    return True


def is_large(statement: Statement) -> bool:
    """Whether it writes an output of which nothing is in the caches any more when it is read."""
    if not isinstance(statement, Store) or statement.parameter.role != "output":
        return False
    return _bytes_of(statement) >= _STREAMED


def is_far(state: State, access: Statement) -> bool:
    """Whether it reads lanes side by side of an input that is not in the nearest caches."""
    if not isinstance(access, Load) or access.dynamic or access.when is not None:
        return False
    return _bytes_of(access) >= _FAR and state.lane_stride(access.at) == 1


def _bytes_of(access: Load | Store) -> int:
    """Of the whole input or output."""
    return access.parameter.size * access.parameter.dtype.itemsize


def prefetch(state: State, access: Load, distance: int) -> None:
    """Asks for the lines that a load will read so many iterations later; behind the end nothing happens."""
    b, s = state.builder, storage(access.parameter.dtype)
    place = b.gep(_place(state, access, s, 0), state.number(distance * s.parts), s.memory)
    for at in range(0, state.shape.width * s.parts * s.part_bytes, _LINE):
        b.prefetch(b.gep(place, state.number(at), "i8"), near=True)


def _is_streamed(state: State, access: Store, s: Storage) -> bool:
    """Whether a vector is written past the caches, without reading first what lies there."""
    if not state.may_stream or state.vector_loop is None or not is_large(access):
        return False
    if access.combine is not None or access.dynamic:
        return False
    # The lanes' own index is a multiple of whole lines; all else has to be a multiple of the vector, or part of a line.
    nbytes = min(state.shape.width * s.part_bytes, _LINE)
    others = [stride for index, stride in access.at.terms if index is not state.vector_loop.index]
    return nbytes >= 16 and all(step * s.part_bytes % nbytes == 0 for step in (access.at.constant, *others))


def _load_interleaved(state: State, access: Load, s: Storage) -> None:
    """Loads that take turns in memory: all of them with the first, as vectors of what lies side by side."""
    b, width, group = state.builder, state.shape.width, state.interleaved.loads[access]
    if access is not group[0]:
        return
    first, values = min(group, key=lambda a: a.at.constant), []
    for copy in range(state.shape.copies):
        place = _place(state, first, s, copy)
        raw = [b.load(b.gep(place, state.number(i * width), s.memory), s.memory, width)
               for i in range(len(group) * s.parts)]
        values.append([from_memory(b, s, part) for part in deinterleave(b, raw)])
    for member in group:
        offset = (member.at.constant - first.at.constant) * s.parts
        state.values[id(member.result)] = tuple(tuple(found[offset: offset + s.parts]) for found in values)


def _store_interleaved(state: State, access: Store, s: Storage) -> None:
    """Stores that take turns in memory: all of them with the last, as vectors of what lies side by side."""
    b, width, group = state.builder, state.shape.width, state.interleaved.stores[access]
    if access is not group[-1]:
        return
    members = sorted(group, key=lambda a: a.at.constant)
    for copy in range(state.shape.copies):
        place, parts = _place(state, members[0], s, copy), list[Ir]()
        for member in members:
            # LLVM takes shuffles of loads for loads, and where it does so twice it may fail over their order.
            parts += [b.freeze(part) for part in _raw_of(state, s, state.vector(member.value, copy))]
        for i, vector in enumerate(interleave(b, parts)):
            b.store(b.gep(place, state.number(i * width), s.memory), vector)


def _store_lanes(state: State, access: Store, s: Storage, copy: int) -> None:
    """Every lane's element by itself, in the order of the lanes."""
    b, width = state.builder, state.shape.width
    index = _indices(state, access, copy)
    new = state.vector(access.value, copy)
    mask = _mask(state, access.when, copy) if access.when is not None else None
    for lane in range(width):
        with b.when(b.extract(mask, lane) if mask is not None else None):
            place = _element(state, access, s, b.extract(index, lane))
            element = tuple(b.extract(part, lane) for part in new)
            old = _load_at(state, place, s) if access.combine is not None else element
            _store_at(state, place, s, _combined(state, access, s, old, element))
