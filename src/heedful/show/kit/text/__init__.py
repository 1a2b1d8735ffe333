"""Text on pages and pictures: widths, lines, direction, folding."""
