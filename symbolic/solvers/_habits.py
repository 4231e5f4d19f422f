"""Options that other libraries call differently, and places of wrong values, for messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["positions_text", "require_own_names"]

_SHOWN = 5

_NAMES = {
    "p0": "the parameters to begin with are start, not p0: start={value!r}",
    "x0": "the parameters to begin with are start, not x0: start={value!r}",
    "maxfev": "the limit of evaluations is max_nfev, not maxfev: max_nfev={value!r}",
    "maxiter": "the limit of evaluations is max_nfev, not maxiter: max_nfev={value!r}",
    "weights": "observations are weighted by their standard deviations, sigma, not by weights: "
    "sigma=1/np.sqrt(weights) for weights of squares, sigma=1/weights for weights of differences",
    "yerr": "the standard deviations of the observations are sigma, not yerr: sigma=yerr",
    "jac": "derivatives are exact, by the formula of the model: leave jac out",
    "Dfun": "derivatives are exact, by the formula of the model: leave Dfun out",
    "full_output": "the result has all that is known, in its attribute result: leave full_output out",
    "nan_policy": "observations that are not finite are an error: leave these out, and nan_policy, too",
    "check_finite": "observations that are not finite are an error: leave these out, and check_finite, too",
}


def require_own_names(options: Mapping[str, Any]) -> None:
    """Raise TypeError for options of ``scipy.optimize.curve_fit`` and others that have another name here."""
    for name, value in options.items():
        if name in _NAMES:
            raise TypeError(f"curve_fit: {_NAMES[name].format(value=value)}")


def positions_text(wrong: NDArray[np.bool_]) -> str:
    """Where an array is True, for messages.

    >>> positions_text(np.array([False, True, True]))
    'rows 1 and 2'
    >>> positions_text(np.ones(9, bool))
    'rows 0, 1, 2, 3, 4 and 4 more'
    """
    places = np.argwhere(wrong)
    shown = [str(place.item() if place.size == 1 else tuple(place.tolist())) for place in places[:_SHOWN]]
    if len(places) > _SHOWN:
        shown.append(f"{len(places) - _SHOWN} more")
    word = "row" if wrong.ndim == 1 else "position"
    return f"{word}{'s' * (len(places) > 1)} {' and '.join([', '.join(shown[:-1]), shown[-1]][len(shown) == 1 :])}"
