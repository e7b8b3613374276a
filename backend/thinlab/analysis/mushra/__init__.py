"""Several sounds rated beside their reference, 0 … 100 (ITU-R BS.1534-3)."""
