"""Compiled programs: kept in memory and on disk by their text and device, built once for each context."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyopencl as cl

from olympus_core.toolkit.c_text import state_of_text
from olympus_core.toolkit.loops import Kernel, print_kernel
from olympus_core.toolkit.objectcache import ObjectCache, state_of_sources

from .codegen import Launch, Module, emit_module
from .codegen.declarations import OPTION, declared
from .errors import OpenClCompileError
from .memory import Lane

_FORMAT = 1  # part of every key: raise it when the stored format changes
# Divisions and roots are rounded correctly; a driver that cannot says so when it builds.
_OPTIONS = ("-cl-std=CL1.2", "-w", "-cl-fp32-correctly-rounded-divide-sqrt")


class CodeStore:
    """The programs of one client.

    Args:
        cache: The cache on disk; None for none.
    """

    def __init__(self, cache: ObjectCache | None) -> None:
        self._cache = cache
        self._lock = threading.RLock()
        self._programs: dict[tuple[str, int, cl.Device], cl.Program] = {}
        self._modules: dict[str, Module] = {}

    def kernels(self, kernels: Sequence[Kernel], lane: Lane) -> tuple[Module, cl.Program, list[Launch]]:
        """The text and the program of kernels on a device, and each kernel's launch; equal kernels are emitted once."""
        texts = [print_kernel(kernel) for kernel in kernels]
        named = {text: f"k{i}" for i, text in enumerate(dict.fromkeys(texts))}
        each = {text: (kernel, named[text]) for text, kernel in zip(texts, kernels, strict=True)}
        key = self._key(lane, "\n".join(each))
        with self._lock:
            module = self._modules.get(key)
            if module is None:
                module = self._modules[key] = emit_module(each.values(), lane.target)
        launches = [module.launches[named[text]] for text in texts]
        return module, self.program(module.text, lane), launches

    def program(self, text: str, lane: Lane) -> cl.Program:
        """The program of a text on a device."""
        key = self._key(lane, text)
        place = key, hash(lane.context), lane.device
        with self._lock:
            if place not in self._programs:
                self._programs[place] = self._built(key, text, lane)
            return self._programs[place]

    def _built(self, key: str, text: str, lane: Lane) -> cl.Program:
        # PoCL keeps programs itself, and takes more than twice as long to hand one over as to make it.
        cache = None if lane.target.is_pocl else self._cache
        stored = cache.load(key) if cache is not None else None
        if stored is not None:
            with suppress(cl.Error):  # another driver's under the same name: it is made anew
                return cl.Program(lane.context, [lane.device], [stored]).build()
        rounds = lane.device.single_fp_config & cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT
        options, made = _OPTIONS[: 3 if rounds else 2], None
        if lane.target.is_pocl:
            with suppress(cl.RuntimeError):  # a version with another header: as for any driver
                made = _compiled(lane, declared(text), (*options, OPTION))
        try:
            made = made or _compiled(lane, text, options)
        except cl.RuntimeError as error:
            raise OpenClCompileError(str(error), text) from error
        if cache is not None:
            cache.store(key, made.get_info(cl.program_info.BINARIES)[0])
        return made

    @staticmethod
    def _key(lane: Lane, text: str) -> str:
        state = state_of_text() + state_of_sources(Path(__file__).parent, ("codegen",))
        return hashlib.sha256(f"opencl {_FORMAT}|{lane.target.identity}|{state}|{text}".encode()).hexdigest()


def kernel_of(program: cl.Program, launch: Launch) -> cl.Kernel:
    """The kernel of a launch, whose pointers are its first arguments."""
    kernel = cl.Kernel(program, launch.function)
    if launch.number is not None:
        for i in range(kernel.num_args - 1):
            kernel.set_arg(i, None)  # other kernels have more
        kernel.set_arg(kernel.num_args - 1, np.int32(launch.number))
    return kernel


def _compiled(lane: Lane, text: str, options: Sequence[str]) -> cl.Program:
    return cl.Program(lane.context, text).build(list(options), devices=[lane.device], cache_dir=False)
