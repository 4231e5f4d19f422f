"""Lowering: formulas become graphs of primitives.

``step_derivation`` states a training step as formulas (value, deltas, updates, side effects); ``lowering`` sweeps a
formula with ``GraphBuilder`` as its namespace, so that each layer's ``compute`` appends primitives; ``lowering_rules``,
``reductions`` and ``reshapes`` hold the names whose shapes are static once all sizes are known. Main types:
``GraphBuilder``, ``Lowering``, ``StepFormulas``, ``Update``. Reading starts at ``lowering``. The room imports ``ir``.
"""
