"""Studies made of numbers: what the analysis finds where there is nothing to be found."""
