# SPDX-License-Identifier: Apache-2.0
"""Runs programs of the documents one after the other, as cells of one notebook; started in every process of a job.

Command line: a folder, and this process's index where the launcher does not tell it. The folder holds ``job.json``;
each process writes what its programs printed to ``<index>.jsonl`` there, one line for each program.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any


def main(folder: Path, index: int) -> None:
    job = json.loads((folder / "job.json").read_text())
    words = {"{i}": str(index), "{n}": str(job["processes"]), "{address}": job["address"]}
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with (folder / f"{index}.jsonl").open("w") as results:
        for step in job["steps"]:
            path = Path(step["path"])
            sys.argv = [path.name, *(words.get(word, word) for word in step["arguments"])]
            # The port that the documents print may be in use here, by another run of these tests for one.
            source = path.read_text().replace("'localhost:10000'", repr(job["address"]))
            started = time.perf_counter()
            output, raised = run(source, path, namespace, step["notebook"])
            # Errors name the line of the program; where the checkout lies is not a matter of the documents.
            output = output.replace(f"{path.parent}{os.sep}", "")
            refuted = ""
            if step["check"]:
                check = Path(step["check"])
                # The program's own names are what a check looks at; the next program does not see the check's.
                _, refuted = run(check.read_text(), check, dict(namespace), False)
            seconds = time.perf_counter() - started
            line = {"name": step["name"], "output": output, "raised": raised, "refuted": refuted, "seconds": seconds}
            results.write(json.dumps(line) + "\n")
            results.flush()


def run(source: str, path: Path, namespace: dict[str, Any], notebook: bool) -> tuple[str, str]:
    """What a program printed, with an error's last words as Python shows them, and the whole traceback.

    Args:
        source: The program.
        path: Its file, which error messages name.
        namespace: Where it runs.
        notebook: Whether the value of a last expression is shown, as notebooks do.
    """
    tree = ast.parse(source, str(path))
    last = tree.body.pop() if notebook and tree.body and isinstance(tree.body[-1], ast.Expr) else None
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(tree, str(path), "exec"), namespace)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), str(path), "eval"), namespace)
                if value is not None:
                    print(repr(value))
    except Exception as error:  # noqa: BLE001  (an error is a result, too)
        builtin = next(c for c in type(error).__mro__ if c.__module__ == "builtins")
        return f"{output.getvalue()}{builtin.__name__}: {error}\n", traceback.format_exc()
    return output.getvalue(), ""


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else int(os.environ["PMI_RANK"]))
