"""The exceptions of the library, subclasses of TypeError, ValueError, IndexError, KeyError and AttributeError."""

from attrs.exceptions import FrozenInstanceError

__all__ = [
    "AxisRangeError",
    "ClosedTapeError",
    "DTypeError",
    "FrozenError",
    "FrozenLayerError",
    "GradientError",
    "IndexRangeError",
    "MissingGradientError",
    "ShapeError",
    "UnknownParameterError",
    "UnknownPathError",
]


class ShapeError(ValueError):
    """Operands whose shapes do not fit the operation."""


class AxisRangeError(ShapeError, IndexError):
    """An axis that the operand does not have."""


class DTypeError(TypeError):
    """Operands whose kind of data does not fit the operation."""


class IndexRangeError(IndexError, ValueError):
    """An index outside of the axis it points into."""


class ClosedTapeError(ValueError):
    """A tape that was closed, or used up by a backward pass without ``retain=True``."""


class GradientError(ValueError):
    """A rule that is missing, or whose delta differs from central differences or has another shape or dtype."""


class _SentenceError(KeyError):
    """A KeyError whose text is its argument, a sentence; that of KeyError is the repr of the argument."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class MissingGradientError(_SentenceError):
    """A gradient was requested of an input or weight that the backward pass did not reach."""


class UnknownParameterError(_SentenceError):
    """A parameter that a fit does not have was asked for by name."""


class UnknownPathError(_SentenceError):
    """A path, a pattern or a sub-formula that no node of the formula has."""


class FrozenError(FrozenInstanceError):
    """An attempt to set or delete a field of something that never changes."""

    def __init__(self, message: str) -> None:
        AttributeError.__init__(self, message)


class FrozenLayerError(FrozenError):
    """An attempt to set or delete a field of a layer."""
