"""Whole Jacobians and Hessians: how long they take to derive and to run, beside JAX and autograd where installed.

The Hessian is that of the Rosenbrock function in 50 dimensions, the Jacobian that of a perceptron 64-64-64 with tanh,
the per-example gradients those of its squared norm for 64 examples, all in float64. ``predict`` runs a formula node by
node, ``compile`` as one program; JAX is compiled (``jit``). Times are medians, after the first call; the ratio is to
the compiled formula, so what is above 1 took longer.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import layertree
import symbolic as sy
from layertree.typing import ArraySpec

ROSENBROCK = 50
WIDTH = 64
EXAMPLES = 64

_rng = np.random.default_rng(0)
FIRST, SECOND = _rng.standard_normal((2, WIDTH, WIDTH)) / np.sqrt(WIDTH)

Run = Callable[[], Any]


def rosenbrock(xp: Any, x: Any) -> Any:
    """The sum over neighbours of 100 (next - this ** 2) ** 2 + (1 - this) ** 2."""
    return xp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def perceptron(xp: Any, x: Any) -> Any:
    """Two layers with tanh."""
    return xp.tanh(xp.tanh(x @ FIRST) @ SECOND)


def squared_norm(xp: Any, x: Any) -> Any:
    """One number a vector, for gradients."""
    return xp.sum(perceptron(xp, x) ** 2)


def ours() -> dict[str, Callable[[], Any]]:
    """What derives each formula."""
    x, h = sy.placeholder(ArraySpec((ROSENBROCK,))), sy.placeholder(ArraySpec((WIDTH,)))
    return {
        "hessian": lambda: sy.hessian(rosenbrock(sy, x)),
        "jacobian": lambda: sy.jacobian(perceptron(sy, h)),
        "per-example": lambda: sy.vmap(sy.grad(squared_norm(sy, h))),
    }


DATA = {
    "hessian": _rng.standard_normal(ROSENBROCK),
    "jacobian": _rng.standard_normal(WIDTH),
    "per-example": _rng.standard_normal((EXAMPLES, WIDTH)),
}


def peers() -> Iterator[tuple[str, dict[str, Run]]]:
    """The same of the libraries that are installed."""
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        pass
    else:
        jax.config.update("jax_enable_x64", True)
        functions = {
            "hessian": jax.jit(jax.hessian(lambda x: rosenbrock(jnp, x))),
            "jacobian": jax.jit(jax.jacobian(lambda x: perceptron(jnp, x))),
            "per-example": jax.jit(jax.vmap(jax.grad(lambda x: squared_norm(jnp, x)))),
        }
        yield "jax, jit", {name: _ready(function, DATA[name]) for name, function in functions.items()}
    try:
        import autograd
        import autograd.numpy as anp
    except ImportError:
        return
    hessian = autograd.hessian(lambda x: rosenbrock(anp, x))
    jacobian = autograd.jacobian(lambda x: anp.tanh(anp.dot(anp.tanh(anp.dot(x, FIRST)), SECOND)))
    yield "autograd", {"hessian": lambda: hessian(DATA["hessian"]), "jacobian": lambda: jacobian(DATA["jacobian"])}


def _ready(function: Any, data: Any) -> Run:
    return lambda: np.asarray(function(data))


def microseconds(run: Run, seconds: float) -> float:
    """The median time of a call."""
    run()
    times, end = [], perf_counter() + seconds
    while perf_counter() < end or len(times) < 5:
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return median(times) * 1e6


def main() -> None:
    """Print one line for each derivative and library."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each is measured")
    seconds = parser.parse_args().seconds
    others = list(peers())
    for name, build in ours().items():
        formula, data = build(), DATA[name]
        program = layertree.compile(formula)
        value = program.predict(data)
        size = len(list(layertree.nodes(formula)))
        derive = microseconds(build, seconds) / 1e3
        print(f"{name}: {value.shape}, {size} nodes, derived and simplified in {derive:.2f} ms")
        compiled = microseconds(lambda p=program, d=data: p.predict(d), seconds)
        print(f"  compile   {compiled:10.1f} us")
        rows = {"predict": lambda f=formula, d=data: f.predict(d)} | {
            library: runs[name] for library, runs in others if name in runs
        }
        for library, run in rows.items():
            np.testing.assert_allclose(run(), value, rtol=1e-6, atol=1e-9)
            taken = microseconds(run, seconds)
            print(f"  {library:9} {taken:10.1f} us  {taken / compiled:8.2f}")


if __name__ == "__main__":
    main()
