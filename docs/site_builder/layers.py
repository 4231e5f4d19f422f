"""The pages of the layer classes: made from docstrings, fields and rules, and from the samples of the tests."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import attrs
import numpy as np

import symbolic
from layertree.core.elementwise import ElementwiseFunctions
from layertree.core.spec import spec_of, spec_text
from layertree.layers import families
from layertree.text.values import attribute_text
from site_builder import pictures
from site_builder.examples import fenced
from symbolic.building.operations import apply
from tests.layers.sample import Sample
from tests.layers.samples import SAMPLES

__all__ = ["pages"]

_LONGEST = 270
"""How many characters an example takes at most."""

_WIDTH = 84
"""How wide a line of an example is, without the prompt."""


def pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page: one a family."""
    for family in families():
        yield family.__name__.rpartition(".")[2], page(family)


def page(family: ModuleType) -> str:
    """The page of a family."""
    name = family.__name__.rpartition(".")[2]
    parts = [f"# {name.replace('_', ' ').capitalize()}", "", family.__doc__ or "", ""]
    parts += [f"Source: `layertree/layers/{name}.py`. How to read an entry: [layers](index.md).", ""]
    for cls in [getattr(family, name) for name in family.__all__]:
        parts += [*_entry(cls), ""]
    return "\n".join(parts)


def _entry(cls: Any) -> Iterator[str]:
    sample = _with_axes(cls)
    yield f"## {cls.__name__}"
    yield ""
    yield fenced(inspect.getdoc(cls) or "")
    yield ""
    yield f"- Formula: `{format(sample.layer, 'unicode')}`"
    if cls.__function__ is not None:
        written = f", in formulas `sy.{cls.__function__}`" if cls.__function__ in dir(symbolic) else ""
        yield f"- Function of `xp`: `{cls.__function__}`{written}"
    yield f"- Shapes: {_shapes(sample)}"
    yield f"- Gradient: {_gradient(cls)}"
    yield ""
    yield from _attributes(cls)
    if _is_a_curve(cls):
        yield pictures.of_function(cls.__function__, lambda x: apply(cls.__function__, x))
    example = _example(cls)
    if example:
        yield f"```pycon\n{example}\n```\n"
    yield from _rules(cls)


def _gradient(cls: Any) -> str:
    if cls.__control__ is not None:
        return "the formulas in its regions have their own"
    if cls.__is_constant__:
        return "none, the layer is a constant for derivatives"
    return "by its rule" if cls.__has_gradient__ and _own(cls, "gradient") else "none, its result is no float"


def _own(cls: Any, name: str) -> Any:
    """A method that the class itself defines in its file."""
    found = vars(cls).get(name)
    return found if found is not None and found.__module__ == cls.__module__ else None


def _is_a_curve(cls: Any) -> bool:
    """Whether the class is a differentiable function of one number."""
    single = len(cls.__layout__.names) == 1 == len(cls.__layout__.operands)
    return single and hasattr(ElementwiseFunctions, cls.__function__ or "") and _own(cls, "gradient") is not None


def _attributes(cls: Any) -> Iterator[str]:
    """A table of the fields that are no operands."""
    layout = cls.__layout__
    fields = [field for field in attrs.fields(cls) if field.name in layout.attributes]
    if fields:
        yield "| attribute | what it is | type | default |"
        yield "|---|---|---|---|"
        for field in fields:
            rule = field.metadata["rule"]
            default = "" if field.default is attrs.NOTHING else f"`{attribute_text(field.default)}`"
            allowed = rule.allowed(field.type).replace("|", "\\|")
            yield f"| `{field.name}` | {field.metadata['help']} | {allowed} | {default} |"
        yield ""


def _rules(cls: Any) -> Iterator[str]:
    """The source of ``compute`` and ``gradient``, folded."""
    sources = [inspect.getsource(method) for name in ("compute", "gradient") if (method := _own(cls, name))]
    if sources:
        yield '??? note "The rules"\n'
        block = "```python\n" + "\n".join(textwrap.dedent(source) for source in sources) + "```"
        yield textwrap.indent(block, "    ")


@cache
def _samples(cls: Any) -> tuple[Sample, ...]:
    return tuple(sample for sample in SAMPLES if sample.cls is cls)


def _with_axes(cls: Any) -> Sample:
    """The first sample over arrays with axes, else the first."""
    axes = [sample for sample in _samples(cls) if any(np.ndim(data) for data in sample.operands)]
    return (axes or list(_samples(cls)))[0]


def _shapes(sample: Sample) -> str:
    """The specs of operands and result of a sample."""
    result = spec_of(sample.layer.predict(sample.input))
    operands = ", ".join(f"`{spec_text(spec_of(data))}`" for data in sample.operands)
    return f"{operands} to `{spec_text(result)}`"


def _example(cls: Any) -> str:
    """The shortest of the samples that shows a number, as a session; empty where each is long."""
    texts = [text for sample in _samples(cls) if (text := _session(sample))]
    short = [text for text in texts if len(text) <= _LONGEST]
    return min(short, key=len, default="")


def _session(sample: Sample) -> str:
    """The layer of a sample on its data, with what Python prints."""
    if not all(np.size(data) for data in sample.operands):
        return ""
    result = sample.layer.predict(sample.input)
    call = f"{sample.layer!r}.predict({sample.input!r})"
    lines = textwrap.wrap(call, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return ">>> " + "\n...     ".join(lines) + f"\n{result!r}"
