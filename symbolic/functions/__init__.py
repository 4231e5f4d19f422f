"""The functions of the front end by family."""
