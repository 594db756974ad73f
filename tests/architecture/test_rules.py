# SPDX-License-Identifier: Apache-2.0
"""Rules of the house that a syntax tree shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .source import PACKAGES, all_files, files, name_of, nodes, tree

# Where the environment is read, and why.
ENVIRONMENT = {
    "olympus_core/config.py": "the table of options",
    "olympus_core/cluster/": "launchers speak through it",
    "olympus/as_jax/__main__.py": "makes the environment of the processes that the program starts",
    "olympus/as_jax/startup/": "runs before olympus is imported, and asks whether it should be",
    "olympus/cli/launch_agent.py": "makes the environment of the processes it starts",
    "olympus/cli/launch_remote.py": "makes the environment of the processes it starts",
    "olympus/cli/launch_start.py": "makes the environment of the processes it starts",
    "plugins/pjrt/platform.py": "a probe has no settings, and has to know which library is named",
    "plugins/cpu/machine/choice.py": "the instructions that code is for are chosen before a client has settings",
    "plugins/cpu/native/lapack.py": "OpenBLAS reads there, when it is loaded, which processor's code it is to run",
    "plugins/cuda/nvidia.py": "names other builds of NVIDIA's libraries",
    "plugins/tpu/environment.py": "libtpu is configured through it",
    "olympus_core/toolkit/mpich.py": "what MPI is told at its start goes through it",
    "olympus_core/toolkit/mpi_runtime.py": "which launcher of MPI is here decides about its library",
    "plugins/cpu/transports/mpi/": "MPI's own process manager speaks through it",
    "conformance/harness/processes.py": "makes the environment of the processes it starts",
    "conformance/harness/worker.py": "what the process was started with",
}

PRINTING = ("olympus/cli/", "olympus/debug.py")

# The outside world's words for a process and a machine, and the names in the core that may hold one.
FOREIGN = {"rank", "ranks", "host", "hosts", "worker", "workers", "node", "nodes"}
OUTSIDE = ("olympus_core/cluster/detect/", "olympus_core/cluster/mpi_address.py")
# Values in host memory and code that runs on the host processor, which are other things than a machine.
HOST_MEMORY = re.compile(
    r"(buffer_)?from_host|(copy_)?to_host(_async)?|(put|broadcast|scatter)_host|gather_hosts|_?host_(part|callback)"
    r"|transfer_guard_(host_to_device|device_to_host)|_?Host(Function|Stage|CodeWriter|Buffer|Table)|is_on_host|of_host"
    r"|(table)?_on_host"
)
ALLOWED = {
    "host": "the part of an address before the port; the name for host memory",
    "hosts": "the contract's identities of machines, which decide about shared memory",
    "node": "what the platform module calls a machine's name, and the field of a network address",
}
ARRAY_RANK = re.compile(r"[A-Z]\w*RankError")


def within(path: Path, places: object) -> bool:
    """Whether a file is one of the places, or in one that ends in a slash."""
    return any(name_of(path) == p or (p.endswith("/") and name_of(path).startswith(p)) for p in places)


def test_environment_is_read_in_few_places() -> None:
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in all_files()
        if not within(path, ENVIRONMENT)
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv", "putenv")
        and isinstance(node.value, ast.Name) and node.value.id == "os"
    ]
    assert not wrong


# Formats that run what they read, and modules that use them. The conformance harness takes connections of the last for
# their challenge, and sends bytes on them.
RUNNING = {"pickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "dbm", "multiprocessing"}
# What mpi4py pickles: its methods with a small letter.
PICKLING = {"send", "recv", "isend", "irecv", "bsend", "ssend", "sendrecv", "bcast", "gather", "scatter", "allgather",
            "alltoall", "reduce", "allreduce", "scan", "exscan"}


def test_nothing_received_is_run() -> None:
    wrong = []
    for path in all_files():
        imported = [
            name
            for node in nodes(path) if isinstance(node, (ast.Import, ast.ImportFrom))
            for name in ([a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        ]
        harness = name_of(path).startswith("conformance/harness/")
        wrong += [f"{name_of(path)}: {name}" for name in imported if name.partition(".")[0] in RUNNING
                  and not (harness and name in ("multiprocessing", "multiprocessing.connection"))]
        is_mpi = name_of(path).startswith("plugins/cpu/transports/mpi/")
        pickling = {"send", "recv"} if harness else PICKLING if is_mpi else set()
        wrong += [
            f"{name_of(path)}:{node.lineno}: {node.func.attr}" for node in nodes(path)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in pickling
        ]
    assert not wrong


def test_only_the_command_line_prints() -> None:
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in all_files()
        if not within(path, PRINTING)
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "breakpoint")
    ]
    assert not wrong


def test_annotations_are_text() -> None:
    wrong = [
        name_of(path)
        for path in all_files()
        if any(isinstance(node, (ast.FunctionDef, ast.ClassDef)) for node in tree(path).body)
        and "from __future__ import annotations" not in path.read_text()
    ]
    assert not wrong


def test_every_file_says_what_it_is() -> None:
    assert not [name_of(path) for path in all_files() if tree(path).body and not ast.get_docstring(tree(path))]


def identifiers(path: Path) -> Iterator[tuple[str, int]]:
    """Names that a file defines or uses."""
    for node in nodes(path):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Name):
            yield node.id, line
        elif isinstance(node, ast.Attribute):
            yield node.attr, line
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, line
        elif isinstance(node, (ast.arg, ast.keyword)) and node.arg:
            yield node.arg, line


def test_one_word_for_one_thing() -> None:
    wrong = []
    for path in files("olympus_core"):
        if within(path, OUTSIDE):
            continue
        for name, line in identifiers(path):
            words = {word.lower() for word in re.findall(r"[a-z]+|[A-Z][a-z]*", name)}
            fine = name in ALLOWED or HOST_MEMORY.fullmatch(name) or ARRAY_RANK.fullmatch(name)
            if words & FOREIGN and not fine:
                wrong.append(f"{name_of(path)}:{line} {name}")
    assert not wrong


def test_raise_sites_hold_no_built_in_errors() -> None:
    """Every error a user can meet is a class of olympus; the core raises no bare ValueError and the like."""
    bare = {"ValueError", "TypeError", "RuntimeError", "Exception", "AssertionError"}
    # Reading a value, or a stranger's message, raises them for its caller in the same file, who words them.
    private = {"olympus_core/config.py", "olympus_core/option_kinds.py", "olympus_core/cluster/coordinator.py"}
    wrong = []
    for path in files("olympus_core"):
        for node in nodes(path):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and name_of(path) not in private:
                name = node.exc.func.id if isinstance(node.exc.func, ast.Name) else ""
                if name in bare:
                    wrong.append(f"{name_of(path)}:{node.lineno} raises {name}")
    assert not wrong


def test_no_wait_without_a_deadline() -> None:
    """`thread.join()`, `event.wait()` and `lock.acquire()` without arguments may wait for ever."""
    # The thread that serves the transport sleeps while nothing is under way.
    idle = {"plugins/cpu/transports/mpi/engine.py"}
    wrong = [
        f"{name_of(path)}:{node.lineno} .{node.func.attr}()"
        for package in PACKAGES
        for path in files(package)
        if name_of(path) not in idle
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("join", "wait", "acquire") and not node.args and not node.keywords
    ]
    assert not wrong
