"""``python -m tests.notebooks`` compares the stored outputs of the notebooks with those of a new run.

``--write`` stores the new ones. Beginnings of names choose notebooks: ``python -m tests.notebooks 03``.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.notebooks.running import differences, paths, read, run


def main() -> int:
    """Runs the notebooks; the number of those that differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.notebooks", description=__doc__)
    parser.add_argument("names", nargs="*", help="beginnings of names; all notebooks unless given")
    parser.add_argument("--write", action="store_true", help="store the new outputs")
    options = parser.parse_args()
    chosen = [path for path in paths() if not options.names or path.name.startswith(tuple(options.names))]
    differing = 0
    for path in chosen:
        start = time.perf_counter()
        stored = read(path)
        new = run(stored)
        found = differences(stored, new)
        differing += bool(found)
        print(f"{path.name}: {len(found)} cells differ, {time.perf_counter() - start:.0f} s")
        if options.write:
            import nbformat

            nbformat.write(new, path)
        else:
            print(*found, sep="\n\n")
    return 0 if options.write else differing


if __name__ == "__main__":
    sys.exit(main())
