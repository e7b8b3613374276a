"""How the live sessions went that votes rest on."""
