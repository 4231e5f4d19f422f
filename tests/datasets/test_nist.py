"""The NIST problems: what their files say, and the arithmetic of their models."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from layertree import Identity, datasets
from layertree.datasets import nist
from layertree.datasets._nist_model import expression
from tests.datasets.nist_files import MADE, certified, columns, observations, text_of

BUNDLED = ["Chwirut2", "Gauss1", "Lanczos1", "MGH09", "Misra1a", "Rat43", "Thurber"]


def source(name: str) -> str:
    return files(datasets).joinpath(f"nist/{name}.dat").read_text()


@pytest.mark.parametrize("name", BUNDLED)
def test_the_certified_parameters_give_the_certified_residuals(name):
    problem = nist(name)
    residual = problem.y - problem.model.predict((problem.x, *problem.parameters))
    wanted = problem.residual_sum_of_squares
    # Eleven digits of the parameters leave residuals of this size where there are none to speak of.
    assert residual @ residual == pytest.approx(wanted, rel=1e-9, abs=1e-20)
    freedom = problem.y.size - problem.parameters.size
    assert problem.residual_standard_deviation == pytest.approx(np.sqrt(wanted / freedom), rel=1e-9)
    assert problem.degrees_of_freedom == (9 if name == "Rat43" else freedom)  # the file of Rat43 says 9, and means 11


@pytest.mark.parametrize("name", BUNDLED)
def test_every_number_is_the_file_s(name):
    problem = nist(name)
    lines = source(name).splitlines()
    assert problem.name == name
    rows = [[float(word) for word in line.split()] for line in lines[60:] if line.strip()]
    assert np.column_stack([problem.y, problem.x]).tolist() == rows
    table = [[float(word) for word in line.split("=")[1].split()] for line in lines[40:] if line.startswith("  b")]
    found = np.column_stack([*problem.starts, problem.parameters, problem.standard_deviations])
    assert found.tolist() == table
    assert len(table) >= 2


def test_the_record():
    problem = nist("Thurber")
    equation = "y = (b1 + b2*x + b3*x**2 + b4*x**3) / (1 + b5*x + b6*x**2 + b7*x**3) + e"
    assert " ".join(problem.equation.split()) == equation
    assert problem.description.startswith("These data are the result of a NIST study involving\nsemiconductor")
    assert problem.description.endswith("density.")
    for array in (problem.x, problem.y, problem.observed, *problem.starts, problem.parameters):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        problem.name = "other"


def test_by_name_or_by_path(tmp_path, monkeypatch):
    changed = tmp_path / "Misra1a.dat"
    changed.write_text(source("Misra1a").replace("Misra1a", "Changed"))
    assert nist("Misra1a").name == nist("Misra1a.dat").name == "Misra1a"
    assert nist(changed).name == nist(str(changed)).name == "Changed"
    monkeypatch.chdir(tmp_path)
    assert nist("Misra1a").name == "Misra1a"
    assert nist("Misra1a.dat").name == "Changed"
    with pytest.raises(FileNotFoundError, match=r"no file 'Misra9'.*Chwirut2.*Thurber"):
        nist("Misra9")


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.name)
def test_the_other_models_of_the_collection_are_read(made, tmp_path):
    path = tmp_path / f"{made.name}.dat"
    path.write_text(text_of(made))
    problem = nist(path)
    deviations, total = certified(made)
    np.testing.assert_array_equal(problem.observed, columns(made)["y"])
    np.testing.assert_array_equal(np.stack([problem.x]), np.stack([made.x]))
    np.testing.assert_allclose(problem.y, observations(made), rtol=1e-13)
    np.testing.assert_allclose(problem.parameters, made.parameters, rtol=1e-10)
    np.testing.assert_allclose(problem.standard_deviations, deviations, rtol=1e-9)
    assert problem.starts[0].tolist() == made.start1
    assert problem.starts[1].tolist() == made.start2
    assert problem.residual_sum_of_squares == pytest.approx(total, rel=1e-9)
    for parameters in (made.parameters, made.start2):
        given = problem.model.predict((problem.x, *parameters))
        np.testing.assert_allclose(given, made.curve(made.x, *parameters), rtol=1e-11)


def test_line_ends_and_exponents_of_other_systems(tmp_path):
    path = tmp_path / "a.dat"
    path.write_bytes(source("Misra1a").replace("E0", "D0").replace("\n", "\r\n").encode())
    problem = nist(path)
    assert problem.x.tolist() == nist("Misra1a").x.tolist()
    assert problem.model == nist("Misra1a").model


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("y = b1*(1-exp[-b2*x])  +  e", "y = b1 for x < 3, b2 otherwise + e", "'for'"),
        ("y = b1*(1-exp[-b2*x])  +  e", "y = b1*(1-exp[-b3*x])  +  e", "'b3' is not known"),
        ("y = b1*(1-exp[-b2*x])  +  e", "y = b1*x + e\n      y = b2*x + e", "one equation"),
        ("y = b1*(1-exp[-b2*x])  +  e", "see below", "one equation 'y = ... . e' is wanted, but it is nothing"),
        ("y = b1*(1-exp[-b2*x])  +  e", "y = b1*(1-exp[-b2*x]", "a bracket is not closed"),
        ("2 Parameters", "3 Parameters", "says that it has 3 parameters, but it gives 2"),
        ("14 Observations", "15 Observations", "says that it has 15 observations, but it gives 14"),
        ("  b2 = ", "  b3 = ", "should give b2 four numbers"),
        ("0.0005      5.5", "5.5", "should give b2 four numbers"),
        ("77.6E0", "77.6E0  1.0", "has 3 numbers, but there are 2 columns"),
        ("77.6E0", "about 77", "could not convert"),
        ("Data:   y               x", "Data:   x", "columns"),
        ("Residual Sum of Squares:", "Sum:", "no part 'Residual Sum of Squares:'"),
        ("Starting values", "Values", "not followed by starting values"),
        ("Model:", "Kind:", "no part 'Model:'"),
    ],
)
def test_what_is_not_understood_is_said(old, new, words, tmp_path):
    text = source("Misra1a")
    assert old in text
    path = tmp_path / "changed.dat"
    path.write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=words) as caught:
        nist(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_another_file_is_no_problem(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Nothing of the kind\n")
    with pytest.raises(ValueError, match="no problem of nonlinear regression"):
        nist(path)


@pytest.mark.parametrize(
    "text",
    ["2**-x*3", "-x**2", "2**x**0.5", "1-2-x", "8/2/x", "(x-1)*-2", "+x", "[(x)]", "{x}", ".5*x+1.5E-3", "x^2", "2.*x",
     "-2**2*x", "exp[sin(x)]/log(x+1)", "arctan[x]-pi", "sqrt(abs(-x))", "ln(x)+log10(x)", "tanh(x)*cos(x)"],
)  # fmt: skip
def test_arithmetic_is_read_as_python_reads_it(text):
    written = text.replace("^", "**").replace("[", "(").replace("]", ")").replace("{", "(").replace("}", ")")
    names = {name: getattr(np, name) for name in ("exp", "sin", "log", "arctan", "pi", "sqrt", "log10", "tanh", "cos")}
    names |= {"ln": np.log, "abs": np.abs, "x": 1.7}
    assert expression(text, {"x": Identity()}).predict(1.7) == pytest.approx(eval(written, names), rel=1e-14)


@pytest.mark.parametrize(
    ("text", "words", "place"),
    [
        ("x x", "an operator is missing before 'x'", 2),
        ("2 + foo(x)", "'foo' is not known", 4),
        ("x +", "ends where an operand", 3),
        ("", "ends where an operand", 0),
        ("exp", "ends where an operand", 3),
        ("2*(x", "a bracket is not closed", 2),
        ("(x]", "']' closes no bracket", 2),
        ("x)", "'\\)' closes no bracket", 1),
        ("x * / 2", "'/' stands where an operand", 4),
        ("exp x", "'exp' wants a bracket", 0),
        ("x < 3", "'<' is no sign", 2),
        ("__import__", "'__import__' is not|no sign", 0),
    ],
)
def test_what_is_no_arithmetic_is_shown(text, words, place):
    with pytest.raises(ValueError, match=words) as caught:
        expression(text, {"x": Identity()})
    assert str(caught.value).splitlines()[-1] == "  " + " " * place + "^"


def test_brackets_nest_to_any_depth():
    text = "(" * 20_000 + "x" + ")" * 20_000
    assert expression(text, {"x": Identity()}) == Identity()
