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

from layertree.core.public import listed as _listed
from symbolic import _facade
from symbolic.core.symbolic import Symbolic as Symbolic

_facade.fill()

if TYPE_CHECKING:
    from symbolic import attention as attention
    from symbolic import derivatives as derivatives
    from symbolic import initializers as initializers
    from symbolic import losses as losses
    from symbolic import nn as nn
    from symbolic import parsing as parsing
    from symbolic import simplification as simplification
    from symbolic import solvers as solvers
    from symbolic.attention import *
    from symbolic.building.decorator import *
    from symbolic.building.placeholders import *
    from symbolic.core.formula import Formula as Formula
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
    from symbolic.solvers import *
else:  # a module loads when one of its names is first used
    from importlib import import_module

    _ROOMS = ("attention", "derivatives", "initializers", "losses", "nn", "parsing", "simplification", "solvers")
    _NAMES = {
        "building.decorator": "formula",
        "building.placeholders": "literal placeholder weight wrap",
        "core.formula": "Formula",
        "attention": "embedding layer_norm scaled_dot_product_attention",
        "derivatives": "curl divergence grad hessian hvp jacobian jvp laplacian value_and_grad vjp vmap",
        "functions.activation": "elu gelu_tanh leaky_relu relu sigmoid silu softplus softsign",
        "functions.control": "hook stop_gradient",
        "functions.elementwise": """
            abs acos acosh asin asinh atan atanh cbrt ceil cos cosh exp expm1 floor log log10 log1p log2
            negative positive reciprocal round sign sin sinh sqrt square tan tanh trunc
        """,
        "functions.operators": """
            add atan2 bitwise_and bitwise_invert bitwise_or bitwise_xor clip divide equal floor_divide greater
            greater_equal hypot if_ less less_equal logaddexp maximum minimum multiply not_equal pow remainder
            subtract where
        """,
        "functions.reduction": """
            argmax cumulative_prod cumulative_sum logsumexp max mean min prod std sum var vector_norm
        """,
        "functions.shape": """
            astype broadcast_to concat expand_dims flatten matmul matrix_transpose ones_like permute_dims
            reshape squeeze stack take zeros_like
        """,
        "initializers": "seed",
        "losses": """
            accuracy binary_cross_entropy cross_entropy hinge log_softmax mean_absolute_error mean_squared_error
            softmax
        """,
        "nn": "batch_norm conv2d dense dropout max_pool2d running_average",
        "parsing": "ParseError parse",
        "simplification": "simplify",
        "solvers": "CurveFit curve_fit least_squares minimize root",
    }
    _HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

    # A star import leaves the functions of Python as they are: abs, pow and round take formulas, too.
    _OF_PYTHON = {"abs", "max", "min", "pow", "round", "sum"}
    __all__ = ["Symbolic", *_ROOMS, *[name for name in _HOMES if name not in _OF_PYTHON]]

    def __getattr__(name: str) -> object:
        """A name that is imported above for checkers, at its first use."""
        if name in _ROOMS:
            return import_module(f"symbolic.{name}")
        if name in _HOMES:
            found = globals()[name] = getattr(import_module(f"symbolic.{_HOMES[name]}"), name)
            return found
        raise AttributeError(f"module 'symbolic' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*_listed(globals()), *_OF_PYTHON})
