"""What Coilbox derives from a demo and from an event log: plain functions over numpy arrays (seed 002).

Each number says where it comes from and how much was left out of it; `sources` is the list of both.
"""
