"""Running a notebook, and comparing two runs of it."""

from __future__ import annotations

import base64
import json
import re
import struct
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
SECONDS = 180
"""The longest time of one cell, on a busy machine."""

_TIME = re.compile(r"\b\d+(?:[.,]\d+)*(?:e[-+]?\d+)? ?(?:ns|us|µs|ms|s|min)\b|\b\d+ %")
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_CELL = re.compile(r"[^\s\"'<>&;]*ipykernel_\d+/\d+\.py")
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+(?=e[-+]?\d))(?:e[-+]?\d+)?")
_DIGITS = 3
_PICTURE = re.compile(r"data:image/svg\+xml;base64,([\w+/=]+)")
_ANSWER = re.compile(r"<details><summary>Answer</summary>\n\n(.*?)</details>", re.DOTALL)
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ELEMENT = re.compile(r"<([a-zA-Z][\w:-]*)")


def paths() -> list[Path]:
    """The notebooks in the order of the course."""
    return sorted(FOLDER.glob("[0-9]*.ipynb"))


def read(path: Path) -> Any:
    """A notebook as it is stored."""
    import nbformat

    return nbformat.read(path, as_version=4)


class Cell(NamedTuple):
    """A stored cell; ``count`` is the number of its run, None for text."""

    kind: str
    source: str
    tags: list[str]
    count: int | None
    outputs: list[dict[str, Any]]


def stored_cells(path: Path) -> list[Cell]:
    """The cells of a notebook, without Jupyter's packages."""
    found = []
    for cell in json.loads(path.read_text())["cells"]:
        source, tags = cell["source"], cell["metadata"].get("tags", [])
        text = source if isinstance(source, str) else "".join(source)
        found.append(Cell(cell["cell_type"], text, tags, cell.get("execution_count"), cell.get("outputs", [])))
    return found


def answers(path: Path) -> list[list[str]]:
    """For each answer that folds, its blocks of Python."""
    text = "\n\n".join(cell.source for cell in stored_cells(path) if cell.kind == "markdown")
    return [_BLOCK.findall(answer) for answer in _ANSWER.findall(text)]


def run(notebook: Any, afterwards: Sequence[str] = ()) -> Any:
    """The notebook with the outputs of a new run; ``afterwards`` is code that runs after the last cell.

    Raises CellExecutionError where a cell or that code raises unexpectedly.
    """
    from copy import deepcopy

    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell

    ran = deepcopy(notebook)
    ran.cells += [new_code_cell(code) for code in afterwards]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the client; in the kernel they are shown, as in each notebook
        client = NotebookClient(
            ran, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
        )
        client.execute()
    del ran.cells[len(notebook.cells) :]
    for cell in ran.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = _merged([_without_folders(output) for output in cell.outputs])
    ran.metadata = {"kernelspec": notebook.metadata.kernelspec, "language_info": {"name": "python"}}
    return ran


def _without_folders(output: Any) -> Any:
    """The output without the temporary folder in which the kernel keeps the source of a cell."""
    for texts in (output, output.get("data", {})):
        for kind, content in texts.items():
            if isinstance(content, str) and kind != "image/png":
                texts[kind] = _CELL.sub("cell", content)
    return output


def _merged(outputs: list[Any]) -> list[Any]:
    """Outputs with neighbouring pieces of one stream joined: how a kernel cuts them is chance."""
    found: list[Any] = []
    for output in outputs:
        if found and output.output_type == "stream" and found[-1].get("name") == output.name:
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def differences(stored: Any, new: Any) -> list[str]:
    """The cells whose outputs differ, each with both, as far as a reader would see it."""
    found: list[str] = []
    for number, (old_cell, new_cell) in enumerate(zip(stored.cells, new.cells, strict=True), 1):
        if old_cell.cell_type == "code":
            text = _reading(old_cell.metadata.get("tags", []))
            old, fresh = [[_parts(output, text) for output in cell.outputs] for cell in (old_cell, new_cell)]
            if old != fresh:
                found.append(f"cell {number}\n{old_cell.source}\n-- stored\n{old}\n-- new\n{fresh}")
    return found


def _reading(tags: list[str]) -> Callable[[str], str]:
    """What is compared of a text: in a cell with the tag ``varies`` no numbers, with ``written`` that there is one."""
    if "written" in tags:
        return lambda text: "WRITTEN" if text else ""
    return _without_numbers if "varies" in tags else normalised


def _parts(output: Any, text: Callable[[str], str]) -> Any:
    if output.output_type == "stream":
        return output.name, text(output.text)
    if output.output_type == "error":
        return output.ename, text(output.evalue)
    return {kind: _comparable(kind, content, text) for kind, content in output.data.items()}


def _comparable(kind: str, content: str, text: Callable[[str], str]) -> Any:
    if kind == "image/png":
        return _roughly(_size_of_png(content))
    if kind in ("image/svg+xml", "text/html"):
        return structure(content)
    return text(content)


def _without_numbers(content: str) -> str:
    """The words alone: another processor rounds otherwise, which training enlarges, and has another cache."""
    words = re.sub(r"\d[\d.,e+-]*", "NUMBER", _TIME.sub("NUMBER", content)).split()
    return " ".join(words)


def _size_of_png(content: str) -> tuple[int, int]:
    width, height = struct.unpack(">II", base64.b64decode(content)[16:24])
    return width, height


def _roughly(size: tuple[int, int]) -> tuple[int, int]:
    """Sizes of figures differ by some pixels between versions of matplotlib and of fonts."""
    return round(size[0] / 50), round(size[1] / 50)


def structure(markup: str) -> list[str]:
    """The names of the elements of a drawing, in order, with those of the pictures inside of images.

    >>> structure('<p><img src="data:image/svg+xml;base64,PHN2Zy8+"/></p>')
    ['p', 'img', 'svg']
    """
    opened = _PICTURE.sub(lambda found: base64.b64decode(found[1]).decode(), markup)
    return _ELEMENT.findall(opened)


def normalised(text: str) -> str:
    """Text without what differs from run to run: times, addresses, folders, last digits.

    >>> normalised("1.23456789 in 12.5 ms at 0x7f0012345678")
    '1.23 in TIME at ADDRESS'
    """
    text = _ADDRESS.sub("ADDRESS", _TIME.sub("TIME", text))
    return _NUMBER.sub(lambda match: _shortened(match.group()), text).rstrip()


def _shortened(number: str) -> str:
    value = float(number)
    return f"{0.0 if abs(value) < 1e-12 else value:.{_DIGITS}g}"
