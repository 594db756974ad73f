# SPDX-License-Identifier: Apache-2.0
"""Foreign functions by name: what is registered, for which platform, with which stages; and types of their states."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from olympus_core.errors import ArgumentError, ForeignCallError, NotSupportedError, described

from .frames import version_of
from .interface import FUNCTION, MAJOR, REGISTRATION, STAGES, Handler, Refused, register_type

_CAPSULE = b"xla._CUSTOM_CALL_TARGET"
_targets: dict[tuple[str, str], Target] = {}

Target = Mapping[str, Handler]  # handlers by the names of their stages


def found(name: str) -> Target:
    """The foreign function of a name for the host.

    Raises:
        ForeignCallError: There is none.
    """
    target = _targets.get((name, "cpu"))
    if target is None:
        raise ForeignCallError(name, "NOT_FOUND", "no function of this name is registered for platform cpu")
    return target


def has_state(name: str) -> bool:
    """Whether a foreign function is registered that has a stage which comes before all calls."""
    return "instantiate" in _targets.get((name, "cpu"), {})


def pycapsule(funcptr: Any) -> Any:
    """A function of a shared library, for `register_ffi_target`.

    Args:
        funcptr: The function, from `ctypes`; or the address of what `register_ffi_type` takes.

    Returns:
        A capsule with its address.

    Example:
        >>> import ctypes, olympus
        >>> type(olympus.ffi.pycapsule(ctypes.pythonapi.Py_IncRef)).__name__
        'PyCapsule'
    """
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new(ctypes.cast(funcptr, ctypes.c_void_p).value, _CAPSULE, None)


def register_ffi_target(name: str, fn: Any, platform: str = "cpu", api_version: int = 1, **kwargs: Any) -> None:
    """Gives a foreign function a name by which programs call it.

    The function has the signature ``XLA_FFI_Error* f(XLA_FFI_CallFrame*)`` of the header in `include_dir`. Registering
    calls it once, with the metadata extension only: it tells the version of the interface, and does nothing else.

    A function of several stages is a dict of functions: ``"instantiate"`` is called with the attributes alone, once for
    each call that stands in a program, before its first execution, and may set a state that lives as long as that
    program; ``"prepare"``, ``"initialize"`` and ``"execute"`` are called in this order in each execution, with all.

    Args:
        name: The name.
        fn: What `pycapsule` gives; or a dict of such by stage, ``"execute"`` among them.
        platform: The platform that it is for. Those of ``"cpu"`` are called, with arrays in the host's memory.
        api_version: 1: the interface of the header.
        **kwargs: Accepted for compatibility.

    Raises:
        ArgumentError: For what is no function, or names no stages.
        NotSupportedError: For a function of another interface.

    Example:
        >>> import ctypes, olympus
        >>> nothing = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda frame: None)
        >>> olympus.ffi.register_ffi_target("nothing", olympus.ffi.pycapsule(nothing))
    """
    if api_version != 1:
        raise NotSupportedError(f"api_version={api_version!r} of register_ffi_target", "there is one interface",
                                "Write the function for XLA_FFI_CallFrame, and leave api_version out.")
    stages = dict(fn) if isinstance(fn, Mapping) else {"execute": fn}
    if "execute" not in stages or stages.keys() - set(STAGES) or (
            stages["execute"] is None and platform.lower() in ("cpu", "host") and len(stages) > 1):
        raise ArgumentError("register_ffi_target", f"{name} has other stages", ", ".join(map(str, stages)) or "none",
                            f"some of {', '.join(STAGES)}, the last one in any case")
    if platform.lower() not in ("cpu", "host"):
        _targets[name, platform.lower()] = {}  # there is nobody here who would call it
        return
    register_addresses(name, platform, {
        stage: _address("register_ffi_target", name, one) for stage, one in stages.items() if one is not None})


def register_addresses(name: str, platform: str, stages: Mapping[str, int]) -> None:
    """Registers functions by their addresses."""
    if platform.lower() not in ("cpu", "host"):
        return
    handlers = {stage: FUNCTION(address) for stage, address in stages.items()}
    for handler in handlers.values():
        major, minor = version_of(name, handler)
        if major != MAJOR:
            raise NotSupportedError(f"The foreign function {name}", f"it is for version {major}.{minor}",
                                    f"Compile it with a header of version {MAJOR}.")
    _targets[name, "cpu"] = handlers


REGISTRATION.handler = register_addresses


def register_ffi_type(name: str, type_registration: Mapping[str, Any], platform: str = "cpu") -> None:
    """Registers a type of the states that foreign functions keep.

    Args:
        name: Its name.
        type_registration: Under ``"type_id"`` a capsule with the address of an ``XLA_FFI_TypeId``, whose number is
            written there where it is 0; under ``"type_info"``, where it is given, one of an ``XLA_FFI_TypeInfo``, which
            says how a state of the type is deleted.
        platform: The platform whose functions use it; those of ``"cpu"`` count.

    Raises:
        ArgumentError: For what are no such capsules, or another number than the type has.

    Example:
        >>> import ctypes, olympus
        >>> number = ctypes.c_int64(0)
        >>> olympus.ffi.register_ffi_type("counter", {"type_id": olympus.ffi.pycapsule(ctypes.pointer(number))})
        >>> number.value > 0
        True
    """
    if not isinstance(type_registration, Mapping) or not {"type_id"} <= set(type_registration) <= {
            "type_id", "type_info"}:
        raise ArgumentError("register_ffi_type", f"{name} is not described", described(type_registration),
                            "a dict with type_id, and type_info where states of it are to be deleted")
    addresses = {key: _address("register_ffi_type", name, one) for key, one in type_registration.items()
                 if one is not None}
    if platform.lower() in ("cpu", "host"):
        try:
            register_type(name, addresses["type_id"], addresses.get("type_info", 0))
        except Refused as error:
            raise ArgumentError("register_ffi_type", str(error), name, "one number for each type") from None


def register_ffi_type_id(name: str, obj: Any, platform: str = "cpu") -> None:
    """Registers a type of the states that foreign functions keep and delete themselves.

    Args:
        name: Its name.
        obj: A capsule with the address of an ``XLA_FFI_TypeId``, whose number is written there where it is 0.
        platform: The platform whose functions use it.

    Raises:
        ArgumentError: For what is no such capsule, or another number than the type has.

    Example:
        >>> import ctypes, olympus
        >>> number = ctypes.c_int64(0)
        >>> olympus.ffi.register_ffi_type_id("table", olympus.ffi.pycapsule(ctypes.pointer(number)))
        >>> number.value > 0
        True
    """
    register_ffi_type(name, {"type_id": obj}, platform)


def _address(function: str, name: str, fn: Any) -> int:
    if type(fn).__name__ != "PyCapsule":
        raise ArgumentError(function, f"{name} is no function of a library", described(fn),
                            "olympus.ffi.pycapsule(library.function)")
    name_of, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, (ctypes.py_object,)
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    address: int = pointer(fn, name_of(fn))
    return address
