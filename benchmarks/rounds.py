"""The rounds: a process for each peer, all of one workload alive at once, timed in turns."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.definitions import WORKLOADS
from benchmarks.shim import preload

SECONDS = 0.2
"""How long a round of one peer lasts; longer where one call takes longer."""

PAUSE = 0.05
"""Seconds before each round in which the threads of the peer before fall asleep."""

_ROOT = Path(__file__).parent.parent


class Options(NamedTuple):
    """How much is done."""

    rounds: int = 7
    seconds: float = SECONDS
    small: bool = False
    threads: int | None = None


class Result(NamedTuple):
    """What was found for one peer and workload."""

    found: float | None = None
    """Seconds, or bytes; none where there is nothing, or where it is wrong."""

    note: str = ""
    """Why there is nothing, or what is wrong."""

    numbers: tuple[list[float], ...] = ()
    """What the first and the third call gave."""

    machine: dict[str, Any] = {}  # noqa: RUF012  # nothing writes it
    """What the worker tells of itself."""


def measure(workload: str, peers: list[str], options: Options) -> dict[str, Result]:
    """One workload, by all peers."""
    kind = WORKLOADS[workload].measure
    if kind == "process":
        return _processes(workload, peers, options)
    if kind == "memory":
        return {peer: _memory(peer, workload, options) for peer in peers}
    return _calls(workload, peers, options)


def environment(peer: str, folder: str, threads: int | None = None) -> dict[str, str] | None:
    """The environment of a peer's process; none where it has no place on this machine."""
    unset = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PYTHONDONTWRITEBYTECODE")
    found = {name: value for name, value in os.environ.items() if name not in unset}
    found["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_ROOT), found.get("PYTHONPATH")]))
    if threads is not None:
        found |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(threads))
    if peer == "torch_mkl":
        library = preload(folder)
        if library is None:
            return None
        found["LD_PRELOAD"] = library
    return found


@contextmanager
def _started(workload: str, peers: list[str], options: Options) -> Iterator[dict[str, subprocess.Popen[str]]]:
    """The workers that there can be, by peer."""
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nothing:
        workers = {}
        for peer in peers:
            variables = environment(peer, folder, options.threads)
            if variables is not None:
                pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": nothing}
                command = _command(peer, workload, options)
                workers[peer] = subprocess.Popen(command, env=variables, text=True, **pipes)
        try:
            yield workers
        finally:
            for worker in workers.values():
                worker.kill()
                worker.communicate()


def _command(peer: str, workload: str, options: Options, *more: str) -> list[str]:
    small = ["--small"] if options.small else []
    return [sys.executable, "-m", "benchmarks.worker", peer, workload, *small, *more]


def _calls(workload: str, peers: list[str], options: Options) -> dict[str, Result]:
    results = {peer: Result(note="not on this machine") for peer in peers}
    times: dict[str, list[float]] = {}
    with _started(workload, peers, options) as workers:
        for peer, worker in workers.items():
            answer = _answer(worker)
            results[peer] = _checked(answer)
            if "third" in answer:
                times[peer] = []
        for _ in range(options.rounds):
            for peer, found in times.items():
                time.sleep(PAUSE)
                _ask(workers[peer], options.seconds)
                found.append(_answer(workers[peer]).get("seconds", float("nan")))
    for peer, found in times.items():
        results[peer] = results[peer]._replace(found=statistics.median(found))
    return agreed(workload, results)


def _checked(answer: dict[str, Any]) -> Result:
    if "third" not in answer:
        return Result(note=answer.get("missing", "failed"))
    return Result(numbers=(answer["first"], answer["third"]), machine=answer["machine"])


def _ask(worker: subprocess.Popen[str], seconds: float) -> None:
    assert worker.stdin is not None
    worker.stdin.write(f"{seconds}\n")
    worker.stdin.flush()


def _answer(worker: subprocess.Popen[str]) -> dict[str, Any]:
    """The next line of a worker that is one of JSON; nothing where it has ended."""
    assert worker.stdout is not None
    for line in worker.stdout:
        if line.startswith("{"):
            return json.loads(line)  # type: ignore[no-any-return]  # a worker prints dictionaries
    return {}


def agreed(workload: str, results: dict[str, Result]) -> dict[str, Result]:
    """The results, without those whose numbers are not those of the first peer within the tolerance."""
    reference = next((result.numbers for result in results.values() if result.numbers), ())
    tolerance = WORKLOADS[workload].tolerance
    return {
        peer: result
        if not result.numbers or _alike(result.numbers, reference, tolerance)
        else result._replace(found=None, note="disagrees")
        for peer, result in results.items()
    }


def _alike(numbers: tuple[list[float], ...], reference: tuple[list[float], ...], tolerance: float) -> bool:
    pairs = [pair for ours, theirs in zip(numbers, reference, strict=True) for pair in zip(ours, theirs, strict=True)]
    return all(abs(ours - theirs) <= tolerance * max(abs(ours), abs(theirs), 1e-3) for ours, theirs in pairs)


def _processes(workload: str, peers: list[str], options: Options) -> dict[str, Result]:
    """The time of whole processes. The first of each writes bytecode files and caches, and is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        variables = {peer: environment(peer, folder, options.threads) for peer in peers}
        results, times = {}, dict[str, list[float]]()
        for peer in peers:
            answer: dict[str, Any] = {"missing": "not on this machine"}
            if variables[peer] is not None:
                answer = _run(_command(peer, workload, options, "--once"), variables[peer])[0]
            results[peer] = Result(numbers=(answer["first"],)) if "first" in answer else _checked(answer)
            if "first" in answer:
                times[peer] = []
        for _ in range(options.rounds):
            for peer, found in times.items():
                found.append(_run(_command(peer, workload, options, "--once"), variables[peer])[1])
    for peer, found in times.items():
        results[peer] = results[peer]._replace(found=statistics.median(found))
    return agreed(workload, results)


def _memory(peer: str, workload: str, options: Options) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        variables = environment(peer, folder, options.threads)
        if variables is None:
            return Result(note="not on this machine")
        answer = _run(_command(peer, workload, options, "--memory"), variables)[0]
    return Result(answer["bytes"]) if "bytes" in answer else _checked(answer)


def _run(command: list[str], variables: Any) -> tuple[dict[str, Any], float]:
    """What a process said at last, and the seconds from its start to its end."""
    start = time.perf_counter()
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - start
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return (json.loads(lines[-1]) if lines and not done.returncode else {}), taken
