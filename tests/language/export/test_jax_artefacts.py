# SPDX-License-Identifier: Apache-2.0
"""Artefacts of JAX, made by `make_jax_artefacts.py`: their numbers, and what is said of damaged and hostile ones."""

from __future__ import annotations

import base64
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import export, lax
from olympus.errors import ArtefactError
from olympus.export.stablehlo.artefact import TABLE
from olympus.export.stablehlo.bytecode import Bytecode, Reader
from olympus.export.stablehlo.flatbuffer import Buffer
from olympus.export.stablehlo.module import Module

FOLDER = Path(__file__).parent / "jax_artefacts"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jax"))

# What jaxlib's stablehlo.serialize_portable_artifact_str makes, for version 1.0.0, of a function of a and b:
# s = sine(a), t = sine(s), t + b + a + s + t. It says in which order the arguments, and s, are used.
ORDERS = (
    "TUzvUg1TdGFibGVITE9fdjEuMC4wAAEbBQEFCwEDCwMJDxMXGwNFKQkBIQsTCw8LExMTExMTExMTExMDCQsLCwsBAw8DBxMbBwKfBQ8DAwUHBRER"
    "AQUFExcBAwMXAQUDFwEFMRcBBVcXAQcNFwEJDRcBCw8XAQ0PFwEPDxcBEQ8XARMDAwEjBR0VHRcBAgIpAxEHEQUDAwMDCQSvBQFRCwMBBwSdAwEF"
    "B1ANAwcEiQMRHwUHDwcRIAMBCQMBBQYTAwMDAQUmFQMDAwUJAwEDBhcDAwUHAwMGGQMDBQkBAwYbAwMFCwUDBh0DAwUNBwkEHwMPBgMBBQEAzRkP"
    "CwUpBRUREQ8PCxFidWlsdGluAHZobG8AbW9kdWxlAGFkZF92MQBzaW5lX3YxAGZ1bmNfdjEAcmV0dXJuX3YxAC0AbWhsby5udW1fcGFydGl0aW9u"
    "cwBtAG1haW4AcHVibGljAAgVBQUTAQshIyElJw=="
)

# The same for version 0.9.0, whose bytecode has no properties apart from attributes, of a function of an array a:
# LAPACK's spotrf (lower), and a sorted along its rows in the total order.
OLD = (
    "TUzvUgFTdGFibGVITE9fdjAuOS4wAAEbBQEDAQMFAwsHCQsNDwOJZRUBRwsLEwsTMwsLCwsTE1MLCwsLCwsLCwsTGwsLExMTExsLCxMTAx8LCwsL"
    "CwsLCxMLDw8LCwsDFRcHDxsPBwcHDwcC7gIFEQUTAwMDBwUVFwEFAwMLDUcPSRFHA0sTTQUXBRkFGwUdFwEHBxcBBzUDExtPHVEfUyFHI1UlVydH"
    "KUcrRwUfBSEFIwUlBScFKQUrBS0FLxcBCRkDBTFdM18FMQUzFwELFRcBFQsXAQ0VFwENNwMFP2FBYwU1BTcXAQ8ZFwERDwMBIwcdOR07CwMdPR0/"
    "BQENA1lbHUETDUwTDwUFAwkFBwspBQ0NAwkpAQMRAwEFAQEpAQsbIR0pARMBBIUFAREJBQcDAQUFERULBwMJDwMBFwcHLRkFAQkDAQkXNS8DAQMB"
    "BwMHCwUFOQU7CwdDPQMRBQEDAwRFAwUDBDcFAwcGAwEFAQByBkMLJQMPCysbFRUfLyEpISkjHxkfFR0VBRMFFxEfERUPCxFidWlsdGluAHZobG8A"
    "bW9kdWxlAHJldHVybl92MQBmdW5jX3YxAGN1c3RvbV9jYWxsX3YxAHNvcnRfdjEAY29tcGFyZV92MQAtAHN5bV9uYW1lAG0AYXJnX2F0dHJzAGZ1"
    "bmN0aW9uX3R5cGUAcmVzX2F0dHJzAHN5bV92aXNpYmlsaXR5AGFwaV92ZXJzaW9uAGJhY2tlbmRfY29uZmlnAGNhbGxfdGFyZ2V0X25hbWUAY2Fs"
    "bGVkX2NvbXB1dGF0aW9ucwBoYXNfc2lkZV9lZmZlY3QAbWhsby5iYWNrZW5kX2NvbmZpZwBvcGVyYW5kX2xheW91dHMAb3V0cHV0X29wZXJhbmRf"
    "YWxpYXNlcwByZXN1bHRfbGF5b3V0cwBkaW1lbnNpb24AaXNfc3RhYmxlAGNvbXBhcmVfdHlwZQBjb21wYXJpc29uX2RpcmVjdGlvbgBtYWluAHB1"
    "YmxpYwAAbGFwYWNrX3Nwb3RyZl9mZmkAdXBsbwA="
)


def read(name: str) -> tuple[export.Exported, list[Any], list[Any]]:
    """The function, its flat arguments and results."""
    with np.load(FOLDER / f"{name}.npz") as stored:
        arguments, results = ([stored[key] for key in stored if key.startswith(kind)] for kind in ("in", "out"))
    return export.deserialize((FOLDER / f"{name}.jax").read_bytes()), arguments, results


def check(found: list[Any], wanted: list[Any]) -> None:
    """Compares flat results; what JAX's files hold of narrow floats is float32."""
    assert len(found) == len(wanted)
    for number, (x, y) in enumerate(zip(found, wanted, strict=True)):
        x = np.asarray(x)
        assert x.shape == y.shape, number
        if x.dtype != y.dtype:
            assert y.dtype == np.float32 and x.dtype.itemsize < 4, number
            x = x.astype(np.float32)
        if y.dtype.kind in "fc":
            np.testing.assert_allclose(x, y, rtol=2e-4, atol=2e-5, err_msg=str(number))
        else:
            np.testing.assert_array_equal(x, y, err_msg=str(number))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", NAMES)
def test_an_artefact_of_jax_gives_its_numbers(name: str) -> None:
    with olympus.enable_x64(name == "wide"):
        exported, arguments, results = read(name)
        args, kwargs = olympus.tree.unflatten(exported.in_tree, arguments)
        check(olympus.tree.leaves(exported.call(*args, **kwargs)), results)


def test_it_is_a_function_like_another() -> None:
    exported, (*_, x), (wanted,) = read("transformer")
    weights = olympus.tree.unflatten(exported.in_tree, read("transformer")[1])[0][0]
    assert exported.fun_name == "_transformer" and exported.platforms == ("cpu",)
    assert [str(a) for a in exported.out_avals] == ["float32[6,8]"]
    check([olympus.jit(lambda v: exported.call(weights, v) * 2)(x)], [wanted * 2])
    again = export.deserialize(exported.serialize())
    check([again.call(weights, x)], [wanted])
    assert not exported.has_vjp()


def test_derivatives_come_with_it_and_those_of_integers_do_not_count() -> None:
    exported, (x, n), _ = read("derivative")
    assert exported.has_vjp() and exported.vjp().has_vjp()
    slope = olympus.grad(lambda v: exported.call(v, n)["value"])(x)
    np.testing.assert_allclose(slope, np.cos(x) * n, rtol=1e-5)
    curve = olympus.grad(lambda v: olympus.grad(lambda w: exported.call(w, n)["value"])(v).sum())(x)
    np.testing.assert_allclose(curve, -np.sin(x) * n, rtol=1e-5)
    again = export.deserialize(exported.serialize(vjp_order=2))
    np.testing.assert_allclose(olympus.grad(lambda v: again.call(v, n)["value"])(x), slope, rtol=1e-6)


def test_one_module_is_for_several_platforms() -> None:
    exported, (x,), (wanted,) = read("everywhere")
    assert exported.platforms == ("cpu", "tpu")
    check([exported.call(x)], [wanted])
    assert exported._program("cpu", lambda mesh: mesh).fingerprint != exported._program("tpu", lambda mesh: mesh
                                                                                      ).fingerprint


def test_products_of_large_arrays_are_programs_of_one_operation() -> None:
    exported, _, _ = read("convolution")
    operations = exported._program("cpu", lambda mesh: mesh).operations
    assert [o.name for o in operations] == ["convolution", "convolution"]


def test_orders_of_uses_mean_nothing() -> None:
    a, b = np.arange(4, dtype=np.float32), np.full(4, 0.5, np.float32)
    blob = base64.b64decode(ORDERS)
    (found,) = Module(blob, TABLE).call("main", [a, b])
    np.testing.assert_allclose(found, 2 * np.sin(np.sin(a)) + b + a + np.sin(a), rtol=1e-6)
    for size in range(len(blob)):
        with pytest.raises(ArtefactError):
            Bytecode(blob[:size])


def test_properties_of_old_modules_are_attributes() -> None:
    a = np.array([[4, 2, -1], [2, 9, 3], [-1, 3, 5]], np.float32)
    blob = base64.b64decode(OLD)
    assert Bytecode(blob).version == 0
    factor, ordered = Module(blob, TABLE).call("main", [a])
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(a), rtol=1e-6)
    np.testing.assert_array_equal(np.triu(factor, 1), np.triu(a, 1))
    np.testing.assert_array_equal(ordered, np.sort(a, 1))
    for size in range(len(blob)):
        with pytest.raises(ArtefactError):
            Bytecode(blob[:size])


@pytest.mark.parametrize("name", NAMES)
def test_every_beginning_of_an_artefact_is_refused(name: str) -> None:
    """All but the zeros that it ends with count."""
    blob = (FOLDER / f"{name}.jax").read_bytes()
    for size in {*range(0, len(blob) - 8, max(1, len(blob) // 40)), 4, 8}:
        with pytest.raises(ArtefactError):
            export.deserialize(blob[:size])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_mutated_artefacts_are_read_or_refused() -> None:
    """Thousands of them: never another error, a crash, or long work."""
    chance = random.Random(0)
    blobs = [(FOLDER / f"{name}.jax").read_bytes() for name in NAMES]
    blobs.append(bytes(export.export(olympus.jit(lambda x: jnp.sin(x) @ x.T))(jnp.ones((3, 3))).serialize()))
    end, refused, tried = time.monotonic() + 8, 0, 0
    while time.monotonic() < end and tried < 4000:
        blob = bytearray(chance.choice(blobs))
        for _ in range(chance.choice((1, 1, 2, 8))):
            place = chance.randrange(len(blob))
            kind = chance.randrange(4)
            if kind == 0:
                blob[place] = chance.randrange(256)
            elif kind == 1:
                blob[place] ^= 1 << chance.randrange(8)
            elif kind == 2:
                del blob[place:place + chance.randrange(1, 9)]
            else:
                blob[place:place] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 9)))
        tried += 1
        started = time.monotonic()
        try:
            export.deserialize(blob)
        except ArtefactError:
            refused += 1
        assert time.monotonic() - started < 20
    assert tried > 50 and refused > tried // 4


def test_readers_end_where_the_bytes_end() -> None:
    chance = random.Random(1)
    for _ in range(2000):
        noise = bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
        for read_it in (lambda: Bytecode(b"ML\xefR\x0dX\x00" + noise), lambda: Buffer(noise).root().tables(19),
                        lambda: Buffer(noise).root().text(1), Reader(noise).number, Reader(noise).section):
            try:
                read_it()
            except ArtefactError:
                continue


def test_numbers_of_bytecode_are_read_as_they_are_defined() -> None:
    assert Reader(b"\x01").number() == 0 and Reader(b"\xff").number() == 127
    assert Reader(bytes([0b10, 0b10])).number() == 128
    assert Reader(b"\x00" + (1 << 63).to_bytes(8, "little")).number() == 1 << 63
    assert [Reader(bytes([n << 1 | 1])).signed() for n in range(5)] == [0, -1, 1, -2, 2]


def test_what_is_not_read_is_named() -> None:
    blob = (FOLDER / "algebra.jax").read_bytes().replace(b"lapack_sgesdd_ffi", b"lapack_sgexyz_ffi")
    with pytest.raises(ArtefactError, match="lapack_sgexyz_ffi"):
        export.deserialize(blob)
    blob = (FOLDER / "fourier.jax").read_bytes().replace(b"fft_v1", b"fqt_v1")
    with pytest.raises(ArtefactError, match="fqt"):
        export.deserialize(blob)
    with pytest.raises(ArtefactError, match="version 63"):
        export.deserialize((FOLDER / "fourier.jax").read_bytes().replace(b"ML\xefR\x0d", b"ML\xefR\x7f"))


def test_a_huge_array_is_made_only_when_the_program_runs() -> None:
    """A splat constant of a terabyte is two numbers in the file."""
    exported = export.export(olympus.jit(lambda x: lax.broadcast_in_dim(x, (1 << 20, 1 << 18), ())))(jnp.float32(1))
    assert export.deserialize(exported.serialize()).out_avals[0].shape == (1 << 20, 1 << 18)
