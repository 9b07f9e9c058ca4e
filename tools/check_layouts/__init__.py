"""Opens the bundled samples in every layout as the Kaitai Web IDE would. Run as ``python tools/check_layouts``."""
