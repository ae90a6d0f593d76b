// Agents as files: the public surface of this package, by hand.

export {};
