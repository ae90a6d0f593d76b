// Labels of agents for people: the name, or where several agents of a tree have that name, the path or the id as well.

import type { SessionStart } from '../events.ts';
import type { Trace } from '../trace.ts';

/** The labels of a session. */
export interface SessionLabels {
  /** The label of its agent. No other agent of the tree has this label. */
  readonly agent: string;
  /** Labels of the agents from the root, joined by colons. */
  readonly callPath: string;
}

type Start = Pick<SessionStart, 'trace' | 'agentPath'>;

/** Keyed by session id. Callers come before the sessions that they call. */
export function labelSessions(starts: Iterable<Start>): ReadonlyMap<string, SessionLabels> {
  const all = [...starts];
  const labels = labelAgents(all);
  const sessions = new Map<string, SessionLabels>();
  for (const { trace } of all) {
    const agent = labels.get(trace.agentId) ?? trace.agentName;
    const above = sessions.get(trace.parentId ?? '')?.callPath ?? pathAbove(trace);
    sessions.set(trace.selfId, { agent, callPath: above === '' ? agent : `${above}:${agent}` });
  }
  return sessions;
}

/** Labels of agents, keyed by agent id. */
export function labelAgents(starts: readonly Start[]): ReadonlyMap<string, string> {
  const agents = new Map(starts.map((start) => [start.trace.agentId, start]));
  const ofName = countOf([...agents.values()].map(({ trace }) => trace.agentName));
  const longer = [...agents].map(([id, { trace, agentPath = trace.agentName }]) => {
    const isAlone = ofName.get(trace.agentName) === 1;
    return { id, name: trace.agentName, label: isAlone ? trace.agentName : agentPath };
  });
  const ofLabel = countOf(longer.map(({ label }) => label));
  return new Map(
    longer.map(({ id, name, label }) => [id, ofLabel.get(label) === 1 || id === name ? label : `${label} (${id})`]),
  );
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Names of agents on another server, or of callers whose facts are not here. */
function pathAbove({ callPath }: Trace): string {
  return callPath.slice(0, Math.max(0, callPath.lastIndexOf(':')));
}
