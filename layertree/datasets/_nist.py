"""The nonlinear regression problems of NIST's Statistical Reference Datasets, and others in the format of its files."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from layertree.core.data import Data, read_only
from layertree.core.identity import Identity
from layertree.core.layer import AnyLayer
from layertree.datasets._nist_model import expression
from layertree.layers import layer_of

Vector = NDArray[np.float64]


@attrs.frozen(eq=False, kw_only=True, repr=False)
class NistProblem:
    """A regression problem with certified answers. Arrays are float64 and read-only.

    ``model`` is a formula of the tuple ``(x, b1, b2, ...)``: the predictor, then each parameter as a number of its own.
    Where there are several predictors, ``x`` is the tuple of them. It gives what ``y`` holds.
    """

    name: str
    description: str
    equation: str
    """The model as the file writes it, with its error term ``e``."""
    model: AnyLayer
    x: Data
    """The predictor, shape (n,); of several predictors a tuple of such."""
    y: Vector
    """The data of the fit, shape (n,): the left side of the equation, such as the logarithm in ``log[y] =``."""
    observed: Vector
    """The response in the file, before the function on the left side of the equation."""
    starts: tuple[Vector, Vector]
    """Two starting points, shape (p,): one far from the answer, one near to it."""
    parameters: Vector
    """The certified parameters, shape (p,)."""
    standard_deviations: Vector
    """The certified standard deviations of the parameters, shape (p,)."""
    residual_sum_of_squares: float
    residual_standard_deviation: float
    degrees_of_freedom: int
    """The number in the file. In the file of Rat43 it is 9, though 15 observations less 4 parameters are 11."""

    def __repr__(self) -> str:
        sizes = f"{self.y.size} observations, {self.parameters.size} parameters"
        return f"<NistProblem {self.name}: {' '.join(self.equation.split())}; {sizes}>"


def nist(name_or_path: str | os.PathLike[str]) -> NistProblem:
    """A nonlinear regression problem: a bundled one by its name, or any file in the format of the collection.

    Bundled are Chwirut2, Gauss1, Lanczos1, MGH09, Misra1a, Rat43 and Thurber, with or without ``.dat``. A path, which
    has a separator in it or is a ``Path``, is read from the disk; so is a name that is not bundled.

    From the Statistical Reference Datasets of the National Institute of Standards and Technology, a work of the
    United States government in the public domain, https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml.

    >>> problem = nist("Misra1a")
    >>> problem
    <NistProblem Misra1a: y = b1*(1-exp[-b2*x]) + e; 14 observations, 2 parameters>
    >>> problem.x[:3].tolist(), problem.starts[0].tolist(), problem.residual_sum_of_squares
    ([77.6, 114.9, 141.1], [500.0, 0.0001], 0.12455138894)
    >>> round(problem.model.predict((77.6, 238.9, 5.5e-4)), 3)
    9.982

    Raises FileNotFoundError where there is no such file, and ValueError, which says what is not understood, where it
    has another format or a model that is more than one equation of arithmetic.
    """
    where, text = _read(name_or_path)
    try:
        return _problem(text)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _read(name_or_path: str | os.PathLike[str]) -> tuple[str, str]:
    """The name or path of a problem, for messages, and its text."""
    given = os.fspath(name_or_path)
    folder = files("layertree.datasets").joinpath("nist")
    bundled = sorted(item.name.removesuffix(".dat") for item in folder.iterdir() if item.name.endswith(".dat"))
    name = given.removesuffix(".dat")
    if isinstance(name_or_path, str) and name in bundled and not (given != name and Path(given).exists()):
        return name, folder.joinpath(f"{name}.dat").read_text(encoding="ascii")
    if not Path(given).exists():
        raise FileNotFoundError(
            f"there is no file {given!r}, and no bundled problem of this name: {', '.join(bundled)}"
        )
    return given, Path(given).read_text(encoding="utf-8", errors="replace")


def _problem(text: str) -> NistProblem:
    sections = _sections(text)
    head, data = _section(sections, "Data", 0), _section(sections, "Data", -1)
    equations, answers = _model_section(_section(sections, "Model"))
    columns, rows = _rows(data)
    parameters = _parameters(answers)
    _agree("parameters", r"(\d+)\s+Parameters?\b", equations, len(parameters))
    _agree("observations", r"(\d+)\s+Observations?\b", head, len(rows))
    predictors = [name for name in columns if name != "y"]
    equation, left, model = _model(equations, predictors, len(parameters))
    observed = _vector(rows[:, columns.index("y")])
    xs = tuple([_vector(rows[:, columns.index(name)]) for name in predictors])
    return NistProblem(
        name=_section(sections, "Dataset Name")[0].split()[0],
        description="\n".join(line.strip() for line in _section(sections, "Description")).strip(),
        equation=equation,
        model=model,
        x=xs[0] if len(xs) == 1 else xs,
        y=_vector(left.predict(observed)),
        observed=observed,
        starts=(_vector(parameters[:, 0]), _vector(parameters[:, 1])),
        parameters=_vector(parameters[:, 2]),
        standard_deviations=_vector(parameters[:, 3]),
        residual_sum_of_squares=_float(_section(sections, "Residual Sum of Squares")[0]),
        residual_standard_deviation=_float(_section(sections, "Residual Standard Deviation")[0]),
        degrees_of_freedom=int(_section(sections, "Degrees of Freedom")[0]),
    )


def _sections(text: str) -> list[tuple[str, list[str]]]:
    """The parts of a file: a title at the start of a line, what follows it, and the indented lines below."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        title = re.match(r"([A-Z][A-Za-z ]*):(.*)", line)
        if title:
            found.append((title[1].strip(), [title[2].strip()]))
        elif found:
            found[-1][1].append(line.rstrip())
    return found


def _section(sections: list[tuple[str, list[str]]], title: str, which: int = 0) -> list[str]:
    lines = [lines for found, lines in sections if found == title]
    if not lines or (which == -1 and len(lines) < 2):
        raise ValueError(f"no problem of nonlinear regression: it has no part {title + ':'!r} where one is wanted")
    return lines[which]


def _model_section(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines of the model, and those of the starting and certified values below them."""
    for i, line in enumerate(lines):
        if re.search(r"start(ing)?\s+values", line, re.IGNORECASE):
            return list(lines[:i]), list(lines[i:])
    raise ValueError("no problem of nonlinear regression: its model is not followed by starting values")


def _parameters(lines: Sequence[str]) -> NDArray[np.float64]:
    """Rows of two starting values, the certified parameter and its standard deviation."""
    rows: list[list[float]] = []
    for line in lines:
        row = re.match(r"\s*b(\d+)\s*=\s*(.*)", line)
        if row:
            numbers = list(map(_float, row[2].split()))
            if int(row[1]) != len(rows) + 1 or len(numbers) != 4:
                raise ValueError(f"the line {line.strip()!r} should give b{len(rows) + 1} four numbers: two starting "
                                 "values, the certified value and its standard deviation")  # fmt: skip
            rows.append(numbers)
    if not rows:
        raise ValueError("it gives no parameters: lines such as 'b1 = 500 250 2.39E+02 2.71E+00' are wanted")
    return np.array(rows)


def _rows(lines: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
    """The names of the columns, and the observations."""
    names = lines[0].split()
    if len(names) < 2 or names.count("y") != 1:
        raise ValueError(f"its data have the columns {names}: one response y and at least one predictor are wanted")
    rows = [list(map(_float, line.split())) for line in lines[1:] if line.strip()]
    for row in rows:
        if len(row) != len(names):
            raise ValueError(f"the row {row} of its data has {len(row)} numbers, but there are {len(names)} columns")
    return names, np.array(rows).reshape(-1, len(names))


def _model(lines: Sequence[str], predictors: list[str], count: int) -> tuple[str, AnyLayer, AnyLayer]:
    """The equation's text, its left side as a formula of the response, and its right side as one of (x, b1, ...)."""
    source: Identity[Data, Data] = Identity()
    x = layer_of("item")(source, position=0)
    names = {f"b{i}": layer_of("item")(source, position=i) for i in range(1, count + 1)}
    if len(predictors) == 1:
        names[predictors[0]] = x
    else:
        names |= {name: layer_of("item")(x, position=i) for i, name in enumerate(predictors)}
    *definitions, equation = _statements(lines)
    for definition in definitions:  # such as pi = 3.14159
        name, _, value = definition.partition("=")
        names[name.strip()] = expression(" ".join(value.split()), names)
    left, _, right = equation.partition("=")
    right = re.sub(r"\+\s*e\s*$", "", right)
    response: Identity[Data, Data] = Identity()
    return equation, expression(left.strip(), {"y": response}), expression(" ".join(right.split()), names)


def _statements(lines: Sequence[str]) -> list[str]:
    """Definitions, then the equation of the response; a line without an equals sign continues the line before."""
    found: list[str] = []
    for line in lines:
        if re.match(r"\s*[A-Za-z]\w*\s*([\[(].*?[\])])?\s*=", line):
            found.append(line.strip())
        elif found and line.strip():
            found[-1] += "\n" + line.strip()
    responses = [text for text in found if re.search(r"\by\b", text.partition("=")[0])]
    if len(responses) != 1 or responses[0] != found[-1]:
        text = " ; ".join(found) or "nothing"
        raise ValueError(f"the model is not understood: one equation 'y = ... + e' is wanted, but it is {text}")
    return found


def _agree(what: str, pattern: str, lines: Sequence[str], found: int) -> None:
    """Raise ValueError where the text states another number of items than the file has."""
    said = re.search(pattern, "\n".join(lines))
    if said is not None and int(said[1]) != found:
        raise ValueError(f"it says that it has {said[1]} {what}, but it gives {found}")


def _float(text: str) -> float:
    """A number, whose exponent may be written as in Fortran, with D."""
    return float(text.strip().replace("D", "E").replace("d", "e"))


def _vector(values: ArrayLike) -> Vector:
    made: Vector = read_only(np.array(values, dtype=np.float64))
    return made
