"""Structure to meaning: one package a format."""
