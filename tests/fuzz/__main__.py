"""The command: random programs for some minutes; each that differs is minimised and printed. Exit code 1 for any."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from tests.fuzz.generator import generate
from tests.fuzz.minimise import minimised
from tests.fuzz.modes import MODES
from tests.fuzz.search import all_differences, first_difference
from tests.fuzz.snippet import snippet


class Result(NamedTuple):
    """What one process found: how many programs it ran, and the snippets of differences."""

    programs: int
    found: list[str]


def run(seeds: range, names: Sequence[str], until: float) -> Result:
    """Programs of some seeds through some modes, until a time."""
    found: list[str] = []
    known: Counter[tuple[str, str]] = Counter()
    count = 0
    for seed in seeds:
        if time.time() > until:
            break
        count += 1
        for text in _differences(seed, names, known):
            found.append(text)
            print(text, flush=True)
    return Result(count, found)


def _differences(seed: int, names: Sequence[str], known: Counter[tuple[str, str]]) -> list[str]:
    """The snippets of the program of a seed; of differences that look alike only the first ones are minimised."""
    try:
        program = generate(seed)
    except Exception as error:
        return [f"# seed {seed}: the generator raises {type(error).__name__}: {error}"]
    texts: list[str] = []
    for name, difference in all_differences(program, names):
        known[name, difference.aspect] += 1
        title = f"# seed {seed}, mode {name}: {difference.aspect}"
        if known[name, difference.aspect] > 5:
            texts.append(f"{title}, {difference.what}")
            continue
        small = minimised(program, MODES[name])
        texts.append(f"{title}\n{snippet(small, first_difference(small, MODES[name]) or difference)}")
    return texts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Random programs in every reading.")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to run (default: 10)")
    parser.add_argument("--programs", type=int, default=10**9, help="how many programs at most")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first program (default: 0)")
    parser.add_argument("--modes", nargs="+", choices=sorted(MODES), default=list(MODES), help="default: all")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    options = parser.parse_args(arguments)
    started = time.time()
    until, end = started + 60 * options.minutes, options.seed + options.programs
    seeds = [range(options.seed + job, end, options.jobs) for job in range(options.jobs)]
    if options.jobs == 1:
        results = [run(seeds[0], options.modes, until)]
    else:
        with ProcessPoolExecutor(options.jobs) as pool:
            results = [one.result() for one in [pool.submit(run, part, options.modes, until) for part in seeds]]
    programs, found = sum(one.programs for one in results), sum(len(one.found) for one in results)
    print(f"{programs} programs through {', '.join(options.modes)} in {(time.time() - started) / 60:.1f} min: ", end="")
    print(f"{found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
