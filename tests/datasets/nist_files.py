"""Files in the format of the NIST collection, over data made here, whose best parameters are known by construction.

The models, parameters and starting points are like those of the collection's other problems. The observations are the
model's values plus a residual orthogonal to its tangent space, so that the parameters are a stationary point exactly,
and the sum of squares and the standard deviations follow by plain linear algebra. Derivatives come from complex steps:
nothing of the packages is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Curve = Callable[..., Any]


class Made(NamedTuple):
    """A problem: its equation as the files write it, the same as a function, and its numbers."""

    name: str
    equation: str
    curve: Curve
    x: Any
    parameters: list[float]
    start1: list[float]
    start2: list[float]
    noise: float
    response: Curve = np.real


def residual_of(made: Made) -> tuple[Any, Any]:
    """The residual, orthogonal to the tangent space, and the Jacobian."""
    b = np.array(made.parameters)
    steps = np.diag(1e-30j * np.abs(b))
    jacobian = np.stack([np.imag(made.curve(made.x, *(b + step))) / 1e-30 / abs(one) for step, one in
                         zip(steps, b, strict=True)], axis=-1)  # fmt: skip
    noise = np.random.default_rng(len(made.equation)).normal(0.0, made.noise, len(jacobian))
    basis = np.linalg.qr(jacobian / np.linalg.norm(jacobian, axis=0))[0]
    for _ in range(2):
        noise = noise - basis @ (basis.T @ noise)
    return noise, jacobian


def certified(made: Made) -> tuple[Any, float]:
    """The standard deviations of the parameters, and the residual sum of squares."""
    residual, jacobian = residual_of(made)
    lengths = np.linalg.norm(jacobian, axis=0)
    root = np.linalg.inv(np.linalg.qr(jacobian / lengths)[1]) / lengths[:, None]
    total = float(residual @ residual)
    return np.linalg.norm(root, axis=1) * np.sqrt(total / (len(residual) - len(lengths))), total


def observations(made: Made) -> Any:
    """The values of the model with the residual, before the left side of the equation is undone."""
    return made.curve(made.x, *made.parameters) + residual_of(made)[0]


def columns(made: Made) -> dict[str, Any]:
    """The columns of the data, as the file has them."""
    predictors = made.x if isinstance(made.x, tuple) else (made.x,)
    names = ["x"] if len(predictors) == 1 else [f"x{i}" for i in range(1, len(predictors) + 1)]
    return {"y": made.response(observations(made)), **dict(zip(names, predictors, strict=True))}


def text_of(made: Made) -> str:
    """The file."""
    deviations, total = certified(made)
    table = columns(made)
    count, size = len(made.parameters), len(table["y"])
    plural = "Predictors" if len(table) > 2 else "Predictor"
    equation = "\n".join(f"               {line}" for line in made.equation.splitlines())
    rows = zip(made.start1, made.start2, made.parameters, deviations, strict=True)
    parameters = "\n".join(
        f"  b{i} = {one:>10.10g}  {two:>10.10g}  {value:.10E}  {deviation:.10E}"
        for i, (one, two, value, deviation) in enumerate(rows, 1)
    )
    data = "\n".join("      " + "  ".join(f"{one:.17E}" for one in row) for row in zip(*table.values(), strict=True))
    freedom = size - count
    return f"""NIST/ITL StRD
Dataset Name:  {made.name}          ({made.name}.dat)

File Format:   ASCII
               Starting Values   (lines 41 to {40 + count})
               Certified Values  (lines 41 to {45 + count})
               Data              (lines 61 to {60 + size})

Procedure:     Nonlinear Least Squares Regression

Description:   These data are made,
               and stand for nothing.

Reference:     None.

Data:          1 Response  (y = made)
               {len(table) - 1} {plural}
               {size} Observations
               Higher Level of Difficulty
               Generated Data

Model:         Miscellaneous Class
               {count} Parameters (b1 {"and" if count == 2 else "to"} b{count})

{equation}

          Starting values                  Certified Values

        Start 1     Start 2           Parameter     Standard Deviation
{parameters}

Residual Sum of Squares:                    {total:.10E}
Residual Standard Deviation:                {(total / freedom) ** 0.5:.10E}
Degrees of Freedom:                                {freedom}
Number of Observations:                            {size}

Data:   {"             ".join(table)}
{data}
"""


def peaks(x: Any, b1: Any, b2: Any, b3: Any, b4: Any, b5: Any, b6: Any, b7: Any, b8: Any) -> Any:
    return b1 * np.exp(-b2 * x) + b3 * np.exp(-((x - b4) ** 2) / b5**2) + b6 * np.exp(-((x - b7) ** 2) / b8**2)


def decays(x: Any, b1: Any, b2: Any, b3: Any, b4: Any, b5: Any, b6: Any) -> Any:
    return b1 * np.exp(-b2 * x) + b3 * np.exp(-b4 * x) + b5 * np.exp(-b6 * x)


def seasons(x: Any, *b: Any) -> Any:
    angles = 2 * np.pi * x
    year = b[1] * np.cos(angles / 12) + b[2] * np.sin(angles / 12)
    slow = b[4] * np.cos(angles / b[3]) + b[5] * np.sin(angles / b[3])
    return b[0] + year + slow + b[7] * np.cos(angles / b[6]) + b[8] * np.sin(angles / b[6])


def ratio(x: Any, top: Any, bottom: Any) -> Any:
    return sum(b * x**i for i, b in enumerate(top)) / (1 + sum(b * x**i for i, b in enumerate(bottom, 1)))


PRESSURES = np.array([77.6, 114.9, 141.1, 190.8, 239.9, 289, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760])
TIMES, HEATS = np.repeat([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 48.0, 64.0], 16), np.tile([180.0, 225.0, 250.0, 275.0], 32)

MADE = [
    Made("Misra1b", "y = b1 * (1-(1+b2*x/2)**(-2))  +  e",
         lambda x, b1, b2: b1 * (1 - (1 + b2 * x / 2) ** (-2)), PRESSURES,
         [337.99746163, 3.9039091287e-4], [500, 0.0001], [300, 0.0002], 0.08),
    Made("Misra1c", "y = b1 * (1-(1+2*b2*x)**(-.5))  +  e",
         lambda x, b1, b2: b1 * (1 - (1 + 2 * b2 * x) ** (-0.5)), PRESSURES,
         [636.42725809, 2.0813627256e-4], [500, 0.0001], [600, 0.0002], 0.06),
    Made("Misra1d", "y = b1*b2*x*((1+b2*x)**(-1))  +  e",
         lambda x, b1, b2: b1 * b2 * x / (1 + b2 * x), PRESSURES,
         [437.36970754, 3.0227324449e-4], [500, 0.0001], [450, 0.0003], 0.07),
    Made("Chwirut1", "y = exp[-b1*x]/(b2+b3*x)  +  e",
         lambda x, b1, b2, b3: np.exp(-b1 * x) / (b2 + b3 * x), np.tile(np.linspace(0.5, 6.0, 54), 4),
         [0.1902781837, 6.1310004643e-3, 1.0530908399e-2], [0.1, 0.01, 0.02], [0.15, 0.008, 0.010], 3.4),
    Made("Lanczos2", "y = b1*exp(-b2*x) + b3*exp(-b4*x) + b5*exp(-b6*x)  +  e", decays, np.arange(24) * 0.05,
         [0.096251029939, 1.0057332849, 0.86424689056, 3.0078283915, 1.5529016879, 5.0028798100],
         [1.2, 0.3, 5.6, 5.5, 6.5, 7.6], [0.5, 0.7, 3.6, 4.2, 4, 6.3], 1.1e-6),
    Made("Lanczos3", "y = b1*exp(-b2*x) + b3*exp(-b4*x) + b5*exp(-b6*x)  +  e", decays, np.arange(24) * 0.05,
         [0.086816414977, 0.95498101505, 0.84400777463, 2.9515951832, 1.5825685901, 4.9863565084],
         [1.2, 0.3, 5.6, 5.5, 6.5, 7.6], [0.5, 0.7, 3.6, 4.2, 4, 6.3], 3e-5),
    Made("Gauss2", "y = b1*exp( -b2*x ) + b3*exp( -(x-b4)**2 / b5**2 )\n"
         "                    + b6*exp( -(x-b7)**2 / b8**2 ) + e", peaks, np.arange(1.0, 251.0),
         [99.018328406, 1.0994945399e-2, 101.88022528, 107.03095519, 23.578584029, 72.045589471, 153.27010194,
          19.525972636], [96, 0.009, 103, 106, 18, 72, 151, 18], [98, 0.0105, 103, 105, 20, 73, 150, 20], 2.3),
    Made("Gauss3", "y = b1*exp( -b2*x ) + b3*exp( -(x-b4)**2 / b5**2 )\n"
         "                    + b6*exp( -(x-b7)**2 / b8**2 ) + e", peaks, np.arange(1.0, 251.0),
         [98.94036897, 1.0945879335e-2, 100.69553078, 111.63619459, 23.300500029, 73.705031418, 147.76164251,
          19.66822123], [94.9, 0.009, 90.1, 113, 20, 73.8, 140, 20], [96, 0.0096, 80, 110, 25, 74, 139, 25], 2.3),
    Made("DanWood", "y  = b1*x**b2  +  e", lambda x, b1, b2: b1 * x**b2,
         np.array([1.309, 1.471, 1.49, 1.565, 1.611, 1.68]), [0.76886226176, 3.8604055871], [1, 5], [0.7, 4], 3.3e-3),
    Made("Kirby2", "y = (b1 + b2*x + b3*x**2) /\n    (1 + b4*x + b5*x**2)  +  e",
         lambda x, *b: ratio(x, b[:3], b[3:]), np.linspace(9.65, 371.0, 151),
         [1.6745063063, -0.13927397867, 2.5961181191e-3, -1.724181187e-3, 2.1664802578e-5],
         [2, -0.1, 0.003, -0.001, 0.00001], [1.5, -0.15, 0.0025, -0.0015, 0.00002], 0.16),
    Made("Hahn1", "y = (b1+b2*x+b3*x**2+b4*x**3) /\n    (1+b5*x+b6*x**2+b7*x**3)  +  e",
         lambda x, *b: ratio(x, b[:4], b[4:]), np.linspace(14.1, 851.0, 236),
         [1.0776351733, -0.12269296921, 4.086375061e-3, -1.4262662514e-6, -5.7609940901e-3, 2.4053735503e-4,
          -1.2314450199e-7], [10, -1, 0.05, -0.00001, -0.05, 0.001, -0.000001],
         [1, -0.1, 0.005, -0.000001, -0.005, 0.0001, -0.0000001], 0.08),
    Made("Nelson", "log[y] = b1 - b2*x1 * exp[-b3*x2]  +  e",
         lambda x, b1, b2, b3: b1 - b2 * x[0] * np.exp(-b3 * x[1]), (TIMES, HEATS),
         [2.5906836021, 5.6177717026e-9, -5.7701013174e-2], [2, 0.0001, -0.01], [2.5, 5e-9, -0.05], 0.2, np.exp),
    Made("MGH17", "y = b1 + b2*exp[-x*b4] + b3*exp[-x*b5]  +  e",
         lambda x, b1, b2, b3, b4, b5: b1 + b2 * np.exp(-x * b4) + b3 * np.exp(-x * b5), np.arange(33) * 10.0,
         [0.37541005211, 1.9358469127, -1.4646871366, 1.286753464e-2, 2.2122699662e-2],
         [50, 150, -100, 1, 2], [0.5, 1.5, -1, 0.01, 0.02], 1.4e-3),
    Made("Roszman1", "pi = 3.141592653589793238462643383279E0\ny =  b1 - b2*x - arctan[b3/(x-b4)]/pi  +  e",
         lambda x, b1, b2, b3, b4: b1 - b2 * x - np.arctan(b3 / (x - b4)) / np.pi,
         -np.geomspace(4868.0, 270.0, 25), [0.20196866396, -6.1953516256e-6, 1204.4556708, -181.34269537],
         [0.1, -0.00001, 1000, -100], [0.2, -0.000005, 1200, -150], 4.9e-3),
    Made("ENSO", "y = b1 + b2*cos( 2*pi*x/12 ) + b3*sin( 2*pi*x/12 )\n"
         "       + b5*cos( 2*pi*x/b4 ) + b6*sin( 2*pi*x/b4 )\n"
         "       + b8*cos( 2*pi*x/b7 ) + b9*sin( 2*pi*x/b7 )  + e", seasons, np.arange(1.0, 169.0),
         [10.510749193, 3.0762128085, 0.53280138227, 44.3110887, -1.6231428586, 0.52554493756, 26.88761444,
          0.21232288488, 1.4966870418], [11, 3, 0.5, 40, -0.7, -1.3, 25, -0.3, 1.4],
         [10, 3, 0.5, 44, -1.5, 0.5, 26, -0.1, 1.5], 2.2),
    Made("BoxBOD", "y = b1*(1-exp[-b2*x])  +  e", lambda x, b1, b2: b1 * (1 - np.exp(-b2 * x)),
         np.array([1.0, 2.0, 3.0, 5.0, 7.0, 10.0]), [213.80940889, 0.54723748542], [1, 1], [100, 0.75], 17.0),
    Made("Rat42", "y = b1 / (1+exp[b2-b3*x])  +  e", lambda x, b1, b2, b3: b1 / (1 + np.exp(b2 - b3 * x)),
         np.array([9.0, 14, 21, 28, 42, 57, 63, 70, 79]), [72.462237576, 2.6180768402, 6.7359200066e-2],
         [100, 1, 0.1], [75, 2.5, 0.07], 1.2),
    Made("MGH10", "y = b1 * exp[b2/(x+b3)]  +  e", lambda x, b1, b2, b3: b1 * np.exp(b2 / (x + b3)),
         np.arange(50.0, 130.0, 5.0), [5.609636471e-3, 6181.3463463, 345.22363462], [2, 400000, 25000],
         [0.02, 4000, 250], 2.6),
    Made("Eckerle4", "y = (b1/b2) * exp[-0.5*((x-b3)/b2)**2]  +  e",
         lambda x, b1, b2, b3: b1 / b2 * np.exp(-0.5 * ((x - b3) / b2) ** 2),
         np.concatenate([np.arange(400.0, 436.0, 5.0), np.arange(436.5, 466.0, 1.5), np.arange(470.0, 501.0, 5.0)]),
         [1.5543827178, 4.0888321754, 451.54121844], [1, 10, 500], [1.5, 5, 450], 6.8e-3),
    Made("Bennett5", "y = b1 * (b2+x)**(-1/b3)  +  e", lambda x, b1, b2, b3: b1 * (b2 + x) ** (-1 / b3),
         np.linspace(7.447168, 13.0, 154), [-2523.5058043, 46.736564644, 0.93218483193], [-2000, 50, 0.8],
         [-1500, 45, 0.85], 1.8e-3),
]  # fmt: skip
