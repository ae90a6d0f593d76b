// The public surface of the tools package.
