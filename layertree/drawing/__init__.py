"""Drawings: formulas, runs and their steps as SVG and HTML, without a script and without a dependency.

``model``          nodes, edges and groups with their texts
``formulas``       the graph of a formula; ``labels`` has what nodes say
``extracts``       parts of large formulas
``ranks``, ``crossings``, ``positions``, ``layout``   the layered layout
``measure``        the sizes of texts, nodes and heat maps
``svg``, ``theme``   elements with escaped texts, colours
``picture``, ``framing``   a placed graph as a picture; a picture as SVG and as an image of HTML
``heatmap``        arrays as small pictures
``page``, ``save`` HTML around pictures, files
``drawing``        ``draw`` and its result
``runs``, ``steps``, ``sentences``   a run with its deltas; its steps, one node at a time
``bundles``, ``charts``   what notebooks show of formulas, runs and reports

This room may import core, layers, sweep, kernels, namespaces, updates, tape, text and rewrite. It loads when used.
"""

from layertree.drawing.drawing import Drawing as Drawing
from layertree.drawing.drawing import draw as draw
from layertree.drawing.steps import Steps as Steps
from layertree.drawing.steps import steps as steps
