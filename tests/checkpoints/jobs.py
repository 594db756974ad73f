# SPDX-License-Identifier: Apache-2.0
"""What the tests of this room run in the processes of a job: `python -m tests.checkpoints.jobs address count index`.

Each process runs the checks in the same order and prints one line for each: its name, and ``ok`` or a traceback.
"""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P, checkpoints
from olympus.checkpoints import saving
from olympus.experimental import multihost_utils as hosts
from olympus.sharding import Mesh, SingleDeviceSharding
from olympus_core.errors import (
    CheckpointExistsError,
    CheckpointFolderError,
    CheckpointMismatchError,
    CheckpointNotFoundError,
    CheckpointProcessError,
    CheckpointWriteError,
)
from olympus_core.program import ArrayType
from olympus_core.runtime import Signature
from olympus_core.runtime.assembly import from_parts

DATA = np.arange(16 * 24, dtype=np.float32).reshape(16, 24)


def shardings() -> list[NamedSharding | SingleDeviceSharding]:
    d = np.array(olympus.devices())
    return [
        NamedSharding(Mesh(d.reshape(4, -1), ("i", "j")), P("i", "j")),
        NamedSharding(Mesh(d[::-1].reshape(2, -1), ("a", "b")), P(None, "a")),
        NamedSharding(Mesh(d, ("x",)), P()),
        NamedSharding(Mesh(d[2:6], ("x",)), P("x")),  # of four processes, the middle ones only
        SingleDeviceSharding(d[-1]),  # one process has it
    ]


def make_tree() -> dict[str, Any]:
    arrays = [olympus.device_put(DATA + i, sharding) for i, sharding in enumerate(shardings())]
    return {"arrays": arrays, "own": jnp.arange(5), "numpy": np.arange(3), "key": olympus.random.key(3), "epoch": 7}


def check_tree(found: dict[str, Any], like: list[Any]) -> None:
    for i, (array, sharding) in enumerate(zip(found["arrays"], like, strict=True)):
        assert array.sharding == sharding
        for shard in array.addressable_shards:
            np.testing.assert_array_equal(shard.data, (DATA + i)[shard.index])
    assert found["epoch"] == 7 and found["numpy"].tolist() == [0, 1, 2]
    np.testing.assert_array_equal(found["own"], np.arange(5))
    np.testing.assert_array_equal(olympus.random.key_data(found["key"]), [0, 3])


def likes(places: list[Any]) -> dict[str, Any]:
    arrays = [olympus.ShapeDtypeStruct(DATA.shape, DATA.dtype, sharding=place) for place in places]
    return {"arrays": arrays, "own": jnp.zeros(5, "int32"), "numpy": np.zeros(3, int), "key": olympus.random.key(0),
            "epoch": 0}


def expect(kind: type[Exception], words: str, work: Any) -> None:
    try:
        work()
    except kind as error:
        assert words in str(error), str(error)
    else:
        raise AssertionError(f"no {kind.__name__}")


def check_save_and_restore(folder: Path) -> None:
    written: list[str] = []
    add = saving.Syncing.add
    saving.Syncing.add = lambda self, file: (  # type: ignore[method-assign]
        written.append(str(file.relative_to(self._root))) if not file.is_dir() else None, add(self, file))[1]
    try:
        path = checkpoints.save(folder, make_tree(), 1)
    finally:
        saving.Syncing.add = add  # type: ignore[method-assign]
    connection = olympus.distributed.get_connection()  # type: ignore[attr-defined]
    answers = connection.exchange("written", json.dumps(written).encode())
    everything = [name for answer in answers for name in json.loads(answer)]
    assert len(set(everything)) == len(everything), "a file has two writers"
    there = {str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()}
    assert there == {*everything, "olympus.json"}
    check_tree(checkpoints.restore(folder, make_tree()), shardings())
    other = shardings()[1:] + shardings()[:1]
    check_tree(checkpoints.restore(folder, likes(other)), other)
    plain = checkpoints.restore(folder)
    assert not plain["arrays"][0].committed and plain["arrays"][0].is_fully_addressable
    np.testing.assert_array_equal(plain["arrays"][3], DATA + 3)


def check_replicas_are_shared_out(folder: Path) -> None:
    from olympus.checkpoints import chunks

    taken: list[int] = []
    write = saving.Writer.write
    before = chunks.chunk_shape.__defaults__
    chunks.chunk_shape.__defaults__ = (96,)

    def counting(self: Any, record: Any, found: Any) -> None:
        taken.extend([1] * len(found))
        write(self, record, found)

    saving.Writer.write = counting  # type: ignore[method-assign]
    try:
        checkpoints.save(folder, {"r": olympus.device_put(DATA, shardings()[2]), "n": np.arange(96)}, 2)
    finally:
        saving.Writer.write, chunks.chunk_shape.__defaults__ = write, before  # type: ignore[method-assign]
    counts = [int(np.ravel(c)[0]) for c in hosts.process_allgather(np.array(len(taken)))]
    assert sum(counts) == 16 + 8 and max(counts) - min(counts) <= 1, counts


def check_processes_that_save_something_else(folder: Path) -> None:
    index = olympus.process_index()
    d = np.array(olympus.devices())
    # Equal in words, and the parts lie in other processes' devices.
    small = NamedSharding(Mesh(d[[2 * index, (2 * index + 2) % 8]], ("x",)), P("x"))
    signature = Signature(ArrayType((4,), np.dtype("f4")), small, True)
    apart = from_parts(olympus.Array, signature, lambda _: np.zeros(2, "f4"))
    for what, words in (
        (lambda: checkpoints.save(folder, 1, 10 + index), "the step"),
        (lambda: checkpoints.save(folder, {"a": {"b": index}}, 10), "something else at ['a']['b']"),
        (lambda: checkpoints.save(folder, [0] * (1 + (index == 1)), 10), "another structure"),
        (lambda: checkpoints.save(folder, [apart], 10), "something else at [0]"),
        (lambda: checkpoints.save(folder, {"a": np.arange(3), "b": np.arange(3) + (index == 2)}, 10),
         "process 2 has another content of ['b']"),
    ):
        expect(CheckpointProcessError, words, what)
    expect(CheckpointExistsError, "Step 1", lambda: checkpoints.save(folder, 1, 1))
    expect(CheckpointProcessError, "the step", lambda: checkpoints.restore(folder, step=1 + index % 2))
    expect(CheckpointNotFoundError, "", lambda: checkpoints.restore(folder, step=99))
    expect(CheckpointMismatchError, "int 7", lambda: checkpoints.restore(folder, {**make_tree(), "epoch": "x"}, 1))


def check_one_process_that_fails(folder: Path) -> None:
    index = olympus.process_index()
    finish = saving.Writer.finish
    if index == 1:
        saving.Writer.finish = lambda self: (_ for _ in ()).throw(OSError(28, "No space"))  # type: ignore
    try:
        kind: type[Exception] = CheckpointWriteError if index == 1 else CheckpointProcessError
        expect(kind, "No space", lambda: checkpoints.save(folder, make_tree(), 20))
    finally:
        saving.Writer.finish = finish  # type: ignore[method-assign]
    kind = CheckpointMismatchError if index == 1 else CheckpointProcessError
    expect(kind, "['epoch']", lambda: checkpoints.restore(
        folder, {**likes(shardings()), "epoch": "x" if index == 1 else 0}, 1))
    check_tree(checkpoints.restore(folder, likes(shardings()), 1), shardings())


def check_folders_that_are_not_shared(folder: Path) -> None:
    own = folder / f"own-{olympus.process_index() == 2}"
    expect(CheckpointFolderError, "process 2 does not see", lambda: checkpoints.save(own, 1, 1))
    assert olympus.process_index() or not list(own.iterdir())  # who has written it removes it
    (folder / "other").mkdir(exist_ok=True)  # there, and another one: it is looked at for as long as the option says
    where = folder / ("other" if olympus.process_index() == 2 else "shared")
    expect(CheckpointFolderError, "OLYMPUS_CHECKPOINT_FOLDER_TIMEOUT (0.1 s)", lambda: checkpoints.save(where, 1, 1))
    mine = folder if olympus.process_index() != 2 else folder / "other"
    kind = CheckpointNotFoundError if olympus.process_index() == 2 else CheckpointProcessError
    expect(kind, "do the processes share the folder?", lambda: checkpoints.restore(mine, step=1))


def check_saving_while_computing(folder: Path) -> None:
    step = olympus.jit(lambda x: jnp.sum(x) * 0 + x + 1, donate_argnums=0)
    with checkpoints.Manager(folder / "manager", keep=2) as manager:
        x = olympus.device_put(np.zeros((16, 24), np.float32), shardings()[0])
        for i in range(1, 7):
            x = step(x)
            manager.save(i, {"x": x, "i": i})
    # Process 0 removes old ones, and the others do not wait for that.
    assert manager.steps()[-2:] == [5, 6] and (olympus.process_index() or len(manager.steps()) == 2)
    found = manager.restore({"x": x, "i": 0}, step=5)
    assert found["i"] == 5 and all(np.all(np.asarray(s.data) == 5) for s in found["x"].addressable_shards)


CHECKS = {name.removeprefix("check_"): check for name, check in list(globals().items())
          if name.startswith("check_") and name != "check_tree"}


def main(address: str, count: str, index: str, folder: str) -> None:
    olympus.distributed.initialize(address, int(count), int(index), initialization_timeout=60)
    for name, check in CHECKS.items():
        try:
            check(Path(folder))
            outcome = "ok"
        except Exception:  # noqa: BLE001
            outcome = traceback.format_exc()
        print(json.dumps([name, outcome]), flush=True)
        hosts.sync_global_devices(name)


if __name__ == "__main__":
    main(*sys.argv[1:])
