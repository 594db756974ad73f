# SPDX-License-Identifier: Apache-2.0
"""The stages of a jitted function before it is called: traced, lowered, compiled; and what can be read from each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core.config import config
from olympus_core.errors import ArgumentError, NotSupportedError, described
from olympus_core.partition import format_collectives
from olympus_core.placement import Layout, Sharding, sharding_of
from olympus_core.program import Program

from ..shape_dtype import struct_of
from ..tracing import Aval, shown_dtype
from ..tracing.tracebacks import entrance
from ..trees import inside as tree
from .calls import CompiledCall
from .jaxpr import ClosedJaxpr, DebugInfo, closed_jaxpr
from .shared_calls import TracedProgram

if TYPE_CHECKING:
    from olympus_core.partition import Partitioned

CompilerOptions = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArgInfo:
    """What is known of an argument.

    Attributes:
        aval: Its type.
        donated: Whether the call may reuse its memory.
    """

    aval: Aval
    donated: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.aval.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return shown_dtype(self.aval.dtype)


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """Bytes that a compiled function takes on each device.

    Attributes:
        argument_size_in_bytes: The arguments.
        output_size_in_bytes: The results.
        alias_size_in_bytes: Of the results, what lies in the memory of donated arguments.
        temp_size_in_bytes: What is needed while it runs, where the platform knows; else zero.
        generated_code_size_in_bytes: The code, where the platform knows; else zero.
        peak_memory_in_bytes: All together at the worst moment, where the platform knows; else arguments and results.
        host_argument_size_in_bytes: As above, of the host's memory: zero, like all of these. A program runs in its
            devices' memory, and what is for the host's is brought there by a copy behind it.
        host_output_size_in_bytes: Likewise.
        host_alias_size_in_bytes: Likewise.
        host_temp_size_in_bytes: Likewise.
        host_generated_code_size_in_bytes: Likewise.
    """

    argument_size_in_bytes: int
    output_size_in_bytes: int
    alias_size_in_bytes: int
    temp_size_in_bytes: int
    generated_code_size_in_bytes: int
    peak_memory_in_bytes: int
    host_argument_size_in_bytes: int = 0
    host_output_size_in_bytes: int = 0
    host_alias_size_in_bytes: int = 0
    host_temp_size_in_bytes: int = 0
    host_generated_code_size_in_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Staged:
    """What all stages know of a function and the arguments that it is staged for.

    Attributes:
        name: The function's name.
        source: The same, and where its text is.
        argument_names: What it calls the arguments that are arrays.
        traced: What was traced.
        entered: Structure of what the program is given.
        split: The caller's positional arguments and those by name to what the program is given.
        in_tree: Structure of the arguments that are arrays: of those by position, and those by name.
        in_avals: What is known of these.
        donated: Which of these may be reused, by their places.
        donate_argnums: The positions that the user donated.
        place: Compiles.
        partition: Splits the program over the devices, without compiling.
        out_tree: Structure of the results.
        out_avals: What is known of these; None where that is known of the program's own results only.
        leave: The program's results to the caller's; None where they are the same.
        around: Calls what it is given with the arguments that the program takes, for a caller that gives others.
        contents: How many contents of references come before the arguments.
        demanded: Where each result is asked to be; empty where it is for none.
    """

    name: str
    source: str
    argument_names: Callable[[], Sequence[str]]
    traced: TracedProgram
    entered: Any
    split: Callable[[Any, Any], Any]
    in_tree: Any
    in_avals: Sequence[Aval]
    donated: frozenset[int]
    donate_argnums: tuple[int, ...]
    place: Callable[[], CompiledCall]
    partition: Callable[[], Partitioned]
    out_tree: Any
    out_avals: Sequence[Aval]
    leave: Callable[[Any], Any] | None = None
    around: Callable[[Callable[[Any, Any], Any], Any, Any], Any] | None = None
    contents: int = 0
    demanded: Sequence[Sharding | None] = ()


class Stage:
    """What can be read from every stage."""

    __slots__ = ("_staged",)

    def __init__(self, staged: Staged) -> None:
        self._staged = staged

    @property
    def fun_name(self) -> str:
        """The function's name."""
        return self._staged.name

    @property
    def in_tree(self) -> Any:
        """Structure of the arguments: a pair of those by position and those by name, static ones left out."""
        return self._staged.in_tree

    @property
    def out_tree(self) -> Any:
        """Structure of the results."""
        return self._staged.out_tree

    @property
    def args_info(self) -> Any:
        """Type of each argument, and whether it is donated, in their structure."""
        staged = self._staged
        return tree.unflatten(staged.in_tree, [
            ArgInfo(aval, i in staged.donated) for i, aval in enumerate(staged.in_avals)])

    @property
    def in_avals(self) -> Any:
        """Types of the arguments, in their structure."""
        return tree.unflatten(self._staged.in_tree, list(self._staged.in_avals))

    @property
    def out_avals(self) -> Any:
        """Types of the results, in their structure."""
        return tree.unflatten(self._staged.out_tree, list(self._staged.out_avals))

    @property
    def out_info(self) -> Any:
        """What stands for the results, in their structure."""
        avals = self._staged.out_avals
        return tree.unflatten(self._staged.out_tree, list(map(struct_of, avals, self._staged.demanded or [None] * len(
            avals))))

    @property
    def donate_argnums(self) -> tuple[int, ...]:
        """The positions of the arguments that are donated."""
        return self._staged.donate_argnums

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} {self._staged.name}>"

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce__(self) -> Any:
        raise NotSupportedError(
            f"Pickling {self!r}", "it belongs to this process",
            "Pickle the jitted function, or use olympus.experimental.serialize_executable for what is compiled, and "
            "olympus.export for programs.")


class Traced(Stage):
    """A traced function, made by `jit(f).trace`: its program, and the types of its arguments and results."""

    __slots__ = ()

    def mapped(
        self, split: Callable[[Any, Any], Any], leave: Callable[[Any], Any], in_tree: Any, in_avals: Sequence[Aval],
        out_tree: Any, out_avals: Sequence[Aval],
    ) -> Traced:
        """The same program for a caller that holds parts of its arguments and results.

        Args:
            split: The caller's positional arguments and those by name to the program's.
            leave: The program's result to the caller's.
            in_tree: Structure of the caller's arguments.
            in_avals: Their types.
            out_tree: Structure of the caller's results.
            out_avals: Their types.
        """
        return Traced(replace(self._staged, split=split, leave=leave, in_tree=in_tree, in_avals=in_avals,
                              out_tree=out_tree, out_avals=out_avals))

    @property
    def program(self) -> Program:
        """The program: arguments first, then what the function uses from outside."""
        return self._staged.traced.program

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """The program as data, in the terms that libraries of JAX walk."""
        traced = self._staged.traced
        return closed_jaxpr(traced.program, traced.captured, traced.in_avals, traced.out_avals, self._debug_info())

    def _debug_info(self) -> DebugInfo:
        """Where the program comes from: the function, and what it calls its arguments and results."""
        staged = self._staged
        names = staged.argument_names()
        results = tree.flatten_with_path(tree.unflatten(staged.out_tree, [0] * staged.out_tree.num_leaves))[0]
        return DebugInfo("jit", staged.source, tuple(names),
                         tuple([f"result{tree.keystr(path)}" for path, _ in results]))

    @entrance
    def lower(self, *, lowering_platforms: Sequence[str] | None = None) -> Lowered:
        """The program of a call, to be read and compiled.

        Args:
            lowering_platforms: Accepted for compatibility: programs are the same for all platforms.
        """
        return Lowered(self._staged)


class Lowered(Stage):
    """A traced function, not yet compiled; made by `jit(f).lower`."""

    __slots__ = ()

    @entrance
    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """The program.

        Args:
            dialect: None or ``"olympus"`` for the global program, before it is split over devices; ``"jaxpr"`` for
                it in that notation; ``"stablehlo"`` for what each device runs, as a StableHLO module.
            debug_info: Whether each operation's line ends with the user's line: ``file:line``, and the names of scopes
                around it; in StableHLO as MLIR's ``loc("jit(f)/scope/sin"("file":line:0))``.

        Raises:
            ArgumentError: For another dialect.
            NotSupportedError: Where no installed platform writes it, or it cannot say the program.
        """
        from .dialects import as_text  # few programs ask

        traced = self._staged.traced
        return as_text(traced.program, dialect, debug_info, lambda: self._staged.partition().device_program)

    def compiler_ir(self, dialect: str | None = None) -> Any:
        """The program itself; the text of another dialect.

        Args:
            dialect: As `as_text` takes it.
        """
        return self._staged.traced.program if dialect in (None, "olympus") else self.as_text(dialect)

    def cost_analysis(self) -> dict[str, float]:
        """What the program takes, before it is split and compiled.

        Returns:
            ``flops`` (additions and multiplications; other elementwise operations count one for each element),
            ``transcendentals`` (elements of functions such as sin), ``bytes accessed`` (operands and results of every
            operation), ``collectives`` (how many, those of the user) and ``bytes communicated``. Of a `while` one step
            counts, of a `cond` the dearest branch.
        """
        from .costs import costs  # few programs ask

        self._check_sizes("cost_analysis")
        return costs(self._staged.traced.program)

    def _check_sizes(self, asked: str) -> None:
        """Refuses arguments whose sizes are not known yet."""
        for aval in self._staged.in_avals:
            if not all(isinstance(size, int) for size in aval.shape):
                raise NotSupportedError(
                    f"{asked} with symbolic dimensions", f"{self._staged.name} takes {aval!r}",
                    "Lower it for arguments of certain sizes, or export it with olympus.export.")

    @entrance
    def compile(
        self, compiler_options: CompilerOptions | None = None, *, device_assignment: Sequence[Any] | None = None
    ) -> Compiled:
        """Splits the program over the devices of its arguments and compiles it.

        Args:
            compiler_options: Options of `olympus.config` that hold while it is compiled, by name. Those of another
                compiler (``xla_...``) are taken and mean nothing.
            device_assignment: Not taken: where it runs is said by the arguments' shardings.

        Raises:
            UnknownOptionError: For an option that there is not.
            NotSupportedError: For a device assignment.
        """
        if device_assignment is not None:
            raise NotSupportedError("device_assignment", "the arguments' shardings say where a program runs",
                                    "Give the arguments of lower() shardings over these devices.")
        self._check_sizes("compile")
        if not isinstance(compiler_options, (Mapping, type(None))):
            raise ArgumentError("compile", "compiler_options are no mapping", described(compiler_options),
                                "names and values, such as {'olympus_enable_x64': True}")
        with ExitStack() as stack:
            for name, value in (compiler_options or {}).items():
                if not name.startswith("xla_"):
                    stack.enter_context(config.override(name, value))
            return Compiled(self._staged, self._staged.place())


class Compiled(Stage):
    """A compiled function; made by `Lowered.compile`."""

    __slots__ = ("_call",)

    def __init__(self, staged: Staged, call: CompiledCall) -> None:
        super().__init__(staged)
        self._call = call

    @entrance
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it with arguments like those of `Jitted.lower`; static ones are left out, or the same.

        Arrays that lie elsewhere than it was compiled for are brought there.
        """
        self._call.loaded.mesh.check_open()
        around = self._staged.around
        return self._run(args, kwargs) if around is None else around(self._run, args, kwargs)

    def _run(self, args: Any, kwargs: Any) -> Any:
        staged = self._staged
        leaves, structure = tree.flatten(staged.split(args, kwargs))
        if structure != staged.entered:
            raise _other_arguments(staged, (args, kwargs))
        results = self._call(leaves)
        return results if staged.leave is None else staged.leave(results)

    @property
    def call(self) -> Callable[..., Any]:
        """The compiled function itself: it is called as this is."""
        return self.__call__

    @entrance
    def as_text(self, dialect: str | None = None) -> str:
        """What each device runs.

        Args:
            dialect: None or ``"olympus"`` for the program of one device: local shapes and explicit collectives;
                ``"kernels"`` for what the platform made of it; ``"stablehlo"`` for the program as a StableHLO module.

        Raises:
            ArgumentError: For another dialect.
            NotSupportedError: Where no installed platform writes it, or it cannot say the program.
        """
        if dialect == "kernels":
            return self.executable_text()
        from .dialects import as_text  # few programs ask

        device_program = self._call.loaded.partitioned.device_program
        return as_text(device_program.program, dialect, False, lambda: device_program)

    def executable_text(self) -> str:
        """What the platform made of it."""
        executable = self._call.loaded.executable
        return executable.text() if executable is not None else ""

    def collectives_text(self) -> str:
        """The collectives as a table: operation, source line, axes, bytes, reason."""
        return format_collectives(self._call.loaded.partitioned)

    def cost_analysis(self) -> dict[str, float]:
        """What one device's part takes: as `Lowered.cost_analysis`, and the platform's own estimates where it has some.

        Returns:
            The figures, ``collectives`` and ``bytes communicated`` being those of the program after it is split.
        """
        from .costs import costs  # few programs ask

        executable = self._call.loaded.executable
        found = costs(self._call.loaded.partitioned.device_program.program)
        return found if executable is None else {**found, **executable.cost()}

    def memory_analysis(self) -> MemoryStats:
        """Bytes of arguments, results and, where known, of the rest, for each device."""
        executable = self._call.loaded.executable
        device_program = self._call.loaded.partitioned.device_program
        program = device_program.program
        given = sum(t.nbytes for t in program.input_types)
        results = sum(t.nbytes for t in program.output_types)
        reused = min(results, sum(program.input_types[i].nbytes for i in device_program.donated))
        peak = None if executable is None else executable.cost().get("peak_memory_bytes")
        whole = given + results - reused
        return MemoryStats(given, results, reused, 0 if peak is None else max(0, int(peak) - whole),
                           int(getattr(executable, "code_bytes", 0)), whole if peak is None else int(peak))

    def runtime_executable(self) -> Any:
        """What the platform runs; None in a process that has none of the devices."""
        return self._call.loaded.executable

    @property
    def input_formats(self) -> Any:
        """The format in which each argument must be: a pair of the positional arguments and of those by name."""
        return self._of_inputs(lambda layout: _format(layout, sharding_of(layout)))

    @property
    def output_formats(self) -> Any:
        """The format in which each result will be, in the structure of the results."""
        return self._of_outputs(_format)

    @property
    def input_shardings(self) -> Any:
        """Where each argument must be: a pair of the positional arguments and of those by name."""
        return self._of_inputs(sharding_of)

    @property
    def output_shardings(self) -> Any:
        """Where each result will be, in the structure of the results."""
        return self._of_outputs(lambda layout, sharding: sharding)

    @property
    def out_info(self) -> Any:
        """What stands for the results, with where they will be, in their structure."""
        staged = self._staged
        if staged.leave is not None:
            return super().out_info
        found = zip(staged.out_avals, self._outputs(), strict=True)
        return tree.unflatten(staged.out_tree, [struct_of(aval, sharding) for aval, (_, sharding) in found])

    def _of_inputs(self, of: Callable[[Layout], Any]) -> Any:
        in_tree, first = self._staged.in_tree, self._staged.contents
        layouts = self._call.loaded.in_layouts[first:first + in_tree.num_leaves]
        return tree.unflatten(in_tree, [of(layout) for layout in layouts])

    def _of_outputs(self, of: Callable[[Layout, Sharding], Any]) -> Any:
        return tree.unflatten(self._staged.out_tree, [of(layout, sharding) for layout, sharding in self._outputs()])

    def _outputs(self) -> list[tuple[Layout, Sharding]]:
        """For each result how it is split, and where it is in the end."""
        count = self._staged.out_tree.num_leaves  # the contents of references come after the results
        layouts = self._call.loaded.out_layouts
        moved = self._call.moved or [None] * len(layouts)
        return [(layout, sharding_of(layout) if to is None else to) for layout, to in zip(layouts, moved, strict=True)][
            :count]


def _other_arguments(staged: Staged, given: Any) -> ArgumentError:
    """The error for arguments of another structure, which names those that are missing or too many."""
    wanted = tree.unflatten(staged.in_tree, [0] * staged.in_tree.num_leaves)
    ours, theirs = ([tree.keystr(path) for path, _ in tree.flatten_with_path(x)[0]] for x in (wanted, given))
    missing, more = [p for p in ours if p not in theirs], [p for p in theirs if p not in ours]
    told = [f"without {_named(missing)}"] * bool(missing) + [f"with {_named(more)}"] * bool(more)
    return ArgumentError(
        staged.name, "was compiled for other arguments", " ".join([str(tree.structure(given)), *told]),
        staged.in_tree, "Call it as in lower(), or call the jitted function itself.")


def _named(paths: Sequence[str]) -> str:
    """Paths into a pair of arguments by position and by name, as a call has them."""
    return ", ".join(("args" if path.startswith("[0]") else "kwargs") + path[3:] for path in paths)


def names_by_position(in_tree: Any) -> list[str]:
    """What arguments of a structure are called where the function is not there to tell."""
    positions = tree.unflatten(in_tree, [0] * in_tree.num_leaves)
    return [_named([tree.keystr(path)]) for path, _ in tree.flatten_with_path(positions)[0]]


def _format(layout: Layout, sharding: Sharding) -> Any:
    from ..formats import format_of  # most programs never ask

    return format_of(len(layout.dims), sharding)
