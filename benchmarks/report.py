"""The table: for every workload our median, and of every peer its median and the ratio of its to ours."""

from __future__ import annotations

from typing import Any

from benchmarks.definitions import PEERS, WORKLOADS
from benchmarks.machine import processor
from benchmarks.rounds import Options, Result

__all__ = ["table", "written"]

Results = dict[str, dict[str, Result]]


def quantity(value: float, is_memory: bool) -> str:
    """A time or a size with its unit, to three digits.

    >>> quantity(0.00123456, False), quantity(2**27, True)
    ('1.23 ms', '128 MB')
    """
    if is_memory:
        return f"{value / 2**20:.0f} MB"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
        if value * factor >= 1.0 or unit == "ns":
            break
    return f"{_digits(value * factor)} {unit}"


def _digits(value: float) -> str:
    """A number to three digits, without an exponent."""
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def cell(workload: str, peer: str, results: dict[str, Result]) -> str:
    """What stands in the table for one peer."""
    result, ours = results.get(peer, Result()), results.get("ours", Result()).found
    if result.found is None:
        return "" if result.note in ("", "not written") else result.note
    text = quantity(result.found, WORKLOADS[workload].measure == "memory")
    if peer == "ours" or not ours:
        return text
    aim = WORKLOADS[workload].aims.get(peer)
    ratio = result.found / ours
    return f"{text} **{_digits(ratio)}**" + ("" if aim is None else f" ({aim:g})")


def shown(results: Results) -> list[str]:
    """The peers that have a column: those that have run anything, and those that could have."""
    said = {
        peer for found in results.values() for peer, result in found.items() if result.note != "not on this machine"
    }
    return [peer for peer in PEERS if peer in said]


def table(results: Results) -> list[str]:
    """The lines of the table, in Markdown."""
    peers = shown(results)
    lines = ["| " + " | ".join(["workload", *peers]) + " |", "|---" * (len(peers) + 1) + "|"]
    for workload, found in results.items():
        lines.append("| " + " | ".join([workload, *[cell(workload, peer, found) for peer in peers]]) + " |")
    return lines


def machine(results: Results, options: Options) -> list[str]:
    """What it was measured with."""
    lines = [f"- {processor()}; {options.rounds} rounds of {options.seconds:g} s each"]
    for peer in shown(results):
        told: dict[str, Any] = next((found[peer].machine for found in results.values() if found[peer].machine), {})
        if told:
            lines.append(f"- {peer}: " + ", ".join(f"{name} {value}" for name, value in told.items()))
    return lines


def below(results: Results) -> list[str]:
    """The ratios that are below what is aimed for."""
    lines = []
    for workload, found in results.items():
        ours = found.get("ours", Result()).found
        for peer, aim in WORKLOADS[workload].aims.items():
            theirs = found.get(peer, Result()).found
            if ours and theirs and theirs / ours < aim:
                lines.append(f"- {workload} against {peer}: {_digits(theirs / ours)} of {aim:g}")
    return lines


def written(results: Results, options: Options) -> str:
    """The whole page."""
    definitions = [f"| {name} | {WORKLOADS[name].text} |" for name in results]
    return "\n".join(
        [
            "# Results",
            "",
            "Medians over the rounds. Bold is their time (or memory) divided by ours, above 1 where we are ahead; in",
            "parentheses what is aimed for. Written by `python -m benchmarks`, see [README.md](README.md).",
            "",
            *table(results),
            "",
            "## Measured with",
            "",
            *machine(results, options),
            "",
            "## Below the aim",
            "",
            *(below(results) or ["Nothing."]),
            "",
            "## Workloads",
            "",
            "| workload | what it is |",
            "|---|---|",
            *definitions,
            "",
        ]
    )
