"""The layers: one table of samples drives each class through all that a layer promises."""
