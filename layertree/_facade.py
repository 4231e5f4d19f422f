"""Fills the facade of ``core``: the functions of higher rooms that methods of Layer and Tape call.

Rooms that most programs need load with the package; ``text``, ``rewrite`` and ``drawing`` load at the first call.
"""

from __future__ import annotations

from typing import Any

from layertree.core.facade import FACADE
from layertree.rewrite.inference import predict
from layertree.tape import backward, run

FACADE.forward = run.forward
FACADE.predict = predict
FACADE.train = run.train
FACADE.gradients = backward.gradients_of
FACADE.backward = backward.backward_from


# Imports inside of functions, for loading time: most programs that train neither print nor rewrite formulas.


def _code(layer: Any) -> str:
    from layertree.text.code import code

    FACADE.code = code
    return code(layer)


def _styled(layer: Any, style: str) -> str:
    from layertree.text.styles import styled

    FACADE.styled = styled
    return styled(layer, style)


def _styled_run(tape: Any, style: str) -> str:
    from layertree.text.styles import styled_run

    FACADE.styled_run = styled_run
    return styled_run(tape, style)


def _brief(layer: Any, length: int) -> str:
    from layertree.text.formula import brief

    FACADE.brief = brief
    return brief(layer, length)


def _at(layer: Any, where: Any) -> Any:
    from layertree.rewrite.surgery import At

    FACADE.at = At
    return At(layer, where)


def _layer_of(function: str) -> Any:
    from layertree.layers import functions, layer_of

    return layer_of(function) if function in functions() else None


def _draw(shown: Any) -> Any:
    from layertree.drawing.drawing import draw

    FACADE.draw = draw
    return draw(shown)


def _bundle(shown: Any) -> dict[str, str]:
    from layertree.drawing.bundles import bundle

    FACADE.bundle = bundle
    return bundle(shown)


FACADE.code = _code
FACADE.layer_of = _layer_of
FACADE.styled = _styled
FACADE.styled_run = _styled_run
FACADE.brief = _brief
FACADE.at = _at
FACADE.draw = _draw
FACADE.bundle = _bundle
