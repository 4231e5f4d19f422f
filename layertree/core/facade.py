"""Functions of higher rooms that methods of Layer and Tape call (dependency inversion).

``core`` imports no other room, but formulas have ``forward``, tapes have ``backward``, and both print.
``layertree/_facade.py``, which may import all rooms, assigns the functions here when the package loads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer
    from layertree.core.tape import AnyTape
    from layertree.drawing.drawing import Drawing
    from layertree.rewrite.selection import Selector
    from layertree.rewrite.surgery import At
    from layertree.tape.gradients import Gradients

__all__ = ["FACADE"]


class Facade:
    """One function for each method that needs a higher room; the method passes its own arguments."""

    __slots__ = (
        "at",
        "backward",
        "brief",
        "bundle",
        "code",
        "draw",
        "forward",
        "gradients",
        "layer_of",
        "predict",
        "styled",
        "styled_run",
        "train",
    )

    forward: Callable[[AnyLayer, Any], AnyTape]
    """``Layer.forward``: the output tape for an input tape or plain data."""
    predict: Callable[[AnyLayer, Any], Any]
    """``Layer.predict``: the output value in inference mode."""
    train: Callable[[AnyLayer, Any, Any], Any]
    """``Layer.train``: one step from a delta of the output; the value before the step."""
    gradients: Callable[[AnyTape, Any, bool], Gradients]
    """``Tape.gradients``: the deltas upstream of a tape, from its delta; the tape stays usable if the bool is true."""
    backward: Callable[[AnyTape, Any, bool, Any], None]
    """``Tape.backward``: the same, committed, with a default optimizer."""
    at: Callable[[Any, Selector], At[Any]]
    """``Layer.at``: the selected nodes, to read or to replace."""
    code: Callable[[AnyLayer], str]
    """``repr`` of a layer: code that rebuilds the layer."""
    layer_of: Callable[[str], type[AnyLayer] | None]
    """``@layer(name=...)``: the class of the library that computes a function of the namespaces; None for no class."""
    styled: Callable[[AnyLayer, str], str]
    """``format`` of a layer in a style."""
    styled_run: Callable[[AnyTape, str], str]
    """``format`` of a tape in a style."""
    brief: Callable[[AnyLayer, int], str]
    """The formula in one line of a length at most, for messages."""
    draw: Callable[[Any], Drawing]
    """``Layer.draw`` and ``Tape.draw``: the picture of a formula or of a run."""
    bundle: Callable[[Any], dict[str, str]]
    """What notebooks show of a formula, a run or a report: HTML and text by their MIME types."""


FACADE = Facade()
