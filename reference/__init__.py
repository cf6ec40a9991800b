"""__init__.py: the independent reference of the job `ingest`; see batch.py and check.py."""
