"""The stages of a jitted function before it is called: lowered, then compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from olympus_core import partition
from olympus_core.errors import ArgumentError
from olympus_core.placement import Layout, sharding_of

from .. import tree
from ..tracing.tracebacks import entrance
from .calls import CompiledCall


class Lowered:
    """A traced function, not yet compiled; made by `Jitted.lower`."""

    def __init__(
        self, name: str, traced: Any, structure: Any, place: Callable[[], CompiledCall],
        split: Callable[[Any, Any], Any],
    ) -> None:
        self._name, self._traced, self._structure = name, traced, structure
        self._place, self._split = place, split
        self._leave: Callable[[Any], Any] | None = None

    def mapped(self, enter: Callable[[Any, Any], Any], leave: Callable[[Any], Any]) -> Lowered:
        """The same program for a caller that holds parts of its arguments and results.

        Args:
            enter: The caller's positional arguments and those by name to the program's.
            leave: The program's result to the caller's.
        """
        made = Lowered(self._name, self._traced, self._structure, self._place, enter)
        made._leave = leave
        return made

    def as_text(self) -> str:
        """The global program, before it is split over devices."""
        return self._traced.program.text

    @property
    def out_tree(self) -> Any:
        """Structure of the results."""
        return self._traced.out_tree

    @entrance
    def compile(self, compiler_options: Mapping[str, Any] | None = None) -> Compiled:
        """Splits the program over the devices of its arguments and compiles it.

        Args:
            compiler_options: Accepted for compatibility; `olympus.config` has the options.
        """
        return Compiled(self._name, self._place(), self._structure, self._split, self.out_tree, self._leave)


class Compiled:
    """A compiled function; made by `Lowered.compile`."""

    def __init__(self, name: str, call: CompiledCall, structure: Any, split: Callable[[Any, Any], Any],
                 out_tree: Any, leave: Callable[[Any], Any] | None = None) -> None:
        self._name, self._call, self._structure, self._split = name, call, structure, split
        self._out_tree, self._leave = out_tree, leave

    @entrance
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it with arguments like those of `Jitted.lower`."""
        self._call.loaded.mesh.check_open()
        leaves, structure = tree.flatten(self._split(args, kwargs))
        if structure != self._structure:
            raise ArgumentError(self._name, "was compiled for other arguments", structure, self._structure,
                                "Call it as in lower(), or call the jitted function itself.")
        results = self._call(leaves)
        return results if self._leave is None else self._leave(results)

    def as_text(self) -> str:
        """What each device runs: local shapes and explicit collectives."""
        return self._call.loaded.partitioned.device_program.program.text

    def executable_text(self) -> str:
        """What the platform made of it."""
        executable = self._call.loaded.executable
        return executable.text() if executable is not None else ""

    def collectives_text(self) -> str:
        """The collectives as a table: operation, source line, axes, bytes, reason."""
        return partition.format_collectives(self._call.loaded.partitioned)

    def cost_analysis(self) -> dict[str, float]:
        """The platform's estimates: flops, bytes."""
        executable = self._call.loaded.executable
        return executable.cost() if executable is not None else {}

    def memory_analysis(self) -> dict[str, float]:
        """Bytes of arguments, results and, where known, of the rest, for each device."""
        program = self._call.loaded.partitioned.device_program.program
        figures = {
            "argument_bytes": float(sum(t.nbytes for t in program.input_types)),
            "output_bytes": float(sum(t.nbytes for t in program.output_types)),
        }
        peak = self.cost_analysis().get("peak_memory_bytes")
        return figures if peak is None else {**figures, "peak_memory_bytes": peak}

    @property
    def input_formats(self) -> Any:
        """The format in which each argument must be: a pair of the positional arguments and of those by name."""
        formats = _formats(self._call.loaded.in_layouts)
        return tree.unflatten(self._structure, formats[:self._structure.num_leaves])

    @property
    def output_formats(self) -> Any:
        """The format in which each result will be, in the structure of the results."""
        return tree.unflatten(self._out_tree, _formats(self._call.loaded.out_layouts))

    @property
    def input_shardings(self) -> Any:
        """Where each argument must be."""
        return [sharding_of(layout) for layout in self._call.loaded.in_layouts]

    @property
    def output_shardings(self) -> Any:
        """Where each result will be."""
        return [sharding_of(layout) for layout in self._call.loaded.out_layouts]


def _formats(layouts: Sequence[Layout]) -> list[Any]:
    from ..formats import format_of  # most programs never ask

    return [format_of(len(layout.dims), sharding_of(layout)) for layout in layouts]
