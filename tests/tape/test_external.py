"""Tapes from outside of the library: black boxes with a tape of their own, and a user's own tapes as inputs."""

import pytest

from layertree import (
    DTypeError,
    Identity,
    Input,
    Layer,
    Plus,
    Tape,
    Times,
    layer,
    operand,
)


@layer
class Halved(Layer):
    """A black box with a tape of its own."""

    operand: Layer = operand()

    def tape(self, xp, upstream):
        return HalvedTape(upstream.value)


class HalvedTape(Tape):
    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value / 2

    def deltas(self, delta):
        return (delta / 2,)


def test_a_black_box_joins_the_sweep():
    x = Input(3.0)
    formula = Times(Halved(Times(Identity(), Identity())), 2.0)
    tape = formula.forward(x)
    assert tape.value == 9.0
    assert tape.gradients()[x] == 6.0
    assert formula.predict(3.0) == 9.0


class Measured(Tape):
    """A leaf of a user's own."""

    value = 3.0


def test_a_black_box_has_no_derivative_as_a_formula():
    from layertree.core.spec import spec_of
    from layertree.rewrite.reverse_mode import derivatives

    with pytest.raises(DTypeError, match="Halved makes a tape of its own"):
        derivatives(Halved(Identity()), spec_of(1.0))


def test_a_users_own_tape_is_an_input():
    source = Measured()
    formula = Times(Identity(), Identity())
    assert formula.forward(source).gradients()[source] == 6.0
    assert Plus(formula, 1.0).forward(HalvedTape(8.0)).value == 17.0


class Joined(Tape):
    """A user's own operation on other tapes, with a count of the deltas it was given."""

    value = 1.0

    def __init__(self, upstream):
        self._upstream = upstream
        self.asked = 0

    @property
    def upstream(self):
        return self._upstream

    def deltas(self, delta):
        self.asked += 1
        return (delta,) * len(self._upstream)


def test_a_diamond_of_own_tapes_is_visited_once_each():
    source = Input(3.0)
    tapes = [Joined((source,))]
    for _ in range(60):
        tapes.append(Joined((tapes[-1], tapes[-1])))
    assert tapes[-1].gradients()[source] == 2.0**60
    assert {tape.asked for tape in tapes} == {1}


def test_a_long_chain_of_own_tapes():
    source = Input(3.0)
    tape = Joined((source,))
    chain = [tape]  # freed one by one: these classes are the user's
    for _ in range(5000):
        tape = Joined((tape,))
        chain.append(tape)
    assert Times(Identity(), 2.0).forward(tape).gradients()[source] == 2.0


def test_an_own_tape_with_the_wrong_number_of_deltas_is_an_error():
    class Wrong(HalvedTape):
        def deltas(self, delta):
            return ()

    @layer
    class Odd(Layer):
        """Its tape forgets its operand."""

        operand: Layer = operand()

        def tape(self, xp, upstream):
            return Wrong(upstream.value)

    with pytest.raises(ValueError, match="0 deltas for 1 upstream"):
        Odd(Identity()).forward(Input(1.0)).backward()
