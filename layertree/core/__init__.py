"""What a formula is: layers and their fields, literals, weights and their cells, data, deltas, specs.

Main types: ``Layer`` (``layer``), ``Literal``, ``Identity`` and ``Compose`` (``identity``), ``Weight`` and ``State``
(``weight``) over ``Cell`` (``cell``), ``Tape`` as an interface (``tape``), ``ArraySpec`` (``spec``), ``Parts``
(``deltas``). ``fields`` has ``@layer``, ``structure`` the traversals, ``facade`` the functions of higher rooms that
methods of Layer and Tape call. Imports no other room. Start with README.md in this folder.
"""
