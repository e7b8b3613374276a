"""Simulated participants that take part by the real HTTP contract, as the page does."""
