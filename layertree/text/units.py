"""Numbers with units: bytes, counts and times."""

from __future__ import annotations


def bytes_text(size: int) -> str:
    """A number of bytes with a decimal unit.

    >>> bytes_text(16), bytes_text(4096), bytes_text(3_500_000)
    ('16 B', '4.1 kB', '3.5 MB')
    """
    return f"{size} B" if size < 1000 else f"{count_text(size)}B"


def count_text(count: int) -> str:
    """A count with a decimal prefix.

    >>> count_text(12), count_text(4200), count_text(3_500_000)
    ('12', '4.2 k', '3.5 M')
    """
    amount, prefix = float(count), ""
    for larger in ("k", "M", "G", "T"):
        if amount < 1000:
            break
        amount, prefix = amount / 1000, larger
    return f"{amount:.1f} {prefix}" if prefix else str(count)


def time_text(seconds: float) -> str:
    """A time in the largest unit of which it has at least one.

    >>> time_text(2.5e-6), time_text(0.0123), time_text(4.0)
    ('2.5 us', '12.3 ms', '4.0 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds * 1e9:.0f} ns"
