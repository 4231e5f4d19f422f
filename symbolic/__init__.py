"""symbolic: formulas as you write them, over the layers of ``layertree``.

>>> x = placeholder(float)
>>> f = (1.0 + x) * weight(2.0)
>>> f.layer
Times(Plus(Literal(1.0), Identity()), Weight(2.0))
>>> f.predict(3.0)
8.0

The functions carry the names of the Array API standard.
"""

from typing import TYPE_CHECKING

from symbolic import attention as attention
from symbolic import derivatives as derivatives
from symbolic import initializers as initializers
from symbolic import losses as losses
from symbolic import nn as nn
from symbolic import parsing as parsing
from symbolic import simplification as simplification
from symbolic._function import *
from symbolic._placeholder import *
from symbolic._symbolic import Symbolic as Symbolic
from symbolic._typing import Formula as Formula
from symbolic.attention import *
from symbolic.derivatives import *
from symbolic.functions.activation import *
from symbolic.functions.control import *
from symbolic.functions.elementwise import *
from symbolic.functions.operators import *
from symbolic.functions.reduction import *
from symbolic.functions.shape import *
from symbolic.initializers import seed as seed
from symbolic.losses import *
from symbolic.nn import *
from symbolic.parsing import *
from symbolic.simplification import *

if TYPE_CHECKING:
    from symbolic import solvers as solvers
    from symbolic.solvers import *
else:  # checkers see what is imported above
    _SOLVERS = ("CurveFit", "curve_fit", "least_squares", "minimize", "root")
    __all__ = [name for name in dir() if not name.startswith("_") and name not in ("TYPE_CHECKING", "functions")]
    __all__ += ["solvers", *_SOLVERS]

    def __getattr__(name: str) -> object:
        """The solvers, which load when one is first used."""
        if name == "solvers" or name in _SOLVERS:
            from importlib import import_module

            solvers = import_module("symbolic.solvers")
            return solvers if name == "solvers" else getattr(solvers, name)
        raise AttributeError(f"module 'symbolic' has no attribute {name!r}")
