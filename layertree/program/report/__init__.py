"""Reports on a program: its schedule, memory, passes, profile, and the first value that is not finite.

``instrumentation`` compiles a program anew with a call after each line, on which ``profile`` and ``finite_checks``
stand; ``costs`` counts arithmetic and bytes; ``schedule`` and ``memory`` read the compiled program, ``explanation``
runs the passes once more. Main types: ``Profile``, ``Memory``, ``Explanation``, ``Observer``. Reading starts at
``memory``. The room imports every other sub-room, and loads when a report is first asked for.
"""
