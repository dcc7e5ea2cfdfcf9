"""The call model: lexicons as data, the recogniser's graph built from them, and a registry of models with checksums."""
