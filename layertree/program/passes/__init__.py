"""Passes: functions from a graph to a graph with the same results, one file each; ``pipeline`` gives their order.

Algebra (``dead_code``, ``log_likelihood``, ``product_scaling``, ``pooling_layout``, ``gather_indices``), replacement of
primitives that an engine lacks (``legalization``), rerolling of unrolled loops (``rerolling``, ``rerolling_terms``,
``rerolling_stacks``, ``intervals``), and blocking: elementwise fusion, tiling of products, splitting over a batch
(``elementwise_fusion``, ``tiling``, ``batch_splitting`` and the modules that these three share). Main types: ``Chain``
(operations that run block by block), ``Split``. Reading starts at ``pipeline``. The room
imports ``ir``, ``lower`` and ``runtime``.
"""
