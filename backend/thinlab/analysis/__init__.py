"""Statistics of listening studies: pure functions from votes to findings, docs/analysis.md."""
