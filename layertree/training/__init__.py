"""Training: optimizers, and fit."""
