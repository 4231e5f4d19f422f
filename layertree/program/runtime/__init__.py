"""The runtime: what a compiled function needs while it runs.

``arena`` (slices of one stretch of memory as arrays), ``frame`` (the memory and the floating-point context of one run),
``output_buffers`` (arrays that a step hands out), ``threads`` and ``blas_threads``, ``diagnostics`` (errors in words).
Main types: ``ArenaSlice``, ``Frame``, ``OutputBuffers``. Reading starts at ``frame``. The room imports ``ir``; code
generation stands above the runtime, since generated code refers to it.
"""
