"""Microseconds that a scalar operation takes uncompiled: building it, going forward, going back.

A chain of 10 000 operations is written anew, run once (which orders it), run once more, and differentiated, beside
torch and autograd where they are installed, whose forward builds the chain, too. Each time is the median of some
repeats, in CPU time of the thread, so that what else runs on the machine counts less; the collector runs as always.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from importlib.util import find_spec
from time import thread_time
from typing import Any

from layertree import Input
from symbolic import placeholder, weight

OPERATIONS = 10_000

Step = Callable[[Any, Any, Any], Any]
"""One link: the next ``h`` from ``h`` and two weights."""

Laps = dict[str, float]


def _linear(h: Any, w: Any, b: Any) -> Any:
    return h * w + b


def _constants(h: Any, w: Any, b: Any) -> Any:
    return 0.0001 + h * 0.9999


CHAINS: dict[str, tuple[Step, int]] = {"h * w + b": (_linear, 2), "0.0001 + h * 0.9999": (_constants, 2)}
"""The step of each chain, and how many operations it has."""


def ours(step: Step, steps: int) -> Laps:
    """Build, run, run again, go back."""
    start = thread_time()
    h: Any = placeholder(float)
    w, b = weight(0.9999), weight(0.0001)
    for _ in range(steps):
        h = step(h, w, b)
    built = thread_time()
    x = Input(0.5)
    tape = h.forward(x)
    ran = thread_time()
    found = tape.gradients()[x]
    back = thread_time()
    again = h.forward(x)
    ended = thread_time()
    del found, again
    laps = {"build": built - start, "forward": ran - built, "backward": back - ran, "all": back - start}
    return laps | {"forward again": ended - back}


def torch_eager(step: Step, steps: int) -> Laps:
    """Its forward builds the graph."""
    import torch

    start = thread_time()
    x, w, b = [torch.tensor(number, requires_grad=True) for number in (0.5, 0.9999, 0.0001)]
    h: Any = x
    for _ in range(steps):
        h = step(h, w, b)
    ran = thread_time()
    torch.autograd.grad(h, (x, w, b), allow_unused=True)
    back = thread_time()
    return {"forward": ran - start, "backward": back - ran, "all": back - start}


def autograd(step: Step, steps: int) -> Laps:
    """All in one."""
    from autograd import value_and_grad

    def chain(x: float, w: float, b: float) -> Any:
        h = x
        for _ in range(steps):
            h = step(h, w, b)
        return h

    start = thread_time()
    value_and_grad(chain, (0, 1, 2))(0.5, 0.9999, 0.0001)
    return {"all": thread_time() - start}


PEERS: dict[str, Callable[[Step, int], Laps]] = {"layertree": ours, "torch": torch_eager, "autograd": autograd}
COLUMNS = ("build", "forward", "forward again", "backward", "all")


def medians(peer: Callable[[Step, int], Laps], step: Step, steps: int, repeats: int) -> Laps:
    """The median of each lap, after a run that does not count."""
    peer(step, steps)
    laps = [peer(step, steps) for _ in range(repeats)]
    return {name: statistics.median(lap[name] for lap in laps) for name in laps[0]}


def main() -> None:
    """Print a table for each chain."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15, help="of which the median counts (default 15)")
    parser.add_argument("--operations", type=int, default=OPERATIONS, help="in a chain (default 10 000)")
    arguments = parser.parse_args()
    present = {name: peer for name, peer in PEERS.items() if find_spec(name) is not None}
    steps = {text: arguments.operations // size for text, (_, size) in CHAINS.items()}
    # Peer by peer: what one has imported is there for the collector to walk over when the next one runs.
    found = {
        (text, name): medians(peer, step, steps[text], arguments.repeats)
        for name, peer in present.items()
        for text, (step, _) in CHAINS.items()
    }
    for text, (_, size) in CHAINS.items():
        print(f"{text + ', us an operation':<36}" + "".join(f"{column:>14}" for column in COLUMNS) + "   of ours")
        for name in present:
            laps = found[text, name]
            cells = [f"{1e6 * laps[one] / (steps[text] * size):14.2f}" if one in laps else " " * 14 for one in COLUMNS]
            print(f"{name:<36}{''.join(cells)}{laps['all'] / found[text, 'layertree']['all']:10.2f}")


if __name__ == "__main__":
    main()
