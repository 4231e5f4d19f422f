"""Plots of training and of what was trained, by matplotlib (the extra ``plots``): one line of code each.

Each function returns the axes that it drew into, new ones unless ``ax`` is given; none calls ``pyplot.show``.
"""

from layertree.core.public import listed
from layertree.plots.attention import attention_maps as attention_maps
from layertree.plots.confusion import confusion_matrix as confusion_matrix
from layertree.plots.decision_border import decision_border as decision_border
from layertree.plots.histograms import activation_histograms as activation_histograms
from layertree.plots.histograms import activations_over_training as activations_over_training
from layertree.plots.histograms import weight_histograms as weight_histograms
from layertree.plots.histograms import weights_over_training as weights_over_training
from layertree.plots.history import history as history
from layertree.plots.recorder import Recorder as Recorder

__all__ = [
    "Recorder",
    "activation_histograms",
    "activations_over_training",
    "attention_maps",
    "confusion_matrix",
    "decision_border",
    "history",
    "weight_histograms",
    "weights_over_training",
]


def __dir__() -> list[str]:
    return listed(globals())
