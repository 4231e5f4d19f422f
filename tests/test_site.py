"""The documentation site: what is made from the sources is whole and true; each page has a place in the navigation."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import layertree
import symbolic
from layertree import Schedule
from layertree.core import errors
from layertree.core.namespace import Namespace
from layertree.layers import families
from tests.test_imports import ROOMS
from tests.test_readme import ROOT, failures_of

DOCS = ROOT / "docs"
FENCED = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _builder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The builder of the site is no part of what is installed."""
    monkeypatch.syspath_prepend(DOCS)
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == "site_builder"]:
        del sys.modules[name]


def module(name: str) -> ModuleType:
    return import_module(f"site_builder.{name}")


def navigation() -> list[str]:
    """The pages and the folders that mkdocs.yml lists."""
    text = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
    return re.findall(r"(\S+(?:\.md|/))$", text, re.MULTILINE)


# The navigation.


def test_each_page_is_in_the_navigation_once() -> None:
    pages = [str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")]
    listed = [entry for entry in navigation() if entry.endswith(".md")]
    assert sorted(listed) == sorted(pages)


def test_each_room_has_a_page() -> None:
    assert {f"inside/{room}.md" for room in ROOMS} <= set(navigation())


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: str(path.relative_to(DOCS)))
def test_each_link_leads_to_a_page(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", module("includes").outside_code(path.read_text(), lambda part: part))
    folders = tuple(entry for entry in navigation() if entry.endswith("/"))
    for link in [link for link in links if "://" not in link]:
        target = (path.parent / link).resolve()
        made = target.is_relative_to(DOCS) and str(target.relative_to(DOCS)).startswith(folders)
        assert made or target.exists(), link


def test_the_page_of_errors_has_every_class_of_errors() -> None:
    text = (DOCS / "errors.md").read_text()
    assert [name for name in errors.__all__ if f"errors.{name}: " not in text] == []


# Includes.

PART = "Text, [a](docs/b.md).\n\n```\n# no heading\n```"
PAGE = f"# Title\n\nIntro.\n\n## Part\n\n{PART}\n\n### Sub\n\nMore.\n\n## Next\n\nEnd.\n"


def test_a_section_ends_at_the_next_heading_of_its_level_and_has_headings_from_level_2() -> None:
    section = module("includes").section
    assert section(PAGE, "part") == f"{PART}\n\n## Sub\n\nMore."
    assert section(PAGE, "part", only=True) == PART
    assert section(PAGE, "title", only=True) == "Intro."
    with pytest.raises(KeyError, match="no heading 'parts': there are title, part, sub, next"):
        section(PAGE, "parts")


def test_an_include_brings_the_section_with_links_that_hold_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(PAGE)
    expanded = module("includes").expanded
    text = "# Here\n\n<!-- include README.md#part only -->\n\n[c](c.md)"
    assert expanded(text, tmp_path, "learn/here.md", {}).startswith("# Here\n\nText, [a](../b.md).\n")
    assert expanded("<!-- include README.md -->", tmp_path, "here.md", {}) == PAGE.replace("docs/b.md", "b.md")


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("[a](../README.md#set-up)", "[a](index.md#set-up)"),
        ("[a](https://x.y/z.md)", "[a](https://x.y/z.md)"),
        ("[a](#part)", "[a](#part)"),
        ("[the run](../.ci/run)", "the run (`.ci/run`)"),
        ("[`.ci/run`](../.ci/run)", "`.ci/run`"),
        ("![a](picture.svg)", "![a](picture.svg)"),
        ('<img src="picture.svg">', '<img src="picture.svg">'),
        ("```\n[a](../.ci/run)\n```", "```\n[a](../.ci/run)\n```"),
    ],
)
def test_links(link: str, shown: str) -> None:
    assert module("includes").with_links(link, "docs/page.md", "page.md", {"README.md": "index.md"}) == shown


def test_the_home_of_a_file_is_the_page_that_includes_it_whole() -> None:
    pages = {"a.md": "<!-- include A.md -->", "b.md": "<!-- include B.md#part -->"}
    assert module("includes").wholes(pages) == {"A.md": "a.md"}


# The reference.


@pytest.fixture(scope="module")
def pages_of_layers() -> dict[str, str]:
    sys.path.insert(0, str(DOCS))
    try:
        return dict(module("layers").pages())
    finally:
        sys.path.remove(str(DOCS))


def test_each_layer_class_has_an_entry_with_formula_shapes_gradient_and_rules(pages_of_layers: dict[str, str]) -> None:
    for family in families():
        text = pages_of_layers[family.__name__.rpartition(".")[2]]
        entries = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
        assert [entry.partition("\n")[0] for entry in entries] == family.__all__
        for name, entry in zip(family.__all__, entries, strict=True):
            cls = getattr(family, name)
            assert inspect.getdoc(cls).splitlines()[0] in entry
            assert {"- Formula: `", "- Shapes: `", "- Gradient: "} <= set(re.findall(r"^- \w+: `?", entry, re.M))
            assert ("def gradient(" in entry) == ("def gradient(" in inspect.getsource(cls))
            assert "def compute(" in entry or "compute" not in vars(cls)


def test_the_entry_of_a_layer(pages_of_layers: dict[str, str]) -> None:
    entry = re.split(r"^## ", pages_of_layers["linear_algebra"], flags=re.MULTILINE)[1]
    assert "- Formula: `x₀ @ x₁`\n- Function of `xp`: `matmul`, in formulas `sy.matmul`\n" in entry
    assert "- Shapes: `float64 (3,)`, `float64 (3,)` to `float64 ()`\n- Gradient: by its rule\n" in entry


def test_examples_on_the_pages_of_layers_run(pages_of_layers: dict[str, str]) -> None:
    classes = {name: getattr(layertree, name) for family in families() for name in family.__all__}
    core = {name: getattr(layertree, name) for name in ("Identity", "Literal", "Weight", "State", "Average")}
    numbers = {"np": np, "array": np.array, "float32": np.float32, "nan": np.nan, "inf": np.inf}
    found = [(name, block) for name, text in pages_of_layers.items() for block in FENCED.findall(text)]
    assert len(found) > 100
    failures = [text for name, block in found for text in failures_of(0, block, {**classes, **core, **numbers})]
    assert not failures, "\n".join(failures)


def is_documented(value: Any) -> bool:
    """Whether a value is a class or a function of the project."""
    home = str(getattr(value, "__module__", "")).partition(".")[0]
    return (inspect.isclass(value) or inspect.isroutine(value)) and home in {"layertree", "symbolic"}


def test_each_public_name_is_on_one_page() -> None:
    functions = module("functions")
    for package, pages in ((symbolic, functions.symbolic_pages()), (layertree, functions.library_pages())):
        listed = re.findall(r"^::: (\S+)$", "\n".join(text for _, text in pages), re.MULTILINE)
        assert len(listed) == len(set(listed)) > 50
        targets = [getattr(import_module(path.rpartition(".")[0]), path.rpartition(".")[2]) for path in listed]
        layers = {name for family in families() for name in family.__all__}
        public = {name: getattr(package, name) for name in dir(package) if name[0] != "_" and name not in layers}
        callables = {name for name, one in public.items() if is_documented(one)}
        assert [name for name in callables if public[name] not in targets] == []


def test_members_of_bases_without_an_entry_are_in_the_entries_of_their_classes() -> None:
    """``Drawing`` and ``Steps`` have ``html`` and ``save`` of a base that is not public."""
    text = "\n".join(page for _, page in module("functions").library_pages())
    entry = re.compile(r"^::: (\S+)\n    options:\n      inherited_members: \[(.*)\]$", re.MULTILINE)
    inherited = {path: members.split(", ") for path, members in entry.findall(text)}
    by_name = {path.rpartition(".")[2]: members for path, members in inherited.items()}
    assert by_name["Drawing"] == by_name["Steps"] == ["html", "save"]
    assert {"set", "value"} <= set(by_name["Weight"])
    assert "curves" not in by_name["History"], "its own"
    assert "SGD" not in by_name, "the entry of Optimizer has what Optimizer inherits"
    assert "Input" not in by_name, "what the backward pass alone calls"
    for path, members in inherited.items():
        home, _, name = path.rpartition(".")
        assert all(hasattr(getattr(import_module(home), name), member) for member in members), path


def test_the_table_of_xp_has_every_function_of_the_protocol() -> None:
    table = module("namespace").table()
    listed = re.findall(r"^\| `(\w+)\(", table, re.MULTILINE)
    protocol = [name for name in dir(Namespace) if not name.startswith("_")]
    assert sorted(listed) == sorted(protocol)
    assert set(re.findall(r"→ (\S+)` \|", table)) == {"Value", "Shape", "int", "DType"}
    assert "| `sum(x: Value, /, *, axis: Axes, keepdims: bool=False) → Value` | The sum over axes. | `Sum` |" in table


def test_a_page_may_show_some_groups_of_the_table() -> None:
    namespace = module("namespace")
    shown = namespace.with_tables("Before.\n<!-- table of xp: creation and dtypes -->\nAfter.")
    assert "`zeros_like(" in shown
    assert "`exp(" not in shown
    with pytest.raises(ValueError, match="no functions 'all': there are elementwise functions"):
        namespace.table("all")


def test_an_overview_links_to_every_entry() -> None:
    pages = {
        "reference/layers/gates.md": "# Gates\n\n## SiLU\n",
        "reference/library/tape.md": "# Tape\n\n::: a.b.run\n",
    }
    with_overviews = module("overview").with_overviews
    text = "Before.\n<!-- overview of reference/layers/ -->\nAfter."
    assert with_overviews(text, "reference/index.md", pages) == (
        "Before.\n| page | entries |\n|---|---|\n| [Gates](layers/gates.md) | [`SiLU`](layers/gates.md#silu) |\nAfter."
    )
    shown = with_overviews("<!-- overview of reference/library/ -->", "reference/library/index.md", pages)
    assert "| [Tape](tape.md) | [`run`](tape.md#a.b.run) |" in shown
    with pytest.raises(ValueError, match="no pages are made in 'elsewhere/'"):
        with_overviews("<!-- overview of elsewhere/ -->", "index.md", pages)


# Pictures.


def curves(figure: str) -> list[list[tuple[float, float]]]:
    """The points of the curves of a figure."""
    root = ElementTree.fromstring(figure.replace(" data-search-exclude", ""))
    paths = [path for path in root.iter() if path.get("class") in ("value", "derivative") and path.get("d")]
    numbers = [re.findall(r"[ML](\S+) (\S+)", path.get("d") or "") for path in paths]
    return [[(float(x), float(y)) for x, y in points] for points in numbers]


def test_each_activation_and_each_schedule_has_a_picture() -> None:
    functions = module("functions")
    activations = dict(functions.symbolic_pages())["activation"]
    for name in symbolic.functions.activation.__all__:
        assert f"<title>{name} and its derivative</title>" in activations
    schedules = dict(functions.library_pages())["updates"]
    for cls in Schedule.__subclasses__():
        assert cls.__module__ != "layertree.updates.schedules" or f"<title>The factors of {cls.__name__}(" in schedules


def test_a_picture_has_the_values_of_the_function() -> None:
    value, slope = curves(module("pictures").of_function("relu", symbolic.relu))
    left, middle, right = 46.0, 227.0, 408.0
    assert [x for x, _ in value] == [left, middle, right]
    assert value[0][1] == value[1][1] > value[2][1]  # 0 up to the middle, then up: y points down in SVG
    assert [x for x, _ in slope] == [left, middle, pytest.approx(middle + 0.4, abs=0.1), right]
    assert slope[0][1] == slope[1][1] > slope[2][1] == slope[3][1]


def test_no_derivative_is_drawn_where_the_function_has_no_value() -> None:
    value, slope = curves(module("pictures").of_function("log", symbolic.log))
    assert min(x for x, _ in value) > 227.0  # the middle, where x is 0
    assert min(x for x, _ in slope) > 227.0


def test_curves_are_cut_at_the_limits_and_where_they_are_not_finite() -> None:
    svg = module("svg")
    points = [(0.0, 0.0), (1.0, 2.0), (2.0, float("nan")), (3.0, 0.5), (4.0, float("inf"))]
    figure = svg.plot("t", [svg.Curve("c", "value", points)], (0.0, 1.0))
    (found,) = curves(figure)
    assert figure.count("M", figure.index('class="value"')) == 2
    assert found[1] == (
        pytest.approx(found[0][0] + 45.25, abs=0.1),
        svg.TOP,
    )  # half of the way to 2.0, at the upper edge
    assert all(svg.TOP <= y <= svg.HEIGHT - svg.BOTTOM for _, y in found)


def test_names_in_a_picture_are_text() -> None:
    svg = module("svg")
    figure = svg.plot("</svg><script>", [svg.Curve("<b>&", "value", [(0.0, 0.0), (1.0, 1.0)])], (0.0, 1.0))
    assert "<script>" not in figure
    assert "<b>" not in figure
    assert "\n\n" not in figure


@pytest.mark.parametrize("name", ["examples", "includes", "overview", "svg"])
def test_examples_of_the_builder(name: str) -> None:
    failed, tried = doctest.testmod(module(name))
    assert failed == 0 < tried


def test_examples_of_a_docstring_become_blocks() -> None:
    fenced: Any = module("examples").fenced
    assert fenced("A.\n\n>>> f(\n...     1)\n2\n\nB.\n\n    >>> g()\n") == (
        "A.\n\n```pycon\n>>> f(\n...     1)\n2\n```\n\nB.\n\n    ```pycon\n    >>> g()\n    ```"
    )
