# SPDX-License-Identifier: Apache-2.0
"""Loads and stores: as whole vectors where lanes are contiguous, else transposed, interleaved, or lane by lane."""

from __future__ import annotations

from olympus_core.toolkit.loops import Affine, Load, Scalar, Statement, Store, addressed_by

from ..builder import Ir
from .conversions import from_memory, to_memory
from .hoist import in_bounds
from .interleaved_access import deinterleave, interleave
from .operations import combine
from .state import Parts, State
from .storage import Storage, storage

_LINE = 64  # bytes of a cache line, to which buffers are aligned
_FAR = 1 << 22  # least bytes of an input that is beyond the first two caches
_STREAMED = 1 << 25  # least bytes of an output that no cache holds


def load(state: State, statement: Load) -> None:
    """Writes a load and records its value."""
    s = storage(statement.result.dtype)
    if state.shape.width > 1 and statement in state.interleaved.loads:
        _load_interleaved(state, statement, s)
        return
    if is_transposed(state, statement):
        rows = _load_transposed(state, statement, s)
        state.values[id(statement.result)] = tuple((from_memory(state.builder, s, row),) for row in rows)
        return
    copies = range(state.shape.copies) if is_varied(state, statement) else range(1)
    values = []
    for copy in copies:
        raw = _raw(state, statement, s, copy)
        values.append(tuple(from_memory(state.builder, s, part) for part in raw))
    state.values[id(statement.result)] = tuple(values)


def is_varied(state: State, access: Load | Store) -> bool:
    """Whether lanes access different elements, or some of them none."""
    return state.varies(access.at) or any(state.is_varied(s) for s in addressed_by(access))


def is_transposed(state: State, access: Load) -> bool:
    """Whether copies are contiguous in memory and lanes are strided."""
    if state.vector_loop is None or state.vector_loop.across is None or access.dynamic:
        return False
    apart = abs(state.lane_stride(access.at)) > 1
    return apart and state.copy_stride(access.at) == 1 and storage(access.parameter.dtype).parts == 1


def _load_transposed(state: State, access: Load, s: Storage) -> list[Ir]:
    """The vectors of a square tile, loaded by rows and transposed by log2 n steps of shuffles."""
    b, width, stride = state.builder, state.shape.width, state.lane_stride(access.at)
    pointer = _address_of(state, access, s, 0)
    if access.when is not None and not in_bounds(access, state.extents):
        # A tile of which nothing is read lies at the buffer's start, which has room for one (`transposed_width`).
        pointer = b.select(state.scalar(access.when)[0], pointer, state.parameters[id(access.parameter)])
    rows = [b.load(b.gep(pointer, state.number(lane * stride), s.memory), s.memory, width) for lane in range(width)]
    if access.when is not None:
        rows = list(_zeroed(state, tuple(rows), _mask(state, access.when, 0)))
    distance = 1
    while distance < width:  # blocks of this size across the diagonal are exchanged
        for first in (row for row in range(width) if not row & distance):
            low, high = rows[first], rows[first + distance]
            upper = [lane if not lane & distance else width + lane - distance for lane in range(width)]
            lower = [lane + distance if not lane & distance else width + lane for lane in range(width)]
            rows[first], rows[first + distance] = b.shuffle(low, upper, high), b.shuffle(low, lower, high)
        distance *= 2
    return rows


def _raw(state: State, access: Load, s: Storage, copy: int) -> Parts:
    """The parts in their memory representation."""
    b = state.builder
    if not is_varied(state, access):
        return _load_scalar(state, access, s)
    if _is_dynamic(state, access):
        return _load_lanes(state, access, s, copy)
    stride = state.lane_stride(access.at)
    if access.when is None or in_bounds(access, state.extents):
        if stride == 0:
            raw = tuple(state.splat(part) for part in _load_at(state, _address_of(state, access, s, copy), s))
        elif not (vectors := _load_strided(state, access, s, copy, stride)):
            return _load_lanes(state, access, s, copy)
        else:
            raw = vectors
        return raw if access.when is None else _zeroed(state, raw, _mask(state, access.when, copy))
    if stride == 1 and s.parts == 1:
        mask = _mask(state, access.when, copy)
        # If no lane reads, the address may be unmapped, which costs a masked load hundreds of cycles.
        pointer = b.select(b.any(mask), _address_of(state, access, s, copy), state.parameters[id(access.parameter)])
        return (b.load_masked(pointer, s.memory, mask),)
    return _load_lanes(state, access, s, copy)


def _load_at(state: State, pointer: Ir, s: Storage) -> Parts:
    """One element."""
    b = state.builder
    parts = [b.load(pointer, s.memory)]
    if s.parts == 2:
        parts.append(b.load(b.gep(pointer, state.number(1), s.memory), s.memory))
    return tuple(parts)


def _zeroed(state: State, parts: Parts, mask: Ir) -> Parts:
    """The parts where the mask is true, else zero."""
    b = state.builder
    return tuple(b.select(mask, part, b.constant(0, part.element, part.lanes)) for part in parts)


def _load_scalar(state: State, access: Load, s: Storage) -> Parts:
    """One element for all lanes."""
    b = state.builder
    if access.when is None or in_bounds(access, state.extents):
        raw = _load_at(state, _address_of(state, access, s, 0), s)
    else:
        # A lane that must not load reads the buffer's first element, which always exists.
        index = b.select(state.scalar(access.when)[0], _index(state, access), state.number(0))
        raw = _load_at(state, _element(state, access, s, index), s)
    return raw if access.when is None else _zeroed(state, raw, state.scalar(access.when)[0])


def _load_strided(state: State, access: Load, s: Storage, copy: int, stride: int) -> Parts:
    """Vectors of lanes at strides 1, -1 or 2; empty for other strides."""
    b, width = state.builder, state.shape.width
    pointer = _address_of(state, access, s, copy)
    if stride == 1 and s.parts == 2:
        both = b.load(pointer, s.memory, 2 * width)
        return (b.shuffle(both, range(0, 2 * width, 2)), b.shuffle(both, range(1, 2 * width, 2)))
    if stride == 1:
        return (b.load(pointer, s.memory, width),)
    if stride == -1 and s.parts == 1:
        first = b.gep(pointer, state.number(1 - width), s.memory)
        return (b.shuffle(b.load(first, s.memory, width), range(width - 1, -1, -1)),)
    if stride == 2 and s.parts == 1:
        # The second vector begins one element early, so that it does not read beyond the last lane.
        low = b.load(pointer, s.memory, width)
        high = b.load(b.gep(pointer, state.number(width - 1), s.memory), s.memory, width)
        half = width // 2
        return (b.shuffle(low, [*range(0, width, 2), *(width + 1 + 2 * i for i in range(half))], high),)
    return ()


def _load_lanes(state: State, access: Load, s: Storage, copy: int) -> Parts:
    """The elements of all lanes, loaded one by one."""
    b, width = state.builder, state.shape.width
    mask = _mask(state, access.when, copy) if access.when is not None else None
    if mask is None and not _is_dynamic(state, access):
        pointers = _lane_addresses(state, access, s, copy)
    else:
        index = _indices(state, access, copy)
        if mask is not None:
            index = b.select(mask, index, b.constant(0, index.element, width))
        pointers = [_element(state, access, s, b.extract(index, lane)) for lane in range(width)]
    elements = [_load_at(state, pointer, s) for pointer in pointers]
    raw = tuple(b.from_lanes([element[part] for element in elements]) for part in range(s.parts))
    return raw if mask is None else _zeroed(state, raw, mask)


def _lane_addresses(state: State, access: Load | Store, s: Storage, copy: int) -> list[Ir]:
    """The addresses of all lanes, which are a constant apart."""
    b, apart = state.builder, state.lane_stride(access.at) * s.parts
    # LLVM's loop strength reduction weighs each address of a loop against all others, which took up to two thirds of
    # the time to compile; what is frozen it takes as one.
    first = b.freeze(_address_of(state, access, s, copy))
    return [b.gep(first, state.number(lane * apart), s.memory) for lane in range(state.shape.width)]


def _is_dynamic(state: State, access: Load | Store) -> bool:
    """Whether a computed index differs between lanes."""
    return any(state.is_varied(s) for s, _ in access.dynamic)


def _mask(state: State, when: Scalar, copy: int) -> Ir:
    return state.vector(when, copy)[0]


def _address_of(state: State, access: Load | Store, s: Storage, copy: int) -> Ir:
    """The address of the first lane; computed indices must be the same in all lanes."""
    b = state.builder
    pointer = state.address(access.parameter, access.at, copy * state.copy_stride(access.at))
    for scalar, stride in access.dynamic:
        step = _signed_word(state, state.scalar(scalar)[0], scalar)
        pointer = b.gep(pointer, b.mul(step, state.number(stride * s.parts)), s.memory)
    return pointer


def _signed_word(state: State, value: Ir, scalar: Scalar) -> Ir:
    """An integer in 64 bits."""
    if value.element == "i64":
        return value
    b = state.builder
    return b.sext(value, "i64") if storage(scalar.dtype).kind == "signed" else b.zext(value, "i64")


def _index(state: State, access: Load | Store) -> Ir:
    """The element's index in its buffer, in scalar code."""
    b, index = state.builder, state.offset(access.at)
    for scalar, stride in access.dynamic:
        step = _signed_word(state, state.scalar(scalar)[0], scalar)
        index = b.add(index, b.mul(step, state.number(stride)))
    return index


def _element(state: State, access: Load | Store, s: Storage, index: Ir) -> Ir:
    """The address of the element at an index of the buffer."""
    b = state.builder
    if index.element != "i64":
        index = b.zext(index, "i64")
    index = b.mul(index, state.number(s.parts)) if s.parts > 1 else index
    return b.gep(state.parameters[id(access.parameter)], index, s.memory)


def _indices(state: State, access: Load | Store, copy: int) -> Ir:
    """The index of every lane in the buffer, in 32 bits if the buffer is small enough: intermediate sums may wrap."""
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
    """The value of an affine expression in every lane of a copy, modulo the type's range."""
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
    """The parts in memory after the old and the new element are combined."""
    if access.combine is None:
        return _raw_of(state, s, new)
    old = tuple(from_memory(state.builder, s, part) for part in old)
    return _raw_of(state, s, combine(state.builder, access.combine, s.dtype, old, new))


def _store_at(state: State, pointer: Ir, s: Storage, raw: Parts) -> None:
    b = state.builder
    b.store(pointer, raw[0])
    if s.parts == 2:
        b.store(b.gep(pointer, state.number(1), s.memory), raw[1])


def _store_scalar(state: State, access: Store, s: Storage) -> None:
    b = state.builder
    # Positions that data give are seldom outside of the array.
    likely = True if access.dynamic else None
    with b.when(state.scalar(access.when)[0] if access.when is not None else None, likely):
        pointer = _address_of(state, access, s, 0)
        new = state.scalar(access.value)
        old = _load_at(state, pointer, s) if access.combine is not None else new
        _store_at(state, pointer, s, _combined(state, access, s, old, new))


def _store_vector(state: State, access: Store, s: Storage, copy: int) -> bool:
    """Writes the store of a whole vector if the lanes are contiguous; whether they are."""
    b, width = state.builder, state.shape.width
    if state.lane_stride(access.at) != 1 or (access.when is not None and s.parts == 2):
        return False
    pointer = _address_of(state, access, s, copy)
    new = state.vector(access.value, copy)
    mask = _mask(state, access.when, copy) if access.when is not None else None
    if s.parts == 2:
        old = new
        if access.combine is not None:
            both = b.load(pointer, s.memory, 2 * width)
            old = (b.shuffle(both, range(0, 2 * width, 2)), b.shuffle(both, range(1, 2 * width, 2)))
        raw = _combined(state, access, s, old, new)
        interleaved = [lane + part * width for lane in range(width) for part in range(2)]
        b.store(pointer, b.shuffle(raw[0], interleaved, raw[1]))
        return True
    if mask is None:
        old = (b.load(pointer, s.memory, width),) if access.combine is not None else new
        (vector,) = _combined(state, access, s, old, new)
        if _is_streamed(state, access, s):
            state.has_streamed = True
            b.store(pointer, vector, min(width * s.part_bytes, _LINE), streaming=True)
        else:
            b.store(pointer, vector)
    else:
        old = (b.load_masked(pointer, s.memory, mask),) if access.combine is not None else new
        b.store_masked(pointer, _combined(state, access, s, old, new)[0], mask)
    return True


def is_large(statement: Statement) -> bool:
    """Whether it writes an output larger than the caches."""
    if not isinstance(statement, Store) or statement.parameter.role != "output":
        return False
    return _bytes_of(statement) >= _STREAMED


def is_far(state: State, access: Statement) -> bool:
    """Whether it reads contiguous lanes of an input that is beyond the first two caches."""
    if not isinstance(access, Load) or access.dynamic or access.when is not None:
        return False
    return _bytes_of(access) >= _FAR and state.lane_stride(access.at) == 1


def _bytes_of(access: Load | Store) -> int:
    """Bytes of the whole input or output."""
    return access.parameter.size * access.parameter.dtype.itemsize


def prefetch(state: State, access: Load, distance: int) -> None:
    """Prefetches what all copies read `distance` iterations later, by lines; addresses past the end are harmless."""
    b, s = state.builder, storage(access.parameter.dtype)
    pointer = b.gep(_address_of(state, access, s, 0), state.number(distance * s.parts), s.memory)
    for at in range(0, state.shape.step * s.parts * s.part_bytes, _LINE):
        b.prefetch(b.gep(pointer, state.number(at), "i8"), near=True)


def _is_streamed(state: State, access: Store, s: Storage) -> bool:
    """Whether a vector is stored non-temporally, which saves reading its cache lines first."""
    if not state.may_stream or state.vector_loop is None or not is_large(access):
        return False
    if access.combine is not None or access.dynamic:
        return False
    # The vectorized index is aligned to whole lines; other terms must be multiples of the vector or divide a line.
    nbytes = min(state.shape.width * s.part_bytes, _LINE)
    others = [stride for index, stride in access.at.terms if index is not state.vector_loop.index]
    return nbytes >= 16 and all(step * s.part_bytes % nbytes == 0 for step in (access.at.constant, *others))


def _load_interleaved(state: State, access: Load, s: Storage) -> None:
    """Writes the loads of an interleave group at its first member: contiguous vectors, deinterleaved."""
    b, width, group = state.builder, state.shape.width, state.interleaved.loads[access]
    if access is not group[0]:
        return
    first, values = min(group, key=lambda a: a.at.constant), []
    for copy in range(state.shape.copies):
        pointer = _address_of(state, first, s, copy)
        raw = [b.load(b.gep(pointer, state.number(i * width), s.memory), s.memory, width)
               for i in range(len(group) * s.parts)]
        values.append([from_memory(b, s, part) for part in deinterleave(b, raw)])
    for member in group:
        offset = (member.at.constant - first.at.constant) * s.parts
        state.values[id(member.result)] = tuple(tuple(found[offset: offset + s.parts]) for found in values)


def _store_interleaved(state: State, access: Store, s: Storage) -> None:
    """Writes the stores of an interleave group at its last member: interleaved, as contiguous vectors."""
    b, width, group = state.builder, state.shape.width, state.interleaved.stores[access]
    if access is not group[-1]:
        return
    members = sorted(group, key=lambda a: a.at.constant)
    for copy in range(state.shape.copies):
        pointer, parts = _address_of(state, members[0], s, copy), list[Ir]()
        for member in members:
            # LLVM folds shuffles of loads into loads, and may fail if it folds the same ones twice.
            parts += [b.freeze(part) for part in _raw_of(state, s, state.vector(member.value, copy))]
        for i, vector in enumerate(interleave(b, parts)):
            b.store(b.gep(pointer, state.number(i * width), s.memory), vector)


def _store_lanes(state: State, access: Store, s: Storage, copy: int) -> None:
    """Stores the lanes one by one, in their order."""
    b, width = state.builder, state.shape.width
    new = state.vector(access.value, copy)
    mask = _mask(state, access.when, copy) if access.when is not None else None
    index = _indices(state, access, copy) if _is_dynamic(state, access) else None
    addresses = _lane_addresses(state, access, s, copy) if index is None else []

    def lane_of(lane: int) -> None:
        pointer = addresses[lane] if index is None else _element(state, access, s, b.extract(index, lane))
        element = tuple(b.extract(part, lane) for part in new)
        old = _load_at(state, pointer, s) if access.combine is not None else element
        _store_at(state, pointer, s, _combined(state, access, s, old, element))

    def lanes(condition: Ir | None) -> None:
        for lane in range(width):
            with b.when(b.extract(condition, lane) if condition is not None else None):
                lane_of(lane)

    if mask is None or not access.dynamic:
        lanes(mask)
        return

    def rare() -> tuple[Ir, ...]:
        lanes(mask)
        return ()

    # Data seldom give positions outside of the array: one look at all lanes, and not one at each.
    join = b.side_exit(b.any(b.not_(mask)))
    lanes(None)
    join((), rare)
