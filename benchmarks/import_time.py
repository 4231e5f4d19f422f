"""How long ``import symbolic`` takes beside ``import numpy``: the best of several fresh processes each.

Each process times its own import, so the interpreter's start does not count. The first process of each writes the
bytecode files, as an installation does, and is not counted either.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

_TIMED = "import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"


def seconds(module: str) -> float:
    """The time that importing a module takes in a fresh process."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", _TIMED.format(module=module)]
    return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def measure(processes: int) -> dict[str, float]:
    """The best time of each module. The two take turns, so that a busy moment strikes both."""
    best = {"numpy": float("inf"), "symbolic": float("inf")}
    for module in best:
        seconds(module)
    for _ in range(processes):
        for module in best:
            best[module] = min(best[module], seconds(module))
    return best


def main() -> None:
    """Print the two times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=15, help="how many fresh processes each (default 15)")
    best = measure(parser.parse_args().processes)
    for module, time in best.items():
        print(f"import {module:<9} {1000 * time:6.1f} ms")
    print(f"ratio {best['symbolic'] / best['numpy']:.2f}")


if __name__ == "__main__":
    main()
