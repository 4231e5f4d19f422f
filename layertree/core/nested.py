"""Nested tuples and mappings, traversed without recursion, since users choose the depth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

from layertree.core.dynamic import is_a

Nested: TypeAlias = Any
"""Nested tuples, or mappings, with leaves of any type."""

Path = tuple[int, ...]
Split = Callable[[Nested], Any]
"""From a value to its parts, as a tuple, list or mapping; None for a leaf."""


def parts_of_tuple(value: Nested) -> Nested:
    """The parts of a tuple; anything else is a leaf."""
    return value if is_a(value, tuple) else None


def parts_of_mapping(value: Nested) -> Nested:
    """The parts of a mapping, such as deltas by position; anything else is a leaf."""
    return value if is_a(value, Mapping) else None


def flat(values: Nested, split: Split = parts_of_tuple) -> Iterator[Any]:
    """The leaves, from the left.

    >>> list(flat((1, (2, (), 3))))
    [1, 2, 3]
    """
    rest: Iterator[Any] = iter((values,))
    stack: list[Iterator[Any]] = []
    while True:
        for value in rest:
            parts = split(value)
            if parts is not None:
                stack.append(rest)
                rest = _each(parts)
                break
            yield value
        else:
            if not stack:
                return
            rest = stack.pop()


def paths(values: Nested) -> Iterator[tuple[Path, Nested]]:
    """The leaves of nested tuples, each with its position in every one around it.

    >>> list(paths((1, (2, (), 3))))
    [((0,), 1), ((1, 0), 2), ((1, 2), 3)]
    """
    stack: list[tuple[Path, Nested]] = [((), values)]
    while stack:
        path, value = stack.pop()
        if is_a(value, tuple):
            stack.extend([((*path, i), value[i]) for i in reversed(range(len(value)))])
        else:
            yield path, value


def at_path(values: Nested, path: Path) -> Nested:
    """The part at a path of nested tuples or mappings; None where a mapping lacks it.

    >>> at_path((1, {0: 2}), (1, 0)), at_path((1, {0: 2}), (1, 5, 7))
    (2, None)
    """
    for position in path:
        if values is None:
            return None
        values = values[position] if is_a(values, tuple) else values.get(position)
    return values


def apart(
    whole: Nested, pattern: Nested, item: Callable[[Any, int], Any], split: Split = parts_of_tuple
) -> Iterator[Any]:
    """The leaves of ``whole``, which is nested as ``pattern`` is; ``item(whole, i)`` returns part ``i``.

    >>> list(apart("x", (1, (2, (), 3)), lambda whole, i: f"{whole}[{i}]"))
    ['x[0]', 'x[1][0]', 'x[1][2]']
    """

    def pairs(pair: tuple[Nested, Nested]) -> Any:
        one, like = pair
        parts = split(like)
        return None if parts is None else [(item(one, i), part) for i, part in enumerate(parts)]

    return (leaf for leaf, _ in flat((whole, pattern), pairs))


def folded(
    value: Nested, leaf: Callable[[Any], Any], join: Callable[[Any, list[Any]], Any], split: Split = parts_of_tuple
) -> Nested:
    """A fold from the leaves up: ``leaf(value)`` of each leaf, ``join(parts, results)`` of each inner value.

    >>> folded((1, (2, (), 3)), leaf=lambda one: one, join=lambda parts, results: sum(results))
    6
    """
    parts = split(value)
    if parts is None:
        return leaf(value)
    stack: list[tuple[Any, Iterator[Any], list[Any]]] = []
    rest = _each(parts)
    results: list[Any] = []
    while True:
        for part in rest:
            inner = split(part)
            if inner is not None:
                stack.append((parts, rest, results))
                parts, rest, results = inner, _each(inner), []
                break
            results.append(leaf(part))
        else:
            joined = join(parts, results)
            if not stack:
                return joined
            parts, rest, results = stack.pop()
            results.append(joined)


def _each(parts: Nested) -> Iterator[Any]:
    return iter(parts if is_a(parts, (tuple, list)) else parts.values())


def as_tuple(_: Any, results: list[Any]) -> Nested:
    """The ``join`` of ``folded`` that makes tuples."""
    return tuple(results)


def as_dict(parts: Mapping[int, Any], results: list[Any]) -> dict[int, Any]:
    """The ``join`` of ``folded`` for mappings: the results by key, as a dict."""
    return dict(zip(parts, results, strict=True))


def mapped(function: Callable[[Any], Any], values: Nested, split: Split = parts_of_tuple) -> Nested:
    """Nested tuples of the same structure, with ``function`` applied to each leaf.

    >>> mapped(str, (1, (2, (), 3)))
    ('1', ('2', (), '3'))
    """
    return folded(values, function, as_tuple, split)


def nested(pattern: Nested, leaves: Iterable[Any]) -> Nested:
    """Nested tuples of the structure of ``pattern`` with the given leaves.

    >>> nested((1, (2, (), 3)), "abc")
    ('a', ('b', (), 'c'))
    """
    remaining = iter(leaves)
    return folded(pattern, lambda _: next(remaining), as_tuple)


def nested_text(values: Nested, leaf: Callable[[Any], str]) -> str:
    """Nested tuples as code.

    >>> nested_text((1, (2, ()), (3,)), repr)
    '(1, (2, ()), (3,))'
    """
    text: str = folded(values, leaf, lambda _, texts: tuple_text(texts))
    return text


_MOST_LEAVES = 200
"""How many leaves a brief text of nested tuples has."""


def brief_text(values: Nested, leaf: Callable[[Any], str]) -> str:
    """Nested tuples as code, or the number of parts of a tuple with more than 200 leaves.

    >>> brief_text((1, (2,)), repr), brief_text((0,) * 1000, repr)
    ('(1, (2,))', 'tuple of 1,000 parts')
    """
    if any(True for _ in islice(flat(values), _MOST_LEAVES, None)):
        return f"tuple of {len(values):,} {'part' if len(values) == 1 else 'parts'}"
    return nested_text(values, leaf)


def tuple_text(parts: list[str]) -> str:
    """The text of a tuple whose items have the given texts."""
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def place_text(path: Path, what: str) -> str:
    """The location of a part, for messages.

    >>> place_text((1, 0), "the input")
    'part 0 of part 1 of the input'
    """
    return "".join([f"part {position} of " for position in reversed(path)]) + what
