"""What tells MKL that the processor is one of Intel's.

On AMD's, MKL takes its AVX2 kernels, also where the processor has AVX-512, which halves its matrix products. It asks a
function for the maker, which a preloaded library can answer. So torch has two columns: as its users get it, and as it
could be.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from benchmarks.machine import is_amd

_SOURCE = "int mkl_serv_intel_cpu_true(void) { return 1; }\n"


def preload(folder: str) -> str | None:
    """The path of the library, built in a folder; none where it is of no use, or where there is no compiler."""
    compiler = shutil.which("gcc")
    if compiler is None or not is_amd():
        return None
    source, library = Path(folder, "shim.c"), Path(folder, "shim.so")
    if not library.exists():
        source.write_text(_SOURCE)
        subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return str(library)
