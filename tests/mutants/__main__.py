"""The command: make the mutants, run the checks, print a table. Exit code 1 where one survives that should not."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from layertree.core.spec import spec_of
from tests.layers import checks
from tests.layers.conventions import CASES
from tests.layers.conventions.case import check_case, check_product, is_settled
from tests.layers.conventions.kinks import KINKS, check_kink
from tests.layers.samples import SAMPLES
from tests.mutants.equivalent import reason
from tests.mutants.mutation import Mutant, mutants
from tests.mutants.targets import Target, changed_since, targets

Check = Callable[[], None]


def checks_of(cls: type) -> Iterator[Check]:
    """All checks of a class's samples, the likeliest to fail first."""
    own = [sample for sample in SAMPLES if sample.cls is cls]
    differentiable = [sample for sample in own if sample.differentiable]
    for sample in differentiable:
        yield partial(checks.check_gradients, sample)
    cases = [case for case in CASES if case.cls is cls]
    yield from [partial(check_case, case) for case in cases]
    yield from [partial(check_product, case) for case in cases if is_settled(case)]
    yield from [partial(check_kink, kink) for kink in KINKS if cls in kink.classes]
    for sample in differentiable:
        yield partial(checks.check_float32, sample)
        yield partial(checks.check_float16, sample)
        yield partial(checks.check_tree, sample, spec_of(sample.input))
        if sample.batch:
            yield partial(checks.check_no_rows, sample)
            yield partial(checks.check_tree, sample, checks.unknown_rows(sample, None))
        yield from [partial(checks.check_mixed, sample, i) for i in checks.float_operands(sample)]
    yield from [partial(checks.check_value, sample) for sample in own if sample.reference is not None]


def survives(target: Target, mutant: Mutant, all_checks: Sequence[Check]) -> bool:
    """Whether all checks pass with the mutant in the place of the function."""
    original = target.function.__code__
    target.function.__code__ = mutant.code
    try:
        for check in all_checks:
            check()
    except Exception:
        return False
    finally:
        target.function.__code__ = original
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    chosen = chosen_targets(arguments)
    started = time.perf_counter()
    print(f"{'function':<32}{'mutants':>8}{'killed':>8}{'equivalent':>12}{'survived':>10}")
    total = failures = 0
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error")
        for target in chosen:
            made, bad = tried(target)
            total += made
            failures += bad
    print(f"{total} mutants in {time.perf_counter() - started:.1f} s; {failures} survived that should not have")
    return 1 if failures else 0


def tried(target: Target) -> tuple[int, int]:
    """Make and check the mutants of one function and print its line; how many there are, and how many survived."""
    all_checks = [check for cls in target.classes for check in checks_of(cls)]
    for check in all_checks:
        check()  # unmutated, all of them pass; and what differences give is known from here on
    made, equivalent, survivors = 0, 0, []
    for mutant in mutants(target.function, target.attributes):
        made += 1
        if survives(target, mutant, all_checks):
            if reason(target.name, mutant.text) is None:
                survivors.append(mutant)
            else:
                equivalent += 1
    killed = made - equivalent - len(survivors)
    print(f"{target.name:<32}{made:>8}{killed:>8}{equivalent:>12}{len(survivors):>10}")
    for mutant in survivors:
        print(f"    line {mutant.line}: {mutant.text}")
    return made, len(survivors)


def chosen_targets(arguments: Sequence[str] | None) -> list[Target]:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description="Prove the tests of the layers' rules."
    )
    parser.add_argument("--layer", action="append", metavar="NAME", help="only this layer class; may be repeated")
    parser.add_argument("--changed-since", metavar="REV", help="only rules that changed since a git revision")
    options = parser.parse_args(arguments)
    chosen = targets()
    if options.layer:
        known = {cls.__name__ for target in chosen for cls in target.classes}
        if unknown := sorted(set(options.layer) - known):
            parser.error(f"no layer with a rule is called {unknown[0]}: there are {', '.join(sorted(known))}")
        chosen = [target for target in chosen if {cls.__name__ for cls in target.classes} & set(options.layer)]
    if options.changed_since:
        chosen = changed_since(options.changed_since, chosen)
    return chosen


if __name__ == "__main__":
    sys.exit(main())
