"""Trees out of trees: traversal, modes."""
