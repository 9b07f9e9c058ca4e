"""Bytes to structure: containers, framing, and the construct specs that build bytes from structure."""
