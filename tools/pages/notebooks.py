# SPDX-License-Identifier: Apache-2.0
"""python -m tools.pages.notebooks [NOTEBOOK ...]: runs notebooks, and writes what their cells show into them.

Cells run as in Jupyter, as far as these notebooks go: what they print, and the last expression's picture, HTML or text.
Neither Jupyter nor a kernel is needed, which would be forty distributions for the tests.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import linecache
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from .running import ROOT, PageError, plain_environment

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
_FORMS = (("_repr_svg_", "image/svg+xml"), ("_repr_html_", "text/html"))


def run_notebook(path: Path, folder: Path, timeout: float = 300.0) -> list[list[dict[str, Any]]]:
    """The outputs of a notebook's code cells, as the file format has them.

    Args:
        path: The notebook.
        folder: An empty folder in which it runs.
        timeout: Seconds that it may take.

    Raises:
        PageError: A cell failed.
    """
    environment = plain_environment()
    environment |= {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
                    "XDG_CACHE_HOME": str(folder / ".cache"), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "tools.pages.notebooks", "--cells", str(folder / ".cells.json"), str(path)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout)
    if done.returncode:
        raise PageError(f"{path.name}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
    found: list[list[dict[str, Any]]] = json.loads((folder / ".cells.json").read_text(encoding="utf-8"))
    return found


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """A notebook's cells of code.

    Args:
        notebook: What its file holds.
    """
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def printed(outputs: list[dict[str, Any]]) -> str:
    """What a cell's outputs say in text.

    Args:
        outputs: The outputs.
    """
    texts = [output["text"] if output["output_type"] == "stream" else output["data"].get("text/plain", [])
             for output in outputs]
    return "".join(line for text in texts for line in text)


def _run_cell(source: str, number: int, names: dict[str, Any]) -> list[dict[str, Any]]:
    name = f"cell {number}"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    tree, value = ast.parse(source, name), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as text:
        exec(compile(tree, name, "exec"), names)  # noqa: S102  (the notebook's own)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)  # noqa: S307  (as above)
    outputs: list[dict[str, Any]] = []
    if text.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": text.getvalue().splitlines(keepends=True)})
    if value is not None:
        shown = {kind: getattr(value, method)().splitlines(keepends=True) for method, kind in _FORMS
                 if hasattr(value, method)}
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {},
                        "data": shown or {"text/plain": repr(value).splitlines(keepends=True)}})
    return outputs


def _update(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        results = run_notebook(path.resolve(), Path(folder))
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), results, strict=True), 1):
        cell["outputs"], cell["execution_count"] = outputs, number
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages.notebooks", description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="their files; all without")
    parser.add_argument("--cells", type=Path, help="run one here, and write its outputs into this file")
    chosen = parser.parse_args()
    if chosen.cells is None:
        for path in chosen.notebooks or NOTEBOOKS:
            _update(path)
        return
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = code_cells(json.loads(chosen.notebooks[0].read_text(encoding="utf-8")))
    results = [_run_cell("".join(cell["source"]), number, names) for number, cell in enumerate(cells, 1)]
    chosen.cells.write_text(json.dumps(results), encoding="utf-8")


if __name__ == "__main__":
    main()
