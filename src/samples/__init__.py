"""Small replays made by the project itself, one of each format (see tools/samples)."""
