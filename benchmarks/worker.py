"""One process of the benchmark: ``python -m benchmarks.worker PEER WORKLOAD [--small] [--once | --memory]``.

It builds the workload, calls it three times, and prints one line of JSON with the numbers of the first and the third
call. Then, for every line of its input, which gives the seconds to fill, it times a round and prints the time of one.
``--once`` stops after the first call. ``--memory`` makes 20 calls and prints the peak of memory.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.definitions import WORKLOADS, function_name

_MODULES = {"torch_compile": "torch", "torch_mkl": "torch"}
STEPS_OF_MEMORY = 20


def case_of(peer: str, workload: str, small: bool = False) -> Any:
    """The case of a peer, or a word on why there is none."""
    module = _MODULES.get(peer, peer)
    if peer != "ours" and find_spec(module) is None:
        return "not installed"
    definition = WORKLOADS[workload]
    functions = import_module(f"benchmarks.peers.{module}").workloads(compiled=peer == "torch_compile")
    function = functions.get(function_name(workload, functions))
    return function(definition.problem(small=small)) if function else "not written"


def main(arguments: list[str]) -> None:
    """Serve one peer and workload."""
    peer, workload, *options = arguments
    case = case_of(peer, workload, "--small" in options)
    if isinstance(case, str):
        _say({"missing": case})
        return
    if "--memory" in options:
        for _ in range(STEPS_OF_MEMORY):
            case.call()
        _say({"bytes": peak_bytes()})
        return
    first = case.numbers(case.call())
    if "--once" in options:
        _say({"first": first})
        return
    case.call()
    third = case.numbers(case.call())
    _say({"first": first, "third": third, "machine": _machine(peer)})
    _serve(case, WORKLOADS[workload].measure == "once")


def _serve(case: Any, one_call: bool) -> None:
    from benchmarks.timing import batch_size, seconds_a_call

    number = 1 if one_call else 0
    for line in sys.stdin:
        number = number or batch_size(case.call)
        _say({"seconds": seconds_a_call(case.call, number, 0.0 if one_call else float(line))})


def _machine(peer: str) -> dict[str, Any]:
    from benchmarks.machine import described

    return described(peer)


def peak_bytes() -> int:
    """The most memory that this process had resident. (On Linux getrusage would count what its parent had, too.)"""
    try:
        with open("/proc/self/status") as status:
            return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except FileNotFoundError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else 1024 * most


def _say(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
