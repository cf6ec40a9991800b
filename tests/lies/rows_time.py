"""rows_time.py: (to come)."""


def rows() -> list:
    return []
