"""An index over a folder of Spring demos: queries, totals, maps, dossiers (seed 002 "Across the library")."""
