"""A file that is replaced as a whole, or left as it was."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import Self


class Replacement:
    """Lines for a file, written beside it, that take its place once they are whole; a context manager.

    It opens at once, so that a place that cannot be written is an OSError before any work. Devices and pipes are
    written directly.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._target = os.path.realpath(path)
        self._is_direct = os.path.exists(path) and not os.path.isfile(path)
        self._beside = path if self._is_direct else f"{self._target}.part"
        self._file = open(self._beside, "w", encoding="ascii")  # noqa: SIM115  # __exit__ closes it

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # what could not be written when it was asked for has been said
            self._file.close()
        if not self._is_direct:
            with suppress(FileNotFoundError):
                os.remove(self._beside)

    def write(self, lines: Iterable[str]) -> None:
        """Put lines in the place of what the file held. OSError where they do not fit; then it is as it was."""
        self._file.writelines(lines)
        self._file.close()
        if self._is_direct:
            return
        if os.path.exists(self._target):
            shutil.copymode(self._target, self._beside)
        os.replace(self._beside, self._target)
