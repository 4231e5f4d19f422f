"""What is asked of a program besides its formula."""

from __future__ import annotations

from typing import Any

import attrs

from layertree._attribute import Rule
from layertree.program.workspace import require_room


def _at_least(minimum: int) -> Any:
    """Raises ValueError for less, TypeError for what is no whole number."""
    rule = Rule(minimum, None, None)

    def validate(options: Any, field: Any, value: Any) -> None:
        if value is not None:
            rule.conform(value, int, f"compile: {field.name}")

    return validate


@attrs.frozen
class Options:
    """Threads that share a batch, a limit in bytes for the arena, and whether each value has to be finite."""

    threads: int | None = attrs.field(default=None, validator=_at_least(1))
    limit: int | None = attrs.field(default=None, validator=_at_least(0))
    check_finite: bool = False


PLAIN = Options()


def ready(program: Any, spec: Any, options: Options) -> Any:
    """A program as the options want it. Raises MemoryError where its arena is larger than the limit."""
    require_room(program, spec, options.limit)
    if not options.check_finite:
        return program
    from layertree.program.finite import checked

    return checked(program)
