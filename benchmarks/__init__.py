"""Measures how fast, and in how much memory, this tool checks data; see ``benchmarks/README.md``."""
