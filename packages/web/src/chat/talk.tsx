// A talk with an agent, and the timeline of what it does beside it.

import type { Route } from '../app/route.ts';
import type { Sessions } from '../app/use-sessions.ts';
import type { Api } from '../server/api.ts';
import type { AgentEntry } from '../server/documents.ts';
import type { Begun } from './entries.ts';
import { NewTalk } from './new-talk.tsx';
import { OpenTalk } from './open-talk.tsx';

export interface TalkProps {
  readonly api: Api;
  readonly agents: readonly AgentEntry[];
  readonly sessions: Sessions;
  readonly route: Route;
  readonly begun: Begun | undefined;
  readonly onBegun: (begun: Begun) => void;
  /** On a small screen: shows the list of conversations. */
  readonly onAside: () => void;
  /** Something was started or has ended. */
  readonly onChange: () => void;
}

export function Talk({ api, agents, sessions, route, begun, onBegun, onAside, onChange }: TalkProps) {
  const { session, agent } = route;
  if (session === undefined)
    return (
      <NewTalk
        api={api}
        agents={agents}
        sessions={sessions}
        onBegun={onBegun}
        onAside={onAside}
        {...(agent === undefined ? {} : { agent })}
      />
    );
  const own = begun?.standing.id === session ? { begun } : {};
  return <OpenTalk api={api} agents={agents} id={session} onAside={onAside} onChange={onChange} {...own} />;
}
