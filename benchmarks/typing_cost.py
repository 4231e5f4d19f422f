"""How long mypy takes, from cold, over a network of 50 layers, beside the same file without our import.

Without the import the names of ``symbolic`` have the type Any, so the rest is the same: mypy reads NumPy's types, and
goes through as many lines. Each run starts with an empty cache.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_IMPORTS = """\
import symbolic as sy
from layertree.typing import Float32
from symbolic import placeholder, weight
from symbolic.initializers import normal, zeros
"""
_WITHOUT = """\
from typing import Any

sy: Any
Float32: Any
placeholder: Any
weight: Any
normal: Any
zeros: Any
"""
_START = """\
from typing import NewType

import numpy as np

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
Hid = NewType("Hid", int)
feat, hid = Feat(np.int64(64).item()), Hid(32)
"""


def source(layers: int, imports: str) -> str:
    """A file with a network whose layers go from features to a hidden width and back, in turn."""
    first = "x = placeholder(Float32[Batch, Feat])" if imports == _IMPORTS else "x: Any = placeholder(None)"
    lines = [imports, _START, first, "y0 = x"]
    for i in range(layers):
        width, units = ("feat", "hid") if i % 2 == 0 else ("hid", "feat")
        lines.append(f"y{i + 1} = sy.relu(y{i} @ weight(normal({width}, {units})) + weight(zeros({units})))")
    return "\n".join(lines) + "\n"


def seconds(text: str) -> float:
    """The time that mypy takes over a file, with a cache folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.py"
        path.write_text(text)
        command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={folder}/cache", str(path)]
        start = time.perf_counter()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        taken = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return taken


def main() -> None:
    """Print the two times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, default=50, help="how many layers the network has (default 50)")
    parser.add_argument("--runs", type=int, default=3, help="how many runs each; the best one counts (default 3)")
    arguments = parser.parse_args()
    texts = {"with": source(arguments.layers, _IMPORTS), "without": source(arguments.layers, _WITHOUT)}
    best = dict.fromkeys(texts, float("inf"))
    for _ in range(arguments.runs):
        for name, text in texts.items():
            best[name] = min(best[name], seconds(text))
    for name, taken in best.items():
        print(f"mypy {name:<7} the import {taken:6.2f} s")
    print(f"ratio {best['with'] / best['without']:.2f}")


if __name__ == "__main__":
    main()
