"""What a formula of the front end is: a layer, the spec of its input, and Python's operators.

``symbolic`` holds the class, ``origin`` the input that formulas share, ``facade`` the functions of higher rooms that
the methods call. This room imports ``layertree`` and the static types of ``symbolic.signatures``, nothing else of
``symbolic``. Start with ``symbolic.py``.
"""
