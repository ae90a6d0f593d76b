// The ways that sessions come in.

export const headends = ['terminal', 'library', 'rest', 'mcp', 'openai', 'anthropic', 'slack'] as const;
