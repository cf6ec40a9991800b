"""rows_theory.py: (to come)."""


def rows() -> list:
    return []
