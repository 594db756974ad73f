# SPDX-License-Identifier: Apache-2.0
"""Loop transformations that expose parallelism where a kernel's outermost loop runs once.

Loop distribution (fission) gives each large loop a launch of its own. Loop interchange moves vector lanes outside the
serial loops of a scatter. The updates of a scatter are divided by the owner-computes rule: each class of addresses has
threads of its own, which apply the updates of their class in order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from olympus_core import dtypes, ops
from olympus_core.toolkit.c_text import Level, Nest, Sharing, accesses, loops_of, owner, same
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Parameter,
    Scalar,
    Statement,
    Store,
    operands_of,
    results_of,
)

from .reduce_then_scan import reduce_then_scan
from .target import Target

_WORTH_A_LAUNCH = 1 << 14
_MANY_UPDATES = 64
_CLASS_THREADS = 256  # of one multiprocessor, since every thread examines all updates
_UPDATES_EACH = 8  # updates of a class, at least

_PURE = (Constant, IndexValue, Inside, Compute)


def launches_of(kernel: Kernel, target: Target) -> Iterator[Kernel]:
    """The launches of a kernel: usually one; several for few long scans, and for large loops inside one iteration."""
    chunks = reduce_then_scan(kernel, target)
    if chunks is not None:
        yield from chunks
        return
    top = kernel.loop
    loops = [s for s in top.body if isinstance(s, Loop)]
    free = top.extent == 1 and top.kind != "serial" and len(loops) > 1 and not top.until
    free = free and not any(p.role == "local" for p in kernel.parameters)
    free = free and any(_is_worth_a_launch(loop) for loop in loops)
    handed = {r for loop in loops for r in results_of(loop)}
    for statement in top.body if free else ():
        plain = isinstance(statement, (Loop, *_PURE)) or (
            isinstance(statement, Load) and statement.parameter.role == "input")
        every = [statement, *loops_of([statement])]
        inner = [s for loop in every if isinstance(loop, Loop) for s in loop.body]
        free = free and plain and not any(x in handed for s in (*every, *inner) for x in operands_of(s))
    if not free:
        yield replace(kernel, loop=_interchanged(top, target))
        return
    before: list[Statement] = []
    for statement in top.body:
        if isinstance(statement, Loop):
            alone = Loop(top.index, 1, top.kind, (*before, statement))
            yield replace(kernel, loop=_interchanged(alone, target))
        else:
            before.append(statement)


def _is_worth_a_launch(loop: Loop) -> bool:
    """Whether a loop takes so long in one block that a launch of its own is faster."""
    every = [loop, *loops_of(loop.body)]
    ordered = math.prod(n.extent for n in every if n.kind == "serial" and not n.reductions)
    return ordered >= _MANY_UPDATES or math.prod(n.extent for n in every) >= _WORTH_A_LAUNCH


def _interchanged(top: Loop, target: Target) -> Loop:
    """Interchanges serial loops whose only effect is a store with the independent lanes inside, and divides updates.

    Two updates of one element belong to one class, whose threads apply them in order. Every thread examines all
    updates.
    """
    if top.extent != 1 or top.until or not top.body or any(isinstance(s, (Loop, Store)) for s in top.body[:-1]):
        return top
    serial: list[Loop] = []
    statement = top.body[-1]
    while isinstance(statement, Loop) and statement.kind == "serial":
        if statement.recurrences or statement.reductions or not statement.body:
            return top
        serial.append(statement)
        statement = statement.body[-1]
        if any(isinstance(s, (Loop, Store)) for s in serial[-1].body[:-1]):
            return top
    if not serial:
        return top
    if isinstance(statement, Store):
        return _by_class(top, serial, None, target)
    if not isinstance(statement, Loop) or statement.kind != "lanes" or statement.reductions:
        return top
    if statement.until is not None or not _are_independent(statement, serial):
        return top
    return _by_class(top, serial, statement, target)


def _by_class(top: Loop, serial: Sequence[Loop], lanes: Loop | None, target: Target) -> Loop:
    """The loops with the lanes outside, and around them a loop over classes of updates where these are many."""
    body: tuple[Statement, ...] = lanes.body if lanes is not None else serial[-1].body
    classes = _classes(serial, lanes, body, target)
    index = Index("class")
    if classes > 1:
        body = _of_class(body, lanes, index, classes)
    elif lanes is None:
        return top
    for number, loop in reversed(list(enumerate(serial))):
        innermost = number == len(serial) - 1
        held = () if innermost and lanes is None else loop.body[:-1]
        body = (replace(loop, body=(*held, *body)),)
    if lanes is not None:
        body = (replace(lanes, body=body),)
    if classes > 1:
        body = (Loop(index, classes, "lanes" if lanes is None else "parallel", body),)
    return replace(top, body=(*top.body[:-1], *body))


def _modulus(store: Store, lanes: Loop | None) -> int:
    """The greatest common divisor of the strides of a store's address, without the lanes' stride."""
    rest = [stride for index, stride in store.at.terms if lanes is None or index is not lanes.index]
    return math.gcd(*rest, *(stride for _, stride in store.dynamic))


def _classes(serial: Sequence[Loop], lanes: Loop | None, body: Sequence[Statement], target: Target) -> int:
    """The number of classes into which updates are divided; 1 where they cannot be."""
    stores = [s for s in body if isinstance(s, Store)]
    touched = [*accesses(body), *(s for loop in serial for s in loop.body if isinstance(s, Load))]
    if len(stores) != 1 or any(isinstance(s, Loop) for s in body):
        return 1
    (store,) = stores
    for access in touched:
        if access.parameter is store.parameter:
            if not same(access.at, store.at) or access.dynamic != store.dynamic:
                return 1
        elif access.parameter.role != "input":
            return 1
    modulus = _modulus(store, lanes)
    if not modulus:
        return 1
    updates = math.prod(loop.extent for loop in serial)
    threads = target.multiprocessors * _CLASS_THREADS // (lanes.extent if lanes is not None else 1)
    return max(1, min(store.parameter.size // modulus, updates // _UPDATES_EACH, threads))


def _of_class(body: Sequence[Statement], lanes: Loop | None, index: Index, classes: int) -> tuple[Statement, ...]:
    """The statements of an update, with its store restricted to the class that owns the address."""
    (store,) = (s for s in body if isinstance(s, Store))
    kind = dtypes.int64 if store.parameter.size >= 1 << 31 else dtypes.int32
    modulus = _modulus(store, lanes)
    made: list[Statement] = []

    def compute(name: str, *operands: Scalar, **attributes: object) -> Scalar:
        result = Scalar(dtypes.bool_ if name in ("eq", "and") else kind)
        made.append(Compute((result,), ops.OPERATIONS[name], operands, attributes))
        return result

    def number(affine: Affine) -> Scalar:
        result = Scalar(kind)
        made.append(IndexValue(result, affine))
        return result

    terms = tuple((i, s // modulus) for i, s in store.at.terms if lanes is None or i is not lanes.index)
    position = number(Affine(store.at.constant // modulus, terms))  # not negative where the store takes place
    for scalar, stride in store.dynamic:
        part = scalar if scalar.dtype == kind else compute("convert", scalar, dtype=kind)
        if stride != modulus:
            part = compute("mul", part, number(Affine(stride // modulus)))
        position = compute("add", position, part)
    own = compute("eq", compute("rem", position, number(Affine(classes))), number(Affine.of(index)))
    if store.when is not None:
        own = compute("and", own, store.when)
    if lanes is None:  # the statements define the scalars of the address
        return (*body[:-1], *made, replace(store, when=own))
    return (*made, *(replace(s, when=own) if isinstance(s, (Load, Store)) and s.when in (None, store.when) else s
                     for s in body))


def _are_independent(lanes: Loop, around: Sequence[Loop]) -> bool:
    """Whether different lanes access different elements of everything that is written."""
    nest = Nest((Level(lanes.index, lanes.extent, None),), lanes.body)
    touched = [*accesses(lanes.body), *(s for loop in around for s in loop.body if isinstance(s, Load))]
    written: set[Parameter] = {a.parameter for a in touched if isinstance(a, Store)}
    owners = {a.parameter: set() for a in touched if a.parameter in written}  # type: dict[Parameter, set[object]]
    for access in touched:
        if access.parameter in written:
            owners[access.parameter].add(owner(access, nest, Sharing(1, 1)))
    return all(len(found) == 1 and None not in found for found in owners.values())


