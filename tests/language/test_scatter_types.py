# SPDX-License-Identifier: Apache-2.0
"""What `multihost_utils.scatter` sends of shapes and element types, and what it does with what a stranger sends."""

from __future__ import annotations

import json
import pickle
from collections import OrderedDict
from pathlib import Path
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

import olympus
from olympus.experimental import multihost_utils
from olympus.trees.wire import ArrayFacts, decoded, encoded
from olympus_core.errors import ArgumentError, ReceivedError

F32 = ArrayFacts((2, 3), np.dtype("float32"))
TREES = [
    0, [], (), None, {}, [0, (0, {"a": 0, "b": [None]})], {3: 0, 1: (0,)}, {"a": {"b": {"c": 0}}},
]


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_structures_arrive_as_they_were(tree: object) -> None:
    leaves, structure = olympus.tree.flatten(tree)
    facts = tuple(ArrayFacts((i, 2), np.dtype(ml_dtypes.bfloat16)) for i in range(len(leaves)))
    found = decoded(encoded(structure, facts), 1, "a test")
    assert found.outline == structure
    assert found.leaves == facts


@pytest.mark.parametrize("tree", [OrderedDict(a=0), {(1, 2): 0}, {True: 0}, {1.5: 0}], ids=str)
def test_what_only_code_can_make_is_left_to_the_receiver(tree: object) -> None:
    found = decoded(encoded(olympus.tree.structure(tree), [F32]), 1, "a test")
    assert found.outline is None and found.leaves == (F32,)


def deep(levels: int) -> str:
    return '["list",[],[' * levels + '"*"' + "]]" * levels


def described(outline: str = '"*"', leaves: str = '[["float32",2]]', rest: str = "") -> bytes:
    return f'{{"outline":{outline},"digest":"","leaves":{leaves}{rest}}}'.encode()


@pytest.mark.parametrize("message", [
    b"", b"\x80\x04N.", b"\xff\xfe", b"null", b"[]", b"{}", b"[" * 100_000, b'{"outline":' * 50_000,
    described(rest=',"more":1'), described(deep(65)), described(deep(10_000)), described('"x"'), described("[1,2,3]"),
    described('["set",[],[]]'), described('["dict",["a","a"],["*","*"]]', '[["int8"],["int8"]]'),
    described('["dict",["a"],[]]', "[]"), described('["dict",[[1]],["*"]]'), described('["none",[],["*"]]'),
    described('["list",[1],["*"]]'), described('{"a":1}'), described(leaves='[["float33",2]]'),
    described(leaves='[["float32",-1]]'), described(leaves='[["float32",1.5]]'), described(leaves='[["float32",true]]'),
    described(leaves='[["float32",1e999]]'), described(leaves='[["float32",Infinity]]'),
    described(leaves=f'[["float32",{1 << 63}]]'), described(leaves='[["float32"' + ",1" * 65 + "]]"),
    described(leaves='[["float32",1],["float32",1]]'), described(leaves="[[]]"), described(leaves="[[[]]]"),
    described(leaves='"ab"'), json.dumps({"outline": "*", "digest": 1, "leaves": []}).encode(),
], ids=lambda m: m[:40].decode(errors="replace"))
def test_a_message_that_is_none(message: bytes) -> None:
    with pytest.raises(ReceivedError, match="process 7"):
        decoded(message, 7, "a test")


class Stranger:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_of_another_process_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = pickle.dumps(Stranger(tmp_path / "run"))
    connection = SimpleNamespace(exchange=lambda label, own, *rest: [own, evil])
    monkeypatch.setattr(multihost_utils, "get_world", lambda: SimpleNamespace(process_index=0, connection=connection))
    with pytest.raises(ReceivedError, match="process 1"):
        multihost_utils._broadcast_types(None, 1)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("source", [-1, 1, "0"])
def test_a_source_that_is_no_process(source: object) -> None:
    mesh = olympus.make_mesh((1,), ("x",), devices=olympus.devices()[:1])
    with pytest.raises(ArgumentError, match="must be a process of the job"):
        multihost_utils.scatter(np.arange(2), olympus.NamedSharding(mesh, olympus.P("x")), source=source)
