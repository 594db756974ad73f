# SPDX-License-Identifier: Apache-2.0
"""Pickling and copying: what is restored is equal, devices are looked up where it is restored."""

from __future__ import annotations

import contextvars
import copy
import pickle
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors
from olympus.experimental import checkify
from olympus.experimental.layout import Format, Layout
from olympus.sharding import NamedSharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.errors.base import _restored

MESH = olympus.make_mesh((2, 4), ("x", "y"))
SHARDING = NamedSharding(MESH, P("x"))


def double(x: Any, times: int = 2) -> Any:
    return x * times


@olympus.jit
def named(x: Any) -> Any:
    return x + 1


VALUES = {
    "device": olympus.devices()[3], "mesh": MESH, "abstract mesh": MESH.abstract_mesh, "sharding": SHARDING,
    "single device": SingleDeviceSharding(olympus.devices()[1]), "spec": P("x", None, ("y",)),
    "format": olympus.device_put(jnp.arange(8), SHARDING).format, "type": olympus.typeof(jnp.ones(2)),
    "shape": olympus.ShapeDtypeStruct((2, 4), "bfloat16", sharding=SHARDING), "function of olympus": jnp.sin,
    "jitted by name": named,
    "automatic layout": Format(Layout.AUTO, SHARDING),
    "explicit mesh": olympus.make_mesh((8,), ("z",), axis_types=(olympus.AxisType.Explicit,)),
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy],
                         ids=["pickle", "deepcopy", "copy"])
def test_equal(name: str, copied: Any) -> None:
    value = VALUES[name]
    found = copied(value)
    assert found == value and type(found) is type(value)
    if name in ("device", "mesh", "function of olympus", "jitted by name"):
        assert found is value


def test_jitted_functions_keep_what_they_were_made_with() -> None:
    made = olympus.jit(double, static_argnames="times", donate_argnums=0, out_shardings=SHARDING)
    found = pickle.loads(pickle.dumps(made))
    x = jnp.arange(8)
    y = found(x, times=3)
    assert y.tolist() == [3 * i for i in range(8)] and y.sharding == SHARDING and x.is_deleted()
    placed = pickle.loads(pickle.dumps(olympus.jit(double, device=olympus.devices()[2])))
    assert placed(jnp.ones(2)).devices() == {olympus.devices()[2]}
    assert float(copy.deepcopy(olympus.jit(lambda x: x + 1))(1.0)) == 2
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(olympus.jit(lambda x: x))  # plain pickle knows functions by name only


def test_wrappers_do_not_take_over_the_state_of_what_they_wrap() -> None:
    for made in (olympus.grad(jnp.sin), olympus.vmap(named), olympus.jit(jnp.sin)):
        own = set(vars(made)) - set(vars(named))
        assert not own - {"__wrapped__"} and not getattr(made, "_is_api", False)


def test_arrays_keep_their_values() -> None:
    for value in (olympus.device_put(jnp.arange(8.0), SHARDING), jnp.ones(3, "bfloat16"), jnp.asarray(1.0)):
        found = pickle.loads(pickle.dumps(value))
        np.testing.assert_array_equal(found, value)
        assert found.dtype == value.dtype and found.weak_type == value.weak_type


def test_in_a_process_with_fewer_devices(tmp_path: Path) -> None:
    stored = {"far": olympus.devices()[7], "near": (SingleDeviceSharding(olympus.devices()[0]), jnp.cos)}
    for name, value in stored.items():
        (tmp_path / name).write_bytes(pickle.dumps(value))
    program = """
import os, pickle, sys
from pathlib import Path
os.environ["OLYMPUS_NUM_CPU_DEVICES"] = os.environ["OLYMPUS_NUM_CUDA_DEVICES"] = "2"
import olympus
folder = Path(sys.argv[1])
sharding, cos = pickle.loads((folder / "near").read_bytes())
assert sharding.device_set == {olympus.devices()[0]} and float(cos(0.0)) == 1
try:
    pickle.loads((folder / "far").read_bytes())
except olympus.errors.DeviceNotFoundError as error:
    print(isinstance(error, LookupError), "[0, 1]" in str(error))
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True True\n", done.stderr


def test_the_error_names_the_devices() -> None:
    assert "in this job" in str(errors.DeviceNotFoundError("cpu", 9, [0, 1]))


def kinds(of: type) -> list[type]:
    return [of, *(kind for direct in of.__subclasses__() for kind in kinds(direct))]


@pytest.mark.parametrize("kind", [kind for kind in kinds(errors.OlympusError) if "conformance" not in kind.__module__],
                         ids=lambda kind: kind.__name__)
def test_errors_of_other_processes_keep_their_words(kind: Any) -> None:
    error = _restored(kind, ("what happened",))
    error.fact, error.traced = "told", (x for x in ())  # a generator does not travel
    for found in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(found) is kind and str(found) == str(error) and found.fact == "told"
        assert not hasattr(found, "traced")


def test_an_error_that_was_raised() -> None:
    with pytest.raises(errors.ArgumentError) as told:
        jnp.ones(2) + jnp.ones(3)
    found = pickle.loads(pickle.dumps(told.value))
    assert str(found) == str(told.value) and type(found) is errors.ArgumentError


def test_closures_of_transforms_hold_nothing_of_their_modules() -> None:
    """What pickles functions by value (cloudpickle) takes what they name: state of this process must not be there."""
    made = [olympus.shard_map(double, mesh=MESH, in_specs=P("x"), out_specs=P("x")), olympus.vmap(double),
            olympus.grad(double), olympus.checkpoint(double), checkify.checkify(double), olympus.jacfwd(double)]
    for function in made:
        seen: list[Any] = []
        waiting = [function]
        while waiting:
            one = waiting.pop()
            if isinstance(one, types.FunctionType) and not any(one is x for x in seen) and is_by_value(one):
                seen.append(one)
                waiting += [one.__globals__[n] for n in one.__code__.co_names if n in one.__globals__]
                waiting += [cell.cell_contents for cell in one.__closure__ or ()]
            elif isinstance(one, types.BuiltinMethodType):
                assert not isinstance(one.__self__, contextvars.ContextVar), function
        assert seen


def is_by_value(function: Any) -> bool:
    found: Any = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is not function


def test_what_belongs_to_this_process_says_what_to_do() -> None:
    lowered = olympus.jit(double).lower(1.0)
    for stage in (olympus.jit(double).trace(1.0), lowered, lowered.compile()):
        with pytest.raises(errors.NotSupportedError, match="serialize_executable"):
            pickle.dumps(stage)
        assert copy.copy(stage) is stage is copy.deepcopy(stage)
    exported = olympus.export.export(olympus.jit(double))(1.0)
    with pytest.raises(errors.NotSupportedError, match=r"exported\.serialize"):
        pickle.dumps(exported)
    assert copy.copy(exported) is exported is copy.deepcopy(exported)
