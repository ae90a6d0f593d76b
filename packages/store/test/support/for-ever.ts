// Sessions of tests have ended long ago, and stay all the same.

export const forEver = { maxAgeMs: Number.MAX_SAFE_INTEGER };
