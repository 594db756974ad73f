# SPDX-License-Identifier: Apache-2.0
"""`link`: from LLVM IR as text to machine code in this process."""

from __future__ import annotations

import ctypes
import logging
import os
import re
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from olympus_core.dataclass import dataclass
from olympus_core.errors.platform import NativeCodeError
from olympus_core.plugin.version import VERSION
from olympus_core.toolkit import object_code
from olympus_core.toolkit.stored_data import UnfitData

from ..machine.description import description, note_description
from ..machine.loading import Image, load_object
from .cache import ObjectCache, key_of, planners, writers
from .generators import BASELINE, OPTIMISED, generator
from .python_api import keep_for_ever

__all__ = [
    "BASELINE", "OPTIMISED", "Library", "Recipe", "assembly", "code_identity", "is_cached", "link", "linked_again",
    "plan_identity", "recorded",
]

logger = logging.getLogger("olympus.cpu")

_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Recipe:
    """A module whose text is written only if its code is not cached; recipes of equal descriptions are equal.

    Args:
        description: All that the text depends on.
        write: Writes the text.
    """

    __slots__ = ("description", "write")

    def __init__(self, description: str, write: Callable[[], str]) -> None:
        self.description, self.write = description, write

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.description == other.description

    def __hash__(self) -> int:
        return hash(self.description)


class Library:
    """Machine code in memory; it is unloaded when the last reference to it is gone.

    Args:
        addresses: The addresses of its exports, by name.
        loaded: Keeps the code loaded: the memory that it lies in, or LLVM's.
        object_code: The bytes that were linked.
        from_cache: Whether they were not compiled now.
        needs: A library whose code it calls.
        key: What the bytes are stored under.
    """

    __slots__ = ("__weakref__", "_loaded", "addresses", "from_cache", "key", "needs", "object_code")

    def __init__(
        self, addresses: Mapping[str, int], loaded: Image | _ByLlvm, object_code: bytes, from_cache: bool,
        needs: Library | None = None, key: str = "",
    ) -> None:
        self.addresses, self.object_code, self.from_cache, self.key = addresses, object_code, from_cache, key
        self._loaded, self.needs = loaded, needs

    def __getitem__(self, name: str) -> int:
        return self.addresses[name]

    def make_immortal(self) -> Library:
        """Keeps the code loaded until the process ends."""
        if isinstance(self._loaded, _ByLlvm):
            self._loaded.tracker.detach()
        keep_for_ever(self._loaded)
        _immortal.append(self)
        return self

    def note(self) -> Library:
        """Has its code taken down, if somebody does."""
        object_code.note(self.key, self.object_code)
        return self

    def run(self, name: str, table: Iterable[int], low: int, high: int, chunk: int = 0) -> None:
        """Calls a kernel with a table of addresses; slow, for tests and tools."""
        pointers = list(table)
        _KERNEL(self.addresses[name])((ctypes.c_void_p * len(pointers))(*pointers), low, high, chunk)


@dataclass(frozen=True, slots=True)
class _ByLlvm:
    """What LLVM has loaded; its tracker unloads it with its last reference."""

    tracker: Any
    linker: Any  # until the library is unloaded


_lock = threading.RLock()
_immortal: list[Library] = []
_loaded: weakref.WeakValueDictionary[str, Library] = weakref.WeakValueDictionary()  # by their codes' keys
_LIBRARIES = 64  # of one linker
_FUSED = ("fma", "fmaf")  # functions of the C library that emulate fused multiply-adds

# A child of fork must not inherit the lock while another thread holds it.
os.register_at_fork(
    before=lambda: _lock.acquire(timeout=60.0), after_in_parent=lambda: _release(), after_in_child=lambda: _release()
)


def _release() -> None:
    with suppress(RuntimeError):  # the lock was not acquired in time before the fork
        _lock.release()


class _Sessions:
    """LLVM's linkers, for what our own loader does not know: each links some libraries, and is freed with the last.

    A linker frees its records of a library, some 9 KiB, only when it is freed itself. A linker for each library would
    triple the time to link a small one.
    """

    def __init__(self) -> None:
        self._linker: Any = None
        self._linked = 0

    def link(
        self, code: bytes, exports: Iterable[str], imports: Mapping[str, int]
    ) -> tuple[_ByLlvm, dict[str, int]]:
        """Loads a library; the result keeps it and its linker alive. The caller holds this module's lock."""
        import llvmlite.binding as llvm

        if self._linker is None or self._linked == _LIBRARIES:
            with generator(OPTIMISED) as machine:
                # JITLink allocates a library as one block. LLVM's older linker maps code and constants separately, and
                # aborts the process if large arrays put them more than 2 GiB apart.
                self._linker, self._linked = llvm.create_lljit_compiler(machine, use_jit_link=True), 0
        builder = llvm.JITLibraryBuilder().add_object_img(code)
        for name, address in imports.items():
            builder.import_symbol(name, address)
        for name in exports:
            builder.export_symbol(name)
        self._linked += 1
        tracker = builder.link(self._linker, f"olympus{self._linked}")
        return _ByLlvm(tracker, self._linker), {name: tracker[name] for name in exports}


_sessions = _Sessions()


def link(
    text: str | Recipe,
    exports: Iterable[str],
    imports: Mapping[str, int] | Library | None = None,
    level: int = OPTIMISED,
    cache: ObjectCache | None = None,
) -> Library:
    """Generates machine code for this processor and loads it; safe from several threads.

    Args:
        text: A module in LLVM IR, or its recipe; triple and data layout are added where missing.
        exports: Functions and variables whose addresses are needed.
        imports: Addresses of what the text only declares, or a library that has it.
        level: The level of code generation: `BASELINE` or `OPTIMISED`.
        cache: The disk cache of object code.

    Raises:
        NativeCodeError: LLVM does not accept the text, or a symbol is missing.
    """
    key = _key(text, level)
    code = object_code.given_code(key) or (cache.load(key) if cache else None)
    if code is not None:
        # Bytes that cannot be loaded are compiled again.
        with suppress(NativeCodeError):
            return _load(code, exports, imports or {}, True, key).note()
    written = text if isinstance(text, str) else text.write()
    begun = monotonic()
    try:
        code = _generate(written, level)
    except RuntimeError as error:
        raise NativeCodeError(str(error).strip(), written) from None
    try:
        library = _load(code, exports, imports or {}, False, key)
    except NativeCodeError as error:
        raise NativeCodeError(error.reason, written) from None
    if cache:
        cache.store(key, code, monotonic() - begun)
    return library.note()


def linked_again(
    key: str, exports: Iterable[str], cache: ObjectCache | None, needs: Library | None = None
) -> Library | None:
    """A library by the key of its code; None where that is not there any more.

    Args:
        key: The key of its code.
        exports: The functions whose addresses are needed.
        cache: The disk cache of object code.
        needs: A library whose code it calls.
    """
    names = tuple(exports)
    known = _loaded.get(key)
    if known is not None and known.addresses.keys() >= set(names):
        return known.note()
    code = object_code.given_code(key) or (cache.load(key) if cache is not None and cache.has(key) else None)
    if code is None:
        return None
    try:
        return _load(code, names, needs or {}, True, key).note()
    except NativeCodeError:
        return None


def _key(text: str | Recipe, level: int) -> str:
    identity = description().identity
    if isinstance(text, str):
        return key_of(text, identity, level)
    return key_of(text.description, f"{identity}|{writers()}", level)


def is_cached(text: str | Recipe, level: int, cache: ObjectCache | None) -> bool:
    """Whether the object code of a module need not be compiled, or is to be at once.

    Args:
        text: The module, or its recipe.
        level: The level of code generation.
        cache: The cache on disk; None for none.
    """
    if level == OPTIMISED and object_code.is_recorded():
        return True
    key = _key(text, level)
    return object_code.given_code(key) is not None or (cache is not None and cache.has(key))


def code_identity() -> str:
    """What object code depends on besides the program: processor, compiler, and what writes the texts."""
    return f"{description().identity}|olympus {VERSION}|{writers()}"


def plan_identity() -> str:
    """What plans depend on besides the program: what code depends on, and the state of all that plans."""
    return f"{code_identity()}|{planners()}"


@contextmanager
def recorded() -> Iterator[dict[str, bytes]]:
    """The code of all that is linked in the block, and of what the process has linked for ever."""
    with object_code.recorded() as codes:
        for library in tuple(_immortal):
            library.note()
        note_description()
        yield codes


def assembly(text: str, level: int = OPTIMISED) -> str:
    """The assembly of a module, for reading."""
    with generator(level) as machine, _parse(text) as module:
        return str(machine.emit_assembly(module))


def _parse(text: str) -> Any:
    import llvmlite.binding as llvm

    header = ""
    if not re.search(r"^target triple", text, re.MULTILINE):
        header += f'target triple = "{description().triple}"\n'
    if not re.search(r"^target datalayout", text, re.MULTILINE):
        header += f'target datalayout = "{description().layout}"\n'
    # A context of its own, so that types and constants of past modules are freed.
    return llvm.parse_assembly(header + text, context=llvm.create_context())


def _generate(text: str, level: int) -> bytes:
    from llvmlite.binding import ffi

    library = ffi.lib
    if description().is_reproducible:  # what C compilers leave open is said
        text = text.replace("@llvm.fmuladd.", "@llvm.fma.")
    with generator(level) as machine, _parse(text) as module:
        # llvmlite lets one thread at a time call LLVM, which itself requires only that contexts and generators are not
        # shared. Calling its C function directly spares another thread a wait of milliseconds; without that function,
        # or with another signature, the locked call is used.
        emit = getattr(library.LLVMPY_TargetMachineEmitToMemory, "_cfn", None)
        if emit is None or len(emit.argtypes or ()) != 4:
            return bytes(machine.emit_object(module))
        with ffi.OutputString() as problem:
            buffer = emit(machine, module, 1, problem)
            if not buffer:
                raise RuntimeError(str(problem))
    try:
        return ctypes.string_at(library.LLVMPY_GetBufferStart(buffer), library.LLVMPY_GetBufferSize(buffer))
    finally:
        library.LLVMPY_DisposeMemoryBuffer(buffer)


def _fused_in(code: bytes) -> dict[str, int]:
    """The addresses of functions that object code calls where the processor has no fused multiply-adds."""
    wanted = [name for name in _FUSED if f"\0{name}\0".encode() in code] if description().is_reproducible else []
    return {name: ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value or 0 for name in wanted}


def _load(
    code: bytes, exports: Iterable[str], imports: Mapping[str, int] | Library, from_cache: bool, key: str
) -> Library:
    """A library of object code, by our own loader or else LLVM's; raises `NativeCodeError` where neither can."""
    names = tuple(exports)
    needs, imports = (imports, imports.addresses) if isinstance(imports, Library) else (None, imports)
    is_whole = needs is not None or not imports  # its key says all that it is
    imports = {**_fused_in(code), **imports}
    loaded: Image | _ByLlvm
    try:
        loaded, addresses = load_object(code, names, imports)
    except UnfitData as unfit:
        logger.debug("Object code is loaded by LLVM: %s", unfit)
        try:
            with _lock:
                loaded, addresses = _sessions.link(code, names, imports)
        except RuntimeError as error:
            raise NativeCodeError(str(error).strip(), "") from None
    library = Library(addresses, loaded, code, from_cache, needs, key)
    if is_whole:
        with _lock:
            _loaded[key] = library
    return library
