// Whose the sessions of the terminal are, so that no server on the same store takes them for those of its callers.

export const atTerminal = { owner: '@terminal', headend: 'terminal' } as const;
