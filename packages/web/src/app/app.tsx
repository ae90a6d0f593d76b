// The whole page: who there is to ask, what was said before, the talk that is open, and its timeline beside it.

import { useCallback, useEffect, useState } from 'react';
import { Drafts, DraftsContext } from '../chat/drafts.ts';
import type { Begun } from '../chat/entries.ts';
import { Talk } from '../chat/talk.tsx';
import { keepPage } from '../chat/use-drops.ts';
import { type Api, RequestFailed } from '../server/api.ts';
import type { AgentEntry, Failure } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import styles from './app.module.css';
import { Aside } from './aside.tsx';
import { AskKey } from './ask-key.tsx';
import { Boundary } from './boundary.tsx';
import { Problem } from './problem.tsx';
import { useRoute } from './route.ts';
import { SkipLink } from './skip-link.tsx';
import { useSessions } from './use-sessions.ts';

type Opening =
  | { readonly state: 'loading' }
  | { readonly state: 'locked'; readonly problem: string | undefined }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'open'; readonly agents: readonly AgentEntry[] };

export function App({ api }: { readonly api: Api }) {
  const [opening, setOpening] = useState<Opening>({ state: 'loading' });
  const open = useCallback(async () => {
    try {
      setOpening({ state: 'open', agents: await api.agents() });
    } catch (error) {
      const failure = toFailure(error);
      if (isRefused(error) && api.hasKey) setOpening({ state: 'locked', problem: refusalOf(failure) });
      else if (!isLocked(error)) setOpening({ state: 'failed', failure });
    }
  }, [api]);
  useEffect(() => {
    // Also in the middle of everything: a key may be taken back.
    api.onLocked = () => setOpening({ state: 'locked', problem: api.hasKey ? unknownKey : undefined });
    void open();
  }, [api, open]);

  if (opening.state === 'loading') return <p className={styles.quiet}>Loading…</p>;
  if (opening.state === 'failed')
    return (
      <main className={styles.alone}>
        <Problem failure={opening.failure} onRetry={open} />
      </main>
    );
  if (opening.state === 'locked') {
    const onKey = (key: string) => {
      if (!mayBeKey(key)) return setOpening({ state: 'locked', problem: noKey });
      api.takeKey(key);
      void open();
    };
    return <AskKey problem={opening.problem} onKey={onKey} />;
  }
  return <Inside api={api} agents={opening.agents} />;
}

function Inside({ api, agents }: { readonly api: Api; readonly agents: readonly AgentEntry[] }) {
  const route = useRoute();
  const sessions = useSessions(api);
  const [isAsideOpen, setAsideOpen] = useState(false);
  const [begun, setBegun] = useState<Begun>();
  const [drafts] = useState(() => new Drafts());
  useEffect(keepPage, []);
  const onBegun = (now: Begun) => {
    setBegun(now);
    sessions.refresh();
  };
  // Of one that is come back to the server knows more.
  useEffect(() => setBegun((before) => (before?.standing.id === route.session ? before : undefined)), [route.session]);
  return (
    <DraftsContext value={drafts}>
      <div className={styles.page}>
        <SkipLink />
        <Aside
          agents={agents}
          sessions={sessions}
          route={route}
          isOpen={isAsideOpen}
          onClose={() => setAsideOpen(false)}
        />
        <Boundary key={route.session ?? 'new'} name="The talk" className={styles.broken}>
          <Talk
            api={api}
            agents={agents}
            sessions={sessions}
            route={route}
            begun={begun}
            onBegun={onBegun}
            onAside={() => setAsideOpen(true)}
            onChange={sessions.refresh}
          />
        </Boundary>
      </div>
    </DraftsContext>
  );
}

const unknownKey = 'The server does not know this key. Look for spaces or a missing end, or ask for another one.';

const forVisitors =
  'This key is for visitors of the pages whose origins it names, as a chat in a website has it. This page needs another, made without origins.';

function isLocked(error: unknown): boolean {
  return error instanceof RequestFailed && error.status === 401;
}

/** It knows the key, which is not for this page: one for visitors of a site, say. */
function isRefused(error: unknown): boolean {
  return error instanceof RequestFailed && error.status === 403;
}

/** What a request can carry. */
function mayBeKey(key: string): boolean {
  return /^[\x20-\x7e]+$/.test(key);
}

const noKey = 'This cannot be the key: keys are made of plain letters, digits and signs. Copy it again.';

function refusalOf({ code, message, remedy }: Failure): string {
  if (code === 'origin-refused' || code === 'key-limited') return forVisitors;
  return remedy === undefined ? message : `${message} ${remedy}`;
}
