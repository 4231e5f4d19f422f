"""Behaviours of other systems, each with its right value, as tests: the id of a case is in the test's name or id."""
