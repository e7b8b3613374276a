"""Conditions compared in pairs, over all trials and trial by trial."""
