"""The machine and what runs on it: processor, threads, versions, and the kernels that NumPy's OpenBLAS has chosen."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = {
    "ours": ("numpy",),
    "torch": ("torch",),
    "torch_compile": ("torch",),
    "torch_mkl": ("torch",),
    "jax": ("jax", "jaxlib"),
}
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "", "64", "_")


def processor() -> str:
    """The name of the processor and the number of cores that this process may use."""
    return f"{_field('model name') or platform.processor() or platform.machine()}, {cores()} cores"


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def keep_to_cores(number: int) -> None:
    """This process, and those that it starts, run on so many cores alone; where the system knows of that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[-number:]))


def is_amd() -> bool:
    """Whether the processor is one of AMD's."""
    return _field("vendor_id") == "AuthenticAMD"


def _field(name: str) -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return None
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), None)


def described(peer: str) -> dict[str, Any]:
    """What a worker tells of itself: versions, the threads that it uses, the kernels of BLAS where it has NumPy's."""
    found: dict[str, Any] = {"python": platform.python_version()}
    for package in _PACKAGES.get(peer, (peer, "numpy")):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "?"
    if peer.startswith("torch"):
        found |= _torch()
    elif peer == "jax":
        found["threads"] = cores()  # XLA's pool has one for each, and does not tell
    else:
        found |= blas()
    return found


def _torch() -> dict[str, Any]:
    torch = sys.modules["torch"]
    return {"threads": torch.get_num_threads(), "kernels": torch.backends.cpu.get_cpu_capability()}


def blas() -> dict[str, Any]:
    """The kernels and the threads of the OpenBLAS that NumPy has loaded; nothing where it has another BLAS."""
    path = _loaded("openblas")
    if path is None:
        return {}
    library = ctypes.CDLL(path)
    name = _function(library, "get_corename", ctypes.c_char_p)
    threads = _function(library, "get_num_threads", ctypes.c_int)
    return {
        "kernels": name().decode() if name else "?",
        "threads": threads() if threads else "?",
    }


def _loaded(part: str) -> str | None:
    """The path of a library that this process has loaded."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return None
    return next((line.split()[-1] for line in lines if part in line.rsplit("/", 1)[-1] and "/" in line), None)


def _function(library: ctypes.CDLL, name: str, result: Any) -> Any:
    for prefix in _PREFIXES:
        for suffix in _SUFFIXES:
            function = getattr(library, f"{prefix}_{name}{suffix}", None)
            if function is not None:
                function.restype, function.argtypes = result, []
                return function
    return None
