"""Benchmarks: our workloads beside those of the peers that are installed. ``python -m benchmarks`` runs them."""
