# SPDX-License-Identifier: Apache-2.0
"""`from_dlpack` of another library's memory on a GPU, over the stand-in: order of streams, lifetimes, copies."""

from __future__ import annotations

from ..conftest import RunWithGpus

HEAD = """
import gc
import ctypes
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus_core.program import ArrayType
from olympus_cuda import dlpack
from tests.cuda.standin import runtime
from tests.cuda.standin.machine import MACHINE, Access, Item

olympus.devices()
ended = []

class Lent:
    '''Memory of another library: made in its own stream, and written there when it is exported.'''

    pool = None

    def __init__(self, value, shift=0, versioned=True, ordinal=0, strides=None, shape=None):
        self.value, self.shift, self.versioned, self.ordinal = np.ascontiguousarray(value), shift, versioned, ordinal
        self.strides, self.shape = strides, shape or value.shape
        runtime.setDevice(ordinal)
        self.stream = runtime.new_stream(1)
        props = runtime.MemPoolProps(1, 0, 1, ordinal)
        self.pool = runtime.memPoolCreate(props)
        self.base = runtime.mallocFromPoolAsync(self.value.nbytes + 1024, self.pool, self.stream)
        self.first = -(-self.base // 256) * 256 + shift

    def write(self, value):
        runtime.setDevice(self.ordinal)
        def run():
            MACHINE.read(self.first, value.nbytes)[:] = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        item = Item("another library's work", run, (Access(self.first, value.nbytes, True),))
        MACHINE.enqueue(MACHINE.stream(self.stream), item)

    def __dlpack_device__(self):
        return (2, self.ordinal)

    def __dlpack__(self, stream=None, **more):
        if "max_version" in more and not self.versioned:
            raise TypeError("max_version is not known")
        self.write(self.value)
        event = runtime.eventCreateWithFlags(2)
        runtime.eventRecord(event, self.stream)
        runtime.streamWaitEvent(stream, event)
        held = dlpack.capsule(self, self.first, self.ordinal, ArrayType(self.shape, self.value.dtype), self.versioned,
                              False, lambda: ended.append(self))
        if self.strides is not None:
            address, entry = next((a, e) for a, e in dlpack._held.items() if e[-2] is held)
            for i, stride in enumerate(self.strides):
                entry[2][len(self.shape) + i] = stride
        return held

def close(found, expected):
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6)

VALUE = np.random.default_rng(0).standard_normal((33, 17)).astype(np.float32)
"""


def test_memory_is_used_as_it_is_in_the_order_of_streams(run_with_gpus: RunWithGpus) -> None:
    for keeps in (True, False):
        run_with_gpus(HEAD + """
for versioned in (True, False):
    lent = Lent(VALUE, versioned=versioned)
    before = MACHINE.allocations
    x = jnp.from_dlpack(lent)
    assert MACHINE.allocations == before and x._buffers[0].allocation.ptr == lent.first
    assert x.shape == (33, 17) and x.dtype == np.float32 and x.devices() == {olympus.devices()[0]}
    close(x * 2 + 1, VALUE * 2 + 1)
    close(x, VALUE)
    assert not ended
    doubled = x + x  # its work is under way when the array is dropped
    del x
    gc.collect()
    olympus.block_until_ready(doubled)
    close(doubled, VALUE * 2)
    olympus.device_put(VALUE)  # a transfer, at which what has ended is given back
    assert ended == [lent], ended
    ended.clear()
    lent.write(VALUE * 0)  # nothing of the platform's is under way there: the stand-in refuses it if it is
""", keeps=keeps)


def test_memory_is_given_back_only_when_no_stream_reads_it(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
lent = Lent(VALUE)
x = jnp.from_dlpack(lent)
stream = x._buffers[0].context.stream.ptr
MACHINE.hang(stream)
y = x + 1
del x
gc.collect()
olympus.device_put(VALUE)
assert not ended
MACHINE.release()
close(y, VALUE + 1)
olympus.device_put(VALUE)
assert ended == [lent]
""")


def test_copies_where_they_are_wanted_or_needed(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
from olympus.errors import ArgumentError
def address(x):
    return x._buffers[0].allocation.ptr
asked = Lent(VALUE)
x = jnp.from_dlpack(asked, copy=True)
assert address(x) != asked.first
close(x, VALUE)
shifted = Lent(VALUE, shift=4)
x = jnp.from_dlpack(shifted)
assert address(x) != shifted.first
close(x + 1, VALUE + 1)
turned = Lent(VALUE, strides=(1, 17), shape=(17, 33))
close(jnp.from_dlpack(turned), VALUE.T)
every = Lent(VALUE, strides=(34, 1), shape=(16, 17))
close(jnp.from_dlpack(every), VALUE[:32:2])
for lent in (shifted, turned):
    try:
        jnp.from_dlpack(lent, copy=False)
    except ArgumentError as error:
        assert "copy=False" in str(error)
    else:
        raise AssertionError
whole = Lent(VALUE)
assert address(jnp.from_dlpack(whole, copy=False)) == whole.first
back = Lent(VALUE, strides=(-17, 1))
try:
    jnp.from_dlpack(back)
except ArgumentError as error:
    assert "backwards" in str(error)
close(jnp.asarray(Lent(VALUE)), VALUE)
assert jnp.from_dlpack(Lent(np.zeros((0, 3), np.int32))).shape == (0, 3)
assert jnp.from_dlpack(Lent(np.float32(3))).item() == 3
for kind in (np.bool_, np.int8, np.uint16, np.complex64, np.float16):
    value = np.arange(12).reshape(3, 4).astype(kind)
    found = jnp.from_dlpack(Lent(value))
    assert found.dtype == value.dtype
    np.testing.assert_array_equal(np.asarray(found), value)
wide = VALUE.astype(np.float64)
assert jnp.from_dlpack(Lent(wide)).dtype == np.float32
with olympus.enable_x64():
    close(jnp.from_dlpack(Lent(wide)), wide)
gc.collect()
olympus.device_put(VALUE)
assert not [lent for lent in (asked, shifted, turned, every, back) if lent not in ended]
""")


def test_donated_it_is_not_written_to(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
lent = Lent(VALUE)
x = jnp.from_dlpack(lent)
add = olympus.jit(lambda x: x + 1, donate_argnums=0)
y = add(x)
close(y, VALUE + 1)
close(MACHINE.read(lent.first, VALUE.nbytes).view(np.float32).reshape(VALUE.shape), VALUE)
""")


def test_memory_of_several_gpus_and_of_none(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
from olympus.errors import ArgumentError
first, second = olympus.devices()
x = jnp.from_dlpack(Lent(VALUE, ordinal=1))
assert x.devices() == {second} and x.committed
close(x + 1, VALUE + 1)
y = jnp.from_dlpack(Lent(VALUE, ordinal=1), device=first)
assert y.devices() == {first}
close(y + 1, VALUE + 1)
try:
    jnp.from_dlpack(Lent(VALUE, ordinal=1), device=first, copy=False)
except ArgumentError as error:
    assert "copy=False" in str(error), error
else:
    raise AssertionError
class Elsewhere:
    def __dlpack_device__(self):
        return (10, 0)
    def __dlpack__(self, **options):
        raise AssertionError
try:
    jnp.from_dlpack(Elsewhere())
except ArgumentError as error:
    assert "no device that is open" in str(error), error
else:
    raise AssertionError
z = olympus.device_put(VALUE, second)
close(jnp.from_dlpack(z._buffers[0]), VALUE)  # the platform's own capsules, too
""", gpus=2)


def test_several_devices_of_one_gpu(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
first, second = olympus.devices()[:2]
x = jnp.from_dlpack(Lent(VALUE), device=second)
assert x.devices() == {second}
close(x + 1, VALUE + 1)
y = jnp.from_dlpack(Lent(VALUE))
assert y.devices() == {first}
close(olympus.device_put(y, second) * 2, VALUE * 2)
del x, y
gc.collect()
olympus.device_put(VALUE)
""", OLYMPUS_NUM_CUDA_DEVICES="2")
