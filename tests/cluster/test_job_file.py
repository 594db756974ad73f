# SPDX-License-Identifier: Apache-2.0
"""The files by which `olympus status` finds this user's jobs."""

from __future__ import annotations

import json
import os
from pathlib import Path

from olympus_core.cluster import job_file


def test_a_job_is_found_until_its_process_has_ended(tmp_path: Path) -> None:
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    assert job_file.find(environ) == []
    path = job_file.write(environ, "job", "host:10", b"\xffsecret", 4)
    assert path is not None and os.stat(path).st_mode & 0o777 == 0o600
    assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700
    (found,) = job_file.find(environ)
    assert (found.address, found.secret, found.processes, found.pid) == ("host:10", b"\xffsecret", 4, os.getpid())
    job_file.remove(path)
    assert job_file.find(environ) == []
    job_file.remove(path)  # it is gone already
    job_file.remove(None)


def test_what_a_killed_process_has_left_is_taken_away(tmp_path: Path) -> None:
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    path = job_file.write(environ, "job", "host:10", b"secret", 4)
    assert path is not None
    facts = json.loads(Path(path).read_text())
    Path(path).write_text(json.dumps({**facts, "start": facts["start"] + 1}))  # another process has its number now
    assert job_file.find(environ) == [] and not os.path.exists(path)


def test_files_that_others_may_write_or_that_are_none_are_passed_by(tmp_path: Path) -> None:
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    path = job_file.write(environ, "job", "host:10", b"secret", 4)
    assert path is not None
    folder = Path(path).parent
    (folder / "link.json").symlink_to(path)
    (folder / "text.json").write_text("x")
    assert len(job_file.find(environ)) == 1
    os.chmod(path, 0o644)
    assert job_file.find(environ) == []
    os.chmod(folder, 0o777)
    assert job_file.write(environ, "job2", "host:10", b"secret", 4) is None and job_file.find(environ) == []
