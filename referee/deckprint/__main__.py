"""`python -m referee.deckprint` renders the faces again after a change of the art."""

from referee.deckprint import FACES
from referee.deckprint.raster import write_faces

write_faces(FACES)
