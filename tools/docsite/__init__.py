"""What the documentation site makes of the package itself: reference pages and pictures of the layouts."""
