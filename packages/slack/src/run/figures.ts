// Durations and limits as people read them.

/** `4 s`, `3 m 12 s`, `1 h 4 m`. */
export function timeIn(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return join(seconds, [60, 'm'], [1, 's']);
  return join(seconds, [3_600, 'h'], [60, 'm']);
}

/** Without the lesser one where there is none of it. */
function join(seconds: number, [of, unit]: [number, string], [lesserOf, lesser]: [number, string]): string {
  const rest = Math.floor((seconds % of) / lesserOf);
  return `${Math.floor(seconds / of)} ${unit}${rest === 0 ? '' : ` ${rest} ${lesser}`}`;
}

/** What was used up; a limit that we have no word for has its own. */
export function limitIn(limit: string): string {
  return limits.get(limit) ?? limit;
}

const limits: ReadonlyMap<string, string> = new Map([
  ['costUsd', 'money'],
  ['timeMs', 'time'],
  ['turns', 'model calls'],
  ['toolCalls', 'tool calls'],
  ['descendants', 'sub-agents'],
  ['maxTurns', 'turns'],
]);
