"""What is asked of a program besides its formula."""

from __future__ import annotations

from typing import Any

import attrs

from layertree.program.workspace import require_room


@attrs.frozen
class Options:
    """Threads that share a batch, a limit in bytes for the arena, and whether each value has to be finite."""

    threads: int | None = None
    limit: int | None = None
    check_finite: bool = False


PLAIN = Options()


def ready(program: Any, spec: Any, options: Options) -> Any:
    """A program as the options want it. Raises MemoryError where its arena is larger than the limit."""
    require_room(program, spec, options.limit)
    if not options.check_finite:
        return program
    from layertree.program.finite import checked

    return checked(program)
