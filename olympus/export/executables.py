# SPDX-License-Identifier: Apache-2.0
"""Executables: a compiled function with its machine code as bytes, for processes of the same user and processor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from olympus_core.config import config
from olympus_core.errors import ArtefactError, ExecutableError, NotSupportedError, OlympusError
from olympus_core.partition import expanded, partition
from olympus_core.placement import Device, Dims, Mesh
from olympus_core.plugin import StoresObjectCode
from olympus_core.plugin.version import VERSION as RELEASE
from olympus_core.program import ArrayType, Program
from olympus_core.runtime import LoadedProgram, Signature, get_world, load
from olympus_core.toolkit.signing import Signer, user_key

from .. import tree
from ..devices import devices
from ..tracing import Aval
from ..transforms.call_shardings import sharding_typed
from ..transforms.calls import CompiledCall, any_converter, rebuilder
from ..transforms.shared_calls import TracedProgram
from ..transforms.stages import Compiled, Staged, names_by_position
from .artefacts import from_bytes, to_bytes
from .encoding import Decoder, Encoder, entries, mapping, number, record, text
from .functions import closed

MAGIC = b"OLXEXEC\x00"
VERSION = 1
_SIGNED_FROM = len(MAGIC) + 4 + Signer.size
_FIELDS = ("name", "release", "platform", "identity", "mesh", "devices", "program", "in", "out", "in_dims", "out_dims",
           "in_terms", "out_terms", "donated", "committed", "weak", "codes")


def executable_bytes(compiled: Compiled) -> bytes:
    """A compiled function with its machine code, signed with the user's key.

    Args:
        compiled: The function.

    Raises:
        NotSupportedError: When the platform stores no code, or results are moved after the program.
        NotExportableError: When it calls the host.
    """
    staged, call = compiled._staged, compiled._call
    loaded = call.loaded
    name = staged.name
    if any(s is not None for s in call.moved) or staged.leave is not None:
        raise NotSupportedError(f"Serializing {name}", "its results are taken elsewhere after the program has run",
                                "Compile it without memory kinds and pmap.")
    platform = loaded.mesh.flat_devices[0].platform
    client = _client(platform)
    program = expanded(closed(staged.traced.program, staged.traced.captured), platform)
    parts = loaded.partitioned
    count = len(program.inputs)
    in_dims, in_terms = parts.in_dims[:count], parts.in_terms[:count]
    donated = sorted(i for i in staged.donated if i < count)
    split = partition(program, loaded.mesh, in_dims, parts.out_dims, donated=donated, in_terms=in_terms,
                      out_terms=parts.out_terms)
    codes = client.object_code(split.device_program, get_world().links[platform])
    encoder = Encoder(name)
    data = encoder.program(program)
    arrays = [*encoder.arrays, *(np.frombuffer(code, np.uint8) for code in codes.values())]
    first = len(encoder.arrays)
    everywhere = {device: i for i, device in enumerate(devices(platform))}
    header = {
        "name": name, "release": RELEASE, "platform": platform, "identity": client.object_code_identity(),
        "mesh": encoder.mesh(loaded.mesh), "devices": [everywhere[device] for device in loaded.mesh.flat_devices],
        "program": data, "in": [a.weak for a in staged.in_avals],
        "out": [encoder.type(a.type) for a in staged.out_avals], "in_dims": [list(map(list, dims)) for dims in in_dims],
        "out_dims": [list(map(list, d)) for d in parts.out_dims],
        "in_terms": list(map(list, in_terms)), "out_terms": list(map(list, parts.out_terms)),
        "donated": donated,
        "committed": [s.committed for s in call.outputs],
        "weak": [a.weak for a in staged.out_avals],
        "codes": {key: first + i for i, key in enumerate(codes)},
    }
    payload = to_bytes(header, arrays, lambda a: encoder.type(ArrayType(a.shape, a.dtype)))
    head = MAGIC + VERSION.to_bytes(4, "little")
    return head + _signer().sign(head, payload) + payload


def executable_from(
    blob: bytes | bytearray | memoryview, in_tree: Any, out_tree: Any, platform: str | None,
    execution_devices: Sequence[Device] | None,
) -> Compiled:
    """The compiled function of such bytes.

    Args:
        blob: The bytes.
        in_tree: Structure of its arguments.
        out_tree: Structure of its results.
        platform: Where it is to run; None for the platform that it was compiled for.
        execution_devices: The devices that it is to run on; None for those with the same numbers.

    Raises:
        ExecutableError: For bytes that this user has not made, that are damaged, or made for another processor,
            platform or version.
    """
    data = memoryview(blob).cast("B")
    head = MAGIC + VERSION.to_bytes(4, "little")
    if len(data) < _SIGNED_FROM or bytes(data[:len(MAGIC)]) != MAGIC:
        raise ExecutableError("it does not begin as one does", repr(bytes(data[:16])))
    if bytes(data[:len(head)]) != head:
        raise ExecutableError("it is of another version of the format")
    payload = data[_SIGNED_FROM:]
    if not _signer().is_right(data[len(head):_SIGNED_FROM], head, payload):
        raise ExecutableError(
            "it is damaged, or another user has made it, and its code is not run", None, "this user's signature",
            "Serialize it as this user, or name the key of the one who did in OLYMPUS_CACHE_KEY_FILE.")
    try:
        header, arrays = from_bytes(payload)
        fields = record(header, "an executable", _FIELDS)
        return _restored(fields, arrays, in_tree, out_tree, platform, execution_devices)
    except ArtefactError as error:  # signed, and yet none: a version that forgot to say so
        raise ExecutableError(error.reason) from error


def _restored(
    fields: Mapping[str, Any], arrays: Sequence[np.ndarray], in_tree: Any, out_tree: Any, wanted: str | None,
    execution_devices: Sequence[Device] | None,
) -> Compiled:
    name, platform = text(fields["name"], "a name"), text(fields["platform"], "a platform")
    if wanted is not None and wanted != platform:
        raise ExecutableError("it was compiled for another platform", platform, wanted)
    if fields["release"] != RELEASE:
        raise ExecutableError("another version of olympus has made it", str(fields["release"]), RELEASE)
    if platform not in get_world().clients:
        raise ExecutableError("its platform is not here", platform, ", ".join(get_world().clients))
    client = _client(platform)
    codes = {key: arrays[number(i, "a code's number", 0, len(arrays))].tobytes()
             for key, i in mapping(fields["codes"]).items()}
    with client.with_object_code(codes):  # what it says of the processor spares asking the compiler
        identity = client.object_code_identity()
    if fields["identity"] != identity:
        raise ExecutableError("it was compiled for another processor, or by another compiler",
                              str(fields["identity"]), identity)
    mesh = _mesh(fields, platform, execution_devices)
    program = Decoder(arrays, lambda abstract: mesh if abstract.shape_tuple == mesh.shape_tuple else abstract).program(
        fields["program"])
    donated = tuple(number(i, "a donated argument", 0, len(program.inputs)) for i in fields["donated"])
    with client.with_object_code(codes):
        loaded = load(program, mesh, _dims(fields["in_dims"]), _dims(fields["out_dims"]), donated,
                      _terms(fields["in_terms"]), _terms(fields["out_terms"]))
    in_avals = [Aval(t, bool(weak)) for t, weak in zip(program.input_types, fields["in"], strict=True)]
    out_avals = [Aval(t, bool(weak)) for t, weak in zip(map(Decoder(arrays, lambda m: m).type, fields["out"]),
                                                        fields["weak"], strict=True)]
    if in_tree.num_leaves != len(in_avals) or out_tree.num_leaves != len(out_avals):
        raise ExecutableError("its structures have other numbers of arrays than the program",
                              f"{in_tree.num_leaves} arguments, {out_tree.num_leaves} results",
                              f"{len(in_avals)} arguments, {len(out_avals)} results",
                              "Give the structures that serialize gave with the bytes.")
    return _compiled(name, program, loaded, in_tree, out_tree, in_avals, out_avals, fields["committed"], donated)


def _compiled(
    name: str, program: Program, loaded: LoadedProgram, in_tree: Any, out_tree: Any, in_avals: list[Aval],
    out_avals: list[Aval], committed: Sequence[Any], donated: Sequence[int],
) -> Compiled:
    names = partial(names_by_position, in_tree)
    converts = [any_converter(name, names, i, aval, layout)
                for i, (aval, layout) in enumerate(zip(in_avals, loaded.in_layouts, strict=True))]
    outputs = [Signature(a.type, sharding_typed(layout, a), bool(c), a.weak)
               for a, layout, c in zip(out_avals, loaded.out_layouts, committed, strict=True)]
    call = CompiledCall(name, loaded, converts, (), (), outputs, rebuilder(out_tree, [None] * len(out_avals)), donated)
    positions = tree.unflatten(in_tree, range(in_tree.num_leaves))[0]
    given = [i for i, position in enumerate(positions) if set(tree.leaves(position)) & set(donated)]
    staged = Staged(
        name, name, names, TracedProgram(program, out_avals, out_tree, in_avals, []), in_tree, lambda a, k: (a, k),
        in_tree, in_avals, frozenset(donated), tuple(given), lambda: call, lambda: loaded.partitioned, out_tree,
        out_avals)
    return Compiled(staged, call)


def _mesh(fields: Mapping[str, Any], platform: str, execution_devices: Sequence[Device] | None) -> Mesh:
    axes = Decoder((), lambda mesh: mesh).axes(fields["mesh"])
    present = devices(platform)
    numbers = [number(i, "a device") for i in entries(fields["devices"], "devices")]
    if execution_devices is None:
        if max(numbers, default=0) >= len(present):
            raise ExecutableError("it runs on devices that are not here", f"device {max(numbers)}",
                                  f"{len(present)} devices", "Give execution_devices, or run it with as many devices.")
        chosen = [present[i] for i in numbers]
    else:
        chosen = list(execution_devices)
        if len(chosen) != len(numbers) or any(d not in present for d in chosen):
            raise ExecutableError("execution_devices are others than it needs", f"{len(chosen)} devices",
                                  f"{len(numbers)} devices of platform {platform}", "Give as many of these.")
    return Mesh(np.array(chosen, object).reshape(axes.axis_sizes), axes.axis_names, axes.axis_types)


def _dims(data: Any) -> list[Dims]:
    return [tuple(_axes(dim) for dim in entries(dims, "dimensions")) for dims in entries(data, "dimensions")]


def _terms(data: Any) -> list[tuple[str, ...]]:
    return [_axes(one) for one in entries(data, "terms")]


def _axes(data: Any) -> tuple[str, ...]:
    return tuple(text(axis, "an axis") for axis in entries(data, "axes"))


def _client(platform: str) -> StoresObjectCode:
    client = get_world().clients[platform]
    if not isinstance(client, StoresObjectCode):
        raise NotSupportedError(f"Serializing executables of platform {platform!r}", "it does not store compiled code",
                                "Export the program instead: olympus.export.export(f)(...).serialize().")
    return client


def _signer() -> Signer:
    file = config.cache_key()
    if file is None:
        raise ExecutableError("there is no home folder for the key that signs it", None, None,
                              "Name a file for it in OLYMPUS_CACHE_KEY_FILE.")
    try:
        return Signer(user_key(file)[0])
    except (OSError, OlympusError) as error:
        raise ExecutableError(f"the key that signs it cannot be used ({error})", file, None,
                              "Name another file in OLYMPUS_CACHE_KEY_FILE.") from error


__all__ = ["executable_bytes", "executable_from"]
