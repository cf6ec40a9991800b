"""rows_host.py: (to come)."""


def rows() -> list:
    return []
