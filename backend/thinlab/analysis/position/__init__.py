"""Whether answers depend on when in the session they were given: fatigue, and practice."""
