"""The front end: what users write."""
