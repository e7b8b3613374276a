"""Recordings judged alone: mean opinion scores."""
