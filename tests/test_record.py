"""Records: what a class of named fields can do, to itself and to attrs."""

from __future__ import annotations

import copy
import inspect
import pickle
import traceback
from typing import Any, ClassVar

import attrs
import pytest

from layertree import Adam, Identity, Layer, Plus, Sum, layer, operand
from layertree._record import evolve, field, record


@record
class Point:
    """Two numbers, and what was said of them."""

    kind: ClassVar[str] = "point"
    x: float
    y: float = 2.0
    note: str = field(default="", eq=False, repr=False)


@record
class Solid(Point):
    """A third one; x is declared anew, so it stands at the end."""

    z: float = 3.0
    x: float = 1.0


@record(eq=False)
class Tag:
    """Told apart by identity."""

    _name: Any = field(converter=str)


def test_a_record_is_made_compared_hashed_and_shown_by_its_fields() -> None:
    point = Point(1.0, note="a")
    assert (point.x, point.y, point.note, point.kind) == (1.0, 2.0, "a", "point")
    assert point == Point(x=1.0, y=2.0)
    assert hash(point) == hash(Point(1.0))
    assert point != Point(1.0, 3.0)
    assert Point(1.0).__eq__(1.0) is NotImplemented
    assert repr(point) == "Point(x=1.0, y=2.0)"
    match point:
        case Point(x, y):
            assert (x, y) == (1.0, 2.0)


def test_a_record_without_equality_is_itself_alone() -> None:
    assert Tag(1)._name == "1"
    assert Tag(_name := 1) != Tag(_name)
    assert len({Tag("a"), Tag("a")}) == 2


def test_fields_of_bases_come_first() -> None:
    assert str(inspect.signature(Solid)) == "(y=2.0, note='', z=3.0, x=1.0)"
    assert Solid(z=5.0) == Solid(y=2.0, note="", z=5.0)
    assert Point(1.0) != Solid()
    assert Solid() != Point(1.0)


def test_a_record_never_changes() -> None:
    point = Point(1.0)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        point.x = 2.0  # type: ignore[misc]  # refused by type checkers, too
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        delattr(point, "x")
    assert point == Point(1.0)
    assert evolve(point, y=5.0) == Point(1.0, 5.0)
    assert evolve(Tag("a"), name="b")._name == "b"
    copied: Any = point
    assert copied.__replace__(x=2.0) == Point(2.0)


def test_a_call_that_does_not_fit_names_the_class() -> None:
    with pytest.raises(TypeError, match=r"Point\.__init__\(\) missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]  # refused by type checkers, too
    with pytest.raises(TypeError, match=r"Plus\.__init__\(\) missing .*'operand2'"):
        Plus(Identity())  # type: ignore[call-arg]  # refused by type checkers, too


def test_a_traceback_has_the_line_of_the_constructor() -> None:
    @record
    class Whole:
        size: int = field(converter=int)

    with pytest.raises(ValueError, match="invalid literal") as caught:
        Whole("a")  # type: ignore[arg-type]  # refused by type checkers, too
    lines = [entry.line or "" for entry in traceback.extract_tb(caught.value.__traceback__)]
    assert any("'size'" in line for line in lines)


def test_records_are_pickled_and_copied() -> None:
    point = Point(1.0, note="a")
    for twin in (pickle.loads(pickle.dumps(point)), copy.copy(point), copy.deepcopy(point)):
        assert twin == point
        assert twin.note == "a"


def test_what_has_a_default_stands_behind_what_has_none() -> None:
    with pytest.raises(ValueError, match=r"Wrong\.b has no default, but a before it has one"):

        @record
        class Wrong:
            a: int = 1
            b: int  # type: ignore[misc]  # the point of the test


def test_a_class_finishes_what_its_constructor_began() -> None:
    @record
    class Sorted:
        parts: tuple[int, ...]
        first: int = field(init=False)

        def __attrs_post_init__(self) -> None:
            object.__setattr__(self, "first", min(self.parts))

    assert Sorted((3, 1)).first == 1

    @record
    class Own:
        size: int

        def __init__(self, text: str) -> None:
            self.__attrs_init__(len(text))  # type: ignore[attr-defined]  # it is written

    assert Own("abc").size == 3


def test_attrs_knows_records_and_layers() -> None:
    # Checkers take classes of attrs alone.
    kind: Any = Point
    rule: Any = Adam(0.5)
    formula: Any = Sum(Identity(), axis=0)
    assert [field.name for field in attrs.fields(kind)] == ["x", "y", "note"]
    assert attrs.fields(kind).y.default == 2.0
    assert attrs.fields(kind).x.default is attrs.NOTHING
    assert attrs.asdict(kind(1.0)) == {"x": 1.0, "y": 2.0, "note": ""}
    assert attrs.evolve(rule, beta1=0.25) == Adam(0.5, 0.25)
    assert attrs.evolve(formula, axis=1) == Sum(Identity(), axis=1)
    assert attrs.has(Plus)
    assert not attrs.has(Layer)


def test_attrs_builds_on_records() -> None:
    @attrs.frozen
    class Slow(Adam):
        factor: float = 0.5

    slow: Any = Slow
    assert [field.name for field in attrs.fields(slow)][-2:] == ["epsilon", "factor"]
    assert slow(2, factor=0.25).rate == 2.0
    assert type(slow(2).rate) is float
    with pytest.raises(ValueError, match=r"Slow\.rate = -1\.0 is not allowed"):
        slow(-1.0)


def test_fields_without_annotations_are_taken_alone() -> None:
    def compute(self: Any, xp: Any, a: Any, b: Any) -> Any:
        return xp.subtract(a, b)

    body = {"__annotations__": {"size": int}, "a": operand(), "b": operand(), "compute": compute}
    made: Any = layer(type("Loose", (Layer,), body))
    assert made(5.0, Identity()).predict(2.0) == 3.0
