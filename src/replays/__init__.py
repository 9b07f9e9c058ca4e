"""The replay objects that `ksreplay.open` gives: one module a format."""
