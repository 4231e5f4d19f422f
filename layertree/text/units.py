"""Numbers with units."""

from __future__ import annotations


def bytes_text(size: int) -> str:
    """A number of bytes with a decimal unit.

    >>> bytes_text(16), bytes_text(4096), bytes_text(3_500_000)
    ('16 B', '4.1 kB', '3.5 MB')
    """
    amount, unit = float(size), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{size} B" if unit == "B" else f"{amount:.1f} {unit}"
