"""How noticeable differences were to those who preferred one."""
