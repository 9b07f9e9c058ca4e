"""The layouts as Kaitai Struct files, readable through importlib.resources."""
