"""Drawing for all games: shapes and sprites, one visual language, pixels and SVG.

A game's `picture.py` gives `draw(box, view, seat=-1, turn=-1, last="", narrow=False)`, the table as a
`Picture`. It is made from a view (as `Setup.view` or `Setup.seat_view` gives it) like the table in words, so
that it cannot show more than the view holds. seat: whose view it is (-1: nobody's); turn: the seat to act
(-1: over); last: the last action in words; narrow: for a phone. Pillow is imported to draw, not before.
"""

from foodenvs.drawing.kit import Page, Panel
from foodenvs.drawing.raster import SIZES, image, pixels
from foodenvs.drawing.shapes import Picture, Placed, Sprite
from foodenvs.drawing.svg import frame, svg

__all__ = ["SIZES", "Page", "Panel", "Picture", "Placed", "Sprite", "frame", "image", "pixels", "svg"]
