"""Answers that are no preference."""
