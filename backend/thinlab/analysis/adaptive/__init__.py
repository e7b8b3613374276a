"""Thresholds of adaptive blocks: each participant's, and the typical one's."""
