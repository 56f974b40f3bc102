"""The examples run, the notebooks execute without an error, and all of it is typed."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SCRIPTS = sorted((EXAMPLES / "python").glob("*.py"))
NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))


def test_there_are_some():
    assert len(SCRIPTS) >= 3 and len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_run(script):
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_execute(notebook):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    book = nbformat.read(notebook, as_version=4)
    assert all(not cell.get("outputs") for cell in book.cells), "notebooks are kept without outputs"
    client = nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(notebook.parent)}})
    client.execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    assert outputs and not [one for one in outputs if one.output_type == "error"]
    assert not [one for one in outputs if one.output_type == "stream" and one.name == "stderr" and "Traceback" in one.text]


@pytest.mark.parametrize("what", [[*map(str, SCRIPTS)], ["-p", "merkhet"]], ids=["examples", "package"])
def test_everything_is_typed(what, tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", *what]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
