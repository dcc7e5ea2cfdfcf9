"""One module a command: options in, a call into the house, exit status out."""
