"""How the verifier is trained: synthetic voices, augmentation, recordings. Never needed to run the referee."""
