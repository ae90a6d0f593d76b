// A talk with an agent, and the timeline of what it does beside it.

import { useMemo, useSyncExternalStore } from 'react';
import { goTo, type Route } from '../app/route.ts';
import type { Api } from '../server/api.ts';
import type { AgentEntry } from '../server/documents.ts';
import { SessionView } from '../session/session-view.ts';
import { TimelinePanel } from '../timeline/timeline-panel.tsx';

export interface TalkProps {
  readonly api: Api;
  readonly agents: readonly AgentEntry[];
  readonly route: Route;
  /** On a small screen: shows the list of conversations. */
  readonly onAside: () => void;
  /** Something was started or has ended. */
  readonly onChange: () => void;
}

export function Talk({ api, agents, route }: TalkProps) {
  if (route.session === undefined) return <main>{agents.map(({ name }) => name).join(', ')}</main>;
  return <Open api={api} id={route.session} />;
}

function Open({ api, id }: { readonly api: Api; readonly id: string }) {
  const view = useMemo(() => new SessionView(api, id), [api, id]);
  const picture = useSyncExternalStore(view.subscribe, view.picture);
  return (
    <main style={{ flex: 1, minWidth: 0, minHeight: 0 }}>
      <h1 className="unseen">Talk</h1>
      <TimelinePanel
        api={api}
        view={view}
        picture={picture}
        onClose={() => {}}
        onOpenSession={({ id }) => goTo({ session: id })}
        onChanged={(standing) => view.changed(standing)}
      />
    </main>
  );
}
