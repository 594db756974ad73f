# SPDX-License-Identifier: Apache-2.0
"""Compiled code: cached in memory and on disk by its text and architecture, and loaded once into each GPU."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from olympus_core.plugin.version import VERSION
from olympus_core.toolkit import object_code
from olympus_core.toolkit.c_text import state_of_text
from olympus_core.toolkit.loops import Kernel, print_kernel
from olympus_core.toolkit.objectcache import ObjectCache, state_of_sources

from .. import nvrtc
from ..codegen.module import Launch, Module
from ..codegen.target import Target

if TYPE_CHECKING:
    from ..gpu import Gpu, LoadedModule
    from ..products.timed_choices import TimedChoices

# Part of every key: raise it when the stored format changes.
FORMAT = 1
# Folders of this platform whose files generate text.
_WRITERS = ("codegen", "codegen/functions")


class CodeStore:
    """The machine code of one client.

    Args:
        gpu: The driver interface.
        cache: The cache on disk; None for none.
        choices: Chooses algorithms of large products; None for the library's own choice.
    """

    def __init__(self, gpu: Gpu, cache: ObjectCache | None, choices: TimedChoices | None = None) -> None:
        self.choices = choices
        self._gpu, self._cache = gpu, cache
        self._lock = threading.Lock()
        self._made: dict[str, tuple[bytes, dict[str, tuple[Launch, ...]]]] = {}
        self._loaded: dict[tuple[str, int], LoadedModule] = {}

    def functions(
        self, module: Module, ordinal: int, name: str
    ) -> Callable[[str], int]:
        """The functions of a module in a GPU, as a mapping from names to handles.

        Args:
            module: The module.
            ordinal: The GPU.
            name: The module's name in errors.
        """
        architecture = self._gpu.properties(ordinal).architecture
        key = _key(architecture, module.text)
        if key not in self._made:
            stored = self._stored(key)
            cubin = stored or nvrtc.compile_cubin(module.text, architecture, name)
            if stored is None and self._cache is not None:
                self._cache.store(key, cubin)
            self._made[key] = cubin, {}
        if object_code.is_recorded():
            object_code.note(key, self._made[key][0])
        return self._loaded_functions(key, ordinal)

    def kernels(
        self, kernels: Sequence[Kernel], ordinal: int, name: str, dump: Callable[[str], None] | None = None
    ) -> tuple[Callable[[str], int], list[tuple[Launch, ...]]]:
        """The functions of kernels in a GPU by name, and the launches of each kernel; equal kernels are emitted once.

        Args:
            kernels: The kernels.
            ordinal: The GPU.
            name: Their name in errors.
            dump: Receives the text.
        """
        texts = [print_kernel(kernel) for kernel in kernels]
        each = {text: (kernel, f"k{i}") for i, (text, kernel) in enumerate(zip(texts, kernels, strict=True))}
        properties = self._gpu.properties(ordinal)
        target = Target(properties.architecture, properties.multiprocessors)
        listed = "\n".join(f"{function} {text}" for text, (_, function) in each.items())
        key = _key(f"{target.architecture} {target.multiprocessors} {_state()}", listed)

        @cache
        def written() -> Module:
            from ..codegen.emit import emit_module

            return emit_module(each.values(), target)

        if dump is not None:
            dump(written().text)
        if key not in self._made:
            stored = self._stored(key)
            made = _unpacked(stored) if stored is not None else None
            if made is None:
                module = written()
                cubin = nvrtc.compile_cubin(module.text, target.architecture, name)
                made = cubin, {function: _each(launches) for function, launches in module.launches.items()}
                if self._cache is not None:
                    self._cache.store(key, _packed(*made))
            self._made[key] = made
        if object_code.is_recorded():
            object_code.note(key, _packed(*self._made[key]))
        launches = self._made[key][1]
        return self._loaded_functions(key, ordinal), [launches[each[text][1]] for text in texts]

    def _loaded_functions(self, key: str, ordinal: int) -> Callable[[str], int]:
        with self._lock:
            loaded = self._loaded.get((key, ordinal))
            if loaded is None:
                loaded = self._loaded[key, ordinal] = self._gpu.load(self._made[key][0], ordinal)
        return cache(loaded.function)

    def identity(self, ordinals: Iterable[int]) -> str:
        """What all code depends on besides a program: GPUs, the compiler, versions."""
        found = sorted({(p.architecture, p.multiprocessors) for p in map(self._gpu.properties, ordinals)})
        return _key(" ".join(map(str, found)), _state())

    def _stored(self, key: str) -> bytes | None:
        """Code that an executable has brought, or that is kept on disk."""
        return object_code.given_code(key) or (self._cache.load(key) if self._cache is not None else None)


def _key(identity: str, text: str) -> str:
    version = ".".join(map(str, nvrtc.version()))
    return hashlib.sha256(f"cuda {FORMAT}|{VERSION}|nvrtc {version}|{identity}|{text}".encode()).hexdigest()


@cache
def _state() -> str:
    """A digest of the files that generate text."""
    return state_of_sources(Path(__file__).parent.parent, _WRITERS, (".py", ".cuh")) + state_of_text()


def _each(launches: Any) -> tuple[Launch, ...]:
    return (launches,) if isinstance(launches, Launch) else tuple(launches)


def _packed(cubin: bytes, launches: dict[str, tuple[Launch, ...]]) -> bytes:
    """Machine code, after a line of JSON with the launches of its kernels."""
    fields = {function: [[x.function, x.grid, x.block, x.shared, x.scratch] for x in each]
              for function, each in launches.items()}
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n" + cubin


def _unpacked(stored: bytes) -> tuple[bytes, dict[str, tuple[Launch, ...]]]:
    line, _, cubin = stored.partition(b"\n")
    return cubin, {function: tuple(Launch(*x) for x in each) for function, each in json.loads(line).items()}
