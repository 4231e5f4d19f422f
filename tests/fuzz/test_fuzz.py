"""A sample of random programs in each run, and proofs that each comparison can fail."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layertree import Identity, Layer, Literal, Sin, Sum, Times, Weight, compile, layer, nodes, operand
from layertree.rewrite.pattern import Rule, Wildcard
from tests.fuzz.__main__ import main
from tests.fuzz.agreement import Pair, difference
from tests.fuzz.generator import generate, samples_by_class
from tests.fuzz.minimise import minimised
from tests.fuzz.modes import MODES, copies, programs, rewrites
from tests.fuzz.program import Program
from tests.fuzz.search import all_differences, first_difference
from tests.fuzz.snippet import snippet
from tests.layers.sample import sample, spread
from tests.layers.samples import SAMPLES


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_a_sample_of_programs(start: int) -> None:
    for seed in range(start, start + 40):
        program = generate(seed)
        found = all_differences(program, MODES)
        assert not found, f"seed {seed}: {found[0]}"


def test_the_same_seed_gives_the_same_program() -> None:
    for seed in range(20):
        one, other = generate(seed), generate(seed)
        assert format(one.layer, "full") == format(other.layer, "full")
        assert repr(one.data) == repr(other.data)


def test_programs_are_of_many_classes() -> None:
    found = {type(node) for seed in range(600) for node in nodes(generate(seed).layer)}
    assert len(found & {one.cls for one in SAMPLES}) > 100


@layer
class WrongSin(Layer):
    """A sine with a wrong slope."""

    operand: Layer = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.sin(a)

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        return (lambda: xp.multiply(delta, xp.sin(a)),)


def search(mode: str, classes: Any, count: int = 400) -> Program:
    """A program that differs in a mode, minimised."""
    for seed in range(count):
        program = generate(seed, classes)
        if first_difference(program, MODES[mode]) is not None:
            return minimised(program, MODES[mode])
    raise AssertionError(f"{count} programs, and no difference")


def test_a_wrong_gradient_is_found_and_minimised() -> None:
    planted = sample(WrongSin, "planted", spread(2, 3), reference=np.sin)
    classes = samples_by_class([*[one for one in SAMPLES if one.cls in (Sin, Sum, Times)], planted])
    small = search("differences", classes)
    operations = [node for node in nodes(small.layer) if not isinstance(node, (Identity, Literal, Weight))]
    assert [type(node) for node in operations if isinstance(node, WrongSin)] == [WrongSin]
    assert len(operations) <= 3
    found = first_difference(small, MODES["differences"])
    assert found is not None
    with pytest.raises(AssertionError):
        exec(snippet(small, found), {})


def fails(mode: str) -> None:
    """A mode finds a difference in one of a few programs."""
    assert any(first_difference(generate(seed), MODES[mode]) is not None for seed in range(60))


def test_a_wrong_simplification_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    a = Wildcard("a")
    rules = [Rule(Sin(a), a)]
    simplified = rewrites.simplified
    monkeypatch.setattr(rewrites, "simplified", lambda one, spec: simplified(one, spec, rules))
    classes = samples_by_class([one for one in SAMPLES if one.cls in (Sin, Sum, Times)])
    small = search("simplify", classes)
    assert [type(node) for node in nodes(small.layer) if not isinstance(node, (Identity, Literal, Weight))] == [Sin]
    found = first_difference(small, MODES["simplify"])
    assert found is not None
    assert "simplify(one, spec_of(data))" in snippet(small, found)


@pytest.mark.parametrize(
    ("mode", "module", "name", "wrong"),
    [
        ("compiled", programs, "compile", lambda one: compile(Times(one, 1.25))),
        ("step", programs, "compile", lambda one, **options: compile(Times(one, 1.25), **options)),
        ("vmap", rewrites, "batch", lambda one, *_, **__: one),
        ("text", copies, "parse", lambda text, known: Literal(1.0)),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_each_comparison_can_fail(
    monkeypatch: pytest.MonkeyPatch, mode: str, module: Any, name: str, wrong: Callable[..., Any]
) -> None:
    monkeypatch.setattr(module, name, wrong)
    fails(mode)


def test_copies_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies.pickle, "loads", lambda _: Literal(1.0))
    fails("pickle")
    monkeypatch.setattr(copies.copy, "deepcopy", lambda one: one)
    fails("deepcopy")


def test_tree_and_spec_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.modes.derivatives.infer_spec", lambda *_: None)
    fails("spec")
    monkeypatch.setattr(Program, "deltas", property(lambda program: {}))
    fails("tree")


@pytest.mark.parametrize(
    ("wanted", "given", "aspect"),
    [
        (1.0, 1.0 + 1e-9, "value"),
        (np.float32(1), np.float32(1 + 1e-4), "value"),
        (1.0, np.float64(1.0), "kind"),
        (np.float32(1), np.float64(1), "kind"),
        (np.ones(2), np.ones((2, 1)), "kind"),
        (0.0, -0.0, "sign"),
        (float("nan"), 1.0, "value"),
        (float("inf"), float("-inf"), "value"),
        ((1.0, 2), (1.0, 3), "value"),
        ((1.0,), 1.0, "kind"),
    ],
)
def test_differences(wanted: Any, given: Any, aspect: str) -> None:
    found = difference(Pair("planted", wanted, given, "", is_signed=True))
    assert found is not None
    assert found.aspect == aspect
    assert difference(Pair("alike", wanted, wanted, "", is_signed=True)) is None


def test_rounding_errors_of_the_program_excuse() -> None:
    """A difference of nearly equal numbers is determined to few digits, a sum to many."""
    assert difference(Pair("cancelled", 1e-16, 2e-16, "", run=lambda seed: 1e-16 * (seed + 1))) is None
    assert difference(Pair("of the other reading", 1.0, 2.0, "", run=lambda seed: 2.0)) is not None
    assert difference(Pair("added", 1.0, 1.1, "", run=lambda seed: 1.0 + 1e-16 * seed)) is not None


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--programs", "5", "--modes", "tree", "text"]) == 0
    assert "5 programs through tree, text" in capsys.readouterr().out


def test_the_command_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "tests.fuzz", "--programs", "4", "--jobs", "2", "--modes", "spec"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "4 programs" in done.stdout
