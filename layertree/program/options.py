"""What is asked of a program besides its formula."""

from __future__ import annotations

from typing import Any

from layertree._record import Field, record
from layertree.core.attribute import Rule


def _at_least(minimum: int) -> Any:
    """None, or a whole number. Raises ValueError for less, TypeError for what is none."""
    rule = Rule(minimum, None, None)

    def conform(value: Any, options: Any, field: Any) -> Any:
        return None if value is None else rule.conform(value, int, f"compile: {field.name}")

    return Field(None, conform, takes_owner=True)


@record
class Options:
    """Threads that share a batch, a limit in bytes for the arena, and whether each value has to be finite."""

    threads: int | None = _at_least(1)
    limit: int | None = _at_least(0)
    check_finite: bool = False


PLAIN = Options()


def ready(program: Any, spec: Any, options: Options) -> Any:
    """A program as the options want it. Raises MemoryError where its arena is larger than the limit."""
    if options.limit is not None:
        from layertree.program.workspace import require_room

        require_room(program, spec, options.limit)
    if not options.check_finite:
        return program
    from layertree.program.finite import checked

    return checked(program)
