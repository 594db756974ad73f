# SPDX-License-Identifier: Apache-2.0
"""The job's secret: where it is from, who may read it, and what is told when it differs."""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from olympus_core.cluster.addresses import Address
from olympus_core.cluster.detect import Detection
from olympus_core.cluster.secret import Secrets
from olympus_core.cluster.secret_file import read_or_make, read_own, user_file
from olympus_core.errors import SecretError
from tests.cluster.programs import PRELUDE, run_job
from tests.support.patches import patched_here
from tests.support.processes import Processes, free_port

HERE, FAR = Address("localhost", 1), Address("10.0.0.1", 1)


def test_the_first_who_asks_makes_it(tmp_path: Path) -> None:
    path = str(tmp_path / "secret")
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(read_or_make(path))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(found) == 16 and len(set(found)) == 1 and len(found[0]) == 64
    assert os.listdir(tmp_path) == ["secret"]
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_the_umask_does_not_matter(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        read_or_make(str(tmp_path / "secret"))
        folder = os.path.dirname(user_file({"XDG_CONFIG_HOME": str(tmp_path / "new")}))
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(tmp_path / "new").st_mode) == 0o700
    assert stat.S_IMODE(os.stat(tmp_path / "secret").st_mode) == 0o600
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def test_where_files_cannot_be_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    patched_here(monkeypatch, os, "link", refuse)
    path = str(tmp_path / "secret")
    assert read_or_make(path) == read_or_make(path) and os.listdir(tmp_path) == ["secret"]


def _open_to_others(path: Path) -> None:
    path.chmod(0o640)


def _link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def _short(path: Path) -> None:
    path.write_text("123456")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [(_open_to_others, "mode is 640"), (_link, "a link"), (_short, "6 characters"), (_folder, "no file")],
)
def test_what_others_could_know_is_refused(tmp_path: Path, spoil: Callable[[Path], None], words: str) -> None:
    path = tmp_path / "secret"
    text = read_or_make(str(path))
    spoil(path)
    with pytest.raises(SecretError, match=words) as caught:
        read_own(str(path))
    assert isinstance(caught.value, PermissionError) and "chmod 600" in str(caught.value)
    assert text.decode() not in str(caught.value)


def test_another_user_s_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "secret")
    read_or_make(path)
    owner = os.geteuid()
    patched_here(monkeypatch, os, "geteuid", lambda: owner + 1)
    with pytest.raises(SecretError, match=f"belongs to user {owner}, this process to user {owner + 1}"):
        read_own(path)


def test_who_has_no_home_has_a_folder_beside_what_is_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    blocked = tmp_path / "file"
    blocked.touch()
    path = user_file({"XDG_CONFIG_HOME": str(blocked)})
    assert path == str(tmp_path / f"olympus-{os.geteuid()}" / "secret")
    os.chmod(os.path.dirname(path), 0o777)
    with pytest.raises(SecretError, match="there is no folder"):
        user_file({"XDG_CONFIG_HOME": str(blocked)})


def test_a_link_of_somebody_else_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / f"olympus-{os.geteuid()}").symlink_to(tmp_path / "mine")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert user_file({"XDG_CONFIG_HOME": "/dev/null"}).startswith(str(tmp_path))  # one's own may lead anywhere
    theirs = SimpleNamespace(st_uid=os.geteuid() + 1)
    patched_here(monkeypatch, os, "lstat", lambda path: theirs)
    with pytest.raises(SecretError, match="there is no folder"):
        user_file({"XDG_CONFIG_HOME": "/dev/null"})


def _secrets(environ: dict[str, str], tmp_path: Path, name: str | None = None, where: Address = FAR, **more: object):
    found = None if name is None else Detection(name)
    return Secrets({"XDG_CONFIG_HOME": str(tmp_path), **environ}, found, where, **more)


def test_where_it_is_from(tmp_path: Path) -> None:
    named = tmp_path / "named"
    named.write_text("n" * 40 + "\n")
    named.chmod(0o600)
    said = {"OLYMPUS_SECRET": "e" * 32}
    assert _secrets(said, tmp_path, path=str(named), from_mpi=b"m").of_member(b"").value == b"e" * 32
    assert _secrets({}, tmp_path, path=str(named), from_mpi=b"m").of_member(b"").value == b"n" * 40
    assert _secrets({}, tmp_path, from_mpi=b"m" * 32).of_coordinator().value == b"m" * 32
    own = _secrets({}, tmp_path).of_member(b"")
    assert own.source == str(tmp_path / "olympus" / "secret") and own == _secrets({}, tmp_path).of_coordinator()
    assert "e" * 32 not in repr(_secrets(said, tmp_path).of_member(b""))


def test_what_is_named_and_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(SecretError, match="it has 5 characters"):
        _secrets({"OLYMPUS_SECRET": "short"}, tmp_path)
    with pytest.raises(SecretError, match="there is no such file"):
        _secrets({}, tmp_path, path=str(tmp_path / "none"))


@pytest.mark.parametrize("name", ["kubernetes", "tpu"])
def test_pods_without_a_secret_go_on_and_are_warned_once(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("olympus_core.cluster.secret._log.warning", lambda text, *values: said.append(text % values))
    first, second = (_secrets({}, tmp_path / str(i), name) for i in range(2))
    assert first.of_coordinator().value == second.of_member(b"").value
    assert len(said) == 1 and "not authenticated" in said[0] and "OLYMPUS_SECRET_FILE" in said[0]
    # On one machine, and with a mounted Secret, they are like others.
    assert _secrets({}, tmp_path / "0", name, HERE).of_member(b"").source.startswith(str(tmp_path))
    assert _secrets({"OLYMPUS_SECRET": "e" * 32}, tmp_path, name).of_coordinator().value == b"e" * 32
    assert len(said) == 1


# A credential is as secret as a file of mode 600 in this stand-in, which keeps the format of the two commands.
_MUNGE = """#!{python}
import os, sys
arguments = sys.argv[1:]
assert f"--restrict-uid={{os.geteuid()}}" in arguments, arguments
print("MUNGE:" + sys.stdin.read()[::-1] + ":")
"""
_UNMUNGE = """#!{python}
import os, sys
text = sys.stdin.read().strip()[6:-1][::-1]
print("STATUS:           Replayed credential (17)")
print("ENCODE_HOST:      a (10.0.0.1)")
print(f"UID:              somebody ({{os.environ.get('MUNGE_TEST_UID', os.geteuid())}})")
print("GID:              somebody (7)")
print(f"LENGTH:           {{len(text)}}")
print()
sys.stdout.write(text)
sys.exit(17)
"""


def test_slurm_s_own_authentication(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("munge", _MUNGE), ("unmunge", _UNMUNGE)):
        (tmp_path / name).write_text(text.format(python=sys.executable))
        (tmp_path / name).chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    coordinator = _secrets({}, tmp_path / "0", "slurm").of_coordinator()
    assert len(coordinator.value) == 32 and coordinator.sealed.startswith(b"MUNGE:")
    assert _secrets({}, tmp_path / "1", "slurm").of_member(coordinator.sealed).value == coordinator.value
    monkeypatch.setenv("MUNGE_TEST_UID", "4711")
    with pytest.raises(SecretError, match="user 4711 sealed it"):
        _secrets({}, tmp_path / "1", "slurm").of_member(coordinator.sealed)
    # A machine without it says so; a job without it uses the file.
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(SecretError, match="this machine does not have it"):
        _secrets({}, tmp_path / "1", "slurm").of_member(coordinator.sealed)
    assert _secrets({}, tmp_path / "2", "slurm").of_coordinator().source.endswith("/olympus/secret")


@pytest.mark.slow
@pytest.mark.processes
def test_processes_that_start_at_once_agree(tmp_path: Path) -> None:
    env = {"XDG_CONFIG_HOME": str(tmp_path / "not yet there")}
    for end in run_job("print(join().exchange('here', b'x'))", count=4, env=env):
        assert end.returncode == 0, end.stderr


@pytest.mark.slow
@pytest.mark.processes
def test_different_secrets_are_told_with_where_they_are_from(tmp_path: Path) -> None:
    program = "expect(errors.ClusterError, join, 2.5)\nos._exit(0)"
    port = free_port()
    with Processes(20.0) as processes:
        for index in range(2):
            env = {"XDG_CONFIG_HOME": str(tmp_path / str(index))}
            processes.start(PRELUDE + program, index, 2, port, env=env)
        finished = processes.wait()
    assert "AuthenticationError after 2." in finished[1].stdout
    assert str(tmp_path / "1" / "olympus" / "secret") in finished[1].stdout
    assert "OLYMPUS_SECRET_FILE" in finished[1].stdout
    assert "does not know the job's secret" in finished[0].stdout
    for end, secret in zip(finished, tmp_path.glob("*/olympus/secret"), strict=True):
        assert secret.read_text().strip() not in end.stdout + end.stderr


@pytest.mark.processes
def test_no_listing_shows_the_secret() -> None:
    with Processes() as processes:
        processes.start([sys.executable, "-m", "olympus", "doctor"], env={"OLYMPUS_SECRET": "do-not-show-" * 4})
        (end,) = processes.wait()
    assert "do-not-show" not in end.stdout + end.stderr and "olympus_secret_file" in end.stdout
