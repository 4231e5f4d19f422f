"""``python -m benchmarks``: run the workloads, print the table, write ``results.md``."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.definitions import PEERS, WORKLOADS
from benchmarks.machine import keep_to_cores
from benchmarks.report import table, written
from benchmarks.rounds import Options, measure

_PAGE = Path(__file__).parent / "results.md"


def main() -> None:
    """Parse, measure, print."""
    arguments = _parser().parse_args()
    options = Options(2, 0.05) if arguments.quick else Options(arguments.rounds)
    if arguments.threads is not None:
        options = options._replace(threads=arguments.threads)
        keep_to_cores(arguments.threads)
    results = {}
    for workload in arguments.only or WORKLOADS:
        results[workload] = measure(workload, arguments.peers, options)
        print("\n".join(table(results) if len(results) == 1 else table({workload: results[workload]})[2:]), flush=True)
    page = arguments.output
    page.write_text(written(results, options))
    print(f"written to {page}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=WORKLOADS, metavar="WORKLOAD", help="these, instead of all")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS), metavar="PEER", help="these columns")
    parser.add_argument("--rounds", type=int, default=Options().rounds, help="how many rounds (default %(default)s)")
    parser.add_argument("--threads", type=int, metavar="N", help="on N cores, with N threads (default: all)")
    parser.add_argument("--quick", action="store_true", help="two short rounds, to see that all runs")
    parser.add_argument("--output", type=Path, default=_PAGE, help="the page to write (default %(default)s)")
    return parser


if __name__ == "__main__":
    main()
