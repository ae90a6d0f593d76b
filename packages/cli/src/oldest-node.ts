// A sentence for whoever imports the library on a Node that is too old for it, before anything that would not load there.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// It stands alone, so that it can come first: not even our own error is there yet.
if (major < 22 || (major === 22 && minor < 13))
  throw new RangeError(`ai-agent needs Node 22.13 or newer, and this is ${process.versions.node}: upgrade Node.`);
