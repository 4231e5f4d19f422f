"""What mypy and pyright say of formulas: modules they accept, and modules whose marked lines they reject."""
