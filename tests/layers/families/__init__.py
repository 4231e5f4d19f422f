"""Samples by family of layers."""
