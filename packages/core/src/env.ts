// The variables a session may see: its own, and nothing of the process.

/** The variables one session may see. Immutable. */
export type EnvOverlay = Readonly<Record<string, string>>;
