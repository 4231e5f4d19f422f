"""The error of a change to a layer. It has a room of its own, since attrs, whose error it is, takes long to load."""

from attrs.exceptions import FrozenInstanceError

__all__ = ["FrozenLayerError"]


class FrozenLayerError(FrozenInstanceError):
    """An attempt to set a field of a layer."""

    def __init__(self, message: str) -> None:
        AttributeError.__init__(self, message)
