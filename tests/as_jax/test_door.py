# SPDX-License-Identifier: Apache-2.0
"""`import jax` gives olympus's modules where the door was opened, and only there; each case is a process of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT, clean_environment


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    # The folder for compiled code goes with its key: what another key signed would be damage to all other tests.
    kept = {name: text for name, text in clean_environment().items() if not name.startswith(("JAX_", "XLA_"))}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120, check=False,
                          env={**kept, **variables})


def inside(code: str, *options: str, **variables: str) -> str:
    """What a program prints behind the door."""
    done = run(*options, "-m", "olympus.as_jax", "-c", code, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_modules_are_olympus_own() -> None:
    assert inside("""
import jax, olympus
import jax.numpy as jnp, jax.scipy.special, jax.nn.initializers, jax.experimental.shard_map, jax.extend.core.primitives
from jax import lax, random, tree_util
from jax.experimental import multihost_utils
for name in ("numpy", "lax", "nn.initializers", "scipy.special", "extend.core.primitives", "tree_util"):
    ours, theirs = olympus, jax
    for part in name.split("."):
        ours, theirs = getattr(ours, part), getattr(theirs, part)
    assert ours is theirs, name
assert jax.jit is olympus.jit and jnp is olympus.numpy and isinstance(jnp.ones(2), jax.Array)
assert jnp.__spec__.name == "olympus.numpy"
print(float(jax.grad(lambda x: jnp.sum(x ** 2))(jnp.arange(3.0))[2]))
""") == "4.0\n"


def test_the_version_is_the_matched_one() -> None:
    said = inside("""
import importlib.metadata, jax, jaxlib, jax.version, jaxlib.version
print(jax.__version__, jax.version.__version_info__ == jax.__version_info__, jaxlib.__version__ == jax.__version__,
      importlib.metadata.version("jax") == importlib.metadata.version("jaxlib") == jax.__version__,
      "version" in dir(jax))
""")
    assert said.split()[1:] == ["True"] * 4
    assert [int(part) for part in said.split()[0].split(".")] >= [0, 10]


_ABSENT = [
    ("from jax._src.xla_bridge import get_backend",
     "ImportError jax._src.xla_bridge.get_backend.*jax.devices, jax.extend.backend"),
    ("from jax._src.core import Primitive", "ImportError jax._src.core.Primitive.*jax.core, jax.extend.core"),
    ("from jax._src import mesh", "ImportError jax._src.mesh.*jax.sharding"),
    ("import jaxlib.mlir", "ImportError jaxlib.mlir"),
    ("import jax.numpy.nothing", "ModuleNotFoundError No module named 'jax.numpy.nothing'"),
    ("import jax.transforms", "ModuleNotFoundError No module named 'jax.transforms'"),
    ("import jax; jax.nothing", "AttributeError jax.nothing: olympus has no such name"),
    ("from jax.experimental import transfer; transfer.start_transfer_server()",
     "NotSupportedError jax.experimental.transfer.start_transfer_server is not supported"),
    ("from jax.experimental import fused; fused.fused(print)",
     "NotSupportedError jax.experimental.fused.fused is not supported"),
    ("import jax; jax.profiler.start_server(0)", "NotSupportedError profiler.start_server is not supported"),
    ("from jax.experimental import colocated_python as c; c.colocated_cpu_devices(())",
     "NotSupportedError jax.experimental.colocated_python.colocated_cpu_devices is not supported"),
    ("from jax.experimental.pallas import tpu; tpu.VMEM((8,), 'float32')",
     "NotSupportedError jax.experimental.pallas.tpu"),
    ("import jax; jax._src.core.Primitive", "AttributeError jax._src.core.Primitive is private.*jax.core"),
    ("import jax.numpy.linear", "ModuleNotFoundError No module named 'jax.numpy.linear'"),
    ("import jax.experimental.hijax as h; h.HiPrimitive('p').bind(1)", "NotSupportedError .*not define to_lojax"),
]


@pytest.fixture(scope="module")
def told() -> list[str]:
    """What each of them raises: the names of the error's classes and its text. Each runs in a fork of one process."""
    said = inside(f"""
import json, os
import olympus, olympus.numpy
for code in {[code for code, _ in _ABSENT]!r}:
    read, write = os.pipe()
    if not os.fork():
        try:
            exec(code, {{}})
            text = "no error"
        except Exception as error:
            text = f"{{[cls.__name__ for cls in type(error).__mro__]}} {{error}}"
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    with open(read) as file:
        print(json.dumps(file.read()))
    os.wait()
""")
    return [json.loads(line) for line in said.splitlines()]


@pytest.mark.parametrize("number", range(len(_ABSENT)), ids=[code for code, _ in _ABSENT])
def test_what_is_not_there_is_an_error_that_names_the_way(told: list[str], number: int) -> None:
    kind, _, pattern = _ABSENT[number][1].partition(" ")
    classes, _, text = told[number].partition("] ")
    assert f"'{kind}'" in classes, told[number]
    assert re.search(pattern, text, re.S), text


def test_private_names_in_use_are_olympus_own() -> None:
    inside("""
from jax._src import core, dtypes, traceback_util
from jax._src.ad_util import stop_gradient_p
from jax._src.dispatch import wait_for_tokens
from jax._src.flatten_util import ravel_pytree
from jax._src.interpreters.partial_eval import dce_jaxpr
from jax.extend.source_info_util import summarize
from jax._src.tree_util import _registry
import jax, sys, numpy as np
assert not jax._src.xla_bridge._backends  # no devices are opened yet
assert core.trace_state_clean() and not jax.jit(lambda x: [x, core.trace_state_clean()][1])(1.0)
assert list in _registry and int not in _registry and wait_for_tokens is jax.effects_barrier
assert dtypes.supports_inf(np.float32) and not dtypes.supports_inf(jax.numpy.float8_e4m3fn)
assert core.JaxprEqn is jax.extend.core.JaxprEqn and jax._src.tree_util.GetAttrKey is jax.tree_util.GetAttrKey
assert summarize(jax.make_jaxpr(jax.numpy.sin)(1.0).eqns[0].source_info).startswith("<string>:")
assert jax._src.core is core and traceback_util.include_frame(sys._getframe())
jax.devices()
assert list(jax._src.xla_bridge._backends) == ["cpu"] and jax._src.xla_bridge._backends.get("tpu") is None
assert traceback_util.api_boundary(len) is len and ravel_pytree is jax.flatten_util.ravel_pytree
""")


def test_an_option_is_set_by_named_arguments() -> None:
    assert inside("""
import jax, olympus
jax.config.update(name="jax_enable_x64", val=True)
print(jax.numpy.ones(1).dtype)
olympus.config.update(name="olympus_enable_x64", val=False)
print(jax.numpy.ones(1).dtype)
""") == "float64\nfloat32\n"


def test_options_are_translated() -> None:
    assert inside("""
import jax, olympus, warnings
jax.config.update("jax_enable_x64", True)
print(jax.config.jax_enable_x64, jax.config.x64_enabled, olympus.config.olympus_enable_x64,
      jax.config.read("jax_enable_x64"))
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    jax.config.update("jax_optimization_level", "O1")
    jax.config.update("jax_optimization_level", "O2")
    jax.config.update("jax_pprint_use_color", True)  # what holds already
print(len(told), jax.config.jax_optimization_level, "jax_optimization_level" in jax.config.values)
for wrong in (lambda: jax.config.update("jax_enable_x46", 1), lambda: jax.config.jax_nothing):
    try:
        wrong()
    except AttributeError as error:
        print(type(error).__name__)
""").splitlines() == ["True True True True", "1 O2 True", "UnknownOptionError", "UnknownOptionError"]


def test_variables_are_translated() -> None:
    code = "import jax; print(len(jax.devices()), jax.numpy.arange(2.0).dtype, jax.config.jax_platforms)"
    flags = "--xla_force_host_platform_device_count=3"
    assert inside(code, JAX_ENABLE_X64="True", XLA_FLAGS=flags, JAX_PLATFORMS="cpu") == "3 float64 ('cpu',)\n"
    # olympus's own variables are before JAX's, and what the program sets before the import counts.
    assert inside(code, JAX_ENABLE_X64="1", OLYMPUS_ENABLE_X64="0", JAX_NUM_CPU_DEVICES="2").startswith("2 float32")
    late = f"import os; os.environ['XLA_FLAGS'] = {flags!r}\n{code}"
    assert inside(late).startswith("3 float32")


def test_a_fixed_index_outside_counts_as_the_nearest() -> None:
    code = "import jax, jax.numpy as jnp; print(jnp.arange(3)[5], jax.config.jax_check_static_indices)"
    assert inside(code) == "2 False\n"
    caught = f"try:\n    {code}\nexcept IndexError: print('IndexError')"
    assert inside(caught, JAX_CHECK_STATIC_INDICES="1") == "IndexError\n"


def test_settings_without_a_meaning_are_told() -> None:
    done = run("-m", "olympus.as_jax", "-c", "import jax", XLA_FLAGS="--xla_gpu_autotune_level=2", JAX_ENABLE_PGLE="1")
    assert done.returncode == 0
    assert "JAX_ENABLE_PGLE has no effect" in done.stderr
    assert "XLA_FLAGS=--xla_gpu_autotune_level=2 has no effect" in done.stderr


def test_ways_to_run(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("import jax\nvalue = jax.__version__\n")
    script = tmp_path / "script.py"
    script.write_text("import sys, beside\nif __name__ == '__main__':\n    print(sys.argv[1:], beside.value > '0')\n")
    assert run("-m", "olympus.as_jax", str(script), "a", "--b").stdout == "['a', '--b'] True\n"
    as_module = run("-m", "olympus.as_jax", "-m", "script", "c", PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}")
    assert as_module.stdout == "['c'] True\n"
    by_variable = run("-c", "import olympus, jax; print(jax.jit is olympus.jit)", OLYMPUS_AS_JAX="1")
    assert by_variable.stdout == "True\n", by_variable.stderr
    assert "usage: python -m olympus.as_jax" in run("-m", "olympus.as_jax").stderr


def test_numpy_arrays_that_are_reshaped_in_a_program_can_be_looked_at() -> None:
    code = """
import jax, jax.numpy as jnp, numpy as np
def f(x):
    known = jnp.reshape(np.arange(6) < 5, (2, -1)).all(-1)
    assert known[0] and not known[1] and known.shape == (2,)
    return jnp.reshape(x, 3) * jnp.ravel(np.ones(3))[x[0].astype(int)] + jnp.kron(np.ones(3), np.ones(1))
print(jax.jit(f)(jnp.arange(3.0)), type(jnp.reshape(np.ones(2), (1, 2))) is type(jnp.ones(2)))
"""
    assert inside(code) == "[1. 2. 3.] True\n"


def test_files_that_are_open_at_the_end_are_written(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import sys\nfile = open(sys.argv[1], 'w')\nfile.write('all')\ndef keeps(): return file\n")
    path = f"{ROOT}{os.pathsep}{tmp_path}"
    for way in ([str(script)], ["-m", "script"], ["-c", script.read_text()]):
        assert run("-m", "olympus.as_jax", *way, str(tmp_path / "out"), PYTHONPATH=path).returncode == 0
        assert (tmp_path / "out").read_text() == "all", way
        (tmp_path / "out").unlink()
    missing = run("-m", "olympus.as_jax", "-m", "nothing.script", PYTHONPATH=path)
    assert missing.returncode == 1 and "No module named nothing.script" in missing.stderr


def test_the_launcher_opens_the_door(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import jax\njax.distributed.initialize()\nprint(jax.process_index(), jax.process_count())\n")
    done = run("-m", "olympus", "launch", "-n", "2", "--as-jax", str(script))
    assert done.returncode == 0, done.stderr
    assert sorted(line.split()[-2:] for line in done.stdout.splitlines()) == [["0", "2"], ["1", "2"]]


def test_it_is_never_open_by_itself() -> None:
    code = """
import sys, olympus
assert "olympus.as_jax" not in sys.modules
sys.modules["jax"] = type(sys)("jax")
import olympus.as_jax
try:
    olympus.as_jax.install()
except ImportError as error:
    print(type(error).__name__, olympus.as_jax.installed())
del sys.modules["jax"]
olympus.as_jax.install()
olympus.as_jax.install()
print(olympus.as_jax.installed(), sum("as_jax" in type(finder).__module__ for finder in sys.meta_path))
"""
    done = run("-c", code)
    assert done.stdout == "PeerImportedError False\nTrue 1\n", done.stderr


def test_modules_are_found_as_those_of_others() -> None:
    inside("""
import importlib.metadata, importlib.util, inspect, pickle
import jax
# without further imports
assert jax.interpreters.pxla.__name__ == "jax.interpreters.pxla" and jax.experimental.hijax.HiType
assert jax.numpy.linalg.norm and jax.scipy.special.erf and jax.experimental.pallas.pallas_call and jax.extend.core
import jax.numpy.linalg as linalg
assert linalg is jax.numpy.linalg and jax._src.core.trace_state_clean()
assert importlib.util.find_spec("jax.numpy") and importlib.util.find_spec("jaxlib")
assert importlib.util.find_spec("jax.nothing") is None and importlib.util.find_spec("jax.tools") is None
assert not hasattr(jax, "nothing") and not hasattr(jax._src, "nothing") and not hasattr(jax.numpy, "nothing")
names = {}
exec("from jax import *", names)
assert names["jit"] is jax.jit and names["numpy"] is jax.numpy and "_twin" not in names
exec("from jax.numpy import *", names)
assert names["arange"] is jax.numpy.arange
try:
    from jax._src import nothing
except ImportError as error:
    assert error.name == "jax._src.nothing"
assert importlib.metadata.version("JAX") == jax.__version__
assert {"jax", "jaxlib", "numpy"} <= {d.metadata["Name"] for d in importlib.metadata.distributions()}
assert inspect.getsource(jax.jit).startswith("def jit(") and inspect.getmodule(jax.jit).__name__.startswith("olympus")
assert jax.extend.backend.get_backend().platform == jax.default_backend()
""")


# What JAX 0.10 writes for jnp.arange(3.0) and for jnp.asarray(2.0) * 1, whose type is weak.
_ARRAY = (
    "gASVzwAAAAAAAACMDmpheC5fc3JjLmFycmF5lIwSX3JlY29uc3RydWN0X2FycmF5lJOUKIwWbnVtcHkuX2NvcmUubXVsdGlh"
    "cnJheZSMDF9yZWNvbnN0cnVjdJSTlIwFbnVtcHmUjAduZGFycmF5lJOUSwCFlEMBYpSHlChLAUsDhZRoBowFZHR5cGWUk5SM"
    "AmY0lImIh5RSlChLA4wBPJROTk5K/////0r/////SwB0lGKJQwwAAAAAAACAPwAAAECUdJR9lIwJd2Vha190eXBllIlzdJRS"
    "lC4="
)
_WEAK = (
    "gASVxAAAAAAAAACMDmpheC5fc3JjLmFycmF5lIwSX3JlY29uc3RydWN0X2FycmF5lJOUKIwWbnVtcHkuX2NvcmUubXVsdGlh"
    "cnJheZSMDF9yZWNvbnN0cnVjdJSTlIwFbnVtcHmUjAduZGFycmF5lJOUSwCFlEMBYpSHlChLASloBowFZHR5cGWUk5SMAmY0"
    "lImIh5RSlChLA4wBPJROTk5K/////0r/////SwB0lGKJQwQAAABAlHSUfZSMCXdlYWtfdHlwZZSIc3SUUpQu"
)


def test_pickles_name_modules_of_jax() -> None:
    inside(f"""
import base64, pickle
import jax, jax.numpy as jnp
array, weak = (pickle.loads(base64.b64decode(text)) for text in ({_ARRAY!r}, {_WEAK!r}))
assert type(array) is jax.Array and array.tolist() == [0, 1, 2] and not array.weak_type
assert float(weak) == 2 and weak.weak_type
assert pickle.loads(b"cjax.numpy\\nsin\\n.") is jnp.sin and pickle.loads(pickle.dumps(jnp.sin)) is jnp.sin
""")


def test_values_of_options_are_translated() -> None:
    code = """
import warnings, jax
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    jax.config.update("jax_traceback_filtering", "off")
    off = jax.config.jax_traceback_filtering
    jax.config.update("jax_traceback_filtering", "auto")
    print(off, jax.config.jax_traceback_filtering, len(told))
    jax.config.update("jax_auto_pcast", False)
    jax.config.update("jax_auto_pcast", False)
    jax.devices()
    jax.config.update("jax_enable_compilation_cache", False)
    print([str(one.message) for one in told])
try:
    jax.config.update("jax_num_cpu_devices", 7)
except RuntimeError as error:
    print("RuntimeError")
"""
    assert inside(code).splitlines() == ["False True 0", str([
        "jax.config.update('jax_auto_pcast', False) has no effect: olympus has no such setting.",
        "jax.config.update('jax_enable_compilation_cache') has no effect: devices are open already."]), "RuntimeError"]
    code = ("import jax; print(jax.config.jax_traceback_filtering, jax.config.jax_auto_pcast, "
            "jax.config.jax_threefry_partitionable, jax.devices()[0].platform)")
    done = run("-m", "olympus.as_jax", "-c", code, JAX_TRACEBACK_FILTERING="off", JAX_AUTO_PCAST="0",
               JAX_THREEFRY_PARTITIONABLE="0", JAX_PLATFORM_NAME="cpu")
    assert done.stdout == "False True False cpu\n", done.stderr
    assert "JAX_AUTO_PCAST has no effect" in done.stderr


def test_processes_that_a_program_starts(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.was_customized = True\n")
    script = tmp_path / "script.py"
    script.write_text("""
import multiprocessing, subprocess, sys
import jax, jax.numpy as jnp

def double(x):
    return type(jnp.sin(x)).__module__, float(jnp.float32(x) * 2)

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(double, [1.5]))
    code = "import sys; print('olympus' in sys.modules, sys.was_customized); import jax; print(jax.jit.__module__)"
    print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
""")
    done = run("-m", "olympus.as_jax", str(script), PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}")
    assert done.stdout.splitlines() == [
        "[('olympus.array', 3.0)]", "['False', 'True', 'olympus.transforms.jit']"], done.stderr


def test_pytest_runs_behind_the_door(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import jax, jax.numpy as jnp\ndef test_it():\n    assert isinstance(jnp.ones(1), jax.Array)\n")
    done = run("-m", "olympus.as_jax", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_it.py"))
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr


def test_values_with_the_method_of_arrays_count_as_arrays() -> None:
    inside("""
import numpy as np
import jax, jax.numpy as jnp
class W:
    def __init__(self, value): self.value = value
    def __jax_array__(self): return self.value
w = W(jnp.arange(2.0))
for found, wanted in (
    (jnp.ones(2) + w, [1, 2]), (w + jnp.ones(2), [1, 2]), (jnp.ones(2) < w, [False, False]), (jnp.ones(2) @ w, 1),
    (jnp.asarray(w), [0, 1]), (jnp.stack([w, w]), [[0, 1], [0, 1]]), (jnp.concatenate([w, w]), [0, 1, 0, 1]),
    (jnp.ones_like(w), [1, 1]), (jnp.einsum("i,i", w, w), 1), (jnp.shape(w), [2]), (jax.nn.relu(w), [0, 1]),
    (jnp.zeros(2).at[0].set(W(jnp.float32(3))), [3, 0]), (jax.jit(lambda x: x + w)(1.0), [1, 2]),
    (jax.grad(lambda x: (jnp.arange(2.0) * W(x)).sum())(jnp.ones(2)), [0, 1]),
    (jax.jit(jax.grad(lambda x: (jnp.exp(W(x)) * W(x)).sum()))(jnp.zeros(2)), [1, 1]),
    (jax.vmap(lambda x: jnp.exp(W(x)))(jnp.zeros(2)), [1, 1]),
    (jax.jit(jax.vmap(lambda x: W(x) * x))(jnp.ones(2)), [1, 1]),
    (jax.jvp(lambda x: jnp.sin(W(x)), (0.0,), (2.0,))[1], 2),
):
    np.testing.assert_array_equal(found, wanted)
try:
    jnp.sin(object())
except TypeError as error:
    assert "not an array" in str(error)
""")
def test_objects_say_by_jax_s_name_which_array_they_mean() -> None:
    assert inside("""
import jax, jax.numpy as jnp
class Weight:
    def __jax_array__(self):
        return jnp.ones(2)
w = Weight()
print((jnp.ones(2) + w).tolist(), (2.0 * jnp.asarray(w)).tolist(), jnp.stack([w, w]).shape)
""") == "[2.0, 2.0] [2.0, 2.0] (2, 2)\n"


def test_contexts_of_options_that_mean_nothing_here() -> None:
    assert inside("""
import warnings, jax
with jax.remove_size_one_mesh_axis_from_type(False):
    pass
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    with jax.no_execution(True):
        print(jax.config.jax_no_execution)
print(jax.config.jax_no_execution, len(told))
with jax.debug_key_reuse(False), jax.transfer_guard(None), jax.checking_leaks():  # these have a meaning
    pass
""") == "True\nFalse 1\n"


def test_modules_below_a_module_of_the_door() -> None:
    assert inside("""
import jax.experimental.array_serialization.serialization as serialization
from jax.experimental.array_serialization.serialization import GlobalAsyncCheckpointManagerBase
print(serialization.GlobalAsyncCheckpointManagerBase is GlobalAsyncCheckpointManagerBase)
""") == "True\n"


def test_names_that_have_moved_are_found_where_they_stood() -> None:
    assert inside("""
import warnings
import jax
from jax import core
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    assert core.Effects is jax.extend.core.Effects and core.ShapedArray is jax.core.ShapedArray
    from jax.core import DropVar, gensym
    assert gensym is jax.extend.core.gensym
print(told[0].category.__name__, told[0].message, len({str(one.message) for one in told}))
try:
    core.nothing
except AttributeError as error:
    print(error)
""", PYTHONWARNINGS="ignore").splitlines() == [
        "DeprecationWarning jax.core.Effects is deprecated: use jax.extend.core.Effects. 3",
        "jax.core.nothing: olympus has no such name"]


def test_modules_of_sparse_arrays() -> None:
    assert inside("""
import jax.experimental.sparse.linalg
from jax.experimental.sparse.bcoo import BCOO, bcoo_dot_general
import jax.experimental.sparse.util as util
from jax.experimental.sparse import linalg
print(BCOO is jax.experimental.sparse.BCOO, linalg.spsolve.__module__, util.SparseEfficiencyError.__name__)
""") == "True olympus.experimental.sparse.linalg SparseEfficiencyError\n"


def test_private_names_that_libraries_take_without_a_public_twin() -> None:
    assert inside("""
import inspect
import numpy as np
import jax, jax.numpy as jnp
import jaxlib.xla_client as client
from jax._src.api_util import infer_argnums_and_argnames as infer
from jax._src.numpy.ufuncs import ufunc
from jax._src.numpy.util import promote_dtypes_complex
from jax._src.tree_util import _registry
from jaxlib.xla_extension import PjitFunction
parameters = inspect.signature(lambda a, b, *args, c=1: None)
print([infer(parameters, *given) for given in ((0, None), (None, "b"), (None, ("a", "c")), (None, None), ((0,), "b"))])
print([x.dtype.name for x in promote_dtypes_complex(np.float32(1), 2)], promote_dtypes_complex(3j)[0].dtype)
from jax._src import dtypes
assert [dtypes.to_complex_dtype(d) for d in ("int8", "float32", "float64")] == ["complex64"] * 3
assert ufunc is jnp.ufunc and isinstance(jax.devices()[0], client.Device) and isinstance(jax.jit(abs), PjitFunction)
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
jax.tree_util.register_pytree_node(Pair, lambda p: ((p.a, p.b), "data"), lambda data, both: Pair(*both))
children, data = _registry[Pair].to_iter(Pair(1, 2))
print(children, data, _registry[Pair].from_iter(data, (3, 4)).b)
try:
    _registry[int]
except KeyError:
    print("int is none")
""").splitlines() == [
        "[((0,), ('a',)), ((1,), ('b',)), ((0,), ('a', 'c')), ((), ()), ((0,), ('b',))]",
        "['complex64', 'complex64'] complex64", "(1, 2) data 4", "int is none"]


def test_private_helpers_of_libraries() -> None:
    assert inside("""
import jax
from jax._src import traceback_util
from jax._src.tree_util import flatten_one_level, prefix_errors
assert not prefix_errors(1, [2]) and not prefix_errors({"a": 1}, {"a": (2, 3)})
first, second = prefix_errors({"a": (1, 2), "b": [1, (2, 3)]}, {"a": (1, 2, 3), "b": [1, 3]})
print(first("in_axes"))
print(second("in_axes"))
before = len(traceback_util._exclude_paths)
traceback_util._exclude_paths.append("/library.py")
assert "/library.py" in traceback_util._exclude_paths and "/library.py" in list(traceback_util._exclude_paths)
traceback_util._exclude_paths.remove("/library.py")
print(len(traceback_util._exclude_paths) - before)
""").splitlines() == [
        "in_axes['a'] is no prefix of the values: (1, 2) for (1, 2, 3)",
        "in_axes['b'][1] is no prefix of the values: (2, 3) for 3", "0"]


def test_one_process_has_a_number_and_no_store() -> None:
    assert inside("""
from jax._src import distributed
print(distributed.global_state.process_id, distributed.global_state.num_processes, distributed.global_state.client)
""") == "0 1 None\n"


def test_objects_have_attributes_that_libraries_read() -> None:
    assert inside("""
import jax
client = jax.devices()[0].client
print(client.platform, client.device_count() == jax.device_count(), hasattr(client, "pathways"))
one = jax.sharding.SingleDeviceSharding(jax.devices()[1])
mesh = jax.make_mesh((2, 4), ("x", "y"))
all = jax.sharding.NamedSharding(mesh, jax.P("y"))
print(one._device_assignment == (jax.devices()[1],) == one._addressable_device_assignment)
print(all._device_assignment == tuple(mesh.devices.flat) == all._addressable_device_assignment)
""", JAX_NUM_CPU_DEVICES="8") == "cpu True False\nTrue\nTrue\n"


def test_modules_that_jax_imports_with_itself_are_found_in_sys_modules() -> None:
    assert inside("""
import sys
import jax
jax.tree_util.SequenceKey, jax.numpy.linalg
print(sys.modules["jax.tree_util"] is jax.tree_util, sys.modules["jax.numpy"].__name__)
import jax.tree_util as again
print(again is jax.tree_util)
""") == "True olympus.numpy\nTrue\n"
    assert inside("""
import jax.numpy as jnp, jax.numpy.linalg as linalg, olympus.numpy
import jax.scipy.special, jax.experimental.shard_map, jax.example_libraries.stax
print(jnp is olympus.numpy, linalg is olympus.numpy.linalg, linalg.norm(jnp.ones(4)))
""") == "True True 2.0\n"


def test_modules_for_parts_of_programs_and_versions() -> None:
    inside("""
import jax, jax.cloud_tpu_init, jax.lib, jax.experimental.key_reuse, jax.experimental.random
from jax.experimental import topologies
from jax.experimental.compute_on import compute_on, compute_on2
assert jax.lib.__version__ == jax.__version__
with compute_on("device_host"):
    assert float(jax.jit(jax.numpy.square)(3.0)) == 9
assert topologies.get_attached_topology().devices == jax.devices()
assert jax.make_jaxpr(lambda x: x**2)(1.0).eqns[0].primitive is jax.lax.integer_pow_p
assert jax.lax.linalg.cholesky_p is jax.extend.core.primitives.cholesky_p
tree = {"a": jax.numpy.ones(2), "b": 1}
assert jax.copy_to_host_async(tree) is tree
assert jax.ShapeDtypeStruct((), "float64").dtype == "float64"
""")
