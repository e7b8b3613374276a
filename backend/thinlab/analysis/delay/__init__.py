"""Votes against delay: what people answer as a function of what was measured of what they met."""
