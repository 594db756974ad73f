# SPDX-License-Identifier: Apache-2.0
"""`description`: what LLVM says of this machine, kept on disk so that later processes need not load LLVM to ask it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import threading
from functools import lru_cache
from pathlib import Path

from olympus_core.dataclass import dataclass, replace
from olympus_core.errors.config import OptionValueError
from olympus_core.errors.platform import NativeCodeError
from olympus_core.plugin.version import VERSION
from olympus_core.toolkit import object_code
from olympus_core.toolkit.objectcache import ObjectCache
from olympus_core.toolkit.stored_data import UnfitData

from .choice import Choice, choice, features_of
from .permission import permitted
from .processor import processor, scalable_vector_bits

_FORMAT = 2
_WORDS = ("triple", "layout", "cpu", "features", "compiler")  # LLVM's, which are kept with the length of SVE's vectors


@dataclass(frozen=True, slots=True)
class Description:
    """A machine, in LLVM's words.

    Args:
        triple: The architecture and the system.
        layout: Sizes and alignments.
        cpu: The processor.
        features: What it has in addition to those of the name, as ``"+avx2,-sse4a"``.
        compiler: The versions of LLVM and of what it is called through.
        scalable_bits: The length of SVE's vectors; 0 where there are none.
        vector_bits: The width of vectors that was asked for; None for the widest there is.
        is_reproducible: Whether code gives the same bits on every processor.
    """

    triple: str
    layout: str
    cpu: str
    features: str
    compiler: str
    scalable_bits: int = 0
    vector_bits: int | None = None
    is_reproducible: bool = False

    @property
    def identity(self) -> str:
        """All that object code depends on besides its text."""
        form = f"{self.scalable_bits}|{self.vector_bits}|{self.is_reproducible}"
        return f"{self.triple}|{self.cpu}|{self.features}|{self.compiler}|{form}"


_lock = threading.RLock()
_cache: ObjectCache | None = None
_known: Description | None = None

# A child of fork must not inherit the lock while another thread holds it.
os.register_at_fork(after_in_child=lambda: _new_lock())


def _new_lock() -> None:
    global _lock
    _lock = threading.RLock()


def keep_in(cache: ObjectCache | None) -> None:
    """Sets where descriptions are kept.

    Args:
        cache: The folder; None for nowhere.
    """
    global _cache
    _cache = cache


def description() -> Description:
    """What code is generated for: this machine, or as much of it as was chosen."""
    return _chosen(_usable(_whole()), choice())


def has_level(level: str) -> bool:
    """Whether this machine's processor has the instructions of a level of x86-64, whichever was chosen."""
    whole = _usable(_whole())
    try:
        features_of(level, whole.triple, whole.features)
    except OptionValueError:
        return False
    return True


@lru_cache(maxsize=8)
def _usable(whole: Description) -> Description:
    """The machine without what the system refuses this process."""
    return replace(whole, features=permitted(whole.features))


@lru_cache(maxsize=8)
def _chosen(whole: Description, chosen: Choice) -> Description:
    if chosen.level is not None:
        features = features_of(chosen.level, whole.triple, whole.features)
        whole = replace(whole, cpu=chosen.level, features=features)
    return replace(whole, vector_bits=chosen.vector_bits, is_reproducible=chosen.is_reproducible)


def _whole() -> Description:
    """This machine: as an earlier process kept it, or as a stored executable brought it, or as LLVM says."""
    global _known
    if _known is None:
        with _lock:
            if _known is None:
                _known = _found()
    return _known


def note_description() -> None:
    """Has the description taken down, if somebody does, with the code that was made for the machine."""
    key = _key()
    if key is not None:
        object_code.note(key, _written(_whole()))


def _found() -> Description:
    key = _key()
    if key is None:
        return ask_llvm()
    data = object_code.given_code(key)
    if data is None and _cache is not None and _cache.has(key):
        data = _cache.load(key)
    if data is not None:
        try:
            known = json.loads(data)
            triple, layout, cpu, features, compiler = (str(known[name]) for name in _WORDS)
            return Description(triple, layout, cpu, features, compiler, int(known["scalable_bits"]))
        except (TypeError, ValueError, KeyError):  # another version's: it is asked anew
            pass
    found = ask_llvm()
    if _cache is not None:
        _cache.store(key, _written(found), 0.0)
    return found


def _written(found: Description) -> bytes:
    return json.dumps({name: getattr(found, name) for name in (*_WORDS, "scalable_bits")}).encode()


@lru_cache(maxsize=1)
def _key() -> str | None:
    """What LLVM's words depend on: the processor, and which LLVM it is; None where that cannot be told without LLVM."""
    try:
        of = f"machine {_FORMAT}|{VERSION}|{processor()}|{_compiler_files()}"
    except (UnfitData, NativeCodeError):
        return None
    return hashlib.sha256(of.encode()).hexdigest()


def _compiler_files() -> str:
    """The sizes and dates of llvmlite's files, by which Python judges its own compiled files."""
    spec = importlib.util.find_spec("llvmlite")
    found = []
    for folder in (spec.submodule_search_locations or () if spec is not None else ()):
        try:
            # A new version writes its own number, and brings a library.
            files = [Path(folder, "_version.py"), *sorted(Path(folder, "binding").glob("*llvmlite*"))]
            found += [f"{file} {(status := file.stat()).st_size} {status.st_mtime_ns}" for file in files]
        except OSError as error:
            raise UnfitData("the files of llvmlite cannot be seen") from error
    if not found:
        raise UnfitData("the files of llvmlite cannot be seen")
    return "|".join(found)


def ask_llvm() -> Description:
    """This machine, in the words of LLVM, which is loaded."""
    import llvmlite
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple, cpu = llvm.get_process_triple(), llvm.get_host_cpu_name()
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM cannot detect features on this processor; its name implies them
        features = ""
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, features=features)
    version = ".".join(map(str, llvm.llvm_version_info))
    return Description(triple, str(machine.target_data), cpu, features,
                       f"llvmlite {llvmlite.__version__}|llvm {version}", scalable_vector_bits())
