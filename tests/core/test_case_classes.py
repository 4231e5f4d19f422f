"""Layers are case classes of attrs: its functions, signatures and match work on each; others are refused."""

from __future__ import annotations

import copy
import inspect
import typing
from dataclasses import dataclass
from typing import Any

import attrs
import pytest

from layertree import Adam, Identity, Layer, Literal, Plus, Sum, Times, Weight, attribute, layer, operand
from layertree.core.errors import FrozenLayerError
from tests.layers.samples import IDS, SAMPLES


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_attrs_signatures_and_match_know_every_layer(sample: Any) -> None:
    made = sample.layer.__layer__()
    cls: Any = type(made)
    names = [field.name for field in attrs.fields(cls)]
    if cls.__control__ not in ("constant", "cell"):  # leaves with a constructor of their own have no layout
        assert names == list(cls.__layout__.names)
    assert [name for name in inspect.signature(cls).parameters if name != "copy"] == names
    assert cls.__match_args__ == tuple(names)[: len(cls.__match_args__)]
    shallow = attrs.asdict(made, recurse=False)
    assert list(shallow) == names
    assert all(shallow[name] is getattr(made, name) for name in names)
    again = attrs.evolve(made)
    assert again is not made
    assert again == made or cls.__control__ == "cell"  # which has a cell of its own
    for name in cls.__layout__.operands:
        changed = attrs.evolve(made, **{name: 2.0})
        assert getattr(changed, name) == Literal(2.0)
        assert all(getattr(changed, other) == getattr(made, other) for other in names if other != name)


def test_match_takes_a_layer_apart() -> None:
    match Times(Plus(1.0, Identity()), Weight(2.0)):
        case Times(Plus(Literal(float(one)), Identity()), Weight(value)):
            assert (one, value) == (1.0, 2.0)
        case _:
            pytest.fail("no case matched")


def test_fields_do_not_change() -> None:
    formula = Plus(Identity(), 1.0)
    with pytest.raises(FrozenLayerError, match=r"Plus\.operand1 cannot be set: .* attrs\.evolve\(layer, operand1="):
        formula.operand1 = Identity()  # type: ignore[misc]  # refused by type checkers, too
    with pytest.raises(FrozenLayerError, match=r"Plus\.other cannot be set"):
        formula.other = 1  # type: ignore[attr-defined]  # refused by type checkers, too
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        del formula.operand1
    assert formula == Plus(Identity(), 1.0)
    assert copy.copy(formula) is formula


def test_a_call_that_does_not_fit_names_the_class() -> None:
    with pytest.raises(TypeError, match=r"Plus\.__init__\(\) missing .*'operand2'"):
        Plus(Identity())  # type: ignore[call-arg]  # refused by type checkers, too


NO_CASE_CLASS = r"is no case class yet: write @layer above class"


def test_a_subclass_without_the_decorator_is_an_error_that_names_it() -> None:
    class Bare(Layer):
        operand: Layer = operand()

        def compute(self, xp: Any, a: Any) -> Any:
            return a

    class BareChild(Plus):
        pass

    class Constructed(Layer):
        def __init__(self, size: int) -> None:
            self.size = size

    for cls, arguments in ((Bare, (1.0,)), (Bare, ()), (BareChild, (1.0, 2.0)), (Constructed, (3,))):
        made: Any = cls
        with pytest.raises(TypeError, match=rf"{cls.__name__} {NO_CASE_CLASS} {cls.__name__}\(\.\.\.\), with"):
            made(*arguments)
        assert inspect.getmembers(cls)


def test_the_decorator_keeps_a_constructor_of_the_class() -> None:
    @layer
    class Constructed(Layer):
        operand: Layer = operand()

        def __init__(self, text: str) -> None:
            self.__attrs_init__(float(text))  # type: ignore[attr-defined]  # attrs writes it

        def compute(self, xp: Any, a: Any) -> Any:
            return xp.negative(a)

    assert Constructed("2.0").predict() == -2.0


def test_a_subclass_decorated_with_attrs_or_dataclass_is_an_error_that_names_layer() -> None:
    for decorate in (attrs.frozen, attrs.define):
        with pytest.raises(TypeError, match=r"Wrong is a layer, so decorate it with @layer of"):

            @decorate  # type: ignore[arg-type, unused-ignore]  # the mistake under test
            class Wrong(Layer):
                operand: Any

    @dataclass(eq=False)
    class Other(Layer):
        operand: Any

    uses: list[Any] = [repr, hash, lambda one: one.forward(1.0), lambda one: one.predict(1.0)]
    for use in uses[1:]:
        with pytest.raises(TypeError, match=rf"Other {NO_CASE_CLASS}"):
            use(Other(Identity()))
    with pytest.raises(TypeError, match=r"Other is a layer, so decorate it with @layer alone, not with @dataclass"):
        layer(Other)


def test_a_subclass_of_a_leaf_is_a_leaf() -> None:
    class Named(Weight[float]):
        pass

    assert Named(2.0).predict() == 2.0


def test_annotations_are_those_of_the_fields() -> None:
    for cls in (Times, Sum):
        signature = inspect.signature(cls, eval_str=True)
        assert not [one for one in signature.parameters.values() if one.annotation in (Any, inspect.Parameter.empty)]
    assert inspect.signature(Sum).parameters["keepdims"].annotation is bool
    for sample in SAMPLES:
        assert typing.get_type_hints(type(sample.layer).__init__) or not type(sample.layer).__layout__.names

    @layer
    class Textual(Layer):
        operand: Layer[Missing, Missing] = operand()  # type: ignore[name-defined]  # noqa: F821  # never evaluated

    assert typing.get_type_hints(Textual.__init__)["operand"] is Layer


def test_a_field_without_a_default_behind_one_with_a_default_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"Wrong\.b has no default, but a before it has one"):

        @layer
        class Wrong(Layer):
            a: int = attribute(default=1, help="")
            b: Layer = operand()


def test_only_subclasses_of_layer_are_decorated() -> None:
    with pytest.raises(TypeError, match=r"@layer makes a case class of a subclass of Layer: got <class 'int'>"):
        layer(int)


def test_fields_of_bases_come_first() -> None:
    @layer
    class Scaled(Plus):
        factor: float = attribute(default=2.0, help="of the sum")

        def compute(self, xp: Any, a: Any, b: Any) -> Any:
            return xp.multiply(xp.add(a, b), self.factor)

    assert str(inspect.signature(Scaled).replace(return_annotation=inspect.Signature.empty)).startswith("(operand1")
    assert list(inspect.signature(Scaled).parameters) == ["operand1", "operand2", "factor"]
    assert Scaled(Identity(), 1.0, 3.0).predict(2.0) == 9.0
    assert attrs.evolve(Scaled(Identity(), 1.0), factor=0.5).predict(2.0) == 1.5


def test_a_field_without_a_kind_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"Wrong\.size is declared without its kind"):

        @layer
        class Wrong(Layer):
            operand: Layer = operand()
            size: int = 3


def test_configurations_are_attrs_classes() -> None:
    rule: Any = Adam(0.5)
    assert attrs.evolve(rule, beta1=0.25) == Adam(0.5, 0.25)
    assert attrs.asdict(rule)["rate"] == 0.5

    @attrs.frozen
    class Slow(Adam):
        factor: float = 0.5

    slow: Any = Slow
    assert [field.name for field in attrs.fields(slow)][-2:] == ["epsilon", "factor"]
    assert type(slow(2).rate) is float
    with pytest.raises(ValueError, match=r"Slow\.rate = -1\.0 is not allowed"):
        slow(-1.0)


def test_fields_without_annotations_are_taken_alone() -> None:
    def compute(self: Any, xp: Any, a: Any, b: Any) -> Any:
        return xp.subtract(a, b)

    body = {"__annotations__": {"size": int}, "a": operand(), "b": operand(), "compute": compute}
    made: Any = layer(type("Loose", (Layer,), body))
    assert made(5.0, Identity()).predict(2.0) == 3.0


def test_an_attribute_keeps_its_type() -> None:
    total: Any = Sum
    assert attrs.fields(total).keepdims.type is bool
    with pytest.raises(TypeError, match=r"Sum\.keepdims = 1\.5 is not allowed"):
        Sum(Identity(), keepdims=1.5)  # type: ignore[arg-type]  # refused by type checkers, too
