"""What stands around every request: limits and telemetry."""
