"""ABX: whether two conditions can be told apart."""
