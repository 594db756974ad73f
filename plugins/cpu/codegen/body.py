# SPDX-License-Identifier: Apache-2.0
"""`Body`: the text of a function under construction, with basic blocks, structured loops and value numbering."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from olympus_core.errors.base import OlympusInternalError

from .ir import Ir, constant, type_text
from .target import Target

# The pure instructions that are available in a basic block, by their text. A block begins with those of the block that
# dominates it: together they are what a dominator-scoped hash table of value numbering holds.
_Scope = dict[str, Ir]


class Iteration:
    """One iteration of a loop whose body is being written.

    Args:
        index: The counter; None where the loop has none.
        carried: The loop-carried values at the start of the iteration.
    """

    __slots__ = ("_following", "_proceed", "carried", "index", "results")

    def __init__(
        self, index: Ir | None, carried: tuple[Ir, ...], proceed: Callable[[Ir], None] | None = None
    ) -> None:
        self._following: tuple[Ir, ...] | None = None if carried else ()
        self._proceed = proceed
        self.carried = carried
        self.index: Ir = index if index is not None else Ir("", "i64")
        #: The loop-carried values after the loop; read after it.
        self.results = carried

    def next(self, values: Sequence[Ir]) -> None:
        """Gives the loop-carried values of the next iteration; the last call in the body."""
        if [v.type for v in values] != [v.type for v in self.carried]:
            raise OlympusInternalError(f"a loop carries {self.carried} and goes on with {list(values)}")
        self._following = tuple(values)

    def proceed_if(self, condition: Ir) -> None:
        """Leaves a `while_loop` if the condition is false; code before the call runs once more than code after it."""
        if self._proceed is None:
            raise OlympusInternalError("proceed_if() is called once, in a while_loop")
        proceed, self._proceed = self._proceed, None
        proceed(condition)

    @property
    def following(self) -> tuple[Ir, ...]:
        """The values that `next` was given."""
        if self._following is None:
            raise OlympusInternalError("a loop that carries values needs next()")
        return self._following


class Body:
    """Lines, blocks and loops of one function; `FunctionBuilder` adds the instructions.

    Args:
        target: The processor.
        name: The function's name.
        parameters: Pairs of a parameter's name and its element, which may be followed by attributes ("ptr noalias"),
            or `Ir` values whose names start with a per cent sign.
        result: The result's element; None for a function without.
        result_lanes: The result's lanes.
        attributes: More attributes of the function, before those of the target.
        internal: Whether it has internal linkage.
    """

    def __init__(
        self,
        target: Target,
        name: str,
        parameters: Sequence[tuple[str, str] | Ir],
        result: str | None = None,
        result_lanes: int = 1,
        attributes: str = "",
        internal: bool = False,
    ) -> None:
        self.target, self.name = target, name
        self.parameters: list[Ir] = []
        self._signature: list[str] = []
        for given in parameters:
            if isinstance(given, Ir):
                value, text = given, given.typed
            else:
                element, _, more = given[1].partition(" ")
                value = Ir(f"%{given[0]}", element)
                text = f"{value.type} {more + ' ' if more else ''}{value.name}"
            self.parameters.append(value)
            self._signature.append(text)
        self._result = type_text(result, result_lanes) if result else "void"
        self._attributes, self._internal = attributes, internal
        self._allocations: list[str] = []
        self._scratch: dict[tuple[str, int, int], Ir] = {}
        self._lines: list[str] = []
        self._count = 0
        self._scope = self._entry = _Scope()
        self._ended = False
        #: The label of the current block.
        self.block = "entry"
        #: Declarations of what the function calls, by name.
        self.declarations: dict[str, str] = {}
        #: Definitions, of other functions or constants, that the function needs, by name.
        self.definitions: dict[str, str] = {}

    def parameter(self, name: str) -> Ir:
        """A parameter by its name."""
        return next(value for value in self.parameters if value.name == f"%{name}")

    # Lines

    def register(self, element: str, lanes: int = 1) -> Ir:
        """A new register."""
        self._count += 1
        return Ir(f"%v{self._count}", element, lanes)

    def emit(self, text: str) -> None:
        """Writes an instruction without a result."""
        if self._ended:
            raise OlympusInternalError(f"{text!r} comes after the end of a block")
        self._lines.append(f"  {text}")

    def pure(self, text: str, element: str, lanes: int) -> Ir:
        """The result of an instruction without side effects; an equal one that dominates this point is reused."""
        found = self._scope.get(text)
        if found is None:
            found = self._scope[text] = self.effect(text, element, lanes)
        return found

    def effect(self, text: str, element: str, lanes: int) -> Ir:
        """The result of an instruction that is executed each time."""
        result = self.register(element, lanes)
        self.emit(f"{result.name} = {text}")
        return result

    def alloca(self, element: str, count: int, alignment: int = 64) -> Ir:
        """Stack memory of the function."""
        result = self.register("ptr")
        text = f"{result.name} = alloca [{count} x {type_text(element, 1)}], align {alignment}"
        self._allocations.append(f"  {text}")
        return result

    def scratch(self, element: str, count: int, number: int = 0) -> Ir:
        """Stack memory that is shared by all uses with the same element, count and number."""
        key = element, count, number
        if key not in self._scratch:
            self._scratch[key] = self.alloca(element, count)
        return self._scratch[key]

    # Blocks

    def label(self, hint: str = "block") -> str:
        """A new label."""
        self._count += 1
        return f"{hint}{self._count}"

    def start_block(self, label: str, inherit: bool = True) -> None:
        """Starts the block of a label.

        Args:
            label: The label.
            inherit: Whether the block written before dominates it; otherwise only the entry block is known to.
        """
        if not self._ended:
            self.branch(label)
        self._lines.append(f"{label}:")
        self._scope = _Scope(self._scope if inherit else self._entry)
        self.block, self._ended = label, False

    def branch(self, label: str) -> None:
        """Ends the block with a jump."""
        self.emit(f"br label %{label}")
        self._ended = True

    def cond_branch(self, condition: Ir, on_true: str, on_false: str, likely: bool | None = None) -> None:
        """Ends the block with a conditional branch.

        Args:
            condition: The condition.
            on_true: The target if it is true.
            on_false: The target if it is false.
            likely: Whether it is nearly always, or nearly never, true; written as branch weights.
        """
        hint = ""
        if likely is not None:
            self.definitions["!branches"] = '!0 = !{!"branch_weights", i32 1, i32 1000000}'
            self.definitions["!branches1"] = '!1 = !{!"branch_weights", i32 1000000, i32 1}'
            hint = f", !prof !{int(likely)}"
        self.emit(f"br i1 {condition.name}, label %{on_true}, label %{on_false}{hint}")
        self._ended = True

    def phi(self, incoming: Sequence[tuple[Ir, str]]) -> Ir:
        """A phi of values and their predecessor blocks; the first instruction of a block."""
        first = incoming[0][0]
        text = ", ".join(f"[ {value.name}, %{label} ]" for value, label in incoming)
        return self.effect(f"phi {first.type} {text}", first.element, first.lanes)

    def ret(self, value: Ir | None = None) -> None:
        """Ends the function."""
        self.emit("ret void" if value is None else f"ret {value.typed}")
        self._ended = True

    @contextmanager
    def when(self, condition: Ir | None, likely: bool | None = None) -> Iterator[None]:
        """A context whose code runs only if the condition is true; None is always true."""
        if condition is None:
            yield
            return
        inside, after, scope = self.label("when"), self.label("after"), self._scope
        self.cond_branch(condition, inside, after, likely)
        self.start_block(inside)
        yield
        self._continue(after, scope)

    def rarely(self, condition: Ir, usual: Sequence[Ir], rare: Callable[[], Sequence[Ir]]) -> tuple[Ir, ...]:
        """The usual values, or those of the cold block that `rare` writes if an unlikely condition is true."""
        inside, after, scope, before = self.label("rare"), self.label("after"), self._scope, self.block
        self.cond_branch(condition, inside, after, likely=False)
        self.start_block(inside)
        others = rare()
        last = self.block
        self._continue(after, scope)
        return tuple(self.phi([(a, before), (b, last)]) for a, b in zip(usual, others, strict=True))

    def side_exit(self, condition: Ir) -> Callable[[Sequence[Ir], Callable[[], Sequence[Ir]]], tuple[Ir, ...]]:
        """Branches to a slow path from here if an unlikely condition is true.

        Returns:
            A function that joins both paths: given the values of the usual path, and what writes the slow path and
            gives its values, it gives the phis.
        """
        inside, usually, scope = self.label("rare"), self.label("usual"), self._scope
        self.cond_branch(condition, inside, usually, likely=False)
        self.start_block(usually)

        def join(usual: Sequence[Ir], rare: Callable[[], Sequence[Ir]]) -> tuple[Ir, ...]:
            after, before = self.label("after"), self.block
            self.branch(after)
            self._continue(inside, scope)
            others = rare()
            last = self.block
            self._continue(after, scope)
            return tuple(self.phi([(a, before), (b, last)]) for a, b in zip(usual, others, strict=True))

        return join

    def _continue(self, label: str, scope: _Scope) -> None:
        """Starts the block after a structured statement, dominated by the block before the statement."""
        if not self._ended:
            self.branch(label)
        self._lines.append(f"{label}:")
        self._scope = _Scope(scope)
        self.block, self._ended = label, False

    # Loops

    @contextmanager
    def for_loop(self, start: Ir, stop: Ir, step: Ir | int = 1, carried: Sequence[Ir] = ()) -> Iterator[Iteration]:
        """A loop that counts up from start while below stop; stop - start need not be a multiple of step."""
        by = step if isinstance(step, Ir) else constant(step, start.element)
        with self._looping([start, *carried]) as (values, head, scope, close):
            index = values[0]
            iteration = Iteration(index, values[1:])
            below = self.effect(f"icmp slt {index.typed}, {stop.name}", "i1", 1)
            inside, after = self.label("body"), self.label("done")
            self.cond_branch(below, inside, after)
            self.start_block(inside)
            yield iteration
            following = self.effect(f"add nsw {index.typed}, {by.name}", index.element, 1)
            close([following, *iteration.following], head)
            self._continue(after, scope())

    @contextmanager
    def while_loop(self, carried: Sequence[Ir]) -> Iterator[Iteration]:
        """A loop that runs while the condition given to `Iteration.proceed_if` is true."""
        with self._looping(carried) as (values, head, scope, close):
            inside, after = self.label("body"), self.label("done")
            asked: list[_Scope] = []

            def proceed(condition: Ir) -> None:
                self.cond_branch(condition, inside, after)
                asked.append(self._scope)
                self.start_block(inside)

            iteration = Iteration(None, values, proceed)
            yield iteration
            close(iteration.following, head)
            if not asked:
                raise OlympusInternalError("a while_loop needs proceed_if()")
            self._continue(after, asked[0])

    @contextmanager
    def _looping(
        self, initial: Sequence[Ir]
    ) -> Iterator[tuple[tuple[Ir, ...], str, Callable[[], _Scope], Callable[[Sequence[Ir], str], None]]]:
        """The loop header; its phis are completed when the end of the body is known."""
        head, before = self.label("loop"), self.block
        self.start_block(head)
        here = self._scope
        first_line = len(self._lines)
        values = tuple(self.register(v.element, v.lanes) for v in initial)
        self._lines.extend("" for _ in initial)

        def close(following: Sequence[Ir], label: str) -> None:
            last = self.block
            self.branch(label)
            for i, (value, start, end) in enumerate(zip(values, initial, following, strict=True)):
                self._lines[first_line + i] = (
                    f"  {value.name} = phi {value.type} [ {start.name}, %{before} ], [ {end.name}, %{last} ]"
                )

        yield values, head, lambda: here, close

    def function_text(self) -> str:
        """The function's definition."""
        if not self._ended:
            raise OlympusInternalError(f"function {self.name} has no end")
        lines = "\n".join([*self._allocations, *self._lines])
        signature = ", ".join(self._signature)
        attributes = f" {self._attributes}" if self._attributes else ""
        linkage = "internal " if self._internal else ""
        return f"define {linkage}{self._result} @{self.name}({signature}){attributes} #0 {{\nentry:\n{lines}\n}}\n"


def module_text(functions: Sequence[Body]) -> str:
    """The text of a module of functions for one target, with their declarations and definitions."""
    target = functions[0].target
    declared: dict[str, str] = {}
    defined: dict[str, str] = {}
    for function in functions:
        declared.update(function.declarations)
        defined.update(function.definitions)
    own = {function.name for function in functions} | set(defined)
    parts = [f'target triple = "{target.triple}"', f'target datalayout = "{target.data_layout}"']
    parts += [text for name, text in declared.items() if name not in own]
    parts += [text for name, text in defined.items() if not name.startswith("!")]
    parts += [function.function_text() for function in functions]
    parts.append(f"attributes #0 = {{ {target.attributes()} }}")
    parts += [text for name, text in defined.items() if name.startswith("!")]
    return "\n".join(parts) + "\n"
