"""How the eye's weights are made: drawn pictures only, never a photograph that is measured.

Needs what the referee itself does not (torch, Pillow, folders of card art): see docs/vision.md for the commands.
"""
