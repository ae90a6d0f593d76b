// Names of limits, as people read them.

/** `of time (timeMs)`; a limit without a name is shown as it is. */
export function limitName(limit: string): string {
  const name = names[limit];
  return name === undefined ? limit : `of ${name} (${limit})`;
}

const names: Readonly<Record<string, string>> = {
  tokens: 'tokens',
  costUsd: 'money',
  timeMs: 'time',
  turns: 'model calls',
  toolCalls: 'tool calls',
  descendants: 'agents below it',
  maxTurns: 'turns',
};
